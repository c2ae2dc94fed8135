// The eight quick signs, drawn in a box of 24 × 24; whatever shows one says its word.
import { html } from "./html.js";

/** @typedef {import("./types.js").Reaction} Reaction */

const FACE = "M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0z";
const EYES = "M9 9.4v.8M15 9.4v.8";

/** What is filled, and what is drawn on it. @type {Record<Reaction, [string, string]>} */
const SIGNS = {
  clap: [
    "M11 9.2v8.3a3 3 0 0 1-3 3A4.6 4.6 0 0 1 3.4 16v-2.6L8.2 7.8a1.6 1.6 0 0 1 2.8 1.4zM13 9.2v8.3a3 3 0 0 0 3 3 4.6 4.6 0 0 0 4.6-4.5v-2.6l-4.8-5.6A1.6 1.6 0 0 0 13 9.2z",
    "M12 2.2v2.4M7.6 3l1 2M16.4 3l-1 2",
  ],
  laugh: [FACE, "M7 10q1.4-2 2.8 0M14.2 10q1.4-2 2.8 0M7.2 13h9.6a4.8 4.8 0 0 1-9.6 0z"],
  wow: [FACE, `${EYES}M10 15.6a2 2.3 0 1 0 4 0 2 2.3 0 1 0-4 0z`],
  oops: [FACE, `${EYES}M7.8 15.8q1.4-2 2.8 0t2.8 0 2.8 0`],
  think: [FACE, `${EYES}M13.6 6.6l3.2-.6M8.8 15.8l5.6-.9`],
  heart: ["M12 20.2S4.2 15.6 4.2 9.9A4.2 4.2 0 0 1 12 7.6a4.2 4.2 0 0 1 7.8 2.3c0 5.7-7.8 10.3-7.8 10.3z", ""],
  hurry: [
    "M7.8 3.5v3c0 2.2 4.2 3.7 4.2 5.5s-4.2 3.3-4.2 5.5v3h8.4v-3c0-2.2-4.2-3.7-4.2-5.5s4.2-3.3 4.2-5.5v-3z",
    "M6.2 3.5h11.6M6.2 20.5h11.6",
  ],
  well_played: ["M12 3.2l2.7 5.5 6 .8-4.4 4.3 1.1 6-5.4-2.9-5.4 2.9 1.1-6-4.4-4.3 6-.8z", ""],
};

/** @param {{what: Reaction}} props */
export const Sign = ({ what }) => html`
  <svg class="sign" data-what=${what} viewBox="0 0 24 24" aria-hidden="true">
    <path class="ground" d=${SIGNS[what]?.[0]} /><path d=${SIGNS[what]?.[1]} /></svg>`;
