// Who sits at the table: names, chips, cards left, what each did last, and whose turn it is.
import { Card } from "./card.js";
import { Clock } from "./clock.js";
import { Chance, chances } from "./fate.js";
import { html, useLayoutEffect, useRef } from "./html.js";
import { cardName, num, parted, percent, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

const LONG = 1000; // chips of which the figure is long
const ARC = 22; // px that the seats at either end of a wide table are nearer to the player

/** How a seat is called here: its name, or "You" where the screen is one person's. @param {Scene} scene @param {number} seat */
export const nameOf = ({ table }, seat) =>
  seat === table.me && !(table.also?.length > 1) ? t("ui.table.you") : (table.seats[seat]?.name ?? "");

/** A name where there may be no room for the whole of it: what is cut is not its number. @param {{name: string}} props */
export function Name({ name }) {
  const [start, end] = parted(name);
  return html`<b class="cut-name" dir="auto" title=${name}><span>${start}</span>${end ? html`<span>${end}</span>` : null}</b>`;
}

/** @param {{n: number}} props */
export const Chips = ({ n }) => html`<span class="chips" data-long=${Math.abs(n) >= LONG}><i class="chip"></i>${num(n)}</span>`;

/** Whether a seat takes no part for now, and why. @param {Scene} scene @param {number} seat */
function absence({ view, table }, seat) {
  if (view?.places && view.stacks[seat] === 0) return "out";
  if (view?.playing && view.deal > 0 && !view.playing.includes(seat) && !view.over) return "sits_out";
  if (table.seats[seat]?.stand_in) return table.seats[seat]?.here && table.seats[seat]?.kind === "person" ? "idle" : "stand_in";
  if (table.seats[seat]?.kind === "person" && !table.seats[seat]?.here) return "away";
  return null;
}

/** @param {{scene: Scene, seat: number, arc?: number}} props */
export function Seat({ scene, seat, arc = 0 }) {
  const { view, table, last } = scene;
  const name = nameOf(scene, seat);
  const absent = absence(scene, seat);
  const turn = view?.actor === seat && !view.over;
  const playing = view?.counts && ["play", "bonus", "open"].includes(view.phase);
  const count = playing ? view.counts[seat] : null;
  const did = playing ? last[seat] : undefined;
  const words = [
    name,
    view?.dealer === seat && t("ui.table.dealer"),
    t("ui.table.chips", { n: view?.stacks[seat] ?? 0 }),
    count !== null && t("ui.table.cards", { n: count }),
    chances.value && t("ui.odds.of", { part: percent(chances.value[seat] ?? 0) }),
    did && (did.kind === "laid" ? t("ui.table.laid", { card: cardName(did.card ?? "") }) : t("ui.table.passed")),
    absent && t(`ui.table.${absent}`),
    turn && t("ui.table.to_act"),
  ];
  return html`
    <li class="seat" data-seat=${seat} data-turn=${turn} data-me=${seat === table.me} data-absent=${absent}
      style=${arc ? { "--arc": `${arc}px` } : undefined}>
      <span class="sr">${words.filter(Boolean).join(", ")}</span>
      <span class="who" aria-hidden="true">
        <${Name} name=${name} />
        ${view?.dealer === seat ? html`<i class="dealer" title=${t("ui.table.dealer")}>${t("ui.table.dealer.mark")}</i>` : null}
      </span>
      <span class="has" aria-hidden="true">
        <${Chips} n=${view?.stacks[seat] ?? 0} />
        ${count !== null ? html`<span class="left"><i class="tiny back"></i>${num(count)}</span>` : null}
        ${view?.stacks[seat] ? html`<${Chance} seat=${seat} />` : null}
      </span>
      ${absent
        ? html`<span class="why" aria-hidden="true">${t(`ui.table.${absent}.short`)}</span>`
        : null}
      <${Clock} seat=${seat} />
      ${did
        ? html`<span class="did" aria-hidden="true">${did.kind === "laid"
            ? html`<${Card} card=${did.card} mini />`
            : html`<span class="word">${t("ui.table.passed.short")}</span>`}</span>`
        : null}
    </li>`;
}

/** All seats but one's own, clockwise from one's left. @param {{scene: Scene}} props */
export function Ring({ scene }) {
  const { table } = scene;
  const n = table.seats.length;
  const from = table.me ?? n - 1;
  const others = Array.from({ length: table.me === null ? n : n - 1 }, (_, i) => (from + 1 + i) % n);
  const crowd = others.length <= 5 ? "few" : others.length <= 12 ? "some" : "many";
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const actor = scene.view?.actor;
  useLayoutEffect(() => {
    // A row too long for the screen follows the turn.
    const one = /** @type {HTMLElement | null} */ (box.current?.querySelector(`[data-seat="${actor}"]`));
    if (one && box.current) box.current.scrollLeft = one.offsetLeft - (box.current.clientWidth - one.offsetWidth) / 2;
  }, [actor]);
  /** @param {number} i */
  const arc = (i) => (others.length > 1 ? ARC * (2 * (i / (others.length - 1)) - 1) ** 2 : 0);
  return html`
    <ol class="ring" ref=${box} data-crowd=${crowd} aria-label=${t("ui.table.players")} tabindex=${crowd === "few" ? undefined : 0}>
      ${others.map((seat, i) => html`<${Seat} key=${seat} scene=${scene} seat=${seat} arc=${arc(i)} />`)}
    </ol>`;
}
