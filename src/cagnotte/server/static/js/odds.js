// The odds of Fear: who wins how often, how long it takes, why, and which stake the time allows.
import { Step, typed } from "./fields.js";
import { useEffect, html, useRef, useState } from "./html.js";
import { remember } from "./offline.js";
import { MOST_CHIPS, MOST_PLAYERS, PACK, chances, lengthOf, margin, mean, meanMargin, minutesOf, quantile, quantileMargin, spreadsOf, stakes } from "./reckon.js";
import { sheet } from "./sheet.js";
import { decimal, num, percent, t } from "./text.js";

await sheet("odds");

/** @typedef {import("./reckon.js").Pace} Pace */
/** @typedef {import("./reckon.js").Chances} Chances */
/** @typedef {{chips: number[], down: number, fresh: boolean}} Asked `fresh`: a game begins, and the last deals */

const HALF = 0.5;
const NINE = 0.9;
const ALL = 0.999; // of the games, to which the plot reaches
const BARS = 150; // of the plot, at most
const [WIDE, HIGH, FOOT] = [720, 210, 30];
const [MOST_CARD, MOST_SPREAD, MOST_MINUTES] = [60, 600, 600];
/** @type {Record<string, [number, number]>} */
const BOUNDS = {
  players: [2, MOST_PLAYERS], stake: [1, MOST_CHIPS], down: [1, PACK],
  card: [1, MOST_CARD], spread: [0, MOST_SPREAD], minutes: [1, MOST_MINUTES],
};
const SIGN = 36; // px that a sign such as 90% takes
const LATE = 150; // ms, from which on it is said that an answer is still awaited
const USUAL = { players: 6, down: PACK, card: 4, spread: 60, minutes: 20 };
const LEAST = 0.001; // of a chance that is told in figures
const ALIKE = 1e-9; // chances that differ by less are equal
const ROOM = 14; // players up to whom a disc, or what is round it, has room for its number
const [LEGIBLE, USUAL_SIZE] = [9, 12]; // of a number, in units of the picture

/** A figure to so many digits behind its point: halves are rounded up, and what is not nothing is never told to be.
 * @param {number} value @param {number} [digits] */
function figured(value, digits = 0) {
  const least = 10 ** -digits;
  if (value > 0 && value < least / 2) return t("ui.odds.under", { part: num(least) });
  return decimal(Math.round(Number((value / least).toFixed(6))) * least, digits);
}

/** How far off it may be, rounded up; nothing where it is exact. @param {number} off @param {number} [digits] */
const offBy = (off, digits = 0) =>
  off ? html`${" "}<span class="muted off">±${"\u00a0"}${decimal(Math.ceil(off * 10 ** digits) / 10 ** digits, digits)}</span>` : null;

/** A chance in per cent; what is not nothing is never told to be, as what dice never brought may not be.
 * @param {number} part @param {number} games @param {(least: string) => string} [under] how that is said */
const chanceOf = (part, games, under = (least) => t("ui.odds.under", { part: least })) =>
  part < LEAST / 2 && (part || games) ? under(percent(LEAST, 1)) : percent(part, 1);

/** An interval in per cent, which is never told to be nothing. @param {number} value */
const hundredths = (value) => decimal(Math.max(0.01, value), 2);

/** What a promise of these brings, and until then what the last one brought; `late` where that is awaited for long.
 * @template T @typedef {{found: T | null, failed: boolean, late: boolean}} Answer */

/** @template T @param {(until: AbortSignal) => Promise<T>} ask @param {unknown[]} of @returns {Answer<T>} */
function useAnswer(ask, of) {
  const [answer, setAnswer] = useState(/** @type {Answer<T>} */ ({ found: null, failed: false, late: false }));
  useEffect(() => {
    const over = new AbortController();
    const late = setTimeout(() => setAnswer((answer) => ({ ...answer, late: true })), LATE);
    /** @param {Answer<T>} answer */
    const settle = (answer) => {
      clearTimeout(late);
      if (!over.signal.aborted) setAnswer(answer);
    };
    ask(over.signal).then(
      (found) => settle({ found, failed: false, late: false }),
      () => settle({ found: null, failed: true, late: false }),
    );
    return () => {
      clearTimeout(late);
      over.abort();
    };
  }, of);
  return answer;
}

