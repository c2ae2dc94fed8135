// What can be known of a game of Fear, reckoned in this browser by a worker, and what follows for those at a table.

/** @typedef {{win: number[], games: number}} Chances each one's in the order of play; `games` were simulated, or none */
/** @typedef {{chance: number[], games: number}} Length by t, the chance of just t cards more */
/** @typedef {{card: number, spread: number}} Pace seconds for a card, and for a spread of the pack */
/** @typedef {{seats: number[], chips: number[], down: number}} Position from who acts next, in the order of play */

const SURE = 1.96; // standard errors on each side of an interval of 95 %
export const PACK = 52;
export const [MOST_PLAYERS, MOST_CHIPS] = [26, 10];
const KEPT = 60; // answers

/** @typedef {{key: string, what: string, args: unknown[], wanted: number, done: (found: any) => void, fail: (error: Error) => void}} Question */

/** @type {Worker | null} */
let worker = null;
/** Those not answered yet; the worker has the first. @type {Question[]} */
let waiting = [];
/** @type {Map<string, Promise<any>>} */
const known = new Map();

/** An answer. A question that nobody wants any more is never answered, and holds up no other.
 * @param {AbortSignal | undefined} until it is wanted @param {string} what @param {unknown[]} args @returns {Promise<any>} */
function reckon(until, what, ...args) {
  const key = JSON.stringify([what, args]);
  const found = known.get(key) ?? ask(key, what, args);
  const question = waiting.find((one) => one.key === key);
  if (question) {
    question.wanted += 1;
    until?.addEventListener("abort", () => (question.wanted -= 1) || drop(question));
  }
  return found;
}

/** @param {string} key @param {string} what @param {unknown[]} args */
function ask(key, what, args) {
  const found = new Promise((done, fail) => waiting.push({ key, what, args, wanted: 0, done, fail }));
  found.catch(() => known.delete(key));
  if (known.size >= KEPT) known.delete(/** @type {string} */ (known.keys().next().value));
  known.set(key, found);
  if (waiting.length === 1) next();
  return found;
}

/** @param {Question} question */
function drop(question) {
  const at = waiting.indexOf(question);
  if (at < 0) return;
  waiting.splice(at, 1);
  known.delete(question.key);
  if (at) return;
  worker?.terminate(); // there is no other way to stop it
  worker = null;
  next();
}

function next() {
  const [question] = waiting;
  if (question) begun().postMessage({ what: question.what, args: question.args });
}

function begun() {
  if (worker) return worker;
  const mine = (worker = new Worker(new URL("../odds.js", import.meta.url)));
  worker.onmessage = ({ data: { found, failed } }) => {
    if (worker !== mine) return; // it was stopped meanwhile
    const question = waiting.shift();
    if (failed === undefined) question?.done(found);
    else question?.fail(new Error(failed));
    next();
  };
  worker.onerror = () => {
    for (const { fail } of waiting.splice(0)) fail(new Error("the worker is gone"));
    worker = null;
  };
  return worker;
}

/** @param {number[]} chips in the order of play @param {number} down cards face down @param {AbortSignal} [until] @returns {Promise<Chances>} */
export const chances = (chips, down, until) => reckon(until, "chances", chips, down);
/** @param {number[]} chips @param {number} down @param {AbortSignal} [until] @returns {Promise<Length>} */
export const lengthOf = (chips, down, until) => reckon(until, "length", chips, down);
/** With a stake of 1, 2, …: as many as end in time nine times of ten, and the first that does not.
 * @param {number} players @param {number} minutes @param {Pace} pace @param {AbortSignal} [until] @returns {Promise<(Length & {stake: number})[]>} */
export const stakes = (players, minutes, pace, until) => reckon(until, "stakes", players, minutes, pace);

/** Half the width of an interval of 95 %, where games were simulated. @param {Chances} found @param {number} place */
export function margin({ win, games }, place) {
  const p = win[place] ?? 0;
  return games ? SURE * Math.sqrt(Math.max((p * (1 - p)) / games, 1 / games ** 2)) : 0;
}

/** The least number of cards within which this part of all games is over. @param {number[]} chance @param {number} part */
export function quantile(chance, part) {
  let reached = 0;
  return Math.max(0, chance.findIndex((each) => (reached += each) >= part - 1e-9));
}

/** How many spreads of the pack so many cards come from, the present one included. @param {number} cards @param {number} down */
export const spreadsOf = (cards, down) => 1 + Math.max(0, Math.ceil((cards - down) / PACK));

/** Minutes for so many cards; a whole pack is still to be spread. @param {number} cards @param {number} down @param {Pace} pace */
export const minutesOf = (cards, down, { card, spread }) =>
  (cards * card + (spreadsOf(cards, down) - (down < PACK ? 1 : 0)) * spread) / 60;

