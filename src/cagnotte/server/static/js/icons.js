// Small pictures of buttons, drawn in a box of 24 × 24 with the text's colour; the button says its name.
import { html } from "./html.js";

const SHAPES = {
  first: "M6 5.5v13M18.5 6l-7 6 7 6",
  last: "M18 5.5v13M5.5 6l7 6-7 6",
  prev: "M15 6l-6.5 6 6.5 6",
  on: "M9 6l6.5 6L9 18",
  back: "M9.5 6L4 11.5 9.5 17M4.5 11.5H15a5 5 0 0 1 0 10h-2",
  book: "M12 6.5C10 5 7.5 4.5 4 4.5v14c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2v-14c-3.5 0-6 .5-8 2zm0 0v14",
  cards: "M4.5 8.5l7-2 3.5 12-7 2zM13 5l6.5 1.5-3 12.5-1.6-.4",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  crown: "M4 18h16M4.5 15L3.5 7l5 3.5L12 5l3.5 5.5 5-3.5-1 8z",
  done: "M5 12.5l4.5 4.5L19 7.5",
  enter: "M13 4h6v16h-6M4 12h10M10.5 8L14.5 12l-4 4",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM9.2 12a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0z",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  home: "M4 11.5l8-7 8 7M6.5 9.5V19h11V9.5",
  hint: "M9.5 18h5M10.5 21h3M8.8 15.2a6.3 6.3 0 1 1 6.4 0c-.5.4-.7.9-.7 1.5h-5c0-.6-.2-1.1-.7-1.5z",
  leave: "M11 4H5v16h6M10 12h10M16.5 8l4 4-4 4",
  less: "M6 12h12",
  more: "M12 6v12M6 12h12",
  pause: "M9 5.5v13M15 5.5v13",
  pen: "M5 19l1-4L16.5 4.5l3 3L9 18l-4 1z",
  people: "M5.5 8.5a3 3 0 1 0 6 0 3 3 0 1 0-6 0zM2.5 19c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5M15 5.8a3 3 0 0 1 0 5.4M17 13.8c2.7.6 4.5 2.4 4.5 5.2",
  phone: "M7.5 3h9v18h-9zM11 18h2",
  play: "M8 5.5v13L18.5 12z",
  plot: "M4 4v16h16M7.5 15l4-5 3 3 5-7",
  replay: "M4.5 5v5h5M5.2 10a7.5 7.5 0 1 1-.6 4",
  robot: "M6 9h12v10H6zM12 9V5.5M10 4.5h4M9.5 13.2v.6M14.5 13.2v.6M9.5 16.5h5M3.5 12.5v3M20.5 12.5v3",
  screen: "M3.5 5h17v11.5h-17zM8 20h8M12 16.5V20",
  settings: "M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0zM6 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0z",
  share: "M12 15V4M8 7.5L12 3.5l4 4M6 11v9h12v-9",
  talk: "M4.5 5h15v11.5h-7.6L7.5 20v-3.5h-3z",
};

/** @param {{name: keyof typeof SHAPES}} props */
export const Icon = ({ name }) => html`
  <svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${SHAPES[name]} /></svg>`;
