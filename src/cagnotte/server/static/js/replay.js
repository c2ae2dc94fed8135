// A deal once more, step by step: all hands open, what each move paid and why, and what luck had to do with it.
import { Small } from "./card.js";
import { Dialog } from "./dialog.js";
import { typed } from "./fields.js";
import { beginning, sayings, sceneAt } from "./frames.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { seatAt, seatsAt, settings } from "./keep.js";
import { announce } from "./live.js";
import { look, move } from "./motion.js";
import { ask } from "./net.js";
import { Download } from "./record.js";
import { at as to, linkTo, visit } from "./route.js";
import { openRules } from "./rules.js";
import { Chips, Name } from "./seats.js";
import { LinkField } from "./share.js";
import { unshown } from "./shares.js";
import { sheet } from "./sheet.js";
import { Shuffles } from "./shuffle.js";
import { Pool, board } from "./table.js";
import { lang, num, signed, t } from "./text.js";

await sheet("tales");

/** @typedef {import("./types.js").Told} Told */
/** @typedef {import("./types.js").Event} Event */

/** How long a step is looked at, in ms. */
const PACE = { slow: 2400, normal: 1400, quick: 700, once: 300 };
const FLIES = 0.6; // of that time, in which cards and chips go where they belong
const SETTLES = 300; // ms after which the address says where one is

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {string} id @param {Record<string, string | number | null | undefined>} asked */
function path(id, asked) {
  const query = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => `${name}=${value}`);
  return `${encodeURIComponent(id)}?${query.join("&")}`;
}

/** @param {{id: string, sitting: number | null, deal: number | null}} props */
export function Replay({ id, sitting, deal }) {
  const [told, setTold] = useState(/** @type {Told | null} */ (null));
  const [failed, setFailed] = useState(/** @type {{why: string, gone: boolean} | null} */ (null));
  const tongue = lang.value;
  useEffect(() => {
    let wanted = true; // what comes too late is of another deal
    setFailed(null);
    const you = seatsAt(id).length > 1 ? null : "on"; // a phone that is passed round is nobody's
    ask(`api/replay/${path(id, { sitting, deal, lang: tongue, you })}`, undefined, seatAt(id)).then(
      (found) => wanted && setTold(found),
      (error) => wanted && (setTold(null), setFailed({ why: error instanceof TypeError ? t("ui.line.none") : error.message, gone: Boolean(error.gone) })),
    );
    return () => void (wanted = false);
  }, [id, sitting, deal, tongue]);
  if (failed)
    return html`
      <main class="page narrow plain" id="main">
        <h1 tabindex="-1">${t("ui.replay.title")}</h1>
        <p class="lead" role="alert">${failed.why}</p>
        <div class="row">
          ${failed.gone ? null : html`<a class="btn primary" href=${to(`t/${id}`)}>${t("ui.replay.table")}</a>`}
          <a class=${`btn ${failed.gone ? "primary" : ""}`} href=${to()}>${t("ui.home.go")}</a></div>
      </main>`;
  if (!told) return html`<main class="page narrow plain" id="main"><h1 tabindex="-1">${t("ui.loading")}</h1></main>`;
  return html`<${Deal} key=${`${id} ${told.sitting} ${told.deal}`} id=${id} told=${told} />`;
}

/** How a seat is called, as at the table. @param {Told} told @param {number} seat */
const named = ({ me, names }, seat) => (seat === me ? t("ui.table.you") : (names[seat] ?? ""));

/** The step that the address names. @param {Told} told */
function stepAsked(told) {
  const asked = Number(new URLSearchParams(location.search).get("step") ?? NaN);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, told.frames.length) - 1 : beginning(told);
}

