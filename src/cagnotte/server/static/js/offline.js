// Without a server: what is kept for it, and whether the server can be reached.
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

const ENGINE = `${ROOT.pathname} engine `; // as in sw.js

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
    const cache = await caches.open(ENGINE + version);
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
  for (const name of await caches.keys()) if (name.startsWith(ENGINE)) await caches.delete(name);
  await look();
}

const registered = async () => {
  await navigator.serviceWorker.register(new URL("sw.js", ROOT), { scope: ROOT.pathname });
  return navigator.serviceWorker.ready;
};

/** Have the shell kept, for one who comes again without a network. */
export const remember = () => void (possible && registered().catch(() => {}));
setTimeout(remember, LATER);

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
