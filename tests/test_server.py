"""The site over real sockets: seats, reconnects, secrets, limits, nonsense, and a process that is killed."""

import asyncio
import json
import random
import re
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
from sockets import ASSETS, Opened, Player, asking, opened, site, together
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cagnotte.cards import PACK, Card
from cagnotte.core import Shuffled
from cagnotte.fantan_terms import Dealt, Laid, Shown
from cagnotte.games import GAMES
from cagnotte.locale import refusal
from cagnotte.server.app import GONE, HURRIED
from cagnotte.server.limits import Buckets, Limits
from cagnotte.server.pages import Assets, Guard, Missing
from cagnotte.server.rooms import BACKLOG, CODE, LETTERS, Line
from cagnotte.table import Table
from cagnotte.table_terms import PACES, Entry, Tempo

pytestmark = pytest.mark.anyio


PROGRAM = Path(sys.executable).with_name("cagnotte")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once is at once here."""
    monkeypatch.setitem(PACES, "once", Tempo(0.0, 0.05, 45))


# A sitting.


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


# Secrets.

CARD = re.compile(r'"([A2-9TJQK][SHDC])"')
LABEL = re.compile(r"(10|[A2-9JQKVDR])([♠♥♦♣])")


def cards_in(frame: str) -> set[str]:
    """The cards that a frame names, in notation or in words."""
    said = {
        ("T" if rank == "10" else rank) + "SHDC"["♠♥♦♣".index(suit)] for rank, suit in LABEL.findall(frame)
    }
    return said | set(CARD.findall(frame)) | set(re.findall(r"\b([A2-9TJQK][SHDC])\b", frame))


@pytest.mark.parametrize("passing", ["forbidden", "honour"])
async def test_B083_no_byte_tells_of_a_card_before_it_is_seen(passing: str) -> None:
    """B091: the socket of each seat and of an onlooker, through a whole sitting with reconnects."""
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open"] * 2, rules={"deals": 2, "passing": passing})
        company = await table.company(3)
        viewers = [*company, await table.guest().come()]
        dice = random.Random(5)
        for move in range(10_000):
            if company[0].view["over"]:
                break
            if company[0].view["phase"] == "shuffle":
                await company[0].hear("update")
                continue
            actor = await together(company)
            await actor.act(dice.choice(actor.view["moves"] or [actor.choice]))
            for viewer in viewers:
                await viewer.reach(actor.version)
            if move % 7 == 0:
                await viewers[move % 4].back()
        for viewer in viewers:
            await viewer.go()
        entries = await place.hall.store.read(table.table)
    stages = what_may_be_known(entries)
    for viewer in viewers:
        seat = viewer.update["table"]["me"]
        for frame in viewer.frames:
            message = json.loads(frame)
            if message["type"] == "update" and message["view"] and '"drew"' not in frame:
                hands, public = stages[message["version"]]
                known = public | (hands[seat] if seat is not None and hands else set())
                assert cards_in(frame) <= known, (seat, cards_in(frame) - known)


def what_may_be_known(entries: list[Entry]) -> dict[int, tuple[list[set[str]], set[str]]]:
    """By version: the hands as they were dealt, and the cards that all have seen, in the present deal."""
    table = Table.restore(entries[:1])
    starts = {"7S", "7H", "7D", "7C"}
    hands: list[set[str]] = []
    public = starts
    stages = {}
    for entry in entries[1:]:
        before = len(table.events)
        table._enter(0.0, entry)
        for event in table.events[before:]:
            match event:
                case Shuffled():
                    hands, public = [], starts
                case Dealt(dealt, _):
                    hands = [{str(card) for card in hand} for hand in dealt]
                case Laid(_, card):
                    public = public | {str(card)}
                case Shown(left):
                    public = public | {str(card) for hand in left for card in hand}
        stages[table.version] = hands, public
    return stages


class Stacked(random.Random):
    """Dice that shuffle as usual, but for two cards that they exchange."""

    def __init__(self, one: Card, other: Card) -> None:
        super().__init__(3)
        self.exchanged = {one: other, other: one}

    def sample(self, population: Any, k: int, *, counts: Any = None) -> Any:
        drawn = super().sample(population, k, counts=counts)
        return [self.exchanged.get(card, card) for card in drawn]


async def frames_of(
    game: str, moves: list[str], one: Card = PACK[0], other: Card = PACK[0]
) -> list[list[str]]:
    """What each of four seats and an onlooker were sent through these moves.

    Moves that are not told are chosen, and added.
    """
    async with site(clock=lambda: 1000.0, dice=Stacked(one, other)) as place:
        table = await opened(place.url, game, ["open"] * 3, pace="normal")
        company = await table.company(4)
        viewers = [*company, await table.guest().come()]
        dice = random.Random(1)
        for turn in range(14):
            actor = await together(company)
            if turn == len(moves):
                moves.append(dice.choice(actor.view["moves"] or [actor.choice]))
            assert (await actor.act(moves[turn], id=str(turn)))["type"] == "done"
            for viewer in viewers:
                await viewer.reach(actor.version)
        await viewers[1].back()
        for viewer in viewers:
            await viewer.go()
        return [
            [frame.replace(table.table, "TABLE") for frame in viewer.frames if '"seated"' not in frame]
            for viewer in viewers
        ]


def views(frames: list[str]) -> list[dict[str, Any]]:
    return [view for frame in frames if (view := json.loads(frame).get("view"))]


async def test_an_exchange_in_hands_that_a_viewer_does_not_see_changes_no_byte_that_he_is_sent() -> None:
    """B083, B091: two cards that could not be laid yet, in two others' hands."""
    moves: list[str] = []
    frames = await frames_of("fan-tan", moves)
    offered = {move for sent in frames for view in views(sent) for move in view["moves"]}
    one, other = (
        next(card for card in views(frames[seat])[-1]["hand"] if card not in offered) for seat in (1, 3)
    )
    exchanged = await frames_of("fan-tan", moves, Card.parse(one), Card.parse(other))
    assert [seen != before for seen, before in zip(exchanged, frames, strict=True)] == [0, 1, 0, 1, 0]


