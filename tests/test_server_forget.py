"""Tables that those who played at them would have deleted."""

import logging
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
from sockets import Opened, asking, opened, site
from wire import Wire, start

from cagnotte.entries import Forgot
from cagnotte.server.limits import Limits
from cagnotte.server.store import Store, Unstored
from cagnotte.table import Table
from cagnotte.table_terms import Again, Fill, Forget, Go, Here, Leave, Remove, Sit

pytestmark = pytest.mark.anyio


async def ask(client: httpx.AsyncClient, table: Opened, token: str | None, **headers: str) -> tuple[int, Any]:
    head = {"Authorization": f"Bearer {token}", **headers}
    answer = await client.post(f"/api/forget/{table.table}", headers=head)
    return answer.status_code, answer.json()


def test_a_table_is_forgotten_once_all_who_sit_there_ask_and_nothing_is_played() -> None:
    wire = Wire.company("fear", 5, stake=1)
    for seat in (0, 1):
        wire.tell(Forget(f"secret {seat}"))
        wire.tell(Forget(f"secret {seat}"))  # no entry
    assert wire.table.forgetters == {"secret 0", "secret 1"} and not wire.table.forgotten
    assert wire.refusal(Forget(None)) == "you have no seat at this table"
    for seat in (2, 3):
        wire.tell(Leave(seat))
    assert not wire.table.forgotten
    wire.tell(Leave(4))  # of whom nobody is left who did not ask
    assert wire.table.forgotten and wire.restored() == wire.table
    wire.tell(Leave(1))
    wire.tell(Sit("Gus", "another", seat=1))
    assert not wire.table.forgotten  # it was not he who asked


def test_whoever_plays_on_wishes_it_no_longer() -> None:
    wire = Wire.open("fear", 5, ["person", *["open"] * 4], stake=1).here(0)
    wire.tell(Forget("secret 0"))
    assert wire.table.forgotten
    wire.tell(Fill(0, "steady"))
    assert not wire.table.forgotten and wire.restored() == wire.table
    assert wire.refusal(Forget("secret 0")) == "a table is deleted only when nothing is being played"


def test_a_table_that_all_abandoned_is_forgotten_once_all_who_played_ask() -> None:
    """Also he who left his seat, to which he could come back; not while somebody is there to play on."""
    wire = start(Wire.open("fear", 5, ["person", "person", *["steady"] * 3]).here(0, 1))
    assert wire.refusal(Forget("secret 0")) == "a table is deleted only when nothing is being played"
    wire.tell(Leave(1))
    for seat in (0, 0):
        wire.tell(Here(seat, False))
        wire.tell(Forget(f"secret {seat}"))
    assert wire.table.keepers == {"secret 0", "secret 1"} and not wire.table.forgotten
    assert wire.refusal(Forget("secret 2")) == "you have no seat at this table"  # a bot
    wire.here(0)
    while wire.actor != 0:
        wire.wait(1)
    wire.act(0)
    wire.tell(Here(0, False))
    wire.tell(Forget("secret 1"))
    assert not wire.table.forgotten  # whoever plays on wishes it no longer
    wire.tell(Forget("secret 0"))
    assert wire.table.forgotten and wire.restored() == wire.table


def test_a_host_does_not_have_it_deleted_by_letting_the_others_go() -> None:
    """Whoever played has his say, let go or gone; and his secret of then is enough."""
    wire = start(Wire.company("fear", 5, stake=1))
    wire.tell(Remove(0, 1))
    for seat in range(2, 5):
        wire.tell(Leave(seat))
    over(wire)
    for seat in (0, 2, 3, 4):
        assert not wire.table.forgotten
        wire.tell(Forget(f"secret {seat}"))
    assert not wire.table.forgotten
    wire.tell(Forget("secret 1"))
    assert wire.table.forgotten and wire.restored() == wire.table
    wire.tell(Again(0))
    wire.tell(Here(0, False))
    assert not wire.table.forgotten and len(wire.table.keepers) == 5


