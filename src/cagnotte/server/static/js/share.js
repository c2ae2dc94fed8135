// Inviting: the link, the code to read out, and a picture of the link for a camera.
import { html, signal, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { grouped } from "./join.js";
import { linkTo, onlyHere, outward } from "./route.js";
import { t } from "./text.js";

const copied = signal("");

/** @param {string} text @param {HTMLInputElement | null} field */
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // no clipboard without a secure context: the old way, from the field itself
    field?.select();
    document.execCommand("copy");
  }
  copied.value = text;
  setTimeout(() => copied.value === text && (copied.value = ""), 2500);
}

/**
 * A link, and whether it leads here from this machine only. With a title it may be shared, too; `main` where copying it
 * is the thing to do.
 * @param {{label: string, link: string, note?: string, title?: string, main?: boolean}} props
 */
export function LinkField({ label, link, note, title, main }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const id = `link-${label}`;
  const done = copied.value === link;
  const notes = [note, onlyHere() ? t("ui.lobby.alone") : ""].filter(Boolean).join(" ");
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <div class="row link">
        <input id=${id} ref=${field} class="input" readonly value=${link} onFocus=${() => field.current?.select()} />
        <button type="button" class=${`btn ${main ? "primary" : ""}`} onClick=${() => copy(link, field.current)}>
          <${Icon} name=${done ? "done" : "copy"} /><span aria-live="polite">${t(done ? "ui.copied" : "ui.copy")}</span>
        </button>
        ${title && "share" in navigator
          ? html`<button type="button" class="btn" onClick=${() => navigator.share({ title, url: link }).catch(() => {})}>
              <${Icon} name="share" />${t("ui.share")}</button>`
          : null}
      </div>
      ${notes ? html`<p class="muted small">${commands(notes)}</p>` : null}
    </div>`;
}

/** What is to be typed is kept in one piece. @param {string} text */
export const commands = (text) => text.split(/(--\w+ \S*\w)/).map((part, at) => (at % 2 ? html`<code key=${at}>${part}</code>` : part));

/** The code of a table, to be read across a room or aloud. @param {{code: string}} props */
export const Code = ({ code }) => html`
  <span class="code" role="img" aria-label=${t("ui.invite.spelled", { letters: [...code].join(" ") })}>
    ${grouped(code).map((part, at) => html`<b key=${at}>${part}</b>`)}</span>`;

/** The link as a picture, drawn once its module has come. @param {{link: string}} props */
export function Camera({ link }) {
  const [Qr, setQr] = useState(/** @type {unknown} */ (null));
  useEffect(() => void import("./qr.js").then((found) => setQr(() => found.Qr), () => {}), []);
  return html`<div class="camera">${Qr ? html`<${Qr} text=${link} label=${t("ui.invite.camera")} />` : null}</div>`;
}

/** All one needs to invite somebody to a table. @param {{table: import("./types.js").Table, main?: boolean}} props */
export function Invite({ table, main = false }) {
  const link = linkTo(table.id);
  const playing = table.state === "playing" ? t(table.onlookers === false ? "ui.invite.closed" : "ui.invite.playing") : "";
  return html`
    <div class="invite">
      ${playing ? html`<p>${playing}</p>` : null}
      <div class="invite-top">
        ${table.code
          ? html`<div>
              <p class="label">${t("ui.invite.code")}</p>
              <p class="room-code"><${Code} code=${table.code} /></p>
              <p class="muted small">${t("ui.invite.code.note", { where: outward("").replace(/^\w+:\/\/|\/$/g, "") })}</p>
            </div>`
          : null}
        <${Camera} link=${link} />
      </div>
      <${LinkField} label=${t("ui.lobby.link")} link=${link} main=${main}
        title=${t("ui.lobby.invitation", { game: t(`game.${table.game}`) })} />
    </div>`;
}
