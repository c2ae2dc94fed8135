// My sittings: what was won on this browser, by game and over time, and how much of it was luck.
import { askFirst } from "./dialog.js";
import { Pick } from "./fields.js";
import { html, useState } from "./html.js";
import { lasting, seatAt, secretsAt } from "./keep.js";
import { Answer, ask } from "./net.js";
import { isAlone } from "./offline.js";
import { Plot } from "./plots.js";
import { at } from "./route.js";
import { save } from "./save.js";
import { sheet } from "./sheet.js";
import { forget, rows } from "./tally.js";
import { date, num, signed, t } from "./text.js";

await sheet("tales");

/** @typedef {import("./tally.js").Row} Row */
/** @typedef {import("./types.js").Games} Games */

const ENOUGH = 8; // deals before the spread says anything
const SITTINGS = 12; // that are listed at first

/** @param {number[]} values */
const sum = (values) => values.reduce((all, one) => all + one, 0);
/** @param {number} n to a tenth, with its sign */
const tenth = (n) => signed(Math.round(10 * n) / 10);

/** Those that one played: a deal that one sat out is none. @param {Row[]} rows */
const taken = (rows) => rows.filter(({ out }) => !out);

/** How many deals one played; of Fear, which is kept game by game, how many games. @param {Row[]} all */
function counted(all) {
  const rows = taken(all);
  const games = rows.filter(({ game }) => game === "fear").length;
  return t(games === 0 ? "ui.mine.count.deals" : games === rows.length ? "ui.mine.count.games" : "ui.mine.count.both", { n: rows.length });
}

/** Sums after each. @param {number[]} values */
function running(values) {
  let all = 0;
  return values.map((one) => (all += one));
}

/** The half width of the interval that holds the true mean in 19 cases of 20. @param {number[]} values */
function spread(values) {
  const mean = sum(values) / values.length;
  return 1.96 * Math.sqrt(sum(values.map((one) => (one - mean) ** 2)) / (values.length - 1) / values.length);
}

/** @param {{games: Games}} props */
export function Mine({ games }) {
  const [game, setGame] = useState("");
  const [said, setSaid] = useState("");
  const all = rows.value;
  const own = all.filter(({ round }) => !round);
  const dealt = taken(own);
  const played = games.games.map(({ name }) => name).filter((name) => dealt.some((row) => row.game === name));
  const chosen = dealt.filter((row) => !game || row.game === game);
  /** Here at once; at the server, where one holds a seat, if one wishes. @param {string} table @param {number} sitting */
  const forgetOne = (table, sitting) => {
    forget({ table, sitting });
    setSaid("");
    if (seatAt(table) && !isAlone(table))
      askFirst(() => ({ title: t("ui.mine.delete"), line: t("ui.mine.delete.line"), yes: t("ui.mine.delete.yes") }), async () => setSaid(await askToDelete(table)));
  };
  return html`
    <main class="page mine-page" id="main">
      <header>
        <h1 tabindex="-1">${t("ui.mine.title")}</h1>
        <p class="lead">${t(lasting ? "ui.mine.line" : "ui.mine.line.blocked")}</p>
        ${all.length ? null : html`<p role="status">${said}</p>`}
      </header>
      ${all.length === 0
        ? html`<section class="panel pad nothing"><p>${t("ui.mine.none")}</p>
            <p><a class="btn primary" href=${at()}>${t("ui.mine.start")}</a></p></section>`
        : html`
          ${dealt.length ? html`<section aria-labelledby="by-game">
            <h2 id="by-game">${t("ui.mine.games")}</h2>
            <ul class="games">${played.map((name) => html`<${OfGame} key=${name} name=${name} rows=${own.filter((row) => row.game === name)} />`)}</ul>
            ${played.some((name) => dealt.filter((row) => row.game === name).length >= ENOUGH) ? html`<p class="muted small">${t("ui.mine.spread")}</p>` : null}
          </section>
          <section aria-labelledby="over-time">
            <h2 id="over-time">${t("ui.mine.time")}</h2>
            ${played.length > 1
              ? Pick({ label: t("ui.mine.which"), name: "which", value: game, onPick: setGame,
                  options: [{ value: "", label: t("ui.mine.all") }, ...played.map((value) => ({ value: String(value), label: t(`game.${value}`) }))] })
              : null}
            <${Plots} key=${game} rows=${chosen} />
          </section>` : null}
          <${Sittings} rows=${all} onForget=${forgetOne} said=${said} />
          <section class="row keeping" aria-label=${t("ui.mine.keeping")}>
            <button class="btn" onClick=${() => save("cagnotte-my-sittings.json", { version: 1, rows: all })}>${t("ui.mine.export")}</button>
            <button class="btn" onClick=${() => askFirst(() => ({ title: t("ui.mine.forget"), line: t("ui.mine.forget.line"), yes: t("ui.mine.forget.yes") }), () => forget())}>
              ${t("ui.mine.forget")}</button>
          </section>`}
    </main>`;
}

/** The sittings that came to their end. @param {Row[]} rows */
const ended = (rows) => rows.filter(({ place }) => place !== null);

