"""The site over real sockets: sittings, reconnects, faults, and a process that is killed."""

import asyncio
import json
import os
import random
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from conftest import Served
from sockets import ASSETS, Player, asking, opened, site, together

from cagnotte.games import GAMES
from cagnotte.server import serve as serving
from cagnotte.server.app import app
from cagnotte.server.hall import Hall
from cagnotte.server.pages import Guard
from cagnotte.server.store import Store
from cagnotte.table import Table

pytestmark = pytest.mark.anyio
PROGRAM = Path(sys.executable).with_name("cagnotte")


# A sitting.


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_sitting_against_bots(game: str) -> None:
    rules, chips = ({"stake": 1}, 4) if game == "fear" else ({"deals": 2, "chips": 10}, 40)
    async with site() as place:
        table = await opened(place.url, game, ["steady", "random", "steady"], rules=rules)
        async with table.host(lang="fr") as ann:
            await ann.play()
            assert ann.update["table"]["state"] == "over" and ann.view["winners"]
            assert sum(ann.view["stacks"]) + ann.view["pool"] == chips
            await ann.say("again")
            await ann.until(lambda update: update["table"]["state"] == "playing")
            assert not ann.view["over"]
            versions = [json.loads(frame)["version"] for frame in ann.frames if '"update"' in frame]
            assert versions == sorted(versions)


async def test_a_friend_takes_a_seat_plays_closes_the_tab_and_comes_back() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "steady", "steady"])
        async with table.host() as ann, table.guest(lang="fr") as bo:
            assert not bo.update["view"] and "log" in bo.update
            assert (await bo.sit("Bo"))["seat"] == 1
            await ann.until(lambda update: update["table"]["seats"][1]["name"] == "Bo")
            await bo.say("start")
            assert "hôte" in (await bo.hear("refused"))["message"]
            await ann.say("start")
            for player in (ann, bo):
                await player.until(lambda update: update["table"]["state"] == "playing")
            for _ in range(6):
                player = await together([ann, bo])
                await player.act()
            hand = bo.view["hand"]
            await bo.go()
            await ann.until(lambda update: not update["table"]["seats"][1]["here"])
            await bo.come()
            assert (bo.update["table"]["me"], bo.view["hand"]) == (1, hand)
            assert bo.update["log"] and bo.update["log"][0]["say"]
            await ann.until(lambda update: update["table"]["seats"][1]["here"])


async def test_what_is_asked_in_the_lobby() -> None:
    async with site() as place:
        table = await opened(place.url, "fear", ["open"] * 4)
        async with table.host() as ann, table.guest() as bo, table.guest() as cy:
            await bo.sit("Bo", 3)
            await cy.sit("Cy")
            await bo.say("name", name="  Bob  ")
            await ann.until(lambda update: update["table"]["seats"][3]["name"] == "Bob")
            await ann.say("pace", value="quick")
            await bo.until(lambda update: update["table"]["pace"] == "quick")
            await ann.say("remove", seat=1)
            await cy.until(lambda update: update["table"]["me"] is None)
            await bo.say("leave")
            await ann.until(lambda update: update["table"]["seats"][3]["kind"] == "open")
            await ann.say("fill", level="genius")
            assert "is not a bot" in (await ann.hear("refused"))["message"]
            await ann.say("fill", level="random")
            await ann.until(lambda update: update["table"]["state"] == "playing")
            await cy.say("sit", name="Cy")
            assert "The sitting has begun" in (await cy.hear("refused"))["message"]
            await ann.say("lang", value="fr")
            await ann.until(lambda update: "log" in update)
            await ann.say("ping")
            await ann.hear("pong")


async def test_between_deals_the_table_waits_for_those_who_are_there() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"], rules={"deals": 2}, pace="normal")
        company = await table.company(3)
        while company[0].view["deal"] < 2:
            await (actor := await together(company)).act()
            await company[0].reach(actor.version)
        assert company[0].update["table"]["waiting"]["what"] == "go"
        assert 0 < company[0].update["table"]["waiting"]["until"] <= 12_000
        for i, player in enumerate(company):
            for other in company:
                while other.update["table"]["waiting"]["for"] != [0, 1, 2][i:]:
                    await other.hear("update")
            await player.say("go", seen=player.version)
        await company[0].until(lambda update: update["view"]["phase"] == "cut")
        for player in company:
            await player.go()


