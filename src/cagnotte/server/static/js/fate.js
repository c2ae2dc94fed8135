// Fear at the table: each one's chance to win, for those who wish to see it, and the moment that decided a game.
// All of it follows from what everybody sees.
import { effect, html, signal, useEffect, useState } from "./html.js";
import { settings } from "./keep.js";
import { shown } from "./stage.js";
import { cardLabel, percent, t } from "./text.js";

/** The chance of each seat, while it is wanted and known. @type {import("./html.js").Signal<number[] | null>} */
export const chances = signal(null);
let latest = 0;
const [HALF, SHARES] = [0.5, 3];

effect(() => {
  const scene = shown.value;
  const view = settings.value.chances && scene?.view?.places ? scene.view : null;
  if (!view) chances.value = null;
  // In the midst of a move the view is between two positions.
  else if (scene?.fresh || view.over || scene?.log.at(-1)?.kind === "turn") follow(view);
});

/** @param {import("./types.js").FearView} view */
async function follow(view) {
  const mine = ++latest;
  const { atTable } = await import("./reckon.js");
  const found = await atTable(view).catch(() => null);
  if (mine === latest && settings.peek().chances) chances.value = found;
}

/** A seat's chance: a bar at its edge, and the figure. @param {{seat: number}} props */
export function Chance({ seat }) {
  const all = chances.value;
  const part = all?.[seat];
  if (!all || part === undefined) return null;
  // The bar is full at three times an equal share, or at half of all, or where the greatest is.
  const most = Math.max(Math.min(HALF, SHARES / all.filter(Boolean).length), ...all);
  return html`
    <span class="chance" aria-hidden="true">${percent(part)}</span>
    <span class="fate" aria-hidden="true"><i style=${{ height: `${(100 * part) / most}%` }} /></span>`;
}

/** The turn that raised the winner's chance most, in a sentence, once a game is over. @param {{scene: import("./stage.js").Scene}} props */
export function Moment({ scene: { view, table, log } }) {
  const [found, setFound] = useState(/** @type {import("./reckon.js").Decisive | null} */ (null));
  useEffect(() => {
    let wanted = true;
    import("./reckon.js").then(({ decisive }) => decisive(view, log)).then((found) => wanted && setFound(found), () => {});
    return () => void (wanted = false);
  }, [view.over, log.length]);
  if (!found) return null;
  const { seat, card, fear, before, after } = found;
  const named = (/** @type {number} */ one) => table.seats[one]?.name ?? "";
  const values = { name: named(seat), winner: named(view.winners[0]), card: cardLabel(card), before: percent(before), after: percent(after) };
  return html`<p class="moment">${t(fear ? "ui.odds.moment.fear" : "ui.odds.moment.calm", values)}</p>`;
}
