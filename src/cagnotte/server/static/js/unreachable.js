// Without a server, as one sees it: what can be kept for then, and what works while it is out of reach.
import { html, useEffect } from "./html.js";
import { drop, engine, keep, look, possible, reachable } from "./offline.js";
import { t } from "./text.js";

/** MB, as people say it. @param {number} bytes */
const megabytes = (bytes) => Math.max(1, Math.round(bytes / 1e6));

/** In the settings: what to keep, or what is kept. */
export function KeepOffline() {
  useEffect(() => void look(), []);
  const { state, share, bytes } = engine.value;
  if (!possible) return html`<p class="muted small">${t("ui.offline.impossible")}</p>`;
  if (state === "unknown") return null;
  return html`
    <div class="field">
      <p role="status">${state === "coming"
        ? t("ui.offline.coming", { percent: Math.round(100 * share) })
        : t(`ui.offline.${state}`)}</p>
      ${state === "kept"
        ? html`<div><button class="btn" onClick=${drop}>${t("ui.offline.drop")}</button></div>`
        : html`<div><button class="btn" disabled=${state === "coming"} onClick=${keep}>
            ${t("ui.offline.keep", { size: megabytes(bytes) })}</button></div>`}
    </div>`;
}

/** At home while the server is out of reach: what works, and what does not. */
export function Unreachable() {
  useEffect(() => void (reachable.value || look()), [reachable.value]);
  if (reachable.value) return null;
  const alone = engine.value.state === "kept";
  return html`
    <section class="panel stack unreachable" role="status" aria-labelledby="unreachable">
      <h2 id="unreachable">${t("ui.offline.title")}</h2>
      <p>${t(alone ? "ui.offline.works" : "ui.offline.works.little")}</p>
      <p class="muted">${t("ui.offline.not")}</p>
    </section>`;
}
