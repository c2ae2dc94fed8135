// One's own hand: whole and in view; a tap, Enter or a drag to the table lays a card.
import { Card, RANKS, SUITS, bySuit } from "./card.js";
import { html, signal, useLayoutEffect, useRef } from "./html.js";
import { set, settings } from "./keep.js";
import { hint, refusal } from "./net.js";
import { play, shown } from "./stage.js";
import { steer } from "./steer.js";
import { cardName, t } from "./text.js";

const DRAG = 10; // px before a press becomes a drag
const NEAR = 24; // px beside the layout that still count as on it
/** How many cards lie in a row at most, on screens from narrow to wide. */
const ROWS = { s: 9, m: 13, l: 20 };
const LEAST = 7; // columns, as long as there are as many cards: a hand of two rows does not grow much

/** The card under the pointer or the focus, so that the board can show where it would go, if cards are to be marked. */
export const aim = signal(/** @type {string | null} */ (null));
const tried = signal(/** @type {string | null} */ (null));

/** @param {string} card */
const byRank = (card) => RANKS.indexOf(card[0] ?? "") * 4 + SUITS.indexOf(card[1] ?? "");

/** A press that may become a drag over the table; calls `lay` when let go on the layout. @param {PointerEvent} press @param {() => void} lay */
function drag(press, lay) {
  const card = /** @type {HTMLElement} */ (press.currentTarget);
  const board = card.closest(".table")?.querySelector(".board")?.getBoundingClientRect();
  if (press.button !== 0 || !board) return;
  let dragging = false;
  const stop = new AbortController();
  const over = (/** @type {PointerEvent} */ { clientX: x, clientY: y }) =>
    x > board.left - NEAR && x < board.right + NEAR && y > board.top - NEAR && y < board.bottom;
  const listen = { signal: stop.signal };
  card.setPointerCapture(press.pointerId); // a mouse may have left the card by its first move
  card.addEventListener("pointermove", (event) => {
    const [x, y] = [event.clientX - press.clientX, event.clientY - press.clientY];
    if (!dragging && Math.hypot(x, y) < DRAG) return;
    dragging = true;
    card.dataset.drag = over(event) ? "lay" : "back";
    card.style.translate = `${x}px ${y}px`;
  }, listen);
  const end = (/** @type {PointerEvent} */ event) => {
    stop.abort();
    delete card.dataset.drag;
    if (!dragging) return;
    // The click that follows a drag is not a tap.
    const tap = (/** @type {Event} */ click) => click.stopImmediatePropagation();
    card.addEventListener("click", tap, { capture: true, once: true });
    setTimeout(() => card.removeEventListener("click", tap, { capture: true }));
    if (event.type === "pointerup" && over(event)) lay();
    card.animate([{ translate: card.style.translate }, { translate: "none" }], { duration: 160, easing: "ease-out" });
    card.style.translate = "";
  };
  card.addEventListener("pointerup", end, listen);
  card.addEventListener("pointercancel", end, listen);
}

/** Into how many columns a hand goes: no more than any larger one since the deal, so that no card becomes smaller while the hand
 * shrinks. @param {number} n cards @param {number} dealt @param {number} most columns */
function columns(n, dealt, most) {
  const needs = (/** @type {number} */ cards) => Math.max(Math.ceil(cards / Math.ceil(cards / most)), Math.min(cards, LEAST)) || 1;
  return Math.min(...Array.from({ length: Math.max(1, dealt - n + 1) }, (_, more) => needs(n + more)));
}

/** The columns in which as many rows are as even as can be; the width of a card is still that of `most` of them. @param {number} n cards @param {number} most columns */
const even = (n, most) => Math.ceil(n / Math.ceil(n / most)) || 1;

/** @param {{hand: string[], dealt: number, moves: string[], mine: boolean}} props `dealt`: cards of the largest hand of the deal;
 * `mine`: it is this player's turn to lay */
export function Hand({ hand, dealt, moves, mine }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const cards = hand.toSorted((a, b) => (settings.value.sort === "rank" ? byRank(a) - byRank(b) : bySuit(a) - bySuit(b)));
  const n = cards.length;
  // Where the focus is before this drawing: a card that leaves hands it to its neighbour.
  const focus = [...(box.current?.children ?? [])].indexOf(/** @type {Element} */ (document.activeElement));
  const at = useRef(0);
  if (focus >= 0) at.current = focus;
  useLayoutEffect(() => {
    if (focus >= 0 && document.activeElement === document.body)
      /** @type {HTMLElement | undefined} */ (box.current?.children[Math.min(focus, n - 1)])?.focus();
  });
  const reachable = Math.min(at.current, n - 1);
  const refused = refusal.value && tried.value;
  const point = (/** @type {string | false} */ at) => (aim.value = mine && settings.value.marks && at ? at : null);
  /** @param {string} card */
  const lay = (card) => {
    tried.value = card;
    aim.value = null;
    if (mine) play(card);
  };
  const rows = Object.fromEntries(Object.entries(ROWS).flatMap(([size, most]) => {
    const widest = columns(n, dealt, most);
    return [[`--${size}`, widest], [`--${size}-even`, even(n, widest)]];
  }));
  return html`
    <div class="hand" ref=${box} role="group" aria-label=${t("ui.fantan.hand", { n })} style=${rows}
      data-mine=${mine} onKeyDown=${(/** @type {KeyboardEvent} */ event) => steer(event, ".held")}>
      ${cards.map((card, i) => {
        const fits = moves.includes(card);
        return html`
          <button class="held" key=${card} data-held=${card} data-fits=${fits} data-refused=${refused === card} data-hint=${mine && hint.value?.move === card} aria-disabled=${!mine}
            tabindex=${i === reachable ? 0 : -1} aria-label=${fits && settings.value.marks ? t("ui.fantan.fits", { card: cardName(card) }) : cardName(card)}
            onClick=${(/** @type {MouseEvent} */ event) => event.detail < 2 && lay(card)} aria-describedby=${mine && hint.value?.move === card ? "hint" : undefined}
            onPointerDown=${(/** @type {PointerEvent} */ event) => mine && drag(event, () => lay(card))}
            onPointerEnter=${(/** @type {PointerEvent} */ event) => point(event.pointerType === "mouse" && fits && card)}
            onFocus=${(/** @type {any} */ event) => point(event.currentTarget.matches(":focus-visible") && fits && card)}
            onPointerLeave=${() => point(false)} onBlur=${() => point(false)}>
            <${Card} card=${card} />
          </button>`;
      })}
    </div>`;
}

/** From the name of the game straight to what one may lay, turn over or name, when it is one's turn. */
export function ToCards() {
  const { view, table } = shown.value ?? {};
  if (!view || !table || view.actor !== table.me || table.paused || !["play", "bonus", "open", "turn", "name"].includes(view.phase)) return null;
  const there = () => /** @type {HTMLElement | null} */ (document.querySelector(view.phase === "name" ? ".named[tabindex='0']" : ":is(.held, .place)[tabindex='0']"))?.focus();
  return html`<button class="btn primary to-cards" onClick=${there}>${t(view.counts ? "ui.table.to_cards" : "ui.table.to_spread")}</button>`;
}

/** Sort by suit or by rank. */
export function Sort() {
  const rank = settings.value.sort === "rank";
  return html`
    <button class="btn quiet sort" onClick=${() => set({ sort: rank ? "suit" : "rank" })}>
      ${t(rank ? "ui.fantan.by_suit" : "ui.fantan.by_rank")}
    </button>`;
}