/** The chips of each as they were typed, or a sentence that says what is wrong with them.
 * @param {string} text @returns {{chips?: number[], wrong?: string}} */
function chipsOf(text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const part = parts.find((one) => !/^\d+$/.test(one) || Number(one) < 1 || Number(one) > MOST_CHIPS);
  if (part !== undefined) return { wrong: t("ui.odds.chips.wrong", { part: part.slice(0, 12) }) };
  if (parts.length < 2) return { wrong: t("ui.odds.chips.few") };
  if (parts.length > MOST_PLAYERS) return { wrong: t("ui.odds.chips.many", { n: parts.length }) };
  return { chips: parts.map(Number) };
}

/** What the address has of this name. @param {string} name */
const written = (name) => new URLSearchParams(location.search).get(name);

/** A number of the address, within its bounds; null where there is none. @param {string} name */
function given(name) {
  const [text, [least, most]] = [written(name), BOUNDS[name] ?? [0, 0]];
  const value = Number(text);
  return text && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** What the address asks for that cannot be. */
const impossible = () =>
  Object.keys(BOUNDS)
    .filter((name) => written(name) && given(name) === null)
    .map((name) => `${name}=${written(name)?.slice(0, 12)}`)
    .join(", ");

/** Have in the address what is asked, as far as it is not the usual. @param {Record<string, number | string | null>} asked */
function note(asked) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked))
    if (value !== null && value !== "" && value !== /** @type {Record<string, unknown>} */ (USUAL)[name]) search.set(name, `${value}`);
  const text = `${search}`.replaceAll("%2C", ",");
  history.replaceState(history.state, "", location.pathname + (text && `?${text}`));
}

/** @param {{games: import("./types.js").Games}} props */
export function Odds({ games }) {
  const usual = games.games.find(({ name }) => name === "fear")?.rules.find(({ name }) => name === "stake")?.default;
  const [seats, setSeats] = useState(given("players") ?? USUAL.players);
  const [chosen, setChosen] = useState(given("stake")); // the rules' until one is chosen
  const [text, setText] = useState(new URLSearchParams(location.search).get("chips") ?? "");
  const [down, setDown] = useState(given("down") ?? USUAL.down);
  const [card, setCard] = useState(given("card") ?? USUAL.card);
  const [spread, setSpread] = useState(given("spread") ?? USUAL.spread);
  const [minutes, setMinutes] = useState(given("minutes") ?? USUAL.minutes);
  const [unheard] = useState(impossible);
  const [opened] = useState(text !== "" || down !== PACK);
  const typedIn = text.trim() ? chipsOf(text) : {};
  const stake = chosen ?? (Number(typeof usual === "object" ? usual[seats] : usual) || 2);
  const chips = typedIn.chips ?? Array(seats).fill(stake);
  const players = chips.length;
  const fresh = down === PACK && new Set(chips).size === 1;
  const pace = { card, spread };
  const position = text.trim() ? { chips: text.trim(), players: null, stake: null } : { chips: null, players: seats, stake: chosen };
  useEffect(() => {
    const soon = setTimeout(() => note({ ...position, down, card, spread, minutes }), LATE);
    return () => clearTimeout(soon);
  }, [seats, chosen, text, down, card, spread, minutes]);
  return html`
    <main class="page odds-page" id="main">
      <header>
        <h1 tabindex="-1">${t("ui.odds.title")}</h1>
        <p class="lead">${t("ui.odds.line")}</p>
        ${unheard ? html`<p role="status">${t("ui.odds.address", { what: unheard })}</p>` : null}
      </header>
      <section class="panel pad odds-asked" aria-labelledby="odds-asked">
        <h2 id="odds-asked" class="sr">${t("ui.odds.asked")}</h2>
        <fieldset class="alike" disabled=${text.trim() !== ""}>
          ${Step({ id: "players", label: t("ui.odds.how-many"), value: players, min: 2, max: MOST_PLAYERS, onPick: setSeats })}
          ${Step({ id: "stake", label: t("ui.odds.stake"), value: stake, min: 1, max: MOST_CHIPS, onPick: setChosen })}
        </fieldset>
        ${Step({ id: "card", label: t("ui.odds.card"), value: card, min: 1, max: MOST_CARD, onPick: setCard })}
        ${Step({ id: "spread", label: t("ui.odds.spread"), value: spread, min: 0, max: MOST_SPREAD, onPick: setSpread })}
        <details class="fold" open=${opened}>
          <summary>${t("ui.odds.position")}</summary>
          <div class="stack">
            <div class="field">
              <label for="chips">${t("ui.odds.chips")}</label>
              <input class="input" id="chips" autocomplete="off" placeholder="2, 1, 3" value=${text}
                aria-invalid=${Boolean(typedIn.wrong)} aria-describedby="chips-note" onInput=${typed(setText)} />
              <p class=${`small ${typedIn.wrong ? "wrong" : "muted"}`} id="chips-note" role="status">${typedIn.wrong ?? t("ui.odds.chips.note")}</p>
            </div>
            ${Step({ id: "down", label: t("ui.odds.face-down"), value: down, min: 1, max: PACK, onPick: setDown })}
          </div>
        </details>
      </section>
      <div class="odds-found">
        ${typedIn.wrong
          ? html`<p class="panel pad muted">${t("ui.odds.none")}</p>`
          : html`<${Answers} chips=${chips} down=${down} fresh=${fresh} pace=${pace} />
            <${Planner} players=${players} pace=${pace} minutes=${minutes} onPick=${setMinutes} />`}
      </div>
    </main>`;
}

