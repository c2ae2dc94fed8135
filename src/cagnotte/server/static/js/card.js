// Cards: our own indices, pips and backs, drawn as SVG; court pictures from cards/ (see LICENCE.md there).
import { html, useState } from "./html.js";
import { cardName, rankLabel } from "./text.js";

export const RANKS = [..."A23456789TJQK"];
/** As they are shown everywhere: black beside red. */
export const SUITS = [..."SHCD"];
/** The place of a card when suit follows suit. @param {string} card */
export const bySuit = (card) => SUITS.indexOf(card[1] ?? "") * 13 + RANKS.indexOf(card[0] ?? "");

/** Suits in a box of 100 × 100. @type {Record<string, string>} */
export const PIPS = {
  S: "M50 3c8 22 44 39 44 63 0 14-10 23-22 23-7 0-13-3-17-8 1 7 5 12 12 16H33c7-4 11-9 12-16-4 5-10 8-17 8C16 89 6 80 6 66 6 42 42 25 50 3z",
  H: "M50 96C42 75 5 57 5 30 5 15 15 5 28 5c10 0 18 6 22 16C54 11 62 5 72 5c13 0 23 10 23 25 0 27-37 45-45 66z",
  D: "M50 2c9 18 23 35 39 48-16 13-30 30-39 48C41 80 27 63 11 50 27 37 41 20 50 2z",
  C: "M50 4a21 21 0 0 1 19 30 21 21 0 1 1-7 41c-3-1-5-2-7-4 0 13 4 20 13 26H32c9-6 13-13 13-26-2 2-4 3-7 4a21 21 0 1 1-7-41A21 21 0 0 1 50 4z",
};
/** Ranks as strokes in a box of 60 × 100 (84 wide for ten), V D R for the French. @type {Record<string, string>} */
const STROKES = {
  A: "M6 94 30 6l24 88M15 65h30",
  2: "M8 29C8 14 17 7 30 7s22 8 22 21C52 46 8 66 8 93h45",
  3: "M9 21C13 12 20 7 30 7c13 0 21 7 21 20 0 12-9 19-24 19 16 0 26 9 26 24s-10 23-23 23c-11 0-19-5-23-15",
  4: "M42 93V7L6 67h49",
  5: "M49 7H14l-3 38c5-5 11-7 18-7 14 0 24 11 24 27 0 17-10 28-25 28-10 0-17-5-21-13",
  6: "M49 15C45 10 39 7 32 7 15 7 7 27 7 54c0 25 8 39 23 39 14 0 23-10 23-25S44 43 31 43C18 43 8 53 8 66",
  7: "M7 7h46C36 34 27 60 25 93",
  8: "M30 47c-12 0-19-8-19-20S18 7 30 7s19 8 19 20-7 20-19 20c-14 0-23 9-23 23s9 23 23 23 23-9 23-23-9-23-23-23z",
  9: "M11 85c4 5 10 8 17 8 17 0 25-20 25-47C53 21 45 7 30 7 16 7 7 17 7 32s9 25 22 25c13 0 23-10 23-23",
  T: "M5 20 17 8v85M57 7c-14 0-20 16-20 43s6 43 20 43 20-16 20-43S71 7 57 7z",
  J: "M20 7h31M41 7v60c0 17-7 26-18 26S6 86 5 74",
  Q: "M30 7C14 7 7 24 7 50s7 43 23 43 23-17 23-43S46 7 30 7zm4 62 20 28",
  K: "M10 7v86M52 7 11 59m14-17 29 51",
  V: "m5 7 25 86L55 7",
  D: "M10 7v86h13c20 0 30-16 30-43S43 7 23 7z",
  R: "M10 93V7h19c15 0 23 8 23 23s-8 22-23 22H10m20 0 24 41",
};

const [L, M, R] = [36, 50, 64]; // clear of the indices, which reach to 24 and begin at 76
/** Where the pips of a rank stand, as [x, y] in 100 × 140; those below the middle stand on their heads.
 * @type {Record<string, [number, number][]>} */
