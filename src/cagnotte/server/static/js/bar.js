// The bar above every page: home, where one is, and what is always within reach.
import { typed } from "./fields.js";
import { openTable } from "./host.js";
import { ToCards } from "./hand.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { set } from "./keep.js";
import { seatFor, sit } from "./lobby.js";
import { update } from "./net.js";
import { at, route } from "./route.js";
import { openRules } from "./rules.js";
import { openSettings } from "./settings.js";
import { drawn } from "./stage.js";
import { Nth } from "./table.js";
import { TalkButton } from "./talk.js";
import { LANGUAGES, TAGS, lang, t } from "./text.js";

/** @typedef {import("./types.js").Table} Table */

const SHORT = 14; // letters of a game's name that leave room for all buttons on the smallest phone

const Mark = () => html`
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="15" fill="var(--felt)" />
    <circle cx="16" cy="16" r="11.5" fill="none" stroke="#ecc978" stroke-width="3" stroke-dasharray="5 4.034" />
    <path fill="#f6f2e6" d="M16 10c1.6 4 6 6 6 9.5a3.2 3.2 0 0 1-5.3 2.4c.2 1.3.7 2 1.8 2.6h-5c1.1-.6 1.6-1.3
      1.8-2.6a3.2 3.2 0 0 1-5.3-2.4C10 16 14.4 14 16 10z" />
  </svg>`;

/** @param {string} tag */
const setLang = (tag) => set({ lang: TAGS.find((one) => one === tag) ?? null });

export function Bar() {
  const here = route.value;
  const table = here.page === "table" ? update.value?.table : null;
  const game = table?.game;
  const playing = table && table.state !== "lobby";
  return html`
    <header class=${`bar ${playing ? "felt" : ""}`} data-long=${playing ? t(`game.${game}`).length > SHORT : undefined}>
      <a class="brand" href=${at()} aria-label=${t("ui.home")}>
        <${Mark} />${playing ? null : html`<span>Cagnotte</span>`}</a>
      ${playing
        ? html`<span class="title"><h1 class="where" tabindex="-1">${t(`game.${game}`)}</h1>
            <span aria-hidden="true">${drawn.value?.view ? html`<${Nth} view=${drawn.value.view} />` : null}</span></span><${ToCards} />`
        : null}
      <span class="gap"></span>
      ${playing && table.me === null && !table.also?.length ? html`<${Watching} table=${table} />` : null}
      ${game
        ? html`<button class="btn quiet" onClick=${() => openRules(game)}>
            <${Icon} name="book" /><span class="wide">${t("ui.rules")}</span></button>`
        : html`<select aria-label=${t("ui.language")} value=${lang.value} onChange=${typed(setLang)}>
            ${TAGS.map((tag) => html`
              <option key=${tag} value=${tag} lang=${tag} selected=${tag === lang.value}>${LANGUAGES[tag]}</option>`)}
          </select>`}
      <${TalkButton} />
      ${playing
        ? html`<button class="btn quiet icon" aria-label=${t("ui.settings.table")} title=${t("ui.settings.table")} onClick=${openTable}>
            <${Icon} name="people" /><span class="word">${t("ui.settings.table")}</span></button>`
        : null}
      <button class="btn quiet icon to-settings" aria-label=${t("ui.settings")} title=${t("ui.settings")} onClick=${openSettings}>
        <${Icon} name="settings" /><span class="word">${t("ui.settings")}</span></button>
    </header>`;
}

/** An onlooker may have a seat to go back to, or one to take when the sitting is over. @param {{table: Table}} props */
function Watching({ table }) {
  const offer = seatFor(table);
  return offer
    ? html`<button class="btn primary offer" aria-label=${offer} title=${offer} onClick=${() => sit(table)}>
        <${Icon} name="enter" /><span class="wide">${offer}</span></button>`
    : html`<span class="watching muted small"><${Icon} name="eye" /><span class="wide">${t("ui.watching")}</span></span>`;
}
