// The wire: requests to the server, and one socket for the table in view.
import { ROOT, early } from "./early.js";
import { effect, signal } from "./html.js";
import { dropSeat, holdSeat, saidOffer, seatAt, secretsAt, settleOffer, tryOffer } from "./keep.js";
import { Line, openAlone, replayAlone } from "./line.js";
import { isAlone, served } from "./offline.js";
import { toShare, witness } from "./shares.js";
import { called } from "./text.js";

/** @typedef {import("./types.js").Update} Update */
/** @typedef {import("./types.js").FromServer} FromServer */
/** @typedef {import("./types.js").ToServer} ToServer */
/** @typedef {"idle" | "connecting" | "live" | "lost" | "ended"} Status */

export { ROOT };
/** The version of this client, as its address names it. */
const VERSION = new URL("../", import.meta.url).pathname.split("/").at(-2) ?? "";

const [FIRST_WAIT, LONGEST_WAIT] = [300, 5000];
const SOON = 20; // tries before each waits twice as long: a server that is started again and again is there in between
const QUIET = 15_000; // ms without a word before we ask whether anybody is there
const PATIENCE = 3_000; // ms that an answer may take
const WAKING = 60_000; // ms that the Python of this browser may take to begin
const SAID_KEPT = 200;

/** The latest update of the table in view. */
export const update = signal(/** @type {Update | null} */ (null));
export const status = signal(/** @type {Status} */ ("idle"));
export const refusal = signal(/** @type {{id: string | null, clause: string | null, message: string} | null} */ (null));
/** The move on its way; there is never more than one. */
export const pending = signal(/** @type {{id: string, move: string, seen: number} | null} */ (null));
/** Why the table will send nothing more. */
export const bye = signal(/** @type {{code: "closed" | "gone", message: string} | null} */ (null));

/** What was said at the table, in order. */
export const chat = signal(/** @type {import("./types.js").Said[]} */ ([]));
/** The hint that was asked for, as long as it concerns what is shown. */
export const hint = signal(/** @type {{move: string | null, say: string, version: number} | null} */ (null));
/** A table that was opened for us beside this one. */
export const opened = signal(/** @type {string | null} */ (null));

/** What the server answers, or an error with its one sentence. */
export class Answer extends Error {
  /** @param {number} status @param {string} message @param {string | null} clause @param {boolean} [gone] there is no such table */
  constructor(status, message, clause, gone = false) {
    super(message);
    this.status = status;
    this.gone = gone;
    this.clause = clause;
  }
}