# Several sockets, several times.


async def test_B059_two_tabs_of_a_seat_are_both_live() -> None:
    """B061: an action on one updates the other, and counts once."""
    async with site() as place:
        table = await opened(place.url, "fear", ["open"], pace="normal")
        [ann, bo] = await table.company(2)
        async with table.host() as tab:
            while (await together([ann, bo])) is not ann or ann.view["phase"] != "turn":
                await (await together([ann, bo])).act()
            await tab.until(lambda update: update["version"] == ann.version)
            seen = tab.version
            await tab.act(id="once")
            await ann.until(lambda update: update["version"] > seen)
            assert ann.view == tab.view
            assert (await ann.act("turn 51", id="once again", seen=seen))["type"] == "refused"
            await ann.go()
            await bo.until(lambda update: update["version"] > seen)
            assert bo.update["table"]["seats"][0]["here"]  # the other tab is
        await bo.until(lambda update: not update["table"]["seats"][0]["here"])
        await bo.go()


async def test_B071_the_same_turn_by_two_sockets_and_by_two_seats_is_one() -> None:
    async with site() as place:
        table = await opened(place.url, "fear", ["open"], pace="normal", rules={"stake": 10})
        [ann, bo] = await table.company(2)
        async with table.host() as tab:
            for turn in range(25):
                actor = await together([ann, bo])
                await tab.reach(actor.version)
                if actor.view["phase"] != "turn":
                    await actor.act()
                    continue
                seen, move = actor.version, actor.choice
                answers = await asyncio.gather(
                    *(player.act(move, f"{turn} {i}", seen) for i, player in enumerate((ann, tab, bo)))
                )
                kinds = sorted(answer["type"] for answer in answers)
                assert kinds in (["done", "refused", "refused"],)
        versions = {json.loads(frame)["version"] for frame in bo.frames if '"update"' in frame}
        assert max(versions) == bo.version
        for player in (ann, bo):
            await player.go()


@pytest.mark.slow
async def test_B077_whoever_reads_late_hears_all_in_the_same_order() -> None:
    """Four who play and one who watches; each reads when he likes, and is told the same, move by move."""
    dice = random.Random(77)
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open"] * 3, rules={"deals": 1}, name="Ann")
        company = [*await table.company(4), await table.guest().come()]

        async def attend(player: Player) -> None:
            while not player.view["over"]:
                await asyncio.sleep(dice.random() / 200)
                if player.mine:
                    await player.say("act", id=f"{player.version}", move=player.choice, seen=player.version)
                await player.hear("update")

        await asyncio.gather(*map(attend, company))
        public = ("kind", "seat", "card", "clause")
        stories: list[dict[int, list[Any]]] = []
        for player in company:
            updates = [one for one in map(json.loads, player.frames) if one["type"] == "update"]
            told = {one["version"]: one["events"] for one in updates if one["events"]}
            versions = [one["version"] for one in updates if one["events"]]
            assert versions == sorted(set(versions)), "each once"
            stories.append({at: [[event.get(name) for name in public] for event in told[at]] for at in told})
        for story in stories:
            assert len(story) > 30
            first = max(min(story), min(stories[0]))
            assert [at for at in story.items() if at[0] >= first] == [
                at for at in stories[0].items() if at[0] >= first
            ]
        for player in company:
            await player.go()


async def test_B075_a_move_sent_again_after_a_lost_answer_is_played_once() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"])
        company = await table.company(3)
        actor = await together(company)
        seen, move = actor.version, actor.choice
        await actor.say("act", id="mine", seen=seen, move=move)
        await actor.back()
        assert (await actor.act(move, "mine", seen))["type"] == "done"
        assert actor.version == seen + 1
        assert (await actor.act("KS", "mine", seen))["message"] == "Another move was sent under this id."
        for player in company:
            await player.go()


async def test_B079_of_twenty_who_want_the_last_seat_at_once_one_gets_it() -> None:
    async with site() as place, AsyncExitStack() as stack:
        table = await opened(place.url, "fan-tan", ["open", "steady", "steady"])
        crowd = [await stack.enter_async_context(table.guest()) for _ in range(20)]
        answers = await asyncio.gather(*(guest.sit(f"Guest {i}") for i, guest in enumerate(crowd)))
        assert sorted(answer["type"] for answer in answers) == ["refused"] * 19 + ["seated"]
        assert len({guest.update["table"]["seats"][1]["name"] for guest in crowd}) == 1


