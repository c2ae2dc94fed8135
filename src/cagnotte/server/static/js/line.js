// Lines to tables in this browser, and what they answer in place of a server.
import { possible } from "./offline.js";

const later = () => import("./alone.js");

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
