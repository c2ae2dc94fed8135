// Small pictures of buttons, drawn in a box of 24 × 24 with the text's colour; the button says its name.
import { html } from "./html.js";

const SHAPES = {
  book: "M12 6.5C10 5 7.5 4.5 4 4.5v14c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2v-14c-3.5 0-6 .5-8 2zm0 0v14",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  done: "M5 12.5l4.5 4.5L19 7.5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM9.2 12a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0z",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  hint: "M9.5 18h5M10.5 21h3M8.8 15.2a6.3 6.3 0 1 1 6.4 0c-.5.4-.7.9-.7 1.5h-5c0-.6-.2-1.1-.7-1.5z",
  less: "M6 12h12",
  more: "M12 6v12M6 12h12",
  pause: "M9 5.5v13M15 5.5v13",
  pen: "M5 19l1-4L16.5 4.5l3 3L9 18l-4 1z",
  replay: "M4.5 5v5h5M5.2 10a7.5 7.5 0 1 1-.6 4",
  settings: "M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0zM6 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0z",
  share: "M12 15V4M8 7.5L12 3.5l4 4M6 11v9h12v-9",
  talk: "M4.5 5h15v11.5h-7.6L7.5 20v-3.5h-3z",
};

/** @param {{name: keyof typeof SHAPES}} props */
export const Icon = ({ name }) => html`
  <svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${SHAPES[name]} /></svg>`;