async def test_B051_a_wrong_token_is_an_onlooker_and_harms_nobody() -> None:
    """B093, B085: whoever has lost his token sees what onlookers see."""
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"])
        company = await table.company(3)
        await together(company)
        await company[1].go()
        for token in ("wrong", "", "x" * 64, company[1].token[:-1] if company[1].token else "", None):
            async with table.guest(token) as thief:
                assert thief.update["table"]["me"] is None and thief.view["hand"] == []
                assert (await thief.act("7S"))["message"] == "You have no seat at this table."
                assert (await thief.sit("Bo", 1))["type"] == "refused"
        await company[1].come()
        assert company[1].update["table"]["me"] == 1
        for player in company:
            await player.go()


@pytest.mark.slow
async def test_B053_coming_back_as_a_deal_begins_always_finds_the_table() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "steady", "steady"], rules={"deals": 100})
        [ann, bo] = await table.company(2)

        async def play() -> None:
            while ann.view["deal"] < 4:
                if ann.mine:
                    await ann.act()
                elif (ann.update["table"]["waiting"] or {}).get("what") == "go":
                    await ann.say("go", seen=ann.version)
                    await ann.hear("update")
                else:
                    await ann.hear("update")

        playing = asyncio.create_task(play())
        while not playing.done():
            await bo.back()
            assert bo.update["table"]["me"] == 1 and len(bo.view["hand"]) == bo.view["counts"][1]
            if bo.mine:
                await bo.act()
        await playing
        for player in (ann, bo):
            await player.go()


async def test_B097_reloading_changes_nothing() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        async with table.host() as ann:
            await ann.play(3)
            before = (ann.version, ann.view)
            for _ in range(20):
                await ann.back()
                assert (ann.version, ann.view) == before


async def test_B263_a_token_is_worth_nothing_after_leaving_but_a_way_back_to_that_seat() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"])
        company = await table.company(3)
        await (await together(company)).act()
        actor = await together(company)
        seat, old, hand = actor.update["table"]["me"], actor.token, actor.view["hand"]
        await actor.say("leave")
        await actor.until(lambda update: update["table"]["me"] is None)
        assert actor.view["hand"] == [] and actor.update["table"]["former"] == seat
        async with table.guest(old) as same:
            assert (await same.act("7S"))["type"] == "refused"
            assert same.update["table"]["former"] == seat
            assert (await same.sit("Eve", (seat + 1) % 3))["type"] == "refused"
            assert (await same.sit("Eve"))["seat"] == seat and same.token != old
            assert set(same.view["hand"]) <= set(hand)
        async with table.guest(old) as late:
            assert late.update["table"]["me"] is None and late.update["table"]["former"] is None
        for player in company:
            await player.go()


# Faults and ends.


async def test_a_table_that_could_not_be_stored_tells_nobody_and_goes_on(tmp_path: Path) -> None:
    """The disk is full, and then it is not."""
    async with site(tmp_path / "tables.db", patience=0.1) as place:
        table = await opened(place.url, "fan-tan", ["open", "open"], pace="normal")
        company = await table.company(3)
        actor = await together(company)
        seen, others = actor.version, [player for player in company if player is not actor]
        lock = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        answer = await actor.act(id="mine")
        assert answer["type"] == "refused" and answer["message"] == "This could not be stored: try again."
        assert actor.version == seen and answer["id"] == "mine"
        lock.execute("ROLLBACK")
        lock.close()
        for player in others:
            await player.hear("update")
            assert player.version == seen
        assert (await actor.act(id="mine"))["type"] == "done"
        await together(company)
        for player in company:
            await player.go()


async def test_the_log_does_not_say_where_the_database_lies(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with site(base := tmp_path / "tables.db") as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3, pace="normal")
        async with table.host() as ann:
            base.rename(tmp_path / "away")
            await ann.say("pace", value="quick")
            assert (await ann.hear("refused"))["message"] == "This could not be stored: try again."
        async with asking(place.url) as client:
            health = await client.get("/healthz")
            assert (health.status_code, health.json()) == (503, {"ok": False})
            none = await client.post("/api/tables", json={"game": "fear", "name": "Ann"})
            assert (none.status_code, none.json()["message"]) == (503, "This could not be stored: try again.")
    assert "the database is gone" in caplog.text and str(tmp_path) not in caplog.text


