// A table for one in this browser: the page's side of `worker.js`. Fetched when somebody plays without a server.
import { kept } from "./offline.js";

/** @typedef {import("./line.js").Line} Line */

/** @type {Worker | null} */
let worker = null;
/** @type {Promise<void>} */
let ready = Promise.resolve();
/** The line of each table in view. @type {Map<string, Line>} */
const lines = new Map();
/** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
const asked = new Map();
let count = 0;

/** The worker with its Python, begun on first need. */
async function start() {
  if (worker) return ready;
  const begun = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
  worker = begun;
  ready = kept().then(({ python, rules }) =>
    new Promise((resolve, reject) => {
      begun.onmessage = ({ data }) => (data.what === "ready" ? resolve() : data.id ? hear(data) : reject(new TypeError(data.message)));
      begun.onerror = () => reject(new TypeError("no worker"));
      begun.postMessage({ what: "begin", python, rules });
    }));
  ready.catch(() => {
    begun.terminate();
    worker = null;
  });
  return ready;
}

/** @param {{what: string, id: string, n?: number, text?: string, refused?: any, told?: string, message?: string}} said */
function hear({ what, id, n = 0, text, refused, told, message }) {
  const line = lines.get(id);
  if (what === "say") line?.onmessage?.({ data: text ?? "" });
  if (what === "opened" || what === "told") asked.get(n)?.resolve(told ?? refused);
  if (what === "failed") {
    asked.get(n)?.reject(new TypeError(message));
    line?.onclose?.();
  }
  if (what === "gone") line?.gone();
  asked.delete(n);
}

/** Open a table, as `api/tables` would; what the rules refuse is answered too. @param {object} wanted */
export async function open(wanted) {
  await start();
  const id = `alone-${Date.now().toString(36)}`; // in the order of their age
  const refused = await answered({ what: "open", id, wanted: JSON.stringify(wanted) });
  return refused ? { refused } : { table: id, code: "", seat: 0, token: "alone" };
}

/** What `api/replay` would say of a table of this browser. @param {string} id @param {URLSearchParams} query */
export async function replay(id, query) {
  await start();
  const { sitting, deal, ...others } = Object.fromEntries(query);
  const numbers = { ...(sitting && { sitting: Number(sitting) }), ...(deal && { deal: Number(deal) }) };
  return JSON.parse(await answered({ what: "replay", id, query: JSON.stringify({ ...others, ...numbers }) }));
}

/** The worker's answer to this question. @param {object} question @returns {Promise<any>} */
const answered = (question) =>
  new Promise((resolve, reject) => {
    const n = ++count;
    asked.set(n, { resolve, reject });
    worker?.postMessage({ ...question, n });
  });

/** @param {string} id @param {Line} line */
export async function join(id, line) {
  await start();
  lines.set(id, line);
}

/** @param {string} id @param {string} text */
export const say = (id, text) => worker?.postMessage({ what: "hear", id, text });

/** @param {string} id @param {Line} line */
export function part(id, line) {
  if (lines.get(id) !== line) return;
  lines.delete(id);
  worker?.postMessage({ what: "part", id });
}
