// After a deal and after the sitting: who won, what each paid and why, and where everybody stands.
import { Small } from "./card.js";
import { Moment } from "./fate.js";
import { html, useLayoutEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { Download } from "./record.js";
import { at } from "./route.js";
import { openRules } from "./rules.js";
import { Chips, Name, nameOf } from "./seats.js";
import { num, signed, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** What payments are for, as the columns of the account: a name and its clauses. @type {[string, string[]][]} */
const COLUMNS = [
  ["ante", ["T4", "T6"]],
  ["passes", ["T9"]],
  ["fines", ["T11", "T12"]],
  ["left", ["T14"]],
  ["pool", ["T14"]],
];

/** What every seat paid and got in the deal that has ended, for each column. @param {Scene} scene */
function account({ log, view }) {
  const from = log.findLastIndex((event) => event.kind === "shuffled");
  /** @type {Record<string, number[]>} */
  const sums = Object.fromEntries(COLUMNS.map(([name]) => [name, view.stacks.map(() => 0)]));
  for (const { kind, clause, payer, payee, chips = 0 } of log.slice(from + 1)) {
    if (kind !== "paid") continue;
    const name = payer === "pool" ? "pool" : COLUMNS.find(([, clauses]) => clauses.includes(clause ?? ""))?.[0];
    const sum = name && sums[name];
    if (!sum) continue;
    if (typeof payer === "number") sum[payer] = (sum[payer] ?? 0) - chips;
    if (typeof payee === "number") sum[payee] = (sum[payee] ?? 0) + chips;
  }
  return sums;
}

const EDGE = 4; // px

/** A sheet for accounts; what holds it notes where it goes on beyond its edge, and fades there. @param {{name: string, label: string, children?: unknown}} props */
function Sheet({ name, label, children }) {
  const sheet = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const box = sheet.current?.parentElement;
    if (!box) return;
    const note = () => {
      box.dataset.above = `${box.scrollTop > EDGE}`;
      box.dataset.below = `${box.scrollTop + box.clientHeight < box.scrollHeight - EDGE}`;
    };
    const watch = new ResizeObserver(note);
    for (const one of [box, ...box.children]) watch.observe(one);
    box.addEventListener("scroll", note, { passive: true });
    return () => {
      watch.disconnect();
      box.removeEventListener("scroll", note);
      delete box.dataset.above;
      delete box.dataset.below;
    };
  }, []);
  return html`<section class=${`${name} sheet`} ref=${sheet} tabindex="0" aria-label=${label}>${children}</section>`;
}

/** The deal once more, step by step; once all is over the record too, for those who played. @param {{scene: Scene}} props */
const LookAgain = ({ scene: { view, table } }) => html`
  <a class="btn quiet look" href=${at(`t/${table.id}/replay?deal=${view.deal || 1}`)}>
    <${Icon} name="replay" />${t(view.deal ? "ui.table.look" : "ui.table.look.game")}</a>
  ${view.over && (table.me !== null || table.also?.length) ? html`<${Download} id=${table.id} game=${table.game} look="quiet look" />` : null}`;

/** The account of a deal: it adds up from left to right. @param {{scene: Scene}} props */
export function Settlement({ scene }) {
  const { view, table, log } = scene;
  const sums = account(scene);
  const columns = COLUMNS.filter(([name]) => sums[name]?.some(Boolean));
  const won = log.findLast((event) => event.kind === "deal_won");
  return html`
    <${Sheet} name="settlement" label=${t("ui.table.settlement")}>
      <h2>${won?.say ?? t("ui.table.settlement")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col"><span class="sr">${t("ui.table.player")}</span></th>
            <th scope="col">${t("ui.table.before")}</th>
            ${columns.map(([name, clauses]) => html`
              <th scope="col" key=${name}>
                <button class="clause" title=${clauses.join(" ")} onClick=${() => openRules(table.game, clauses[0])}>${t(`ui.table.for.${name}`)}</button>
              </th>`)}
            <th scope="col">${t("ui.table.after")}</th>
          </tr>
        </thead>
        <tbody>
          ${table.seats.map((_, seat) => {
            const change = columns.reduce((sum, [name]) => sum + (sums[name]?.[seat] ?? 0), 0);
            return html`
              <tr key=${seat} data-won=${won?.seat === seat} data-me=${seat === table.me}>
                <th scope="row"><${Name} name=${nameOf(scene, seat)} /></th>
                <td>${num(view.stacks[seat] - change)}</td>
                ${columns.map(([name]) => html`<td key=${name}>${sums[name]?.[seat] ? signed(sums[name][seat]) : "·"}</td>`)}
                <td><b>${num(view.stacks[seat])}</b></td>
              </tr>`;
          })}
        </tbody>
      </table>
      ${view.shown?.some((/** @type {string[]} */ cards) => cards.length)
        ? html`<h3>${t("ui.table.shown")}</h3>
          <dl class="shown">
            ${view.shown.map((/** @type {string[]} */ cards, /** @type {number} */ seat) =>
              cards.length ? html`<div key=${seat}><dt><${Name} name=${nameOf(scene, seat)} /></dt><dd><${Small} cards=${cards} /></dd></div>` : null)}
          </dl>`
        : null}
      <${LookAgain} scene=${scene} />
    </${Sheet}>`;
}

/** The end of a sitting: places by chips, equal chips sharing one. @param {{scene: Scene}} props */
export function Ending({ scene }) {
  const { view, table } = scene;
  const order = view.stacks.map((/** @type {number} */ _, /** @type {number} */ seat) => seat);
  order.sort((/** @type {number} */ a, /** @type {number} */ b) => view.stacks[b] - view.stacks[a]);
  const names = view.winners.map((/** @type {number} */ seat) => nameOf(scene, seat));
  const said = names.length > 1 ? t("ui.table.share", { names: names.join(", ") })
    : view.winners[0] === table.me ? t("ui.table.wins.you") : t("ui.table.wins", { name: names[0] ?? "" });
  return html`
    <${Sheet} name="ending" label=${t("ui.table.over")}>
      <h2>${said}</h2>
      <ol class="places-won">
        ${order.map((/** @type {number} */ seat) => html`
          <li key=${seat} data-won=${view.winners.includes(seat)} data-me=${seat === table.me}>
            <span class="nth">${num(1 + view.stacks.filter((/** @type {number} */ n) => n > view.stacks[seat]).length)}</span>
            <span class="who"><${Name} name=${nameOf(scene, seat)} /></span>
            <${Chips} n=${view.stacks[seat]} />
          </li>`)}
      </ol>
      ${view.deal < view.deals ? html`<p class="muted small">${t("ui.table.early")}</p>` : null}
      ${view.counts ? null : html`<${Moment} scene=${scene} nameOf=${(/** @type {number} */ seat) => nameOf(scene, seat)} /><${LookAgain} scene=${scene} />`}
    </${Sheet}>
    ${view.counts ? html`<${Settlement} scene=${scene} />` : null}`;
}
