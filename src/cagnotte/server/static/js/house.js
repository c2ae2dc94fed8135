// House rules in words: to read, and to change before a table is made.
import { Pick, Step, Tick } from "./fields.js";
import { html } from "./html.js";
import { openRules } from "./rules.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Rule} Rule */
/** @typedef {import("./types.js").RuleValue} RuleValue */
/** @typedef {Record<string, RuleValue>} Rules */

/** What a rule is when nothing is said, among so many players. @param {Rule} rule @param {number} players */
export const usual = (rule, players) =>
  typeof rule.default === "object" ? (rule.default[players] ?? 0) : rule.default;

/** Only what differs from the usual. @param {Game} game @param {number} players @param {Rules} chosen @returns {Rules} */
export function differing(game, players, chosen) {
  const changed = game.rules.filter((rule) => (chosen[rule.name] ?? usual(rule, players)) !== usual(rule, players));
  return Object.fromEntries(changed.map(({ name }) => [name, chosen[name] ?? ""]));
}

/** A rule's value as a sentence. @param {string} name @param {RuleValue} value */
export const sentence = (name, value) =>
  typeof value === "number" ? t(`rule.${name}`, { n: value }) : t(`rule.${name}.${value}`);

/** The house rules of a table, those marked that are not the usual ones.
 * @param {{game: Game, players: number, rules: Rules}} props */
export function HouseRules({ game, players, rules }) {
  const changed = differing(game, players, rules);
  return html`
    <ul class="house">
      ${game.rules.map((rule) => html`
        <li key=${rule.name} class=${rule.name in changed ? "changed" : ""}>
          ${sentence(rule.name, rules[rule.name] ?? usual(rule, players))}
          ${rule.name in changed ? html` <span class="tag">${t("ui.house.changed")}</span>` : null}
        </li>`)}
    </ul>`;
}

/** @param {Rule} rule @param {RuleValue} value @param {(value: RuleValue) => void} onPick */
function field({ name, values }, value, onPick) {
  const label = t(`rule.${name}`);
  if (!Array.isArray(values)) return Step({ id: `rule-${name}`, label, value: Number(value), ...values, onPick });
  if (values.join() === "on,off")
    return Tick({ label: t(`rule.${name}.on`), value: value === "on", onPick: (on) => onPick(on ? "on" : "off") });
  const options = values.map((one) => ({ value: one, label: sentence(name, one) }));
  return Pick({ label, name: `rule-${name}`, options, value: String(value), onPick, sentences: true });
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
        ${game.rules.map((rule) =>
          field(rule, chosen[rule.name] ?? usual(rule, players), (value) => onPick({ ...chosen, [rule.name]: value })))}
        <div class="row">
          <button type="button" class="btn quiet" onClick=${() => openRules(game.name, game.rules[0]?.clause)}>
            ${t("ui.rules.read")}</button>
          ${changed
            ? html`<button type="button" class="btn quiet" onClick=${() => onPick({})}>${t("ui.house.reset")}</button>`
            : null}
        </div>
      </div>
    </details>`;
}
