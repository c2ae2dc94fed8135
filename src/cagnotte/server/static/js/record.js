// The record of a sitting as a file to keep.
import { html, useState } from "./html.js";
import { seatAt } from "./keep.js";
import { ask } from "./net.js";
import { save } from "./save.js";
import { lang, t } from "./text.js";

/** A button that downloads it: of the sitting with this number, or of the last one. Below stands a note, or why it failed.
 * @param {{id: string, game: string, sitting?: number, note?: string, look?: string}} props */
export function Download({ id, game, sitting, note = "", look = "" }) {
  const [failed, setFailed] = useState("");
  const which = sitting ? `&sitting=${sitting}` : "";
  const download = () =>
    ask(`api/record/${encodeURIComponent(id)}?lang=${lang.value}${which}`, undefined, seatAt(id)).then(
      (record) => save(`${[game, id, sitting].filter(Boolean).join("-")}.json`, record),
      (error) => setFailed(error instanceof TypeError ? t("ui.line.none") : error.message),
    );
  return html`
    <div>
      <button class=${`btn ${look}`} onClick=${download}>${t("ui.replay.record")}</button>
      ${failed || note ? html`<p class="muted small" role="status">${failed || note}</p>` : null}
    </div>`;
}
