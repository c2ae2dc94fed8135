// While one plays: the screen stays on where that is wanted, and a page that is not looked at calls when it is one's turn.
import { computed, effect, signal } from "./html.js";
import { settings } from "./keep.js";
import { update } from "./net.js";
import { t } from "./text.js";

const hidden = signal(document.hidden);
document.addEventListener("visibilitychange", () => (hidden.value = document.hidden));

/** @type {WakeLockSentinel | null} */
let lock = null;

/** Whether this page is a screen that all share. */
export const sharing = signal(false);

const awake = computed(() => {
  const table = update.value?.table;
  const plays = settings.value.awake && table?.state === "playing" && table.me !== null;
  return !hidden.value && (sharing.value || plays);
});
effect(() => {
  if (!awake.value) return void (lock?.release(), (lock = null));
  // Only a secure page may ask, and the system may say no.
  navigator.wakeLock?.request("screen").then(
    (given) => {
      if (awake.peek()) lock = given;
      else given.release();
    },
    () => {},
  );
});

/** Whether this player is asked for something, as one word for each time. */
const asked = computed(() => {
  const { view, table, version } = update.value ?? {};
  return view && table && !view.over && !table.paused && table.me !== null && view.actor === table.me ? `${table.id} ${version}` : "";
});
/** @type {Notification | null} */
let note = null;
effect(() => {
  if (!asked.value || !hidden.value) return void (note?.close(), (note = null));
  if (!settings.peek().notify || note || !("Notification" in window) || Notification.permission !== "granted") return;
  const game = update.peek()?.table.game;
  const how = { body: t(`game.${game}`), tag: "cagnotte", vibrate: [120] };
  try {
    note = new Notification(t("ui.turn"), how);
    note.onclick = () => window.focus();
  } catch {
    navigator.serviceWorker?.ready.then((worker) => worker.showNotification(t("ui.turn"), how)); // as Android wants it
  }
});
