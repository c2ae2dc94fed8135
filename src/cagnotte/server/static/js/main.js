// The page: a bar, what the server says, and home or a table below.
import { Bar } from "./bar.js";
import { Question } from "./dialog.js";
import { Home } from "./home.js";
import { TableDialog } from "./host.js";
import { effect, html, render, useEffect, useRef, useState } from "./html.js";
import { JoinPage } from "./join.js";
import { noteOver } from "./keep.js";
import { Live } from "./live.js";
import { Lobby } from "./lobby.js";
import { ask, bye, connect, disconnect, opened, speak, update } from "./net.js";
import { Notes, watchVersion } from "./notes.js";
import { at, reachedAt, route, visit } from "./route.js";
import { RulesDialog } from "./rules.js";
import { SettingsDialog, openSettings } from "./settings.js";
import { TableView } from "./table.js";
import { Talk } from "./talk.js";
import { has, lang, t, words } from "./text.js";

/** @typedef {import("./types.js").Games} Games */

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
  odds: () => import("./odds.js").then((found) => found.Odds),
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
  const state = update.value?.table.id === id && update.value.table.state;
  useEffect(() => void (state && noteOver(id, state === "over")), [id, state]);
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
    case "nowhere":
      return html`<${Plain} title=${t("ui.nowhere")} line=${t("ui.nowhere.line")}>
        <a class="btn primary" href=${at()}>${t("ui.home.go")}</a>
      </${Plain}>`;
    case "join":
      return html`<${JoinPage} code=${here.code} />`;
    case "mine":
      return html`<${Later} key="mine" page="mine" games=${games} />`;
    case "odds":
      return html`<${Later} key="odds" page="odds" games=${games} />`;
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
    <${TableDialog} onSettings=${openSettings} />
    <${SettingsDialog} />
    <${Question} />`;
}

/** The window's title: the place, and whether it is your turn. */
function title() {
  const here = route.value;
  if (here.page === "mine" || here.page === "odds" || here.page === "join" || here.page === "replay")
    return `${t(`ui.${here.page}.title`)} · Cagnotte`;
  if (here.page === "home")
    return has(`game.${here.game}`) ? `${t(`game.${here.game}`)} · Cagnotte` : `Cagnotte · ${t("ui.home.title")}`;
  const { view, table } = update.value ?? {};
  if (!table) return "Cagnotte";
  const game = t(`game.${table.game}`);
  const mine = table.me !== null && view && !view.over && view.actor === table.me;
  return mine ? `${t("ui.turn")} · ${game}` : `${game} · Cagnotte`;
}

/** What a deal brought is kept for "My sittings". @param {import("./types.js").Update | null} latest */
function settles(latest) {
  if (!latest?.view || !(latest.view.over || latest.events.some(({ kind }) => kind === "deal_won"))) return;
  import("./tally.js").then(({ remember }) => remember(latest), () => {});
}

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
try {
  const [games] = await Promise.all([ask("api/games"), words(ask)]);
  reachedAt(games.network);
  render(html`<${App} games=${games} />`, app);
  effect(() => void (document.title = title()));
  effect(() => void (opened.value !== null && visit(`t/${opened.value}`)));
  effect(() => settles(update.value));
  watchVersion();
} catch {
  document.getElementById("failed")?.removeAttribute("hidden");
}
