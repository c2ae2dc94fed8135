// One phone passed round: the seats of this browser are shown one at a time, and between two hands there is a cover. While
// it is there the server sends what an onlooker sees, so that no hand is left behind it.
import { html, signal, useEffect, useState } from "./html.js";
import { announce } from "./live.js";
import { Lobby } from "./lobby.js";
import { send, status, update } from "./net.js";
import { settled, shown } from "./stage.js";
import { TableView } from "./table.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Update} Update */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Games} Games */

/** Phases in which somebody may look at his hand, or is about to be dealt one. */
const HANDS = ["cut", "play", "bonus", "open"];
const UNARMED = 700; // ms for which a tap meant for what was there before does nothing

/** The seat that was asked for, until the server shows it; nothing is asked twice. @type {{seat: number | null} | null} */
let awaited = null;
/** Whether the hand still drawn is to be seen no more. */
const covering = signal(false);
addEventListener("pagehide", () => update.value && update.value.table.also.length > 1 && (covering.value = true));

/** @param {number | null} seat */
function ask(seat) {
  if (awaited?.seat === seat && status.value === "live") return;
  covering.value = seat === null && update.value?.table.me !== null;
  awaited = send({ type: "as", seat }) ? { seat } : null;
}

/** The seat to be shown next without a tap: a number, null for none, undefined where it may stay as it is.
 * @param {Update} latest @returns {number | null | undefined} */
function next({ view, table }) {
  if (!view) return table.also.includes(table.host ?? -1) ? table.host : table.also[0];
  const actor = typeof view.actor === "number" && table.also.includes(view.actor) ? view.actor : undefined;
  if (view.over) return null;
  if (view.game === "fear") return actor; // there nothing is hidden
  if (!HANDS.includes(view.phase)) return null;
  return actor === undefined || actor === table.me ? undefined : null;
}

/** Who is to have the phone next, where it is not he who has it. @param {Update} latest */
const wanted = ({ view, table }) =>
  view && !view.over && view.game !== "fear" && HANDS.includes(view.phase) && typeof view.actor === "number" &&
  view.actor !== table.me && table.also.includes(view.actor)
    ? view.actor
    : null;

/** @param {{games: Games}} props */
export function Passed({ games }) {
  const latest = update.value;
  const still = settled.value && shown.value?.version === latest?.version;
  const me = latest?.table.me ?? null;
  useEffect(() => {
    awaited = null;
    covering.value = false;
  }, [me, status.value]);
  useEffect(() => {
    if (!latest || !still || latest.table.paused) return;
    const seat = next(latest);
    if (seat !== undefined && seat !== me) ask(seat);
  }, [latest, still]);
  if (!latest) return null;
  if (latest.table.state === "lobby") return html`<${Lobby} table=${latest.table} games=${games} />`;
  const player = still ? wanted(latest) : null;
  const covered = covering.value || player !== null;
  return html`
    <main class="page-table passed" id="main" data-covered=${covered}>
      <${TableView} />
      ${player === null ? null : html`<${Cover} key=${`${player} ${latest.version}`} seat=${player} table=${latest.table} />`}
    </main>`;
}

/** Between two players: who is to take the phone, and his tap that he has it. @param {{seat: number, table: Table}} props */
function Cover({ seat, table }) {
  const name = table.seats[seat]?.name ?? "";
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    announce(t("ui.passed.pass", { name }));
    const timer = setTimeout(() => setArmed(true), UNARMED);
    return () => clearTimeout(timer);
  }, []);
  const ready = armed && table.me === null;
  return html`
    <section class="cover" aria-labelledby="cover-title">
      <h2 id="cover-title">${t("ui.passed.pass", { name })}</h2>
      <p>${t("ui.passed.note")}</p>
      <button class="btn primary big" aria-disabled=${!ready}
        onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && ready && ask(seat)}>${t("ui.passed.here", { name })}</button>
    </section>`;
}