const SPOTS = {
  A: [[M, 70]],
  2: [[M, 24], [M, 116]],
  3: [[M, 24], [M, 70], [M, 116]],
  4: [[L, 24], [R, 24], [L, 116], [R, 116]],
  5: [[L, 24], [R, 24], [M, 70], [L, 116], [R, 116]],
  6: [[L, 24], [R, 24], [L, 70], [R, 70], [L, 116], [R, 116]],
  7: [[L, 24], [R, 24], [M, 47], [L, 70], [R, 70], [L, 116], [R, 116]],
  8: [[L, 24], [R, 24], [M, 47], [L, 70], [R, 70], [M, 93], [L, 116], [R, 116]],
  9: [[L, 24], [R, 24], [L, 55], [R, 55], [M, 70], [L, 85], [R, 85], [L, 116], [R, 116]],
  T: [[L, 24], [R, 24], [M, 39], [L, 55], [R, 55], [L, 85], [R, 85], [M, 101], [L, 116], [R, 116]],
};

const COURTS = new URL("../cards/", import.meta.url);

/** A suit as a picture; its colour is the text's. @param {{suit: string}} props */
export const Pip = ({ suit }) =>
  html`<svg class="pip" viewBox="0 0 100 100" aria-hidden="true"><path d=${PIPS[suit]} /></svg>`;

/** A rank as a picture: J Q K, or as the language has it; where there is little room it is narrower, not cut. @param {{rank: string}} props */
export function Rank({ rank }) {
  const letter = rank === "T" ? rank : rankLabel(rank);
  return html`<svg class="rank" viewBox=${rank === "T" ? "-1 0 86 100" : "-4 0 68 100"} preserveAspectRatio="none" aria-hidden="true">
    ${STROKES[letter]
      ? html`<path d=${STROKES[letter]} />`
      : html`<text x="3" y="93" textLength="54" lengthAdjust="spacingAndGlyphs">${letter}</text>`}
  </svg>`;
}

/** @param {{card: string}} props */
const Index = ({ card }) => html`<span class="index"><${Rank} rank=${card[0]} /><${Pip} suit=${card[1]} /></span>`;

/** The pips of a number card, the picture of a court card; without the picture its rank, large.
 * @param {{card: string}} props */
function Picture({ card: [rank, suit] }) {
  const [missing, setMissing] = useState(false);
  if (SPOTS[rank])
    return html`<svg class="spots" viewBox="0 0 100 140" aria-hidden="true">
      ${SPOTS[rank].map(([x, y]) => {
        const size = rank === "A" ? 0.46 : 0.18;
        const turned = y > 70 ? -size : size;
        return html`<path d=${PIPS[suit]} transform=${`translate(${x} ${y}) scale(${size} ${turned}) translate(-50 -50)`} />`;
      })}
    </svg>`;
  return html`<span class="court">
    ${missing
      ? html`<${Rank} rank=${rank} />`
      : html`<img src=${new URL(`${suit}${rank}.svg`, COURTS).href} alt="" draggable=${false} decoding="async"
          onError=${() => setMissing(true)} />`}
  </span>`;
}

/** A card face up. It fills the width it is given; `mini` shows its index only. Without `named` it is mute: the button
 * around it then says its name.
 * @param {{card: string, mini?: boolean, named?: boolean, class?: string}} props */
export const Card = ({ card, mini, named, class: more = "" }) =>
  html`<span class=${`card face ${mini ? "mini" : ""} ${more}`} data-suit=${card[1]}
    role=${named ? "img" : undefined} aria-label=${named ? cardName(card) : undefined} aria-hidden=${named ? undefined : "true"}>
    <${Index} card=${card} />
    ${mini ? null : html`<span class="big"><${Pip} suit=${card[1]} /></span><${Picture} card=${card} /><${Index} card=${card} />`}
  </span>`;

/** A card face down: nothing here depends on which card it is.
 * @param {{class?: string}} props */
export const Back = ({ class: more = "" }) => html`<span class=${`card back ${more}`} aria-hidden="true"></span>`;

/** Cards in a row, shown small. @param {{cards: string[]}} props */
export const Small = ({ cards }) =>
  html`<span class="smalls">${cards.toSorted((a, b) => bySuit(a) - bySuit(b)).map((card) => html`<span key=${card} role="img" aria-label=${cardName(card)}><${Card} card=${card} mini /></span>`)}</span>`;
