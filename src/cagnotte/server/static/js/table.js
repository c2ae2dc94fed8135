// The table in play: seats around it, the board and the pool in the middle, one's own cards below, and one prompt.
import "./attend.js";
import { CutHere, Draw, Pack } from "./deal.js";
import { FearCard, Naming, Places } from "./fear.js";
import { Layout } from "./fantan.js";
import { Hand, Sort } from "./hand.js";
import { freeAt } from "./clock.js";
import { mayEnd } from "./host.js";
import { html, useEffect, useLayoutEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { Keys, lead, onTableKey, release } from "./keys.js";
import { announce } from "./live.js";
import { DockedLog, RaisedLog, Ticker } from "./log.js";
import { send } from "./net.js";
import { Notes } from "./notes.js";
import { Hint, Prompt, asked, onSkipKey } from "./prompt.js";
import { settles } from "./scene.js";
import { Ring, Seat, nameOf } from "./seats.js";
import { Ending, Settlement } from "./settlement.js";
import { drawn, settled } from "./stage.js";
import { date, num, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** What lies in the middle, by phase. @param {Scene} scene @param {boolean} mine */
export function board(scene, mine) {
  const { view } = scene;
  if (view.over) return html`<${Ending} scene=${scene} />`;
  switch (view.phase) {
    case "draw":
    case "shuffle":
      if (view.counts && settles(view)) return html`<${Settlement} scene=${scene} />`;
      if (scene.drawn) return html`<${Draw} scene=${scene} />`;
      if (view.places?.length) return html`<${FearCard} scene=${scene} /><${Places} scene=${scene} mine=${false} />`;
      return html`<${Pack} />`;
    case "dealer":
      return html`<${Pack} />`;
    case "cut":
      return view.cuts ? html`<${CutHere} cuts=${view.cuts} />` : html`<${Pack} />`;
    case "name":
      return html`<${FearCard} scene=${scene} /><${Places} scene=${scene} mine=${false} />${mine && view.moves.length ? html`<${Naming} moves=${view.moves} />` : null}`;
    case "turn":
      return html`<${FearCard} scene=${scene} /><${Places} scene=${scene} mine=${mine} />`;
    default:
      return html`<${Layout} scene=${scene} />`;
  }
}

/** @param {{view: any}} props */
export const Pool = ({ view }) => html`
  <p class="pool" data-pool>
    <i class="chip"></i>
    <span><span class="name">${t("ui.table.pool")}</span> <b>${num(view.pool)}</b></span>
  </p>`;

/** How many watch without a seat. @param {{n: number}} props */
const Watching = ({ n }) =>
  n > 0 ? html`<span class="watching" title=${t("ui.table.watching", { n })}><${Icon} name="eye" /><span aria-hidden="true">${num(n)}</span>
    <span class="sr">${t("ui.table.watching", { n })}</span></span>` : null;

/** Over the board while the table rests, with a way on for whoever may. @param {{scene: Scene}} props */
function Paused({ scene }) {
  const { table } = scene;
  const { host, rest } = table;
  const [by, at] = [rest?.by ?? null, date(freeAt.value, { timeStyle: "short" })];
  const named = (/** @type {number | null} */ seat) => (seat === null ? "" : nameOf(scene, seat));
  return html`
    <div class="paused">
      <p class="large"><${Icon} name="pause" />${by === null || by === table.me ? t("ui.paused") : t("ui.paused.by", { name: named(by) })}</p>
      ${mayEnd(table)
        ? html`<button class="btn primary" onClick=${() => send({ type: "pause", on: false })}>${t("ui.pause.end")}</button>`
        : html`<p>${t(table.me === null ? "ui.pause.host" : "ui.pause.anybody", { name: named(host), at })}</p>`}
    </div>`;
}

/** Which deal of the sitting this is, or which spread when Fear needed another. @param {{view: any}} props */
export function Nth({ view }) {
  if (view.counts) return view.deal ? html`<p class="nth">${t("ui.table.deal", { nth: view.deal, of: view.deals })}</p>` : null;
  return view.spread > 1 ? html`<p class="nth">${t("ui.fear.spread.nth", { nth: view.spread })}</p>` : null;
}

/** Where the focus goes when what had it is gone. */
const NEXT = [".prompt .btn:not([aria-disabled=true])", ".held[tabindex='0']", ".named[tabindex='0']", ".place[tabindex='0']", ".prompt"];

/** The table in play; nothing while it is in the lobby. */
export function TableView() {
  const scene = drawn.value;
  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const focused = root.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!focused || document.activeElement !== document.body) return;
    const next = NEXT.map((one) => root.current?.querySelector(one)).find(Boolean);
    /** @type {HTMLElement | undefined} */ (next)?.focus();
  });
  useEffect(() => {
    // Where type is so large that the table scrolls, a finger on a card scrolls it as well.
    const box = root.current;
    const watch = new ResizeObserver(() => box && (box.dataset.scrolls = `${box.scrollHeight > box.clientHeight + 1}`));
    for (const one of box ? [box, ...box.children] : []) watch.observe(one);
    return () => watch.disconnect();
  }, [Boolean(scene)]);
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => (onSkipKey(event), onTableKey(event));
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const { view, table } = scene ?? {};
  const mine = Boolean(view && table && table.me !== null && view.actor === table.me && !view.over && !table.paused);
  const ready = mine && settled.value;
  useLayoutEffect(() => (ready ? lead() : release()), [ready, scene?.log.at(-1)]);
  // Events say whose turn it is; who comes to a table in play hears it from the prompt.
  useEffect(() => {
    if (scene?.fresh && view) announce(asked(scene));
  }, [scene?.fresh, scene?.version]);
  if (!scene || !view || !table) return null;
  const { me } = table;
  const hand = view.counts && me !== null && !view.over && ["play", "bonus", "open"].includes(view.phase);
  return html`
    <section class="table felt" ref=${root} data-family=${view.counts ? "fantan" : "fear"} data-phase=${view.phase} data-hand=${Boolean(hand)}
      data-settled=${settled.value} data-version=${scene.version} aria-label=${t("ui.table")}>
      <${Ring} scene=${scene} />
      <div class="middle"><${Pool} view=${view} /><${Watching} n=${table.watching ?? 0} /><${Ticker} scene=${scene} /></div>
      <div class="board">${board(scene, mine)}</div>
      ${table.paused && !view.over ? html`<${Paused} scene=${scene} />` : null}
      <div class="asked">
        ${me === null && table.also.length ? null : html`<${Notes} rank=${1} />`}
        <${Prompt} scene=${scene} />
      </div>
      ${me === null ? null : html`
        <div class="mine">
          <ul class="me"><${Seat} scene=${scene} seat=${me} /></ul>
          <div class="tools"><${Nth} view=${view} /><${Hint} scene=${scene} mine=${mine} />${hand ? html`<${Sort} />` : null}</div>
          ${hand ? html`<${Hand} hand=${view.hand} dealt=${Math.ceil(52 / view.playing.length)} moves=${view.moves} mine=${mine} />` : null}
        </div>`}
      <${DockedLog} scene=${scene} />
    </section>
    <${RaisedLog} scene=${scene} />
    <${Keys} />`;
}
