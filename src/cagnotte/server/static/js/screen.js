// The screen that all share: the table as an onlooker sees it, large enough for the other end of a room. It has no hand
// to show and, but for the full screen, nothing to press.
import { sharing } from "./attend.js";
import { Remaining } from "./clock.js";
import { differing, sentence } from "./house.js";
import { html, signal, useEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { set, settings } from "./keep.js";
import { announce } from "./live.js";
import { status, update, whenNewer } from "./net.js";
import { asked } from "./prompt.js";
import { Qr } from "./qr.js";
import { at, linkTo, onlyHere, outward } from "./route.js";
import { Name, Seat } from "./seats.js";
import { Code, commands } from "./share.js";
import { drawn } from "./stage.js";
import { Nth, Pool, board } from "./table.js";
import { Bubbles } from "./talk.js";
import { t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Games} Games */

const LINES = 12; // of the log
const IDLE = 3000; // ms after which the pointer goes

const full = signal(Boolean(document.fullscreenElement));
document.addEventListener("fullscreenchange", () => (full.value = Boolean(document.fullscreenElement)));

/** Nobody is there to press Reload when the server has a newer page: once for each version that is met. */
const renew = () =>
  whenNewer((version) => {
    if (history.state?.met === version) return;
    history.replaceState({ ...history.state, met: version }, "");
    location.reload();
  });

/** @param {{id: string, games: Games}} props */
export function Screen({ games }) {
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const idle = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  useEffect(() => {
    sharing.value = true;
    return () => void (sharing.value = false);
  }, []);
  useEffect(renew, []);
  const scene = drawn.value;
  const table = update.value?.table;
  const playing = Boolean(scene?.view && table && table.state !== "lobby");
  useEffect(() => {
    if (scene?.fresh && scene.view) announce(asked(scene));
  }, [scene?.fresh, scene?.version]);
  if (!table) return null;
  const moved = () => {
    clearTimeout(idle.current);
    root.current?.removeAttribute("data-idle");
    idle.current = setTimeout(() => root.current?.setAttribute("data-idle", ""), IDLE);
  };
  return html`
    <main class="screen felt" id="main" ref=${root} data-indices="large" data-state=${table.state} data-lost=${status.value === "lost"} onPointerMove=${moved}>
      <header>
        <h1 tabindex="-1">${t(`game.${table.game}`)}</h1>
        ${playing && scene ? html`<${Nth} view=${scene.view} />` : null}
        <span class="gap"></span>
        ${playing ? html`<${Invitation} table=${table} />` : null}
        ${table.game === "fear"
          ? html`<button class="btn quiet icon full" aria-label=${t("ui.settings.chances")} aria-pressed=${settings.value.chances}
              onClick=${() => set({ chances: !settings.value.chances })}><${Icon} name="plot" /></button>`
          : null}
        ${document.fullscreenEnabled
          ? html`<button class="btn quiet icon full" aria-label=${t("ui.screen.full")} aria-pressed=${full.value}
              onClick=${() => (full.value ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {})}>
              <${Icon} name="full" /></button>`
          : null}
        <a class="btn quiet icon full" href=${at()} aria-label=${t("ui.home")}><${Icon} name="home" /></a>
      </header>
      ${playing && scene ? html`<${Play} scene=${scene} />` : html`<${Gathering} table=${table} games=${games} />`}
      <${Bubbles} />
    </main>`;
}

/** How one comes to the table, small beside the game: to watch it, or for the next sitting. @param {{table: Table}} props */
const Invitation = ({ table }) => html`
  <p class="invitation"><span>${t("ui.screen.code")} <${Code} code=${table.code} /></span>
    <${Qr} text=${linkTo(table.id)} label=${t("ui.screen.qr")} /></p>`;

/** Before the game: how one sits down, and who sits. @param {{table: Table, games: Games}} props */
function Gathering({ table, games }) {
  const game = games.games.find((one) => one.name === table.game);
  const open = table.seats.filter((seat) => seat.kind === "open").length;
  const host = table.host === null ? null : table.seats[table.host];
  const changed = game ? Object.entries(differing(game, table.players, table.rules)) : [];
  return html`
    <div class="gathering">
      <section class="come" aria-label=${t("ui.screen.come")}>
        ${open
          ? html`
            <h2>${t("ui.screen.come")}</h2>
            <div class="ways">
              <${Qr} text=${linkTo(table.id)} label=${t("ui.screen.qr")} />
              <p><span>${t("ui.screen.scan")}</span>
                <span class="address">${outward("join").replace(/^\w+:\/\//, "")}</span>
                <${Code} code=${table.code} /></p>
            </div>
            ${onlyHere() ? html`<p class="only-here">${commands(t("ui.lobby.alone"))}</p>` : null}`
          : html`<h2>${t("ui.lobby.full")}</h2>`}
        <p class="next" role="status">
          ${host ? t(open ? "ui.screen.host" : "ui.screen.start", { name: host.name }) : t("ui.screen.first")}</p>
      </section>
      <section class="who-sits" aria-labelledby="who-sits">
        <h2 id="who-sits">${t("ui.lobby.seats")}</h2>
        <ol data-crowd=${table.players > 16 ? "many" : table.players > 8 ? "some" : "few"}>
          ${table.seats.map((seat, at) => html`
            <li key=${at} data-seat=${at} data-kind=${seat.kind} data-away=${seat.kind === "person" && !seat.here}>
              <span class="disc" aria-hidden="true">${at + 1}</span>
              <span class="name"><${Name} name=${seat.kind === "open" ? t("ui.seat.open") : seat.name} /></span>
              ${at === table.host ? html`<span class="muted">${t("ui.seat.host")}</span>` : null}
            </li>`)}
        </ol>
        ${changed.length
          ? html`<ul class="changed">${changed.map(([rule, value]) => html`<li key=${rule}>${sentence(rule, value)}</li>`)}</ul>`
          : null}
      </section>
    </div>`;
}

/** The game. @param {{scene: Scene}} props */
function Play({ scene }) {
  const { view, table, log } = scene;
  const lines = log.filter((event) => event.say && event.kind !== "turn").slice(-LINES);
  const said = table.paused ? t("ui.screen.paused") : view.over ? t("ui.screen.over") : asked(scene);
  const crowd = table.seats.length <= 6 ? "few" : table.seats.length <= 12 ? "some" : "many";
  return html`
    <div class="play" data-family=${view.counts ? "fantan" : "fear"} data-crowd=${crowd} data-version=${scene.version}>
      <ol class="seats" data-crowd=${crowd} aria-label=${t("ui.table.players")}>
        ${table.seats.map((_, seat) => html`<${Seat} key=${seat} scene=${scene} seat=${seat} />`)}
      </ol>
      <div class="board">${board(scene, false)}</div>
      <aside aria-label=${t("ui.table.log")}>
        <${Pool} view=${view} />
        <ol class="last">${lines.map((event, i) => html`<li key=${log.length - lines.length + i}>${event.say}</li>`)}</ol>
      </aside>
      <p class="now" data-what=${table.paused ? "paused" : (table.waiting?.what ?? "")}>${said}<${Remaining} /></p>
    </div>`;
}