/** @param {{id: string, told: Told}} props */
function Deal({ id, told }) {
  const last = told.frames.length - 1;
  const [at, setAt] = useState(() => stepAsked(told));
  const now = useRef(at); // a key that is held down is faster than the drawing
  const [running, setRunning] = useState(false);
  const [sharing, setSharing] = useState(false);
  const [checking, setChecking] = useState(false);
  const moves = useRef(/** @type {(() => void) | null} */ (null));
  const ms = PACE[settings.value.pace];
  const cards = told.frames.some(({ hands }) => hands.some((hand) => hand.length));

  /** @param {number} wanted @param {boolean} [aloud] */
  function step(wanted, aloud = true) {
    const next = Math.min(last, Math.max(0, wanted));
    if (next === now.current) return;
    if (next === now.current + 1 && !still.matches) {
      const { events = [], actor } = told.frames[next] ?? {};
      const seen = look(events, typeof actor === "number" ? actor : null);
      moves.current = () => void move(events, seen, Math.min(ms * FLIES, 700), 0);
    }
    if (aloud) for (const { say } of sayings(told, next)) announce(say);
    now.current = next;
    setAt(next);
  }
  useLayoutEffect(() => {
    moves.current?.();
    moves.current = null;
  }, [at]);
  useEffect(() => {
    if (!running) return;
    if (at === last) return setRunning(false);
    const next = setTimeout(() => step(at + 1), ms);
    return () => clearTimeout(next);
  }, [running, at, ms]);
  useEffect(() => {
    const settle = setTimeout(() => history.replaceState(history.state, "", to(`t/${encodeURIComponent(id)}/replay${where(told, at)}`)), SETTLES);
    return () => clearTimeout(settle);
  }, [at]);
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const on = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || on.closest("input, select, dialog")) return;
    const wanted = { ArrowLeft: now.current - 1, ArrowRight: now.current + 1, Home: 0, End: last }[event.key];
    if (wanted !== undefined) {
      setRunning(false);
      step(wanted);
    } else if (event.key === " " && !on.closest("button, a, summary")) setRunning(!running && at < last);
    else return;
    event.preventDefault();
  }

  const scene = sceneAt(told, id, at);
  return html`
    <main class="replay felt" id="main" data-step=${at} data-family=${cards ? "fantan" : "fear"} data-running=${running}>
      <${Head} id=${id} told=${told} share=${() => setSharing(true)} />
      <div class="scene">
        <div class=${settled(scene.view) ? "account" : "board"}>${board(scene, false)}</div>
      </div>
      <div class="said">
        <${Pool} view=${scene.view} />
        <div class="sayings" tabindex=${sayings(told, at).length > 3 ? 0 : undefined} role="group" aria-label=${t("ui.replay.said")}>${sayings(told, at).map((event, i) => html`<${Saying} key=${`${at} ${i}`} game=${told.game} event=${event} />`)}</div>
      </div>
      <${Steer} told=${told} at=${at} step=${step} running=${running} run=${setRunning} />
      <${Hands} told=${told} scene=${scene} cards=${cards} />
      <div class="beside">
        <${Log} told=${told} at=${at} step=${step} />
        <${Luck} told=${told} />
        ${told.proofs.length || unshown(id, told).length
          ? html`<div class="shuffles"><button class="btn" onClick=${() => setChecking(true)}><${Icon} name="cards" />${t("ui.fair")}</button></div>`
          : null}
      </div>
    </main>
    ${checking ? html`<${Shuffles} id=${id} told=${told} close=${() => setChecking(false)}>
      ${told.over ? html`<${Download} id=${id} game=${told.game} sitting=${told.sitting} note=${t("ui.fair.self")} />` : html`<p class="muted small">${t("ui.fair.later")}</p>`}</${Shuffles}>` : null}
    ${sharing ? html`<${Share} id=${id} told=${told} at=${at} close=${() => setSharing(false)} />` : null}`;
}

/** Whether the account of the deal is on the table. @param {any} view */
const settled = (view) => view.over || (view.phase === "shuffle" && view.shown?.some((/** @type {string[]} */ hand) => hand.length));

/** The part of an address that names this deal and step. @param {Told} told @param {number} at */
const where = ({ sitting, deal }, at) => `?sitting=${sitting}&deal=${deal}&step=${at + 1}`;

/** Which choice brought us to this deal, so that it has the focus again there. */
let chosen = "";

