// The waiting room: who sits where, how to invite those still missing, the rules of the house, and the start.
import { NameField, submitted, typed } from "./fields.js";
import { InWords, MySeat, SeatActs, TableFields, hosting, marks, own } from "./host.js";
import { HouseRules } from "./house.js";
import { effect, html, signal, untracked, useEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { lasting, set, settings } from "./keep.js";
import { announce } from "./live.js";
import { send, update } from "./net.js";
import { at as addressOf } from "./route.js";
import { openRules } from "./rules.js";
import { Invite } from "./share.js";
import { called, t } from "./text.js";

/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Games} Games */

const level = signal("");
const renaming = signal(false);

/** The name to sit down with: one's own, or a number that nobody there has yet, for which each reader's language has a word.
 * @param {Table["seats"]} seats */
export function nameAmong(seats) {
  const numbers = seats.map((_, at) => `#${at + 1}`);
  return settings.value.name.trim() || (numbers.find((one) => seats.every(({ name }) => name !== called(one))) ?? "#1");
}

/** Sit down; who comes back and has set no name is called as before. @param {Table} table @param {number} [seat] any that is free, if none is named */
export const sit = (table, seat) =>
  send({ type: "sit", name: table.former === null ? nameAmong(table.seats) : settings.value.name.trim(), ...(seat === undefined ? {} : { seat }) });

/** The table to which one goes back to play, until it is in view. @type {string | null} */
let back = null;
/** Go back to a table to play: whoever had left it has his seat again. @param {string} table */
export const comeBack = (table) => void (back = table);
effect(() => {
  const table = update.value?.table;
  if (!table || back === null) return;
  if (table.id === back && table.me === null && table.former !== null) untracked(() => sit(table));
  back = null;
});

/** What an onlooker at a table in play is offered: the seat that he left, or a free one when it is over; nothing else.
 * @param {Table} table */
export function seatFor({ state, former, seats }) {
  if (former !== null) return t("ui.sit.back");
  return state === "over" && seats.some((seat) => seat.kind !== "person") ? t("ui.sit") : "";
}

/** Say who came and who went. @param {Table} table */
function useComings(table) {
  const before = useRef(/** @type {Table["seats"] | null} */ (null));
  useEffect(() => {
    table.seats.forEach((seat, at) => {
      const was = before.current?.[at];
      if (was && was.kind !== seat.kind && !own(table, at))
        announce(seat.kind === "open" ? t("ui.lobby.left", { name: was.name }) : t("ui.lobby.sat", { name: seat.name }));
    });
    before.current = table.seats;
  }, [table.seats]);
}

/** @param {{table: Table, games: Games}} props */
export function Lobby({ table, games }) {
  const game = games.games.find((one) => one.name === table.game);
  const open = table.seats.filter((seat) => seat.kind === "open").length;
  const host = hosting(table);
  const bot = games.bots.includes(level.value) ? level.value : (games.bots.at(-1) ?? "");
  useComings(table);
  useEffect(() => void (renaming.value = false), [table.id, table.me]);
  const invite = open
    ? html`<section class="panel pad" aria-labelledby="inviting">
        <h2 id="inviting">${t("ui.invite")}</h2>
        <${Invite} table=${table} main=${host} /></section>`
    : null;
  return html`
    <main class="page lobby" id="main">
      <header>
        <h1 tabindex="-1">${t(`game.${table.game}`)}</h1>
        <p class="lead">${open ? t("ui.lobby.open", { n: open }) : t("ui.lobby.full")}
          ${!host && table.host !== null ? html` ${t("ui.host.is", { name: table.seats[table.host]?.name ?? "" })}` : null}</p>
      </header>
      <div class="side">
        ${host ? invite : null}
        <${Acts} table=${table} open=${open} host=${host} bots=${games.bots} bot=${bot} />
        ${host ? null : invite}
      </div>
      <section class="chairs felt" aria-labelledby="seats">
        <h2 id="seats" class="sr">${t("ui.lobby.seats")}</h2>
        <ol>
          ${table.seats.map((_, at) => html`<${Chair} key=${at} at=${at} table=${table} bot=${bot} />`)}
        </ol>
        ${table.watching ? html`<p class="small muted">${t("ui.watching.count", { n: table.watching })}</p>` : null}
        ${table.screens ? html`<p class="small muted">${t("ui.watching.screens", { n: table.screens })}</p>` : null}
      </section>
      <div class="rest">
        <section class="panel pad">
          <h2>${t("ui.house.title")}</h2>
          ${game ? html`<${HouseRules} game=${game} players=${table.players} rules=${table.rules} />` : null}
          <button class="btn quiet edge" onClick=${() => openRules(table.game)}>
            <${Icon} name="book" />${t("ui.rules.read")}</button>
        </section>
        ${host
          ? html`<details class="fold panel pad">
              <summary><h2>${t("ui.host.set")}</h2></summary>
              <div class="stack"><${TableFields} table=${table} /></div>
            </details>`
          : html`<section class="panel pad"><h2>${t("ui.host.set")}</h2><${InWords} table=${table} /></section>`}
        ${table.me === null
          ? null
          : html`<details class="fold panel pad"><summary><h2>${t("ui.settings.mine")}</h2></summary>
              <div class="stack"><${MySeat} table=${table} /></div></details>`}
      </div>
    </main>`;
}

