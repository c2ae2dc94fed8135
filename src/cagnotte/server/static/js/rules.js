// The rules of a game in a dialog: of the very table in view, or as the house usually plays it.
import { Dialog } from "./dialog.js";
import { HouseRules } from "./house.js";
import { How } from "./how.js";
import { html, signal, useEffect, useRef } from "./html.js";
import { Icon } from "./icons.js";
import { ask, update } from "./net.js";
import { at } from "./route.js";
import { lang, t } from "./text.js";

/** @typedef {import("./types.js").Games} Games */

/** @typedef {{players: number, rules: import("./house.js").Rules}} House */

const open = signal(/** @type {{game: string, clause: string | null, house: House | null} | null} */ (null));
const page = signal(/** @type {{key: string, html: string} | null} */ (null));

/** @param {string} game @param {string | null} [clause] where to open them @param {House | null} [house] of a table to be made */
export function openRules(game, clause = null, house = null) {
  open.value = { game, clause, house };
}

/** To the odds of such a game; beside a table, which one does not leave for it.
 * @param {{players: number, stake?: number | string}} props */
export const OddsLink = ({ players, stake }) => html`
  <a class="btn" href=${at(`odds?players=${players}${stake ? `&stake=${stake}` : ""}`)} target=${update.value ? "_blank" : undefined}
    onClick=${() => (open.value = null)}><${Icon} name="plot" />${t("ui.odds.go")}</a>`;

/** @param {{games: Games}} props */
export function RulesDialog({ games }) {
  const body = useRef(/** @type {HTMLDivElement | null} */ (null));
  const key = open.value && `${open.value.game}?lang=${lang.value}`;
  const ready = page.value?.key === key;
  const clause = open.value?.clause;
  useEffect(() => {
    if (!key || page.peek()?.key === key) return;
    ask(`api/rules/${key}`).then(
      (found) => (page.value = { key, html: found.html }),
      () => (page.value = { key, html: "" }),
    );
  }, [key]);
  useEffect(() => {
    if (!ready || !clause || !body.current) return;
    const found = body.current.querySelector(`#${CSS.escape(clause)}`);
    const item = found?.closest("li") ?? found;
    item?.classList.add("asked");
    item?.scrollIntoView({ block: "center" });
    return () => item?.classList.remove("asked");
  }, [ready, clause]);
  const game = games.games.find((one) => one.name === open.value?.game);
  if (!open.value || !game) return null;
  const house = open.value.house ?? (update.value?.table.game === game.name ? update.value.table : null);
  return html`
    <${Dialog} title=${t(`game.${game.name}`)} reading onClose=${() => (open.value = null)}>
      <section class="at-table">
        <h3>${t(open.value.house ? "ui.choice.title" : house ? "ui.rules.table" : "ui.rules.usual")}</h3>
        <${HouseRules} game=${game} players=${house?.players ?? game.players[2]} rules=${house?.rules ?? {}} short />
        ${game.name === "fear" ? html`<p><${OddsLink} players=${house?.players ?? game.players[2]} stake=${house?.rules["stake"]} /></p>` : null}
      </section>
      <section><h3>${t("ui.rules.how")}</h3><${How} game=${game.name} /></section>
      <section>
        ${!ready
          ? html`<p class="muted">${t("ui.loading")}</p>`
          : page.value?.html
            ? html`<div class="prose" ref=${body} dangerouslySetInnerHTML=${{ __html: page.value.html }} />`
            : html`<p>${t("ui.rules.missing")}</p>`}
      </section>
    </${Dialog}>`;
}
