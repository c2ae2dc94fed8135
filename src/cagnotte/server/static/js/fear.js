// Fear: 52 places, the fear beside them, and the choice of a new one.
import { Back, Card, RANKS, SUITS } from "./card.js";
import { html, useRef } from "./html.js";
import { dare, risk } from "./prompt.js";
import { play } from "./stage.js";
import { steer } from "./steer.js";
import { cardName, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** The fear, large, and how many cards are still face down. @param {{scene: Scene}} props */
export function FearCard({ scene: { view, turning } }) {
  const down = view.places.filter((/** @type {string | null} */ card, /** @type {number} */ at) => card === null || at === turning).length;
  return html`
    <div class="fear" data-fear>
      <span class="which">${view.fear && down ? html`<${Card} key=${view.fear} card=${view.fear} named />` : html`<span class="nothing">?</span>`}</span>
      <p>
        <b>${t("ui.fear.fear")}</b>
        ${down ? html`<span>${view.fear ? cardName(view.fear) : t("ui.fear.none")}</span>` : null}
        <span class="muted">${t("ui.fear.down", { n: down })}</span>
        <span class="muted">${t("ui.fear.in", { n: view.stacks.filter((/** @type {number} */ n) => n > 0).length })}</span>
        <span class="muted">${t("ui.fear.chips", { n: view.stacks.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0) })}</span>
      </p>
    </div>`;
}

/** The places. A card face down is a back and a position, whatever it is. @param {{scene: Scene, mine: boolean}} props */
export function Places({ scene: { view, log }, mine }) {
  const at = useRef(0);
  const latest = log.findLast((event) => event.kind === "turned" || event.kind === "spread");
  const last = view.places.filter((/** @type {string | null} */ card) => card === null).length === 1;
  if (last) at.current = view.places.indexOf(null); // the only one that can still be turned over
  return html`
    <div class="spread-out" role="group" aria-label=${t("ui.fear.spread")} data-mine=${mine}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => steer(event, ".place")}>
      ${view.places.map((/** @type {string | null} */ card, /** @type {number} */ place) => html`
        <button class="place" key=${place} data-place=${place} data-up=${card !== null} data-latest=${latest?.kind === "turned" && latest.place === place}
          aria-disabled=${!mine || card !== null} tabindex=${place === at.current ? 0 : -1}
          aria-label=${card ? cardName(card) : t("ui.fear.place", { n: place + 1 })}
          onFocus=${() => (at.current = place)}
          onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && mine && card === null && play(`turn ${place}`)}>
          ${card ? html`<${Card} card=${card} />` : html`<${Back} />`}
        </button>`)}
    </div>`;
}

/** The cards that may be named, by suit and rank: those that are still face down. @param {{moves: string[]}} props */
export function Naming({ moves }) {
  const first = moves[0];
  return html`
    <div class="naming" role="group" aria-label=${t("ui.fear.name")} onKeyDown=${(/** @type {KeyboardEvent} */ event) => steer(event, ".named")}>
      ${SUITS.flatMap((suit) => RANKS.map((rank) => {
        const move = `fear ${rank}${suit}`;
        return moves.includes(move)
          ? html`<button class="named" key=${move} tabindex=${move === (risk.value ?? first) ? 0 : -1} aria-label=${cardName(rank + suit)} data-chosen=${move === risk.value}
              onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && dare(move)}><${Card} card=${rank + suit} /></button>`
          : html`<span class="gone" key=${move}></span>`;
      }))}
    </div>`;
}
