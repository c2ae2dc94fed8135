// What the boards draw. Updates wait in a queue and their events are shown one after another, at the chosen pace; the view
// grows by each event, and after the last it is the one that was sent. Only then may the player act.
import { batch, computed, effect, signal, untracked } from "./html.js";
import { settings } from "./keep.js";
import { announce } from "./live.js";
import { look, move } from "./motion.js";
import { act, pending, update } from "./net.js";
import { nothing, ofDeal, remember } from "./scene.js";
import { hear } from "./sound.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").Update} Update */
/** @typedef {import("./types.js").Table} Table */
/**
 * What is to be seen: `view` may lack some events yet; `fresh` when it comes without events;
 * `turning` is the place of a card that is being turned: log, counts and prompt tell of it once it is up.
 * @typedef {import("./scene.js").Left & {version: number, view: any, table: Table, fresh: boolean, turning?: number}} Scene
 */

const STEP = { slow: 450, normal: 280, quick: 120, once: 0 };
/** How many steps an event lasts. @type {Record<string, number>} */
const LASTS = {
  drew: 0.7, first_dealer: 3, shuffled: 3, pack_cut: 2, dealt: 4, laid: 1.3, passed: 1, declined: 1, paid: 1.6, exposed: 2,
  shown: 1, deal_won: 3, won: 3, spread: 3, named: 2, out: 1.5, gathered: 3,
};
const LINGERS = 2.5; // steps that the fear is looked at, once it is up
const PATIENCE = 3; // updates that may wait before the showing hurries
const DRAWN_ONE_BY_ONE = 16;

/** @type {import("./html.js").Signal<Scene | null>} */
export const shown = signal(null);
/** The same as it is drawn. */
export const drawn = computed(() => shown.value && ofDeal(shown.value));
/** Whether everything that was sent is shown. */
export const settled = signal(true);

/** @type {Update[]} */
let waiting = [];
let hurry = false;
let running = false;
let run = 0; // which showing is under way; an older one stops
let wake = () => {};

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How long a step lasts, in ms. @param {Table} table */
function pace(table) {
  if (hurry || still.matches || document.hidden) return 0;
  const [own, all] = [STEP[settings.value.pace] ?? STEP.normal, STEP[table.pace] ?? STEP.normal];
  const step = table.screens ? all : Math.min(own, all); // phones keep step with a screen that all look at
  return waiting.length > PATIENCE ? step / 3 : step;
}

/** Show the latest at once. */
export function skip() {
  hurry = true;
  wake();
}

/** Play a move if what the player sees is what is. @param {string} move */
export const play = (move) =>
  settled.peek() && update.peek()?.version === shown.peek()?.version && !pending.peek() && act(move);

effect(() => {
  const latest = update.value;
  untracked(() => take(latest));
});

/** @param {Update | null} latest */
function take(latest) {
  if (!latest || latest.log || latest.table.id !== shown.peek()?.table.id) return jump(latest);
  waiting.push(latest);
  if (latest.events.length) settled.value = false;
  if (!running) show();
}

/** Draw an update as it is, without its events: after (re)connecting, and at another table. @param {Update | null} latest */
function jump(latest) {
  run += 1;
  waiting = [];
  running = hurry = false;
  wake();
  const log = latest?.log ?? [];
  batch(() => {
    settled.value = true;
    shown.value = latest && log.reduce(remember, { ...blank(latest), view: latest.view, fresh: true });
  });
}

/** @param {Update} latest @returns {Scene} */
const blank = ({ version, view, table }) => ({ version, view, table, ...nothing(), fresh: false });

async function show() {
  const mine = ++run;
  running = true;
  while (waiting.length) {
    const latest = /** @type {Update} */ (waiting.shift());
    const parts = steps(latest.events);
    const former = shown.peek();
    const before = former?.view?.over && !latest.view?.over ? null : former; // another sitting begins with an empty log
    // While events are shown nobody may act; the seats and the clock are those of now.
    settled.value = parts.length === 0;
    let scene = /** @type {Scene} */ ({ ...(before ?? blank(latest)), version: latest.version, table: latest.table, fresh: false });
    if (!scene.view) scene.view = latest.view && { ...latest.view };
    if (scene.view) scene.view = { ...scene.view, moves: [], cuts: undefined };
    for (const [i, part] of parts.entries()) {
      const earlier = scene;
      scene = part.reduce(remember, { ...scene, view: scene.view && part.reduce(advance, scene.view) });
      const last = i === parts.length - 1;
      const step = pace(latest.table);
      const ms = step * length(part, former?.view ?? latest.view);
      const seen = ms ? look(part, latest.table.me) : null;
      const lingers = step * LINGERS;
      const turned = part.find(({ kind }) => kind === "turned");
      const rises = seen && turned ? ms - (turned.fear ? lingers : 0) : 0;
      if (seen && turned) {
        settled.value = false;
        shown.value = { ...earlier, view: advance(earlier.view, turned), turning: Number(turned.place) };
        move(part, seen, ms, lingers);
        await rest(rises);
        if (mine !== run) return;
      }
      if (last) finish(scene, latest);
      else shown.value = scene;
      for (const event of part) {
        tell(event, scene.log);
        hear(event, latest.table.me);
      }
      if (!seen) continue;
      if (!turned) move(part, seen, ms, lingers);
      if (!hurry) await rest(ms - rises);
      if (mine !== run) return;
    }
    if (parts.length === 0) finish(scene, latest);
  }
  running = hurry = false;
}