/** The mean of a figure of the length. @param {number[]} chance @param {(cards: number) => number} figure */
export const mean = (chance, figure) => chance.reduce((sum, p, cards) => sum + p * figure(cards), 0);

/** Half the width of the interval of 95 % of such a mean, where games were simulated. @param {Length} length @param {(cards: number) => number} figure */
export function meanMargin({ chance, games }, figure) {
  const middle = mean(chance, figure);
  return games ? SURE * Math.sqrt(mean(chance, (cards) => (figure(cards) - middle) ** 2) / games) : 0;
}

/** The same of a quantile of a figure that grows with the cards. @param {Length} length @param {number} part @param {(cards: number) => number} figure */
export function quantileMargin({ chance, games }, part, figure) {
  const off = games ? SURE * Math.sqrt((part * (1 - part)) / games) : 0;
  const [low, middle, high] = [part - off, part, part + off].map((each) => figure(quantile(chance, each)));
  return Math.max((high ?? 0) - (middle ?? 0), (middle ?? 0) - (low ?? 0));
}

/** Where a game stands; null before there is a dealer, and when it is over: `position` in `study/odds.py`.
 * @param {import("./types.js").FearView} view @returns {Position | null} */
export function position(view) {
  const seat = view.phase === "name" || view.phase === "turn" ? view.actor : view.dealer;
  if (typeof seat !== "number" || view.over) return null;
  const players = view.stacks.length;
  const first = view.phase === "turn" ? seat : seat - 1;
  const seats = view.stacks.map((_, i) => (first - i + 2 * players) % players).filter((one) => view.stacks[one]);
  const down = view.places.filter((card) => card === null).length || PACK;
  return { seats, chips: seats.map((one) => view.stacks[one] ?? 0), down };
}

/** Each seat's chance to win. @param {import("./types.js").FearView} view @returns {Promise<number[]>} */
export async function atTable(view) {
  if (view.over) return view.stacks.map((_, seat) => (view.winners.includes(seat) ? 1 : 0));
  const found = position(view);
  if (!found) {
    chances(view.stacks, PACK).catch(() => {}); // with many chips that takes a while, and the first turn will ask for it
    return view.stacks.map(() => 1 / view.stacks.length); // any seat may be drawn, with the same stake
  }
  const { win } = await chances(found.chips, found.down);
  return view.stacks.map((_, seat) => win[found.seats.indexOf(seat)] ?? 0);
}

/** @typedef {{seat: number, card: string, fear: boolean, loser: number, before: number[], after: number[]}} Turning
 * the chance of each seat before and after; `loser` lost most of his by it */

const LAST = 8; // cards face down up to which also a turn that is not of the fear may decide a game

/** The turn before the last that took most from one who lost, of those that the log still holds; null where it holds none.
 * The last turn itself is left out: it nearly always takes most, and everybody saw it. What is named or cut changes no
 * chance, so after a turn it is what it is before the next.
 * @param {import("./types.js").FearView} view of a game that is over @param {import("./types.js").Event[]} log @returns {Promise<Turning | null>} */
export async function turningPoint(view, log) {
  const winner = view.winners[0] ?? 0;
  const chips = [...view.stacks];
  const won = log.findLast(({ kind, payer }) => kind === "paid" && payer === "pool");
  chips[winner] = (view.stacks[winner] ?? 0) - (won?.chips ?? 0);
  let down = view.places.filter((card) => card === null).length;
  /** @type {{event: import("./types.js").Event, ask: () => Promise<number[]>, down: number}[]} */
  const turns = [];
  for (const event of log.toReversed()) {
    if (event.kind === "spread") down = 0;
    if (event.kind === "paid" && typeof event.payer === "number") chips[event.payer] = (chips[event.payer] ?? 0) + (event.chips ?? 0);
    if (event.kind !== "turned") continue;
    down += 1;
    const now = { ...view, over: false, phase: "turn", actor: Number(event.seat), stacks: [...chips], places: Array(down).fill(null) };
    turns.unshift({ event, down, ask: () => atTable(now) });
  }
  /** @type {Turning | null} */
  let best = null;
  let most = 0;
  for (const [i, { event, down, ask }] of turns.entries()) {
    const next = turns[i + 1];
    if (!next || (!event.fear && down > LAST)) continue;
    const [before, after] = [await ask(), await next.ask()];
    const falls = before.map((part, seat) => (seat === winner ? 0 : part - (after[seat] ?? 0)));
    const fall = Math.max(...falls);
    if (fall <= most) continue;
    most = fall;
    best = { seat: Number(event.seat), card: event.card ?? "", fear: Boolean(event.fear), loser: falls.indexOf(fall), before, after };
  }
  return best;
}
