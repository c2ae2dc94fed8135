// A QR code: one path, with its quiet zone, dark on light in either scheme since that is what cameras expect.
import { encode } from "../vendor/uqr.js";
import { html } from "./html.js";

const QUIET = 4; // modules around it, as the standard wants

/** @param {boolean[]} row @param {number} y its dark runs, as rectangles of height 1 */
function runs(row, y) {
  let [path, from] = ["", -1];
  for (const [x, dark] of [...row, false].entries()) {
    if (dark && from < 0) from = x;
    if (dark || from < 0) continue;
    path += `M${from} ${y}h${x - from}v1H${from}z`;
    from = -1;
  }
  return path;
}

/** @param {{text: string, label: string}} props */
export function Qr({ text, label }) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  return html`
    <svg class="qr" role="img" aria-label=${label} viewBox=${`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width=${size} height=${size} fill="#fff" />
      <path fill="#10201a" d=${data.map(runs).join("")} />
    </svg>`;
}
