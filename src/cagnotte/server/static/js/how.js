// How a turn goes, in a few sentences, each with a small picture.
import { Back, Card } from "./card.js";
import { html } from "./html.js";
import { t } from "./text.js";

/** What is drawn beside a sentence: cards as they are written, `..` a card face down, `o` a chip, `>` what follows from it,
 * and `+` before a card: the one that is laid now. Each picture is one or two rows.
 * @type {Record<string, string[][]>} */
const PICTURES = {
  fear: [["QS", ".. .. .. .. .."], [".. .. +8D .. .."], [".. +QS > o"], ["o o o o"]],
  "fan-tan": [["7S 7H 7D 7C"], ["6S 7S +8S"], ["> o"], ["o o o o"]],
  "five-or-nine": [["+9S > 9H 9D 9C"], ["8S 9S +TS"], ["> o"], ["o o o o"]],
  "earl-of-coventry": [["+JS > JH JD JC"], ["TS JS +QS"], ["+JC > TH"], ["> o"], ["o o o o"]],
  "play-or-pay": [["8H 9H +TH"], ["QH KH > AH 2H"], ["> o"], ["+7H > 3C"], ["o o o o"]],
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
    ${(PICTURES[game] ?? []).map((rows, at) => html`
      <li key=${at}>
        <div class="how-picture felt" aria-hidden="true">
          ${rows.map((row) => html`<div>${row.split(" ").map(drawn)}</div>`)}
        </div>
        <p>${t(`how.${game}.${at + 1}`)}</p>
      </li>`)}
  </ol>`;