/** @param {string} path @param {any} [body] posted as JSON where given @param {string | null} [token] of a seat that may see it @returns {Promise<any>} */
export async function ask(path, body, token = null) {
  const get = token === null ? {} : { headers: { Authorization: `Bearer ${token}` } };
  const told = await replayAlone(path);
  if (told) return own(told);
  const post = { method: "POST", headers: { ...get.headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const begun = body === undefined ? early.get(path) : undefined;
  early.delete(path);
  const response = await (begun ?? fetch(new URL(path, ROOT), body === undefined ? get : post).catch(() => null));
  served(response);
  if (!response || response.status === 502 || response.status === 504) { // nobody, or a proxy that finds nobody
    const made = path === "api/tables" ? await openAlone(body) : null;
    if (made) return own(made);
    throw new TypeError("no server");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Answer(response.status, answer?.message ?? `${response.status}`, answer?.clause ?? null, answer?.code === "gone");
  return answer;
}

/** What a table in this browser answers. @param {any} answer */
function own(answer) {
  if (answer.refused) throw new Answer(404, answer.refused.message, answer.refused.clause);
  return answer;
}

/** @type {string | null} */
let table = null;
let seated = true;
/** @type {WebSocket | Line | null} */
let socket = null;
let tries = 0;
let heard = 0;
let lang = /** @type {import("./types.js").Lang} */ ("en");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let nextTry;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let deadline;

/** Open the table's socket and keep it open until `disconnect`; a screen shared by all looks on without a seat.
 * @param {string} id @param {typeof lang} tongue @param {boolean} [looking] */
export function connect(id, tongue, looking = false) {
  disconnect();
  table = id;
  seated = !looking;
  lang = tongue;
  tries = 0;
  status.value = "connecting";
  open();
}

export function disconnect() {
  table = null;
  hangUp();
  update.value = refusal.value = pending.value = bye.value = hint.value = opened.value = null;
  chat.value = [];
  status.value = "idle";
}

/** Try at once instead of waiting. */
export function retry() {
  if (table === null || status.value === "ended") return;
  if (status.value === "live") probe();
  else open();
}

function hangUp() {
  clearTimeout(nextTry);
  clearTimeout(deadline);
  if (!socket) return;
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
  socket = null;
}

function open() {
  hangUp();
  const address = new URL(`ws/${encodeURIComponent(table ?? "")}`, ROOT);
  address.protocol = address.protocol.replace("http", "ws");
  socket = isAlone(table) ? new Line(table ?? "") : new WebSocket(address);
  socket.onopen = hello;
  socket.onmessage = (/** @type {{data: string}} */ { data }) => hear(JSON.parse(data));
  socket.onclose = lose;
  deadline = setTimeout(lose, isAlone(table) ? WAKING : 3 * PATIENCE);
}

function hello() {
  const offer = table && seated ? saidOffer(table) : null;
  const all = offer ? [offer] : table && seated ? secretsAt(table) : [];
  const whose = all.length > 1 ? { token: null, also: all } : { token: all[0] ?? null }; // a phone passed round shows no hand at first
  post({ type: "hello", ...whose, lang, ...(!seated && { screen: true }) });
}

function lose() {
  hangUp();
  if (table === null || status.value === "ended") return;
  if (tries > 0 || update.value) status.value = "lost";
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, tries - SOON)) * (0.75 + Math.random() / 2);
  tries += 1;
  nextTry = setTimeout(open, wait);
}

/** @param {FromServer} message */
function hear(message) {
  heard = Date.now();
  clearTimeout(deadline);
  switch (message.type) {
    case "update": {
      const fresh = status.value !== "live";
      if (fresh) {
        tries = 0;
        status.value = "live";
        // Let go before the game began; of a sitting that one left, the secret still brings the seat back.
        const { me, also, state, former } = message.table;
        const none = seated && me === null && !also?.length;
        const offer = table && seated ? saidOffer(table) : null;
        if (table && offer) settleOffer(table, offer, me !== null || former !== null, message.table.game);
        else if (table && none && former === null && tryOffer(table)) {
          status.value = "connecting";
          return open();
        }
        if (table && none && state === "lobby" && seatAt(table)) dropSeat(table);
      }
      if (hint.value && hint.value.version !== message.version) hint.value = null;
      for (const one of [...message.table.seats, ...(message.chat ?? [])]) one.name = called(one.name);
      if (message.chat?.length) chat.value = joined(chat.value, message.chat);
      update.value = message;
      witness(message, fresh);
      const share = toShare(message.table, fresh);
      if (share) post(share);
      if (fresh && pending.value) postMove(); // the same id: played once, however often it arrives
      break;
    }
    case "hint":
      hint.value = message;
      break;
    case "opened":
      holdSeat(message.table, message.token, update.value?.table.game ?? "");
      opened.value = message.table;
      break;
    case "seated":
      if (table) holdSeat(table, message.token, update.value?.table.game ?? "");
      break;
    case "done":
      if (pending.value?.id === message.id) pending.value = null;
      break;
    case "refused":
      if (pending.value?.id === message.id) pending.value = null;
      refusal.value = { id: message.id, clause: message.clause, message: message.message };
      break;
    case "bye":
      if (message.code === "gone" && table) dropSeat(table);
      pending.value = null;
      status.value = "ended";
      bye.value = { code: message.code, message: message.message };
      hangUp();
      break;
  }
}

/** Each line once, however often it comes. @param {import("./types.js").Said[]} known @param {typeof known} come */
function joined(known, come) {
  const first = come[0]?.n ?? 0;
  return [...known.filter((line) => line.n < first), ...come].slice(-SAID_KEPT);
}

/** @param {ToServer} message */
function post(message) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

function postMove() {
  if (pending.value) post({ type: "act", ...pending.value });
}

/** Send a message that is worth nothing later; false when the line is down. @param {ToServer} message */
export const send = (message) => status.value === "live" && post(message);

/**
 * Play a move, as its text. It stays `pending` until the server has answered, over any number of reconnections;
 * while one is on its way another is not taken. @param {string} move
 */
export function act(move) {
  if (pending.value || !update.value || status.value === "ended") return false;
  refusal.value = null;
  pending.value = { id: newId(), move, seen: update.value.version };
  postMove();
  return true;
}

/** Call with the version that is served, whenever there is a line again and it is another than that of this page.
 * @param {(version: string) => void} then */
export const whenNewer = (then) =>
  effect(() => {
    if (status.value !== "live") return;
    ask("api/games").then(({ version }) => version !== VERSION && then(version), () => {});
  });

/** Go on to the next deal. */
export const go = () => update.value !== null && send({ type: "go", seen: update.value.version });
export const again = () => send({ type: "again" });

/** @param {typeof lang} tongue */
export function speak(tongue) {
  if (tongue === lang) return;
  lang = tongue;
  send({ type: "lang", value: tongue });
  if (hint.value) send({ type: "hint" }); // its reason comes as a sentence
}

// `crypto.randomUUID` needs a secure context, which a phone on the home network has not.
const newId = () => [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join("");

/** Ask whether the server is there; the line is lost if nothing comes back. */
function probe() {
  if (!post({ type: "ping" })) return lose();
  clearTimeout(deadline);
  deadline = setTimeout(lose, PATIENCE);
}

setInterval(() => status.value === "live" && Date.now() - heard > QUIET && probe(), 5_000);
document.addEventListener("visibilitychange", () => document.hidden || retry());
window.addEventListener("online", retry);
window.addEventListener("pageshow", (event) => event.persisted && retry());

