// A dialog of the page: Escape, the cross and a click beside it close it, and focus goes back to where it came from.
import { html, useEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./text.js";

/** `reading`: a long text without buttons, to be scrolled by keys.
 * @param {{title: string, onClose: () => void, reading?: boolean, children?: unknown}} props */
export function Dialog({ title, onClose, reading, children }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = box.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return html`
    <dialog ref=${box} aria-labelledby="dialog-title" onClose=${onClose}
      onClick=${(/** @type {Event} */ event) => event.target === box.current && onClose()}>
      <header>
        <h2 id="dialog-title">${title}</h2>
        <button class="btn quiet icon" aria-label=${t("ui.close")} onClick=${onClose}><${Icon} name="close" /></button>
      </header>
      <div class="body" tabindex=${reading ? 0 : undefined}>${children}</div>
    </dialog>`;
}
