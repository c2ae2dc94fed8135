// Fear at the table: each one's chance to win, for those who wish to see it, and the turning point of a game.
// All of it follows from what everybody sees.
import { computed, effect, html, signal, useEffect, useState } from "./html.js";
import { settings } from "./keep.js";
import { shown } from "./stage.js";
import { cardLabel, percent, t } from "./text.js";

/** The chance of each seat, while it is wanted and known. @type {import("./html.js").Signal<number[] | null>} */
const exact = signal(null);
/** The same as it is told. */
export const chances = computed(() => exact.value && hundredths(exact.value));
let latest = 0;
const [HALF, SHARES, EXACT] = [0.5, 3, 1e-9];

effect(() => {
  const scene = shown.value;
  const view = settings.value.chances && scene?.view?.places ? scene.view : null;
  if (!view) exact.value = null;
  // In the midst of a move the view is between two positions.
  else if (scene?.fresh || view.over || scene?.log.at(-1)?.kind === "turn") follow(view);
});

/** @param {import("./types.js").FearView} view */
async function follow(view) {
  const mine = ++latest;
  const { atTable } = await import("./reckon.js");
  const found = await atTable(view).catch(() => null);
  if (mine === latest && settings.peek().chances) exact.value = found;
}

/** Whole hundredths that add up to all of them, as near to the chances as can be. @param {number[]} all */
export function hundredths(all) {
  const whole = all.map((part) => Math.floor(100 * part + EXACT));
  const missing = 100 - whole.reduce((sum, one) => sum + one, 0);
  const rest = all.map((part, seat) => 100 * part - (whole[seat] ?? 0));
  const first = [...all.keys()].sort((one, other) => (rest[other] ?? 0) - (rest[one] ?? 0)).slice(0, missing);
  return whole.map((one, seat) => (one + (first.includes(seat) ? 1 : 0)) / 100);
}

/** A seat's chance: a bar at its edge, and the figure. @param {{seat: number}} props */
export function Chance({ seat }) {
  const all = exact.value;
  const part = all?.[seat];
  if (!all || part === undefined) return null;
  // The bar is full at three times an equal share, or at half of all, or where the greatest is.
  const most = Math.max(Math.min(HALF, SHARES / all.filter(Boolean).length), ...all);
  return html`
    <span class="chance" aria-hidden="true">${percent(chances.value?.[seat] ?? 0)}</span>
    <span class="fate" aria-hidden="true"><i style=${{ height: `${(100 * part) / most}%` }} /></span>`;
}

/** The turning point of a game that is over, in a sentence. @param {{scene: import("./stage.js").Scene, nameOf: (seat: number) => string}} props */
export function Moment({ scene: { view, table, log }, nameOf }) {
  const [found, setFound] = useState(/** @type {import("./reckon.js").Turning | null} */ (null));
  const [reckons, setReckons] = useState(log.some(({ kind }) => kind === "turned"));
  useEffect(() => {
    let wanted = true;
    import("./reckon.js").then(({ turningPoint }) => turningPoint(view, log))
      .catch(() => null).then((found) => {
        if (!wanted) return;
        setFound(found);
        setReckons(false);
      });
    return () => void (wanted = false);
  }, [view.over, log.length]);
  if (!found) return reckons ? html`<p class="moment" />` : null;
  const { seat, card, fear, loser, before, after } = found;
  const [how, name] = [fear ? "fear" : "calm", nameOf(seat)];
  const moved = [...new Set([loser, view.winners[0]])].map((one) =>
    t("ui.odds.moment.chance", { name: nameOf(one), before: percent(before[one] ?? 0), after: percent(after[one] ?? 0) }));
  const told = name === table.seats[seat]?.name ? t(`ui.odds.moment.${how}`, { name, card: cardLabel(card) }) : t(`ui.odds.moment.${how}.you`, { card: cardLabel(card) });
  return html`<p class="moment">${told} ${t("ui.odds.moment.chances", { chances: moved.join(", ") })}</p>`;
}
