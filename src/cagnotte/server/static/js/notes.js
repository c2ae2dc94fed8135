// What is said above the page and moves nothing in it: about the line, a refusal, and how things stand where one comes in.
import { aside } from "./dialog.js";
import { open as menu } from "./host.js";
import { effect, html, signal, untracked, useLayoutEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { brought, read as kept, seatAt, write } from "./keep.js";
import { seatFor, sit } from "./lobby.js";
import { pending, refusal, retry, status, update, whenNewer } from "./net.js";
import { at, route } from "./route.js";
import { shown } from "./stage.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {"removed" | "host" | "idle" | "stood"} New */

const NOTE_STAYS = 10_000; // ms
const outdated = signal(false);
/** The table whose news one has read. */
const read = signal("");
/** What is new about one's own part at the table, by what it is. @type {import("./html.js").Signal<New[]>} */
const news = signal([]);
/** Where notes may be: on the page, at the table, in each dialog; they are at the last of these, where one looks. @type {import("./html.js").Signal<{rank: number}[]>} */
const spots = signal([]);

/** How things stood before: whose table it was, and whether a bot was playing for one who was there. */
let before = { id: "", me: /** @type {number | null} */ (null), host: /** @type {number | null} */ (null), idle: false };
/** Whether a stand-in did it, for each turn of one's seat in the present deal, as far as this page was told. @type {boolean[]} */
let turns = [];
/** How many of them one has seen, also before this page was loaded; and of which deal, table and seat. @type {{at: string, turns: number}} */
let seen = { at: "", turns: 0, ...kept("stood") };
/** How many turns a stand-in played for one who was not there to see it. */
const missed = signal(0);
/** What makes a turn of the one who did it. */
const TURNS = ["laid", "passed", "declined", "turned", "named", "pack_cut"];
effect(() => {
  const latest = update.value;
  untracked(() => {
    notice(latest?.table, miss(latest));
  });
});
effect(() => {
  const refused = refusal.value;
  if (refused) setTimeout(() => refusal.value === refused && (refusal.value = null), NOTE_STAYS);
});

// Who plays on, or has found the menu, has read that he is host now.
effect(() => {
  if (menu.value || pending.value) untracked(() => drop("host"));
  if (pending.value) untracked(() => drop("stood"));
});

/** The turns of a seat in the deal after these events. @param {Event[]} events @param {number} me @param {boolean[]} from @returns {boolean[]} */
const turnsOf = (events, me, from) =>
  events.reduce((all, { kind, seat, stand_in }) =>
    kind === "shuffled" ? [] : seat === me && TURNS.includes(kind) ? [...all, Boolean(stand_in)] : all, from);

/** The number of the deal, or of the spread, that is in the log. @param {any} view */
const nth = (view) => (view?.counts ? view.deal - Number(view.phase === "shuffle") : view ? view.spread + Number(view.phase === "cut") : 0);

/** Count what a stand-in played for whoever comes back, since his last own turn and what he has seen; whether there is any.
 * @param {import("./types.js").Update | null} latest */
function miss(latest) {
  const { id = "", me = null, also = [], seats = [] } = latest?.table ?? {};
  if (!latest || me === null || also.length > 1) return false;
  const same = before.id === id && before.me === me;
  const log = latest.log ?? (same ? null : (shown.peek()?.table.id === id && shown.peek()?.log) || []);
  const at = `${id} ${me} ${nth(latest.view)}`;
  turns = log ? turnsOf(log, me, []) : turnsOf(latest.events, me, turns);
  const known = seen.at === at ? seen.turns : 0;
  if (seen.at !== at || turns.length > known) write("stood", (seen = { at, turns: turns.length }));
  const since = Math.max(known, 1 + turns.lastIndexOf(false));
  if (!log || seats[me]?.stand_in || turns.length <= since) return false;
  missed.value = turns.length - since;
  return true;
}

/** What has become of one's own part at a table. @param {Table | undefined} table @param {boolean} back whether a stand-in played for one who is back */
function notice(table, back) {
  const former = before;
  const { id = "", me = null, host = null, state, also = [], seats = [] } = table ?? {};
  const idle = me !== null && state === "playing" && Boolean(seats[me]?.stand_in && seats[me]?.here);
  before = { id, me, host, idle };
  const same = former.id === id;
  const told = same ? news.value : [];
  if (!table || state === "lobby") return void (news.value = []);
  const had = same ? former.me !== null : Boolean(seatAt(id)) && !also.length;
  const removed = me === null && !also.length && table.former === null && (had || told.includes("removed"));
  const became = same && me !== null && me === host && me === former.me && former.host !== host;
  news.value = [
    ...(removed ? /** @type {const} */ (["removed"]) : []),
    ...(became || (told.includes("host") && me === host) ? /** @type {const} */ (["host"]) : []),
    ...(back || (told.includes("stood") && me !== null) ? /** @type {const} */ (["stood"]) : []),
    ...(idle && (!former.idle || !same || told.includes("idle")) ? /** @type {const} */ (["idle"]) : []),
  ];
  news.value.filter((what) => !told.includes(what)).forEach(pass);
}

/** Let a note go by itself once it has been in view. @param {New} what */
const pass = (what) =>
  setTimeout(() => (document.hidden ? addEventListener("visibilitychange", () => pass(what), { once: true }) : drop(what)), NOTE_STAYS);

/** Who was let go and has read it needs no word on arriving. @param {New} what */
function drop(what) {
  const table = update.peek()?.table;
  if (what === "removed" && table) read.value = arrival(table);
  news.value = news.value.filter((one) => one !== what);
}

/** What tells one arrival at a table from another. @param {Table} table */
const arrival = ({ id, state, former }) => `${id} ${state} ${former}`;

/** A tab that outlived an upgrade says so. */
export function watchVersion() {
  effect(() => void (status.value === "lost" && (outdated.value = false)));
  whenNewer(() => (outdated.value = true));
}

/** Who comes to a table in play without a seat is told what to do there. @param {{table: Table}} props */
function Arrival({ table }) {
  const { state, me, former, also } = table;
  const key = arrival(table);
  if (state === "lobby" || me !== null || also?.length || read.value === key || news.value.includes("removed")) return null;
  const offer = seatFor(table);
  const how = former !== null ? "former" : state === "playing" ? "playing" : offer ? "over" : "full";
  return html`
    <div class="note stays">
      <p>${t(`ui.arrival.${how}`)}</p>
      <span>
        ${offer
          ? html`<button class="btn quiet" onClick=${() => sit(table)}>${offer}</button>`
          : html`<a class="btn quiet" href=${at(`?game=${table.game}`)}>${t("ui.lobby.own")}</a>`}
        <button class="btn quiet icon" aria-label=${t("ui.close")} onClick=${() => (read.value = key)}>
          <${Icon} name="close" /></button>
      </span>
    </div>`;
}

/** What is new about one's own part, until it is read or no longer so. @param {{what: New}} props */
const News = ({ what }) => html`
  <div class="note">
    <p>${t(`ui.news.${what}`, { n: missed.value })}</p>
    <button class="btn quiet icon" aria-label=${t("ui.close")} onClick=${() => drop(what)}><${Icon} name="close" /></button>
  </div>`;

/** Whoever comes by a link to a seat reads, before a card is dealt to it, who else has it. */
const Brought = () => html`
  <div class="note stays">
    <p>${t("ui.brought")}</p>
    <button class="btn quiet icon" aria-label=${t("ui.close")} onClick=${() => (brought.value = "")}><${Icon} name="close" /></button>
  </div>`;

/** Why the server would not do something that is no move; the table's prompt says why a move is refused. @param {{refused: NonNullable<typeof refusal.value>}} props */
const Refused = ({ refused }) => html`
  <div class="note">
    <p>${refused.message}</p>
    <button class="btn quiet icon" aria-label=${t("ui.close")} onClick=${() => (refusal.value = null)}><${Icon} name="close" /></button>
  </div>`;

/** What concerns the line and one's own part, and what the server would not do: where one looks. @param {{rank?: number}} props `rank`: what lies over what */
export function Notes({ rank = 0 }) {
  const spot = useRef({ rank }).current;
  useLayoutEffect(() => {
    spots.value = [...spots.value, spot].sort((one, other) => one.rank - other.rank);
    return () => void (spots.value = spots.value.filter((one) => one !== spot));
  }, []);
  if (spots.value.at(-1) !== spot) return null;
  const refused = refusal.value;
  const table = update.value?.table;
  return html`
    <div class="notes">
      <div role="status">
        ${status.value === "lost"
          ? html`<div class="note lost"><p>${t("ui.line.lost")}</p>
              <button class="btn quiet" onClick=${retry}>${t("ui.line.retry")}</button></div>`
          : null}
        ${outdated.value
          ? html`<div class="note stays"><p>${t("ui.outdated")}</p>
              <button class="btn quiet" onClick=${() => location.reload()}>${t("ui.reload")}</button></div>`
          : null}
        ${table && brought.value === table.id && table.me !== null ? html`<${Brought} />` : null}
        ${table && route.value.page === "table" ? html`<${Arrival} table=${table} />${news.value.map((what) => html`<${News} key=${what} what=${what} />`)}` : null}
      </div>
      <div role="alert">${refused && (refused.id === null || rank === 2) ? html`<${Refused} refused=${refused} />` : null}</div>
    </div>`;
}
aside.value = () => html`<${Notes} rank=${2} />`;
