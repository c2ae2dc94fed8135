"""A sitting that one would have deleted, from My sittings, in a real browser."""

import re

from company import at_seat, opened
from conftest import Visit
from looks import faults, sideways
from playwright.sync_api import expect
from test_tales import ROWS, kept, sat


def test_who_forgets_a_sitting_may_have_its_table_deleted_at_the_server(visit: Visit, axe: str) -> None:
    page = sat(visit, "fear", 5, rules={"stake": 1})
    row = kept(page, 1)[0]
    id = re.findall(r"/t/(\w+)", page.url)[0]
    rows = [row | {"table": "elsewhere"}, row, row | {"sitting": 2}]
    page.evaluate("rows => localStorage.setItem('cagnotte.tally', JSON.stringify(rows))", rows)
    page.goto("/mine")
    page.locator(".sat li").first.get_by_role("button").click()
    expect(page.locator(".sat li")).to_have_count(2)  # here at once
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("for all")
    assert faults(page, axe) == [] and sideways(page) <= 0
    with page.expect_response(f"**/api/forget/{id}") as answer:
        dialog.get_by_role("button", name="Ask").click()
    assert answer.value.json() == {"deleted": True, "asked": 1, "persons": 1}
    expect(page.get_by_role("status")).to_contain_text("is deleted")
    assert kept(page, 1) == rows[:1]  # with all the sittings of that table
    assert page.request.get(f"/api/record/{id}").status == 404
    assert faults(page, axe) == []


def test_on_a_phone_passed_round_all_who_sit_there_ask(visit: Visit) -> None:
    made = opened(visit, "fear", ["person", "person", "steady"], ["Ann", "Bo"])
    page = at_seat(visit, made, 0, 1)
    row = ROWS[0] | {"game": "fear", "table": made["table"]}
    page.evaluate("rows => localStorage.setItem('cagnotte.tally', JSON.stringify(rows))", [row])
    page.goto("/mine")
    page.locator(".sat li").first.get_by_role("button").click()
    page.get_by_role("dialog").get_by_role("button", name="Ask").click()
    expect(page.get_by_role("status")).to_contain_text("is deleted")
