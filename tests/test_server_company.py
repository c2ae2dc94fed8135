"""Who comes to a table over real sockets: by code, on one device, to watch, to talk; and the table beside."""

import asyncio
import json
import random
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import pytest
from sockets import ASSETS, Opened, Player, asking, opened, site, taken, together

import cagnotte
from cagnotte.locale import refusal
from cagnotte.server import wire
from cagnotte.server.answers import HURRIED
from cagnotte.server.app import Site
from cagnotte.server.codes import CODE_LENGTH, CODE_LETTERS, new_code, read_code
from cagnotte.server.hall import Hall
from cagnotte.server.hearing import hear
from cagnotte.server.limits import Limits
from cagnotte.server.line import Line, hashed
from cagnotte.server.pages import Guard
from cagnotte.server.rooms import UNWATCHED
from cagnotte.server.store import Store, Unstored
from cagnotte.table import Table
from cagnotte.table_terms import PACES, PAST, Tempo

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@contextmanager
def soon(seconds: float) -> Iterator[None]:
    """How many watch is told after so long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cagnotte.server.rooms.SOON", seconds)
        yield


async def refused(player: Player, type: str, **values: Any) -> str:
    """Say this, and hear why not."""
    await player.say(type, **values)
    return str((await player.hear("refused"))["message"])


async def heard(player: Player, text: str) -> None:
    """Wait until this was said."""
    while player.update.get("chat", [{}])[-1].get("text") != text:
        await player.hear("update")


async def shown(device: Player, seat: int | None) -> None:
    """Have a device show this seat."""
    await device.say("as", seat=seat)
    while device.update["table"]["me"] != seat or "log" not in device.update:
        await device.hear("update")


# Codes and lists.


async def test_B143_a_table_is_found_by_its_code_however_it_is_written() -> None:
    async with site() as place, asking(place.url) as client:
        table = await opened(place.url)
        code = table.code
        for text in (
            code,
            code.lower(),
            f"{code[:3]} {code[3:]}",
            f" {code[:2]}-{code[2:].lower()} ",
            table.table,
        ):
            answer = await client.get(f"/api/codes/{text}")
            assert answer.json() == {"table": table.table}, text
        async with table.host() as ann:
            assert ann.update["table"]["code"] == code
        for text in ("", "AAAAAA", "k3f 9to", code + "X", code[:5], "2345678923", "x" * 500, "%00", "<b>"):
            answer = await client.get(f"/api/codes/{text}")
            assert answer.status_code == 404
        assert answer.json()["message"] == "No table has this code: look at it again."
        assert "Aucune table" in (await client.get("/api/codes/AAAAAA?lang=fr")).json()["message"]


async def test_a_code_is_as_lasting_as_its_table() -> None:
    now = [0.0]
    async with site(clock=lambda: now[0]) as place, asking(place.url) as client:
        table = await opened(place.url)
        now[0] += 10_000
        place.hall.sweep()
        assert not place.hall.rooms
        assert (await client.get(f"/api/codes/{table.code}")).json() == {"table": table.table}
        async with table.host() as ann:
            assert ann.update["table"]["code"] == table.code
        await place.hall.store.expire(-1e9, -1e9, ())
        assert (await client.get(f"/api/codes/{table.code}")).status_code == 404


async def test_B147_codes_are_not_tried_out() -> None:
    now = [0.0]
    async with site(clock=lambda: now[0]) as place, asking(place.url) as client:
        answers = [(await client.get("/api/codes/222222")).status_code for _ in range(22)]
        assert answers == [404] * 20 + [429] * 2
        now[0] += 3.01
        assert (await client.get("/api/codes/222222")).status_code == 404
        answer = await client.get("/api/codes/222222?lang=fr")
        assert answer.json()["message"] == refusal("fr", HURRIED)


def test_B145_a_code_spells_no_word_and_is_read_aloud_without_doubt() -> None:
    assert not set(CODE_LETTERS) & set("AEIOUY01") and len(CODE_LETTERS) == 16
    for alike in ("S5", "Z2", "B8", "MN", "DTBPG", "CK", "QK", "JK", "VF", "W"):
        assert len(set(CODE_LETTERS) & set(alike)) <= 1, alike
    codes = {new_code() for _ in range(1000)}
    assert len(codes) > 990 and all(len(code) == CODE_LENGTH and read_code(code) == code for code in codes)


async def test_tables_are_listed_that_a_host_shows_and_where_somebody_waits() -> None:
    async with site() as place, asking(place.url) as client:

        async def listed() -> list[str]:
            return [each["table"] for each in (await client.get("/api/open")).json()["tables"]]

        hidden = await opened(place.url)
        first = await opened(place.url, "fear", ["open"] * 5, listed=True, rules={"stake": 5})
        second = await opened(place.url, "fan-tan", ["open", "steady"], listed=True)
        await opened(place.url, listed=True)  # nobody is there
        async with hidden.host(), first.host() as ann, second.host() as bo:
            assert await listed() == [second.table, first.table]
            assert (await client.get("/api/open")).json()["tables"][1] == {
                "table": first.table,
                "code": first.code,
                "game": "fear",
                "players": 6,
                "free": 5,
                "host": "Ann",
                "rules": {"stake": 5},
            }
            await bo.say("listed", on=False)
            await bo.until(lambda update: not update["table"]["listed"])
            assert await listed() == [first.table]
            await ann.say("fill", level="steady")
            await ann.until(lambda update: update["table"]["state"] == "playing")
            assert await listed() == []


# Several persons at one device.


async def passed_round(url: str, **wanted: Any) -> tuple[Opened, Player]:
    """A table of Ann's, Bo's and Cy's at one device, and that device."""
    seats = ["person", "steady", "person", "person"]
    body = {"game": "fan-tan", "players": 4, "seats": seats, "names": ["Ann", "Bo", "Cy"], "pace": "once"}
    async with asking(url) as client:
        answer = (await client.post("/api/tables", json={**body, **wanted})).json()
    table = Opened(url, **answer)
    tokens = [seat["token"] for seat in table.seats]
    return table, Player(url, table.table, None, also=tokens)


