"""The hint: what the steady player would do, with a reason that holds of the cards in hand."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sittings import Game, games
from test_players import dealt_anew, situation

import cagnotte
from cagnotte.core import CHANCE, Illegal
from cagnotte.fantan_terms import PASS
from cagnotte.locale import LANGUAGES, say
from cagnotte.players import steady
from cagnotte.players.hint import hint


def said(lang: str, game: str, hand: str, laid: str = "", phase: str = "play") -> tuple[str, str]:
    """The move and its reason with this hand at this layout, plainly spaced."""
    found = hint(situation(game, hand, laid, phase), ())
    reason = say(lang, found.key, **found.values)
    return str(found.action), reason.replace("\u00a0", " ").replace("\u202f", " ").replace("’", "'")


@pytest.mark.parametrize(
    ("game", "hand", "laid", "move", "reason"),
    [
        ("fan-tan", "8H", "7H", "8H", "8♥ is your last card: with it you win the deal."),
        ("fan-tan", "8H KS", "7H", "8H", "8♥ is the only card of yours that fits."),
        ("fan-tan", "KS", "7H", "pass", "None of your cards fits: pass, for a chip to the pool."),
        ("fan-tan", "8S 8H KH", "7S 7H", "8H",
         "Lay 8♥: it opens the way to your K♥, with 4 cards of the others between."),
        ("fan-tan", "6S 8H TH", "7S 7H", "8H",
         "Lay 8♥: it opens the way to your 10♥, with one card of the others between."),
        ("fan-tan", "8S 6H 5H", "7S 7H", "6H",
         "Lay 6♥: it opens the way to your 5♥, with no card of the others between."),
        ("fan-tan", "6D KS 8H JH", "7D 7S 8S 9S TS JS QS 7H", "8H",
         "Lay 8♥: it opens the way to your J♥, with 2 cards of the others between. "
         "Your K♠ opens nothing to anybody: it can wait."),
        ("fan-tan", "KS 8H", "7S 8S 9S TS JS QS 7H", "KS", "K♠ opens nothing to anybody."),
        ("fan-tan", "QS 8H", "7S 8S 9S TS JS 7H", "QS",
         "Q♠ gives the least away: it opens the way to only one of the others' cards."),
        ("five-or-nine", "5S 9S 4S 3H 6H 2D AC 4C 6C", "", "5S",
         "Begin with 5♠: of the ranks that you can begin with, it brings your farthest cards nearest."),
        ("play-or-pay", "8H 9H AS 3S 5S 7S", "", "9H",
         "Lead 9♥: the suit then ends with your 8♥, and whoever lays its last card leads the next."),
        ("play-or-pay", "3H 5H QC", "", "3H",
         "Lead 3♥: no suit can end with a card of yours, so take your longest, with 2 cards."),
        ("play-or-pay", "2H 9H JH", "", "9H",
         "You have only this suit left: led from 9♥, your last card, 2♥, goes the soonest."),
    ],
)  # fmt: skip
def test_the_move_and_its_reason(game: str, hand: str, laid: str, move: str, reason: str) -> None:
    assert said("en", game, hand, laid) == (move, reason)


def test_the_reason_in_french() -> None:
    _, reason = said("fr", "fan-tan", "8S 8H KH", "7S 7H")
    assert reason == "Posez 8♥ : cela ouvre la voie à votre R♥, avec 4 cartes des autres entre les deux."


def test_E3_the_bonus_card_is_declined_unless_it_wins() -> None:
    laid = "7S 7H 7D 8S 7C"
    move, reason = said("en", "earl-of-coventry", "9S 6H KC", laid, "bonus")
    assert move == "pass" and "declining costs nothing" in reason
    assert said("en", "earl-of-coventry", "KC KH", laid, "bonus")[1].startswith("None of your cards fits one")
    assert said("en", "earl-of-coventry", "9S", laid, "bonus")[0] == "9S"


def test_C3_a_pass_is_free_for_whoever_has_no_chips() -> None:
    broke = situation("fan-tan", "KS", "7H", chips=0)
    assert hint(broke, ()).values == {"n": 0}
    assert "costs you nothing" in say("en", hint(broke, ()).key, n=0)


def test_F6_in_fear_any_card_is_as_good_as_another() -> None:
    game = cagnotte.game("fear")
    rng, state = random.Random(3), game.start()
    keys = set()
    while (actor := game.actor(state)) is not None:
        if actor != CHANCE:
            found = hint(game.view(state, actor), ())
            assert found.action is None
            keys.add(found.key)
        action = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal(state))
        state, _ = cagnotte.play(game, state, action)
    assert keys == {"hint.any.cut", "hint.any.name", "hint.any.turn"}
    with pytest.raises(Illegal):
        hint(game.view(state, 0), ())


@settings(max_examples=40)
@given(games(), st.integers(0, 2**32))
def test_T10_a_hint_is_what_steady_does_never_a_wrong_pass_and_tells_nothing(game: Game, seed: int) -> None:
    """Also C4: with the hidden cards dealt anew the hint is the same, reason and all."""
    rng, state = random.Random(seed), game.start()
    while (actor := game.actor(state)) is not None and game.dealt(state) < 3:
        if actor == CHANCE:
            action: Any = game.draw(state, rng)
        else:
            view = game.view(state, actor)
            found = hint(view, ())
            action = steady(view, (), rng)
            assert found.action in (None, action)
            assert found == hint(game.view(dealt_anew(state, actor, rng), actor), ())
            if found.action == PASS and state.phase == "play":
                assert view.moves == (PASS,)
            for lang in LANGUAGES:
                assert say(lang, found.key, **found.values)
            action = rng.choice([action, rng.choice(view.moves)])
        state, _ = cagnotte.play(game, state, action)
