// Fear: 52 places, the fear beside them, and the choice of a new one.
import { Back, Card, Pip, RANKS, SUITS } from "./card.js";
import { html, signal, useRef } from "./html.js";
import { dare, risk } from "./prompt.js";
import { play } from "./stage.js";
import { steer } from "./steer.js";
import { cardName, suitName, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

const wide = matchMedia("(min-width: 740px) and (min-height: 521px)");
/** Whether all suits to be named have room beside each other. */
const roomy = signal(wide.matches);
wide.addEventListener("change", () => (roomy.value = wide.matches));

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

/** The suit whose ranks are shown where there is no room for all. */
const suitShown = signal("");

/** The cards that may be named, by suit and rank: those that are still face down. They lie over the spread, which stays as it is.
 * @param {{moves: string[]}} props */
export function Naming({ moves }) {
  const down = (/** @type {string} */ suit) => RANKS.filter((rank) => moves.includes(`fear ${rank}${suit}`));
  const open = SUITS.filter((suit) => down(suit).length);
  const suit = open.includes(suitShown.value) ? suitShown.value : (open[0] ?? "");
  const shown = roomy.value ? open : [suit];
  const first = risk.value ?? `fear ${down(shown[0] ?? "")[0]}${shown[0]}`;
  return html`
    <div class="naming" role="group" aria-label=${t("ui.fear.name")} onKeyDown=${(/** @type {KeyboardEvent} */ event) => steer(event, ".named")}>
      ${roomy.value ? null : html`
        <div class="suits">
          ${SUITS.map((one) => html`
            <button class="suit" key=${one} disabled=${!open.includes(one)} aria-pressed=${one === suit} aria-label=${suitName(one)}
              onClick=${() => (suitShown.value = one)}><${Sign} suit=${one} /></button>`)}
        </div>`}
      ${shown.map((suit) => html`
        <div class="ranks" key=${suit} role="group" aria-label=${suitName(suit)}>
          ${roomy.value ? html`<span class="suit"><${Sign} suit=${suit} /></span>` : null}
          ${RANKS.map((rank) => {
            const move = `fear ${rank}${suit}`;
            return moves.includes(move)
              ? html`<button class="named" key=${rank} tabindex=${move === first ? 0 : -1} aria-label=${cardName(rank + suit)} data-chosen=${move === risk.value}
                  onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && dare(move)}><${Card} card=${rank + suit} mini /></button>`
              : html`<span class="gone" key=${rank}></span>`;
          })}
        </div>`)}
    </div>`;
}

/** A suit in its colour. @param {{suit: string}} props */
const Sign = ({ suit }) => html`<span class="card face" data-suit=${suit} aria-hidden="true"><${Pip} suit=${suit} /></span>`;
