// The odds of Fear: who wins how often, how long it takes, why, and which stake the time allows.
import { Step, typed } from "./fields.js";
import { useEffect, html, useRef, useState } from "./html.js";
import { MOST_CHIPS, MOST_PLAYERS, PACK, chances, lengthOf, margin, mean, minutesOf, quantile, spreadsOf, stakes } from "./reckon.js";
import { sheet } from "./sheet.js";
import { num, percent, t } from "./text.js";

await sheet("odds");

/** @typedef {import("./reckon.js").Pace} Pace */
/** @typedef {import("./reckon.js").Chances} Chances */
/** @typedef {{chips: number[], down: number, fresh: boolean}} Asked `fresh`: a game begins, and the last deals */

const HALF = 0.5;
const NINE = 0.9;
const ALL = 0.999; // of the games, to which the plot reaches
const BARS = 150; // of the plot, at most
const [WIDE, HIGH, FOOT] = [720, 210, 30];

/** @param {number} value */
const tenth = (value) => num(Math.round(10 * value) / 10);

/** What a promise of these brings; until then what the last one brought. @template T
 * @param {() => Promise<T>} ask @param {unknown[]} of @returns {{found: T | null, failed: boolean}} */
function useAnswer(ask, of) {
  const [answer, setAnswer] = useState(/** @type {{found: T | null, failed: boolean}} */ ({ found: null, failed: false }));
  useEffect(() => {
    let wanted = true;
    ask().then((found) => wanted && setAnswer({ found, failed: false }), () => wanted && setAnswer(({ found }) => ({ found, failed: true })));
    return () => void (wanted = false);
  }, of);
  return answer;
}

/** The chips of each as they were typed, or null where that is nothing. @param {string} text */
function chipsOf(text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const chips = parts.map(Number);
  const right = chips.every((one) => Number.isInteger(one) && one >= 1 && one <= MOST_CHIPS);
  return right && chips.length >= 2 && chips.length <= MOST_PLAYERS ? chips : null;
}

/** A number of the address, within its bounds. @param {string} name @param {number} most @param {number} usual */
function given(name, most, usual) {
  const value = Number(new URLSearchParams(location.search).get(name));
  return Number.isInteger(value) && value >= 1 && value <= most ? value : usual;
}

/** @param {{games: import("./types.js").Games}} props */
export function Odds({ games }) {
  const usual = games.games.find(({ name }) => name === "fear")?.rules.find(({ name }) => name === "stake")?.default;
  const first = Math.max(2, given("players", MOST_PLAYERS, 6));
  const [players, setPlayers] = useState(first);
  const [stake, setStake] = useState(given("stake", MOST_CHIPS, Number(typeof usual === "object" ? usual[first] : usual) || 2));
  const [text, setText] = useState("");
  const [down, setDown] = useState(PACK);
  const [card, setCard] = useState(4);
  const [spread, setSpread] = useState(60);
  const typedIn = chipsOf(text);
  const chips = typedIn ?? Array(players).fill(stake);
  const fresh = down === PACK && new Set(chips).size === 1;
  const pace = { card, spread };
  return html`
    <main class="page odds-page" id="main">
      <header>
        <h1 tabindex="-1">${t("ui.odds.title")}</h1>
        <p class="lead">${t("ui.odds.line")}</p>
      </header>
      <section class="panel pad odds-asked" aria-labelledby="odds-asked">
        <h2 id="odds-asked" class="sr">${t("ui.odds.asked")}</h2>
        ${Step({ id: "players", label: t("ui.odds.how-many"), value: players, min: 2, max: MOST_PLAYERS, onPick: setPlayers })}
        ${Step({ id: "stake", label: t("ui.odds.stake"), value: stake, min: 1, max: MOST_CHIPS, onPick: setStake })}
        ${Step({ id: "card", label: t("ui.odds.card"), value: card, min: 1, max: 60, onPick: setCard })}
        ${Step({ id: "spread", label: t("ui.odds.spread"), value: spread, min: 0, max: 600, onPick: setSpread })}
        <details class="fold">
          <summary>${t("ui.odds.position")}</summary>
          <div class="stack">
            <div class="field">
              <label for="chips">${t("ui.odds.chips")}</label>
              <input class="input" id="chips" inputmode="numeric" autocomplete="off" placeholder="2, 1, 3" value=${text}
                aria-invalid=${text.trim() !== "" && !typedIn} aria-describedby="chips-note" onInput=${typed(setText)} />
              <p class="muted small" id="chips-note">${t("ui.odds.chips.note")}</p>
            </div>
            ${Step({ id: "down", label: t("ui.odds.face-down"), value: down, min: 1, max: PACK, onPick: setDown })}
          </div>
        </details>
      </section>
      <div class="odds-found">
        <${Answers} chips=${chips} down=${down} fresh=${fresh} pace=${pace} />
        <${Planner} players=${chips.length} pace=${pace} />
      </div>
    </main>`;
}

