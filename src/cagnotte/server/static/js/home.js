// Home: five games to look at; then one game's table, made in a click.
import { NameField, Pick, Step, submitted } from "./fields.js";
import { HouseFields, differing } from "./house.js";
import { html, signal, useEffect } from "./html.js";
import { Icon } from "./icons.js";
import { JoinForm, OpenTables } from "./join.js";
import { dropSeat, held, holdSeat, set, settings } from "./keep.js";
import { nameAmong } from "./lobby.js";
import { ask } from "./net.js";
import { Picture } from "./picture.js";
import { at, visit } from "./route.js";
import { openRules } from "./rules.js";
import { lang, t } from "./text.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Games} Games */

const SEATS_SHOWN = 3;
const FEW = 5; // as many numbers of players as are shown side by side

/** What was chosen for each game, kept while the page is open.
 * @type {import("./html.js").Signal<Record<string, {players?: number, rules?: import("./house.js").Rules}>>} */
const choices = signal({});
const level = signal("");
const failed = signal("");
let asking = false;

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
    </header>
    <${Back} />
    <section aria-labelledby="games">
      <h2 id="games" class="sr">${t("ui.home.games")}</h2>
      <ul class="tiles">
        ${games.games.map(({ name }) => html`
          <li key=${name} class="tile panel">
            <${Picture} game=${name} />
            <div class="tile-text">
              <h3><a href=${at(`?game=${name}`)}>${t(`game.${name}`)}</a></h3>
              <p class="muted">${t(`game.${name}.line`)}</p>
            </div>
          </li>`)}
      </ul>
    </section>
    <${OpenTables} games=${games} />
    <${JoinForm} />
  </main>`;

/** The seats that this browser still holds. */
function Back() {
  const seats = held.value.filter((one) => one.game).slice(0, SEATS_SHOWN);
  if (!seats.length) return null;
  return html`
    <section class="resume" aria-labelledby="seats">
      <h2 id="seats" class="label">${t("ui.home.seats")}</h2>
      ${seats.map(({ table, game }) => html`
        <div class="row panel" key=${table}>
          <a class="btn quiet" href=${at(`t/${table}`)}>${t(`game.${game}`)} <span class="muted code">${table}</span></a>
          <button class="btn quiet icon" aria-label=${t("ui.home.forget", { table })} onClick=${() => dropSeat(table)}>
            <${Icon} name="close" /></button>
        </div>`)}
    </section>`;
}

/** @param {Game} game @param {number} players @param {(players: number) => void} onPick */
function players({ players: [least, most], usual: [few, many] }, players, onPick) {
  const label = t("ui.players");
  const all = Array.from({ length: most - least + 1 }, (_, at) => ({ value: least + at, label: String(least + at) }));
  const fits = players >= few && players <= many;
  const note = t(fits ? "ui.players.usual" : "ui.players.unusual", { least: few, most: many });
  return all.length <= FEW
    ? Pick({ label, name: "players", options: all, value: players, onPick })
    : Step({ id: "players", label, value: players, min: least, max: most, onPick, note });
}

/** @param {{game: Game, bots: string[]}} props */
function Choice({ game, bots }) {
  const { players: n = game.players[2], rules = {} } = choices.value[game.name] ?? {};
  const bot = bots.includes(level.value) ? level.value : (bots.at(-1) ?? "");
  /** @param {object} change */
  const choose = (change) => (choices.value = { ...choices.value, [game.name]: { players: n, rules, ...change } });

  /** @param {string} others who sits at the other seats: a level of bots, or `open` */
  async function make(others) {
    if (asking) return; // one table, however often one taps
    asking = true;
    failed.value = "";
    try {
      const made = await ask("api/tables", {
        game: game.name,
        players: n,
        rules: differing(game, n, rules),
        seats: ["person", ...Array(n - 1).fill(others)],
        name: nameAmong([]),
        pace: settings.value.pace,
        lang: lang.value,
      });
      holdSeat(made.table, made.token, game.name);
      visit(`t/${made.table}`);
    } catch (error) {
      failed.value = error instanceof TypeError ? t("ui.line.none") : String(/** @type {any} */ (error).message);
    }
    asking = false;
  }

  useEffect(() => void (failed.value = ""), []);
  return html`
    <main class="page making" id="main">
      <div class="about">
        <${Picture} game=${game.name} />
        <h1 tabindex="-1">${t(`game.${game.name}`)}</h1>
        <p class="lead">${t(`game.${game.name}.line`)}</p>
        <p><button class="btn" onClick=${() => openRules(game.name)}><${Icon} name="book" />${t("ui.rules")}</button></p>
      </div>
      <form class="panel stack make" onSubmit=${submitted(() => make(bot))}>
        <h2 class="sr">${t("ui.choice.title")}</h2>
        ${players(game, n, (players) => choose({ players }))}
        ${game.name === "fear" // where any move will do
          ? null
          : Pick({ label: t("ui.bots"), name: "bots", value: bot, onPick: (one) => (level.value = one),
              options: bots.map((value) => ({ value, label: t(`bot.${value}`) })), note: t(`bot.${bot}.line`) })}
        ${NameField({ value: settings.value.name, onPick: (name) => set({ name }) })}
        ${HouseFields({ game, players: n, chosen: rules, onPick: (rules) => choose({ rules }) })}
        ${failed.value ? html`<p role="alert" class="failed">${failed.value}</p>` : null}
        <div class="acts">
          <button class="btn primary big">${t("ui.play")}</button>
          <button type="button" class="btn big" onClick=${() => make("open")}>${t("ui.invite")}</button>
        </div>
      </form>
    </main>`;
}
