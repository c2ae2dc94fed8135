// What a table is set to and who may change it: its host, in the waiting room and while it plays.
import { free } from "./clock.js";
import { Dialog, askFirst } from "./dialog.js";
import { Pick, Tick } from "./fields.js";
import { html, signal } from "./html.js";
import { Icon } from "./icons.js";
import { PACES, dropSeat, seatAt, seatsAt, set, settings } from "./keep.js";
import { send, update } from "./net.js";
import { isAlone } from "./offline.js";
import { Download } from "./record.js";
import { linkTo, visit } from "./route.js";
import { openRules } from "./rules.js";
import { Invite, LinkField } from "./share.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Clock} Clock */

const CLOCKS = /** @type {const} */ ([0, 15, 30, 60, 90, 180]);
/** Whether the menu of the table is open. */
export const open = signal(false);

export const openTable = () => (open.value = true);

/** Whether this browser plays a seat. @param {Table} table @param {number | null} seat */
export const own = (table, seat) => seat !== null && (seat === table.me || Boolean(table.also?.includes(seat)));

/** Whether this browser is the host's. @param {Table} table */
export const hosting = (table) => own(table, table.host);

/** @param {Table} table */
const hostName = (table) => table.seats[table.host ?? -1]?.name ?? "";

/** @param {number} seconds */
const clockName = (seconds) => (seconds % 60 ? t("ui.clock.seconds", { time: seconds }) : t("ui.clock.minutes", { time: seconds / 60 }));

/** How a table is set, in words for all to read. @param {{table: Table}} props */
export const InWords = ({ table }) => html`
  <ul class="house">
    <li>${t(`ui.pace.${table.pace}.line`)}</li>
    <li>${table.clock ? t("ui.clock.line", { time: clockName(table.clock) }) : t("ui.clock.none.line")}</li>
    <li>${t(table.onlookers === false ? "ui.onlookers.off" : "ui.onlookers.on")}</li>
    ${table.listed ? html`<li>${t("ui.listed.on")}</li>` : null}
    ${table.muted ? html`<li>${t("ui.muted.on")}</li>` : null}
  </ul>`;

/** The pace of a table is its host's to set; elsewhere it is what the next table starts with. @param {{table?: Table}} props */
export function PaceField({ table }) {
  const pace = table?.pace ?? settings.value.pace;
  const label = t("ui.pace");
  /** @param {import("./types.js").Pace} pace */
  const pick = (pace) => {
    set({ pace });
    send({ type: "pace", value: pace });
  };
  return table && !hosting(table)
    ? html`<div class="field"><span class="label">${label}</span>
        <p class="muted">${t("ui.pace.host", { pace: t(`ui.pace.${pace}`), name: hostName(table) })}</p></div>`
    : Pick({ label, name: "pace", value: pace, onPick: pick, note: t("ui.pace.note"),
        options: PACES.map((value) => ({ value, label: t(`ui.pace.${value}`) })) });
}

/** What the host chooses for the table; the others read what was chosen. @param {{table: Table}} props */
export function TableFields({ table }) {
  if (!hosting(table)) return html`<p>${t("ui.host.is", { name: hostName(table) })}</p><${InWords} table=${table} />`;
  if (isAlone(table.id)) return html`<${PaceField} table=${table} />`;
  return html`
    <${PaceField} table=${table} />
    ${Pick({ label: t("ui.clock"), name: "clock", value: /** @type {number} */ (table.clock), note: t("ui.clock.note"),
      onPick: (value) => send({ type: "clock", value: /** @type {Clock} */ (value) }),
      options: CLOCKS.map((value) => ({ value: Number(value), label: value ? clockName(value) : t("ui.clock.none") })) })}
    <div>
      ${Tick({ label: t("ui.listed"), value: table.listed, onPick: (on) => send({ type: "listed", on }) })}
      ${Tick({ label: t("ui.onlookers"), value: table.onlookers, onPick: (on) => send({ type: "onlookers", on }) })}
      ${Tick({ label: t("ui.chat.on"), value: !table.muted, onPick: (on) => send({ type: "mute", on: !on }) })}
    </div>`;
}

/** What the host may do about another's seat. @param {{table: Table, seat: number, level?: string}} props */
export function SeatActs({ table, seat, level = "" }) {
  const one = table.seats[seat];
  if (!one || !hosting(table) || own(table, seat)) return null;
  const { name } = one;
  const lobby = table.state === "lobby";
  if (one.kind === "open")
    return lobby && level
      ? html`<button class="btn" aria-label=${t("ui.seat.bot", { seat: seat + 1 })}
          onClick=${() => send({ type: "bot", seat, level })}><${Icon} name="robot" />${t("ui.seat.bot.short")}</button>`
      : null;
  if (one.kind === "bot" && !lobby) return null;
  const remove = () => send({ type: "remove", seat });
  const question = () =>
    askFirst(() => ({
      title: t("ui.seat.remove.ask", { name }), line: t(lobby ? "ui.seat.remove.lobby" : "ui.seat.remove.playing", { name }), yes: t("ui.seat.remove.yes"),
    }), remove);
  const hand = () =>
    askFirst(() => ({
      title: t("ui.seat.host.ask", { name }), line: t("ui.seat.host.line", { name }), yes: t("ui.seat.host.yes"),
    }), () => send({ type: "host", seat }));
  return html`
    ${one.kind === "person"
      ? html`<button class="btn quiet icon" aria-label=${t("ui.seat.host.give", { name })} title=${t("ui.seat.host.give", { name })}
          onClick=${hand}><${Icon} name="crown" /></button>`
      : null}
    <button class="btn quiet icon" aria-label=${t("ui.seat.remove", { name })} title=${t("ui.seat.remove", { name })}
      onClick=${one.kind === "person" ? question : remove}><${Icon} name="close" /></button>`;
}