/** @param {Asked & {pace: Pace}} props */
function Answers({ chips, down, fresh, pace }) {
  const key = [chips.join(), down];
  const other = fresh ? Array(chips.length).fill(chips[0] === 1 ? 2 : 1) : null;
  const { found, failed, late } = useAnswer(async (until) => {
    const [win, length] = await Promise.all([chances(chips, down, until), lengthOf(chips, down, until)]);
    return { chips, down, fresh, win, length };
  }, key);
  const { found: compared } = useAnswer(
    async (until) => other && { chips: other, win: await chances(other, PACK, until), length: await lengthOf(other, PACK, until) },
    [other?.join()],
  );
  useEffect(() => void (found && remember()), [found !== null]);
  if (failed) return html`<p role="alert" class="failed">${t("ui.odds.failed")}</p>`;
  if (!found) return html`<p class="muted" role="status">${t("ui.odds.reckoning")}</p>`;
  const { win, length } = found;
  const known = win.games ? t("ui.odds.simulated", { n: win.games }) : t("ui.odds.exact");
  return html`
    <p role="status" class="muted how-known">${late ? t("ui.odds.reckoning")
      : `${t("ui.odds.players", { n: found.chips.length })} · ${t("ui.odds.down", { n: found.down })}. ${known}`}</p>
    <section class="panel pad" aria-labelledby="odds-win" aria-busy=${late}>
      <h2 id="odds-win">${t("ui.odds.who")}</h2>
      <div class="who-wins">
        <${Ring} win=${win.win} fresh=${found.fresh} />
        <${Seats} ...${found} />
      </div>
    </section>
    <section class="panel pad" aria-labelledby="odds-why" aria-busy=${late}>
      <h2 id="odds-why">${t("ui.odds.why")}</h2>
      <ul class="insights">${insights(found, compared).map((line) => html`<li key=${line}>${line}</li>`)}</ul>
    </section>
    <section class="panel pad" aria-labelledby="odds-long" aria-busy=${late}>
      <h2 id="odds-long">${t("ui.odds.length")}</h2>
      <${HowLong} length=${length} down=${found.down} pace=${pace} />
    </section>`;
}

/** Those at the table, as large as their chances; to the right goes the play, so round the picture as the clock does not.
 * @param {{win: number[], fresh: boolean}} props */