async def test_one_device_shows_one_seat_at_a_time_or_none() -> None:
    """B083, B085: and the hand of no other."""
    async with site() as place:
        table, device = await passed_round(place.url)
        assert [seat["seat"] for seat in table.seats] == [0, 2, 3] and table.token == table.seats[0]["token"]
        async with device:
            around = device.update["table"]
            assert (around["me"], around["also"], around["clock"]) == (None, [0, 2, 3], 0)
            assert all(seat["here"] for seat in around["seats"]) and around["watching"] == 0
            await device.until(lambda update: update["view"]["phase"] in ("play", "cut"))
            assert device.view["hand"] == []
            for seat in (0, 2, 3, None):
                await shown(device, seat)
                assert device.view["seat"] == seat and "You" not in json.dumps(device.update["log"])
            assert await refused(device, "as", seat=1) == "Seat 2 is not yours."
            assert await refused(device, "as", seat=99) == "Seat 100 is not yours."
            assert await refused(device, "act", id="a", seen=device.version, move="7S") == (
                "You have no seat at this table."
            )
        async with table.host() as ann:  # the others are gone with the device
            await ann.until(lambda update: not any(update["table"]["seats"][n]["here"] for n in (2, 3)))
            assert ann.update["table"]["also"] == [0]
            assert await refused(ann, "as", seat=2) == "Seat 3 is not yours."


