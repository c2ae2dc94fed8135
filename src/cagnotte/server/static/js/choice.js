// One game's table, made in a click: how one sits, how many play, against whom, by which house rules.
import { NameField, Note, Pick, Step, Tick, submitted, typed } from "./fields.js";
import { differing, sentence, usual } from "./house.js";
import { html, signal, useEffect } from "./html.js";
import { Icon } from "./icons.js";
import { holdSeat, holdSeats, read, set, settings, write } from "./keep.js";
import { nameAmong } from "./lobby.js";
import { ask } from "./net.js";
import { engine, reachable } from "./offline.js";
import { Picture } from "./picture.js";
import { visit } from "./route.js";
import { OddsLink, openRules } from "./rules.js";
import { called, lang, t } from "./text.js";
import { Unreachable } from "./unreachable.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Made} Made */
/** @typedef {import("./house.js").Rules} Rules */
/** `persons`: how many pass the phone round, of the `players`; the others are bots.
 * @typedef {{players: number, rules: Rules, persons: number}} Chosen */

const FEW = 5; // as many numbers of players as are shown side by side
/** The ways to sit, and the picture of each. */
const WAYS = /** @type {const} */ ({ bots: "cards", friends: "people", screen: "screen", phone: "phone" });
/** @typedef {keyof typeof WAYS} Way */

/** What was chosen last, for all games and for each. @type {import("./html.js").Signal<Record<string, any>>} */
const choices = signal(read("choices") ?? {});
const failed = signal("");
/** Whether a table is being made: without a server Python has to start first, which takes some seconds. */
const asking = signal(false);

/** @param {object} changes */
function keep(changes) {
  choices.value = { ...choices.value, ...changes };
  write("choices", choices.value);
}

/** @param {unknown} n @param {number} least @param {number} most @param {number} otherwise */
const within = (n, least, most, otherwise) => (Number.isInteger(n) && Number(n) >= least && Number(n) <= most ? Number(n) : otherwise);

/** What was chosen for a game, as far as it still makes sense. @param {Game} game @returns {Chosen} */
function chosen({ name, players: [least, most, many], rules }) {
  const kept = choices.value[name] ?? {};
  const players = within(kept.players, least, most, many);
  const fits = rules.filter(({ name, values }) => {
    const value = kept.rules?.[name];
    return Array.isArray(values) ? values.includes(value) : within(value, values.min, values.max, NaN) === value;
  });
  return {
    players,
    rules: Object.fromEntries(fits.map(({ name }) => [name, kept.rules[name]])),
    persons: within(kept.persons, 2, players, Math.min(players, 3)),
  };
}

/** The names of those who pass the phone round, a number where none was given. @param {number} persons @returns {string[]} */
function names(persons) {
  const given = Array.isArray(choices.value.names) ? choices.value.names : [];
  return Array.from({ length: persons }, (_, at) => String(given[at] ?? "").trim().slice(0, 40) || `#${at + 1}`);
}

/** Make the table that was chosen, and go there. @param {Game} game @param {Way} way @param {string} bot */
async function make(game, way, bot) {
  if (asking.value) return; // one table, however often one taps
  asking.value = true;
  failed.value = "";
  const { players, rules, persons } = chosen(game);
  const seated = { bots: 1, friends: 1, screen: 0, phone: persons }[way];
  const others = way === "friends" || way === "screen" ? "open" : bot;
  try {
    /** @type {Made} */
    const made = await ask("api/tables", {
      game: game.name,
      players,
      rules: differing(game, players, rules),
      seats: Array.from({ length: players }, (_, seat) => (seat < seated ? "person" : others)),
      ...(way === "phone" ? { names: names(persons) } : way === "screen" ? {} : { name: nameAmong([]) }),
      pace: settings.value.pace,
      ...(way === "phone" ? { clock: 0 } : {}), // none runs while the phone goes from hand to hand
      lang: lang.value,
    });
    if (made.seats && made.seats.length > 1) holdSeats(made.table, made.seats, game.name);
    else if (made.token) holdSeat(made.table, made.token, game.name);
    visit(way === "screen" ? `t/${made.table}/screen` : `t/${made.table}`);
  } catch (error) {
    failed.value = error instanceof TypeError ? t("ui.line.none") : String(/** @type {any} */ (error).message);
  }
  asking.value = false;
}

/** @param {{game: Game, bots: string[]}} props */
export function Choice({ game, bots }) {
  const { players, rules, persons } = chosen(game);
  const way = /** @type {Way} */ (reachable.value && choices.value.way in WAYS ? choices.value.way : "bots");
  const bot = bots.includes(choices.value.bot) ? choices.value.bot : (bots.at(-1) ?? "");
  const able = reachable.value || engine.value.state === "kept";
  const against = way === "bots" || (way === "phone" && persons < players);
  /** @param {Partial<Chosen>} change */
  const choose = (change) => keep({ [game.name]: { players, rules, persons, ...change } });
  useEffect(() => void (failed.value = ""), []);
  return html`
    <main class="page making" id="main">
      <div class="about">
        <${Picture} game=${game.name} />
        <h1 tabindex="-1">${t(`game.${game.name}`)}</h1>
        <p class="lead">${t(`game.${game.name}.line`)}</p>
        <p class="row"><button class="btn" onClick=${() => openRules(game.name, null, { players, rules })}><${Icon} name="book" />${t("ui.rules")}</button>
          ${game.name === "fear" ? html`<${OddsLink} players=${players} stake=${rules["stake"]} />` : null}</p>
      </div>
      <form class="panel make" onSubmit=${submitted(() => void (able && make(game, way, bot)))}>
        <h2 class="sr">${t("ui.choice.title")}</h2>
        ${reachable.value ? html`<${Ways} way=${way} />` : html`<${Unreachable} />`}
        ${howMany(game, players, (players) => choose({ players }))}
        ${way === "phone" ? html`<${Passed} persons=${persons} players=${players} most=${game.players[1]} onPick=${(/** @type {number} */ persons) => choose({ persons })} />` : null}
        ${against && game.name !== "fear" // where any move will do
          ? Pick({ label: t("ui.bots"), name: "bots", value: bot, onPick: (bot) => keep({ bot }),
              options: bots.map((value) => ({ value, label: t(`bot.${value}`) })), note: t(`bot.${bot}.line`),
              among: bots.map((one) => t(`bot.${one}.line`)) })
          : null}
        ${way === "bots" || way === "friends" ? NameField({ value: settings.value.name, onPick: (name) => set({ name }) }) : null}
        <${HouseFields} game=${game} players=${players} chosen=${rules} onPick=${(/** @type {Rules} */ rules) => choose({ rules })} />
        ${failed.value ? html`<p role="alert" class="failed">${failed.value}</p>` : null}
        <div class="acts"><button class="btn primary big" aria-disabled=${asking.value || !able}>
          ${t(asking.value ? "ui.way.busy" : `ui.way.${way}.do`)}</button></div>
      </form>
    </main>`;
}

