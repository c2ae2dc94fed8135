// The one door to the vendored modules.
import htm from "../vendor/htm.js";
import { h } from "../vendor/preact.js";

export { render } from "../vendor/preact.js";
export { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
export { Signal, batch, computed, effect, signal, untracked } from "../vendor/signals.js";

/** @type {(strings: TemplateStringsArray, ...values: unknown[]) => import("../vendor/preact.js").VNode} */
export const html = /** @type {any} */ (htm.bind(/** @type {any} */ (h)));
