// How a turn goes, in a few sentences, each with a small picture.
import { Back, Card } from "./card.js";
import { html } from "./html.js";
import { t } from "./text.js";

/** What is drawn beside each sentence: cards as they are written, `..` a card face down, `o` a chip, `>` what follows
 * from it, and `+` before a card: the one that is laid now. Each picture is one or two rows.
 * @type {Record<string, Record<string, string[]>>} */
const PICTURES = {
  fear: { spread: ["QS", ".. .. .. .. .."], turn: [".. .. +8D .. .."], fear: [".. +QS > o"], out: ["o o o o"] },
  "fan-tan": { open: ["7S 7H 7C 7D"], lay: ["6S 7S +8S"], pass: ["> o"], win: ["o o o o"] },
  "five-or-nine": { open: ["+9S > 9H 9C 9D"], lay: ["8S 9S +TS"], pass: ["> o"], win: ["o o o o"] },
  "earl-of-coventry": { open: ["+JS > JH JC JD"], lay: ["TS JS +QS"], bonus: ["+JC > TH"], pass: ["> o"], win: ["o o o o"] },
  "play-or-pay": { open: ["8H 9H +TH"], round: ["QH KH > AH 2H"], pay: ["> o"], next: ["+7H > 3C"], win: ["o o o o"] },
};

/** @param {string} sign */
function drawn(sign) {
  if (sign === "o") return html`<i class="chip" />`;
  if (sign === ">") return html`<span class="then">→</span>`;
  if (sign === "..") return html`<span class="tiny"><${Back} /></span>`;
  const now = sign.startsWith("+");
  return html`<span class=${`tiny ${now ? "now" : ""}`}><${Card} card=${sign.slice(-2)} mini /></span>`;
}

/** @param {{game: string}} props */
export const How = ({ game }) => html`
  <ol class="how">
    ${Object.entries(PICTURES[game] ?? {}).map(([part, rows]) => html`
      <li key=${part}>
        <div class="how-picture felt" aria-hidden="true">
          ${rows.map((row) => html`<div>${row.split(" ").map(drawn)}</div>`)}
        </div>
        <p>${t(`how.${game}.${part}`)}</p>
      </li>`)}
  </ol>`;
