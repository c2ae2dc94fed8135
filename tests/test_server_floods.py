"""Whoever asks for too much: he fills no log, no list and no table, and he is answered cheaply."""

import asyncio
import gzip
import re
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from itertools import count
from typing import Any
from unittest.mock import ANY

import pytest
from conftest import ROOT
from sockets import Opened, Player, asking, opened, site, taken

import cagnotte
from cagnotte import telling
from cagnotte.core import CHANCE
from cagnotte.entries import Branched
from cagnotte.locale import refusal
from cagnotte.seating import Leads
from cagnotte.server import limits
from cagnotte.server.answers import HURRIED
from cagnotte.server.app import BODY
from cagnotte.server.codes import new_id
from cagnotte.server.door import HEAD, LEAVING, SLOWEST, SPARE, UNREAD
from cagnotte.server.hall import Hall
from cagnotte.server.limits import DAY, Bucket, Buckets, Limits, Turns
from cagnotte.server.line import BACKLOG, HEAVIEST, HEAVIEST_OF_ADDRESS, Line, hashed
from cagnotte.server.pages import Guard
from cagnotte.server.rooms import FEW, Room
from cagnotte.server.store import Store
from cagnotte.server.tales import Tales
from cagnotte.table import Table
from cagnotte.table_terms import MOST, Act, Leave, PassOn, Rename

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
TOO_MUCH = refusal("en", HURRIED)


def away(table: Opened, address: str, token: str | None = None) -> Player:
    """A browser at another address."""
    return table.guest(token, headers={"X-Forwarded-For": address})


async def answer(player: Player, type: str, **values: object) -> str:
    """What comes of a wish: a refusal, or nothing but an update."""
    await player.say(type, **values)
    told = await player.hear("refused", "update", "seated")
    return str(told.get("message", told["type"]))


async def test_B139_a_flood_of_wishes_fills_no_log() -> None:
    """By one person from many addresses, or by one address; who is to act always may, and others may too."""
    limits = Limits(wishes=5, wishes_per_second=0.5, messages=1000)
    now = [1000.0]
    guard = Guard(proxies=["127.0.0.1"])
    async with site(clock=lambda: now[0], limits=limits, guard=guard) as place, AsyncExitStack() as stack:
        table = await opened(place.url, "fear", ["open", "open"], pace="normal")
        ann = await stack.enter_async_context(away(table, "192.0.2.1", table.token))
        tab = await stack.enter_async_context(away(table, "192.0.2.2", table.token))
        bo = await stack.enter_async_context(away(table, "192.0.2.3"))
        await bo.sit("Bo")
        for n in range(limits.wishes):
            await ann.say("name", name=f"Ann {n}")
            while ann.update["table"]["seats"][0]["name"] != f"Ann {n}":
                await ann.hear("update")
        before = place.hall.rooms[table.table].table.version
        assert await answer(ann, "name", name="Eve") == TOO_MUCH
        await tab.until(lambda update: update["version"] == before)
        assert await answer(tab, "name", name="Eve") == TOO_MUCH
        assert await answer(tab, "pace", value="slow") == TOO_MUCH
        assert place.hall.rooms[table.table].table.version == before
        await bo.say("name", name="Bob")
        await bo.until(lambda update: update["table"]["seats"][1]["name"] == "Bob")
        eve = await stack.enter_async_context(away(table, "192.0.2.4"))
        refused = []
        for n in range(limits.wishes):
            answered = await eve.sit(f"Eve {n}")
            refused.append(answered.get("message"))
            await eve.say("leave")
            if (await eve.hear("update", "refused"))["type"] == "refused":
                break
        assert 0 < len(refused) < limits.wishes
        assert await answer(eve, "sit", name="Eve") == TOO_MUCH  # a seat is a wish like another
        now[0] += 10 / limits.wishes_per_second
        await ann.say("fill", level="steady")
        await ann.until(lambda update: update["table"]["state"] == "playing")


