// What this browser adds to the shuffles (T3), which of them it was promised, and what it then saw. Kept as long as the page, and nowhere else.

/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Told} Told */
/** @typedef {import("./proof.js").Dealt} Dealt */

const KEPT = 500;
const BYTES = 32;

/** What this page adds, by the commitment of the shuffle. @type {Map<string, string>} */
const shares = new Map();
/** The commitment of the shuffle for which it was sent on this line, and the seats that then had none yet. */
let sent = "";
/** The commitment of the next shuffle, and of those that came of one since the last deal: "" and none where this page was not there. */
let next = "", used = /** @type {string[]} */ ([]);
/** The commitment of the draw for the first dealer, also where the line was lost since: by table, sitting and first deal. @type {Map<string, string>} */
const drawn = new Map();
/** What this page saw of a deal; of `promised` the last is its shuffle, the one before it the draw for its dealer.
 * @typedef {{promised: string[]} & Dealt} Seen */
/** By table, sitting and deal. @type {Map<string, Seen>} */
const seen = new Map();

/** @param {string} table @param {number} sitting @param {number} deal */
const keyOf = (table, sitting, deal) => `${table.toLowerCase()} ${sitting} ${deal}`;

/** Add to those that are kept. @template T @param {Map<string, T>} all @param {string} key @param {T} one */
function keep(all, key, one) {
  all.set(key, one);
  if (all.size > KEPT) all.delete(all.keys().next().value ?? "");
}

/** Note the deal that this page is shown, and its cards; a phone that is passed round keeps no hand.
 * @param {{table: Table, view: any}} update @param {boolean} fresh whether the line is new */
export function witness({ table, view }, fresh) {
  const now = table.next?.commitment ?? "";
  if (now && (!view || view.phase === "draw")) keep(drawn, keyOf(table.id, table.sitting || 1, 1), now);
  if (now !== next) [used, next] = [fresh || !next ? [] : [...used, next], now];
  if (!view || !["play", "turn", "name"].includes(view.phase)) return;
  const key = keyOf(table.id, table.sitting, view.spread ?? view.deal);
  const known = seen.get(key) ?? { promised: used, hands: [], places: [] };
  used = [];
  keep(seen, key, known);
  if ((table.also?.length ?? 0) > 1) return;
  if (view.hand && view.seat !== null) known.hands[view.seat] ??= view.hand;
  view.places?.forEach((/** @type {string | null} */ card, /** @type {number} */ place) => card && (known.places[place] = card));
}

/** What this page saw of a deal; undefined where it was not there. @param {string} table @param {number} sitting @param {number} deal */
export const seenOf = (table, sitting, deal) => seen.get(keyOf(table, sitting, deal));

/** What this page was promised for the draw of a deal; undefined where it was not there, or nobody drew. @param {string} table @param {Told} told */
export const drawnOf = (table, { sitting, deal }) => drawn.get(keyOf(table, sitting, deal));

/** The commitments of this page for a deal of which nothing is shown, where fewer are shown than were promised.
 * @param {string} table @param {Told} told */
export function unshown(table, told) {
  const { proofs } = told;
  const promised = seenOf(table, told.sitting, told.deal)?.promised ?? [];
  const draw = proofs.some(({ move }) => move.startsWith("draw ")) ? undefined : drawnOf(table, told);
  const all = new Set([...(draw ? [draw] : []), ...(promised.length > proofs.length ? promised : [])]);
  return [...all].filter((one) => proofs.every(({ commitment }) => commitment !== one));
}

/** Whether a shuffle was promised to this page for a deal. @param {string} commitment */
export const wasPromised = (commitment) => [...seen.values()].some(({ promised }) => promised.includes(commitment));

/** What to send for the shuffle that is promised now; null where there is nothing new to send.
 * @param {Table} table @param {boolean} fresh whether the line is new @returns {{type: "share", commitment: string, share: string} | null} */
export function toShare({ next, also }, fresh) {
  if (fresh) sent = "";
  if (!next) return null;
  const { commitment } = next;
  const share = shares.get(commitment) ?? hex(crypto.getRandomValues(new Uint8Array(BYTES)));
  keep(shares, commitment, share);
  const missing = (also ?? []).filter((seat) => !next.shares.includes(seat)).join();
  const wanted = missing && `${commitment} ${missing}`;
  if (sent === wanted) return null;
  sent = wanted;
  return wanted ? { type: "share", commitment, share } : null;
}

/** What this page added, or would have added with a seat, to a shuffle that it was promised. @param {string} commitment */
export const shareOf = (commitment) => shares.get(commitment);

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
