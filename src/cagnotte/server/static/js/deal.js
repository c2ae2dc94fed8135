// Before the cards are in hand: the draw for the first dealer, the shuffle, the cut.
import { Back, Card } from "./card.js";
import { html, useState } from "./html.js";
import { Name, nameOf } from "./seats.js";
import { play } from "./stage.js";
import { t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** The cards dealt face up around the table until somebody has a jack (T2). @param {{scene: Scene}} props */
export function Draw({ scene }) {
  const { drawn, table } = scene;
  const seats = table.seats.length;
  const piles = table.seats.map((_, seat) => drawn?.cards.filter((_, i) => (drawn.seat + i) % seats === seat) ?? []);
  return html`
    <section class="draw" aria-label=${t("ui.table.draw")}>
      <h2>${t("ui.table.draw")}</h2>
      <ol>
        ${piles.map((pile, seat) => html`
          <li key=${seat} data-dealer=${pile.at(-1)?.startsWith("J") ?? false}>
            <span class="who"><${Name} name=${nameOf(scene, seat)} /></span>
            <span class="pile">
              ${pile.map((card) => html`<${Card} key=${card} card=${card} named />`)}
            </span>
          </li>`)}
      </ol>
    </section>`;
}

/** The pack, whole, while it is shuffled or somebody else cuts it. */
export const Pack = () => html`
  <div class="pack" data-pack aria-hidden="true">${Array.from({ length: 6 }, (_, i) => html`<span key=${i} style=${{ "--i": i }}><${Back} /></span>`)}</div>`;

/** The cutter's choice: the pack is drawn out under a slider, and parts where he points. @param {{cuts: [number, number]}} props */
export function CutHere({ cuts: [least, most] }) {
  const [at, setAt] = useState(26);
  return html`
    <div class="cut">
      <div class="spread" style=${{ "--at": at }}>
        ${Array.from({ length: 52 }, (_, i) => html`<span key=${i} style=${{ "--i": i }} data-under=${i >= at}><${Back} /></span>`)}
        <input type="range" min=${least} max=${most} value=${at} aria-label=${t("ui.table.cut.where")}
          aria-valuetext=${t("ui.table.cut.at", { at, rest: 52 - at })}
          onInput=${(/** @type {any} */ event) => setAt(event.currentTarget.valueAsNumber)} />
      </div>
      <p aria-hidden="true">${t("ui.table.cut.at", { at, rest: 52 - at })}<span class="muted small">${t("ui.table.cut.how")}</span></p>
      <button class="btn primary" onClick=${() => play(`cut ${at}`)}>${t("ui.table.cut.do")}</button>
    </div>`;
}
