// The construction of docs/fairness.md: what follows from a secret and what the seats added to it.
import { hmac } from "../vendor/noble/hmac.js";
import { sha256 } from "../vendor/noble/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "../vendor/noble/utils.js";

/** @typedef {import("./types.js").Proof} Proof */
/** @typedef {import("./types.js").Told} Told */
/** Where each card lay: in the hands by seat, or in the places of Fear. @typedef {{hands: string[][], places: string[]}} Dealt */

const WORDS = 1n << 64n;

/** The hash that was shown beforehand. @param {string} secret */
export const commitment = (secret) => bytesToHex(sha256(hexToBytes(secret)));

/** The move of chance that follows, as the record writes it: of the same kind as the one that was made. @param {Proof} proof @param {number} players */
export function follows({ move, secret, shares }, players) {
  const source = words(secret, shares);
  const kind = move.split(" ")[0];
  if (kind === "dealer") return `dealer ${below(players, source)}`;
  const cards = mixed(source);
  if (kind === "shuffle") return `shuffle ${cards.join(" ")}`;
  const until = cards.findIndex((card) => card.startsWith("J")) + 1;
  return `draw ${below(players, source)} ${cards.slice(0, until).join(" ")}`;
}

/** What is dealt from a pack once it is cut (T5, F3); null where no cut is told. @param {Told} told @param {string} move @returns {Dealt | null} */
export function dealt({ frames, game, players }, move) {
  const cut = frames.find((frame) => frame.move.startsWith("cut "));
  if (!cut) return null;
  const { dealer, playing } = /** @type {any} */ (cut.view);
  const cards = move.split(" ").slice(1);
  const at = Number(cut.move.slice(4));
  const pack = [...cards.slice(at), ...cards.slice(0, at)];
  if (game === "fear") return { hands: [], places: pack };
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const order = seats.map((seat) => (dealer + 1 + seat) % players).filter((seat) => playing.includes(seat));
  return { hands: seats.map((seat) => pack.filter((_, i) => order[i % order.length] === seat)), places: [] };
}

/** Whether a deal as it is told is the one that follows: its dealer, or at each step all hands and all cards turned up.
 * @param {Told} told @param {string} move */
export function isTold(told, move) {
  const [kind, first, ...cards] = move.split(" ");
  const from = told.frames.findIndex((frame) => frame.move.startsWith("cut "));
  if (kind !== "shuffle") // who gets the jack deals (T2), or who was drawn (F12)
    return told.frames[from]?.view.dealer === (Number(first) + Math.max(0, cards.length - 1)) % told.players;
  const pack = dealt(told, move);
  const laid = new Set();
  return pack !== null && told.frames.slice(from).every(({ events, hands, view }, step, rest) => {
    for (const { kind, card } of events) if (kind === "laid") laid.add(card);
    const still = pack.hands.map((hand) => hand.filter((card) => !laid.has(card)));
    const ended = step === rest.length - 1; // then the hands may be put down already
    return hands.every((hand, seat) => (ended || hand.length === still[seat]?.length) && hand.every((card) => still[seat]?.includes(card)))
      && (hands.length > 0 || ended || told.game === "fear")
      && (/** @type {any} */ (view).places ?? []).every((/** @type {string | null} */ card, /** @type {number} */ place) => card === null || card === pack.places[place]);
  });
}

/** Whether what a page saw while a deal was played is in what follows. @param {Dealt | null} pack @param {Dealt | undefined} seen */
export const wasSeen = (pack, seen) =>
  !seen || (seen.hands.every((hand, seat) => hand.every((card) => pack?.hands[seat]?.includes(card)))
    && seen.places.every((card, place) => card === pack?.places[place]));

/** Numbers of 64 bits without end. @param {string} secret @param {Record<string, string>} shares @returns {Generator<bigint, never>} */
function* words(secret, shares) {
  const key = hexToBytes(secret);
  const added = Object.entries(shares)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([seat, share]) => concatBytes(Uint8Array.of(Number(seat)), hexToBytes(share)));
  for (let n = 0n; ; n += 1n) {
    const count = new Uint8Array(8);
    new DataView(count.buffer).setBigUint64(0, n);
    const block = hmac(sha256, key, concatBytes(count, ...added));
    const view = new DataView(block.buffer, block.byteOffset);
    for (let at = 0; at < block.length; at += 8) yield view.getBigUint64(at);
  }
}

/** A number below another, each as likely. @param {number} bound @param {Generator<bigint, never>} source */
function below(bound, source) {
  const many = BigInt(bound);
  for (;;) {
    const word = source.next().value;
    if (word < WORDS - (WORDS % many)) return Number(word % many);
  }
}

/** The pack as it is shuffled, top card first. @param {Generator<bigint, never>} source */
function mixed(source) {
  const cards = [..."SHDC"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, source);
    [cards[last], cards[other]] = [cards[other] ?? "", cards[last] ?? ""];
  }
  return cards;
}
