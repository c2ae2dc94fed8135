// The five games as small tables, laid with the very cards one plays with. Pictures only: they say nothing aloud.
import { Back, Card, RANKS, SUITS } from "./card.js";
import { html } from "./html.js";

/** A card (null: its back; `chip`: no card but a chip) with its middle at x, y and its width w, in hundredths of the picture's width, turned by some degrees.
 * @typedef {[card: string | null, x: number, y: number, w: number, turn?: number]} Spot */

/** Cards side by side, each under its rank's column. @param {string} ranks @param {string} suit @param {number} y @returns {Spot[]} */
const row = (ranks, suit, y) => [...ranks].map((rank) => [rank + suit, 50 + 10.8 * (RANKS.indexOf(rank) - 6.5), y, 10]);

/** Fear: the spread, a few cards turned, and the one that is feared, large. @returns {Spot[]} */
function fear() {
  const turned = /** @type {Record<number, string>} */ ({ 3: "8D", 8: "KH", 17: "3C", 21: "TS", 35: "5H", 37: "JC", 44: "9S" });
  const spread = Array.from({ length: 52 }, (_, place) =>
    /** @type {Spot} */ ([turned[place] ?? null, 50 + 7.2 * ((place >> 2) - 6), 31.5 + 11.2 * ((place % 4) - 1.5), 6.4]),
  );
  return [...spread, ["QS", 50, 33, 21, 6]];
}

/** Fan Tan: the sevens in a column and what was laid on from them. @returns {Spot[]} */
const fantan = () => [...row("56789T", "S", 9.5), ...row("678", "H", 24.2), ...row("4567", "C", 38.8), ...row("789TJ", "D", 53.5)];

/** Five or Nine: the two cards of which one begins. @returns {Spot[]} */
const fiveOrNine = () => [["5H", 38, 32, 29, -7], ["9S", 62, 32, 29, 7]];

/** Earl of Coventry: four cards of one rank, whichever it was. @returns {Spot[]} */
const earl = () => SUITS.map((suit, at) => [`J${suit}`, 23 + 18 * at, 32 + (at - 1.5) ** 2, 25, -12 + 8 * at]);

/** Play or Pay: one suit, upward to the king and round the corner to the ace. @returns {Spot[]} */
const playOrPay = () => [
  ...[..."89TJQK"].map((rank, at) => /** @type {Spot} */ ([`${rank}H`, 11.5 + 13.2 * at, 12.5, 11.5])),
  ["AH", 90.5, 31.5, 11.5, 90],
  ["chip", 37, 32, 6], ["chip", 45, 30.5, 6], ["chip", 41.5, 34, 6], ["chip", 52, 33, 6],
  ...[..."234567"].map((rank, at) => /** @type {Spot} */ ([`${rank}H`, 77.5 - 13.2 * at, 50.5, 11.5])),
];

/** @type {Record<string, () => Spot[]>} */
const LAID = { fear, "fan-tan": fantan, "five-or-nine": fiveOrNine, "earl-of-coventry": earl, "play-or-pay": playOrPay };

/** @param {{game: string}} props */
export const Picture = ({ game }) => html`
  <div class="picture felt" aria-hidden="true">
    ${LAID[game]?.().map(([card, x, y, w, turn = 0], at) => html`
      <span key=${at} style=${`left:${x - w / 2}cqw;top:${y}cqw;width:${w}cqw;transform:translateY(-50%) rotate(${turn}deg)`}>
        ${card === "chip" ? html`<i class="chip" />` : card ? html`<${Card} card=${card} mini=${w < 12} />` : html`<${Back} />`}
      </span>`)}
  </div>`;