function Ring({ win, fresh }) {
  const n = win.length;
  const most = Math.max(...win);
  const room = Math.min(23, (Math.PI * 88) / n - 1.5); // for the greatest
  return html`
    <figure class="ring-of" aria-hidden="true">
    <svg viewBox="0 0 260 220">
      <ellipse class="cloth" cx="130" cy="110" rx="92" ry="72" />
      <path class="round" d="M112 136A32 28 0 1 0 112 84" />
      <path class="round" d="M123 80l-11 4 4 11" />
      ${win.map((part, i) => {
        const angle = Math.PI / 2 - (2 * Math.PI * (i + 1)) / n; // the last, who deals, sits below
        const [x, y] = [130 + 100 * Math.cos(angle), 110 + 80 * Math.sin(angle)];
        const r = Math.max(3, room * Math.sqrt(part / most));
        const low = part < 0.75 / n;
        const size = Math.min(USUAL_SIZE, r * (i < 9 ? 1.5 : 1.1)); // that the disc has room for
        return html`<g key=${i} class=${low ? "low" : ""}><circle class="base" cx=${x} cy=${y} r=${room} /><circle cx=${x} cy=${y} r=${r} />
          ${n > ROOM
            ? html`<text class="beside" x=${130 + 80 * Math.cos(angle)} y=${110 + 60 * Math.sin(angle)}>${i + 1}</text>`
            : size < LEGIBLE
            ? html`<text class="above" x=${x} y=${y - r - 6}>${i + 1}</text>`
            : html`<text x=${x} y=${y} style=${{ fontSize: `${size}px` }}>${i + 1}</text>`}</g>`;
      })}
      ${fresh ? html`<text class="deals" x="130" y=${n > ROOM ? 152 : 180 - room}>${t("ui.odds.seat.dealer")}</text>` : null}
    </svg>
    <figcaption class="muted small">${t("ui.odds.ring")}</figcaption>
    </figure>`;
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
            <td>${chanceOf(part, win.games, (least) => `<${least}`)}${win.games ? html`${" "}<span class="muted off">±${"\u00a0"}${hundredths(100 * margin(win, i))}</span>` : null}</td>
            <td class="bar-of" aria-hidden="true"><i style=${{ width: `${(100 * part) / most}%` }} /><b style=${{ left: `${(100 * share) / most}%` }} /></td>
          </tr>`)}
      </tbody>
    </table>
    <p class="muted small share">${t("ui.odds.share", { part: percent(share, 1) })}</p>`;
}

/** What follows from it, in words.
 * @param {Asked & {win: Chances, length: import("./reckon.js").Length}} found
 * @param {{chips: number[], win: Chances, length: import("./reckon.js").Length} | null} compared with another stake */
function insights({ chips, down, fresh, win: { win, games }, length }, compared) {
  const n = chips.length;
  const place = ((down - 1) % n) + 1;
  const said = [t("ui.odds.say.choice", { n: down }), t(place === n && fresh ? "ui.odds.say.last.dealer" : "ui.odds.say.last", { place })];
  if (!fresh) return down < PACK ? [...said, t("ui.odds.say.under-way")] : said;
  const [best, worst] = [Math.max(...win), Math.min(...win)];
  if (best - worst < ALIKE) said.push(t("ui.odds.say.equal", { n, part: chanceOf(best, games) }));
  else
    said.push(
      t("ui.odds.say.seats", { best: win.indexOf(best) + 1, worst: win.indexOf(worst) + 1, high: chanceOf(best, games), low: chanceOf(worst, games) }),
      t("ui.odds.say.dealer", { part: chanceOf(win.at(-1) ?? 0, games), share: percent(1 / n, 1) }),
    );
  const known = [{ win: { win, games }, length }];
  if (compared?.chips.length === n && compared.chips[0] !== chips[0]) {
    known.push(compared);
    const [high, low] = [Math.max(...compared.win.win), Math.min(...compared.win.win)];
    said.push(t(high - low < ALIKE ? "ui.odds.say.stake.equal" : "ui.odds.say.stake", {
      n: compared.chips[0] ?? 1, high: chanceOf(high, compared.win.games), low: chanceOf(low, compared.win.games),
      other: figured(mean(compared.length.chance, (cards) => cards)), cards: figured(mean(length.chance, (cards) => cards)),
    }));
  }
  const dice = known.filter((one) => one.win.games);
  if (dice.length) {
    const off = Math.max(...dice.flatMap((one) => one.win.win.map((_, i) => margin(one.win, i))));
    const cards = Math.max(...dice.map((one) => meanMargin(one.length, (cards) => cards)));
    const part = percent(Math.ceil(1e4 * off) / 1e4, 2);
    said.push(t(games ? "ui.odds.say.dice" : "ui.odds.say.dice.other", { n: dice[0]?.win.games ?? 0, part, cards: Math.ceil(cards) }));
  }
  return said;
}

