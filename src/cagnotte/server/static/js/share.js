// A link to give away: shown, copied, or handed to the system where it can share.
import { html, signal, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./text.js";

const copied = signal("");

/** @param {string} text @param {HTMLInputElement | null} field */
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // no clipboard without a secure context: the old way, from the field itself
    field?.select();
    document.execCommand("copy");
  }
  copied.value = text;
  setTimeout(() => copied.value === text && (copied.value = ""), 2500);
}

/**
 * With a title it may be shared, too; `main` where copying it is the thing to do.
 * @param {{label: string, link: string, note?: string, title?: string, main?: boolean}} props
 */
export function LinkField({ label, link, note, title, main }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const id = `link-${label}`;
  const done = copied.value === link;
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <div class="row link">
        <input id=${id} ref=${field} class="input" readonly value=${link} onFocus=${() => field.current?.select()} />
        <button type="button" class=${`btn ${main ? "primary" : ""}`} onClick=${() => copy(link, field.current)}>
          <${Icon} name=${done ? "done" : "copy"} /><span aria-live="polite">${t(done ? "ui.copied" : "ui.copy")}</span>
        </button>
        ${title && "share" in navigator
          ? html`<button type="button" class="btn" onClick=${() => navigator.share({ title, url: link }).catch(() => {})}>
              <${Icon} name="share" />${t("ui.share")}</button>`
          : null}
      </div>
      ${note ? html`<p class="muted small">${note}</p>` : null}
    </div>`;
}
