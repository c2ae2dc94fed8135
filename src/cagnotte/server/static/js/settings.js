// Settings: one's own, on this browser.
import { Dialog } from "./dialog.js";
import { Pick, Tick } from "./fields.js";
import { PaceField } from "./host.js";
import { html, signal } from "./html.js";
import { SORTS, set, settings } from "./keep.js";
import { refusal, update } from "./net.js";
import { SaidField } from "./talk.js";
import { LANGUAGES, TAGS, lang, t } from "./text.js";
import { KeepOffline } from "./unreachable.js";

/** @typedef {import("./keep.js").Switches} Switches */

const open = signal(false);
/** Where there is nothing but a touch screen there are hardly keys. */
const keyboard = matchMedia("(any-hover: hover), (any-pointer: fine)");

export const openSettings = () => (open.value = true);

/** @param {{name: keyof Switches, then?: (on: boolean) => void}} props */
const Switch = ({ name, then }) =>
  Tick({
    label: t(`ui.settings.${name}`),
    value: settings.value[name],
    onPick: (on) => {
      set({ [name]: on });
      then?.(on);
    },
  });

/** A browser must be asked before it may call anybody; where it says no, the setting goes back. @param {boolean} on */
async function mayNotify(on) {
  if (!on || (await Notification.requestPermission()) === "granted") return;
  set({ notify: false });
  refusal.value = { id: null, clause: null, message: t("ui.settings.notify.no") };
}

export function SettingsDialog() {
  if (!open.value) return null;
  const { sort } = settings.value;
  return html`
    <${Dialog} title=${t("ui.settings")} onClose=${() => (open.value = false)}>
      <section class="stack">
        ${Pick({ label: t("ui.language"), name: "lang", value: lang.value, onPick: (lang) => set({ lang }),
          options: TAGS.map((value) => ({ value, label: LANGUAGES[value] })) })}
        <${PaceField} table=${update.value?.table} />
      </section>
      <section>
        <h3>${t("ui.settings.cards")}</h3>
        <${Switch} name="fourColours" />
        <${Switch} name="large" />
        <${Switch} name="marks" />
        ${Pick({ label: t("ui.settings.sort"), name: "sort", value: sort, onPick: (sort) => set({ sort }),
          options: SORTS.map((value) => ({ value, label: t(`ui.settings.sort.${value}`) })) })}
      </section>
      <section>
        <h3>${t("ui.settings.play")}</h3>
        <${Switch} name="warn" />
        <${Switch} name="confirm" />
        <${Switch} name="autoPass" />
        <${Switch} name="autoLay" />
        <${Switch} name="chances" />
        ${keyboard.matches ? html`<${Switch} name="keys" />` : null}
      </section>
      <section>
        <h3>${t("ui.settings.senses")}</h3>
        <${Switch} name="sound" />
        ${"Notification" in globalThis && isSecureContext ? html`<${Switch} name="notify" then=${mayNotify} />` : null}
        ${"wakeLock" in navigator ? html`<${Switch} name="awake" />` : null}
        <${SaidField} />
      </section>
      <section class="stack">
        <h3>${t("ui.offline")}</h3>
        <${KeepOffline} />
      </section>
    </${Dialog}>`;
}
