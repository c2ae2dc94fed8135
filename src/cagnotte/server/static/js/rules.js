// The rules of a game in a dialog, opened where one asks: at a clause, or at the beginning.
import { Dialog } from "./dialog.js";
import { html, signal, useEffect, useRef } from "./html.js";
import { ask } from "./net.js";
import { lang, t } from "./text.js";

const open = signal(/** @type {{game: string, clause: string | null} | null} */ (null));
const page = signal(/** @type {{key: string, html: string} | null} */ (null));

/** @param {string} game @param {string | null} [clause] */
export function openRules(game, clause = null) {
  open.value = { game, clause };
}

export function RulesDialog() {
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
  }, [ready, clause]);
  if (!open.value) return null;
  return html`
    <${Dialog} title=${t(`game.${open.value.game}`)} reading onClose=${() => (open.value = null)}>
      ${!ready
        ? html`<p class="muted">${t("ui.loading")}</p>`
        : page.value?.html
          ? html`<div class="prose" ref=${body} dangerouslySetInnerHTML=${{ __html: page.value.html }} />`
          : html`<p>${t("ui.rules.missing")}</p>`}
    </${Dialog}>`;
}