async def test_B269_what_is_not_understood_is_answered_in_a_line() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        async with table.host() as ann:
            await ann.play(0)
            for wrong in ("nonsense", '{"type":"bot","seat":1,"level":"none"}', '{"type":"react"}'):
                await ann.send(wrong)
                assert (await ann.read())["type"] == "refused"
                await ann.say("ping")
                assert (await ann.read())["type"] == "pong"


async def test_B269_whoever_asks_for_much_is_answered_no_faster_than_others_play() -> None:
    """A page that changes its language now and then is answered at once; a flood waits, and is not cut."""
    limits = Limits(told=20_000, told_per_second=50_000.0)
    async with site(limits=limits) as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        async with table.host() as ann:
            await ann.play(0)
            began, length = time.monotonic(), 0
            for n in range(30):
                await ann.say("lang", value=("en", "fr")[n % 2])
                while "log" not in await ann.hear("update"):
                    pass
                length += len(ann.frames[-1])
            assert length > limits.told
            assert time.monotonic() - began > 0.8 * (length - limits.told) / limits.told_per_second
            assert place.hall.rooms[table.table].lines


async def test_B147_one_address_takes_neither_all_the_room_nor_all_of_the_list() -> None:
    limits = Limits(onlookers=6, onlookers_of_address=2, listed_of_address=3)
    async with (
        site(limits=limits, guard=Guard(proxies=["127.0.0.1"])) as place,
        asking(place.url) as client,
        AsyncExitStack() as stack,
    ):
        tables = [await opened(place.url, "fan-tan", name=f"Ann {n}", listed=True) for n in range(5)]
        for table in tables:
            await stack.enter_async_context(away(table, "192.0.2.1", table.token))
        shown = [each["host"] for each in (await client.get("/api/open")).json()["tables"]]
        assert shown == ["Ann 4", "Ann 3", "Ann 2"]
        other = await opened(place.url, "fan-tan", name="Bo", listed=True)
        await stack.enter_async_context(away(other, "192.0.2.2", other.token))
        shown = [each["host"] for each in (await client.get("/api/open")).json()["tables"]]
        assert shown == ["Bo", "Ann 4", "Ann 3", "Ann 2"]
        watchers = [await stack.enter_async_context(away(tables[0], "192.0.2.3")) for _ in range(2)]
        third = await away(tables[0], "192.0.2.3").open()
        await third.say("hello", token=None)
        assert (await third.hear("bye"))["message"] == TOO_MUCH
        await third.closed()
        await stack.enter_async_context(away(tables[0], "192.0.2.4"))
        await watchers[0].sit("Bo")
        await stack.enter_async_context(away(tables[0], "192.0.2.3"))  # a seat counts not against it


def test_B269_a_crowd_of_addresses_is_counted_without_being_walked_through() -> None:
    asked = 0
    now = 0.0

    def clock() -> float:
        nonlocal asked
        asked += 1
        return now

    buckets = Buckets(2, 0.001, clock)
    for n in range(5000):
        assert buckets.take(str(n))
    assert asked < 5000 * 6
    now = 10_000.0
    for n in range(5000):
        buckets.take(f"new {n % 7}")
    assert len(buckets._buckets) < 10


def test_what_is_owed_is_waited_for() -> None:
    now = [0.0]
    bucket = Bucket(100, 10.0, lambda: now[0])
    assert bucket.owe(100) == 0 and bucket.owe(20) == 2.0 and not bucket.take()
    now[0] = 2.1
    assert bucket.owe(0) == 0 and bucket.take()