async def test_a_fault_of_ours_leaves_the_table_as_it_is_stored(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """B021: nobody is disconnected, each is at the table once, and another table goes on."""
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"], pace="normal")
        other = await opened(place.url, "fear", ["steady"] * 3, rules={"stake": 1})
        company = await table.company(3)
        actor = await together(company)
        seen = actor.version

        def fail(self: Table, now: float, given: Any) -> Any:
            monkeypatch.undo()
            self.play = None
            raise AssertionError(f"the hand is {actor.view['hand']}")

        monkeypatch.setattr(Table, "receive", fail)
        await actor.say("act", id="a", seen=seen, move=actor.choice)
        assert "fault is ours" in (await actor.hear("refused"))["message"]
        assert (await actor.hear("update"))["version"] == seen
        assert (await actor.act(id="b"))["type"] == "done"
        assert "AssertionError test_server.py" in caplog.text
        assert not any(card in caplog.text for card in actor.view["hand"])
        async with other.host() as cy:
            await cy.play()
        assert [seat["name"] for seat in actor.update["table"]["seats"]] == ["Ann", "Bo", "Cy"]
        for player in company:
            await player.go()


async def test_a_bot_that_fails_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(view: Any, told: Any, rng: random.Random) -> Any:
        raise RuntimeError("no idea")

    monkeypatch.setattr("cagnotte.server.rooms.LEVELS", {"steady": broken})
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3, rules={"deals": 1})
        async with table.host() as ann:
            await ann.play()


async def test_B193_tables_that_nobody_is_at_are_let_go_and_found_again() -> None:
    """B195, B043: and nothing of them goes on."""
    now = [0.0]
    async with site(clock=lambda: now[0]) as place:
        tasks = len(asyncio.all_tasks())
        tables = [await opened(place.url, "fear", ["steady"] * 4) for _ in range(12)]
        for table in tables:
            async with table.host() as ann:
                assert ann.update["table"]["me"] == 0
        assert len(place.hall.rooms) == 12
        while any(room.lines for room in place.hall.rooms.values()):
            await asyncio.sleep(0.01)
        now[0] += 301
        for _ in range(100):
            place.hall.sweep()
            if not place.hall.rooms:
                break
            await asyncio.sleep(0.02)  # somebody is still leaving
        assert len(place.hall.rooms) == 0
        for _ in range(100):
            if len(asyncio.all_tasks()) <= tasks:
                break
            await asyncio.sleep(0.02)
        assert len(asyncio.all_tasks()) <= tasks
        async with tables[7].host() as ann:
            assert ann.update["table"]["me"] == 0 and len(place.hall.rooms) == 1


# Processes.


def lasting(update: dict[str, Any]) -> dict[str, Any]:
    """An update without what a restart may change: who is there, and the time left."""
    passing = ("seats", "waiting", "watching")
    table = {key: value for key, value in update["table"].items() if key not in passing}
    return {"view": update["view"], "version": update["version"], "table": table, "log": update.get("log")}


@pytest.mark.slow
async def test_B101_a_table_outlives_kill_9(serve: Callable[..., Served]) -> None:
    """At once after it was opened, and in the middle of a deal: for each viewer it is the same."""
    first = serve()
    new = await opened(first.url, "fan-tan", ["open", "open"])
    first.kill()
    second = serve()
    new.url = second.url
    company = await new.company(3)
    for _ in range(12):
        await (await together(company)).act()
    before = [lasting((await player.back()).update) for player in [*company, await new.guest().come()]]
    second.kill()
    third = serve()
    after = []
    for player in [*company, new.guest()]:
        player.url = third.url
        after.append(lasting((await player.come()).update))
    assert before == after
    for _ in range(3):
        await (await together(company)).act()
    assert third.stop() == 0