/** @param {{name: string, rows: Row[]}} props */
function OfGame({ name, rows: all }) {
  const sittings = ended(all);
  const rows = taken(all);
  const changes = rows.map(({ change }) => change);
  const known = rows.filter(({ luck }) => luck !== null);
  const luck = sum(known.map((row) => row.luck ?? 0)) / known.length;
  const fear = name === "fear";
  /** @param {string} key @param {string} value @param {string} [more] */
  const figure = (key, value, more) => html`<div><dt>${t(`ui.mine.${key}`)}</dt><dd>${value}${more ? html` <span class="muted">${more}</span>` : null}</dd></div>`;
  return html`
    <li class="panel pad">
      <h3>${t(`game.${name}`)}</h3>
      <dl class="figures">
        ${figure("sittings", num(sittings.length))}
        ${figure("won", num(sittings.filter(({ place }) => place === 1).length))}
        ${fear ? null : figure("deals", num(rows.length))}
        ${figure(fear ? "chips_game" : "chips", tenth(sum(changes) / rows.length), rows.length < ENOUGH ? t("ui.mine.few") : `±${num(Math.round(10 * spread(changes)) / 10)}`)}
        ${known.length ? figure("cards", tenth(luck)) : null}
        ${known.length ? figure("play", tenth(sum(known.map(({ change }) => change)) / known.length - luck)) : null}
      </dl>
    </li>`;
}

/** @param {{rows: Row[]}} props */
function Plots({ rows }) {
  const known = rows.filter(({ luck }) => luck !== null);
  const chips = running(rows.map(({ change }) => change));
  const cards = running(known.map(({ luck }) => luck ?? 0));
  const play = running(known.map(({ change, luck }) => change - (luck ?? 0)));
  const head = t(rows.every(({ game }) => game === "fear") ? "ui.mine.nth.game" : "ui.mine.nth");
  return html`
    <div class="plots">
      <${Plot} id="chips" head=${head} title=${t("ui.mine.plot.chips")} says=${t("ui.mine.plot.chips.says", { count: counted(rows), chips: signed(chips.at(-1) ?? 0) })}
        lines=${[{ name: t("ui.mine.plot.won"), values: chips }]} />
      ${known.length
        ? html`<${Plot} id="luck" head=${head} title=${t("ui.luck")}
            says=${t("ui.mine.plot.luck.says", { count: counted(known), cards: signed(Math.round(cards.at(-1) ?? 0)), play: signed(Math.round(play.at(-1) ?? 0)) })}
            lines=${[{ name: t("ui.luck.cards"), values: cards }, { name: t("ui.luck.play"), values: play }]} />`
        : null}
    </div>
    ${known.length ? html`<p class="muted small">${t("ui.luck.line")}</p>` : null}`;
}

/** Have a table deleted at the server, as far as it lies with who asks, by all the seats held; what came of it. @param {string} table */
async function askToDelete(table) {
  try {
    let deleted, asked, persons;
    for (const token of secretsAt(table)) {
      ({ deleted, asked, persons } = await ask(`api/forget/${encodeURIComponent(table)}`, {}, token));
      if (deleted) break;
    }
    if (deleted) forget({ table });
    return deleted ? t("ui.mine.delete.done") : t("ui.mine.delete.asked", { asked, persons });
  } catch (error) {
    return error instanceof Answer ? error.message : t("ui.line.none");
  }
}

/** The latest sittings, each with a way to see it again. @param {{rows: Row[], onForget: (table: string, sitting: number) => void, said: string}} props */
function Sittings({ rows, onForget, said }) {
  const [all, setAll] = useState(false);
  /** @type {Map<string, Row[]>} */
  const found = new Map();
  for (const row of rows.toReversed()) {
    const key = `${row.table} ${row.sitting}`;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  const sittings = [...found.values()];
  return html`
    <section aria-labelledby="sittings">
      <h2 id="sittings">${t("ui.mine.latest")}</h2>
      <p role="status">${said}</p>
      <ul class="sat">
        ${sittings.slice(0, all ? undefined : SITTINGS).map((deals) => {
          const { table, sitting, game, players, at: when, round } = /** @type {Row} */ (deals[0]);
          const place = deals.find((row) => row.place !== null)?.place ?? null;
          const day = date(when, { dateStyle: "medium" });
          return html`
            <li class="panel" key=${`${table} ${sitting}`}>
              <a href=${at(`t/${encodeURIComponent(table)}/replay?sitting=${sitting}&deal=1`)}><b>${t(`game.${game}`)}</b> <span class="muted">${day}</span></a>
              <span class="how">${round ? t("ui.mine.round", { chips: round.map(([name, chips]) => `${name}\u00a0${num(chips)}`).join(", ") }) : place === null ? t("ui.mine.unfinished", { count: counted(deals) }) : t("ui.mine.place", { place, of: players })}</span>
              <b class="chips-won">${round ? "" : signed(sum(deals.map(({ change }) => change)))}</b>
              <button class="btn quiet" aria-label=${t("ui.mine.forget.one", { game: t(`game.${game}`), day })} onClick=${() => onForget(table, sitting)}>
                ${t("ui.mine.forget.short")}</button>
            </li>`;
        })}
      </ul>
      ${!all && sittings.length > SITTINGS ? html`<button class="btn" onClick=${() => setAll(true)}>${t("ui.mine.more", { n: sittings.length - SITTINGS })}</button>` : null}
    </section>`;
}
