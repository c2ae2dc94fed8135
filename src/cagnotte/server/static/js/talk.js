// What people say to each other: what was said, eight quick signs, bubbles at the seats, and whom one does not hear.
import { Dialog } from "./dialog.js";
import { Pick, Tick, submitted } from "./fields.js";
import { own } from "./host.js";
import { computed, effect, html, signal, untracked, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { read, set, settings, write } from "./keep.js";
import { announce } from "./live.js";
import { chat, refusal, send, status, update } from "./net.js";
import { Sign } from "./signs.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Said} Said */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Reaction} Reaction */

/** @type {Reaction[]} */
const REACTIONS = ["clap", "laugh", "wow", "oops", "think", "heart", "hurry", "well_played"];
const LONGEST = 200; // characters as a reader counts them
const [STAYS, STAYS_FOR_EACH, STAYS_AT_MOST] = [3500, 60, 9000]; // ms that a bubble is there, and for each character
const KEPT = 100; // persons not heard
const NEAR = 32; // px from its end at which a list follows what comes
const SPACE = 8; // px

const wide = matchMedia("(min-width: 1200px) and (min-height: 700px)");
const docks = signal(wide.matches);
wide.addEventListener("change", () => (docks.value = wide.matches));
/** Whether the panel is open beside the table, and whether over it. */
const docked = signal(true);
const raised = signal(false);

/** Whom this browser does not hear, as `table/seat`. @type {import("./html.js").Signal<string[]>} */
const unheard = signal([read("unheard") ?? []].flat().filter((one) => typeof one === "string"));
/** The last line that was taken in, and the last that was read; none while there is no table. @type {number | null} */
let known = null;
const seen = signal(0);
/** The bubbles to be seen, one for each seat. @type {import("./html.js").Signal<Said[]>} */
const fresh = signal([]);

/** What was sent to be said and is not answered yet, in order; what the server says next is about the first. @type {(string | null)[]} */
let sent = [];
/** What the server would not have, and why. @type {import("./html.js").Signal<{text: string | null, why: string} | null>} */
const unsaid = signal(null);

/** The persons at the other end of what one says. @param {Table} table */
const company = (table) =>
  table.seats.map((_, seat) => seat).filter((seat) => table.seats[seat]?.kind === "person" && !own(table, seat));

/** @param {number} seat */
const key = (seat) => `${update.value?.table.id}/${seat}`;

/** @param {number} seat @param {boolean} heard */
function hear(seat, heard) {
  const others = unheard.value.filter((one) => one !== key(seat));
  unheard.value = heard ? others : [...others, key(seat)].slice(-KEPT);
  write("unheard", unheard.value);
}

const lines = computed(() =>
  settings.value.mutedAll ? [] : chat.value.filter((line) => !unheard.value.includes(key(line.seat))),
);
const open = computed(() => (docks.value ? docked.value : raised.value));
const unread = computed(() => {
  const table = update.value?.table;
  return table ? lines.value.filter((line) => line.text && line.n > seen.value && !own(table, line.seat)).length : 0;
});

/** What a line says to the ear. @param {Said} line */
const said = ({ name, text, react }) => t("ui.talk.said", { name, text: text ?? t(`ui.talk.${react}`) });

effect(() => {
  const latest = update.value;
  untracked(() => take(latest));
});
effect(() => {
  const refused = refusal.value;
  const [text] = sent;
  if (refused?.id !== null || text === undefined) return;
  sent.shift();
  unsaid.value = { text, why: refused.message };
  refusal.value = null;
});
effect(() => {
  if (status.value !== "live") sent = [];
});
effect(() => {
  if (open.value) seen.value = lines.value.at(-1)?.n ?? 0;
});

/** Say and show what is new; what was said before one came is there to be read. @param {import("./types.js").Update | null} latest */
function take(latest) {
  if (!latest) {
    known = null;
    fresh.value = [];
    return;
  }
  const before = known;
  known = chat.value.at(-1)?.n ?? before ?? 0;
  if (before === null) return void (seen.value = known);
  for (const line of lines.value)
    if (line.n > before) {
      announce(said(line));
      if (own(latest.table, line.seat) && sent.length) sent.shift();
      if (!latest.log) show(line);
    }
}

/** @param {Said} line */
function show(line) {
  const table = update.value?.table;
  if (!settings.value.bubbles || !table || own(table, line.seat)) return;
  fresh.value = [...fresh.value.filter((one) => one.seat !== line.seat), line];
  const stays = Math.min(STAYS_AT_MOST, STAYS + STAYS_FOR_EACH * (line.text?.length ?? 0));
  setTimeout(() => (fresh.value = fresh.value.filter((one) => one !== line)), stays);
}

/** The characters of a text as a reader counts them; of what is far too long, about. @param {string} text */
const length = (text) => (text.length > 20 * LONGEST ? text.length : [...new Intl.Segmenter().segment(text)].length);

/** Opens and closes the panel, and counts what was not read; nothing where there is nobody to talk to. */
export function TalkButton() {
  const table = update.value?.table;
  if (!table || (!company(table).length && !chat.value.length)) return null;
  const n = unread.value;
  const press = () => (docks.value ? (docked.value = !docked.value) : (raised.value = true));
  return html`
    <button class="btn quiet icon talk-button" aria-label=${t("ui.talk.open", { n })} aria-expanded=${open.value} onClick=${press}>
      <${Icon} name="talk" /><span class="word">${t("ui.talk")}</span>${n ? html`<b class="unread" aria-hidden="true">${n > 99 ? "99" : n}</b>` : null}
    </button>`;
}

/** The panel beside the table, where there is room and somebody to talk to. */
export function DockedTalk() {
  const table = update.value?.table;
  if (!table || !docks.value || !docked.value || (!company(table).length && !chat.value.length)) return null;
  return html`<section class="talk docked" aria-labelledby="talk-title">
    <h2 id="talk-title">${t("ui.talk")}</h2><${Panel} table=${table} />
  </section>`;
}

/** The panel over the table, and the bubbles. */
export function Talk() {
  const table = update.value?.table;
  if (!table) return null;
  return html`
    ${raised.value && !docks.value
      ? html`<${Dialog} title=${t("ui.talk")} onClose=${() => (raised.value = false)}>
          <div class="talk"><${Panel} table=${table} /></div></${Dialog}>`
      : null}
    <${Bubbles} />`;
}

/** @param {{table: Table}} props */
function Panel({ table }) {
  const silent = settings.value.mutedAll ? t("ui.talk.deaf") : table.muted ? t("ui.talk.off") : "";
  return html`
    <${Lines} />
    ${silent ? html`<p class="muted">${silent}</p>` : null}
    ${table.me === null && !table.also.length
      ? html`<p class="muted">${t("ui.talk.seated")}</p>`
      : table.me === null || silent
        ? null
        : html`<${Reactions} /><${Saying} />`}
    <${Hearing} table=${table} />`;
}

/** What was said. It follows what comes, unless one has gone back to read. */
function Lines() {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [follows, setFollows] = useState(true);
  const last = lines.value.at(-1)?.n;
  const toEnd = () => box.current && (box.current.scrollTop = box.current.scrollHeight);
  useLayoutEffect(() => {
    if (follows) toEnd();
  }, [last]);
  /** @param {any} event */
  const scrolled = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
    setFollows(scrollTop + clientHeight > scrollHeight - NEAR);
  return html`
    <div class="said">
      <ol ref=${box} tabindex="0" aria-label=${t("ui.talk.lines")} onScroll=${scrolled}>
        ${lines.value.map((line) => html`
          <li key=${line.n} data-own=${line.seat === update.value?.table.me}>
            <b dir="auto">${line.name}</b>${" "}
            ${line.text !== undefined
              ? html`<span dir="auto">${line.text}</span>`
              : html`<span class="signed"><${Sign} what=${line.react} />${t(`ui.talk.${line.react}`)}</span>`}
          </li>`)}
      </ol>
      ${lines.value.length ? null : html`<p class="muted">${t("ui.talk.nothing")}</p>`}
      ${follows ? null : html`<button type="button" class="btn newest" onClick=${toEnd}>${t("ui.talk.newest")}</button>`}
    </div>`;
}

/** Say or show something; what the server makes of it is told by `unsaid`. @param {import("./types.js").ToServer} message @param {string | null} [text] */
function tell(message, text = null) {
  unsaid.value = null;
  return send(message) && sent.push(text) > 0;
}

const Reactions = () => html`
  <div class="reactions" role="group" aria-label=${t("ui.talk.reactions")}>
    ${REACTIONS.map((what) => html`
      <button type="button" class="btn quiet icon" key=${what} aria-label=${t(`ui.talk.${what}`)} title=${t(`ui.talk.${what}`)}
        onClick=${() => tell({ type: "react", what })}><${Sign} what=${what} /></button>`)}
  </div>`;

/** One line to say. It stands until it is sent, and again if the server would not have it. */
function Saying() {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [excess, setExcess] = useState(0);
  const count = () => {
    unsaid.value = null;
    setExcess(Math.max(0, length(field.current?.value.trim() ?? "") - LONGEST));
  };
  const refused = unsaid.value;
  useEffect(() => {
    if (refused?.text && field.current?.value === "") field.current.value = refused.text;
  }, [refused]);
  const say = () => {
    const text = field.current?.value.trim() ?? "";
    if (!field.current || !text || excess || !tell({ type: "say", text }, text)) return;
    field.current.value = "";
  };
  // Keys of the table are none while one writes.
  return html`
    <form class="saying" onSubmit=${submitted(say)} onKeyDown=${(/** @type {Event} */ event) => event.stopPropagation()}>
      <div class="row">
        <input ref=${field} class="input" aria-label=${t("ui.talk.say")} placeholder=${t("ui.talk.say")} autocomplete="off" enterkeyhint="send"
          aria-invalid=${excess > 0} aria-describedby="too-long" onInput=${count} />
        <button class="btn" aria-disabled=${excess > 0}>${t("ui.talk.send")}</button>
      </div>
      <p class="small" id="too-long" role="status">${excess ? t("ui.talk.long", { most: LONGEST, n: excess }) : null}</p>
      ${refused ? html`<p class="small unsaid" role="alert">${refused.why}</p>` : null}
    </form>`;
}

/** Where what people say is shown. @param {{name?: string}} props `name`: of the field, where there are two */
export function SaidField({ name = "said" }) {
  const { bubbles, mutedAll } = settings.value;
  const options = /** @type {const} */ (["seats", "chat", "nowhere"]).map((value) => ({ value, label: t(`ui.settings.said.${value}`) }));
  return Pick({ label: t("ui.settings.said"), name, options, value: mutedAll ? "nowhere" : bubbles ? "seats" : "chat",
    onPick: (value) => set({ mutedAll: value === "nowhere", ...(value === "nowhere" ? {} : { bubbles: value === "seats" }) }) });
}

/** Whom one hears, and for the host whether anybody is heard. @param {{table: Table}} props */
const Hearing = ({ table }) => html`
  <details class="hearing">
    <summary>${t("ui.talk.hearing")}</summary>
    ${settings.value.mutedAll
      ? null
      : company(table).map((seat) => html`
          <${Tick} key=${seat} label=${t("ui.talk.hear", { name: table.seats[seat]?.name ?? "", seat: seat + 1 })}
            value=${!unheard.value.includes(key(seat))} onPick=${(/** @type {boolean} */ on) => hear(seat, on)} />`)}
    <${SaidField} name="heard" />
    ${table.me !== null && table.me === table.host
      ? html`<${Tick} label=${t("ui.talk.mute")} value=${table.muted} onPick=${(/** @type {boolean} */ on) => send({ type: "mute", on })} />`
      : null}
  </details>`;

/** What was just said, beside the seat of who said it. */
export const Bubbles = () => html`
  <div class="bubbles" aria-hidden="true">${fresh.value.map((line) => html`<${Bubble} key=${line.n} line=${line} />`)}</div>`;

/** @param {{line: Said}} props */
function Bubble({ line }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [far, setFar] = useState(false);
  useLayoutEffect(() => {
    const put = () => box.current && place(box.current, line.seat) && setFar(true);
    put();
    addEventListener("resize", put);
    return () => removeEventListener("resize", put);
  }, [far]);
  const what = line.react ? html`<${Sign} what=${line.react} />` : line.text;
  return html`<p class="bubble" ref=${box} dir="auto">${far ? html`<b>${line.name}</b>${" "}` : null}${what}</p>`;
}

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** @param {HTMLElement} one as it will be: it grows while it comes @returns {Box} */
const boxOf = ({ offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height }) =>
  ({ left, top, right: left + width, bottom: top + height });

/** @param {Box} one @param {Box} other */
const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Where this box is over none of the others if it goes down, or up; null where that is off the screen.
 * @param {Box} box @param {Box[]} others @param {boolean} down */
function beyond({ left, top, right, bottom }, others, down) {
  const height = bottom - top;
  for (let y = top; y >= SPACE && y + height <= innerHeight - SPACE; ) {
    const hit = others.find((other) => overlap({ left, right, top: y, bottom: y + height }, other));
    if (!hit) return y;
    y = down ? hit.bottom + SPACE / 2 : hit.top - SPACE / 2 - height;
  }
  return null;
}

/** Put a bubble beside a seat, within the screen, over no other bubble and no other seat: where there is no room, those before it go.
 * Whether it gave way to another seat, and has to say whose it is.
 * @param {HTMLElement} bubble @param {number} seat */
function place(bubble, seat) {
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-seat]"))].filter((one) => one.offsetParent !== null);
  const at = all.find((one) => one.dataset.seat === `${seat}`)?.getBoundingClientRect();
  bubble.hidden = !at;
  if (!at) return false;
  const seats = all.filter((one) => one.dataset.seat !== `${seat}`).map((one) => one.getBoundingClientRect());
  bubble.style.left = "0"; // its width is of the room to the right of it
  const { offsetWidth: width, offsetHeight: height } = bubble;
  /** @param {number} wanted @param {number} most */
  const within = (wanted, most) => Math.max(SPACE, Math.min(wanted, most - SPACE));
  const below = at.top + at.height / 2 < innerHeight / 2;
  const left = within(at.left + at.width / 2 - width / 2, innerWidth - width);
  const top = within(below ? at.bottom + SPACE / 2 : at.top - height - SPACE / 2, innerHeight - height);
  const box = { left, top, right: left + width, bottom: top + height };
  const before = [...(bubble.parentElement?.children ?? [])].map((one) => /** @type {HTMLElement} */ (one));
  before.splice(before.indexOf(bubble));
  const there = before.filter((one) => !one.hidden);
  // Pool and log are to be read meanwhile.
  const line = below ? document.querySelector(".middle:has(.line)")?.getBoundingClientRect() : null;
  const others = [...there.map(boxOf), ...(line ? [line] : [])];
  const near = beyond(box, others, below) ?? beyond(box, others, !below) ?? top;
  const y = beyond(box, [...others, ...seats], below) ?? beyond(box, [...others, ...seats], !below) ?? near;
  Object.assign(bubble.style, { left: `${left}px`, top: `${y}px` });
  for (const one of there) if (overlap(boxOf(bubble), boxOf(one))) one.hidden = true;
  return y !== near;
}
