// Words: every sentence of the page comes from the catalogue of the chosen language.
import { LANGUAGES, browsers } from "./early.js";
import { computed, effect, signal } from "./html.js";
import { settings } from "./keep.js";

/** @typedef {import("./types.js").Lang} Lang */

export { LANGUAGES };
export const TAGS = Object.keys(LANGUAGES);

/** The language asked for: the person's choice, else the browser's. */
const wanted = computed(() => settings.value.lang ?? browsers());

/** A language as the browser's owner writes it: with a region, where the browser names one. @param {Lang} tag */
const local = (tag) => navigator.languages.find((one) => one.split("-")[0] === tag) ?? tag;

const catalogue = signal(
  /** @type {{lang: Lang, words: Record<string, string>, number: Intl.NumberFormat}} */ ({
    lang: "en",
    words: {},
    number: new Intl.NumberFormat("en"),
  }),
);

/** The language shown; it follows the choice once its words have come. */
export const lang = computed(() => catalogue.value.lang);

/** Follow the chosen language; resolves when the first catalogue is there. @param {(path: string) => Promise<any>} ask */
export function words(ask) {
  return new Promise((ready, failed) => {
    effect(() => {
      const tag = wanted.value;
      ask(`api/locale/${tag}`)
        .then((found) => {
          if (tag !== wanted.value) return;
          document.documentElement.lang = tag;
          catalogue.value = { lang: tag, words: found, number: new Intl.NumberFormat(local(tag)) };
          ready(undefined);
        })
        .catch(failed);
    });
  });
}

/** @param {number} n a number as the language writes it */
export const num = (n) => catalogue.value.number.format(n).replace("-", "−");
/** @param {number} n a gain or a loss, with its sign */
export const signed = (n) => (n > 0 ? `+${num(n)}` : num(n));

/** @param {number} n @param {number} digits behind the point, all of them */
export const decimal = (n, digits) =>
  new Intl.NumberFormat(local(lang.value), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(n).replace("-", "−");
/** @param {number} part of one, as the language writes so many hundredths @param {number} [digits] behind the point */
export const percent = (part, digits = 0) => t("number.percent", { n: decimal(100 * part, digits) });

/**
 * The text of a key with its values put in; `n` chooses among `key.0` (none), `key.1` and `key.n`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const { words } = catalogue.value;
  const n = values.n;
  const one = words["plural.one"]?.split(" ").includes(`${n}`.replace("-", ""));
  const forms = typeof n !== "number" ? [key] : [n === 0 ? `${key}.0` : "", `${key}.${one ? 1 : "n"}`, key];
  const text = forms.map((form) => words[form]).find((one) => one !== undefined) ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? num(value) : value;
  });
}

/** Whether the catalogue has the key. @param {string} key */
export const has = (key) => key in catalogue.value.words;

const SYMBOL = /** @type {Record<string, string>} */ ({ S: "♠", H: "♥", D: "♦", C: "♣" });

/** The index of a rank: `J` or `V`. @param {string} rank */
export const rankLabel = (rank) => (rank === "T" ? "10" : has(`rank.${rank}`) ? t(`rank.${rank}`) : rank);
/** @param {string} card `JS` -> `J♠`, in French `V♠` */
export const cardLabel = (card) => rankLabel(card[0] ?? "") + SYMBOL[card[1] ?? ""];
/** @param {string} suit */
export const suitName = (suit) => t(`suit.${suit}`);
/** A card for the ear. @param {string} card `JS` -> `jack of spades` */
export const cardName = (card) => t("card.spoken", { rank: t(`rank.${card[0]}.spoken`), suit: suitName(card[1] ?? "") });

/** What somebody is called: by name, or as one without, who is stored as `#2`. @param {string} name */
export function called(name) {
  const nth = /^#(\d+)$/.exec(name)?.[1];
  if (nth === undefined) return name;
  return nth === "1" ? t("ui.name.none") : t("ui.name.nth", { nth });
}

/** A name in two parts: what may be cut, and the number at its end, which tells two of one name apart. @param {string} name */
export function parted(name) {
  const [, start = name, end = ""] = /^(\S.*?)(\s*\d{1,4})$/.exec(name) ?? [];
  return [start, end];
}

/** A moment as one writes it in this language where one lives. @param {number} when @param {Intl.DateTimeFormatOptions} how */
export const date = (when, how) => new Intl.DateTimeFormat(local(lang.value), how).format(when);