async def test_an_exchange_of_two_face_down_cards_changes_no_byte_that_anybody_is_sent() -> None:
    """B087."""
    moves: list[str] = []
    frames = await frames_of("fear", moves)
    known = {*views(frames[4])[-1]["places"], *(move.removeprefix("fear ") for move in moves)}
    one, other, *_ = [card for card in PACK if str(card) not in known]
    assert await frames_of("fear", moves, one, other) == frames


# The door.


async def test_B267_only_our_own_page_may_connect() -> None:
    guard = Guard(["https://cards.example"])
    async with site(guard=guard) as place:
        table = await opened(place.url)
        own, bad = (
            place.url,
            ["http://evil.test", "null", place.url.replace("http", "https"), place.url + "0"],
        )
        bad += ["http://127.0.0.1", "http://localhost" + place.url[16:], place.url + "/"]
        async with asking(place.url) as client:
            for origin in bad:
                with pytest.raises(InvalidStatus) as refused:
                    await table.host(headers={"Origin": origin}).come()
                assert refused.value.response.status_code == 403
                body = {"game": "fear", "name": "Ann"}
                answer = await client.post("/api/tables", json=body, headers={"Origin": origin})
                assert answer.status_code == 403 and answer.json()["message"]
            for origin in (own, "https://cards.example"):
                async with table.host(headers={"Origin": origin}) as ann:
                    assert ann.update["table"]["me"] == 0
                answer = await client.post("/api/tables", json=body, headers={"Origin": origin})
                assert answer.status_code == 201


async def test_B211_a_proxy_is_believed_only_where_one_is() -> None:
    theirs = {
        "X-Forwarded-Host": "cards.example",
        "X-Forwarded-Proto": "https",
        "Origin": "https://cards.example",
    }
    async with site(guard=Guard(proxy=True)) as place, site() as other:
        async with (await opened(place.url)).host(headers=theirs):
            pass
        with pytest.raises(InvalidStatus):
            await (await opened(other.url)).host(headers=theirs).come()
        limits = place.hall.limits
        async with asking(place.url) as client:
            for address in ("192.0.2.1", "198.51.100.7, 192.0.2.2"):
                answer = await client.post(
                    "/api/tables", json={"game": "fear", "name": "Ann"}, headers={"X-Forwarded-For": address}
                )
                assert answer.status_code == 201
    assert limits.tables == 100


