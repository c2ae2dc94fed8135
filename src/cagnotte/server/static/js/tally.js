// What this browser keeps of the deals that were played on it; nothing of it is sent anywhere.
import { signal } from "./html.js";
import { read, seatAt, write } from "./keep.js";
import { ask } from "./net.js";

/** @typedef {import("./types.js").Told} Told */
/**
 * A deal, or a game of Fear (deal 0), from the seat that one held: the chips won, those that the cards alone would have
 * brought (null where there is only luck), and one's place among the players where the sitting ended with it. Of a phone
 * that was passed round, a row for each sitting: `round` is who sat there, and the chips of each. `out`: one sat it out.
 * @typedef {{table: string, sitting: number, deal: number, game: import("./types.js").GameName, players: number,
 *   change: number, luck: number | null, place: number | null, at: number, out?: true, round?: [string, number][]}} Row
 */

const MOST = 3000; // rows; the oldest go first
const MISSED = 8; // deals of a sitting that are fetched when they were not seen to end
const [SOON, SPREAD] = [300, 1500]; // ms: not everybody at a table at once

/** @param {any} row */
const sound = (row) =>
  typeof row?.table === "string" && typeof row.game === "string" && ["sitting", "deal", "players", "change", "at"].every((name) => Number.isFinite(row[name])) &&
  (row.round === undefined || (Array.isArray(row.round) && row.round.every(Array.isArray)));

/** @returns {Row[]} */
const stored = () => {
  const found = read("tally");
  return Array.isArray(found) ? found.filter(sound) : [];
};

/** All that is kept, the oldest first. */
export const rows = signal(stored());

/** Keep these; where storage is full, as many of the latest as go in. @param {Row[]} wanted */
function keep(wanted) {
  let kept = wanted.slice(-MOST);
  write("tally", kept);
  while (kept.length > 1 && stored().length !== kept.length) {
    kept = kept.slice(-Math.floor(kept.length / 2));
    write("tally", kept);
  }
  rows.value = kept;
}

/** @param {{table: string, sitting: number, deal: number}} row */
const key = ({ table, sitting, deal }) => `${table} ${sitting} ${deal}`;

/** Forget everything, or a table, or one sitting of it. @param {{table: string, sitting?: number} | null} [one] */
export const forget = (one = null) =>
  keep(one ? stored().filter(({ table, sitting }) => table !== one.table || sitting !== (one.sitting ?? sitting)) : []);

/** A settled deal as it is kept. @param {string} table @param {number} me @param {Told} told @returns {Row} */
function row(table, me, told) {
  const { game, sitting, players, result, before, luck, over } = told;
  const fear = game === "fear";
  const [has, had] = [result[me] ?? 0, fear ? Number(told.rules.stake) : (before[me] ?? 0)];
  const ended = over && told.deal === told.deals.at(-1);
  const place = ended ? 1 + result.filter((chips) => chips > has).length : null;
  const found = { table, sitting, deal: fear ? 0 : told.deal, game, players, change: has - had, luck: luck?.[me] ?? null, place, at: Date.now() };
  return told.playing.includes(me) ? found : { ...found, luck: null, out: true };
}

/** A sitting round one phone: whose of its seats is whose nobody knows. @param {string} table @param {number[]} seats @param {Told} told @returns {Row} */
function round(table, seats, { game, sitting, players, names, result }) {
  const each = seats.map((seat) => /** @type {[string, number]} */ ([names[seat] ?? "", result[seat] ?? 0]));
  return { table, sitting, deal: 0, game, players, change: 0, luck: null, place: null, at: Date.now(), round: each };
}

/** What was asked for last: many updates may come while one settlement is in view. */
let asked = "";

/** Keep the deal that an update settles, and those of its sitting that were missed. @param {import("./types.js").Update} update */
export async function remember({ table: { id, me, also }, view, events }) {
  const passed = (also?.length ?? 0) > 1;
  if (me === null && !passed) return;
  if (!events.length && !stored().some(({ table }) => table === id)) return; // come back to: perhaps it was forgotten here
  const settled = JSON.stringify([id, passed || me, view?.stacks, view?.over, view && "deal" in view && view.deal]);
  if (asked === settled) return;
  asked = settled;
  await new Promise((done) => setTimeout(done, SOON + Math.random() * SPREAD));
  /** @param {string} deal @returns {Promise<Told>} */
  const told = (deal) => ask(`api/replay/${encodeURIComponent(id)}?frames=off${deal}`, undefined, seatAt(id));
  try {
    const latest = await told("");
    if (passed) {
      const now = round(id, also, latest);
      return keep([...stored().filter((other) => key(other) !== key(now)), now]);
    }
    if (me === null) return;
    const known = new Set(stored().map(key));
    const deals = latest.game === "fear" ? [] : latest.deals.filter((deal) => deal !== latest.deal);
    const missed = deals.filter((deal) => !known.has(key({ table: id, sitting: latest.sitting, deal }))).slice(-MISSED);
    const found = [];
    for (const deal of missed) found.push(row(id, me, await told(`&sitting=${latest.sitting}&deal=${deal}`)));
    found.push(row(id, me, latest));
    const now = stored(); // what another tab has kept meanwhile stays
    const new_ = found.filter((one) => !now.some((other) => key(other) === key(one)));
    if (new_.length) keep([...now, ...new_]);
  } catch {
    asked = ""; // the server is out of reach, or has let the table go: the next update tries again
  }
}
