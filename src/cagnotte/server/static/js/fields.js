// The few kinds of field that the page asks with.
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { t } from "./text.js";

/** @typedef {{value: string | number, label: string, line?: string}} Option */

/**
 * One of few short answers, side by side.
 * @param {{label: string, name: string, options: Option[], value: string | number, onPick: (value: any) => void, note?: string}} props
 */
export const Pick = ({ label, name, options, value, onPick, note }) => html`
  <fieldset class="field">
    <legend>${label}</legend>
    <div class="pick">
      ${options.map((one) => html`
        <label key=${one.value}>
          <input type="radio" name=${name} checked=${one.value === value} onChange=${() => onPick(one.value)} />${one.label}
        </label>`)}
    </div>
    ${note ? html`<p class="muted small">${note}</p>` : null}
  </fieldset>`;

/**
 * One of several sentences, one below the other.
 * @param {{label: string, name: string, options: Option[], value: string | number, onPick: (value: any) => void}} props
 */
export const Choose = ({ label, name, options, value, onPick }) => html`
  <fieldset class="field">
    <legend>${label}</legend>
    ${options.map((one) => html`
      <label class="choice" key=${one.value}>
        <input type="radio" name=${name} checked=${one.value === value} onChange=${() => onPick(one.value)} />
        <span>${one.label}${one.line ? html`<span class="muted small"><br />${one.line}</span>` : null}</span>
      </label>`)}
  </fieldset>`;

/** A sentence that holds or not. @param {{label: string, value: boolean, onPick: (value: boolean) => void}} props */
export const Tick = ({ label, value, onPick }) => html`
  <label class="choice">
    <input type="checkbox" checked=${value}
      onChange=${(/** @type {any} */ event) => onPick(event.currentTarget.checked)} />
    <span>${label}</span>
  </label>`;

/**
 * A number between two others, with less and more beside it.
 * @param {{id: string, label: string, value: number, min: number, max: number, onPick: (value: number) => void, note?: string}} props
 */
export function Step({ id, label, value, min, max, onPick, note }) {
  /** @param {number} wanted */
  const pick = (wanted) => {
    const near = Math.min(max, Math.max(min, Math.round(wanted) || min));
    onPick(near);
    return String(near);
  };
  const noted = note ? `${id}-note` : undefined;
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <div class="row">
        <div class="step">
          <button type="button" class="btn icon" aria-label=${t("ui.less")} aria-controls=${id} aria-disabled=${value <= min}
            onClick=${() => pick(value - 1)}><${Icon} name="less" /></button>
          <input id=${id} type="number" inputmode="numeric" min=${min} max=${max} value=${value} aria-describedby=${noted}
            onChange=${(/** @type {any} */ { currentTarget }) => (currentTarget.value = pick(currentTarget.valueAsNumber))} />
          <button type="button" class="btn icon" aria-label=${t("ui.more")} aria-controls=${id} aria-disabled=${value >= max}
            onClick=${() => pick(value + 1)}><${Icon} name="more" /></button>
        </div>
        ${note ? html`<span class="muted small" id=${noted}>${note}</span>` : null}
      </div>
    </div>`;
}