/** @param {Asked & {pace: Pace}} props */
function Answers({ chips, down, fresh, pace }) {
  const key = [chips.join(), down];
  const other = fresh ? Array(chips.length).fill(chips[0] === 1 ? 2 : 1) : null;
  const { found, failed } = useAnswer(async () => {
    const [win, length] = await Promise.all([chances(chips, down), lengthOf(chips, down)]);
    return { chips, down, fresh, win, length };
  }, key);
  const { found: compared } = useAnswer(
    async () => other && { stake: other[0] ?? 1, win: await chances(other, PACK), length: await lengthOf(other, PACK), players: other.length },
    [other?.join()],
  );
  if (failed) return html`<p role="alert" class="failed">${t("ui.odds.failed")}</p>`;
  if (!found) return html`<p class="muted" role="status">${t("ui.loading")}</p>`;
  const { win, length } = found;
  return html`
    <p role="status" class="muted how-known">${t("ui.odds.players", { n: found.chips.length })} · ${t("ui.odds.down", { n: found.down })}.${" "}
      ${win.games ? t("ui.odds.simulated", { n: win.games }) : t("ui.odds.exact")}</p>
    <section class="panel pad" aria-labelledby="odds-win">
      <h2 id="odds-win">${t("ui.odds.who")}</h2>
      <div class="who-wins">
        <${Ring} win=${win.win} fresh=${found.fresh} />
        <${Seats} ...${found} />
      </div>
    </section>
    <section class="panel pad" aria-labelledby="odds-why">
      <h2 id="odds-why">${t("ui.odds.why")}</h2>
      <ul class="insights">${insights(found, compared).map((line) => html`<li key=${line}>${line}</li>`)}</ul>
    </section>
    <section class="panel pad" aria-labelledby="odds-long">
      <h2 id="odds-long">${t("ui.odds.length")}</h2>
      <${HowLong} chance=${length.chance} down=${found.down} pace=${pace} />
    </section>`;
}

/** Those at the table, as large as their chances; to the right goes the play, so round the picture as the clock does not.
 * @param {{win: number[], fresh: boolean}} props */
function Ring({ win, fresh }) {
  const n = win.length;
  const most = Math.max(...win);
  const room = Math.min(23, (Math.PI * 88) / n - 1.5); // for the greatest
  return html`
    <svg class="ring-of" viewBox="0 0 260 220" aria-hidden="true">
      <ellipse class="cloth" cx="130" cy="110" rx="92" ry="72" />
      <path class="round" d="M112 136A32 28 0 1 0 112 84" />
      <path class="round" d="M123 80l-11 4 4 11" />
      ${win.map((part, i) => {
        const angle = Math.PI / 2 - (2 * Math.PI * (i + 1)) / n; // the last, who deals, sits below
        const [x, y] = [130 + 100 * Math.cos(angle), 110 + 80 * Math.sin(angle)];
        const r = Math.max(3, room * Math.sqrt(part / most));
        const low = part < 0.75 / n;
        return html`<g key=${i} class=${low ? "low" : ""}><circle class="base" cx=${x} cy=${y} r=${room} /><circle cx=${x} cy=${y} r=${r} />
          ${r > 6 ? html`<text x=${x} y=${y + 4} text-anchor="middle">${i + 1}</text>` : null}</g>`;
      })}
      ${fresh ? html`<text class="deals" x="130" y=${218 - 34 - room} text-anchor="middle">${t("ui.odds.seat.dealer")}</text>` : null}
    </svg>`;
}

