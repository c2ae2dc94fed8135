// Without a server: what is kept for it, whether the server can be reached, and lines to tables in this browser.
import { ROOT } from "./early.js";
import { signal } from "./html.js";

const [LATER, LOOK] = [10_000, 10_000]; // ms: until we keep the shell, between looks whether the server is back

/** Whether this browser can do anything without a server: on an unsafe line (http to another machine) it cannot. */
export const possible = "serviceWorker" in navigator && "caches" in window && typeof WebAssembly === "object";

/** Whether the server answered the last time it was asked. */
export const reachable = signal(true);

/** The Python for playing alone: whether it is kept, and how much of it has come.
 * @type {import("./html.js").Signal<{state: "unknown" | "none" | "coming" | "kept" | "failed", share: number, bytes: number}>} */
export const engine = signal({ state: "unknown", share: 0, bytes: 0 });

/** @typedef {{version: string, shell: string[], python: string, rules: string, engine: string[], bytes: number}} List */

/** What there is to keep. @returns {Promise<List>} */
const list = async () => {
  const answer = await fetch(new URL("api/offline", ROOT));
  if (!answer.ok) throw new TypeError(`${answer.status}`);
  return answer.json();
};

/** Where the Python and the rules are. */
export async function kept() {
  const { python, rules } = await list();
  return { python: new URL(python, ROOT).href, rules: new URL(rules, ROOT).href };
}

/** @param {string} path */
const address = (path) => new URL(path, ROOT).href;

/** Look what is kept. */
export async function look() {
  if (!possible) return;
  const found = await list().catch(() => null);
  if (!found || engine.value.state === "coming") return;
  const all = await Promise.all(found.engine.map((path) => caches.match(address(path))));
  engine.value = { state: all.every(Boolean) ? "kept" : "none", share: 0, bytes: found.bytes };
}

/** Fetch what is needed to play alone, to stay on this device. */
export async function keep() {
  const { bytes } = engine.value;
  engine.value = { state: "coming", share: 0, bytes };
  try {
    await registered();
    const { version, engine: paths } = await list();
    const cache = await caches.open(`engine ${version}`);
    for (const [n, path] of paths.entries()) {
      await cache.add(address(path));
      engine.value = { state: "coming", share: (n + 1) / paths.length, bytes };
    }
    void navigator.storage?.persist?.();
    engine.value = { state: "kept", share: 1, bytes };
  } catch {
    engine.value = { state: "failed", share: 0, bytes };
  }
}

/** Have the space back. */
export async function drop() {
  for (const name of await caches.keys()) if (name.startsWith("engine ")) await caches.delete(name);
  await look();
}

const registered = async () => {
  await navigator.serviceWorker.register(new URL("sw.js", ROOT), { scope: ROOT.pathname });
  return navigator.serviceWorker.ready;
};

if (possible) setTimeout(() => void registered().catch(() => {}), LATER);

/** Remember whether the server itself gave this answer. @param {Response | null} answer */
export function served(answer) {
  reachable.value = answer !== null && !answer.headers.has("X-Kept");
}

setInterval(() => {
  if (reachable.value) return;
  fetch(new URL("healthz", ROOT), { cache: "no-store" }).then(() => (reachable.value = true), () => {});
}, LOOK);

/** Tables in this browser, by the look of their names. @param {string | null | undefined} table */
export const isAlone = (table) => Boolean(table?.startsWith("alone-"));

/** A line to a table in this browser, used as a socket is. */
export class Line {
  /** @type {(() => void) | null} */
  onopen = null;
  /** @type {((event: {data: string}) => void) | null} */
  onmessage = null;
  /** @type {(() => void) | null} */
  onclose = null;
  readyState = 0;
  /** @type {typeof import("./alone.js") | null} */
  #alone = null;

  /** @param {string} table */
  constructor(table) {
    this.table = table;
    void this.#open();
  }

  async #open() {
    try {
      const alone = await later();
      await alone.join(this.table, this);
      this.#alone = alone;
      if (this.readyState === 3) return this.close();
      this.readyState = 1;
      this.onopen?.();
    } catch {
      this.onclose?.();
    }
  }

  /** @param {string} text */
  send(text) {
    this.#alone?.say(this.table, text);
  }

  close() {
    this.readyState = 3;
    this.#alone?.part(this.table, this);
  }

  /** Nothing is stored of this table. */
  gone() {
    this.onmessage?.({ data: JSON.stringify({ type: "bye", code: "gone", message: "" }) });
  }
}

const later = () => import("./alone.js");

/** Open a table in this browser; null where it cannot be. @param {any} wanted as for `api/tables` */
export async function openAlone(wanted) {
  if (!possible || wanted.seats?.slice(1).some((/** @type {string} */ seat) => seat === "open" || seat === "person")) return null;
  const alone = await later();
  return alone.open(wanted).catch(() => null);
}

/** What `api/replay` or `api/record` would say of a table in this browser; null for any other path. @param {string} path */
export async function replayAlone(path) {
  const [, what, id, query] = /^api\/(replay|record)\/(alone-[^/?]+)\??(.*)$/.exec(path) ?? [];
  return id ? (await later()).replay(id, new URLSearchParams(`${query}&what=${what}`)) : null;
}
