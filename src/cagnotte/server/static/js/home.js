// Home: five games to look at; then one game's table, made in a click.
import { Step, Pick } from "./fields.js";
import { HouseFields, differing } from "./house.js";
import { html, signal, useEffect } from "./html.js";
import { Icon } from "./icons.js";
import { dropSeat, held, holdSeat, set, settings } from "./keep.js";
import { nameAmong } from "./lobby.js";
import { ask } from "./net.js";
import { Picture } from "./picture.js";
import { tableIn, visit } from "./route.js";
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
  return found ? html`<${Choice} key=${found.name} game=${found} bots=${games.bots} />` : html`<${Overview} games=${games.games} />`;
}

/** @param {{games: Game[]}} props */
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
        ${games.map(({ name }) => html`
          <li key=${name} class="tile panel">
            <${Picture} game=${name} />
            <div class="tile-text">
              <h3><a href=${`?game=${name}`}>${t(`game.${name}`)}</a></h3>
              <p class="muted">${t(`game.${name}.line`)}</p>
            </div>
          </li>`)}
      </ul>
    </section>
    <${Join} />
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
          <a class="btn quiet" href=${`t/${table}`}>${t(`game.${game}`)} <span class="muted code">${table}</span></a>
          <button class="btn quiet icon" aria-label=${t("ui.home.forget", { table })} onClick=${() => dropSeat(table)}><${Icon} name="close" /></button>
        </div>`)}
    </section>`;
}

const Join = () => html`
  <form class="join" onSubmit=${(/** @type {any} */ event) => {
    event.preventDefault();
    const table = tableIn(new FormData(event.currentTarget).get("table")?.toString() ?? "");
    if (table) visit(`t/${encodeURIComponent(table)}`);
  }}>
    <label class="label" for="join">${t("ui.join.label")}</label>
    <div class="row">
      <input class="input" id="join" name="table" required placeholder=${t("ui.join.hint")} autocomplete="off"
        autocapitalize="none" spellcheck=${false} enterkeyhint="go" />
      <button class="btn">${t("ui.join")}</button>
    </div>
  </form>`;

/** @param {{game: Game, bots: string[]}} props */
function Choice({ game, bots }) {
  const [least, most, fit] = game.players;
  const { players = fit, rules = {} } = choices.value[game.name] ?? {};
  const bot = bots.includes(level.value) ? level.value : (bots.at(-1) ?? "");
  /** @param {object} change */
  const choose = (change) => (choices.value = { ...choices.value, [game.name]: { players, rules, ...change } });

  /** @param {string} others who sits at the other seats: a level of bots, or `open` */
  async function make(others) {
    if (asking) return; // one table, however often one taps
    asking = true;
    failed.value = "";
    const seats = ["person", ...Array(players - 1).fill(others)];
    const { pace } = settings.value;
    try {
      const made = await ask("api/tables", {
        game: game.name, players, rules: differing(game, players, rules), seats, name: nameAmong([]), pace, lang: lang.value,
      });
      holdSeat(made.table, made.token, game.name);
      visit(`t/${made.table}`);
    } catch (error) {
      failed.value = error instanceof TypeError ? t("ui.line.none") : String(/** @type {any} */ (error).message);
    }
    asking = false;
  }

  useEffect(() => void (failed.value = ""), []);
  const label = t("ui.players");
  const count = most - least < FEW
    ? html`<${Pick} label=${label} name="players" value=${players} onPick=${(/** @type {number} */ n) => choose({ players: n })}
        options=${Array.from({ length: most - least + 1 }, (_, at) => ({ value: least + at, label: String(least + at) }))} />`
    : html`<${Step} id="players" label=${label} value=${players} min=${least} max=${most} onPick=${(/** @type {number} */ n) => choose({ players: n })}
        note=${t(players < game.usual[0] || players > game.usual[1] ? "ui.players.unusual" : "ui.players.usual", { least: game.usual[0], most: game.usual[1] })} />`;

  return html`
    <main class="page making" id="main">
      <div class="about">
        <${Picture} game=${game.name} />
        <h1 tabindex="-1">${t(`game.${game.name}`)}</h1>
        <p class="lead">${t(`game.${game.name}.line`)}</p>
        <p><button class="btn" onClick=${() => openRules(game.name)}><${Icon} name="book" />${t("ui.rules")}</button></p>
      </div>
      <form class="panel stack make" onSubmit=${(/** @type {any} */ event) => { event.preventDefault(); make(bot); }}>
        <h2 class="sr">${t("ui.choice.title")}</h2>
        ${count}
        <${Pick} label=${t("ui.bots")} name="bots" value=${bot} onPick=${(/** @type {string} */ one) => (level.value = one)}
          options=${bots.map((value) => ({ value, label: t(`bot.${value}`) }))} note=${t(`bot.${bot}.line`)} />
        <div class="field">
          <label for="name">${t("ui.name")}</label>
          <input class="input" id="name" maxlength="20" autocomplete="nickname" placeholder=${t("ui.name.none")} value=${settings.value.name}
            onChange=${(/** @type {any} */ event) => set({ name: event.currentTarget.value.trim() })} />
        </div>
        <${HouseFields} game=${game} players=${players} chosen=${rules} onPick=${(/** @type {object} */ rules) => choose({ rules })} />
        ${failed.value ? html`<p role="alert" class="failed">${failed.value}</p>` : null}
        <div class="acts">
          <button class="btn primary big">${t("ui.play")}</button>
          <button type="button" class="btn big" onClick=${() => make("open")}>${t("ui.invite")}</button>
        </div>
      </form>
    </main>`;
}
