// The one thing to do now, in words, with its buttons.
import { soon, stop } from "./auto.js";
import { Until, nextIn } from "./clock.js";
import { computed, effect, html, signal, untracked } from "./html.js";
import { Icon } from "./icons.js";
import { settings } from "./keep.js";
import { announce } from "./live.js";
import { again, go, hint, pending, refusal, send } from "./net.js";
import { at } from "./route.js";
import { openRules } from "./rules.js";
import { nameOf } from "./seats.js";
import { finedFor } from "./scene.js";
import { play, settled, shown, skip } from "./stage.js";
import { cardName, rankLabel, t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */

const LONG = { beside: 25, alone: 40 }; // letters that find room in two lines of the smallest phone, beside a button and without

/** Phases whose events are over in a moment; the others may be skipped. */
const QUICK = ["play", "bonus", "open", "turn", "name"];

/** A move that waits for a second word, and the version it was asked at. */
const doubt = signal({ version: -1, move: "" });
/** The move that the player is asked about once more. */
export const risk = computed(() => (doubt.value.version === shown.value?.version ? doubt.value.move : null));

/** Play a move that cannot be taken back; whoever wants to be asked first says it twice. @param {string} move @param {boolean} [always] */
export function dare(move, always = false) {
  if ((!always && !settings.peek().confirm) || risk.peek() === move) return void play(move);
  doubt.value = { version: shown.peek()?.version ?? -1, move };
}
const relent = () => (doubt.value = { version: -1, move: "" });

effect(() => {
  const reason = hint.value?.say;
  if (reason) untracked(() => announce(reason));
});

/** Whether one phone is passed round here. @param {Scene["table"]} table */
const several = (table) => table.also.length > 1;

/** Whether the table waits for people to go on; the last card of the deal may still have to be shown. @param {Scene} scene */
const pausing = ({ table }) => table.waiting?.what === "go";
/** @param {Scene} scene */
const accounted = (scene) => pausing(scene) && scene.view.phase === "shuffle";

/** Whether the table waits for this player, or one of those at this phone, to go on. @param {Scene} scene */
const mayGo = (scene) => !scene.table.paused && accounted(scene) && isAwaited(scene);
/** @param {Scene} scene */
const isAwaited = ({ table }) =>
  table.waiting?.for.some((seat) => seat === table.me || (several(table) && table.also.includes(seat)));

/** The ranks that may begin, in words: "7", "5 or 9"; none when any card may. @param {Scene} scene */
function beginners({ view }) {
  const ranks = [...new Set(view.starts.map((/** @type {string} */ card) => card[0]))];
  return ranks.length <= 2 ? ranks.map((rank) => rankLabel(String(rank))).join(` ${t("ui.prompt.or")} `) : "";
}

/** How a settlement, or a spread of the Fear that is over, goes on: by itself, once these have gone on, or as one likes. @param {Scene} scene */
function between(scene) {
  const what = scene.view.counts ? "settled" : "gather";
  const names = scene.table.waiting?.for.map((seat) => nameOf(scene, seat)).join(", ") ?? "";
  const [n, who] = [nextIn.value, mayGo(scene) ? "go" : "others"];
  return n === null ? t(`ui.prompt.${what}.${who}`, { names }) : t(`ui.prompt.${what}.${who}.in`, { names, n });
}

/** Whether this player of Fear has no chip left while others play on. @param {Scene} scene */
const isOut = ({ view, table }) =>
  Boolean(view.places) && !view.over && table.me !== null && !several(table) && view.stacks[table.me] === 0;

/** Whether a pass would be fined on the spot. @param {Scene["view"]} view */
const isFinedNow = ({ rules, fine }) => rules.passing === "fined" && fine > 0;

/** What is asked once more. @param {Scene} scene @param {string} move */
function doubted({ view }, move) {
  if (move !== "pass") return t("ui.prompt.sure.name", { card: cardName(move.slice(-2)) });
  if (!view.fine) return t(view.price ? "ui.prompt.sure.pass" : "ui.prompt.sure.pass.free");
  const { price, fine } = view;
  return t(isFinedNow(view) ? "ui.prompt.warn.fined" : "ui.prompt.warn", { n: price + fine, price, fine });
}

/** That a person who is waited for is away, and who plays for him; empty for whoever is there. @param {Scene} scene */
function absent(scene) {
  const { view, table } = scene;
  const seat = table.seats[view.actor];
  const name = nameOf(scene, view.actor);
  if (!seat || (seat.kind === "person" && seat.here)) return "";
  if (seat.stand_in) return t("ui.prompt.stood", { name });
  return seat.kind === "person" && typeof table.waiting?.until === "number" ? t("ui.prompt.away", { name }) : "";
}

/** Whose absence was said, as `table/seat`: once for each time he goes. @type {Set<string>} */
const said = new Set();
effect(() => {
  const scene = shown.value;
  // After what happened, which is said as it is shown.
  if (scene?.view && settled.value) queueMicrotask(() => sayAbsence(scene));
});

/** Say that the table waits for somebody who is away; who comes to the table hears it from the prompt. @param {Scene} scene */
function sayAbsence(scene) {
  const { view, table, fresh } = scene;
  table.seats.forEach(({ kind, here }, seat) => kind === "person" && here && said.delete(`${table.id}/${seat}`));
  const key = `${table.id}/${view.actor}`;
  const why = view.actor === table.me ? "" : absent(scene);
  if (!why || said.has(key) || asked(scene) !== why) return;
  said.add(key);
  if (!fresh) announce(why);
}

/** Whether the one card that is still face down is surely the fear (F8). @param {Scene} scene */
const isLast = ({ view }) => view.phase === "turn" && view.places?.filter((/** @type {string | null} */ card) => card === null).length === 1;

/** Whether what was asked is done: what comes of it is on its way or being shown. @param {Scene} scene */
const isBusy = ({ view, table }) =>
  view.actor === null ? view.phase === "cut" : view.actor === table.me && (pending.value !== null || !settled.value);

/** What is asked of this player, or of whom the table waits. @param {Scene} scene @returns {string} */
export function asked(scene) {
  const { view, table } = scene;
  if (view.over) return t("ui.prompt.over");
  if (table.paused) return t("ui.paused");
  if (isBusy(scene)) return t("ui.prompt.moment");
  if (risk.value) return doubted(scene, risk.value);
  if (pausing(scene)) return accounted(scene) ? between(scene) : t("ui.prompt.last");
  if (view.phase === "draw" || view.phase === "dealer") return t("ui.prompt.draw");
  if (view.actor === null || view.actor === "chance") return t(view.places?.length ? "ui.prompt.gather.go" : "ui.prompt.shuffle");
  const mine = view.actor === table.me;
  if (!mine && absent(scene)) return absent(scene);
  if (isLast(scene)) return mine && !several(table) ? t("ui.prompt.turn.last") : t("ui.prompt.turn.last.other", { name: nameOf(scene, view.actor) });
  if (!mine && isOut(scene) && view.phase === "turn") return t("ui.prompt.out", { name: nameOf(scene, view.actor) });
  if (!mine || (view.places && several(table))) return t(`ui.prompt.${view.phase}.other`, { name: nameOf(scene, view.actor) });
  if (soon.value) return soon.value === "pass" ? t("ui.prompt.soon.pass") : t("ui.prompt.soon.lay", { card: cardName(soon.value) });
  if (view.phase === "play") {
    const lays = view.moves.filter((/** @type {string} */ move) => move !== "pass");
    if (lays.length === 0 && view.moves.length) return t("ui.prompt.nothing");
    if (Object.values(view.laid).every((row) => row.length === 0)) {
      const ranks = beginners(scene);
      return ranks ? t("ui.prompt.begin_with", { ranks }) : t("ui.prompt.begin_any");
    }
  }
  if (view.phase === "bonus" && view.moves.length === 1) return t("ui.prompt.bonus.none");
  return t(`ui.prompt.${view.phase}`);
}

/** The pass, with its price. @param {{scene: Scene}} props */
function Passing({ scene: { view, table } }) {
  const open = view.actor === table.me && view.moves.includes("pass") && !table.paused;
  if (view.phase === "bonus")
    return html`<button class=${`btn ${open && view.moves.length === 1 ? "primary" : ""}`} data-pass aria-disabled=${!open}
      onClick=${() => open && play("pass")}>${t("ui.fantan.decline")}</button>`;
  const only = open && view.moves.length === 1;
  // Whoever may not pass asks the table, which says why (T10).
  const asks = view.actor === table.me && view.phase === "play" && !table.paused;
  const press = () => (open ? dare("pass", !only && settings.value.warn) : asks && play("pass"));
  const cost = view.price + (isFinedNow(view) ? view.fine : 0);
  return html`<button class=${`btn pass ${only ? "primary" : ""}`} data-pass aria-disabled=${!open}
    onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && press()}>${t("ui.fantan.pass", { n: cost })}</button>`;
}

/** The second word on a move that cannot be taken back. @param {{scene: Scene, move: string}} props */
function Sure({ scene: { view }, move }) {
  const wrong = move === "pass" && view.moves.length > 1;
  const yes = html`<button class=${`btn ${wrong ? "" : "primary"}`} onClick=${() => dare(move)}>
    ${t(wrong ? "ui.fantan.pass_anyway" : move === "pass" ? "ui.prompt.sure.pass.yes" : "ui.prompt.sure.name.yes")}</button>`;
  const no = html`<button class=${`btn ${wrong ? "primary" : ""}`} onClick=${relent}>${t(wrong ? "ui.fantan.stay" : "ui.prompt.sure.no")}</button>`;
  return html`${wrong ? [no, yes] : [yes, no]}`;
}

/** The pace of a table whose game the bots are hurrying through. */
const rushed = signal(/** @type {import("./types.js").Pace | null} */ (null));
effect(() => {
  const { table, view } = shown.value ?? {};
  if (!rushed.value || !settled.value) return;
  if (table?.waiting?.what === "go") go();
  if (!view?.over) return;
  send({ type: "pace", value: rushed.value });
  rushed.value = null;
});

/** Where only bots are left in, the host who is out may see the end at once. @param {{scene: Scene}} props */
function Rush({ scene: { view, table } }) {
  const bots = table.seats.every((seat, at) => seat.kind === "bot" || view.stacks[at] === 0);
  if (!bots || table.host !== table.me || table.pace === "once") return null;
  const rush = () => {
    rushed.value = table.pace;
    send({ type: "pace", value: "once" });
  };
  return html`<button class="btn rush" onClick=${rush}>${t("ui.prompt.rush")}</button>`;
}

/** Whoever is out of a game of Fear may begin the next with others who are. @param {{scene: Scene}} props */
function Beside({ scene }) {
  const { beside, seats } = scene.table;
  if (seats.filter((seat) => seat.kind === "person").length < 2) return null;
  if (!beside) return html`<button class="btn beside" onClick=${() => send({ type: "beside" })}>${t("ui.beside.open")}</button>`;
  return html`<a class="btn primary beside" href=${at(`t/${beside.table}`)}>${t("ui.beside.join", { name: nameOf(scene, beside.by) })}</a>`;
}

/** Turn over any card, or the last: one is as good as another; beside a screen that all share, the one thing on a phone. @param {{scene: Scene}} props */
const Any = ({ scene: { view, table } }) => html`
  <button class=${`btn any ${table.screens ? "primary" : ""}`}
    onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && play(view.moves[Math.floor(Math.random() * view.moves.length)])}>${t(view.moves.length > 1 ? "ui.fear.any" : "ui.fear.only")}</button>`;

/** Ask what one might do, and why. @param {{scene: Scene, mine: boolean}} props */
export const Hint = ({ scene, mine }) =>
  scene.view.over || isOut(scene) || !QUICK.includes(scene.view.phase)
    ? null
    : html`<button class="btn quiet ask" aria-disabled=${!mine} title=${t("ui.hint")} onClick=${() => mine && send({ type: "hint" })}>
        <${Icon} name="hint" /><span>${t("ui.hint")}</span></button>`;

/** @param {{scene: Scene}} props */
export function Prompt({ scene }) {
  const { view, table } = scene;
  const mine = view.actor === table.me && table.me !== null && !view.over && !table.paused && !pausing(scene) && !isBusy(scene);
  const text = asked(scene);
  const reason = mine && !risk.value && hint.value?.version === scene.version ? hint.value.say : null;
  const refused = refusal.value?.id ? refusal.value : null;
  const actions = [];
  if (!settled.value && !mine && !table.screens && !QUICK.includes(view.phase)) actions.push(html`<button class="btn quiet skip" onClick=${skip}>${t("ui.prompt.skip")}</button>`);
  if (mayGo(scene)) actions.push(html`<button class="btn primary go" onClick=${go}>${t(view.counts ? "ui.prompt.next" : "ui.prompt.spread")}</button>`);
  if (mine && risk.value) actions.push(html`<${Sure} scene=${scene} move=${risk.value} />`);
  else if (mine && soon.value) actions.push(html`<button class="btn stop" onClick=${stop}>${t("ui.prompt.soon.stop")}</button>`);
  else if (view.counts && table.me !== null && !pausing(scene) && ["play", "bonus"].includes(view.phase) && view.playing.includes(table.me)) actions.push(html`<${Passing} scene=${scene} />`);
  if (mine && view.phase === "turn") actions.push(html`<${Any} scene=${scene} />`);
  if (isOut(scene) && !mine) actions.push(html`<${Beside} scene=${scene} /><${Rush} scene=${scene} />`);
  if (view.over) {
    if (table.me !== null || several(table)) actions.push(html`<button class="btn primary again" onClick=${again}>${t("ui.prompt.again")}</button>`);
    actions.push(html`<a class="btn" href=${at()}>${t("ui.prompt.home")}</a>`);
  }
  return html`
    <div class="prompt" data-mine=${mine || mayGo(scene) || view.over} data-choices=${(mine && risk.value) || view.over ? 2 : 1} data-doubt=${Boolean(mine && risk.value)} data-long=${text.length > (actions.length ? LONG.beside : LONG.alone)} tabindex="-1">
      ${refused ? html`<${Refused} scene=${scene} refused=${refused} />` : reason ? html`<p class="reason" id="hint"><${Icon} name="hint" /><span>${reason}</span></p>` : html`<p>${text}${mine ? null : html`<${Fined} scene=${scene} />`}</p>`}
      <div class="actions">${actions}</div>
      <${Until} me=${table.me} />
    </div>`;
}

/** What a fined pass has cost, and to whom it went: in view until one's next turn, since the log goes on. @param {{scene: Scene}} props */
function Fined({ scene }) {
  const { view, table, log } = scene;
  const paid = table.me === null || view.phase !== "play" || several(table) ? [] : finedFor(log, table.me);
  if (!paid.length) return null;
  /** @type {Map<number | "pool", number>} */
  const sums = new Map();
  for (const { payee = "pool", chips = 0 } of paid) sums.set(payee, (sums.get(payee) ?? 0) + chips);
  const parts = [...sums].map(([payee, n]) => (payee === "pool" ? t("ui.prompt.fined.pool", { n }) : t("ui.prompt.fined.to", { n, name: nameOf(scene, payee) })));
  const n = [...sums.values()].reduce((sum, one) => sum + one, 0);
  return html`<span class="fined">${t("ui.prompt.fined", { n, parts: parts.join(", ") })}</span>`;
}

/** Why a move was refused, and the rule that says so. @param {{scene: Scene, refused: NonNullable<typeof refusal.value>}} props */
const Refused = ({ scene, refused: { message, clause } }) => html`
  <p class="reason refused" role="alert"><span>${message}${clause
    ? html` <button class="clause" onClick=${() => openRules(scene.table.game, clause)}>${t("ui.rules.clause", { clause })}</button>`
    : null}</span></p>`;

/** The key that shows the latest at once. @param {KeyboardEvent} event */
export const onSkipKey = (event) => {
  if (event.key === "Escape" && !settled.peek() && shown.peek()) skip();
};
