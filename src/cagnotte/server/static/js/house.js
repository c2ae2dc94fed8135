// House rules in words: to read, and to change before a table is made.
import { html } from "./html.js";
import { openRules } from "./rules.js";
import { Choose, Step, Tick } from "./fields.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Rule} Rule */
/** @typedef {import("./types.js").RuleValue} RuleValue */
/** @typedef {Record<string, RuleValue>} Rules */

/** What a rule is when nothing is said, among so many players. @param {Rule} rule @param {number} players @returns {RuleValue} */
export const usual = (rule, players) =>
  typeof rule.default === "object" ? (rule.default[players] ?? 0) : rule.default;

/** Only what differs from the usual. @param {Game} game @param {number} players @param {Rules} chosen @returns {Rules} */
export const differing = (game, players, chosen) =>
  Object.fromEntries(
    game.rules.map((rule) => [rule.name, chosen[rule.name] ?? usual(rule, players)])
      .filter(([name, value]) => value !== usual(/** @type {Rule} */ (game.rules.find((rule) => rule.name === name)), players)),
  );

/** A rule's value as a sentence. @param {string} name @param {RuleValue} value */
const sentence = (name, value) => (typeof value === "number" ? t(`rule.${name}`, { n: value }) : t(`rule.${name}.${value}`));

/** The house rules of a table, those that are not the usual ones marked. @param {{game: Game, players: number, rules: Rules}} props */
export const HouseRules = ({ game, players, rules }) => html`
  <ul class="house">
    ${game.rules.map((rule) => {
      const value = rules[rule.name] ?? usual(rule, players);
      return html`
        <li key=${rule.name} class=${value === usual(rule, players) ? "" : "changed"}>
          ${sentence(rule.name, value)}
          ${value === usual(rule, players) ? null : html` <span class="tag">${t("ui.house.changed")}</span>`}
        </li>`;
    })}
  </ul>`;

/** @param {{rule: Rule, value: RuleValue, onPick: (value: RuleValue) => void}} props */
function Field({ rule: { name, values }, value, onPick }) {
  if (!Array.isArray(values))
    return html`<${Step} id=${`rule-${name}`} label=${t(`rule.${name}`)} value=${value} ...${values} onPick=${onPick} />`;
  if (values.join() === "on,off")
    return html`<${Tick} label=${t(`rule.${name}.on`)} value=${value === "on"}
      onPick=${(/** @type {boolean} */ on) => onPick(on ? "on" : "off")} />`;
  const options = values.map((one) => ({ value: one, label: t(`rule.${name}.${one}`) }));
  return html`<${Choose} label=${t(`rule.${name}`)} name=${`rule-${name}`} options=${options} value=${value} onPick=${onPick} />`;
}

/**
 * The house rules of a table to be made, folded away until somebody wants them.
 * @param {{game: Game, players: number, chosen: Rules, onPick: (chosen: Rules) => void}} props
 */
export function HouseFields({ game, players, chosen, onPick }) {
  const changed = Object.keys(differing(game, players, chosen)).length;
  return html`
    <details class="fold">
      <summary>
        <span class="label">${t("ui.house.title")}</span>
        <span class="muted">${t("ui.house.count", { n: changed })}</span>
      </summary>
      <div class="stack">
        ${game.rules.map((rule) => html`
          <${Field} key=${rule.name} rule=${rule} value=${chosen[rule.name] ?? usual(rule, players)}
            onPick=${(/** @type {RuleValue} */ value) => onPick({ ...chosen, [rule.name]: value })} />`)}
        <div class="row">
          <button type="button" class="btn quiet" onClick=${() => openRules(game.name, game.rules[0]?.clause)}>${t("ui.rules.read")}</button>
          ${changed ? html`<button type="button" class="btn quiet" onClick=${() => onPick({})}>${t("ui.house.reset")}</button>` : null}
        </div>
      </div>
    </details>`;
}
