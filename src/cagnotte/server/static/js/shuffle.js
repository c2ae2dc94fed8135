// The shuffle of a deal, done again in this browser: what was promised, who added to it, and whether the cards follow from that.
import { Dialog } from "./dialog.js";
import { html, useEffect, useState } from "./html.js";
import { Icon } from "./icons.js";
import { drawnOf, seenOf, shareOf, unshown, wasPromised } from "./shares.js";
import { t } from "./text.js";

/** @typedef {import("./types.js").Told} Told */
/** @typedef {import("./types.js").Proof} Proof */

/** Below the shuffles the children say where the record of them is.
 * @param {{id: string, told: Told, close: () => void, children?: unknown}} props */
export const Shuffles = ({ id, told, close, children }) => html`
  <${Dialog} title=${t("ui.fair")} onClose=${close}>
    <p class="muted">${t("ui.fair.line")}</p>
    ${unshown(id, told).map((promised) => html`
      <section class="fair" key=${promised}>
        <h3>${t("ui.fair.promised")}</h3>
        <p class="verdict" data-right=${false} role="status"><${Icon} name="close" />${t("ui.fair.missing")}</p>
        <p><code class="hash">${promised}</code></p>
      </section>`)}
    ${told.proofs.map((proof, nth) => html`<${Shuffle} key=${proof.commitment} id=${id} told=${told} proof=${proof} nth=${nth - told.proofs.length} />`)}
    ${children}
  </${Dialog}>`;

/** @param {{id: string, told: Told, proof: Proof, nth: number}} props `nth`: -1 is the last of the deal */
function Shuffle({ id, told, proof, nth }) {
  const [verdict, setVerdict] = useState("");
  const seen = seenOf(id, told.sitting, told.deal);
  const promised = seen?.promised.at(nth) ?? (proof.move.startsWith("draw ") ? drawnOf(id, told) : undefined);
  useEffect(() => {
    let wanted = true;
    import("./proof.js").then(({ commitment, dealt, follows, isTold, wasSeen }) => {
      if (!wanted) return;
      const move = follows(proof, told.players);
      if (commitment(proof.secret) !== proof.commitment || move !== proof.move) setVerdict("wrong");
      else if (!isTold(told, move)) setVerdict("other");
      else if (promised ? promised !== proof.commitment : wasPromised(proof.commitment)) setVerdict("another");
      else setVerdict(move.startsWith("shuffle ") && !wasSeen(dealt(told, move), seen) ? "unlike" : "right");
    });
    return () => void (wanted = false);
  }, [proof]);
  const [kind] = proof.move.split(" ");
  const right = verdict === "right";
  const seats = Object.keys(proof.shares).map(Number);
  const own = shareOf(proof.commitment);
  const mine = seats.find((seat) => proof.shares[seat] === own);
  const names = seats.map((seat) => (seat === mine ? t("ui.fair.you", { name: told.names[seat] ?? "" }) : told.names[seat] ?? ""));
  return html`
    <section class="fair">
      <h3>${t(`ui.fair.${kind}`)}</h3>
      <p class="verdict" data-right=${verdict ? right : null} role="status">
        ${verdict ? html`<${Icon} name=${right ? "done" : "close"} />${t(`ui.fair.${verdict}`)}` : t("ui.loading")}</p>
      <p>${t("ui.fair.added")} ${names.join(", ") || t("ui.fair.nobody")}${seats.length && right && promised ? html`<br />${t("ui.fair.sure")}` : null}</p>
      ${right && !promised ? html`<p>${t("ui.fair.unseen")}</p>` : null}
      <details class="fold">
        <summary>${t("ui.fair.values")}</summary>
        <dl>
          <dt>${t("ui.fair.promised")}</dt>
          <dd><code class="hash">${proof.commitment}</code>${right && promised ? html`<span class="muted small">${t("ui.fair.seen")}</span>` : null}</dd>
          <dt>${t("ui.fair.secret")}</dt>
          <dd><code class="hash">${proof.secret}</code></dd>
          ${seats.map((seat) => html`
            <dt key=${seat}>${t("ui.fair.share", { name: told.names[seat] ?? "" })}</dt>
            <dd><code class="hash">${proof.shares[seat]}</code></dd>`)}
        </dl>
      </details>
    </section>`;
}
