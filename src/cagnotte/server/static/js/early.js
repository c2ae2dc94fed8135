// What the page needs first, asked for while its other modules are still on their way.
/** The folder that the program is served from: `/`, or what a proxy puts before it. */
export const ROOT = new URL("../../../", import.meta.url);

/** The languages of the server, each by its own name. @type {Record<string, string>} */
export const LANGUAGES = JSON.parse(document.documentElement.dataset.languages ?? "{}");

/** The browser's first language that we have, else English. */
export const browsers = () => navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES) ?? "en";

/** As `text.js` will choose it. */
function tongue() {
  try {
    const chosen = JSON.parse(localStorage.getItem("cagnotte.settings") ?? "{}").lang;
    if (Object.hasOwn(LANGUAGES, chosen)) return chosen;
  } catch {
    // storage is blocked
  }
  return browsers();
}

/** Answers on their way, by their paths; each is for whoever asks first. @type {Map<string, Promise<Response | null>>} */
export const early = new Map(
  ["api/games", `api/locale/${tongue()}`].map((path) => [path, fetch(new URL(path, ROOT)).catch(() => null)]),
);