async def test_B147_an_address_opens_only_so_many_tables() -> None:
    async with site(limits=Limits(tables=3, tables_per_second=0.0)) as place, asking(place.url) as client:
        body = {"game": "fear", "name": "Ann", "lang": "fr"}
        codes = [(await client.post("/api/tables", json=body)).status_code for _ in range(5)]
        assert codes == [201, 201, 201, 429, 429]
        answer = await client.post("/api/tables", json=body)
        assert answer.json() == {"clause": None, "message": refusal("fr", HURRIED)}
    now = [0.0]
    buckets = Buckets(2, 1.0, lambda: now[0])
    assert [buckets.take("a") for _ in range(3)] == [True, True, False] and buckets.take("b")
    now[0] = 1.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    for i in range(3000):
        now[0] += 0.01
        buckets.take(str(i))
    assert len(buckets._buckets) < 1500


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "whist"},
        {"game": "fear", "players": 99},
        {"game": "fear", "rules": {"stake": 0}},
        {"game": "fear", "rules": {"chips": 20}},
        {"game": "fear", "seats": ["person"]},
        {"game": "fear", "players": 2, "seats": ["person", "os:system"]},
        {"game": "fear", "players": 2, "seats": ["person", "__class__"]},
        {"game": "fear", "players": 2, "seats": ["person", "person"]},
        {"game": "fear", "name": ""},
        {"game": "fear", "name": "\u202e"},
        {"game": "fear", "name": None},
        {"game": "fear", "pace": "warp"},
        {"game": None},
        {},
        [],
        "fear",
        None,
        {"game": "fear", "rules": {"stake": 10**30}},
        {"game": "fear", "name": "x" * 5000},
        {"game": "fear", "seats": ["person"] * 1000},
    ],
)
async def test_a_table_that_cannot_be_is_refused_in_a_sentence(wrong: Any) -> None:
    async with site() as place, asking(place.url) as client:
        body = {"name": "Ann", **wrong} if isinstance(wrong, dict) else wrong
        answer = await client.post("/api/tables", json=body)
        assert answer.status_code == 400 and answer.json()["message"].endswith(".")
        for noise in (b"\xff\xfe", b"[" * 4000, b'{"game":"fear","name":NaN}', b"x" * 10**6, b""):
            answer = await client.post("/api/tables", content=noise)
            assert answer.status_code == 400 and answer.json()["message"]


NONSENSE = [
    "",
    "null",
    "[]",
    "{}",
    "7",
    '"act"',
    "NaN",
    '{"type":null}',
    '{"type":7}',
    '{"type":[]}',
    '{"type":"error"}',
    '{"type":"disconnect"}',
    '{"type":"__proto__"}',
    '{"type":"__class__"}',
    '{"type":"update"}',
    '{"type":"tick"}',
    '{"type":"act"}',
    '{"type":"act","id":null,"seen":1,"move":"7S"}',
    '{"type":"act","id":"a","seen":NaN,"move":"7S"}',
    '{"type":"act","id":"a","seen":1e999,"move":"7S"}',
    '{"type":"act","id":"a","seen":-1,"move":"7S"}',
    '{"type":"act","id":"a","seen":' + "9" * 400 + ',"move":"7S"}',
    '{"type":"act","id":"a","seen":true,"move":"7S"}',
    '{"type":"act","id":"a","seen":1,"move":null}',
    '{"type":"act","id":"a","seen":1,"move":["7S"]}',
    '{"type":"act","id":"a","seen":1,"move":{"card":"7S"}}',
    '{"type":"act","id":"","seen":1,"move":"7S"}',
    '{"type":"act","id":"' + "a" * 65 + '","seen":1,"move":"7S"}',
    '{"type":"act","id":"a","seen":1,"move":"' + "7" * 33 + '"}',
    '{"type":"sit","name":7}',
    '{"type":"sit","name":"Bo","seat":-1}',
    '{"type":"sit","name":"Bo","seat":1.5}',
    '{"type":"remove","seat":99999999999999999999}',
    '{"type":"fill"}',
    '{"type":"lang","value":"de"}',
    '{"type":"hello","token":null,"lang":"en"}',
    '{"type":"go","seen":"1"}',
    "[" * 4000,
    '{"a":' * 600 + "1" + "}" * 600,
    '{"type":"ping","more":' + "[" * 1900 + "]" * 1900 + "}",
    "\x00",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
]


