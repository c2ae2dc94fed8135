"""What a socket is sent tells nothing that its viewer may not know."""

import json
import random
import re
from typing import Any

import pytest
from sockets import opened, site, together

from cagnotte.cards import PACK, Card
from cagnotte.core import Shuffled
from cagnotte.entries import Entry
from cagnotte.fantan_terms import Dealt, Laid, Shown
from cagnotte.table import Table

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


CARD = re.compile(r"\b([A2-9TJQK][SHDC])\b")
LABEL = re.compile(r"(10|[A2-9JQKVDR])([♠♥♦♣])")
RANKS = {"10": "T", "V": "J", "D": "Q", "R": "K"}


def cards_in(frame: str) -> set[str]:
    """The cards that a frame names, in notation or in the words of either language."""
    said = {RANKS.get(rank, rank) + "SHDC"["♠♥♦♣".index(suit)] for rank, suit in LABEL.findall(frame)}
    return said | set(CARD.findall(frame))


@pytest.mark.slow
@pytest.mark.parametrize("passing", ["forbidden", "honour"])
async def test_B083_no_byte_tells_of_a_card_before_it_is_seen(passing: str) -> None:
    """B091: the socket of each seat and of an onlooker, through a whole sitting with reconnects."""
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open"] * 2, rules={"deals": 2, "passing": passing})
        company = await table.company(3)
        viewers = [*company, await table.guest(lang="fr").come()]
        await company[2].say("lang", value="fr")
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
    secrets, stacked = random.Random(2), Stacked(one, other)
    async with site(clock=lambda: 1000.0, dice=secrets, throw=lambda _: stacked) as place:
        table = await opened(place.url, game, ["open"] * 3, pace="normal")
        company = await table.company(4)
        await together(company)  # so that the onlooker comes to the same moment each time
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
            [
                frame.replace(table.table, "TABLE").replace(table.code, "CODE")
                for frame in viewer.frames
                if '"seated"' not in frame
            ]
            for viewer in viewers
        ]


def views(frames: list[str]) -> list[dict[str, Any]]:
    return [view for frame in frames if (view := json.loads(frame).get("view"))]


@pytest.fixture
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No update comes by the clock alone."""
    monkeypatch.setattr("cagnotte.server.rooms.SOON", 1e6)


@pytest.mark.usefixtures("uncounted")
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


@pytest.mark.usefixtures("uncounted")
async def test_an_exchange_of_two_face_down_cards_changes_no_byte_that_anybody_is_sent() -> None:
    """B087."""
    moves: list[str] = []
    frames = await frames_of("fear", moves)
    known = {*views(frames[4])[-1]["places"], *(move.removeprefix("fear ") for move in moves)}
    one, other, *_ = [card for card in PACK if str(card) not in known]
    assert await frames_of("fear", moves, one, other) == frames


def test_every_card_is_found_by_the_pattern_that_looks_for_leaks() -> None:
    for card in PACK:
        assert cards_in(f'["{card}"]') == {str(card)} == cards_in(f"Bo lays the {card.label()}.")
        assert cards_in(f"Bo pose {card.label('fr')}.") == {str(card)}