def test_whoever_sat_down_after_the_end_and_played_nothing_has_no_say() -> None:
    """Neither does he block what others wish, let go or not, nor ask for what they keep."""
    wire = over(start(Wire.open("fear", 5, stake=1).here(0)))
    wire.tell(Sit("Eve", "link", 1))
    assert wire.refusal(Forget("link")) == "only those who have played here can have it deleted"
    wire.tell(Remove(0, 1))
    assert wire.refusal(Forget("link")) == "you have no seat at this table"
    wire.tell(Forget("secret 0"))
    assert wire.table.forgotten and wire.restored() == wire.table


def test_who_left_after_the_end_has_his_say_and_comes_back_with_it() -> None:
    wire = over(start(Wire.open("fear", 5, stake=1).here(0)))
    wire.tell(Leave(0))
    for seat in range(5):
        wire.tell(Sit(f"Eve {seat}", f"link {seat}", seat))
        assert wire.refusal(Forget(f"link {seat}")) == "only those who have played here can have it deleted"
    wire.tell(Leave(3))
    wire.tell(Sit("Ann", "new secret", None, "secret 0"))
    assert wire.table.keepers == {"new secret"} and wire.restored() == wire.table
    assert wire.refusal(Forget("secret 0")) == "you have no seat at this table"
    wire.tell(Leave(3))
    wire.tell(Forget("new secret"))
    assert wire.table.forgotten and wire.restored() == wire.table


def test_a_log_in_which_it_was_asked_by_seat_is_read_as_it_was_meant() -> None:
    wire = over(start(Wire.open("fear", 5, stake=1).here(0)))
    assert Table.restore([*wire.entries, Forgot(0)]).forgotten
    wire.tell(Leave(0))
    assert Table.restore([*wire.entries, Forgot(0)]).forgotten


def over(wire: Wire) -> Wire:
    """The sitting is played to its end by whoever is there."""
    while wire.table.state == "playing":
        if wire.actor == 0 and wire.person():
            wire.act(0)
        wire.tell(Go(0, wire.table.version))
        wire.wait(30)
    return wire


@pytest.mark.slow
async def test_who_was_alone_with_bots_has_the_table_deleted_at_once(tmp_path: Path) -> None:
    async with site(tmp_path / "tables.sqlite") as place, asking(place.url) as client:
        kept, table = [await opened(place.url, "fear", ["steady"] * 4, rules={"stake": 1}) for _ in range(2)]
        async with table.host() as ann:
            assert (await ask(client, table, table.token))[0] == 409  # it is played
            await ann.play()
            await ann.say("say", text="Dear diary")
            await ann.hear("update")
            for token in ("nobody's", None):
                status, told = await ask(client, table, token)
                assert (status, told["message"]) == (409, "You have no seat at this table.")
            assert (await ask(client, table, table.token, Origin="https://elsewhere.example"))[0] == 403
            assert await ask(client, table, table.token) == (
                200,
                {"deleted": True, "asked": 1, "persons": 1},
            )
            assert (await ann.hear("bye"))["code"] == "gone"
            await ann.closed()
        for path in ("replay", "record"):
            assert (await client.get(f"/api/{path}/{table.table}")).status_code == 404
        assert (await ask(client, table, table.token))[0] == 404
        assert (await client.get(f"/api/codes/{table.code}")).status_code == 404
        assert (await client.get(f"/api/codes/{kept.code}")).status_code == 200
    base = sqlite3.connect(tmp_path / "tables.sqlite")
    base.execute("PRAGMA journal_mode = DELETE")
    base.close()
    assert b"diary" not in (tmp_path / "tables.sqlite").read_bytes()


@pytest.mark.slow
async def test_with_others_it_is_deleted_when_the_last_has_asked(tmp_path: Path) -> None:
    async with site(tmp_path / "tables.sqlite") as place, asking(place.url) as client:
        table = await opened(place.url, "fan-tan", ["open", "open"])
        company = [await table.host().come(), *[await table.guest().come() for _ in range(2)]]
        for player, name in zip(company[1:], ("Bo", "Cy"), strict=True):
            await player.sit(name)
        for count, player in enumerate(company[:2], 1):
            told = await ask(client, table, player.token)
            assert told == (200, {"deleted": False, "asked": count, "persons": 3})
        assert (await client.get(f"/api/codes/{table.code}")).status_code == 200
        await company[2].say("leave")
        for player in company:
            assert (await player.hear("bye"))["code"] == "gone"
            await player.go()