async def test_B271_nonsense_is_answered_and_the_table_lives_on() -> None:
    limits = Limits(messages=1000)
    async with site(limits=limits) as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        async with table.host() as ann:
            await ann.play(2)
            before = ann.view
            for text in NONSENSE:
                await ann.send(text)
                answer = await ann.hear("refused", "pong")
                assert answer["type"] == "pong" or answer["message"]
            for move in (
                "",
                " ",
                "7S ",
                "shuffle",
                "draw 0 JS",
                "dealer 1",
                "cut ٣",
                "turn 99",
                "fear",
                "\x00",
                "💥",
            ):
                assert (await ann.act(move or "  "))["type"] == "refused"
            for data in (b"", b'{"type":"ping"}', b"\xff" * 100):
                await ann.send(data)
                await ann.hear("refused")
            assert (ann.view["hand"], ann.view["stacks"]) == (before["hand"], before["stacks"])
            await ann.play(2)
        for text in NONSENSE[:-1]:
            guest = await table.guest().open()
            await guest.send(text)
            if "hello" not in text:
                assert (await guest.hear("refused"))["message"] == "This message was not understood."
            await guest.say("hello", token=None, lang="en")
            await guest.hear("update")
            await guest.go()


async def test_B269_what_is_too_big_or_too_much_closes_its_socket_only() -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["steady"] * 3)
        async with table.host() as ann:
            big = await table.guest().come()
            with pytest.raises(ConnectionClosed):
                await big.send("x" * 10_000_000)
                await big.closed()
            big = await table.guest().come()
            await big.send("x" * 5000)
            assert await big.closed() == 1009
            flood = await table.guest().come()
            for _ in range(200):
                await flood.say("ping")
            await flood.closed()
            assert json.loads(flood.frames[-1])["type"] == "bye" and len(flood.frames) < 70
            await ann.play(2)


async def test_sockets_at_a_table_and_of_an_address_are_counted() -> None:
    limits = Limits(sockets_at_table=3, sockets_of_address=4, hello=0.2)
    async with site(limits=limits) as place, AsyncExitStack() as stack:
        table, other = await opened(place.url), await opened(place.url)
        for _ in range(3):
            await stack.enter_async_context(table.guest())
        full = await table.guest().open()
        await full.say("hello", token=None, lang="fr")
        assert (await full.hear("bye"))["message"] == refusal("fr", HURRIED)
        await full.closed()
        await stack.enter_async_context(other.host())
        fifth = await other.guest().open()
        assert (await fifth.hear("bye"))["code"] == "closed"
        await stack.aclose()
        silent = await table.guest().open()
        began = time.monotonic()
        await silent.closed()
        assert time.monotonic() - began < 5


async def test_B149_a_table_that_is_not_there_is_explained() -> None:
    async with site() as place:
        for id in ("2345678923", "nothing", "2345678923456", "%20", "x" * 1000, "%3Cscript%3E"):
            lost = await Opened(place.url, id, 0, "token").guest(lang="fr").open()
            await lost.say("hello", token="token", lang="fr")
            answer = await lost.hear("bye")
            assert answer["code"] == "gone" and answer["message"] == refusal("fr", GONE)
            await lost.closed()
        async with asking(place.url) as client:
            page = await client.get("/t/<script>alert(1)</script>")
            assert page.status_code == 404 and "script" not in page.text
            page = await client.get("/t/2345678923?<script>alert(1)</script>")
            assert page.text == ASSETS.index  # the page itself explains


async def test_B143_an_id_is_read_in_any_case_and_spells_no_word() -> None:
    """B145."""
    assert not set(LETTERS) & set("aeiouyl01") and len(LETTERS) ** CODE > 2**47
    async with site() as place:
        table = await opened(place.url)
        async with Player(place.url, table.table.upper(), table.token) as ann:
            assert ann.update["table"]["id"] == table.table and len(place.hall.rooms) == 1


async def test_a_reader_who_is_too_slow_is_cut_off() -> None:
    line = Line("en", None)
    for i in range(BACKLOG + 5):
        line.send(str(i))
    sent = [line.out.get_nowait() for _ in range(line.out.qsize())]
    assert sent[:BACKLOG] == [str(i) for i in range(BACKLOG)] and set(sent[BACKLOG:]) == {None}


