// House rules in words.
import { html } from "./html.js";
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

/** The house rules of a table, those marked that are not the usual ones; in `short` the usual ones, but for the
 * numbers, are folded away. @param {{game: Game, players: number, rules: Rules, short?: boolean}} props */
export function HouseRules({ game, players, rules, short = false }) {
  const changed = differing(game, players, rules);
  const folded = game.rules.filter(({ name, values }) => short && Array.isArray(values) && !(name in changed));
  /** @param {Rule[]} all */
  const list = (all) => html`
    <ul class="house">
      ${all.map((rule) => html`
        <li key=${rule.name} class=${rule.name in changed ? "changed" : ""}>
          ${sentence(rule.name, rules[rule.name] ?? usual(rule, players))}
          ${rule.name in changed ? html` <span class="tag">${t("ui.house.changed")}</span>` : null}
        </li>`)}
    </ul>`;
  return html`
    ${list(game.rules.filter((rule) => !folded.includes(rule)))}
    ${folded.length
      ? html`<details class="fold"><summary>${t("ui.house.rest")}</summary>${list(folded)}</details>`
      : null}`;
}
