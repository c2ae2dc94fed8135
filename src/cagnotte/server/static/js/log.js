// The log: what happened in sentences; a payment shows the clause that asks for it, and leads there.
import { Dialog } from "./dialog.js";
import { html, signal, useEffect, useLayoutEffect, useRef } from "./html.js";
import { openRules } from "./rules.js";
import { DockedTalk } from "./talk.js";
import { t } from "./text.js";

/** @typedef {import("./stage.js").Scene} Scene */
/** @typedef {import("./types.js").Event} Event */

const wide = matchMedia("(min-width: 1200px) and (min-height: 560px)");
const docks = signal(wide.matches);
wide.addEventListener("change", () => (docks.value = wide.matches));
/** Whether the log is open beside the table, and whether over it. */
const docked = signal(true);
const raised = signal(false);

/** Whether an event is a line of the log; whose turn it is the table shows. @param {Event} event */
const worth = (event) => event.say !== "" && event.kind !== "turn";

/** The last sentence of the log. @param {Event[]} log */
const latest = (log) => log.findLast(worth)?.say;

/** A line that tells the latest and opens the log. @param {{scene: Scene}} props */
export function Ticker({ scene }) {
  const open = docks.value ? docked : raised;
  return html`
    <button class="ticker" aria-expanded=${open.value} onClick=${() => (open.value = !open.value)}>
      <span class="sr">${t("ui.table.log")}</span>
      <span class="line" aria-hidden="true">${latest(scene.log) ?? t("ui.table.log")}</span>
      <svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><path d="M5 7h14M5 12h14M5 17h9" /></svg>
    </button>`;
}

/** @param {{scene: Scene}} props */
function Lines({ scene }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { log, table } = scene;
  // The latest line is in view, also once the dialog around it has opened.
  const end = () => [box.current, box.current?.closest(".body")].forEach((one) => one && (one.scrollTop = one.scrollHeight));
  useLayoutEffect(end, [log.length]);
  useEffect(() => {
    const later = requestAnimationFrame(end);
    return () => cancelAnimationFrame(later);
  }, [log.length]);
  return html`
    <ol class="lines" ref=${box} tabindex="0" aria-label=${t("ui.table.log")}>
      ${log.map((event, i) =>
        worth(event)
          ? html`<li key=${i} data-kind=${event.kind}>
              <span>${event.say}</span>
              ${event.clause
                ? html`<button class="clause" aria-label=${t("ui.table.clause", { clause: event.clause })}
                    onClick=${() => openRules(table.game, event.clause)}>${event.clause}</button>`
                : null}
            </li>`
          : null)}
    </ol>`;
}

/** The log beside the table, where there is room and it is wanted. @param {{scene: Scene}} props */
export const DockedLog = ({ scene }) =>
  docks.value && docked.value
    ? html`<aside class="log" aria-label=${t("ui.table.log")}><h2>${t("ui.table.log")}</h2><${Lines} scene=${scene} /><${DockedTalk} /></aside>`
    : null;

/** The log over the table, where there is no room beside it. @param {{scene: Scene}} props */
export const RaisedLog = ({ scene }) =>
  !docks.value && raised.value
    ? html`<${Dialog} title=${t("ui.table.log")} onClose=${() => (raised.value = false)}><${Lines} scene=${scene} /></${Dialog}>`
    : null;
