// What this browser adds to the shuffles (T3), and which of them it was promised. Kept as long as the page, and nowhere else.

/** @typedef {import("./types.js").Table} Table */

const KEPT = 500;
const BYTES = 32;

/** What this page adds, by the commitment of the shuffle. @type {Map<string, string>} */
const shares = new Map();
/** The commitment of the shuffle for which it was sent on this line. */
let sent = "";

/** What to send for the shuffle that is promised now; null where there is nothing new to send.
 * @param {Table} table @param {boolean} fresh whether the line is new @returns {{type: "share", commitment: string, share: string} | null} */
export function toShare({ next, also }, fresh) {
  if (fresh) sent = "";
  if (!next) return null;
  const { commitment } = next;
  const share = shares.get(commitment) ?? hex(crypto.getRandomValues(new Uint8Array(BYTES)));
  shares.set(commitment, share);
  if (shares.size > KEPT) shares.delete(shares.keys().next().value ?? "");
  if (sent === commitment || !also?.some((seat) => !next.shares.includes(seat))) return null;
  sent = commitment;
  return { type: "share", commitment, share };
}

/** What this page added, or would have added with a seat, to a shuffle that it was promised. @param {string} commitment */
export const shareOf = (commitment) => shares.get(commitment);

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
