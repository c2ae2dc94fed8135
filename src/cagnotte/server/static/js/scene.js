// A scene: what the boards draw of one moment; what an event leaves in it, and the deal of which it is.

/** @typedef {import("./types.js").Event} Event */
/** @typedef {{seat: number, cards: string[]}} Drawn */
/** What the events so far have left: the `log` ends with the last one shown, `last` is what each seat last did in this deal,
 * `drawn` the cards turned for the first dealer so far.
 * @typedef {{log: Event[], last: Record<number, Event>, drawn: Drawn | null}} Left */

const KEPT = 500; // events of the log
/** What a seat did, to be seen beside its name. */
const DEEDS = ["laid", "passed", "declined", "turned"];
const FINES = ["T11", "T12"];
/** Nothing has happened yet. @returns {Left} */
export const nothing = () => ({ log: [], last: {}, drawn: null });

/** What an event leaves behind it in the log and at the seats. @template {Left} T @param {T} scene @param {Event} event @returns {T} */
export function remember(scene, event) {
  const { kind, seat } = event;
  let { log, last, drawn } = scene;
  if (!event.more) log = [...log, event].slice(-KEPT);
  if (kind === "drew") drawn = { seat: Number(seat), cards: /** @type {string[]} */ (event.cards) };
  if (kind === "shuffled" || kind === "gathered") last = {};
  if (kind === "shuffled") drawn = null;
  if (typeof seat === "number" && DEEDS.includes(kind)) last = { ...last, [seat]: event };
  return { ...scene, log, last, drawn };
}

/** What a seat paid for its last move, where that was a pass that was fined on the spot (T10). @param {Event[]} log @param {number} seat */
export function finedFor(log, seat) {
  const at = log.findLastIndex((event) => event.seat === seat && DEEDS.includes(event.kind));
  if (log[at]?.kind !== "passed") return [];
  const after = log.slice(at + 1);
  const end = after.findIndex(({ kind }) => kind === "turn");
  const paid = after.slice(0, end < 0 ? undefined : end).filter(({ kind, payer, chips }) => kind === "paid" && payer === seat && chips);
  return paid.some(({ clause }) => FINES.includes(clause ?? "")) ? paid : [];
}

/** Whether the accounts of a deal are in view, or a spread that is over: until the next shuffle. @param {any} view */
export const settles = (view) =>
  view?.phase === "shuffle" && Boolean(view.places?.length || view.shown?.some((/** @type {string[]} */ cards) => cards.length));

/** While a deal that is over is in view, dealer, number and log are of that deal: what was sent speaks of the next one already.
 * @template {Left & {view: any}} T @param {T} scene @returns {T} */
export function ofDeal(scene) {
  const { view, log } = scene;
  if (!settles(view)) return scene;
  if (view.places) {
    const dealer = log.filter(({ kind }) => kind === "first_dealer" || kind === "gathered").at(-2)?.seat ?? view.dealer;
    return { ...scene, view: { ...view, dealer } };
  }
  const [now, next] = log.filter(({ kind }) => kind === "deal").slice(-2);
  if (!now || !next) return scene;
  const { number: deal, dealer, playing } = now;
  return { ...scene, view: { ...view, deal, dealer, playing }, log: log.filter((event) => event !== next) };
}