async def test_asking_too_often_is_told_as_everywhere_and_a_table_is_found_in_any_case() -> None:
    async with site(limits=Limits(wishes=3, wishes_per_second=0.001)) as place, asking(place.url) as client:
        table = await opened(place.url, "fear", ["open"] * 4)
        async with table.guest() as bo:
            await bo.sit("Bo")
        shouted = Opened(table.url, table.table.upper())
        for _ in range(2):
            told = await ask(client, shouted, table.token)
            assert told == (200, {"deleted": False, "asked": 1, "persons": 2})
        status, said = await ask(client, table, table.token)
        assert (status, said["message"]) == (429, "Too much was asked at once: wait a little.")


async def test_a_table_that_cannot_be_deleted_now_is_there_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fear", ["open"] * 4)

        async def failing(*_: object) -> None:
            raise Unstored("disk full")

        monkeypatch.setattr(place.hall.store, "append", failing)
        assert (await ask(client, table, table.token))[0] == 503
        monkeypatch.undo()
        assert (await ask(client, table, table.token))[1]["deleted"]


@pytest.mark.parametrize(("failures", "status"), [(1, 200), (2, 503)])
async def test_a_table_that_is_deleted_at_the_second_attempt_is_gone_for_all(
    monkeypatch: pytest.MonkeyPatch, failures: int, status: int
) -> None:
    """Also where that is done while it is restored: whoever is there is told, and its clock stands still."""
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fear", ["open"] * 4)
        room, delete = place.hall.rooms[table.table], place.hall.store.delete

        async def failing(id: str) -> None:
            nonlocal failures
            failures -= 1
            if failures >= 0:
                raise Unstored("disk full")
            await delete(id)

        monkeypatch.setattr(place.hall.store, "delete", failing)
        async with table.host() as ann:
            assert (await ask(client, table, table.token))[0] == status
            assert (await ann.hear("bye"))["code"] == "gone"
        assert room.gone and room.timer is None and table.table not in place.hall.rooms


async def test_no_hint_is_given_from_what_is_not_stored() -> None:
    async with site() as place:
        table = await opened(place.url, "fear", ["open"] * 4)
        async with table.host() as ann:
            place.hall.rooms[table.table].sound = False
            await ann.say("hint")
            assert (await ann.hear("refused"))["message"] == "This could not be stored: try again."
            place.hall.rooms[table.table].sound = True


async def test_the_log_says_which_table_was_deleted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "cagnotte")
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fear", ["open"] * 4)
        assert (await ask(client, table, table.token))[1]["deleted"]
    told = [vars(record) for record in caplog.records if "event" in vars(record)]
    assert [(line["table"], line["event"]) for line in told] == [
        (table.table, "opened"),
        (table.table, "deleted"),
    ]


@pytest.mark.slow
async def test_who_left_a_sitting_that_all_abandoned_has_a_say() -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url, "fear", ["steady"] * 4)
        async with table.host() as ann:
            await ann.until(lambda update: update["table"]["state"] == "playing")
            await ann.say("leave")
            await ann.hear("update")
        assert (await ask(client, table, table.token))[1] == {"deleted": True, "asked": 1, "persons": 1}


@pytest.mark.slow
async def test_a_server_that_is_stopped_before_it_could_delete_does_it_later(tmp_path: Path) -> None:
    wire = Wire.open("fear", 5, ["person", *["open"] * 4])
    wire.tell(Forget("secret 0"))
    assert Table.restore(wire.entries).forgotten
    id = "bcdfghjkmn"
    store = Store(tmp_path / "tables.sqlite")
    store.open()
    await store.append(id, 1, wire.entries)
    store.close()
    async with site(tmp_path / "tables.sqlite") as place, asking(place.url) as client:
        assert (await client.get(f"/api/replay/{id}")).status_code == 404
        assert await place.hall.store.read(id) == []