# Pages.


async def test_pages_and_their_headers() -> None:
    """B215: assets have the version in their address, and only those may be kept for long."""
    async with site() as place, asking(place.url) as client:
        page = await client.get("/")
        assert page.text == (await client.get("/t/2345678923")).text == ASSETS.index
        assert page.headers["cache-control"] == "no-cache" and "{{" not in page.text
        games = (await client.get("/api/games")).json()
        assert games["version"] == ASSETS.version and list(GAMES) == [game["name"] for game in games["games"]]
        links = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
        assert links
        for link in links:
            found = await client.get(link)
            assert found.status_code == 200 and "immutable" in found.headers["cache-control"], link
            if link.endswith(".js"):
                assert found.headers["content-type"].startswith("text/javascript")
        stale = await client.get(links[0].replace(ASSETS.version, "0" * 12))
        assert stale.status_code == 200 and stale.headers["cache-control"] == "no-cache"
        for path in ("/static/x/../app.py", "/static/x/%2e%2e/app.py", "/static/x/..%2fapp.py", "/nowhere"):
            assert (await client.get(path)).status_code == 404
        for answer in (page, stale, await client.get("/nowhere"), await client.get("/api/games")):
            assert "'unsafe" not in answer.headers["content-security-policy"]
            assert answer.headers["content-security-policy"].startswith("default-src 'none'")
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in answer.headers and "server" not in answer.headers
        assert (await client.get("/api/locale/fr")).json()["game.fear"] == "La Peur"
        assert "T9" in (await client.get("/api/rules/fan-tan?lang=fr")).json()["html"]
        for path in ("/api/locale/de", "/api/locale/..%2fen", "/api/rules/whist", "/api/rules/fear?lang=xx"):
            assert (await client.get(path)).status_code == 404
        assert (await client.get("/healthz")).json()["ok"]
        for path in ("/api/tables", "/api/games/x"):
            assert (await client.get(path)).status_code in (404, 405)


def test_B203_a_missing_part_of_the_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(Missing, match=r"index\.html"):
        Assets(tmp_path)


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


async def test_a_fault_of_ours_leaves_the_table_as_it_is_stored(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open", "open"], pace="normal")
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
        assert not CARD.search(caplog.text) and not any(card in caplog.text for card in actor.view["hand"])
        for player in company:
            await player.go()


async def test_a_bot_that_fails_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(view: Any, told: Any, rng: random.Random) -> Any:
        raise RuntimeError("no idea")

    monkeypatch.setattr("cagnotte.server.rooms.bot", lambda level: broken)
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
        place.hall.sweep()
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
    table = {key: value for key, value in update["table"].items() if key not in ("seats", "waiting")}
    return {"view": update["view"], "version": update["version"], "table": table, "log": update.get("log")}


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
    assert bad.table in second.log.read_text("utf-8") and bad.token not in second.log.read_text("utf-8")


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


async def test_it_takes_a_free_port_stops_cleanly_and_starts_fast(serve: Callable[..., Served]) -> None:
    first = serve()
    port = first.url.rpartition(":")[2]
    began = time.monotonic()
    second = serve("--port", port)
    said = second.log.with_suffix(".out").read_text("utf-8")
    assert f"(port {port} is taken)" in said and said.count("\n") == 1 and second.url != first.url
    assert time.monotonic() - began < 10  # well under 2 s on a machine that does nothing else
    table = await opened(second.url, "fear", ["steady"] * 4)
    async with table.host():
        began = time.monotonic()
        assert second.stop() == 0 and time.monotonic() - began < 2
    assert second.log.read_text("utf-8") == ""


def test_B115_a_place_that_cannot_be_written_to_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "tables.db", tmp_path):
        command = [str(PROGRAM), "serve", "--no-browser", "--port", "0", "--database", str(path)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=30)
        assert ended.returncode == 1 and ended.stdout == ""
        assert ended.stderr.count("\n") == 1 and str(path) in ended.stderr


def test_every_card_is_found_by_the_pattern_that_looks_for_leaks() -> None:
    for card in PACK:
        assert cards_in(f'["{card}"]') == {str(card)} == cards_in(f"Bo lays the {card.label()}.")
