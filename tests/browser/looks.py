"""What is looked for on any page."""

from typing import Final

from playwright.sync_api import Page
from tools.pictures import SETTLED

# A page is told of its new size a moment after its driver, and is then drawn in a frame.
DRAWN: Final = """async ([width, height]) => {
  const frame = () => new Promise(requestAnimationFrame);
  while (innerWidth !== width || innerHeight !== height) await frame();
  await frame();
  await frame();
}"""


def resize(page: Page, width: int, height: int) -> None:
    """Give the page this size, and wait until it is drawn so."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(DRAWN, [width, height])


def faults(page: Page, axe: str, colours: bool = False) -> list[str]:
    """What axe finds wrong with the page, or with its colours alone."""
    page.evaluate(SETTLED)
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    only = ", runOnly: ['color-contrast']" if colours else ""
    found = page.evaluate(f"axe.run({{ resultTypes: ['violations']{only} }})")["violations"]
    return [f"{fault['id']}: {node['html'][:200]}" for fault in found for node in fault["nodes"]]


def sideways(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def saved(page: Page, button: str, within: str = "body") -> str:
    """The text of the file that this button saves; asked of the page, where the driver may not tell."""
    assert page.context.browser is not None
    if page.context.browser.browser_type.name == "chromium":
        with page.expect_download() as download:
            page.locator(within).get_by_role("button", name=button).click()
        return download.value.path().read_text("utf-8")
    page.evaluate("""() => {
      const real = URL.createObjectURL;
      URL.createObjectURL = (blob) => real((window.saved = blob));
    }""")
    page.locator(within).get_by_role("button", name=button).click()
    page.wait_for_function("() => window.saved")
    return str(page.evaluate("window.saved.text()"))
