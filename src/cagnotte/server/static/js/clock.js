// The clock of a wait: how long whoever is waited for still has, for all to see; the last seconds in figures.
import { effect, html, signal, untracked } from "./html.js";
import { announce } from "./live.js";
import { update } from "./net.js";
import { settled } from "./stage.js";
import { num, t } from "./text.js";

const LAST = 10; // seconds

/** Who is waited for, until when by this browser's clock, and how long in all, in ms.
 * @type {import("./html.js").Signal<{seats: number[], end: number, of: number} | null>} */
const wait = signal(null);
/** The seconds left, once they are few. */
const left = signal(/** @type {number | null} */ (null));
/** The seconds until what follows a settlement begins by itself; null where it waits for somebody. */
export const nextIn = signal(/** @type {number | null} */ (null));
/** From when anybody may end a pause, by the clock of this browser (ms), and whether that has come. */
export const freeAt = signal(0);
export const free = signal(false);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let freed;
let said = ""; // the wait whose end was announced

effect(() => {
  const latest = update.value;
  const waiting = latest?.table.waiting;
  // The clock of a person; that of a bot is no news.
  const person = waiting?.for.some((seat) => latest?.table.seats[seat]?.kind === "person");
  clearTimeout(next);
  left.value = nextIn.value = null;
  if (!waiting || waiting.until === null || !person || latest?.table.paused) return void (wait.value = null);
  wait.value = { seats: waiting.for, end: performance.now() + waiting.until, of: waiting.of ?? waiting.until };
  const [me, version] = [latest?.table.me ?? null, `${latest?.table.id} ${latest?.version}`];
  if (waiting.what !== "go") untracked(() => tick(me, version));
  if (waiting.what === "go") untracked(count);
});
effect(() => {
  const rest = update.value?.table.rest;
  clearTimeout(freed);
  free.value = rest?.free === 0;
  if (!rest?.free) return;
  freeAt.value = Date.now() + rest.free;
  freed = setTimeout(() => (free.value = true), rest.free);
});

/** Count the seconds of a pause between two deals. */
function count() {
  const ms = Math.max(0, (wait.peek()?.end ?? 0) - performance.now());
  nextIn.value = Math.ceil(ms / 1000);
  if (ms > 0) next = setTimeout(count, ms - 1000 * (nextIn.value - 1));
}

/** @param {number | null} me @param {string} version */
function tick(me, version) {
  const now = wait.peek();
  if (!now) return;
  const ms = now.end - performance.now();
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds === LAST && said !== version && me !== null && now.seats.includes(me)) {
    said = version;
    announce(t("ui.clock.last", { n: LAST }));
  }
  left.value = seconds <= LAST ? seconds : null;
  if (seconds > 0) next = setTimeout(() => tick(me, version), seconds > LAST ? ms - 1000 * LAST : ms - 1000 * (seconds - 1));
}

/** @param {number[]} seats whose wait it may be */
function shortening(seats) {
  const now = wait.value;
  // It is of the turn that comes once all is shown.
  if (!now || !settled.value || !now.seats.some((seat) => seats.includes(seat))) return null;
  const gone = now.of - (now.end - performance.now());
  return { key: now.end, style: { "--of": `${now.of}ms`, "--gone": `${-gone}ms` } };
}

/** A bar that shortens at the seat that is waited for. @param {{seat: number}} props */
export function Clock({ seat }) {
  const bar = shortening([seat]);
  return bar && html`
    <span class="clock" aria-hidden="true"><i ...${bar}></i>${left.value === null ? null : html`<b>${num(left.value)}</b>`}</span>`;
}

/** The same along the line that a shared screen says it in, large. */
export function Remaining() {
  const bar = shortening(wait.value?.seats ?? []);
  return bar && html`
    <span class="remaining" aria-hidden="true"><i ...${bar}></i>${left.value === null ? null : html`<b>${num(left.value)}</b>`}</span>`;
}

/** The same below what one is asked to do. @param {{me: number | null}} props */
export function Until({ me }) {
  const bar = me === null ? null : shortening([me]);
  return bar && html`<i class="until" data-last=${left.value !== null} ...${bar}></i>`;
}