/** @param {Asked & {win: Chances}} props */
function Seats({ chips, fresh, win }) {
  const most = Math.max(...win.win);
  const share = 1 / chips.length;
  return html`
    <table class="seats-of" data-alike=${new Set(chips).size === 1}>
      <caption>${t("ui.odds.order")}</caption>
      <thead class="sr"><tr>
        <th scope="col">${t("ui.odds.nth")}</th><th scope="col">${t("ui.odds.has")}</th><th scope="col">${t("ui.odds.chance")}</th><th aria-hidden="true"></th>
      </tr></thead>
      <tbody>
        ${win.win.map((part, i) => html`
          <tr key=${i} data-low=${part < 0.75 * share}>
            <th scope="row">${num(i + 1)}${" "}<span class="muted">${i === chips.length - 1 && fresh ? t("ui.odds.seat.dealer") : i === 0 ? t("ui.odds.seat.first") : ""}</span></th>
            <td class="muted">${t("chips", { n: chips[i] ?? 0 })}</td>
            <td>${percent(part, 1)}${win.games ? html`${" "}<span class="muted">±${"\u00a0"}${num(Math.round(1000 * margin(win, i)) / 10)}</span>` : null}</td>
            <td class="bar-of" aria-hidden="true"><i style=${{ width: `${(100 * part) / most}%` }} /><b style=${{ left: `${(100 * share) / most}%` }} /></td>
          </tr>`)}
      </tbody>
    </table>
    <p class="muted small share">${t("ui.odds.share", { part: percent(share, 1) })}</p>`;
}

/** What follows from it, in words.
 * @param {Asked & {win: Chances, length: import("./reckon.js").Length}} found
 * @param {{stake: number, win: Chances, length: import("./reckon.js").Length, players: number} | null} compared */
function insights({ chips, down, fresh, win: { win }, length }, compared) {
  const n = chips.length;
  const place = ((down - 1) % n) + 1;
  const said = [t("ui.odds.say.choice", { n: down }), t(place === n && fresh ? "ui.odds.say.last.dealer" : "ui.odds.say.last", { place })];
  if (!fresh) return said;
  const [best, worst] = [Math.max(...win), Math.min(...win)];
  said.push(
    t("ui.odds.say.seats", { best: win.indexOf(best) + 1, worst: win.indexOf(worst) + 1, high: percent(best, 1), low: percent(worst, 1) }),
    t("ui.odds.say.dealer", { part: percent(win.at(-1) ?? 0, 1), share: percent(1 / n, 1) }),
  );
  if (compared?.players === n)
    said.push(t("ui.odds.say.stake", {
      n: compared.stake, high: percent(Math.max(...compared.win.win), 1), low: percent(Math.min(...compared.win.win), 1),
      other: Math.round(mean(compared.length.chance, (cards) => cards)), cards: Math.round(mean(length.chance, (cards) => cards)),
    }));
  return said;
}

/** @param {{chance: number[], down: number, pace: Pace}} props */
function HowLong({ chance, down, pace }) {
  const ends = [quantile(chance, HALF), quantile(chance, NINE)];
  /** @param {(cards: number) => number} figure @param {(value: number) => string} [round] */
  const row = (figure, round = (value) => num(Math.round(value))) =>
    html`<td>${tenth(mean(chance, figure))}</td>${ends.map((end, i) => html`<td key=${i}>${round(figure(end))}</td>`)}`;
  return html`
    <table class="figures-of">
      <thead><tr><td></td>${["mean", "half", "nine"].map((one) => html`<th scope="col" key=${one}>${t(`ui.odds.${one}`)}</th>`)}</tr></thead>
      <tbody>
        <tr><th scope="row">${t("ui.odds.minutes")}</th>${row((cards) => minutesOf(cards, down, pace))}</tr>
        <tr><th scope="row">${t("ui.odds.spreads")}</th>${row((cards) => spreadsOf(cards, down))}</tr>
        <tr><th scope="row">${t("ui.odds.cards")}</th>${row((cards) => cards)}</tr>
      </tbody>
    </table>
    <p class="muted small">${t("ui.odds.pace", { card: pace.card, spread: pace.spread })}</p>
    <${Distribution} chance=${chance} down=${down} pace=${pace} ends=${ends} />`;
}

/** The chance of each length: a bar for some cards, a line where a spread ends.
 * @param {{chance: number[], down: number, pace: Pace, ends: number[]}} props */
