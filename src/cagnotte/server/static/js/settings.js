// Settings: one's own on this browser, and what one may do at the table in view.
import { Dialog } from "./dialog.js";
import { Pick, Tick } from "./fields.js";
import { html, signal } from "./html.js";
import { PACES, dropSeat, seatAt, set, settings } from "./keep.js";
import { send, update } from "./net.js";
import { linkTo, visit } from "./route.js";
import { LinkField } from "./share.js";
import { LANGUAGES, lang, t } from "./text.js";

const open = signal(false);
const leaving = signal(false);

export const openSettings = () => (open.value = true);

const close = () => (open.value = leaving.value = false);

/** The pace of a table is its host's to set; elsewhere it is what the next table starts with. @param {any} pace */
function setPace(pace) {
  set({ pace });
  send({ type: "pace", value: pace });
}

function leave() {
  const table = update.value?.table;
  send({ type: "leave" });
  if (table?.state === "lobby") dropSeat(table.id);
  close();
  visit("");
}

function ThisTable() {
  const table = update.value?.table;
  if (!table || table.me === null) return null;
  const secret = seatAt(table.id);
  return html`
    <section class="stack">
      <h3>${t("ui.settings.table")}</h3>
      ${secret
        ? html`<${LinkField} label=${t("ui.settings.device")} note=${t("ui.settings.device.note")} link=${`${linkTo(table.id)}#seat=${secret}`} />`
        : null}
      ${leaving.value
        ? html`
          <div class="stack" role="group" aria-label=${t("ui.leave")}>
            <p>${t(table.state === "lobby" ? "ui.leave.lobby" : "ui.leave.playing")}</p>
            <div class="row">
              <button class="btn primary" onClick=${leave}>${t("ui.leave.yes")}</button>
              <button class="btn" onClick=${() => (leaving.value = false)}>${t("ui.leave.no")}</button>
            </div>
          </div>`
        : html`<div><button class="btn" onClick=${() => (leaving.value = true)}>${t("ui.leave")}</button></div>`}
    </section>`;
}

export function SettingsDialog() {
  if (!open.value) return null;
  const table = update.value?.table;
  const { pace, fourColours, marks, sort, warn } = settings.value;
  const mine = !table || table.me === table.host;
  return html`
    <${Dialog} title=${t("ui.settings")} onClose=${close}>
      <section class="stack">
        <${Pick} label=${t("ui.language")} name="lang" value=${lang.value} onPick=${(/** @type {any} */ lang) => set({ lang })}
          options=${Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))} />
        ${mine
          ? html`<${Pick} label=${t("ui.pace")} name="pace" value=${table?.pace ?? pace} onPick=${setPace}
              options=${PACES.map((value) => ({ value, label: t(`ui.pace.${value}`) }))} note=${t("ui.pace.note")} />`
          : html`<div class="field"><span class="label">${t("ui.pace")}</span>
              <p class="muted">${t("ui.pace.host", { pace: t(`ui.pace.${table.pace}`), name: table.seats[table.host ?? -1]?.name ?? "" })}</p></div>`}
      </section>
      <section>
        <h3>${t("ui.settings.cards")}</h3>
        <${Tick} label=${t("ui.settings.four")} value=${fourColours} onPick=${(/** @type {boolean} */ on) => set({ fourColours: on })} />
        <${Tick} label=${t("ui.settings.marks")} value=${marks} onPick=${(/** @type {boolean} */ on) => set({ marks: on })} />
        <${Tick} label=${t("ui.settings.warn")} value=${warn} onPick=${(/** @type {boolean} */ on) => set({ warn: on })} />
        <${Pick} label=${t("ui.settings.sort")} name="sort" value=${sort} onPick=${(/** @type {any} */ sort) => set({ sort })}
          options=${["suit", "rank"].map((value) => ({ value, label: t(`ui.settings.sort.${value}`) }))} />
      </section>
      <${ThisTable} />
    </${Dialog}>`;
}