/** @param {{id: string, told: Told, share: () => void}} props */
function Head({ id, told, share }) {
  const fear = told.game === "fear";
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (chosen) /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector(`select[name=${chosen}]`))?.focus();
    chosen = "";
  }, []);
  /** A sitting is looked at from its first deal on. @param {number} sitting @param {number} [deal] */
  const go = (sitting, deal) => {
    chosen = deal ? "deal" : "sitting";
    visit(`t/${encodeURIComponent(id)}/replay?sitting=${sitting}&deal=${deal ?? 1}`);
  };
  return html`
    <header ref=${box}>
      <h1 tabindex="-1">${t(`game.${told.game}`)}<span>${t(fear ? "ui.replay.nth.spread" : "ui.replay.nth.deal", { nth: told.deal })}</span></h1>
      <div class="row">
        ${told.sittings > 1
          ? html`<select name="sitting" class="input" aria-label=${t("ui.replay.sitting")} value=${told.sitting} onChange=${typed((nth) => go(Number(nth)))}>
              ${Array.from({ length: told.sittings }, (_, i) => html`
                <option key=${i} value=${i + 1} selected=${i + 1 === told.sitting}>${t("ui.replay.nth.sitting", { nth: i + 1 })}</option>`)}
            </select>`
          : null}
        ${told.deals.length > 1
          ? html`<select name="deal" class="input" aria-label=${t(fear ? "ui.replay.spread" : "ui.replay.deal")} value=${told.deal} onChange=${typed((nth) => go(told.sitting, Number(nth)))}>
              ${told.deals.map((nth) => html`
                <option key=${nth} value=${nth} selected=${nth === told.deal}>${t(fear ? "ui.replay.nth.spread" : "ui.replay.nth.deal", { nth })}</option>`)}
            </select>`
          : null}
        <button class="btn" onClick=${share}><${Icon} name="share" /><span class="wide">${t("ui.share")}</span></button>
        <a class="btn" href=${to(`t/${id}`)}><${Icon} name="enter" /><span class="wide">${t("ui.replay.table")}</span></a>
      </div>
    </header>`;
}

/** A link to this deal at this step, and the sitting as a file. @param {{id: string, told: Told, at: number, close: () => void}} props */
const Share = ({ id, told, at, close }) => html`
  <${Dialog} title=${t("ui.share")} onClose=${close}>
    <div class="stack">
      <${LinkField} label=${t("ui.replay.link")} link=${`${linkTo(id)}/replay${where(told, at)}`} note=${t("ui.replay.link.note")}
        title=${t("ui.replay.title")} main=${true} />
      ${told.over ? html`<${Download} id=${id} game=${told.game} sitting=${told.sitting} note=${t("ui.replay.record.note")} />` : null}
    </div>
  </${Dialog}>`;

/** A sentence, with the clause that asks for a payment. @param {{game: string, event: Event}} props */
const Saying = ({ game, event }) => html`
  <p>${event.say}${event.clause
    ? html` <button class="clause" aria-label=${t("ui.table.clause", { clause: event.clause })} onClick=${() => openRules(game, event.clause)}>${event.clause}</button>`
    : null}</p>`;

/** @param {{told: Told, at: number, step: (at: number, aloud?: boolean) => void, running: boolean, run: (on: boolean) => void}} props */
function Steer({ told, at, step, running, run }) {
  const last = told.frames.length - 1;
  const said = sayings(told, at).map(({ say }) => say).join(" ");
  /** @param {"first" | "back" | "on" | "last"} name @param {number} to */
  const button = (name, to) => html`
    <button class="btn icon" aria-label=${t(`ui.replay.${name}`)} title=${t(`ui.replay.${name}`)} aria-disabled=${at === Math.min(last, Math.max(0, to))}
      onClick=${() => (run(false), step(to))}><${Icon} name=${name === "back" ? "prev" : name} /></button>`;
  return html`
    <div class="steer" role="group" aria-label=${t("ui.replay.steer")}>
      <input type="range" min="1" max=${last + 1} value=${at + 1} aria-label=${t("ui.replay.step")}
        aria-valuetext=${t("ui.replay.step.at", { at: at + 1, of: last + 1, said })}
        onInput=${(/** @type {any} */ event) => (run(false), step(event.currentTarget.valueAsNumber - 1, false))} />
      ${button("first", 0)}${button("back", at - 1)}
      <button class="btn primary" aria-label=${t(running ? "ui.replay.pause" : "ui.replay.play")} title=${t(running ? "ui.replay.pause" : "ui.replay.play")}
        aria-disabled=${at === last} onClick=${() => run(!running && at < last)}><${Icon} name=${running ? "pause" : "play"} /></button>
      ${button("on", at + 1)}${button("last", last)}
      <span class="nth muted" aria-hidden="true">${num(at + 1)}/${num(last + 1)}</span>
    </div>`;
}