def test_the_page_about_the_table_tells_the_limits_that_are_kept() -> None:
    page = (ROOT / "docs/table.md").read_text("utf-8")
    rows = re.findall(r"^\| an? (.*?) \| (.*?) \| ([\d,]+) \| ([\d,]+) \|$", page, re.MULTILINE)
    told = [(int(at_once.replace(",", "")), int(then.replace(",", ""))) for _, _, at_once, then in rows]
    limits = Limits()
    names = ["opens", "files", "asks", "tables", "codes", "tales", "wishes", "wishes"]
    names += ["lines", "entries", "messages"]
    kept = [(getattr(limits, name), round(60 * getattr(limits, f"{name}_per_second"))) for name in names]
    assert told == kept
    said = " ".join(page.split())
    assert (
        f"room for {limits.onlookers} sockets without a seat, {limits.onlookers_of_address} of them" in said
    )
    assert f"for {limits.sockets_of_seat} sockets of each seat" in said
    assert f"may have {limits.sockets_of_address:,} sockets" in said and f"{BODY:,} bytes" in said
    assert f"told {limits.told:,} bytes at once, and from then on" in said
    assert f"{limits.told_per_second:,.0f} a second" in said and f"keeps {MOST:,} entries" in said
    assert limits.listed_of_address == 5 and "at most five whose host is at one address" in said
    assert f"up to {BACKLOG} messages, or {HEAVIEST:,} bytes" in said
    assert f"{HEAVIEST_OF_ADDRESS:,} bytes for all sockets" in said
    assert f"together look up {limits.codes_of_site} times as many codes" in said
    assert f"until {limits.codes_hold / DAY:.0f} days after that was last touched" in said
    assert f"says nothing for {limits.silence / 3600:.0f} hours" in said
    assert f"within {limits.hello:.0f} s" in said and f"has {SLOWEST:.0f} s to arrive" in said
    assert f"{UNREAD:.0f} s to be read on" in said and SPARE == 100
    assert f"cut off {LEAVING:.0f} s later" in said
    assert f"{limits.connections_of_address:,} connections besides" in said
    assert f"a body of more than {HEAD:,} bytes" in said and f"in {HEAD:,} bytes, and says" in said
    assert f"{FEW} sockets at its tables" in said and f"for {limits.rest:.0f} s at the most" in said


async def test_B269_what_never_changes_is_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[int] = []

    def pack(body: bytes) -> bytes:
        packed.append(len(body))
        return gzip.compress(body)

    monkeypatch.setattr("cagnotte.server.pages.packed", cache(pack))
    async with site() as place, asking(place.url) as client:
        for path in ("/api/locale/fr", "/api/rules/fear?lang=fr"):
            packed.clear()
            told = [await client.get(path) for _ in range(3)]
            assert len(packed) == 1 and len({answer.text for answer in told}) == 1
            assert told[0].headers["content-encoding"] == "gzip" and told[0].json()
            plain = await client.get(path, headers={"Accept-Encoding": "identity"})
            assert plain.text == told[0].text and "content-encoding" not in plain.headers
            assert told[0].headers["cache-control"] == "no-cache"


# Whose tables cost much.


@asynccontextmanager
async def device(seats: int = 6, limits: Limits = Limits()) -> AsyncIterator[tuple[Room, list[str]]]:  # noqa: B008
    """A table at a device that is passed round, and the secrets of its seats."""
    store = Store(None)
    store.open()
    hall = Hall(store, limits)
    tokens = [f"token {seat}" for seat in range(seats)]
    persons = [(f"Ann {chr(65 + seat)}", hashed(token)) for seat, token in enumerate(tokens)]
    yield await hall.open(*Table.open(cagnotte.game("fear", seats), ["person"] * seats, persons)), tokens
    hall.close()
    store.close()