async def test_B127_it_is_noted_that_a_table_is_awake_while_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cagnotte.server.hall.NOTE", 0.02)
    async with site() as place:
        table = await opened(place.url, "fear", ["open", *["steady"] * 3])
        async with table.host() as ann, table.guest() as bo:
            await bo.sit("Bo")
            await asyncio.sleep(0.1)
            assert await place.hall.store.noted() is None
            await ann.say("start")
            await ann.until(lambda update: update["table"]["state"] == "playing")
            await asyncio.sleep(0.2)
            assert abs((await place.hall.store.noted() or 0.0) - time.time()) < 5
        while place.hall.rooms[table.table].lines:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        noted = await place.hall.store.noted()
        await asyncio.sleep(0.1)
        assert await place.hall.store.noted() == noted


@pytest.mark.slow
@pytest.mark.parametrize("planned", [False, True], ids=["kill -9", "a planned stop"])
async def test_B127_a_clock_goes_on_after(planned: bool, serve: Callable[..., Served]) -> None:
    """The time that the server was away counts for nobody."""
    first = serve()
    table = await opened(first.url, "fan-tan", ["open", "open"], pace="once", clock=15)
    company = await table.company(3)
    actor = await together(company)
    await asyncio.sleep(5)
    if planned:
        first.stop()
    else:
        first.kill()
    await asyncio.sleep(2)
    second = serve()
    for player in company:
        player.url = second.url
        await player.come()
    for player in company:
        await player.say("lang", value="en")
        update = await player.until(lambda told: all(seat["here"] for seat in told["table"]["seats"]))
        waiting = update["table"]["waiting"]
        assert waiting["for"] == [company.index(actor)] and waiting["of"] == 15_000
        assert 8_000 < waiting["until"] < (11_000 if planned else 13_000)
    for player in company:
        await player.go()


@pytest.mark.slow
async def test_B105_one_damaged_table_leaves_the_others_alone(serve: Callable[..., Served]) -> None:
    first = serve()
    good, bad = [await opened(first.url, "fear", ["steady"] * 4) for _ in range(2)]
    first.stop()
    base = sqlite3.connect(first.database)
    base.execute("UPDATE entries SET entry = 'x' WHERE table_id = ? AND seq = 4", (bad.table,))
    base.commit()
    base.close()
    second = serve()
    good.url = bad.url = second.url
    async with good.host() as ann:
        await ann.play(3)
    lost = await bad.host().open()
    await lost.say("hello", token=bad.token, lang="en")
    assert (await lost.hear("bye"))["message"] == "This table is damaged and cannot be opened."
    await lost.closed()
    assert bad.table in second.log.read_text("utf-8") and str(bad.token) not in second.log.read_text("utf-8")


@pytest.mark.slow
async def test_two_servers_on_one_database_never_tell_two_stories(serve: Callable[..., Served]) -> None:
    first, second = serve(), serve()
    table = await opened(first.url, "fan-tan", ["open", "open"], pace="normal")
    company = await table.company(3)
    actor = await together(company)
    elsewhere = await Player(second.url, table.table, actor.token).come()
    assert elsewhere.view == actor.view
    seen = actor.version
    assert (await elsewhere.act(id="a", seen=seen))["type"] == "done"
    assert (await actor.act(id="b", seen=seen))["type"] == "refused"
    await actor.until(lambda update: update["version"] > seen)
    assert actor.view == elsewhere.view
    for player in [*company, elsewhere]:
        await player.go()


@pytest.mark.slow
async def test_it_takes_a_free_port_and_stops_cleanly(serve: Callable[..., Served]) -> None:
    first = serve()
    port = first.url.rpartition(":")[2]
    second = serve("--port", port)
    said = second.log.with_suffix(".out").read_text("utf-8")
    assert f"(port {port} is taken)" in said and said.count("\n") == 1 and second.url != first.url
    table = await opened(second.url, "fear", ["steady"] * 4)
    async with table.host() as ann:
        assert second.stop() == 0  # although somebody is at a table
        assert await ann.closed() == 1012  # the server is started anew, as RFC 6455 has it
    assert second.log.read_text("utf-8") == "" and first.stop() == 0
    assert serve().stop() == 0  # at once


