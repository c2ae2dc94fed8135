"""A walk through every state of the page, as `tools.pictures` reaches them: what has to be true of each."""

import os
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from conftest import Visit
from looks import faults, resize, sideways
from playwright.sync_api import Browser, Page
from tools.pictures import SET, STATES, Visitor

from cagnotte import locale

SIZES: Final = {320: 568, 390: 664, 768: 1024, 1440: 900, 1920: 1080}
SHORTEST: Final = 12  # letters of a text that shows which language it is
TABS: Final = 40
# Which colours go with which language, and where axe looks: all of it takes a quarter of an hour.
ALL: Final = os.environ.get("WALK") == "all"
COLOURS: Final = {
    "en": ("light", "dark") if ALL else ("light",),
    "fr": ("light", "dark") if ALL else ("dark",),
}
LOOKS: Final = {"en": (390, 1440) if ALL else (390,), "fr": (390, 1440) if ALL else (1440,)}

# What of a page may be smaller than 44 px; docs/table.md says why.
SMALLER: Final = ".held, .place, .named, .step input, .settlement thead .clause, .screen .btn"
CHECK: Final = """([foreign, smaller]) => {
  const scope = document.querySelector("dialog[open]") ?? document.body;
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const part = (one) => one.outerHTML.slice(0, 140);
  const inView = ({ top, bottom, left, right, width }) =>
    width > 2 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  const found = [];

  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`wider than the screen by ${wide} px`);

  const asks = ".btn.primary:not([aria-disabled=true], :disabled, .to-cards)";
  const primary = [...scope.querySelectorAll(asks)]
    .filter((one) => seen(one) && inView(one.getBoundingClientRect()));
  if (primary.length > 1) found.push(`asks for more than one thing: ${primary.map(part).join(" ")}`);

  const extent = (one, side) => {
    const box = (one.closest("label") ?? one).getBoundingClientRect()[side];
    const after = getComputedStyle(one, "::after");
    const more = after.position === "absolute" && after.content !== "none" ? parseFloat(after[side]) || 0 : 0;
    return Math.max(box, more);
  };
  for (const one of scope.querySelectorAll("button, a[href], input, select, summary, textarea")) {
    const inText = one.matches("a") && getComputedStyle(one).display === "inline";
    const idle = one.matches(".place[aria-disabled=true]");
    if (one.getBoundingClientRect().width <= 2 || !seen(one) || inText || idle) continue;
    const [w, h] = [extent(one, "width"), extent(one, "height")];
    const least = one.matches(smaller) ? 23.5 : 43.5;
    if (w < least || h < least) found.push(`${w} x ${h} px: ${part(one)}`);
  }

  const spoken = [...document.querySelectorAll("body *")]
    .filter((one) => !one.closest("[aria-live], script, style, noscript, select, [lang]:not(html)"))
    .flatMap((one) => [
      ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
      ...["aria-label", "title", "placeholder", "alt"].map((name) => one.getAttribute(name) ?? ""),
    ]).join("\\n");
  for (const text of foreign) if (spoken.includes(text)) found.push(`of the other language: ${text}`);
  return found;
}"""

# Notes what the focus comes to unseen: neither it, nor what it is in, nor what is in it looks otherwise.
WATCH: Final = """() => {
  const look = (one) => {
    const around = [one.parentElement, one.closest(".tile")].filter(Boolean);
    return [...around, one, ...[...one.querySelectorAll("*")].slice(0, 12)].map((part) => {
      const style = getComputedStyle(part);
      const outline = style.outlineStyle === "none" ? "" : style.outlineWidth + style.outlineColor;
      return [outline, style.boxShadow, style.borderColor, style.backgroundColor].join();
    }).join(";");
  };
  document.activeElement?.blur();
  const all = [...document.querySelectorAll("*")].filter((one) => one.tabIndex >= 0);
  const before = new Map(all.map((one) => [one, look(one)]));
  window.unseen = new Set();
  window.tabbed = 0;
  document.addEventListener("focusin", ({ target: one }) => {
    window.tabbed += 1;
    if (before.has(one) && look(one) === before.get(one)) window.unseen.add(one.outerHTML.slice(0, 140));
  });
}"""


def _foreign(lang: str) -> list[str]:
    """Texts, and parts of them, that only the other language has."""
    other = "fr" if lang == "en" else "en"
    ours = "\n".join(locale.catalogue(lang).values())
    parts = (part.strip() for text in locale.catalogue(other).values() for part in re.split(r"[{}|]", text))
    return sorted({part for part in parts if len(part) >= SHORTEST and " " in part and part not in ours})


@pytest.fixture
def visitor(browser: Browser, visit: Visit) -> Iterator[Visitor]:
    """Somebody who can be brought to any state."""
    yield Visitor(browser, visit.url, "once", has_touch=True)
    for context in browser.contexts:
        context.close()


def _say(page: Page, lang: str) -> None:
    page.evaluate(SET, {"lang": lang})
    page.wait_for_function("lang => document.documentElement.lang === lang", arg=lang)
    page.wait_for_timeout(300)


def _told(found: dict[Any, list[str]]) -> list[tuple[str, list[Any]]]:
    """Each fault once, with where it is."""
    faults = {fault: None for what in found.values() for fault in what}
    return [(fault, [where for where, what in found.items() if fault in what]) for fault in faults]


@pytest.mark.slow
@pytest.mark.parametrize("name", STATES)
def test_every_state_is_as_a_page_should_be(visitor: Visitor, axe: str, name: str) -> None:
    """WCAG 2.2 AA and calm: it fits, asks one thing, has large targets, one language, a visible focus."""
    page: Page = STATES[name](visitor) or visitor.page
    found: dict[Any, list[str]] = {}
    for lang in ("en", "fr"):
        _say(page, lang)
        foreign = _foreign(lang)
        for width, scheme in [(width, scheme) for width in SIZES for scheme in COLOURS[lang]]:
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            resize(page, width, SIZES[width])
            found[lang, scheme, width] = page.evaluate(CHECK, [foreign, SMALLER])
            if width in LOOKS[lang]:
                found[lang, scheme, width] += faults(page, axe, (lang == "fr") != (scheme == "dark"))
        resize(page, 320, SIZES[320])
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if (wide := sideways(page)) > 0 and not page.locator(".screen").count():
            found[lang, "200 %"] = [f"wider than the screen by {wide} px"]
        page.evaluate("document.documentElement.style.fontSize = ''")
    resize(page, 1440, SIZES[1440])
    page.evaluate(WATCH)
    for _ in range(TABS):
        page.keyboard.press("Tab")
    found["focus"] = page.evaluate("[...window.unseen]")
    assert page.evaluate("window.tabbed") > 0
    assert "\n".join(f"{fault}  {where}" for fault, where in _told(found)) == ""
