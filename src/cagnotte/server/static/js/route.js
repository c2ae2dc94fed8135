// Where the person is: home, a game to be chosen, or a table.
import { batch, signal } from "./html.js";
import { offerSeat } from "./keep.js";
import { ROOT } from "./net.js";

/** @typedef {{page: "home", game: string | null} | {page: "join", code: string} | {page: "mine"} | {page: "odds"} |
 *   {page: "table", id: string} | {page: "screen", id: string} |
 *   {page: "replay", id: string, sitting: number | null, deal: number | null}} Route */

/** @returns {Route} */
function read() {
  const asked = new URLSearchParams(location.search);
  const path = location.pathname.slice(ROOT.pathname.length).replace(/\/$/, "");
  const [, id, part] = /^t\/([^/]+)(?:\/(replay|screen))?$/.exec(path)?.map(decoded) ?? [];
  if (path === "mine" || path === "odds") return { page: path };
  if (path === "join") return { page: "join", code: asked.get("code") ?? "" };
  if (!id) return { page: "home", game: asked.get("game") };
  if (part === "screen") return { page: "screen", id };
  if (part === "replay") return { page: "replay", id, sitting: nth(asked.get("sitting")), deal: nth(asked.get("deal")) };
  const secret = /^#seat=([\w-]+)$/.exec(location.hash)?.[1];
  if (secret) offerSeat(id, secret); // a private link to one's own seat
  return { page: "table", id };
}

/** @param {string | null} text */
const nth = (text) => (text && /^\d{1,4}$/.test(text) ? Number(text) : null);

/** A part of an address as it was meant; as it stands where it means nothing. @param {string | undefined} text */
function decoded(text) {
  try {
    return decodeURIComponent(text ?? "");
  } catch {
    return text;
  }
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

/** The address of a path below the program's root, for a link. @param {string} [path] */
export const at = (path = "") => ROOT.pathname + path;

/** Whether the address of this page means nothing on another machine. */
const HERE = /^(.*\.)?localhost$|^127\.|^\[::1\]$/.test(location.hostname);
/** The program's root as others reach it: that of this page, or what the server says where it means nothing elsewhere. */
let outside = ROOT;

/** @param {string | null} [network] where the server is reached on the network of this machine, if it is */
export function reachedAt(network) {
  if (HERE && network) outside = new URL(network);
}

/** Whether a link works on this machine only. */
export const onlyHere = () => HERE && outside === ROOT;

/** The address for another device, of a path below the program's root. @param {string} path */
export const outward = (path) => new URL(path, outside).href;

/** The address to send to a friend. @param {string} id */
export const linkTo = (id) => outward(`t/${encodeURIComponent(id)}`);

// The page names its files from where it was opened; the names hold when the address moves on.
for (const link of document.querySelectorAll("link:not([rel=stylesheet], [rel=modulepreload])"))
  if (link instanceof HTMLLinkElement) link.setAttribute("href", link.href);
for (const script of document.scripts) script.setAttribute("src", script.src);

addEventListener("popstate", arrive);
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin || !link.href.startsWith(ROOT.href)) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  visit(link.href.slice(ROOT.href.length));
});
