// The keyboard at the table: at one's turn the focus goes to what one may do, P passes, and ? tells the keys.
import { Dialog } from "./dialog.js";
import { html, signal } from "./html.js";
import { settings } from "./keep.js";
import { risk } from "./prompt.js";
import { t } from "./text.js";

/** Where the focus may be moved from at one's turn; from anywhere else it is not taken. */
const AREA = ".hand, .prompt, .spread-out, .naming";
const OPEN = ".prompt .btn:not([aria-disabled=true]):not([data-pass])";
const PASS = ".prompt [data-pass]:not([aria-disabled=true])";

/** What each key does, for the list. */
const KEYS = /** @type {const} */ (["pass", "move", "do", "skip", "list"]);

const open = signal(false);
/** Whether the person's last act was by a key: who points is not shown a focus that he did not ask for. */
let keyed = false;
addEventListener("keydown", () => (keyed = true), true);
addEventListener("pointerdown", () => (keyed = false), true);

/** @param {string} selector */
const one = (selector) => /** @type {HTMLElement | null} */ (document.querySelector(`.table ${selector}`));
/** @param {HTMLElement | null | undefined} box */
const focus = (box) => box?.focus({ preventScroll: !keyed });

/** The card that fits nearest to where one was in the hand; where cards are not marked, the one where one was. */
function card() {
  if (!settings.peek().marks) return one(".hand[data-mine=true] .held[data-fits=true]") && one(".held[tabindex='0']");
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".hand[data-mine=true] .held")]);
  const at = all.findIndex((held) => held.tabIndex === 0);
  const far = (/** @type {HTMLElement} */ held) => Math.abs(all.indexOf(held) - at);
  return all.filter((held) => held.dataset["fits"] === "true").toSorted((a, b) => far(a) - far(b))[0];
}

/** The place that may be turned over next after the one where one was. */
function place() {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".spread-out[data-mine=true] .place")]);
  const at = all.findIndex((one) => one.tabIndex === 0);
  return [...all.slice(at), ...all.slice(0, at)].find((one) => one.dataset["up"] === "false");
}

/** At one's turn: to what may be done. Never from a dialog, a field, or anything else that is being read or used. */
export function lead() {
  const here = document.activeElement;
  const nowhere = !here || here === document.body || here.matches("h1");
  if (document.querySelector("dialog[open]") || (nowhere ? !keyed : !here.closest(AREA))) return;
  if (here?.matches(".place[data-up=false], .named, .held[data-fits=true]")) return;
  focus(card() ?? (here?.closest(".spread-out") ? place() : null) ?? one(OPEN) ?? one(PASS) ?? place() ?? one(".named[tabindex='0']") ?? one(".cut .btn"));
}

/** The turn is over: the focus does not stay on a button that does nothing. */
export function release() {
  if (document.activeElement?.matches(".prompt [aria-disabled=true]")) focus(one(".held[tabindex='0']") ?? one(".prompt"));
}

/** The keys of a single letter, not where one writes or reads what was said; the pass only where the focus is on the table or nowhere,
 * as it is on the title of a table to which one has just come. @param {KeyboardEvent} event */
export function onTableKey(event) {
  const on = /** @type {HTMLElement} */ (event.target);
  if (!settings.peek().keys || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
  if (document.querySelector("dialog[open]")) return;
  if (on.closest("input, textarea, select, .log")) return;
  if (event.key === "?") open.value = true;
  else if (event.key.toLowerCase() === "p" && (on === document.body || on.closest(".table, h1"))) pass();
  else return;
  event.preventDefault();
}

/** Press the pass; where it is asked once more, the focus goes to the answer. */
function pass() {
  const button = one(".prompt [data-pass]"); // where it may not be, the table says why
  if (!button) return;
  button.click();
  if (risk.peek()) requestAnimationFrame(() => focus(one(".prompt .btn.primary")));
}

/** The list of the keys. */
export const Keys = () =>
  open.value
    ? html`<${Dialog} title=${t("ui.keys")} small onClose=${() => (open.value = false)}>
        <dl class="keys">${KEYS.map((key) => html`<div key=${key}><dt>${t(`ui.keys.${key}.key`)}</dt><dd>${t(`ui.keys.${key}`)}</dd></div>`)}</dl>
        <p class="muted small">${t("ui.keys.note")}</p>
      </${Dialog}>`
    : null;
