// What the page plays for its person who wants that: the pass when nothing fits, the only card that does. It waits
// as long whatever the hand is, so that nobody learns from it what one holds.
import { computed, effect, signal } from "./html.js";
import { settings } from "./keep.js";
import { pending } from "./net.js";
import { play, settled, shown } from "./stage.js";

const [LEAST, MOST] = [1200, 2800]; // ms at the normal pace
const SPEED = { slow: 1.5, normal: 1, quick: 0.5, once: 0.1 };

/** The version at which the person would rather play himself. */
const stopped = signal(-1);

/** The move that is about to be played, and when: `VERSION MOVE`, or nothing. */
const due = computed(() => {
  const { autoPass, autoLay } = settings.value;
  const scene = shown.value;
  if ((!autoPass && !autoLay) || !scene?.view || !settled.value || pending.value || scene.table.paused) return "";
  const { view, table, version } = scene;
  if (view.actor !== table.me || view.over || !view.counts || version === stopped.value) return "";
  if (view.phase === "bonus") return ""; // E3: put to him always, so that nobody learns what he holds
  const lays = view.moves.filter((/** @type {string} */ move) => move !== "pass" && move.length === 2);
  const move = lays.length === 0 ? autoPass && view.moves[0] : lays.length === 1 && autoLay && lays[0];
  return move ? `${version} ${move}` : "";
});

/** The move that is about to be played for the person, if any. */
export const soon = computed(() => due.value.split(" ")[1] ?? null);

/** Leave this move to the person. */
export const stop = () => (stopped.value = shown.peek()?.version ?? -1);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
effect(() => {
  clearTimeout(timer);
  const [, move] = due.value.split(" ");
  const pace = SPEED[shown.peek()?.table.pace ?? "normal"];
  if (move) timer = setTimeout(() => play(move), pace * (LEAST + Math.random() * (MOST - LEAST)));
});
