// The few kinds of field that the page asks with: plain functions of their props, so that the checker sees those.
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./text.js";

/** What to do with a field's value. @param {(value: string) => void} then */
export const typed = (then) => (/** @type {any} */ event) => then(event.currentTarget.value);

/** What to do instead of sending a form. @param {(form: HTMLFormElement) => void} then */
export const submitted = (then) => (/** @type {any} */ event) => {
  event.preventDefault();
  then(event.currentTarget);
};

/** A note in the room of the longest `among` which it stands, so that nothing moves when another takes its place.
 * @param {{id?: string, note: string, among?: string[]}} props */
export const Note = ({ id, note, among = [] }) => html`
  <p class="note-of muted small" id=${id}>
    ${[...new Set([...among, note])].map((one) => html`<span key=${one} class=${one === note ? "" : "unseen"}>${one}</span>`)}
  </p>`;

/**
 * One of few: side by side, or one below the other when they are sentences.
 * @template {string | number} V
 * @param {{label: string, name: string, options: {value: V, label: string}[], value: V, onPick: (value: V) => void,
 *   note?: string, among?: string[], sentences?: boolean}} props
 */
export const Pick = ({ label, name, options, value, onPick, note, among, sentences }) => html`
  <fieldset class="field">
    <legend>${label}</legend>
    <div class=${sentences ? "" : "pick"}>
      ${options.map((one) => html`
        <label class=${sentences ? "choice" : ""} key=${one.value}>
          <input type="radio" name=${name} checked=${one.value === value} onChange=${() => onPick(one.value)} />
          <span>${one.label}</span>
        </label>`)}
    </div>
    ${note ? Note({ note, among }) : null}
  </fieldset>`;

/** A sentence that holds or not. @param {{label: string, value: boolean, onPick: (value: boolean) => void}} props */
export const Tick = ({ label, value, onPick }) => html`
  <label class="choice">
    <input type="checkbox" checked=${value} onChange=${(/** @type {any} */ event) => onPick(event.currentTarget.checked)} />
    <span>${label}</span>
  </label>`;

/**
 * A number between two others, with less and more beside it.
 * @param {{id: string, label: string, value: number, min: number, max: number, onPick: (value: number) => void,
 *   note?: string, among?: string[]}} props
 */
export function Step({ id, label, value, min, max, onPick, note = "", among = [] }) {
  /** @param {number} wanted */
  const pick = (wanted) => {
    const near = Number.isNaN(wanted) ? value : Math.min(max, Math.max(min, Math.round(wanted)));
    onPick(near);
    return String(near);
  };
  /** A button may leave the focus in the field. @param {number} wanted */
  const press = (wanted) => (/** @type {any} */ { currentTarget }) =>
    (currentTarget.parentElement.querySelector("input").value = pick(wanted));
  // What is being typed is not overwritten, whatever else the page shows meanwhile.
  const shown = document.activeElement?.id === id ? undefined : value;
  const noted = note || among.length ? `${id}-note` : undefined;
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <div class="row">
        <div class="step">
          <button type="button" class="btn icon" aria-label=${t("ui.less")} aria-controls=${id}
            aria-disabled=${value <= min} onClick=${press(value - 1)}><${Icon} name="less" /></button>
          <input id=${id} type="number" inputmode="numeric" min=${min} max=${max} value=${shown} aria-describedby=${noted}
            onChange=${(/** @type {any} */ { currentTarget }) => (currentTarget.value = pick(currentTarget.valueAsNumber))} />
          <button type="button" class="btn icon" aria-label=${t("ui.more")} aria-controls=${id}
            aria-disabled=${value >= max} onClick=${press(value + 1)}><${Icon} name="more" /></button>
        </div>
        ${noted ? Note({ id: noted, note, among }) : null}
      </div>
    </div>`;
}

/** One's name, asked for wherever it is first wanted. @param {{value: string, onPick: (name: string) => void}} props */
export const NameField = ({ value, onPick }) => html`
  <div class="field">
    <label for="name">${t("ui.name")}</label>
    <input class="input" id="name" maxlength="20" autocomplete="nickname" placeholder=${t("ui.name.none")} value=${value}
      onInput=${typed(onPick)} />
  </div>`;