async def test_B269_the_system_keeps_little_of_what_a_connection_does_not_read() -> None:
    """Some megabytes each would be the memory of all connections of the machine."""
    listening = serving._listen("127.0.0.1", 0)
    made: asyncio.Future[asyncio.Transport] = asyncio.get_running_loop().create_future()

    class Telling(asyncio.Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            made.set_result(transport)

    server = await asyncio.get_running_loop().create_server(Telling, sock=listening)
    with socket.create_connection(listening.getsockname(), 1):
        transport = await made
        transport.write(bytes(10_000_000))
        await asyncio.sleep(0.2)
        kept = 10_000_000 - transport.get_write_buffer_size()
        transport.abort()
    server.close()
    await server.wait_closed()
    assert kept < 1_000_000


async def test_many_who_come_at_once_are_kept_by_the_system_and_taken_a_few_at_a_time() -> None:
    listening = serving._listen("127.0.0.1", 0)
    taken: list[asyncio.Transport] = []

    class Taking(asyncio.Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            taken.append(transport)

    backlog = serving.configured(app(Hall(Store(None)), ASSETS, Guard())).backlog
    server = await asyncio.get_running_loop().create_server(Taking, sock=listening, backlog=backlog)
    await asyncio.sleep(0)
    many = [socket.create_connection(listening.getsockname(), 1) for _ in range(200)]  # while nobody takes
    rounds = []
    while len(taken) < len(many):
        before = len(taken)
        await asyncio.sleep(0)
        rounds.append(len(taken) - before)
    assert max(rounds) <= serving.TAKEN
    server.close()
    for came in many:
        came.close()
    for transport in taken:
        transport.close()
    await server.wait_closed()


def test_B115_a_place_that_cannot_be_written_to_is_told_in_one_line(tmp_path: Path) -> None:
    """B213: with the user who may not."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "tables.db", tmp_path):
        command = [str(PROGRAM), "serve", "--no-browser", "--port", "0", "--database", str(path)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=30)
        assert ended.returncode == 1 and ended.stdout == ""
        assert ended.stderr.count("\n") == 1 and str(path) in ended.stderr
        assert not hasattr(os, "geteuid") or f"as user {os.geteuid()}" in ended.stderr


# How it begins.


@pytest.mark.parametrize(
    ("host", "wanted", "said"),
    [
        ("127.0.0.1", 8001, "http://127.0.0.1:8001/"),
        ("::1", 8000, "http://[::1]:8001/ (port 8000 is taken)"),
        ("0.0.0.0", 0, "http://127.0.0.1:8001/ and for others on this network at http://192.0.2.7:8001/"),
    ],
)
def test_the_line_says_where_it_is(
    monkeypatch: pytest.MonkeyPatch, host: str, wanted: int, said: str
) -> None:
    monkeypatch.setattr(serving, "_lan_address", lambda: "192.0.2.7")
    assert (
        serving._line(serving._addresses(serving.Settings(host), 8001), wanted, 8001)
        == f"Cagnotte is at {said}"
    )


def test_the_browser_opens_the_address_that_friends_can_use_too(tmp_path: Path) -> None:
    """So the link that the host copies from the page leads them to the table."""
    program = """if True:
        from cagnotte.server import serve as serving
        listen = serving._listen
        serving._listen = lambda host, port: listen("127.0.0.1", port)
        serving._lan_address = lambda: "192.0.2.7"
        serving.serve(serving.Settings("0.0.0.0", 0, open_browser=True))
    """
    home = {"BROWSER": "echo %s", "XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | home) as process:
        assert process.stdout is not None
        said, opened = process.stdout.readline(), process.stdout.readline()
        process.terminate()
    assert said.endswith(f" at {opened}") and "//192.0.2.7:" in opened


def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    serving._browse("http://a/")
    monkeypatch.setenv("DISPLAY", ":0")
    serving._browse("http://b/")
    assert opened == ["http://b/"]


@pytest.mark.parametrize(
    ("platform", "variable", "folder"),
    [
        ("linux", "XDG_DATA_HOME", "cagnotte"),
        ("linux", "HOME", ".local/share/cagnotte"),
        ("darwin", "HOME", "Library/Application Support/cagnotte"),
        ("win32", "LOCALAPPDATA", "cagnotte"),
    ],
)
def test_tables_lie_among_the_data_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str, variable: str, folder: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert serving.default_database() == tmp_path / folder / "tables.sqlite"


def test_a_relative_folder_for_data_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As the standard has it: else each folder one stands in would have tables of its own."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", "away")
    assert serving.default_database() == tmp_path / ".local/share/cagnotte/tables.sqlite"
