// What this browser remembers: settings and the seats it holds. Where storage is blocked, memory serves until the tab closes.
import { effect, signal } from "./html.js";

/** @typedef {import("./types.js").Lang} Lang */
/** @typedef {import("./types.js").Pace} Pace */
/** @typedef {{lang: Lang | null, name: string, pace: Pace, fourColours: boolean, marks: boolean, sort: "suit" | "rank", warn: boolean}} Settings */
/** @typedef {{table: string, token: string, game: string, at: number}} Held */

const PREFIX = "cagnotte.";
const SEATS_KEPT = 20;
/** @type {Map<string, string>} */
const memory = new Map();

/** @type {Storage | null} */
const storage = (() => {
  try {
    const found = window.localStorage;
    found.setItem(PREFIX + "try", "1");
    found.removeItem(PREFIX + "try");
    return found;
  } catch {
    return null; // blocked, or full
  }
})();

/** Whether what is kept outlives the tab. */
export const lasting = storage !== null;

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse((storage ? storage.getItem(PREFIX + key) : memory.get(key)) ?? "null");
  } catch {
    return null; // not ours, or edited by hand
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  const text = JSON.stringify(value);
  try {
    storage?.setItem(PREFIX + key, text);
  } catch {
    // full: what matters is kept in memory all the same
  }
  memory.set(key, text);
}

/** @param {unknown} value @param {readonly string[]} choices @param {string} otherwise @returns {any} */
const oneOf = (value, choices, otherwise) => (choices.includes(/** @type {string} */ (value)) ? value : otherwise);

export const PACES = /** @type {const} */ (["slow", "normal", "quick", "once"]);
export const SORTS = /** @type {const} */ (["suit", "rank"]);

const stored = read("settings") ?? {};
/** The person's choices on this browser. */
export const settings = signal(/** @type {Settings} */ ({
  lang: stored.lang === "en" || stored.lang === "fr" ? stored.lang : null,
  name: typeof stored.name === "string" ? stored.name.slice(0, 40) : "",
  pace: oneOf(stored.pace, PACES, "normal"),
  fourColours: stored.fourColours === true,
  marks: stored.marks !== false,
  sort: oneOf(stored.sort, SORTS, "suit"),
  warn: stored.warn !== false,
}));

/** @param {Partial<Settings>} changes */
export function set(changes) {
  settings.value = { ...settings.value, ...changes };
  write("settings", settings.value);
}

effect(() => {
  const { fourColours, marks, pace } = settings.value;
  Object.assign(document.documentElement.dataset, { suits: fourColours ? "4" : "2", marks: marks ? "on" : "off", pace });
});

/** The seats held on this browser, the latest first. @type {import("./html.js").Signal<Held[]>} */
export const held = signal(
  (Array.isArray(read("seats")) ? read("seats") : []).filter(
    (/** @type {Held} */ one) => typeof one?.table === "string" && typeof one.token === "string",
  ),
);

/** @param {string} table @returns {string | null} the secret of the seat held there */
export const seatAt = (table) =>
  held.value.find((one) => one.table === table)?.token ?? history.state?.seats?.[table] ?? null;

/** @param {string} table @param {string} token @param {string} game */
export function holdSeat(table, token, game) {
  const others = held.value.filter((one) => one.table !== table);
  held.value = [{ table, token, game, at: Date.now() }, ...others].slice(0, SEATS_KEPT);
  write("seats", held.value);
  // The tab's own history outlives a reload even where storage is blocked.
  if (!lasting) history.replaceState({ ...history.state, seats: { [table]: token } }, "");
}

/** @param {string} table */
export function dropSeat(table) {
  held.value = held.value.filter((one) => one.table !== table);
  write("seats", held.value);
  if (history.state?.seats) history.replaceState({}, "");
}