function Distribution({ chance, down, pace, ends }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [wide, setWide] = useState(WIDE);
  useEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([seen]) => seen && setWide(Math.max(240, Math.round(seen.contentRect.width))));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const spreads = spreadsOf(quantile(chance, ALL), down);
  const most = down + (spreads - 1) * PACK;
  const size = Math.ceil(most / Math.min(BARS, wide / 3));
  const bars = Array.from({ length: Math.ceil(most / size) }, (_, i) => {
    let part = 0;
    for (let cards = i * size + 1; cards <= (i + 1) * size; cards += 1) part += chance[cards] ?? 0;
    return part;
  });
  const top = Math.max(...bars);
  const foot = HIGH - FOOT;
  /** @param {number} cards */
  const x = (cards) => (wide * cards) / most;
  const lines = Array.from({ length: spreads }, (_, i) => down + i * PACK);
  const every = Math.ceil(spreads / Math.max(1, Math.floor(wide / 70)));
  let over = chance[0] ?? 0;
  let counted = 0;
  const rows = lines.map((cards, i) => {
    for (; counted < cards; counted += 1) over += chance[counted + 1] ?? 0;
    return { n: i + 1, cards, over };
  });
  const says = t("ui.odds.plot.says", { half: ends[0] ?? 0, nine: ends[1] ?? 0 });
  return html`
    <figure class="lengths">
      <div ref=${box}>
        <svg viewBox=${`0 0 ${wide} ${HIGH}`} width=${wide} height=${HIGH} role="img" aria-labelledby="odds-plot">
          <title id="odds-plot">${says}</title>
          ${lines.map((cards, i) => html`<g key=${cards}><path class="grid" d=${`M${x(cards)} 18V${foot}`} />
            ${(i + 1) % every === 0 ? html`<text x=${x(cards) - 2} y=${HIGH - 10} text-anchor="end">${num(cards)}</text>` : null}</g>`)}
          ${bars.map((part, i) => html`<rect key=${i} class="one" x=${x(i * size) + 0.5} width=${Math.max(0.5, x(size) - 1)}
            y=${foot - ((foot - 22) * part) / top} height=${((foot - 22) * part) / top} />`)}
          <path class="zero" d=${`M0 ${foot}H${wide}`} />
          ${ends.map((end, i) => html`<g key=${i} class="end"><path d=${`M${x(end)} 16V${foot}`} />
            <text x=${Math.min(Math.max(x(end), 18), wide - 18)} y="12" text-anchor="middle">${percent(i ? NINE : HALF)}</text></g>`)}
        </svg>
      </div>
      <figcaption class="muted small">${t("ui.odds.plot")}</figcaption>
      <details class="fold"><summary>${t("ui.odds.figures")}</summary>
        <table class="figures-of">
          <thead><tr><th scope="col">${t("ui.odds.spreads")}</th><th scope="col">${t("ui.odds.cards")}</th>
            <th scope="col">${t("ui.odds.minutes")}</th><th scope="col">${t("ui.odds.over")}</th></tr></thead>
          <tbody>${rows.map(({ n, cards, over }) => html`<tr key=${n}><th scope="row">${num(n)}</th><td>${num(cards)}</td>
            <td>${num(Math.round(minutesOf(cards, down, pace)))}</td><td>${percent(Math.min(1, over), 1)}</td></tr>`)}</tbody>
        </table>
      </details>
    </figure>`;
}

/** So many players have so much time: which stake? @param {{players: number, pace: Pace}} props */
function Planner({ players, pace }) {
  const [minutes, setMinutes] = useState(20);
  const { found } = useAnswer(async () => ({ minutes, list: await stakes(players, minutes, pace) }), [players, minutes, pace.card, pace.spread]);
  const rows = (found?.list ?? []).map(({ stake, chance }) => {
    /** @param {number} cards */
    const figure = (cards) => minutesOf(cards, PACK, pace);
    return { stake, times: [mean(chance, figure), figure(quantile(chance, HALF)), figure(quantile(chance, NINE))] };
  });
  const best = rows.findLast(({ times }) => (times[2] ?? 0) <= (found?.minutes ?? 0));
  const said = !found ? t("ui.loading")
    : best ? t("ui.odds.plan.stake", { n: best.stake, minutes: found.minutes, within: Math.round(best.times[2] ?? 0) })
    : t("ui.odds.plan.none", { minutes: found.minutes });
  return html`
    <section class="panel pad planner" aria-labelledby="odds-plan">
      <h2 id="odds-plan">${t("ui.odds.plan")}</h2>
      ${Step({ id: "minutes", label: t("ui.odds.plan.minutes"), value: minutes, min: 1, max: 600, onPick: setMinutes })}
      <p role="status" class="answer">${said}</p>
      ${rows.length
        ? html`<table class="figures-of">
            <caption class="muted small">${t("ui.odds.plan.table", { n: players })}</caption>
            <thead><tr><th scope="col">${t("ui.odds.stake")}</th>${["mean", "half", "nine"].map((one) => html`<th scope="col" key=${one}>${t(`ui.odds.${one}`)}</th>`)}</tr></thead>
            <tbody>${rows.map(({ stake, times }) => html`<tr key=${stake} data-best=${stake === best?.stake}><th scope="row">${num(stake)}</th>
              ${times.map((time, i) => html`<td key=${i}>${num(Math.round(time))}</td>`)}</tr>`)}</tbody>
          </table>`
        : null}
    </section>`;
}