/** @param {{at: number, table: Table, bot: string}} props */
function Chair({ at, table, bot }) {
  const seat = table.seats[at];
  if (!seat) return null;
  const mine = own(table, at);
  const said = marks(table, at);
  const away = seat.kind === "person" && !seat.here;
  return html`
    <li data-seat=${at} class=${`chair ${seat.kind} ${mine ? "own" : ""} ${away ? "away" : ""}`}>
      <span class="disc" aria-hidden="true">${seat.kind === "bot" ? html`<${Icon} name="robot" />` : at + 1}</span>
      <span class="who">
        <span class="sr">${t("ui.seat", { seat: at + 1 })}: </span>
        <span class="name" dir="auto">${seat.kind === "open" ? t("ui.seat.open") : seat.name}</span>
        ${said.length ? html`<span class="small muted">${said.join(" · ")}</span>` : null}
      </span>
      ${seat.kind === "open" && table.me === null && !hosting(table)
        ? html`<button class="btn" onClick=${() => sit(table, at)}>
            ${t("ui.sit.here")}${" "}<span class="sr">${t("ui.seat", { seat: at + 1 })}</span></button>`
        : null}
      ${at === table.me
        ? html`<button class="btn quiet icon" aria-label=${t("ui.name.change")} aria-expanded=${renaming.value}
            onClick=${() => (renaming.value = !renaming.value)}><${Icon} name="pen" /></button>`
        : null}
      <span class="may"><${SeatActs} table=${table} seat=${at} level=${bot} /></span>
    </li>`;
}

/** The one thing to do now. @param {{table: Table, open: number, host: boolean, bots: string[], bot: string}} props */
function Acts({ table, open, host, bots, bot }) {
  const seated = table.me !== null || host;
  if (!seated && !open)
    return html`
      <section class="panel pad">
        <p>${t("ui.lobby.watch")}</p>
        <div><a class="btn" href=${addressOf(`?game=${table.game}`)}>${t("ui.lobby.own")}</a></div>
      </section>`;
  const naming = !seated || renaming.value;
  const luck = table.game === "fear"; // there any move will do
  const act = () => {
    if (!seated) return sit(table);
    if (!naming) return send(open ? { type: "fill", level: bot } : { type: "start" });
    renaming.value = false;
    return send({ type: "name", name: nameAmong(table.seats.map((seat, at) => (at === table.me ? { ...seat, name: "" } : seat))) });
  };
  return html`
    <form class="panel pad stack" onSubmit=${submitted(act)}>
      ${naming ? NameField({ value: settings.value.name, onPick: (name) => set({ name }) }) : null}
      ${!naming && host && open
        ? html`<div class="field">
            <label for=${luck ? undefined : "bots"}>${t("ui.lobby.fill.with")}</label>
            <div class="row fill">
              ${luck
                ? null
                : html`<select class="input" id="bots" value=${bot} onChange=${typed((one) => (level.value = one))}>
                    ${bots.map((one) => html`<option key=${one} value=${one} selected=${one === bot}>${t(`bot.${one}`)}</option>`)}
                  </select>`}
              <button class="btn">${t("ui.lobby.fill")}</button>
            </div>
          </div>`
        : naming || host
          ? html`<button class="btn primary big">
              ${t(!seated ? "ui.sit" : naming ? "ui.name.save" : "ui.lobby.start")}</button>`
          : html`<p>${t("ui.lobby.wait", { name: table.seats[table.host ?? -1]?.name ?? "" })}</p>`}
      ${seated && !lasting ? html`<p class="muted small">${t("ui.lobby.blocked")}</p>` : null}
    </form>`;
}
