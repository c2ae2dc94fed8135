// Settings: one's own on this browser, and what one may do at the table in view.
import { Dialog } from "./dialog.js";
import { Pick, Tick } from "./fields.js";
import { html, signal } from "./html.js";
import { PACES, SORTS, dropSeat, seatAt, set, settings } from "./keep.js";
import { send, update } from "./net.js";
import { linkTo, visit } from "./route.js";
import { LinkField } from "./share.js";
import { LANGUAGES, TAGS, lang, t } from "./text.js";

const open = signal(false);
const leaving = signal(false);

export const openSettings = () => (open.value = true);

const close = () => (open.value = leaving.value = false);

/** The pace of a table is its host's to set; elsewhere it is what the next table starts with. @param {import("./types.js").Pace} pace */
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
        ? html`<${LinkField} label=${t("ui.settings.device")} note=${t("ui.settings.device.note")}
            link=${`${linkTo(table.id)}#seat=${secret}`} />`
        : null}
      ${leaving.value
        ? html`
          <p>${t(table.state === "lobby" ? "ui.leave.lobby" : "ui.leave.playing")}</p>
          <div class="row">
            <button class="btn primary" onClick=${leave}>${t("ui.leave.yes")}</button>
            <button class="btn" onClick=${() => (leaving.value = false)}>${t("ui.leave.no")}</button>
          </div>`
        : html`<div><button class="btn" onClick=${() => (leaving.value = true)}>${t("ui.leave")}</button></div>`}
    </section>`;
}

/** @template {string} V @param {readonly V[]} values @param {(value: V) => string} say */
const options = (values, say) => values.map((value) => ({ value, label: say(value) }));

function PaceField() {
  const table = update.value?.table;
  const pace = table?.pace ?? settings.value.pace;
  const [label, name] = [t("ui.pace"), table?.seats[table.host ?? -1]?.name ?? ""];
  return table && table.me !== table.host
    ? html`<div class="field"><span class="label">${label}</span>
        <p class="muted">${t("ui.pace.host", { pace: t(`ui.pace.${pace}`), name })}</p></div>`
    : Pick({ label, name: "pace", value: pace, onPick: setPace, note: t("ui.pace.note"),
        options: options(PACES, (one) => t(`ui.pace.${one}`)) });
}

export function SettingsDialog() {
  if (!open.value) return null;
  const { fourColours, marks, sort, warn } = settings.value;
  return html`
    <${Dialog} title=${t("ui.settings")} onClose=${close}>
      <section class="stack">
        ${Pick({ label: t("ui.language"), name: "lang", value: lang.value, onPick: (lang) => set({ lang }),
          options: options(TAGS, (tag) => LANGUAGES[tag]) })}
        <${PaceField} />
      </section>
      <section>
        <h3>${t("ui.settings.cards")}</h3>
        ${Tick({ label: t("ui.settings.four"), value: fourColours, onPick: (on) => set({ fourColours: on }) })}
        ${Tick({ label: t("ui.settings.marks"), value: marks, onPick: (on) => set({ marks: on }) })}
        ${Tick({ label: t("ui.settings.warn"), value: warn, onPick: (on) => set({ warn: on }) })}
        ${Pick({ label: t("ui.settings.sort"), name: "sort", value: sort, onPick: (sort) => set({ sort }),
          options: options(SORTS, (one) => t(`ui.settings.sort.${one}`)) })}
      </section>
      <${ThisTable} />
    </${Dialog}>`;
}
