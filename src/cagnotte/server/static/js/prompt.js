// The one thing to do now, in words, with its buttons.
import { html, signal } from "./html.js";
import { settings } from "./keep.js";
import { ROOT, again, go } from "./net.js";
import { nameOf } from "./seats.js";
import { play, settled, shown, skip } from "./stage.js";
import { rankLabel, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** Phases whose events are over in a moment; the others may be skipped. */
const QUICK = ["play", "bonus", "open", "turn", "name"];

/** The version at which the player asked to pass though he could lay, and was warned. */
const warned = signal(-1);

/** Whether the table waits for this player to go on. @param {Scene} scene */
const mayGo = ({ table }) => table.waiting?.what === "go" && table.me !== null && table.waiting.for.includes(table.me);

/** The ranks that may begin, in words: "7", "5 or 9"; none when any card may. @param {Scene} scene */
function beginners({ view }) {
  const ranks = [...new Set(view.starts.map((/** @type {string} */ card) => card[0]))];
  return ranks.length <= 2 ? ranks.map((rank) => rankLabel(String(rank))).join(` ${t("ui.prompt.or")} `) : "";
}

/** What to go on to: another spread of the Fear, the next deal, the first one, or the game. @param {Scene} scene */
function onward({ view }) {
  if (view.places?.length) return t("ui.prompt.spread");
  if (view.deal > 1) return t("ui.prompt.next");
  return t(view.phase === "shuffle" && view.deal ? "ui.prompt.deal" : "ui.prompt.go");
}

/** What is asked of this player, or of whom the table waits. @param {Scene} scene @returns {string} */
export function asked(scene) {
  const { view, table } = scene;
  if (view.over) return t("ui.prompt.over");
  const [waited] = table.waiting?.for ?? [];
  if (mayGo(scene)) {
    if (view.places?.length) return t("ui.prompt.gather");
    return t(view.phase === "shuffle" && view.deal > 1 ? "ui.prompt.settled" : "ui.prompt.begin");
  }
  if (table.waiting?.what === "go" && waited !== undefined) return t("ui.prompt.others", { name: nameOf(scene, waited) });
  if (view.phase === "draw" || view.phase === "dealer") return t("ui.prompt.draw");
  if (view.actor === null || view.actor === "chance") return t(view.places?.length ? "ui.prompt.gather" : "ui.prompt.shuffle");
  const mine = view.actor === table.me;
  if (!mine) return t(`ui.prompt.${view.phase}.other`, { name: nameOf(scene, view.actor) });
  if (view.phase === "play") {
    const lays = view.moves.filter((/** @type {string} */ move) => move !== "pass");
    if (warned.value === scene.version) return t(view.rules.passing === "fined" ? "ui.prompt.warn.fined" : "ui.prompt.warn");
    if (lays.length === 0 && view.moves.length) return t("ui.prompt.nothing");
    if (Object.values(view.laid).every((row) => row.length === 0)) {
      const ranks = beginners(scene);
      return ranks ? t("ui.prompt.begin_with", { ranks }) : t("ui.prompt.begin_any");
    }
  }
  if (view.phase === "bonus" && view.moves.length === 1) return t("ui.prompt.bonus.none");
  return t(`ui.prompt.${view.phase}`);
}

/** @param {{scene: Scene}} props */
function Passing({ scene: { view, table, version } }) {
  const open = view.actor === table.me && view.moves.includes("pass");
  const warns = open && view.phase === "play" && view.moves.length > 1 && settings.value.warn !== false;
  const press = () => (warns ? (warned.value = version) : open && play("pass"));
  if (view.phase === "bonus") return html`<button class="btn" aria-disabled=${!open} onClick=${press}>${t("ui.fantan.decline")}</button>`;
  if (warns && warned.value === version)
    return html`
      <button class="btn primary" onClick=${() => (warned.value = -1)}>${t("ui.fantan.stay")}</button>
      <button class="btn" onClick=${() => play("pass")}>${t("ui.fantan.pass_anyway")}</button>`;
  const only = open && view.moves.length === 1;
  return html`<button class=${`btn pass ${only ? "primary" : ""}`} aria-disabled=${!open}
    onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && press()}>${t("ui.fantan.pass", { n: 1 })}</button>`;
}

/** @param {{scene: Scene}} props */
export function Prompt({ scene }) {
  const { view, table } = scene;
  const mine = view.actor === table.me && table.me !== null && !view.over;
  // The clock of a person; that of a bot is no news.
  const until = table.waiting?.for.some((seat) => table.seats[seat]?.kind === "person") ? table.waiting.until : null;
  const actions = [];
  if (!settled.value && !mine && !QUICK.includes(view.phase)) actions.push(html`<button class="btn quiet skip" onClick=${skip}>${t("ui.prompt.skip")}</button>`);
  if (mayGo(scene)) actions.push(html`<button class="btn primary go" onClick=${go}>${onward(scene)}</button>`);
  if (view.counts && table.me !== null && ["play", "bonus"].includes(view.phase) && view.playing.includes(table.me)) actions.push(html`<${Passing} scene=${scene} />`);
  if (view.over) {
    if (table.me !== null) actions.push(html`<button class="btn primary again" onClick=${again}>${t("ui.prompt.again")}</button>`);
    actions.push(html`<a class="btn" href=${ROOT.href}>${t("ui.prompt.home")}</a>`);
  }
  return html`
    <div class="prompt" data-mine=${mine || mayGo(scene) || view.over} data-choices=${warned.value === scene.version || view.over ? 2 : 1} tabindex="-1">
      <p>${asked(scene)}</p>
      <div class="actions">${actions}</div>
      ${until ? html`<i class="until" key=${scene.version} style=${{ "--ms": `${until}ms` }}></i>` : null}
    </div>`;
}

/** The key that shows the latest at once. @param {KeyboardEvent} event */
export const onSkipKey = (event) => {
  if (event.key === "Escape" && !settled.peek() && shown.peek()) skip();
};
