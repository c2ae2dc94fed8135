// A deal that is over, frame by frame, as the scenes that the boards draw.
import { nothing, remember } from "./scene.js";

/** @typedef {import("./types.js").Told} Told */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./stage.js").Scene} Scene */

/** What a frame tells in sentences. @param {Told} told @param {number} at @returns {Event[]} */
export function sayings(told, at) {
  const frame = told.frames[at];
  const last = at === told.frames.length - 1; // which may go on to the next deal
  return frame?.events.filter(({ kind, say }) => say && kind !== "turn" && !(last && at > 0 && kind === "deal")) ?? [];
}

/** The frame with which one begins to look: the cards are in hand, or spread. @param {Told} told */
export const beginning = (told) =>
  Math.max(0, told.frames.findIndex(({ events }) => events.some(({ kind }) => kind === "dealt" || kind === "spread")));

/** What the boards draw after a frame; hands lie open whoever looks, who is only called "You". @param {Told} told @param {string} id @param {number} at @returns {Scene} */
export function sceneAt(told, id, at) {
  const frames = told.frames.slice(0, at + 1);
  const left = frames.flatMap((_, i) => sayings(told, i)).reduce(remember, nothing());
  /** @type {any} */
  const view = frames.at(-1)?.view;
  const before = /** @type {any} */ (frames.at(-2)?.view);
  const ended = at === told.frames.length - 1 && before && !view.over; // the view is that of the next deal already
  return {
    version: at,
    view: ended ? { ...view, deal: before.deal, dealer: before.dealer, playing: before.playing } : view,
    table: /** @type {any} */ ({
      id, game: told.game, players: told.players, rules: told.rules, state: "over", me: told.me ?? null, former: null, host: null,
      seats: told.names.map((name) => ({ name, kind: "bot", level: null, here: true, stand_in: false })),
      waiting: null, paused: false, watching: 0, also: [],
    }),
    ...left, fresh: false,
  };
}
