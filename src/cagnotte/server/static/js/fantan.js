// The layout of the Fan Tan games: a row for each suit, in which every card has its place from the start.
import { Card, Pip, RANKS, Rank, SUITS } from "./card.js";
import { html } from "./html.js";
import { aim } from "./hand.js";
import { cardName, suitName, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** The ranks of a row from left to right: from the ace, or in Play or Pay from the card that began the suit. @param {string} game @param {string[]} row */
function order(game, row) {
  if (game !== "play-or-pay") return RANKS;
  const first = RANKS.indexOf(row[0]?.[0] ?? "");
  return first < 0 ? null : [...RANKS.slice(first), ...RANKS.slice(0, first)];
}

/** What lies in a row, in words. @param {string} suit @param {(string | null)[]} cards from left to right, null where none lies */
function spoken(suit, cards) {
  const lying = cards.filter((card) => card !== null);
  if (lying.length === 0) return t("ui.fantan.row.none", { suit: suitName(suit) });
  if (lying.length === 1) return t("ui.fantan.row.one", { suit: suitName(suit), card: cardName(lying[0] ?? "") });
  return t("ui.fantan.row", { suit: suitName(suit), from: cardName(lying[0] ?? ""), to: cardName(lying.at(-1) ?? "") });
}

/** @param {{scene: Scene}} props */
export function Layout({ scene: { view, log } }) {
  const latest = log.findLast((event) => event.kind === "laid")?.card;
  const startable = new Set(view.starts.length <= 8 ? view.starts : []);
  return html`
    <div class="layout" data-game=${view.game}>
      ${SUITS.map((suit) => {
        const row = /** @type {string[]} */ (view.laid[suit] ?? []);
        const ranks = order(view.game, row);
        const cards = (ranks ?? RANKS).map((rank) => (row.includes(rank + suit) ? rank + suit : null));
        return html`
          <div class="lane" key=${suit} role="img" aria-label=${spoken(suit, cards)} data-suit=${suit}
            data-empty=${row.length === 0} data-whole=${row.length === 13}>
            ${(ranks ?? RANKS).map((rank, i) => {
              const card = rank + suit;
              const lies = row.includes(card);
              return html`
                <span class="slot" key=${ranks ? rank : i} style=${{ "--i": i }} data-spot=${lies ? card : undefined} data-lies=${lies}
                  data-start=${startable.has(card) || (ranks && view.game === "play-or-pay" && i === 0)} data-latest=${card === latest}
                  data-aim=${ranks && card === aim.value}>
                  ${lies
                    ? html`<${Card} card=${card} />`
                    : ranks || view.game !== "play-or-pay"
                      ? html`<span class="ghost"><${Rank} rank=${rank} /><${Pip} suit=${suit} /></span>`
                      : i === 0
                        ? html`<span class="ghost"><${Pip} suit=${suit} /></span>`
                        : null}
                </span>`;
            })}
          </div>`;
      })}
    </div>`;
}