/** What is said of a seat besides its name. @param {Table} table @param {number} at */
export function marks(table, at) {
  const seat = table.seats[at];
  if (!seat) return [];
  return [
    own(table, at) ? t("ui.seat.you") : "",
    at === table.host ? t("ui.seat.host") : "",
    seat.kind === "bot" && table.game !== "fear" ? t("ui.seat.level", { level: t(`bot.${seat.level}`) }) : seat.kind === "bot" ? t("ui.seat.is_bot") : "",
    seat.kind === "person" && !seat.here ? t("ui.seat.away") : "",
  ].filter(Boolean);
}

/** Whether whoever is at this browser may end a pause: the host, or anybody seated while he is away, or once it is long. @param {Table} table */
export function mayEnd(table) {
  const seated = table.me !== null || Boolean(table.also?.length);
  return hosting(table) || (seated && (table.host === null || !table.seats[table.host]?.here || free.value));
}

/** Pausing is the host's, or anybody's while the host is away. @param {{table: Table}} props */
export function Pause({ table }) {
  const away = table.host === null || !table.seats[table.host]?.here;
  const seated = table.me !== null || table.also?.length;
  const may = table.paused ? mayEnd(table) : hosting(table) || (seated && away);
  if (table.state !== "playing" || !may) return null;
  return html`
    <div class="row">
      <button class="btn" onClick=${() => send({ type: "pause", on: !table.paused })}>
        <${Icon} name=${table.paused ? "play" : "pause"} />${t(table.paused ? "ui.pause.end" : "ui.pause")}</button>
      <span class="muted small">${t("ui.pause.note")}</span>
    </div>`;
}

/** @param {{table: Table}} props */
const Seats = ({ table }) => html`
  <ul class="people">
    ${table.seats.map((seat, at) => html`
      <li key=${at}>
        <span class="who"><span class="sr">${t("ui.seat", { seat: at + 1 })}: </span>
          <b dir="auto">${seat.kind === "open" ? t("ui.seat.open") : seat.name}</b>
          <span class="small muted">${marks(table, at).join(" · ")}</span></span>
        <${SeatActs} table=${table} seat=${at} />
      </li>`)}
  </ul>
  ${table.watching ? html`<p class="muted small">${t("ui.watching.count", { n: table.watching })}</p>` : null}
  ${table.screens ? html`<p class="muted small">${t("ui.watching.screens", { n: table.screens })}</p>` : null}`;

/** Leave the table, once asked. @param {Table} table */
export function leave(table) {
  const lobby = table.state === "lobby";
  askFirst(() => ({ title: t("ui.leave.ask"), line: t(lobby ? "ui.leave.lobby" : "ui.leave.playing"), yes: t("ui.leave.yes") }), () => {
    send({ type: "leave" });
    if (lobby) dropSeat(table.id);
    open.value = false;
    visit("");
  });
}

/** The link that brings one's seat to another device, and the way out. @param {{table: Table}} props */
export function MySeat({ table }) {
  if (table.me === null) return null;
  const secret = isAlone(table.id) || seatsAt(table.id).length ? null : seatAt(table.id);
  return html`
    ${secret
      ? html`<${LinkField} label=${t("ui.settings.device")} note=${t("ui.settings.device.note")}
          link=${`${linkTo(table.id)}#seat=${secret}`} />`
      : null}
    <div><button class="btn" onClick=${() => leave(table)}><${Icon} name="leave" />${t("ui.leave")}</button></div>`;
}

/** What the server has promised of the next shuffle. @param {{table: Table}} props */
const NextShuffle = ({ table: { next, seats } }) =>
  next &&
  html`
    <section>
      <h3>${t("ui.fair.shuffle")}</h3>
      <p class="muted small">${t("ui.fair.next")}</p>
      <p><code class="hash">${next.commitment}</code></p>
      <p class="muted small">${t("ui.fair.added")} ${next.shares.map((seat) => seats[seat]?.name).join(", ") || t("ui.fair.nobody.yet")}</p>
    </section>`;

/** The menu of the table in play, and from it to one's own settings. @param {{onSettings: () => void}} props */
export function TableDialog({ onSettings }) {
  const table = update.value?.table;
  if (!open.value || !table) return null;
  return html`
    <${Dialog} title=${t("ui.settings.table")} onClose=${() => (open.value = false)}>
      <section class="stack">
        <${Pause} table=${table} />
        ${isAlone(table.id)
          ? html`<p class="muted">${t("ui.offline.here")}</p>`
          : html`<h3>${t("ui.invite")}</h3><${Invite} table=${table} />`}
      </section>
      ${table.state === "over" ? html`<section><h3>${t("ui.table.over")}</h3><${Download} id=${table.id} game=${table.game} note=${t("ui.replay.record.note")} /></section>` : null}
      <section><h3>${t("ui.lobby.seats")}</h3><${Seats} table=${table} /></section>
      <section class="stack">
        <h3>${t("ui.host.set")}</h3>
        <${TableFields} table=${table} />
        <div><button class="btn quiet edge" onClick=${() => openRules(table.game)}><${Icon} name="book" />${t("ui.house.title")}</button></div>
      </section>
      <${NextShuffle} table=${table} />
      ${table.me === null ? null : html`<section class="stack"><h3>${t("ui.settings.mine")}</h3><${MySeat} table=${table} /></section>`}
      <div class="to-settings"><button class="btn" onClick=${onSettings}><${Icon} name="settings" />${t("ui.settings")}</button></div>
    </${Dialog}>`;
}
