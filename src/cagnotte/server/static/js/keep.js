// What this browser remembers: settings and the seats it holds. Where storage is blocked, memory serves until the tab closes.
import { LANGUAGES } from "./early.js";
import { effect, signal } from "./html.js";

/** @typedef {import("./types.js").Lang} Lang */
/** @typedef {import("./types.js").Pace} Pace */
/**
 * The person's choices on this browser: `fourColours` of the suits, `large` indices, `marks` on the cards that fit, `warn` before a pass
 * that is fined, `confirm` before a tap that cannot be taken back, `autoPass` when nothing fits, `autoLay` of an only card, `keys` of a
 * single letter at the table, `chances` to win beside the seats of Fear, `sound`, `notify` when the page is not in view, `awake` keeps
 * the screen on, `bubbles` show what is said beside the seats, `mutedAll` shows nothing that is said.
 * @typedef {typeof SWITCHES} Switches
 * @typedef {{lang: Lang | null, name: string, pace: Pace, sort: "suit" | "rank"} & Switches} Settings
 */
/** @typedef {{seat: number, token: string}} Seat */
/** A seat held; `seats` where one phone is passed round: all that it holds.
 * `over` where its last sitting was over when one last saw it.
 * @typedef {{table: string, token: string, game: string, at: number, seats?: Seat[], over?: boolean}} Held */

const PREFIX = "cagnotte.";
const SEATS_KEPT = 200;
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

/** What was kept under a name; null for nothing, and for what was spoilt by hand. @param {string} key @returns {any} */
export function read(key) {
  try {
    return JSON.parse((storage ? storage.getItem(PREFIX + key) : memory.get(key)) ?? "null");
  } catch {
    return null;
  }
}

/** Keep something under a name. @param {string} key @param {unknown} value */
export function write(key, value) {
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

/** What is on or off, as it is for somebody new. */
const SWITCHES = {
  fourColours: false,
  large: false,
  marks: true,
  warn: true,
  confirm: false,
  autoPass: false,
  autoLay: false,
  keys: true,
  chances: false,
  sound: false,
  notify: false,
  awake: false,
  bubbles: true,
  mutedAll: false,
};

const stored = read("settings") ?? {};
const switches = /** @type {Switches} */ (
  Object.fromEntries(Object.entries(SWITCHES).map(([name, usual]) => [name, (stored[name] ?? usual) === true]))
);
export const settings = signal(/** @type {Settings} */ ({
  lang: Object.hasOwn(LANGUAGES, stored.lang) ? stored.lang : null,
  name: typeof stored.name === "string" ? stored.name.slice(0, 40) : "",
  pace: oneOf(stored.pace, PACES, "normal"),
  sort: oneOf(stored.sort, SORTS, "suit"),
  ...switches,
}));

/** @param {Partial<Settings>} changes */
export function set(changes) {
  settings.value = { ...settings.value, ...changes };
  write("settings", settings.value);
}

effect(() => {
  const { fourColours, large, marks, pace } = settings.value;
  const shown = { suits: fourColours ? "4" : "2", indices: large ? "large" : "usual", marks: marks ? "on" : "off", pace };
  Object.assign(document.documentElement.dataset, shown);
});

/** The seats held on this browser, the latest first. @type {import("./html.js").Signal<Held[]>} */
export const held = signal(
  (Array.isArray(read("seats")) ? read("seats") : []).filter(
    (/** @type {Held} */ one) => typeof one?.table === "string" && typeof one.token === "string",
  ),
);

/** @param {string} table @returns {string | null} the secret of the seat held there */
export const seatAt = (table) => heldAt(table)?.token ?? null;

/** All the seats held there, in their order. @param {string} table @returns {Seat[]} */
export const seatsAt = (table) => heldAt(table)?.seats ?? [];

/** The secrets of all seats held there, one or several. @param {string} table */
export function secretsAt(table) {
  const one = heldAt(table);
  return one ? (one.seats ?? [one]).map(({ token }) => token) : [];
}

/** @param {string} table @returns {Held | undefined} */
const heldAt = (table) => [...held.value, history.state?.held].find((one) => one?.table === table);

/** @param {string} table @param {string} token @param {string} game @param {Seat[]} [seats] where there are several */
export function holdSeat(table, token, game, seats) {
  const others = held.value.filter((one) => one.table !== table);
  const now = { table, token, game, at: Date.now(), ...(seats && { seats }) };
  held.value = [now, ...others];
  while (held.value.length > SEATS_KEPT) {
    const over = held.value.findLastIndex((one) => one.over); // else the oldest: a table of now is not let go for one of then
    held.value = held.value.toSpliced(over > 0 ? over : -1, 1);
  }
  write("seats", held.value);
  // The tab's own history outlives a reload even where storage is blocked.
  if (!lasting) history.replaceState({ ...history.state, held: now }, "");
}

/** The table to which a link brought one, whose seat one holds by that. */
export const brought = signal("");
/** The secret of a link that is tried though a seat was held: that is none any more. */
let tried = "";

/** Note in the tab's history, out of the address, the seat that a link brings. It is held once the server has proved it, and no seat
 * goes for it: where one is held already it waits. @param {string} table @param {string} token */
export function offerSeat(table, token) {
  history.replaceState({ ...history.state, offered: seatAt(table) === token ? undefined : { table, token } }, "", location.pathname);
}

/** @param {string} table @returns {string | null} */
const offeredAt = (table) => (history.state?.offered?.table === table ? history.state.offered.token : null);

/** The secret from a link that is to be said at a table: where no seat is held, or it is tried. @param {string} table */
export function saidOffer(table) {
  const token = offeredAt(table);
  return token !== null && (token === tried || !heldAt(table)) ? token : null;
}

/** Try what a link brought, since what is held there is no seat any more; whether there is such a link. @param {string} table */
export function tryOffer(table) {
  tried = offeredAt(table) ?? "";
  return Boolean(tried);
}

/** The server has said whether what a link brought is a seat. @param {string} table @param {string} token @param {boolean} proved @param {string} game */
export function settleOffer(table, token, proved, game) {
  history.replaceState({ ...history.state, offered: undefined }, "");
  if (!proved) return;
  holdSeat(table, token, game);
  brought.value = table;
}

/** Note whether the last sitting at a table is over. @param {string} table @param {boolean} over */
export function noteOver(table, over) {
  if (!held.value.some((one) => one.table === table && Boolean(one.over) !== over)) return;
  held.value = held.value.map((one) => (one.table === table ? { ...one, over } : one));
  write("seats", held.value);
}

/** Hold all the seats of one phone passed round. @param {string} table @param {Seat[]} seats @param {string} game */
export const holdSeats = (table, seats, game) => seats[0] && holdSeat(table, seats[0].token, game, seats);

/** @param {string} table */
export function dropSeat(table) {
  held.value = held.value.filter((one) => one.table !== table);
  write("seats", held.value);
  if (history.state?.held) history.replaceState({}, "");
}
