"""The bots: they move as the rules allow, know what a person in their seat would know, and play to win."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sittings import FAMILY, Game, games

import cagnotte
from cagnotte import fantan, fear, record
from cagnotte.cards import CARD
from cagnotte.core import CHANCE, Bank, Illegal
from cagnotte.fantan_terms import PASS, Lay
from cagnotte.guests import bot
from cagnotte.players import LEVELS, Bot
from cagnotte.study.match import Match

levels = st.lists(st.sampled_from(sorted(LEVELS)), min_size=1, max_size=5)


def seated(names: Sequence[str], game: Game) -> list[Bot]:
    return [bot(names[seat % len(names)]) for seat in range(game.players)]


# What they may do, and know.


@settings(max_examples=40)
@given(games(), levels, st.integers(0, 2**32))
def test_bots_play_whole_sittings_of_every_game_legally(game: Game, names: list[str], seed: int) -> None:
    names_of_seats = [f"Bo {seat}" for seat in range(game.players)]
    made = record.new(game, names_of_seats, seated(names, game), random.Random(seed))
    assert record.check(made).plain()["over"]
    again = record.new(game, names_of_seats, seated(names, game), random.Random(seed))
    assert again == made  # the same dice, the same sitting


@settings(max_examples=20)
@given(games(FAMILY), levels, st.integers(0, 2**32))
def test_T10_no_level_passes_wrongly(game: Game, names: list[str], seed: int) -> None:
    rng, bots = random.Random(seed), seated(names, game)
    state = game.start()
    while (actor := game.actor(state)) is not None:
        chance = actor == CHANCE
        action = game.draw(state, rng) if chance else bots[actor](game.view(state, actor), (), rng)
        if action == PASS and state.phase == "play":
            assert not any(isinstance(move, Lay) for move in game.legal(state))
        state, _ = cagnotte.play(game, state, action)


@settings(max_examples=30)
@given(games(), st.sampled_from(sorted(LEVELS)), st.integers(0, 2**32))
def test_C4_exchanging_what_is_hidden_changes_no_decision(game: Game, level: str, seed: int) -> None:
    """The bot is asked twice at each turn: as things are, and with the cards it cannot see dealt anew."""
    rng = random.Random(seed)
    told: list[list[Any]] = [[] for _ in range(game.players)]
    state = game.start()
    while (actor := game.actor(state)) is not None and game.dealt(state) < 3:
        if actor == CHANCE:
            action = game.draw(state, rng)
        else:
            dice = rng.getrandbits(32)
            asked = [
                bot(level)(game.view(world, actor), tuple(told[actor]), random.Random(dice))
                for world in (state, dealt_anew(state, actor, rng))
            ]
            assert asked[0] == asked[1]
            action = asked[0]
        state, events = cagnotte.play(game, state, action)
        for seat, heard in enumerate(told):
            heard += [news for event in events if (news := game.redact(event, seat)) is not None]


def dealt_anew(state: Any, seat: int, rng: random.Random) -> Any:
    """The same for this seat, but what it cannot know is another deal, and nobody is guilty of anything."""
    if isinstance(state, fear.State):
        seen = cagnotte.game("fear", 2).view(state, None).places
        down = [place for place, card in enumerate(seen) if card is None]
        cards = list(state.places)
        for place, other in zip(down, rng.sample(down, len(down)), strict=True):
            cards[place] = state.places[other]
        return replace(state, places=tuple(cards), pack=tuple(rng.sample(state.pack, len(state.pack))))
    others = [s for s in range(len(state.hands)) if s != seat]
    unseen = [card for s in others for card in fantan.cards_of(state.hands[s])]
    rng.shuffle(unseen)
    hands = list(state.hands)
    for other in others:
        count = hands[other].bit_count()
        hands[other], unseen = sum(1 << card.index for card in unseen[:count]), unseen[count:]
    pack = tuple(rng.sample(state.pack, len(state.pack)))
    return replace(state, hands=tuple(hands), pack=pack, offences=())


# How steady chooses.


def situation(game: str, hand: str, laid: str = "", phase: str = "play", chips: int = 50) -> Any:
    """What seat 0 sees with this hand at this layout, its first card having been laid first."""
    made: Any = cagnotte.game(game, passing="honour")
    order = [CARD[card] for card in laid.split()]
    bits = [sum(1 << CARD[card].index for card in cards.split()) for cards in (hand, laid)]
    starts = made.rules.opening
    if order and not made.rules.one_suit:
        starts = sum(1 << CARD[str(order[0])[0] + suit].index for suit in "SHDC")
    state = replace(
        made.start(), phase=phase, actor=0, dealer=3, deal=1, playing=(0, 1, 2, 3), order=tuple(order),
        hands=(bits[0], 1, 1, 1), laid=bits[1], starts=starts, bank=Bank((chips, 50, 50, 50)),
    )  # fmt: skip
    return made.view(state, 0)


def choice(game: str, hand: str, laid: str = "", phase: str = "play", level: str = "steady") -> str:
    """What a bot does there."""
    return str(bot(level)(situation(game, hand, laid, phase), (), random.Random(1)))


@pytest.mark.parametrize(
    ("hand", "laid", "chosen"),
    [
        ("8S 8H KH", "7S 7H", "8H"),  # four cards of others must fall before the king can go
        ("8S 9S 8H JH", "7S 7H", "8H"),  # none before the 9S
        ("6S AS 8H KH", "7S 7H", "6S"),  # four and four; the pack's order decides
        ("KS 8H", "7S 8S 9S TS JS QS 7H", "KS"),  # the king opens nothing, the 8 the way to five
        ("6D KS 8H JH", "7D 7S 8S 9S TS JS QS 7H", "8H"),  # and so the king can wait
        ("7D 8S QS", "7S", "8S"),  # a seven that opens nothing of mine is held
        ("7D AD KD 8S QS", "7S", "7D"),  # and one that opens both my ends is not
    ],
)
def test_steady_plays_for_its_farthest_cards(hand: str, laid: str, chosen: str) -> None:
    assert choice("fan-tan", hand, laid) == chosen


def test_steady_opens_with_the_rank_that_brings_its_cards_nearest() -> None:
    """N1, E1."""
    assert choice("five-or-nine", "5S 9S 8S 7H TH JD QC KC 8C") == "9S"
    assert choice("five-or-nine", "5S 9S 4S 3H 6H 2D AC 4C 6C") == "5S"
    assert choice("earl-of-coventry", "7S 6S 8S 7H 6H 8H 6D 8D") == "7S"


def test_steady_declines_the_bonus_card_unless_it_wins_with_it() -> None:
    """E3."""
    laid = "7S 7H 7D 8S 7C"
    assert choice("earl-of-coventry", "9S 6H KC", laid, "bonus") == "pass"
    assert choice("earl-of-coventry", "9S", laid, "bonus") == "9S"
    assert choice("earl-of-coventry", "KS", laid, "bonus") == "pass"


def test_steady_keeps_the_lead_of_play_or_pay() -> None:
    """P4: with the 9 above an 8 of its own it lays the last card of the suit, and leads again."""
    assert choice("play-or-pay", "8H 9H AS 3S 5S 7S") == "9H"
    assert choice("play-or-pay", "AS KS 2H 4H 6H") == "AS"  # around the corner (P3)
    assert choice("play-or-pay", "3H 5H QC") == "3H"  # no lead can be kept: the longer suit
    assert choice("play-or-pay", "2H 9H JH") == "9H"  # all in one suit: so that the last goes soonest


def test_random_lays_any_card_that_fits_and_passes_only_when_it_must() -> None:
    assert {
        choice("fan-tan", "6S 8S", "7S", level="random"),
        choice("fan-tan", "2S", "7S", level="random"),
    } <= {"6S", "8S", "pass"}
    assert choice("fan-tan", "2S", "7S", level="random") == "pass"
    view = cagnotte.game("fear").view(cagnotte.game("fear").start(), 0)
    rng = random.Random(1)
    turns = replace(view, phase="turn", moves=fear.TURN_OVER)
    assert len({str(bot("random")(turns, (), rng)) for _ in range(1000)}) == 52


# How good they are.


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILY)
def test_steady_clearly_beats_random(name: str) -> None:
    """75 deals with every seating: +5 to +15 chips are measured, and this allows for bad luck."""
    steady, _ = Match(name, ("steady", "random", "random", "random")).blocks(range(75)).scores
    assert steady.chips.mean > 3
    assert steady.wins.mean > 0.4


# By name.


def test_a_bot_is_named_by_its_level() -> None:
    assert {name: bot(name) for name in LEVELS} == LEVELS
    assert set(LEVELS) == {"random", "steady"}


def test_a_bot_may_be_any_function(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "table_mates.py").write_text(
        "from cagnotte.fantan_terms import CUTS\n"
        "def first(view, told, rng): return view.moves[0]\n"
        "def wild(view, told, rng): return CUTS[0]\n"
        "def broken(view, told, rng): return 1 // 0\n"
        "number = 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    game: Any = cagnotte.game("fan-tan", deals=1)
    names = ["Ann", "Bo", "Cy", "Di"]
    first = [bot("table_mates:first")] * 4
    assert record.check(record.new(game, names, first, random.Random(1))).plain()["over"]
    for name, why in {
        "table_mates:wild": "the bot 'table_mates:wild' asked for Cut(at=5), which is not open to it",
        "table_mates:broken": "the bot 'table_mates:broken' failed: ZeroDivisionError: "
        "integer division or modulo by zero",
    }.items():
        with pytest.raises(Illegal) as illegal:
            record.new(game, names, [bot(name)] * 4, random.Random(1))
        assert illegal.value.message == why


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "'' is not a bot: random, steady, or package.module:function"),
        ("Steady", "'Steady' is not a bot: random, steady, or package.module:function"),
        ("json.loads", "'json.loads' is not a bot: random, steady, or package.module:function"),
        (
            "nowhere:bot",
            "the bot 'nowhere:bot' cannot be loaded: ModuleNotFoundError: No module named 'nowhere'",
        ),
        (":", "the bot ':' cannot be loaded: ValueError: Empty module name"),
        (".x:y", None),
        ("json:nothing", None),
        ("math:pi", "the bot 'math:pi' is not a function"),
        ("x" * 5000, None),
        ("a\nb:c\x00", None),
    ],
)
def test_a_name_that_is_no_bot_gives_one_line(name: str, why: str | None) -> None:
    with pytest.raises(Illegal) as illegal:
        bot(name)
    assert why is None or illegal.value.message == why
    assert illegal.value.message.isprintable()
    assert len(illegal.value.message) < 300
