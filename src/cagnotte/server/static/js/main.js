// The page: a bar, what the server says, and home or a table below.
import { Question } from "./dialog.js";
import { typed } from "./fields.js";
import { Home } from "./home.js";
import { TableDialog, openTable } from "./host.js";
import { effect, html, render, signal, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { set } from "./keep.js";
import { Live } from "./live.js";
import { Lobby, sit } from "./lobby.js";
import { JoinPage } from "./join.js";
import { VERSION, ask, bye, connect, disconnect, opened, refusal, retry, speak, status, update } from "./net.js";
import { at, route, visit } from "./route.js";
import { RulesDialog, openRules } from "./rules.js";
import { SettingsDialog, openSettings } from "./settings.js";
import { TableView } from "./table.js";
import { Talk, TalkButton } from "./talk.js";
import { LANGUAGES, TAGS, has, lang, t, words } from "./text.js";

/** @typedef {import("./types.js").Games} Games */
/** @typedef {import("./types.js").Table} Table */

const NOTE_STAYS = 10_000; // ms
const outdated = signal(false);

const Mark = () => html`
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="15" fill="var(--felt)" />
    <circle cx="16" cy="16" r="11.5" fill="none" stroke="#ecc978" stroke-width="3" stroke-dasharray="5 4.034" />
    <path fill="#f6f2e6" d="M16 10c1.6 4 6 6 6 9.5a3.2 3.2 0 0 1-5.3 2.4c.2 1.3.7 2 1.8 2.6h-5c1.1-.6 1.6-1.3
      1.8-2.6a3.2 3.2 0 0 1-5.3-2.4C10 16 14.4 14 16 10z" />
  </svg>`;

/** @param {string} tag */
const setLang = (tag) => set({ lang: TAGS.find((one) => one === tag) ?? null });

function Bar() {
  const here = route.value;
  const table = here.page === "table" ? update.value?.table : null;
  const game = table?.game;
  const playing = table && table.state !== "lobby";
  return html`
    <header class=${`bar ${playing ? "felt" : ""}`}>
      <a class="brand" href=${at()} aria-label=${t("ui.home")}>
        <${Mark} />${playing ? null : html`<span>Cagnotte</span>`}</a>
      ${playing ? html`<h1 class="where" tabindex="-1">${t(`game.${game}`)}</h1>` : null}
      <span class="gap"></span>
      ${playing && table.me === null ? html`<${Watching} table=${table} />` : null}
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
            <${Icon} name="people" /></button>`
        : null}
      <button class="btn quiet icon" aria-label=${t("ui.settings")} title=${t("ui.settings")} onClick=${openSettings}>
        <${Icon} name="settings" /></button>
    </header>`;
}

/** An onlooker may have a seat to go back to, or one to take when the sitting is over. @param {{table: Table}} props */
function Watching({ table }) {
  const mine = table.former !== null;
  const free = table.state === "over" && table.seats.some((seat) => seat.kind !== "person");
  return mine || free
    ? html`<button class="btn primary" onClick=${() => sit(table)}>
        ${t(mine ? "ui.sit.back" : "ui.sit")}</button>`
    : html`<span class="muted small">${t("ui.watching")}</span>`;
}

/** What concerns the line and what the server would not do, above the page and moving nothing in it. */
function Notes() {
  const refused = refusal.value;
  useEffect(() => {
    if (!refused) return;
    const gone = setTimeout(() => refusal.value === refused && (refusal.value = null), NOTE_STAYS);
    return () => clearTimeout(gone);
  }, [refused]);
  const game = update.value?.table.game;
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

/** @param {{title: string, line?: string, children?: unknown}} props */
const Plain = ({ title, line, children }) => html`
  <main class="page narrow plain" id="main">
    <h1 tabindex="-1">${title}</h1>
    ${line ? html`<p class="lead">${line}</p>` : null}
    <div class="row">${children}</div>
  </main>`;

/** Pages that are fetched when somebody opens them. */
const LATER = {
  mine: () => import("./mine.js").then((found) => found.Mine),
  replay: () => import("./replay.js").then((found) => found.Replay),
  screen: () => import("./screen.js").then((found) => found.Screen),
  passed: () => import("./passed.js").then((found) => found.Passed),
};

/** @param {{page: keyof typeof LATER} & Record<string, unknown>} props */
function Later({ page, ...props }) {
  const [found, setFound] = useState(/** @type {{Page?: unknown, failed?: boolean}} */ ({}));
  const fetch = () => {
    setFound({});
    LATER[page]().then((Page) => setFound({ Page }), () => setFound({ failed: true }));
  };
  useEffect(fetch, [page]);
  if (found.Page) return html`<${found.Page} ...${props} />`;
  return found.failed
    ? html`<${Plain} title=${t("ui.line.none")}>
        <button class="btn primary" onClick=${fetch}>${t("ui.bye.back")}</button>
        <a class="btn" href=${at()}>${t("ui.home.go")}</a>
      </${Plain}>`
    : html`<${Plain} title=${t("ui.loading")} />`;
}

/** A table, as one who sits there or looks on; or as the `screen` that all share, which holds no seat.
 * @param {{id: string, games: Games, screen?: boolean}} props */
function AtTable({ id, games, screen = false }) {
  useEffect(() => {
    connect(id, lang.peek(), screen);
    return disconnect;
  }, [id, screen]);
  useEffect(() => speak(lang.value), [lang.value]);
  const why = bye.value;
  if (why)
    return html`<${Plain} title=${t(`ui.bye.${why.code}`)} line=${why.code === "gone" ? t("ui.bye.gone.line") : why.message}>
      ${why.code === "gone"
        ? null
        : html`<button class="btn primary" onClick=${() => connect(id, lang.value, screen)}>${t("ui.bye.back")}</button>`}
      <a class=${`btn ${why.code === "gone" ? "primary" : ""}`} href=${at()}>${t("ui.home.go")}</a>
    </${Plain}>`;
  const table = update.value?.table;
  if (!table) return html`<${Plain} title=${t("ui.opening")} />`;
  if (screen) return html`<${Later} page="screen" id=${id} games=${games} />`;
  if ((table.also?.length ?? 0) > 1) return html`<${Later} page="passed" games=${games} /><${Talk} />`;
  return html`
    ${table.state === "lobby"
      ? html`<${Lobby} table=${table} games=${games} />`
      : html`<main class="page-table" id="main"><${TableView} /></main>`}
    <${Talk} />`;
}

/** @param {{here: import("./route.js").Route, games: Games}} props */
function Page({ here, games }) {
  switch (here.page) {
    case "home":
      return html`<${Home} games=${games} game=${here.game} />`;
    case "join":
      return html`<${JoinPage} code=${here.code} />`;
    case "mine":
      return html`<${Later} key="mine" page="mine" games=${games} />`;
    case "replay":
      return html`<${Later} key="replay" games=${games} ...${here} />`;
    default:
      return html`<${AtTable} id=${here.id} games=${games} screen=${here.page === "screen"} />`;
  }
}

/** What of a route makes it another place. @param {import("./route.js").Route} here */
const placeOf = (here) =>
  here.page === "table" || here.page === "screen"
    ? `${here.id} ${bye.value?.code ?? update.value?.table.state}`
    : Object.values(here).join(" ");

/** @param {{games: Games}} props */
function App({ games }) {
  const here = route.value;
  const came = useRef(here);
  useEffect(() => {
    // A reader hears where it has come to, unless the focus is still where it was.
    if (came.current !== here || document.activeElement === document.body)
      document.querySelector("h1")?.focus({ preventScroll: true });
    came.current = here;
  }, [placeOf(here)]);
  return html`
    ${here.page === "screen" ? null : html`<${Bar} />`}
    <${Page} here=${here} games=${games} />
    <${Notes} />
    <${Live} />
    <${RulesDialog} games=${games} />
    <${TableDialog} />
    <${SettingsDialog} />
    <${Question} />`;
}

/** The window's title: the place, and whether it is your turn. */
function title() {
  const here = route.value;
  if (here.page === "mine" || here.page === "join" || here.page === "replay")
    return `${t(`ui.${here.page}.title`)} · Cagnotte`;
  if (here.page === "home")
    return has(`game.${here.game}`) ? `${t(`game.${here.game}`)} · Cagnotte` : `Cagnotte · ${t("ui.home.title")}`;
  const { view, table } = update.value ?? {};
  if (!table) return "Cagnotte";
  const game = t(`game.${table.game}`);
  const mine = table.me !== null && view && !view.over && view.actor === table.me;
  return mine ? `${t("ui.turn")} · ${game}` : `${game} · Cagnotte`;
}

/** A tab that outlived an upgrade says so. */
const watchVersion = () =>
  effect(() => {
    if (status.value === "lost") outdated.value = false;
    if (status.value !== "live") return;
    ask("api/games").then(({ version }) => (outdated.value = version !== VERSION), () => {});
  });

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
try {
  const [games] = await Promise.all([ask("api/games"), words()]);
  render(html`<${App} games=${games} />`, app);
  effect(() => void (document.title = title()));
  effect(() => void (opened.value !== null && visit(`t/${opened.value}`)));
  watchVersion();
} catch {
  document.getElementById("failed")?.removeAttribute("hidden");
}
