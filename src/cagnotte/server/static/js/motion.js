// Motion that explains: where a card came from, where chips went. It is laid over what is drawn already and never
// stands between a finger and a card; the boards mark what may move by data attributes, all of them public.

/** @typedef {import("./types.js").Event} Event */
/** @typedef {Map<string, DOMRect>} Seen */

const EASE = "cubic-bezier(.2,.7,.2,1)";
const CHIPS_SHOWN = 4;
const ROUNDS_SHOWN = 5; // of the deal

/** @param {string} selector @returns {HTMLElement | null} the one of several that is to be seen */
const find = (selector) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))].find((one) => one.offsetParent !== null) ?? null;

/** @param {unknown} account a seat or "pool" */
const purse = (account) => (account === "pool" ? "[data-pool]" : `[data-seat="${account}"]`);

/** Where things are before the events of a part are drawn. @param {Event[]} part @param {number | null} me @returns {Seen} */
export function look(part, me) {
  /** @type {Seen} */
  const seen = new Map();
  for (const { kind, seat, card } of part) {
    if (kind !== "laid") continue;
    const from = (seat === me && find(`[data-held="${card}"]`)) || find(purse(seat));
    if (from) seen.set(`${card}`, from.getBoundingClientRect());
  }
  return seen;
}

/**
 * Show how the events of a part came about; the fear, once it is up, lingers for the last of these ms.
 * @param {Event[]} part @param {Seen} seen @param {number} ms @param {number} lingers
 */
export async function move(part, seen, ms, lingers) {
  await new Promise((done) => requestAnimationFrame(done)); // drawn by then, and not yet to be seen
  part.forEach((event) => MOVES[event.kind]?.(event, ms, seen, lingers));
}

/** @type {Record<string, (event: Event, ms: number, seen: Seen, lingers: number) => void>} */
const MOVES = {
  laid({ card }, ms, seen) {
    const to = find(`[data-spot="${card}"]`);
    const from = seen.get(`${card}`);
    if (to && from) slide(to, from, ms * 0.8);
  },
  paid({ payer, payee, chips = 0 }, ms) {
    const [from, to] = [find(purse(payer)), find(purse(payee))];
    if (from && to) for (let i = 0; i < Math.min(chips, CHIPS_SHOWN); i++) fly("chip", from, to, ms * 0.6, (i * ms * 0.4) / CHIPS_SHOWN);
  },
  dealt({ counts }, ms) {
    const from = find("[data-pack]") ?? find("[data-pool]");
    const seats = /** @type {number[]} */ (counts).flatMap((n, seat) => (n ? [find(purse(seat))] : []));
    const all = seats.length * ROUNDS_SHOWN;
    for (let i = 0; i < all && from; i++) {
      const to = seats[i % seats.length];
      if (to) fly("card back flying", from, to, ms * 0.35, (i / all) * ms * 0.65);
    }
  },
  turned({ place, fear }, ms, _, lingers) {
    const to = find(`[data-place="${place}"] .card`);
    if (to) turn(to, fear ? ms - lingers : ms, fear ? lingers : 0);
  },
  named(_, ms) {
    find("[data-fear] .card")?.animate(
      [{ transform: "scale(.6)", opacity: 0 }, { transform: "scale(1.12)", opacity: 1, offset: 0.6 }, { transform: "none" }],
      { duration: ms * 0.6, easing: EASE },
    );
  },
  spread(_, ms) {
    document.querySelectorAll("[data-place]").forEach((one, i) =>
      one.animate([{ opacity: 0, transform: "translateY(-24px) scale(.8)" }, { opacity: 1, transform: "none" }], {
        duration: ms * 0.3, delay: (i / 52) * ms * 0.6, easing: EASE, fill: "backwards",
      }));
  },
  shuffled(_, ms) {
    document.querySelectorAll("[data-pack] .card").forEach((one, i) =>
      one.animate(
        [{ transform: "none" }, { transform: `translateX(${i % 2 ? 70 : -70}%) rotate(${i % 2 ? 8 : -8}deg)` }, { transform: "none" }],
        { duration: ms / 3, iterations: 2, easing: "ease-in-out", delay: (i % 3) * 20 },
      ));
  },
};

/** Draw an element first where it was. @param {HTMLElement} to @param {DOMRect} from @param {number} ms */
function slide(to, from, ms) {
  const at = to.getBoundingClientRect();
  const x = from.left + from.width / 2 - at.left - at.width / 2;
  const y = from.top + from.height / 2 - at.top - at.height / 2;
  const scale = Math.min(1.6, Math.max(0.5, from.width / at.width));
  to.style.zIndex = "60";
  to.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }], { duration: ms, easing: EASE })
    .finished.catch(() => {}).then(() => to.style.removeProperty("z-index"));
}

/** Let a thing fly over the page. @param {string} kind @param {Element} from @param {Element} to @param {number} ms @param {number} delay */
function fly(kind, from, to, ms, delay) {
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const thing = document.createElement("span");
  thing.className = `${kind} flight`;
  thing.ariaHidden = "true";
  document.body.append(thing);
  /** @param {DOMRect} box */
  const middle = (box) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%)`;
  thing.animate(
    [{ transform: middle(a), opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.85 }, { transform: middle(b), opacity: 0 }],
    { duration: ms, delay, easing: "cubic-bezier(.4,0,.3,1)", fill: "both" },
  ).finished.catch(() => {}).then(() => thing.remove());
}

/**
 * Turn a card over: a back turns away for as long whatever it was, and only then does the face come; the fear lingers.
 * @param {HTMLElement} face @param {number} ms @param {number} lingers
 */
function turn(face, ms, lingers) {
  const half = ms / 2.2;
  const back = document.createElement("span");
  back.className = "card back over";
  back.ariaHidden = "true";
  face.parentElement?.append(back);
  back.animate([{ transform: "none" }, { transform: "rotateY(90deg) scale(1.06)" }], { duration: half, easing: "ease-in", fill: "forwards" })
    .finished.catch(() => {}).then(() => back.remove());
  face.animate(
    [{ transform: "rotateY(-90deg) scale(1.06)", opacity: 0 }, { transform: "rotateY(-90deg) scale(1.06)", opacity: 1, offset: 0.01 }, { transform: "none" }],
    { duration: half, delay: half, easing: "ease-out", fill: "backwards" },
  );
  if (lingers)
    face.animate([{ scale: "1" }, { scale: "1.5" }, { scale: "1.4" }, { scale: "1" }], { duration: lingers, delay: 2 * half, easing: "ease-in-out" });
}
