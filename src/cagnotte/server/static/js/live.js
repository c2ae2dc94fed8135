// What a screen reader hears: one polite log, each sentence once and in order.
import { html, signal } from "./html.js";

const KEPT = 30;
const spoken = signal(/** @type {{key: number, text: string}[]} */ ([]));
let count = 0;

/** @param {string} text */
export function announce(text) {
  spoken.value = [...spoken.value, { key: count++, text }].slice(-KEPT);
}

export const Live = () => html`
  <div class="sr" role="log" aria-live="polite" aria-relevant="additions">
    ${spoken.value.map(({ key, text }) => html`<p key=${key}>${text}</p>`)}
  </div>`;