/** All seats; where they hold cards one may look at a single hand. @param {{told: Told, scene: import("./stage.js").Scene, cards: boolean}} props */
function Hands({ told, scene, cards }) {
  const [only, setOnly] = useState(/** @type {number | null} */ (null));
  return html`
    <section class="hands" aria-label=${t(cards ? "ui.replay.hands" : "ui.table.players")}>
      ${cards
        ? html`<label class="whose"><span>${t("ui.replay.hands")}</span>
            <select class="input" value=${only ?? ""} onChange=${typed((seat) => setOnly(seat === "" ? null : Number(seat)))}>
              <option value="" selected=${only === null}>${t("ui.replay.hands.all")}</option>
              ${told.names.map((name, seat) => html`
                <option key=${seat} value=${seat} selected=${only === seat}>${seat === told.me ? t("ui.replay.hands.mine") : t("ui.replay.hands.of", { name })}</option>`)}
            </select></label>`
        : null}
      <ol data-crowd=${told.players > 6}>
        ${told.names.map((_, seat) => html`<${Hand} key=${seat} told=${told} scene=${scene} seat=${seat} open=${only === null || only === seat} />`)}
      </ol>
    </section>`;
}

/** A seat with what it holds; of one that is not open, how many. @param {{told: Told, scene: import("./stage.js").Scene, seat: number, open: boolean}} props */
function Hand({ told, scene: { view, version }, seat, open }) {
  const hand = told.frames[version]?.hands[seat] ?? [];
  const name = named(told, seat);
  return html`
    <li data-seat=${seat} data-turn=${view.actor === seat && !view.over} data-out=${view.places && view.stacks[seat] === 0}>
      <span class="who">
        <${Name} name=${name} />
        ${view.dealer === seat ? html`<i class="dealer" title=${t("ui.table.dealer")} aria-hidden="true">${t("ui.table.dealer.mark")}</i><span class="sr">${t("ui.table.dealer")}</span>` : null}
      </span>
      <span class="has"><span class="sr">${t("ui.table.chips", { n: view.stacks[seat] })}</span><span aria-hidden="true"><${Chips} n=${view.stacks[seat]} /></span></span>
      ${view.places
        ? null
        : open
        ? html`<${Small} cards=${hand} />`
        : html`<span class="left"><span class="sr">${t("ui.table.cards", { n: hand.length })}</span>
            <span aria-hidden="true">${hand.map((_, i) => html`<i key=${i} class="tiny back"></i>`)}</span></span>`}
    </li>`;
}

/** All that happened; a line leads to its step. @param {{told: Told, at: number, step: (at: number) => void}} props */
function Log({ told, at, step }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const line = /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector("[aria-current]"));
    if (line && box.current) box.current.scrollTop = line.offsetTop - box.current.offsetTop - box.current.clientHeight / 2;
  }, [at]);
  return html`
    <section class="tale" aria-labelledby="tale">
      <h2 id="tale">${t("ui.table.log")}</h2>
      <ol class="lines" ref=${box}>
        ${told.frames.map((_, i) => {
          const said = sayings(told, i);
          return said.length
            ? html`<li key=${i}><button aria-current=${i === at ? "step" : undefined} onClick=${() => step(i)}>
                ${said.map(({ say }) => say).join(" ")}</button></li>`
            : null;
        })}
      </ol>
    </section>`;
}

/** What each won, and how much of it the cards alone would have brought. @param {{told: Told}} props */
function Luck({ told }) {
  const { luck, names, before, result } = told;
  if (!luck) return null;
  return html`
    <section class="luck" aria-labelledby="luck">
      <h2 id="luck">${t("ui.luck")}</h2>
      <table>
        <thead><tr><th scope="col"><span class="sr">${t("ui.table.player")}</span></th>
          ${["won", "cards", "play"].map((name) => html`<th scope="col" key=${name}>${t(`ui.luck.${name}`)}</th>`)}</tr></thead>
        <tbody>
          ${names.map((_, seat) => {
            const [won, cards] = [(result[seat] ?? 0) - (before[seat] ?? 0), Math.round(luck[seat] ?? 0)];
            return html`<tr key=${seat}><th scope="row" dir="auto">${named(told, seat)}</th>
              ${[won, cards, won - cards].map((n, i) => html`<td key=${i}>${signed(n)}</td>`)}</tr>`;
          })}
        </tbody>
      </table>
      <p class="muted small">${t("ui.luck.line")}</p>
    </section>`;
}