/** @param {{way: Way}} props */
const Ways = ({ way }) => html`
  <fieldset class="field">
    <legend>${t("ui.way")}</legend>
    <div class="pick ways">
      ${Object.entries(WAYS).map(([one, icon]) => html`
        <label key=${one}>
          <input type="radio" name="way" checked=${one === way} onChange=${() => keep({ way: one })} />
          <${Icon} name=${icon} /><span>${t(`ui.way.${one}`)}</span>
        </label>`)}
    </div>
    ${Note({ note: t(`ui.way.${way}.note`), among: Object.keys(WAYS).map((one) => t(`ui.way.${one}.note`)) })}
  </fieldset>`;

/** @param {Game} game @param {number} players @param {(players: number) => void} onPick */
function howMany({ players: [least, most], usual: [few, many] }, players, onPick) {
  const label = t("ui.players");
  const all = Array.from({ length: most - least + 1 }, (_, at) => ({ value: least + at, label: String(least + at) }));
  const fits = players >= few && players <= many;
  const among = ["ui.players.usual", "ui.players.unusual"].map((key) => t(key, { least: few, most: many }));
  return all.length <= FEW
    ? Pick({ label, name: "players", options: all, value: players, onPick })
    : Step({ id: "players", label, value: players, min: least, max: most, onPick, note: among[fits ? 0 : 1], among });
}

/** Who passes the phone round, where at most so many play.
 * @param {{persons: number, players: number, most: number, onPick: (persons: number) => void}} props */
function Passed({ persons, players, most, onPick }) {
  const given = Array.isArray(choices.value.names) ? choices.value.names : [];
  /** @param {number} at @param {string} name */
  const rename = (at, name) => keep({ names: Array.from({ length: Math.max(persons, given.length) }, (_, one) => (one === at ? name : (given[one] ?? ""))) });
  return html`
    ${Step({ id: "persons", label: t("ui.phone.persons"), value: persons, min: 2, max: players, onPick,
      note: persons < players ? t("ui.phone.bots", { n: players - persons }) : "",
      among: [1, most - 2].map((n) => t("ui.phone.bots", { n })) })}
    <fieldset class="field">
      <legend>${t("ui.phone.names")}</legend>
      <div class="names">
        ${Array.from({ length: persons }, (_, at) => html`
          <input key=${at} class="input" maxlength="20" autocomplete="off" value=${given[at] ?? ""}
            aria-label=${t("ui.phone.name", { nth: at + 1 })} placeholder=${called(`#${at + 1}`)}
            onInput=${typed((name) => rename(at, name))} />`)}
      </div>
    </fieldset>`;
}

/** @param {import("./types.js").Rule} rule @param {import("./types.js").RuleValue} value @param {(value: import("./types.js").RuleValue) => void} onPick */
function field({ name, values }, value, onPick) {
  const label = t(`rule.${name}`);
  if (!Array.isArray(values)) return Step({ id: `rule-${name}`, label, value: Number(value), ...values, onPick });
  if (values.join() === "on,off")
    return Tick({ label: t(`rule.${name}.on`), value: value === "on", onPick: (on) => onPick(on ? "on" : "off") });
  const options = values.map((one) => ({ value: one, label: sentence(name, one) }));
  return Pick({ label, name: `rule-${name}`, options, value: String(value), onPick, sentences: true });
}

/**
 * The house rules of a table to be made, folded away until somebody wants them.
 * @param {{game: Game, players: number, chosen: Rules, onPick: (chosen: Rules) => void}} props
 */
function HouseFields({ game, players, chosen, onPick }) {
  const changed = Object.keys(differing(game, players, chosen)).length;
  return html`
    <details class="fold">
      <summary>
        <span class="label">${t("ui.house.title")}</span>
        ${Note({ note: t("ui.house.count", { n: changed }), among: [0, game.rules.length].map((n) => t("ui.house.count", { n })) })}
      </summary>
      <div class="stack">
        ${game.rules.map((rule) =>
          field(rule, chosen[rule.name] ?? usual(rule, players), (value) => onPick({ ...chosen, [rule.name]: value })))}
        <div class="row">
          <button type="button" class="btn quiet" onClick=${() => openRules(game.name, game.rules[0]?.clause, { players, rules: chosen })}>
            ${t("ui.rules.read")}</button>
          <button type="button" class="btn quiet" aria-disabled=${!changed} onClick=${() => onPick({})}>${t("ui.house.reset")}</button>
        </div>
      </div>
    </details>`;
}
