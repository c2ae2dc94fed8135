// Dialogs of the page: Escape, the cross and a click beside them close them, and focus goes back to where it came from.
import { html, signal, useEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./text.js";

/** What is said while a dialog is open, within it. @type {import("./html.js").Signal<() => unknown>} */
export const aside = signal(() => null);

/** The card of a hand or a spread that takes the focus. */
const HAND = ".table :is(.held, .place)[tabindex='0']";

/** `reading`: a long text without buttons, to be scrolled by keys.
 * @param {{title: string, onClose: () => void, reading?: boolean, small?: boolean, children?: unknown}} props */
export function Dialog({ title, onClose, reading, small, children }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useRef(`dialog-${(count += 1)}`).current;
  useEffect(() => {
    const dialog = box.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener === document.body) return;
      if (opener instanceof HTMLElement) opener.focus();
      // What it came from may be gone or out of sight by now.
      if (document.activeElement !== opener) /** @type {HTMLElement | null} */ (document.querySelector(HAND) ?? document.querySelector("h1"))?.focus();
    };
  }, []);
  // The browser tells of a close later: by then another dialog may be open, which is not to be closed by it.
  return html`
    <dialog ref=${box} class=${small ? "small-box" : ""} aria-labelledby=${id} onClose=${() => box.current && onClose()}
      onClick=${(/** @type {Event} */ event) => event.target === box.current && onClose()}>
      <header>
        <h2 id=${id}>${title}</h2>
        <button class="btn quiet icon" aria-label=${t("ui.close")} onClick=${onClose}><${Icon} name="close" /></button>
      </header>
      <div class="body" tabindex=${reading ? 0 : undefined}>${children}</div>
      <${aside.value} />
    </dialog>`;
}
let count = 0;

/** @typedef {() => {title: string, line: string, yes: string}} Asked in the language of now */
const question = signal(/** @type {{asked: Asked, then: () => void} | null} */ (null));

/** Ask before something that cannot be taken back. @param {Asked} asked @param {() => void} then */
export function askFirst(asked, then) {
  question.value = { asked, then };
}

/** The question that is being asked. */
export function Question() {
  if (!question.value) return null;
  const { asked, then } = question.value;
  const { title, line, yes } = asked();
  const close = () => (question.value = null);
  const go = () => {
    close();
    then();
  };
  return html`
    <${Dialog} title=${title} small onClose=${close}>
      <p>${line}</p>
      <div class="row answers">
        <button class="btn danger" onClick=${go}>${yes}</button>
        <button class="btn" onClick=${close}>${t("ui.no")}</button>
      </div>
    </${Dialog}>`;
}
