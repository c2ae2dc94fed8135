// Plots drawn by hand: lines over a count, each with its figures in a table behind it.
import { html, useEffect, useRef, useState } from "./html.js";
import { num, signed, t } from "./text.js";

/** @typedef {{name: string, values: number[]}} Line */

const [HEIGHT, TOP, BOTTOM, RIGHT] = [240, 12, 28, 14];
const TICKS = 4;
const ROWS = 60; // of the table, at most

/** Round steps from the least to the most of these. @param {number[]} values */
function ticks(values) {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = Math.max(1, (most - least) / TICKS);
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * ([1, 2, 5, 10].find((one) => one * ten >= rough) ?? 10);
  const from = Math.floor(least / step) * step;
  return Array.from({ length: Math.round((Math.ceil(most / step) * step - from) / step) + 1 }, (_, i) => from + i * step);
}

/** The width that there is, in px. @param {import("./html.js").Signal<any> | {current: HTMLElement | null}} box */
function useWidth(box) {
  const [width, setWidth] = useState(320);
  useEffect(() => {
    const at = /** @type {{current: HTMLElement | null}} */ (box).current;
    if (!at) return;
    const watch = new ResizeObserver(() => setWidth(Math.max(240, Math.round(at.clientWidth))));
    watch.observe(at);
    return () => watch.disconnect();
  }, []);
  return width;
}

/**
 * Lines from zero, one point for each deal; they differ in colour and in stroke.
 * @param {{id: string, title: string, says: string, lines: Line[], head: string}} props
 */
export function Plot({ id, title, says, lines, head }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const width = useWidth(box);
  const n = Math.max(...lines.map(({ values }) => values.length));
  const marks = ticks(lines.flatMap(({ values }) => values));
  const [low, high] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  const left = 12 + 8 * Math.max(...marks.map((mark) => num(mark).length));
  /** @param {number} i */
  const x = (i) => left + ((width - left - RIGHT) * i) / Math.max(1, n);
  /** @param {number} value */
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / Math.max(1, high - low);
  const across = [...new Set([0, Math.round(n / 2), n])];
  const every = Math.ceil(n / ROWS);
  const shown = Array.from({ length: n }, (_, i) => i).filter((i) => (n - 1 - i) % every === 0);
  return html`
    <figure class="plot panel">
      <figcaption><h3>${title}</h3><p class="muted">${says}</p></figcaption>
      ${lines.length > 1
        ? html`<ul class="key" aria-hidden="true">${lines.map(({ name }, i) => html`
            <li key=${i}><svg viewBox="0 0 34 10" width="34" height="10"><path class=${`line n${i}`} d="M1 5h32" /></svg>${name}</li>`)}</ul>`
        : null}
      <div ref=${box}>
        <svg viewBox=${`0 0 ${width} ${HEIGHT}`} width=${width} height=${HEIGHT} role="img" aria-labelledby=${`${id}-title ${id}-desc`}>
          <title id=${`${id}-title`}>${title}</title><desc id=${`${id}-desc`}>${says}</desc>
          ${marks.map((mark) => html`
            <g key=${mark}><path class=${mark === 0 ? "zero" : "grid"} d=${`M${left} ${y(mark)}H${width - RIGHT}`} />
              <text x=${left - 8} y=${y(mark) + 4} text-anchor="end">${mark < 0 ? `−${num(-mark)}` : num(mark)}</text></g>`)}
          ${across.map((i) => html`<text key=${i} x=${x(i)} y=${HEIGHT - 8} text-anchor=${i === 0 ? "start" : i === n ? "end" : "middle"}>${num(i)}</text>`)}
          ${lines.map(({ name, values }, i) => html`
            <path key=${name} class=${`line n${i}`} d=${`M${x(0)} ${y(0)}${values.map((value, at) => `L${x(at + 1).toFixed(1)} ${y(value).toFixed(1)}`).join("")}`} />`)}
        </svg>
      </div>
      <details class="fold"><summary>${t("ui.mine.figures")}</summary>
        <table>
          <thead><tr><th scope="col">${head}</th>${lines.map(({ name }) => html`<th scope="col" key=${name}>${name}</th>`)}</tr></thead>
          <tbody>${shown.map((i) => html`<tr key=${i}><th scope="row">${num(i + 1)}</th>
            ${lines.map(({ name, values }) => html`<td key=${name}>${signed(Math.round(values[i] ?? 0))}</td>`)}</tr>`)}</tbody>
        </table>
      </details>
    </figure>`;
}
