// Home: five games to look at, a code to type, and the way back to one's seats.
import { Choice } from "./choice.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { JoinForm, OpenTables } from "./join.js";
import { dropSeat, held } from "./keep.js";
import { comeBack } from "./lobby.js";
import { engine, isAlone, reachable } from "./offline.js";
import { Picture } from "./picture.js";
import { at } from "./route.js";
import { date, t } from "./text.js";
import { Unreachable } from "./unreachable.js";

/** @typedef {import("./types.js").Games} Games */

const SEATS_SHOWN = 3;

/** @param {{games: Games, game: string | null}} props */
export function Home({ games, game }) {
  const found = games.games.find((one) => one.name === game);
  return found
    ? html`<${Choice} key=${found.name} game=${found} bots=${games.bots} />`
    : html`<${Overview} games=${games} />`;
}

/** @param {{games: Games}} props */
const Overview = ({ games }) => html`
  <main class="page home" id="main">
    <header>
      <h1 tabindex="-1">${t("ui.home.title")}</h1>
      <p class="lead">${t("ui.home.line")}</p>
      <p class="ways-in">
        ${reachable.value ? html`<a class="btn to-join" href=${at("join")}><${Icon} name="enter" />${t("ui.join")}</a>` : null}
        <a class="btn" href=${at("mine")}><${Icon} name="plot" />${t("ui.mine.title")}</a>
      </p>
    </header>
    <${Unreachable} />
    <${Back} />
    <section aria-labelledby="games">
      <h2 id="games" class="sr">${t("ui.home.games")}</h2>
      <ul class="tiles">
        ${games.games.map((game) => html`<${Tile} key=${game.name} game=${game} />`)}
        ${reachable.value ? html`<li class="tile coming panel"><${JoinForm} /></li>` : null}
      </ul>
    </section>
    ${reachable.value ? html`<${OpenTables} games=${games} />` : null}
  </main>`;

/** @param {{game: import("./types.js").Game}} props */
const Tile = ({ game: { name, usual: [least, most] } }) => html`
  <li class="tile panel">
    <${Picture} game=${name} />
    <div class="tile-text">
      <h3><a href=${at(`?game=${name}`)}>${t(`game.${name}`)}</a></h3>
      <p>${t(`game.${name}.line`)}</p>
      <p class="muted small">${t("ui.home.players", { least, most })}</p>
    </div>
  </li>`;

/** The seats that this browser still holds; without a server, those at tables which it can open by itself. */
function Back() {
  const opens = (/** @type {string} */ table) => reachable.value || (isAlone(table) && engine.value.state === "kept");
  const seats = held.value.filter((one) => one.game && opens(one.table)).slice(0, SEATS_SHOWN);
  if (!seats.length) return null;
  return html`
    <section class="resume" aria-labelledby="seats">
      <h2 id="seats" class="label">${t("ui.home.seats")}</h2>
      ${seats.map(({ table, game, at: when, over }) => html`
        <div class="panel" key=${table}>
          <a class=${`btn ${over ? "quiet" : "primary"}`} href=${at(`t/${table}`)} onClick=${() => comeBack(table)}>
            <${Icon} name="back" /><span>${t(`game.${game}`)} <span class="muted">${moment(when)}</span>
              ${over ? html`<br /><span class="small">${t("ui.home.over")}</span>` : null}</span></a>
          <button class="btn quiet icon" aria-label=${t("ui.home.forget", { game: t(`game.${game}`) })}
            onClick=${() => dropSeat(table)}><${Icon} name="close" /></button>
        </div>`)}
    </section>`;
}

/** When one sat down there: the hour, or the day. @param {number} when */
function moment(when) {
  const recent = Date.now() - when < 12 * 3600_000;
  return date(when, recent ? { timeStyle: "short" } : { day: "numeric", month: "short" });
}
