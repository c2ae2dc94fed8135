// Small pictures of buttons, drawn in a box of 24 × 24 with the text's colour; the button says its name.
import { html } from "./html.js";

const SHAPES = {
  book: "M12 6.5C10 5 7.5 4.5 4 4.5v14c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2v-14c-3.5 0-6 .5-8 2zm0 0v14",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  done: "M5 12.5l4.5 4.5L19 7.5",
  less: "M6 12h12",
  more: "M12 6v12M6 12h12",
  pen: "M5 19l1-4L16.5 4.5l3 3L9 18l-4 1z",
  settings: "M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0zM6 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0z",
  share: "M12 15V4M8 7.5L12 3.5l4 4M6 11v9h12v-9",
};

/** @param {{name: keyof typeof SHAPES}} props */
export const Icon = ({ name }) => html`
  <svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${SHAPES[name]} /></svg>`;
