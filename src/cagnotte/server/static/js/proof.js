// The construction of docs/fairness.md: what follows from a secret and what the seats added to it.
import { hmac } from "../vendor/noble/hmac.js";
import { sha256 } from "../vendor/noble/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "../vendor/noble/utils.js";

/** @typedef {import("./types.js").Proof} Proof */

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
