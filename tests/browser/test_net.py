"""The page's line to the server: lost answers, dead lines, double taps, an upgrade under a running page."""

import json
import re
from typing import Any

from company import tell
from conftest import Visit
from playwright.sync_api import Page, WebSocketRoute, expect


class Wire:
    """The page's sockets, through our hands: what was said, and whether the server is heard."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.sockets: list[WebSocketRoute] = []
        self.deaf = False
        page.route_web_socket(re.compile("/ws/"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        server = socket.connect_to_server()

        def to_server(text: str | bytes) -> None:
            self.sent.append(json.loads(text))
            server.send(text)

        def to_page(text: str | bytes) -> None:
            if not self.deaf:
                socket.send(text)

        socket.on_message(to_server)
        server.on_message(to_page)

    def acts(self) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["type"] == "act"]


def at_my_turn(visit: Visit) -> tuple[Page, Wire]:
    """A table of Fear with one bot, where it is our turn to turn a card or to name one."""
    page = visit("/?game=fear", forgive="WebSocket is closed before")
    wire = Wire(page)
    page.reload()  # in some browsers only a page that loads from now on is heard
    page.get_by_label("Players").fill("2")
    page.get_by_label("Players").press("Tab")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="At once").check()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play now").click()
    page.locator(".page-table").wait_for()
    tell(
        page,
        """for (let i = 0; i < 200 && !net.update.value.view?.moves.length; i++) {
        if (net.update.value.view?.cuts) net.act("cut 26");
        await new Promise((on) => setTimeout(on, 50)) }""",
    )
    answered(page)
    wire.sent.clear()
    return page, wire


def answered(page: Page) -> None:
    """Wait until the line is there and no move is on its way."""
    tell(
        page,
        """for (let i = 0; i < 200; i++) {
        if (net.pending.value === null && net.status.value === "live") return;
        await new Promise((on) => setTimeout(on, 50)) }
        throw new Error("no answer")""",
    )


def test_a_move_whose_answer_was_lost_is_sent_again_and_played_once(visit: Visit) -> None:
    page, wire = at_my_turn(visit)
    wire.deaf = True
    tell(page, "net.act(net.update.value.view.moves[0])")
    page.wait_for_timeout(200)
    wire.deaf = False
    wire.sockets[-1].close()
    answered(page)
    first, second = wire.acts()
    assert first == second
    assert tell(page, "return net.refusal.value") is None


def test_a_move_made_while_cut_off_is_played_when_the_line_is_back(visit: Visit) -> None:
    """B049, B063: the first tap is; none is queued behind it."""
    page, wire = at_my_turn(visit)
    wire.sockets[-1].close()
    assert tell(page, "return [0, 1].map((at) => net.act(net.update.value.view.moves[at]))") == [True, False]
    answered(page)
    assert len({act["id"] for act in wire.acts()}) == 1
    assert tell(page, "return net.refusal.value") is None


def test_twenty_taps_are_one_move(visit: Visit) -> None:
    """B073."""
    page, wire = at_my_turn(visit)
    taken = tell(page, "return Array.from({length: 20}, (_, at) => net.act(net.update.value.view.moves[at]))")
    assert taken == [True] + [False] * 19
    answered(page)
    assert len(wire.acts()) == 1


def test_a_refusal_is_shown_with_its_rule_and_the_table_goes_on(visit: Visit) -> None:
    """B075: nothing is refused in silence."""
    page, _ = at_my_turn(visit)
    tell(page, "net.act('7S')")
    expect(page.get_by_role("alert").filter(has_text=re.compile("refused|not"))).to_be_visible()
    expect(page.locator(".prompt .refused").get_by_role("button", name="Rule")).to_be_visible()
    assert tell(page, "return net.act(net.update.value.view.moves[0])")
    answered(page)
    assert tell(page, "return net.refusal.value") is None


def test_a_line_that_died_in_its_sleep_is_noticed_on_waking(visit: Visit) -> None:
    """B065: the page asks at once whether the server is there, and does not wait long for an answer."""
    page, wire = at_my_turn(visit)
    wire.deaf = True
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_text("Connection lost")).to_be_visible()
    wire.deaf = False
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_text("Connection lost")).to_have_count(0)


def test_a_page_of_an_older_version_says_so(visit: Visit) -> None:
    """B215."""
    page, wire = at_my_turn(visit)
    page.route("**/api/games", lambda route: route.fulfill(json={"version": "another"}))
    wire.sockets[-1].close()
    expect(page.get_by_text("This page has a newer version.")).to_be_visible()
    page.unroute("**/api/games")
    page.get_by_role("button", name="Reload").click()
    page.locator(".page-table .card").first.wait_for()
    expect(page.get_by_text("This page has a newer version.")).to_have_count(0)
