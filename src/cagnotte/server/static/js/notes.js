// What is said above the page and moves nothing in it: about the line, a refusal, and how things stand where one comes in.
import { effect, html, signal, useEffect } from "./html.js";
import { Icon } from "./icons.js";
import { seatFor, sit } from "./lobby.js";
import { VERSION, ask, refusal, retry, status, update } from "./net.js";
import { at, route } from "./route.js";
import { openRules } from "./rules.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Table} Table */

const NOTE_STAYS = 10_000; // ms
const outdated = signal(false);
/** The table whose news one has read. */
const read = signal("");

/** A tab that outlived an upgrade says so. */
export const watchVersion = () =>
  effect(() => {
    if (status.value === "lost") outdated.value = false;
    if (status.value !== "live") return;
    ask("api/games").then(({ version }) => (outdated.value = version !== VERSION), () => {});
  });

/** Who comes to a table in play without a seat is told what to do there. @param {{table: Table}} props */
function Arrival({ table }) {
  const { id, state, me, former, also } = table;
  const key = `${id} ${state} ${former}`;
  if (state === "lobby" || me !== null || also?.length || read.value === key) return null;
  const offer = seatFor(table);
  const how = former !== null ? "former" : state === "playing" ? "playing" : offer ? "over" : "full";
  return html`
    <div class="note">
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

/** What concerns the line and what the server would not do, above the page and moving nothing in it. */
export function Notes() {
  const refused = refusal.value;
  useEffect(() => {
    if (!refused) return;
    const gone = setTimeout(() => refusal.value === refused && (refusal.value = null), NOTE_STAYS);
    return () => clearTimeout(gone);
  }, [refused]);
  const table = update.value?.table;
  const game = table?.game;
  return html`
    <div class="notes">
      <div role="status">
        ${status.value === "lost"
          ? html`<div class="note lost"><p>${t("ui.line.lost")}</p>
              <button class="btn quiet" onClick=${retry}>${t("ui.line.retry")}</button></div>`
          : null}
        ${outdated.value
          ? html`<div class="note"><p>${t("ui.outdated")}</p>
              <button class="btn quiet" onClick=${() => location.reload()}>${t("ui.reload")}</button></div>`
          : null}
        ${table && route.value.page === "table" ? html`<${Arrival} table=${table} />` : null}
      </div>
      <div role="alert">
        ${refused
          ? html`<div class="note">
              <p>${refused.message}</p>
              <span>
                ${game && refused.clause
                  ? html`<button class="btn quiet" onClick=${() => openRules(game, refused.clause)}>
                      ${t("ui.rules.clause", { clause: refused.clause })}</button>`
                  : null}
                <button class="btn quiet icon" aria-label=${t("ui.close")} onClick=${() => (refusal.value = null)}>
                  <${Icon} name="close" /></button>
              </span>
            </div>`
          : null}
      </div>
    </div>`;
}