async def test_a_whole_sitting_on_one_device_passed_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that does not wait, and a device that is faster than fingers."""
    monkeypatch.setitem(PACES, "quick", Tempo(0.0, PACES["quick"].go, 0.0))
    async with site(limits=Limits(messages=10_000, told=10**9)) as place:
        _, device = await passed_round(place.url, rules={"deals": 2}, pace="quick")
        async with device:
            for turn in range(10_000):
                if device.update["table"]["state"] == "over":
                    break
                waiting = device.update["table"]["waiting"]
                seats = [seat for seat in (waiting or {}).get("for", ()) if seat != 1]
                if waiting and waiting["what"] == "go":
                    await device.say("go", seen=device.version)  # for all of them, as nobody in particular
                    await device.until(lambda update: update["view"]["phase"] != "shuffle")
                elif seats:
                    seat = seats[0]
                    await shown(device, seat)
                    await device.act(id=str(turn))
                    await shown(device, None)
                else:
                    await device.hear("update")
            await device.say("again")  # from the host's seat
            await device.until(lambda update: update["table"]["state"] == "playing")


async def test_B051_further_tokens_that_are_wrong_are_nobodys() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"])
        async with (
            table.host(also=["wrong", "", "x" * 64]) as ann,
            table.guest("wrong", also=["bad"]) as thief,
        ):
            assert ann.update["table"]["also"] == [0]
            assert (thief.update["table"]["me"], thief.update["table"]["also"]) == (None, [])
            assert await refused(thief, "as", seat=0) == "Seat 1 is not yours."


async def test_in_the_lobby_a_device_may_take_further_seats() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"])
        async with table.host() as device:
            assert (await device.sit("Bo"))["message"] == "You have a seat at this table."
            await device.say("as", seat=None)
            assert (await device.sit("Bo"))["seat"] == 1
            assert device.update["table"]["also"] == [0, 1] and device.update["table"]["me"] == 1
            await device.say("as", seat=None)
            await device.sit("Cy")
            await device.say("as", seat=None)
            await device.say("start")
            await device.until(lambda update: update["table"]["state"] == "playing")


async def test_a_screen_opens_a_table_and_the_first_who_sits_is_host() -> None:
    async with site() as place, asking(place.url) as client:
        body = {"game": "fear", "players": 3, "seats": ["open"] * 3}
        answer = await client.post("/api/tables", json=body)
        assert answer.status_code == 201
        assert (answer.json()["seat"], answer.json()["token"], answer.json()["seats"]) == (None, None, [])
        table = Opened(place.url, **answer.json())
        async with table.guest() as screen, table.guest() as ann, table.guest() as bo:
            await ann.sit("Ann")
            await bo.sit("Bo")
            await screen.until(lambda update: update["table"]["seats"][1]["name"] == "Bo")
            assert screen.update["table"]["host"] == 0
            await ann.say("bot", seat=2, level="random")
            await screen.until(lambda update: update["table"]["seats"][2]["kind"] == "bot")
            await ann.say("start")
            await screen.until(lambda update: update["table"]["state"] == "playing")
        for names in ([], ["Ann", "Bo", "Cy"], ["Ann", "ann"], ["Ann", ""], None):
            answer = await client.post(
                "/api/tables", json=body | {"seats": ["person"] * 2 + ["open"], "names": names}
            )
            assert answer.status_code == 400 and answer.json()["message"].endswith(".")


# The host.


async def test_B129_one_is_let_go_by_seat_and_does_not_come_back_before_the_end() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"], pace="normal")
        [ann, bo, cy] = await table.company(3)
        await together([ann, bo, cy])
        assert await refused(bo, "remove", seat=2) == "Only the host may do that."
        await ann.say("remove", seat=2)
        await cy.until(lambda update: update["table"]["me"] is None)
        assert cy.view["hand"] == [] and cy.update["table"]["former"] is None
        assert (await cy.sit("Cy", 2))["type"] == "refused"
        await cy.back()
        assert cy.update["table"]["me"] is None and cy.view["hand"] == []
        await ann.until(lambda update: update["table"]["seats"][2]["kind"] == "bot")
        assert ann.update["table"]["seats"][2]["stand_in"]
        await ann.say("host", seat=1)
        await bo.until(lambda update: update["table"]["host"] == 1)
        await bo.say("pause", on=True)
        await ann.until(lambda update: update["table"]["paused"])
        assert ann.update["table"]["waiting"]["until"] is None
        move = {"id": "a", "seen": ann.version, "move": "pass"}
        assert await refused(ann, "act", **move) == "The table is paused."
        for player in (ann, bo, cy):
            await player.go()


async def test_B121_the_clock_is_shown_with_its_whole_length() -> None:
    now = [1000.0]
    async with site(clock=lambda: now[0]) as place:
        table = await opened(place.url, "fan-tan", ["open", "open"], pace="once", clock=30)
        company = await table.company(3)
        await together(company)
        assert company[0].update["table"]["waiting"]["until"] == 30_000
        now[0] += 10
        await company[0].say("lang", value="fr")
        await company[0].until(lambda update: "log" in update)
        waiting = company[0].update["table"]["waiting"]
        assert (waiting["until"], waiting["of"]) == (20_000, 30_000) and company[0].update["table"][
            "clock"
        ] == 30
        assert await refused(company[0], "clock", value=31) == (
            "31 n’est pas au choix\u00a0: 0, 15, 30, 60, 90, 180."
        )
        await company[0].say("clock", value=0)
        await company[1].until(lambda update: update["table"]["clock"] == 0)
        assert (
            company[1].update["table"]["waiting"]["until"]
            is company[1].update["table"]["waiting"]["of"]
            is None
        )
        for player in company:
            await player.go()


# Watching.


async def test_a_screen_that_all_share_is_no_onlooker_but_takes_the_room_of_one() -> None:
    """It is told of as what it is, so that nobody watches unseen by saying that he is one."""
    with soon(0.05):
        async with site(limits=Limits(onlookers=2)) as place, AsyncExitStack() as stack:
            table = await opened(place.url, "fan-tan")
            ann = await stack.enter_async_context(table.host())

            async def shared() -> Player:
                screen = await table.guest().open()
                await screen.say("hello", token=None, lang="en", screen=True)
                return screen

            for _ in range(2):
                await (await shared()).hear("update")
            await ann.until(lambda update: update["table"]["screens"] == 2)
            assert ann.update["table"]["watching"] == 0
            assert (await (await shared()).hear("bye"))["message"] == refusal("en", HURRIED)


async def test_B157_who_watches_is_counted_and_alarms_nobody() -> None:
    with soon(0.05):
        async with site() as place, AsyncExitStack() as stack:
            table = await opened(place.url, "fan-tan", ["open", "open"])
            company = await table.company(3)
            await together(company)
            version, sent = company[0].version, len(company[0].frames)
            for _ in range(50):
                await stack.enter_async_context(table.guest())
            await company[0].until(lambda update: update["table"]["watching"] == 50)
            await stack.aclose()
            await company[0].until(lambda update: update["table"]["watching"] == 0)
            told = [json.loads(frame) for frame in company[0].frames[sent:]]
            assert len(told) < 30 and {update["version"] for update in told} == {version}
            assert all(update["events"] == [] and "chat" not in update for update in told)
            for player in company:
                await player.go()


async def test_B155_where_nobody_may_watch_a_sitting_is_for_those_who_sit() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"], onlookers=False)
        company = await table.company(3)  # in the lobby they came to sit
        await together(company)
        stranger = await table.guest(lang="fr").open()
        await stranger.say("hello", token="wrong", lang="fr")
        assert (await stranger.hear("bye"))["message"] == refusal("fr", UNWATCHED)
        await stranger.closed()
        assert [json.loads(frame)["type"] for frame in stranger.frames] == ["bye"]
        await company[1].say("leave")
        await company[1].until(lambda update: update["table"]["former"] == 1)
        await company[1].back()  # who left may come back, and so is let in
        assert (await company[1].sit("Bo"))["seat"] == 1
        async with table.guest(also=[company[0].token or ""]) as screen:  # a screen of the host's
            assert screen.update["table"]["me"] is None
        await company[0].say("remove", seat=2)
        assert (await company[2].hear("bye"))["code"] == "closed"
        await company[2].closed()
        for player in company[:2]:
            await player.go()


async def test_onlookers_are_sent_away_when_the_host_says_so() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"])
        company = await table.company(3)
        watcher = await table.guest().come()
        await company[0].say("onlookers", on=False)
        assert (await watcher.hear("bye"))["code"] == "closed"
        await watcher.closed()
        await company[1].until(lambda update: update["table"]["onlookers"] is False)
        assert company[1].update["table"]["watching"] == 0
        await company[0].say("onlookers", on=True)
        await company[1].until(lambda update: update["table"]["onlookers"])
        async with table.guest():
            pass
        for player in company:
            await player.go()


# The chat.


async def test_what_is_said_reaches_everybody_once_and_is_there_after_a_reload() -> None:
    async with site() as place:
        table = await opened(place.url, "fear", ["open"], pace="normal")
        [ann, bo] = await table.company(2)
        async with table.guest() as eve:
            await ann.say("say", text="<b>hello</b>\u202e  all")
            await bo.say("react", what="heart")
            lines: list[Any] = []
            while len(lines) < 2:
                await eve.hear("update")
                lines += eve.update.get("chat", [])
            assert sorted(lines, key=lambda line: line["seat"]) == [
                {"n": lines[0]["n"], "seat": 0, "name": "Ann", "text": "<b>hello</b> all"},
                {"n": lines[1]["n"], "seat": 1, "name": "Bo", "react": "heart"},
            ]
            assert await refused(eve, "say", text="boo") == "You have no seat at this table."
            await eve.back()
            assert eve.update["chat"] == lines
            await ann.say("mute", on=True)
            await bo.until(lambda update: update["table"]["muted"])
            assert "turned off the chat" in await refused(bo, "say", text="why?")
            assert "turned off the chat" in await refused(ann, "react", what="clap")
        for player in (ann, bo):
            await player.go()


async def test_B139_a_flood_of_talk_is_slowed_for_all_sockets_of_a_person() -> None:
    now = [0.0]
    limits = Limits(messages=1000)
    async with site(clock=lambda: now[0], limits=limits) as place:
        table = await opened(place.url, "fear", ["open"])
        async with table.host() as ann, table.host() as tab, table.guest() as bo:
            await bo.sit("Bo")
            for n in range(limits.lines):
                await (tab if n % 2 else ann).say("say", text=str(n))
            while ann.update.get("chat", [{}])[-1].get("n") != limits.lines:
                await ann.hear("update")
            assert await refused(tab, "say", text="more") == "Too much was asked at once: wait a little."
            assert await refused(ann, "react", what="clap") == "Too much was asked at once: wait a little."
            await bo.say("say", text="Bo may")
            await heard(ann, "Bo may")
            now[0] += 2
            await ann.say("say", text="x" * 3000)
            assert (await ann.hear("refused"))["message"] == "A line of chat has at most 200 letters."
            for n in range(PAST):
                now[0] += 2
                await ann.say("say", text=str(n))
                await heard(ann, str(n))
            await bo.back()
            assert [line["text"] for line in bo.update["chat"]] == [str(n) for n in range(PAST)]


# Coming late.


async def test_B057_the_host_begins_while_one_is_cut_off() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "steady"])
        async with table.host() as ann, table.guest() as bo:
            await bo.sit("Bo")
            await bo.go()
            await ann.say("start")
            await ann.until(lambda update: update["table"]["state"] == "playing")
            await bo.come()
            assert bo.update["table"]["state"] == "playing" and bo.update["table"]["me"] == 1
            assert bo.view["seat"] == 1 and bo.update["log"] is not None


async def test_B149_a_table_that_is_full_begun_or_gone_says_so() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "steady"])
        async with table.host() as ann, table.guest() as eve:
            await ann.say("bot", seat=1, level="steady")
            full = (await eve.sit("Eve"))["message"]
            await ann.say("start")
            await eve.until(lambda update: update["table"]["state"] == "playing")
            begun = (await eve.sit("Eve"))["message"]
        lost = await Opened(place.url, "2345678923").guest().open()
        await lost.say("hello", token=None, lang="en")
        gone = (await lost.hear("bye"))["message"]
        await lost.closed()
        async with asking(place.url) as client:
            unknown = (await client.get("/api/codes/222222")).json()["message"]
        assert [full, begun, gone, unknown] == [
            "No seat is free at this table.",
            "The sitting has begun: you may watch, and sit down when it is over.",
            "There is no such table: it may have been deleted.",
            "No table has this code: look at it again.",
        ]


# Anything.


@pytest.mark.parametrize("seed", range(6))
async def test_B085_whatever_is_asked_a_socket_sees_no_seat_but_its_own(seed: int) -> None:
    """Devices of several seats, of none, of wrong secrets, and all they may say, in any order."""
    dice = random.Random(seed)
    store = Store(None)
    store.open()
    hall = Hall(store, Limits(lines=1000, tables=1000), clock=lambda: 1000.0, dice=dice)
    site = Site(hall, ASSETS, Guard())
    tokens = [f"token {seat}" for seat in range(4)]
    game = cagnotte.game(dice.choice(("fan-tan", "fear")), 4)
    persons = [(name, hashed(token)) for name, token in zip(("Ann", "Bo", "Cy", "Di"), tokens, strict=True)]
    room = await hall.open(*Table.open(game, ["person"] * 4, persons, pace="once"))
    known = [tokens[:2], tokens[1:3], tokens[3:], [], ["wrong"]]
    lines = [Line("en", dice.choice([None, *own]), own) for own in known]
    seen = {line: {*own} for line, own in zip(lines, known, strict=True)}
    gone: set[Line] = set()
    for line in lines:
        await room.join(line)
    for step in range(250):
        line, seat, on = (
            dice.choice([line for line in lines if not line.closed]),
            dice.randrange(5),
            dice.random() < 0.5,
        )
        moves = [str(move) for move in game.legal(room.table.play)] or ["pass"]
        message = dice.choice(
            [
                {"type": "as", "seat": dice.choice((None, seat))},
                {"type": "act", "id": str(step), "seen": room.table.version, "move": dice.choice(moves)},
                {"type": "sit", "name": f"Eve {step}", "seat": seat},
                {"type": dice.choice(("remove", "host")), "seat": seat},
                {"type": dice.choice(("pause", "onlookers", "mute", "listed")), "on": on},
                {"type": dice.choice(("leave", "again", "hint", "beside", "start"))},
                {"type": "say", "text": "hello"},
                {"type": "go", "seen": room.table.version},
            ]
        )
        await hear(room, line, wire.read(json.dumps(message)), site.opened)
        await room.tick()
        for each in lines:
            for told in taken(each):
                assert told["type"] == "end" if each in gone else not each.closed or told["type"] == "bye"
                if told["type"] == "bye":
                    gone.add(each)
                elif told["type"] == "seated":
                    seen[each].add(told["token"])
                elif told["type"] == "update":
                    own = {room.table.seat_of(hashed(token)) for token in seen[each]} - {None}
                    around, view = told["table"], told["view"]
                    assert set(around["also"]) == own and around["me"] in {None, *own}
                    assert view["seat"] == around["me"] and (around["me"] is not None or not view["moves"])
                    assert around["me"] is not None or not view.get("hand")
    assert hall.rooms[room.id].sound
    assert Table.restore(await store.read(room.id)) == room.table
    hall.close()
    store.close()


# Hints.


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
async def test_a_hint_is_for_whoever_is_to_act(game: str) -> None:
    async with site() as place:
        table = await opened(place.url, game, ["open", "open"], pace="normal")
        company = await table.company(3)
        actor = await together(company)
        while actor.view["phase"] == "cut":
            await actor.act()
            actor = await together(company)
        await actor.say("hint")
        hint = await actor.hear("hint", "refused")
        assert hint["type"] == "hint" and hint["say"] and hint["version"] == actor.version
        assert hint["move"] in (actor.view["moves"] if game == "fan-tan" else [None])
        other = next(player for player in company if player is not actor)
        assert await refused(other, "hint") == "It is not your turn."
        async with table.guest() as eve:
            assert await refused(eve, "hint") == "It is not your turn."
        for player in company:
            await player.go()


# Beside.


async def test_those_who_are_out_of_fear_go_on_at_a_table_beside_it() -> None:
    dice = random.Random(3)
    async with site(dice=dice) as place:
        table = await opened(place.url, "fear", ["open"] * 3, rules={"stake": 1}, pace="normal")
        company = await table.company(4)
        actor = await together(company)
        assert "out of a game of Fear" in await refused(actor, "beside")
        while 0 not in company[0].view["stacks"]:
            await actor.act(dice.choice(actor.view["moves"] or [actor.choice]))
            actor = await together(company)
        out = company[company[0].view["stacks"].index(0)]
        tab = await table.guest(out.token).come()
        answers = []
        for socket in (out, tab):
            await socket.say("beside")
            answers.append(await socket.hear("opened", "refused"))
        answers.sort(key=lambda answer: str(answer["type"]))
        assert [answer["type"] for answer in answers] == ["opened", "refused"]
        assert answers[1]["message"] == "A table is open beside this one: sit down there."
        new = answers[0]
        await company[0].until(lambda update: bool(update["table"]["beside"]))
        assert company[0].update["table"]["beside"] == {
            "table": new["table"],
            "by": out.update["table"]["me"],
        }
        beside = Opened(place.url, new["table"], new["code"], new["seat"], new["token"])
        async with beside.host() as host, beside.guest() as friend:
            assert host.update["table"]["host"] == 0 and host.update["table"]["rules"] == {"stake": 1}
            await friend.sit("Eve")
            await host.say("fill", level="steady")
            await friend.until(lambda update: update["table"]["state"] == "playing")
        await out.say("beside")  # that one has begun: there may be another
        assert (await out.hear("opened", "refused"))["type"] == "opened"
        for player in [*company, tab]:
            await player.go()


def fear_of_three() -> tuple[Table, list[Any]]:
    """A game of Fear at one device, whose tokens are a, b and c."""
    persons = [("Ann", hashed("a")), ("Bo", hashed("b")), ("Cy", hashed("c"))]
    return Table.open(cagnotte.game("fear", 3, stake=1), ["person"] * 3, persons, pace="once")


async def test_a_table_beside_that_is_gone_or_could_not_be_stored_stands_in_nobodys_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Store(None)
    store.open()
    hall = Hall(store, dice=random.Random(1))
    site = Site(hall, ASSETS, Guard())
    room = await hall.open(*fear_of_three())
    line = Line("en", None, ["a", "b", "c"])
    await room.join(line)
    await room.tick()
    while 0 not in (stacks := room.table.game.bank(room.table.play).stacks):
        for move in room.table.game.legal(room.table.play)[:1]:
            await room.turn(line, room.table.game.actor(room.table.play))
            text = json.dumps(
                {"type": "act", "id": str(room.table.version), "seen": room.table.version, "move": str(move)}
            )
            await hear(room, line, wire.read(text), site.opened)
        await room.tick()
    await room.turn(line, stacks.index(0))

    def answers() -> list[Any]:
        told = [each for each in taken(line) if each["type"] in ("opened", "refused")]
        return [each.get("table") or each["message"] for each in told]

    answers()
    await room.beside(line)
    [beside] = answers()
    await hall.store.expire(-1e9, -1e9, [room.id])
    del hall.rooms[beside]
    with monkeypatch.context() as broken:
        broken.setattr(store, "append", failing)
        await room.beside(line)
    await room.beside(line)
    said = answers()
    assert said[0] == "This could not be stored: try again." and len(said) == 2
    assert room.table.beside and room.table.beside.table == said[1] != beside
    hall.close()
    store.close()


async def failing(*_: Any) -> None:
    raise Unstored("the disk is full")


async def test_after_a_fault_all_who_are_at_a_device_are_there_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(None)
    store.open()
    hall = Hall(store)
    room = await hall.open(*fear_of_three())
    line = Line("en", None, ["a", "b", "c"])
    await room.join(line)
    with monkeypatch.context() as broken:
        broken.setattr(store, "append", failing)
        await room.tick()
    assert room.table.there.present == {0, 1, 2} and room.sound
    hall.close()
    store.close()


async def test_B147_tables_beside_count_as_tables_of_their_address() -> None:
    async with site(limits=Limits(tables=1, tables_per_second=0.0)) as place:
        table = await opened(place.url, "fear", ["open"])
        async with table.host() as ann:
            assert await refused(ann, "beside") == "Too much was asked at once: wait a little."


async def test_B071_one_seat_by_a_bot_and_a_person_at_once_is_taken_once() -> None:
    async with site() as place, AsyncExitStack() as stack:
        table = await opened(place.url, "fan-tan", ["open", "steady"])
        ann = await stack.enter_async_context(table.host())
        crowd = [await stack.enter_async_context(table.guest()) for _ in range(5)]
        await asyncio.gather(
            *(guest.say("sit", name=f"Guest {i}") for i, guest in enumerate(crowd)),
            *(ann.say("bot", seat=1, level="random") for _ in range(5)),
        )
        answers = [(await guest.hear("seated", "refused"))["type"] for guest in crowd]
        await ann.until(lambda update: update["table"]["seats"][1]["kind"] != "open")
        bot = ann.update["table"]["seats"][1]["kind"] == "bot"
        assert answers.count("seated") == (0 if bot else 1)
