// Tables for one, without a server: the same Python rules, in a worker. `js/alone.js` talks to it.
const STORE = "entries";
const LATEST = 20; // tables kept

/** @type {any} */
let desk = null;
/** @type {IDBDatabase | null} */
let database = null;
/** The number of stored entries of each table that is open. @type {Map<string, number>} */
const stored = new Map();
/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const clocks = new Map();
let work = Promise.resolve();

const seconds = () => performance.now() / 1000;

self.onmessage = ({ data }) => {
  work = work.then(() => act(data)).catch((error) => {
    forget(data.id);
    self.postMessage({ what: "failed", id: data.id, n: data.n, message: String(error) });
  });
};

/** @param {any} asked */
async function act(asked) {
  const { what, id } = asked;
  if (what === "begin") return begin(asked);
  if (what === "open") return open(asked);
  if (what === "replay") {
    const told = desk.replay(JSON.stringify(await read(id)), asked.query);
    return self.postMessage({ what: "told", id, n: asked.n, told });
  }
  if (!stored.has(id)) {
    if (what !== "hear") return;
    await restore(id);
  }
  if (what === "hear") await answer(id, desk.hear(id, seconds(), asked.text));
  if (what === "tick") await answer(id, desk.tick(id, seconds()));
  if (what === "part") {
    await answer(id, desk.part(id, seconds()));
    forget(id);
  }
}

/** @param {{python: string, rules: string}} where */
async function begin({ python, rules }) {
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const packed = fetch(rules).then((response) => response.arrayBuffer());
  const py = await loadPyodide({
    indexURL: python,
    stdLibURL: `${python}library.zip`,
    packageBaseUrl: python,
    lockFileContents: { info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" }, packages: {} },
  });
  py.unpackArchive(await packed, "zip");
  desk = py.runPython("import random\nfrom cagnotte.alone import Desk\nDesk(random.SystemRandom())");
  database = await connect().catch(() => null);
  self.postMessage({ what: "ready" });
}

/** @param {{id: string, n: number, wanted: string}} asked */
async function open({ id, n, wanted }) {
  const { refused, entries } = JSON.parse(desk.open(id, wanted));
  if (!refused) {
    await store(id, 0, entries);
    stored.set(id, entries.length);
    await tidy();
  }
  self.postMessage({ what: "opened", id, n, refused });
}

/** Store, then say. @param {string} id @param {string} text */
async function answer(id, text) {
  const { entries, out, due } = JSON.parse(text);
  const had = stored.get(id) ?? 0;
  if (entries.length) await store(id, had, entries);
  stored.set(id, had + entries.length);
  for (const said of out) self.postMessage({ what: "say", id, text: said });
  clearTimeout(clocks.get(id));
  if (due === null) clocks.delete(id);
  else clocks.set(id, setTimeout(() => self.onmessage?.(/** @type {any} */ ({ data: { what: "tick", id } })), Math.max(0, (due - seconds()) * 1000)));
}

/** @param {string} id */
async function restore(id) {
  const entries = await read(id);
  if (entries.length) {
    desk.restore(id, JSON.stringify(entries));
    stored.set(id, entries.length);
  } else {
    self.postMessage({ what: "gone", id });
    throw new Error("no such table");
  }
}

/** What is stored is all that is left of a table. @param {string} id */
function forget(id) {
  clearTimeout(clocks.get(id));
  clocks.delete(id);
  if (database) {
    stored.delete(id);
    desk?.forget(id);
  }
}

// What lasts: each entry under its table and number, so that two tabs cannot both write the same.

/** @returns {Promise<IDBDatabase>} */
const connect = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open("cagnotte", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

/** @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T> | void} use @returns {Promise<T>} */
const within = (mode, use) =>
  new Promise((resolve, reject) => {
    const transaction = /** @type {IDBDatabase} */ (database).transaction(STORE, mode);
    const asked = use(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(/** @type {any} */ (asked)?.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });

/** @param {string} id @param {number} from @param {unknown[]} entries */
const store = async (id, from, entries) => {
  if (database) await within("readwrite", (all) => entries.forEach((entry, n) => all.add(entry, [id, from + n])));
};

/** @param {string} id @returns {Promise<unknown[]>} */
const read = async (id) => (database ? within("readonly", (all) => all.getAll(IDBKeyRange.bound([id], [id, []]))) : []);

/** The oldest tables make room; the time is in their names. */
async function tidy() {
  if (!database) return;
  const keys = /** @type {[string, number][]} */ (await within("readonly", (all) => all.getAllKeys()));
  const old = [...new Set(keys.map(([id]) => id))].sort().slice(0, -LATEST);
  if (old.length) await within("readwrite", (all) => old.forEach((id) => all.delete(IDBKeyRange.bound([id], [id, []]))));
}
