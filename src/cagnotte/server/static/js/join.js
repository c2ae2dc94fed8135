// Coming to a table: by its code, by a pasted link, or from the list of those that are open to anybody.
import { submitted } from "./fields.js";
import { differing, sentence } from "./house.js";
import { html, signal, useEffect } from "./html.js";
import { Answer, ask } from "./net.js";
import { at, visit } from "./route.js";
import { called, t } from "./text.js";

/** @typedef {import("./types.js").OpenTable} OpenTable */
/** @typedef {import("./types.js").Games} Games */

const REFRESHED = 10_000; // ms
/** Why one did not come to a table. @type {import("./html.js").Signal<{error: unknown} | null>} */
const failed = signal(null);
const asking = signal(false);
const open = signal(/** @type {OpenTable[]} */ ([]));

/** A code as it is shown: in two groups. @param {string} code */
export const grouped = (code) => [code.slice(0, 3), code.slice(3)];

/** What was typed, said or pasted: the table of a link, or else a code. @param {string} text */
function meant(text) {
  const table = /\/t\/([^/?#\s]+)/.exec(text)?.[1];
  const code = /[?&]code=([^&#\s]+)/.exec(text)?.[1] ?? text;
  return { table, code: code.replace(/[^\p{L}\p{N}]/gu, "") };
}

/** Go to the table that is meant, or say why not. @param {string} text */
async function join(text) {
  const { table, code } = meant(text);
  if (table) return visit(`t/${table}`);
  if (asking.value) return;
  asking.value = true;
  failed.value = null;
  try {
    visit(`t/${(await ask(`api/codes/${encodeURIComponent(code)}`)).table}`);
  } catch (error) {
    failed.value = { error };
  }
  asking.value = false;
}

/** @param {unknown} error */
function reason(error) {
  if (!(error instanceof Answer)) return t("ui.line.none");
  if (error.status === 404) return t("ui.join.unknown");
  return error.status === 429 ? t("ui.join.hurried") : error.message;
}

/** @param {{code?: string, big?: boolean}} props */
export function JoinForm({ code = "", big = false }) {
  useEffect(() => void (failed.value = null), []);
  return html`
    <form class="join" onSubmit=${submitted((form) => join(String(new FormData(form).get("table"))))}>
      <label class="label" for="join">${t("ui.join.label")}</label>
      <div class="row">
        <input class="input code" id="join" name="table" required defaultValue=${code} placeholder="K3F 9TX"
          autocomplete="off" autocapitalize="characters" spellcheck=${false} enterkeyhint="go"
          aria-describedby="join-note" onInput=${() => (failed.value = null)} />
        <button class=${`btn ${big ? "primary" : ""}`} aria-disabled=${asking.value}>${t("ui.join")}</button>
      </div>
      <p class="small muted" id="join-note">${t("ui.join.hint")}</p>
      <p class="small failed" role="alert">${failed.value ? reason(failed.value.error) : ""}</p>
    </form>`;
}

/** Where a link with a code leads: on to the table, or to the form with what is wrong. @param {{code: string}} props */
export function JoinPage({ code }) {
  useEffect(() => void (code && join(code)), [code]);
  return html`
    <main class="page narrow plain" id="main">
      <h1 tabindex="-1">${t("ui.join.title")}</h1>
      <div class="panel pad"><${JoinForm} code=${code} big /></div>
      <p><a href=${at()}>${t("ui.home.go")}</a></p>
    </main>`;
}

/** The tables that their hosts like to be seen; nothing when there are none. @param {{games: Games}} props */
export function OpenTables({ games }) {
  useEffect(() => {
    const look = () => document.hidden || ask("api/open").then((found) => (open.value = found.tables), () => {});
    look();
    const timer = setInterval(look, REFRESHED);
    return () => clearInterval(timer);
  }, []);
  if (!open.value.length) return null;
  return html`
    <section aria-labelledby="open">
      <h2 id="open">${t("ui.open.title")}</h2>
      <ul class="tables">${open.value.map((one) => html`<${Row} key=${one.table} table=${one} games=${games} />`)}</ul>
    </section>`;
}

/** @param {{table: OpenTable, games: Games}} props */
function Row({ table: { table, game: name, players, free, host: by, rules }, games }) {
  const host = called(by ?? "");
  const game = games.games.find((one) => one.name === name);
  const changed = game ? Object.entries(differing(game, players, rules)).map(([rule, value]) => sentence(rule, value)) : [];
  return html`
    <li class="panel row">
      <span class="who">
        <b>${t(`game.${name}`)}</b>
        <span class="muted small">${t("ui.open.seats", { n: free, players })} · <bdi>${host}</bdi></span>
        ${changed.length ? html`<span class="small">${changed.join(" ")}</span>` : null}
      </span>
      <a class="btn" href=${at(`t/${table}`)}>${t("ui.join")}<span class="sr"> ${t(`game.${name}`)}, ${host}</span></a>
    </li>`;
}