async def test_a_socket_takes_room_at_each_of_its_seats() -> None:
    """So that whoever has several is not at each of them once more for each choice among them."""
    async with device() as (room, tokens):
        limits = room.hall.limits
        for n in range(4 * limits.sockets_of_seat):
            await room.join(Line("en", tokens[0], [tokens[1 + n % 5], tokens[1 + n // 5 % 5]]))
        assert len(room.lines) == limits.sockets_of_seat
        await room.join(last := Line("en", tokens[3], ["wrong"]))
        held = sum(3 in room.seats(line) for line in room.lines)
        assert (last in room.lines) == (held <= limits.sockets_of_seat) and not last.closed


async def test_B269_a_crowd_is_told_a_few_at_a_time_and_what_is_alike_is_written_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[object] = []

    def update(*given: Any) -> Any:
        written.append(given)
        return one(*given)

    one = telling.update
    async with device() as (room, tokens):
        for n in range(60):
            also = [tokens[seat] for seat in range(6) if seat != n % 6 and (n // 6) >> seat & 1]
            await room.join(Line("en", tokens[n % 6], also))
        many = len(room.lines)
        monkeypatch.setattr(telling, "update", update)
        rounds, told = 0, asyncio.create_task(room.tick())
        while not told.done():
            rounds += 1
            await asyncio.sleep(0)
        assert many > 20 and rounds > many / FEW
        assert 0 < len(written) <= 2 * 6 * 2  # two moves, each seat, alone and not
        each = {(line, room.whose(line)) for line in room.lines}
        assert len({own for _, own in each}) > 20
        for line, own in each:
            around = taken(line)[-1]["table"]
            assert (around["me"], around["former"], tuple(around["also"])) == (own.seat, None, own.seats)


class Counting(dict[str, int]):
    """Where secrets lead, and how many were looked up."""

    asked = 0

    def __contains__(self, secret: object) -> bool:
        Counting.asked += 1
        return super().__contains__(secret)


async def test_what_secrets_prove_is_looked_up_once_and_those_that_prove_nothing_are_dropped() -> None:
    """However many sockets there are, each with as many as it may; until somebody sits down or leaves."""
    async with device(8) as (room, tokens):

        async def join(seat: int | None, n: int) -> Line:
            made_up = [f"{seat} {n} {other}" for other in range(32)]
            await room.join(line := Line("en", None if seat is None else tokens[seat], made_up, "192.0.2.1"))
            return line

        lines = [await join(seat, n) for n in range(12) for seat in range(8)]
        lines += [await join(None, n) for n in range(20)]
        assert [len(line.secrets) for line in lines] == [1] * 96 + [0] * 20
        room.table.leads = Leads(*map(Counting, room.table.leads))
        assert room.watching == (20, 0) and room.payer == "192.0.2.1"
        Counting.asked = 0
        for _ in range(3):
            last = await join(3, 99)
            await room.part(last)
            assert room.watching == (20, 0) and not last.closed
        await room.hear(lines[0], lambda seat: Rename(seat, "Zoe"))
        assert Counting.asked <= 3 * 4 * 33
        await room.hear(lines[1], Leave)
        assert room.whose(lines[1]) == (None, (), 1) and room.seats(lines[2]) == (2,)
        await room.sit(lines[1], "Bo", None)
        assert room.whose(lines[1]) == (1, (1,), None)


async def test_a_table_pays_for_itself_by_the_address_of_its_host_also_while_he_is_away() -> None:
    """A guest whose address owes does not slow it down; and who is there need not be sought among all."""
    async with device(3) as (room, tokens):
        await room.join(guest := Line("en", tokens[1], [], "192.0.2.2"))
        assert room.payer == "192.0.2.2"
        await room.join(host := Line("en", tokens[0], [], "192.0.2.1"))
        await room.join(Line("en", tokens[0], [], "192.0.2.3"))
        assert room.payer == "192.0.2.1"
        await room.part(guest)
        await room.join(guest)
        assert room.payer == "192.0.2.1"
        await room.part(host)
        assert room.payer == "192.0.2.3"
        await room.hear(next(iter(room.lines - {guest})), lambda seat: PassOn(seat, 1))
        assert room.payer == "192.0.2.2"
        for line in [*room.lines]:
            await room.part(line)
        assert room.payer == "192.0.2.2"


async def test_nobody_holds_up_a_table_by_what_else_he_has_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever would open a table beside waits for the one that there is: behind himself, and alone."""
    loaded = asyncio.Event()

    async def is_free(*_: object) -> bool:
        return await loaded.wait()

    async with device(3) as (room, tokens):
        monkeypatch.setattr(room.hall, "is_free", is_free)
        monkeypatch.setattr(Table, "check_out", lambda *_: 0)
        room.table.beside = Branched(1, new_id())
        await room.join(line := Line("en", tokens[0]))
        asking = asyncio.create_task(room.beside(line))
        await asyncio.sleep(0)
        await asyncio.wait_for(room.join(Line("en", tokens[1])), 1)
        loaded.set()
        await asking
        assert any("A table is open beside" in told.get("message", "") for told in taken(line))


async def test_the_list_of_open_tables_looks_at_no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    async with device(3) as (room, _):
        persons, sealed = [("Ann", hashed("token"))], room.hall.seal()
        made = Table.open(cagnotte.game("fear", 3), ["person", "open", "open"], persons, sealed, listed=True)
        open = await room.hall.open(*made)
        assert [*room.hall.listed()] == []
        await open.join(Line("en", "token", address="192.0.2.1"))
        monkeypatch.setattr(Room, "whose", None)
        assert [*room.hall.listed()] == [open]


async def test_the_tables_of_an_address_that_had_much_stored_go_slower() -> None:
    """It is told nothing late, and tables of others go on as they did."""
    limits = Limits(entries=60, entries_per_second=10.0)
    async with site(limits=limits, guard=Guard(proxies=["127.0.0.1"])) as place, AsyncExitStack() as stack:
        moves = {}
        for address in ("192.0.2.1", "192.0.2.2"):
            for _ in range(3 if address.endswith("1") else 1):
                table = await opened(place.url, "fear", ["steady"] * 9, clock=0)
                ann = await stack.enter_async_context(away(table, address, table.token))
                moves[table.table] = asyncio.create_task(ann.play(1))
        await asyncio.sleep(2)
        versions = [place.hall.rooms[table].table.version for table in moves]
        assert sum(versions[:3]) < 60 + 10 * 4 + 30
        for task in moves.values():
            task.cancel()


async def test_a_move_waits_where_its_table_has_to_rest_and_is_played() -> None:
    async with device(limits=Limits(entries=1, entries_per_second=0.1, rest=0.3)) as (room, tokens):
        await room.join(line := Line("en", tokens[0], tokens[1:]))
        while (actor := room.table.game.actor(room.table.play)) == CHANCE:
            await room.tick()
            await asyncio.sleep(0.05)
        await room.turn(line, actor)
        move, began = str(room.table.game.legal(room.table.play)[0]), time.monotonic()
        await room.act(line, lambda seat: Act(seat, room.table.version, "a", move))
        assert 0.1 < time.monotonic() - began < 2
        assert "done" in {told["type"] for told in taken(line)}


def _act(seen: int, id: str, move: str, seat: int | None) -> Act:
    return Act(seat, seen, id, move)


async def test_a_move_that_was_made_while_its_table_rested_comes_before_the_end_of_its_turn() -> None:
    async with device(limits=Limits(entries=1, entries_per_second=0.1, rest=0.6)) as (room, tokens):
        await room.join(line := Line("en", tokens[0], tokens[1:]))
        while room.table.game.actor(room.table.play) == CHANCE:
            await asyncio.sleep(0.05)
        for nth in range(3):
            object.__setattr__(room.table, "clock", 0.3)  # a turn of no whole second
            await room.turn(line, room.table.game.actor(room.table.play))
            move, seen = str(room.table.game.legal(room.table.play)[0]), room.table.version
            taken(line)
            await room.act(line, partial(_act, seen, str(nth), move))
            assert "done" in {told["type"] for told in taken(line)}


async def test_what_one_address_has_loaded_waits_behind_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    async def log(id: str) -> Any:
        begun.append(id)
        await asyncio.sleep(0.01)
        return [], []

    async with device() as (room, _):
        monkeypatch.setattr(room.hall.store, "log", log)
        ids = [new_id() for _ in range(9)]
        asked = [room.hall.room(id, "192.0.2.1") for id in ids] + [room.hall.room(new_id(), "192.0.2.2")]
        task = asyncio.gather(*asked, return_exceptions=True)
        await asyncio.sleep(0.005)
        assert begun == ids[:1]
        await task
        assert begun.index(begun[-1]) == 9 and begun[1] not in ids


async def test_whoever_asks_for_what_another_asked_for_waits_no_longer_than_alone() -> None:
    """One may not draw the tables of others into his own queue. It is done once; a fault is told to all."""
    turns, begun = Turns(), list[str]()

    async def work(what: str) -> str:
        begun.append(what)
        await asyncio.sleep(0)
        if what == "fault":
            raise KeyError(what)
        return what.upper()

    async def ask(what: str, address: str) -> str:
        return await turns.once(what, address, partial(work, what))

    wanted = [*"abcdefgh", "both", "fault"]
    hostile = [asyncio.create_task(ask(what, "hostile")) for what in wanted]
    await asyncio.sleep(0)
    honest = [asyncio.create_task(ask(what, "honest")) for what in ("both", "fault", "own")]
    await asyncio.sleep(0)
    hostile[8].cancel()  # whoever goes takes nothing from those who stay
    assert await asyncio.gather(*honest, return_exceptions=True) == ["BOTH", ANY, "OWN"]
    assert begun[:6] == ["a", "both", "b", "fault", "c", "own"]
    assert [str(told) for told in await asyncio.gather(*hostile, return_exceptions=True)] == [
        *"ABCDEFGH", "", "'fault'"
    ]  # fmt: skip
    assert Counter(begun) == Counter([*wanted, "own"])
    assert not turns._wanted and not turns._tasks


async def test_whoever_asks_once_it_is_done_is_told_what_is_so_by_then() -> None:
    turns, numbers, later = Turns(), count(), list[asyncio.Task[int]]()

    async def work() -> int:
        if not later:
            later.append(asyncio.create_task(turns.once("same", "another", work)))
        return next(numbers)

    assert (await turns.once("same", "one", work), await later[0]) == (0, 1)


async def test_no_table_or_replay_is_drawn_into_the_queue_of_who_asked_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []

    async def log(id: str) -> Any:
        begun.append(id)
        await asyncio.sleep(0.001)
        return [], [0.0]

    async def made(id: str, *_: Any) -> Any:
        begun.append(id)
        await asyncio.sleep(0.001)
        return 0, None

    async with device() as (room, _):
        monkeypatch.setattr(room.hall.store, "log", log)
        tales = Tales(room.hall, Guard())
        monkeypatch.setattr(tales, "_make", made)
        ids = [new_id() for _ in range(9)]
        for ask in (room.hall.room, lambda id, address: tales._story(id, 1, 0, address)):
            begun.clear()
            asked = [asyncio.create_task(ask(id, "192.0.2.1")) for id in ids]
            await asyncio.sleep(0)
            await asyncio.gather(ask(ids[-1], "192.0.2.2"), return_exceptions=True)
            assert begun[:2] == [ids[0], ids[-1]] and len(begun) < 4
            await asyncio.gather(*asked, return_exceptions=True)
            assert sorted(begun) == sorted(ids)


async def test_who_reads_no_replay_keeps_those_of_his_neighbours_for_a_moment_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "READ", 0.1)
    few, turns, told, end = limits.FEW, Turns(), list[int](), asyncio.Event()

    async def read(n: int, until: asyncio.Event | None) -> None:
        async with turns.few("192.0.2.1"):
            told.append(n)
            await (until.wait() if until else asyncio.sleep(0))

    tasks = [asyncio.create_task(read(n, end)) for n in range(few)]
    await asyncio.sleep(0)
    assert told == [*range(few)]
    await asyncio.wait_for(read(few, None), 1)
    end.set()
    await asyncio.gather(*tasks)
    assert len(told) == few + 1
    tasks = [asyncio.create_task(read(n, end)) for n in range(few)]
    await asyncio.gather(*tasks)
    assert len(told) == 2 * few + 1