/** Say what happened. That a deal begins is said with its shuffle: until then the accounts of the last are in view.
 * @param {Event} event @param {Event[]} log */
function tell({ kind, say, more }, log) {
  const begins = kind === "shuffled" && log.findLast((one) => one.kind === "deal");
  if (begins) announce(begins.say);
  if (say && !more && kind !== "deal") announce(say);
}

/** The view that was sent; the player may act on it if nothing newer waits. @param {Scene} scene @param {Update} latest */
function finish(scene, latest) {
  batch(() => {
    shown.value = { ...scene, view: latest.view };
    settled.value = waiting.length === 0;
  });
}

/** Wait, or be woken. @param {number} ms @returns {Promise<void>} */
const rest = (ms) =>
  new Promise((done) => {
    const at = setTimeout(done, ms);
    wake = () => {
      clearTimeout(at);
      done();
    };
  });

/** How many steps a part lasts, in sight of what lay there before. @param {Event[]} part @param {any} view */
function length(part, view) {
  return Math.max(...part.map(({ kind, fear }) => (kind === "turned" ? suspense(view) + (fear ? LINGERS : 0) : (LASTS[kind] ?? 0))));
}

/** The turn of a card: the slower the fewer are left, whichever card it is. @param {any} view */
function suspense({ places }) {
  const left = places.filter((/** @type {string | null} */ card) => card === null).length / places.length;
  return 1 + 1.8 * (1 - left) ** 2;
}

/**
 * The events in the parts that are shown at one time: payments of one clause together, the draw card by card.
 * @param {Event[]} events
 */
function steps(events) {
  /** @type {Event[][]} */
  const parts = [];
  for (const event of events) {
    const part = parts.at(-1);
    if (event.kind === "drew") {
      const cards = /** @type {string[]} */ (event.cards);
      const from = Math.max(1, cards.length - DRAWN_ONE_BY_ONE);
      for (let n = from; n <= cards.length; n++) parts.push([{ ...event, cards: cards.slice(0, n), more: n < cards.length }]);
    } else if (part && event.kind === "paid" && part[0].kind === "paid" && part[0].clause === event.clause) part.push(event);
    else if (part && event.kind === "turn") part.push(event);
    else parts.push([event]);
  }
  return parts;
}

/**
 * The view after an event: bookkeeping only, for as long as the events of an update are being shown.
 * @param {any} view @param {Event} event @returns {any}
 */
function advance(view, event) {
  const { kind, seat, card } = event;
  /** @param {any[]} list @param {any} at @param {(one: any) => any} change */
  const at = (list, at, change) => list?.map((one, i) => (i === at ? change(one) : one));
  switch (kind) {
    case "turn":
      return { ...view, actor: event.actor, phase: event.phase };
    case "first_dealer":
    case "gathered":
      return { ...view, dealer: seat };
    case "deal":
      return { ...view, deal: event.number, dealer: event.dealer, playing: event.playing };
    case "shuffled":
      return { ...view, hand: [], laid: { S: [], H: [], D: [], C: [] }, counts: view.counts?.map(() => 0), starts: [], shown: [], places: [], fear: null };
    case "paid": {
      const { payer, payee, chips = 0 } = event;
      const stacks = at(at(view.stacks, payer, (n) => n - chips), payee, (n) => n + chips);
      const pool = view.pool + (payee === "pool" ? chips : 0) - (payer === "pool" ? chips : 0);
      return { ...view, stacks, pool };
    }
    case "pack_cut":
      return { ...view, actor: null };
    case "dealt":
      return { ...view, counts: event.counts, hand: /** @type {any} */ (event.hands)[view.seat] ?? [] };
    case "laid": {
      const suit = card?.[1] ?? "";
      return {
        ...view,
        laid: { ...view.laid, [suit]: [...view.laid[suit], card] },
        counts: at(view.counts, seat, (n) => n - 1),
        hand: view.hand.filter((/** @type {string} */ held) => held !== card),
      };
    }
    case "shown":
      return { ...view, shown: event.hands };
    case "spread":
      return { ...view, places: Array(52).fill(null), spread: event.number };
    case "named":
      return { ...view, fear: card };
    case "turned":
      return { ...view, places: at(view.places, event.place, () => card) };
    case "over":
      return { ...view, winners: event.winners };
  }
  return view;
}