/** @param {{length: import("./reckon.js").Length, down: number, pace: Pace}} props */
function HowLong({ length, down, pace }) {
  const { chance } = length;
  const ends = [quantile(chance, HALF), quantile(chance, NINE)];
  /** @param {(cards: number) => number} figure */
  const row = (figure) => html`
    <td>${figured(mean(chance, figure), 1)}${offBy(meanMargin(length, figure), 1)}</td>
    ${[HALF, NINE].map((part, i) => html`<td key=${i}>${figured(figure(ends[i] ?? 0))}${offBy(quantileMargin(length, part, figure))}</td>`)}`;
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
  // The one stands to the left of its line and the other to the right, so that they never meet.
  const right = Math.min(x(ends[1] ?? 0) + 4, wide - SIGN);
  const left = Math.min(Math.max(x(ends[0] ?? 0) - 4, SIGN), right - 8);
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
          ${ends.map((end, i) => html`<g key=${i} class="end"><path d=${`M${x(end)} 2V${foot}`} />
            <text x=${i ? right : left} y="12" text-anchor=${i ? "start" : "end"}>${percent(i ? NINE : HALF)}</text></g>`)}
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

/** So many players have so much time: which stake?
 * @param {{players: number, pace: Pace, minutes: number, onPick: (minutes: number) => void}} props */
function Planner({ players, pace, minutes, onPick }) {
  const { found, failed, late } = useAnswer(
    async (until) => ({ players, minutes, pace, list: await stakes(players, minutes, pace, until) }),
    [players, minutes, pace.card, pace.spread],
  );
  const rows = (found?.list ?? []).map(({ stake, ...length }) => {
    /** @param {number} cards */
    const figure = (cards) => minutesOf(cards, PACK, found?.pace ?? pace);
    const parts = [HALF, NINE];
    return {
      stake, games: length.games,
      times: [mean(length.chance, figure), ...parts.map((part) => figure(quantile(length.chance, part)))],
      offs: [meanMargin(length, figure), ...parts.map((part) => quantileMargin(length, part, figure))],
    };
  });
  const dice = rows.find(({ games }) => games);
  const best = rows.findLast(({ times }) => (times[2] ?? 0) <= (found?.minutes ?? 0));
  const said = failed ? t("ui.odds.failed")
    : !found || late ? t("ui.odds.reckoning")
    : best ? t("ui.odds.plan.stake", { n: best.stake, minutes: found.minutes, within: figured(best.times[2] ?? 0) })
    : t("ui.odds.plan.none", { minutes: found.minutes });
  return html`
    <section class="panel pad planner" aria-labelledby="odds-plan">
      <h2 id="odds-plan">${t("ui.odds.plan")}</h2>
      ${Step({ id: "minutes", label: t("ui.odds.plan.minutes"), value: minutes, min: 1, max: MOST_MINUTES, onPick })}
      <p role="status" class="answer">${said}</p>
      ${rows.length
        ? html`<table class="figures-of" aria-busy=${late}>
            <caption class="muted small">${t("ui.odds.plan.table", { n: found?.players ?? players })}</caption>
            <thead><tr><th scope="col">${t("ui.odds.stake")}</th>${["mean", "half", "nine"].map((one) => html`<th scope="col" key=${one}>${t(`ui.odds.${one}`)}</th>`)}</tr></thead>
            <tbody>${rows.map(({ stake, times, offs }) => html`<tr key=${stake} data-best=${stake === best?.stake}><th scope="row">${num(stake)}</th>
              ${times.map((time, i) => html`<td key=${i}>${figured(time)}${offBy(offs[i] ?? 0)}</td>`)}</tr>`)}</tbody>
          </table>
          ${dice ? html`<p class="muted small">${t("ui.odds.plan.dice", { n: dice.stake, games: dice.games })}</p>` : null}`
        : null}
    </section>`;
}
