// Where the person is: home, a game to be chosen, or a table.
import { batch, signal } from "./html.js";
import { holdSeat } from "./keep.js";
import { ROOT } from "./net.js";

/** @typedef {{page: "home", game: string | null} | {page: "table", id: string}} Route */

/** @returns {Route} */
function read() {
  const path = location.pathname.slice(ROOT.pathname.length);
  if (!path.startsWith("t/")) return { page: "home", game: new URLSearchParams(location.search).get("game") };
  const id = decodeURIComponent(path.slice(2).replace(/\/$/, ""));
  const secret = /^#seat=([\w-]+)$/.exec(location.hash)?.[1];
  if (secret) {
    // A private link to one's own seat: keep the secret, and out of the address.
    history.replaceState({}, "", location.pathname);
    holdSeat(id, secret, "");
  }
  return { page: "table", id };
}

export const route = signal(read());

/** @param {string} path from the program's root, such as `t/k3v9q2m8` */
export function visit(path) {
  history.pushState(history.state, "", new URL(path, ROOT)); // what is kept there goes along
  arrive();
}

function arrive() {
  batch(() => (route.value = read()));
  scrollTo(0, 0);
}

/** The address to send to a friend. @param {string} id */
export const linkTo = (id) => new URL(`t/${encodeURIComponent(id)}`, ROOT).href;

/** The table meant by a pasted link, or by a code read aloud: any case, spaces ignored. @param {string} text */
export const tableIn = (text) => (/\/t\/([^/?#\s]+)/.exec(text)?.[1] ?? text).replace(/[\s-]/g, "").toLowerCase();

addEventListener("popstate", arrive);
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.origin !== location.origin || !link.href.startsWith(ROOT.href)) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  visit(link.href.slice(ROOT.href.length));
});
