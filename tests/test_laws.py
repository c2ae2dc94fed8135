"""Laws that every game keeps at every step, under all house rules and whoever plays."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice
from typing import Any, cast

import pytest
from hypothesis import given, settings
from sittings import (
    FAMILY,
    MODES,
    PASSING,
    PLAYERS,
    Game,
    Table,
    anything,
    choose,
    dealt,
    game_of,
    parties,
    passing_often,
    shuffled,
    steps,
    tables,
)

import cagnotte
from cagnotte import fantan, fear
from cagnotte import fantan_terms as terms
from cagnotte.cards import PACK, Card
from cagnotte.core import CHANCE, POOL, Bank, Cut, Illegal, Over, Paid, Shuffle, Shuffled, Turn

lawful = settings(max_examples=20)


# C3: chips are conserved.


@lawful
@given(tables())
def test_C3_chips_are_conserved_after_every_event(table: Table) -> None:
    """B011: stacks and pool have the same sum after each event; no one is below zero unless there is debt."""
    game, seats, rng = table
    rules = game.house_rules
    everything = game.players * rules.get("chips", rules.get("stake"))
    for state, _, events, _ in steps(game, seats, rng):
        for event in events:
            state = game.evolve(state, event)
            bank = game.bank(state)
            assert sum(bank.stacks) + bank.pool == everything
            assert bank.pool >= 0
            assert min(bank.stacks) >= 0 or rules.get("debt") == "on"
            if isinstance(event, Paid):
                assert event.payer != event.payee
                assert event.chips == event.due or (0 <= event.chips < event.due and not bank.debt)
                assert event.clause in {"F7", "F11", "T4", "T6", "T9", "T11", "T12", "T14"}


# One actor, with something to do, until the end.


@lawful
@given(tables())
def test_there_is_one_actor_with_moves_and_the_sitting_ends(table: Table) -> None:
    """B017, B229: one seat or chance acts; a seat has moves, chance and the end have none."""
    game, seats, rng = table
    state, turns = game.start(), 0
    for _before, _, events, state in steps(game, seats, rng):
        turns += 1
        assert isinstance(events[-1], Turn) and events[-1].actor == game.actor(state)
        assert sum(isinstance(event, Turn) for event in events) == 1
        actor, legal = game.actor(state), game.legal(state)
        for seat in parties(game):
            view = game.view(state, seat)
            assert view.moves == (tuple(legal) if seat == actor and seat is not None else ())
            assert view.actor == actor and view.phase == state.phase and view.seat == seat
        if actor in (CHANCE, None):
            assert legal == ()
        else:
            assert 0 <= actor < game.players and len(legal) > 0
            assert len(set(legal)) == len(legal)
    assert game.actor(state) is None and game.winners(state) and state.phase == "over"
    assert turns > 0
    with pytest.raises(Illegal):
        cagnotte.play(game, state, terms.PASS)


def test_T9_someone_can_always_lay_and_so_a_deal_without_false_passes_ends() -> None:
    for name in FAMILY:
        for seed in range(6):
            game = cagnotte.game(name, 3 + seed % 3, deals=1)
            passes = 0
            for _, action, _, _ in steps(game, [anything] * game.players, random.Random(seed)):
                passes = passes + 1 if isinstance(action, terms.Pass) else 0
                assert passes < game.players


def test_F8_each_spread_of_fear_costs_chips_and_so_it_ends() -> None:
    """B003: the pack may be used up several times; never more often than there are chips."""
    for seed in range(6):
        game = cagnotte.game("fear", 3, stake=4)
        spreads, pool = 0, 0
        for _, _, events, state in steps(game, [anything] * 3, random.Random(seed)):
            if any(isinstance(event, fear.Gathered) for event in events):
                spreads += 1
                assert state.bank.pool > pool
                pool = state.bank.pool
        assert spreads < 12


@pytest.mark.parametrize("debt", ["on", "off"])
@pytest.mark.parametrize("passing", ["fined", "honour"])
def test_T10_a_table_that_only_ever_passes_does_not_end(passing: str, debt: str) -> None:
    """B251: a deal ends with a last card and nothing else; who simulates such players needs a cap."""
    game = game_of("fan-tan", passing, 3, chips=10, debt=debt)
    state = dealt(game, random.Random(3))
    for _ in range(300):
        state, _ = cagnotte.play(game, state, terms.PASS)
    again = state
    for _ in range(3):
        again, events = cagnotte.play(game, again, terms.PASS)
        assert (events[1].chips, events[1].due) == ((1, 1) if debt == "on" else (0, 1))
    assert again.phase == "play" and again.laid == state.laid and again.actor == state.actor
    if passing == "fined" and debt == "off":
        assert again == state


# `legal` is what `decide` accepts, over all that can be said.

_PACK = cagnotte.PACK
_WRONG_PACKS = (
    (),
    _PACK[:51],
    (*_PACK, _PACK[0]),
    (*_PACK[:51], _PACK[0]),
)
_DRAWS = (
    (cagnotte.Card(11, "S"),),
    (cagnotte.Card(7, "S"), cagnotte.Card(11, "D")),
)
_WRONG_DRAWS = (
    (),
    (cagnotte.Card(7, "S"),),
    (cagnotte.Card(11, "S"), cagnotte.Card(7, "S")),
    (cagnotte.Card(11, "S"), cagnotte.Card(11, "D")),
    (cagnotte.Card(7, "S"), cagnotte.Card(7, "S"), cagnotte.Card(11, "D")),
)


def _vocabulary(game: Game) -> tuple[list[Any], dict[str, set[Any]]]:
    """All actions that can be said of either family, right or wrong, and those right for chance by phase."""
    seats = range(-2, game.players + 2)
    shuffle = Shuffle(tuple(reversed(_PACK)))
    draws = [terms.Draw(seat, cards) for seat in seats for cards in _DRAWS]
    dealers = [fear.Dealer(seat) for seat in seats]
    said = [*terms.LAY, terms.PASS, *fear.NAME, *draws, *dealers, shuffle]
    said += [Cut(at) for at in range(-1, 54)]
    said += [fear.TurnOver(place) for place in range(-1, 53)]
    said += [Shuffle(cards) for cards in _WRONG_PACKS]
    said += [terms.Draw(0, cards) for cards in _WRONG_DRAWS]
    said += [None, "pass", 7, cagnotte.Card(7, "S")]
    inside = range(game.players)
    right: dict[str, set[Any]] = {
        "shuffle": {shuffle},
        "draw": {draw for draw in draws if draw.seat in inside},
        "dealer": {dealer for dealer in dealers if dealer.seat in inside},
    }
    return said, right


def _accepted(game: Game, state: Any, said: list[Any]) -> set[Any]:
    accepted = set()
    for action in said:
        try:
            events = game.decide(state, action)
        except Illegal as illegal:
            assert illegal.message and "{" not in illegal.message
            assert illegal.clause is not None and illegal.clause[0] in "CFTNEP"
        else:
            assert events
            accepted.add(action)
    return accepted


@pytest.mark.parametrize(("name", "passing"), MODES)
def test_B007_legal_is_what_decide_accepts_and_a_refusal_changes_nothing(name: str, passing: str) -> None:
    game = game_of(name, passing, 4, **({"deals": 1} if passing else {"stake": 1}))
    said, right = _vocabulary(game)
    seats = [anything, anything, passing_often, anything]
    state = game.start()
    kept = pickle.dumps(state)
    assert _accepted(game, state, said) == right[state.phase]
    for _, _, _, state in steps(game, seats, random.Random(len(name + passing))):
        kept = pickle.dumps(state)
        legal = set(game.legal(state))
        assert _accepted(game, state, said) == (right[state.phase] if game.actor(state) == CHANCE else legal)
        assert pickle.dumps(state) == kept
    assert _accepted(game, state, said) == set()


@pytest.mark.parametrize(("name", "passing"), MODES)
def test_B201_what_may_be_done_is_found_in_a_few_steps_at_any_time(name: str, passing: str) -> None:
    """As many functions of ours are called, whatever lies on the table; Fear looks through 52 places."""
    game = game_of(name, passing, 4)
    called: list[str] = []

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and "cagnotte" in frame.f_code.co_filename:
            called.append(frame.f_code.co_name)

    for _, _, _, state in islice(steps(game, [anything] * 4, random.Random(3)), 300):
        called.clear()
        sys.setprofile(note)
        game.legal(state)
        sys.setprofile(None)
        assert len(called) <= (60 if name == "fear" else 12), called


def test_B007_the_refusal_names_the_action() -> None:
    """Each of the five games refuses in the same way, and says what was refused."""
    for name in cagnotte.GAMES:
        game = cagnotte.game(name)
        state = dealt(game, random.Random(1))
        for action in (Cut(9), fear.Dealer(0), terms.Draw(0, _DRAWS[0])):
            with pytest.raises(Illegal, match=str(action)):
                cagnotte.play(game, state, action)


NO_NUMBER: tuple[Any, ...] = (None, "5", True, False, 5.0, 1.5, float("nan"), 10**5000, [5], (), Card(7, "S"))
NO_CARD: tuple[Any, ...] = (None, "7S", 7, True, 1.5, {}, ("7", "S"), Cut(7))
NO_CARDS: tuple[Any, ...] = (
    None,
    52,
    "7S",
    list(PACK),
    iter(PACK),
    ("7S",) * 52,
    (None,),
    Card(7, "S"),
    (*PACK[:51], 51),
)
ODD: list[Any] = [
    *(kind(value) for kind in (Cut, fear.Dealer, fear.TurnOver) for value in NO_NUMBER),
    *(kind(value) for kind in (terms.Lay, fear.Name) for value in NO_CARD),
    *(kind(value) for kind in (Shuffle, lambda cards: terms.Draw(0, cards)) for value in NO_CARDS),
    *(terms.Draw(value, (Card(11, "S"),)) for value in NO_NUMBER),
    *(None, "7S", 7, b"pass", Card(7, "S"), (), [], {}, object(), terms.Pass, terms.Lay, cagnotte.play),
]


@pytest.mark.parametrize(("name", "passing"), MODES)
def test_B007_what_is_no_action_is_refused_whatever_it_holds(name: str, passing: str) -> None:
    """Equal is not enough: True is 1, and would stand in the state where a place was meant."""
    game = game_of(name, passing, 4)
    state = game.start()
    for step in range(60):
        if step in (0, 1, 2, 3, 4, 5, 20, 59):
            before = pickle.dumps(state)
            for action in ODD:
                with pytest.raises(Illegal):
                    cagnotte.play(game, state, action)
            assert pickle.dumps(state) == before
        moves = game.legal(state) or [game.draw(state, random.Random(step))]
        state, _ = cagnotte.play(game, state, random.Random(step).choice(moves))


@pytest.mark.parametrize("name", cagnotte.GAMES)
def test_B007_what_is_no_text_and_no_seat_is_refused_too(name: str) -> None:
    game = cagnotte.game(name)
    for text in (None, 7, b"7S", ["pass"], Card(7, "S"), 10**5000):
        with pytest.raises(Illegal, match="is not a move of this game"):
            cagnotte.parse(game, cast(str, text))
    state = dealt(game, random.Random(1))
    for seat in (CHANCE, POOL, game.players, True, "0", 1.0):
        with pytest.raises(Illegal, match="there is no seat"):
            game.view(state, cast(int, seat))


def test_a_game_of_a_number_that_is_none_is_refused() -> None:
    numbers: tuple[Any, ...] = (10**5000, -(10**5000), 2.0, float("nan"), object())
    for number in numbers:
        with pytest.raises(Illegal):
            cagnotte.game("fear", players=number)
        with pytest.raises(Illegal):
            cagnotte.game("fear", stake=number)


# Events tell it all.


class Books:
    """What a viewer knows who keeps books of nothing but what he is told."""

    def __init__(self, view: Any) -> None:
        self.seat = view.seat
        self.stacks, self.pool = list(view.stacks), view.pool
        self.actor, self.phase, self.dealer, self.winners = view.actor, view.phase, view.dealer, view.winners
        self.deal, self.spread = 0, 0
        self.fear: cagnotte.Card | None = None
        self.playing: Sequence[int] = ()
        self.shown: Sequence[Any] = ()
        self.laid: dict[str, list[Any]] = {suit: [] for suit in "SHDC"}
        self.hand: set[Any] = set()
        self.counts = [0] * len(view.stacks)
        self.places: list[Any] = []

    def hear(self, event: Any) -> None:
        match event:
            case Turn(actor, phase):
                self.actor, self.phase = actor, phase
            case Paid(payer, payee, chips):
                for account, change in ((payer, -chips), (payee, chips)):
                    if account == POOL:
                        self.pool += change
                    else:
                        self.stacks[account] += change
            case Over(winners, stacks):
                self.winners = winners
                assert stacks == tuple(self.stacks)
            case cagnotte.FirstDealer(seat) | fear.Gathered(seat):
                self.dealer = seat
            case terms.Deal(number, dealer, playing):
                self.deal, self.dealer, self.playing = number, dealer, playing
            case Shuffled():
                self.laid, self.hand, self.counts = {s: [] for s in "SHDC"}, set(), [0] * len(self.stacks)
                self.shown, self.places, self.fear = (), [], None
            case terms.Dealt(hands, counts):
                self.counts = list(counts)
                self.hand = set(hands[self.seat]) if self.seat is not None else set()
            case terms.Laid(seat, card):
                self.laid[card.suit].append(card)
                self.counts[seat] -= 1
                self.hand.discard(card)
            case terms.Shown(hands):
                self.shown = hands
            case fear.Spread(number):
                self.spread, self.places = number, [None] * 52
            case fear.Named(_, card):
                self.fear = card
            case fear.Turned(_, place, card, feared):
                self.places[place] = card
                self.fear = None if feared else self.fear

    def agree(self, view: Any) -> None:
        assert (list(view.stacks), view.pool) == (self.stacks, self.pool)
        assert (view.actor, view.phase, view.dealer) == (self.actor, self.phase, self.dealer)
        assert (view.winners, view.over) == (self.winners, self.actor is None)
        if view.game == "fear":
            assert (list(view.places), view.fear, view.spread) == (self.places, self.fear, self.spread)
        else:
            assert (view.deal, view.playing, view.shown) == (self.deal, self.playing, self.shown)
            assert {suit: list(cards) for suit, cards in view.laid.items()} == self.laid
            assert set(view.hand) == self.hand
            assert (list(view.counts), len(view.hand)) == (self.counts, len(self.hand))


@lawful
@given(tables())
def test_C4_what_a_viewer_is_told_keeps_his_books(table: Table) -> None:
    """Every change has an event: from what he is told alone a viewer knows what his view shows him."""
    game, seats, rng = table
    viewers = rng.sample(parties(game), min(3, game.players))
    books = [Books(game.view(game.start(), viewer)) for viewer in viewers]
    for _, _, events, state in steps(game, seats, rng):
        for viewer, book in zip(viewers, books, strict=True):
            for event in events:
                book.hear(game.redact(event, viewer))
            book.agree(game.view(state, viewer))


# Replay, copies.


@lawful
@given(tables())
def test_replaying_a_sitting_gives_the_same_sitting(table: Table) -> None:
    """Events fold to the state; the actions, and their texts, lead to it again."""
    game, seats, rng = table
    state, actions = game.start(), []
    for before, action, events, state in steps(game, seats, rng):
        assert reduce(game.evolve, events, before) == state
        assert cagnotte.parse(game, str(action)) == action
        actions.append(action)
    assert cagnotte.replay(game, actions) == state
    assert cagnotte.replay(game, [cagnotte.parse(game, str(action)) for action in actions]) == state


@lawful
@given(tables())
def test_B219_B221_B227_a_copy_is_equal_and_goes_on_alike(table: Table) -> None:
    game, seats, rng = table
    played = list(steps(game, seats, rng))
    for before, _, _, _ in rng.sample(played, 2):
        told = repr(before)
        for copied_game, state in (
            pickle.loads(pickle.dumps((game, before))),
            copy.deepcopy((game, before)),
            (copy.copy(game), copy.copy(before)),
        ):
            assert state == before and copied_game == game and hash(copied_game) == hash(game)
            assert list(copied_game.legal(state)) == list(game.legal(before))
            here, there = (
                list(islice(steps(each, seats, random.Random(7), start), 40))
                for each, start in ((game, before), (copied_game, state))
            )
            assert here == there
        assert repr(before) == told


def test_B225_all_cards_and_actions_are_different_keys() -> None:
    actions = [*terms.LAY, terms.PASS, *terms.CUTS, *fear.NAME, *fear.TURN_OVER]
    actions += [fear.Dealer(seat) for seat in range(26)]
    keys = {*_PACK, *actions}
    assert len(keys) == 52 + 52 + 1 + 43 + 52 + 52 + 26
    for kind in {type(key) for key in keys}:
        alike = [hash(key) for key in keys if type(key) is kind]
        assert len(set(alike)) == len(alike)


def test_B223_the_same_position_by_another_order_is_equal_but_for_its_history() -> None:
    """Two orders of laying the same cards: all is equal but the order in which they were laid."""
    game = cagnotte.game("fan-tan", 3, passing="honour")
    state = replace(
        dealt(game, random.Random(1)),
        hands=tuple(
            sum(fantan.BIT[card.index] for card in _PACK if card.suit in s) for s in ("S", "H", "DC")
        ),
        actor=0,
    )

    def lay(*texts: str) -> Any:
        after = state
        for text in texts:
            after, _ = cagnotte.play(game, after, cagnotte.parse(game, text))
        return after

    one, other = (
        lay("7S", "7H", "7D", up, "pass", "pass", down) for up, down in (("8S", "6S"), ("6S", "8S"))
    )
    assert one != other
    assert replace(one, order=()) == replace(other, order=())
    assert game.view(one, 1).laid["S"] != game.view(other, 1).laid["S"]


@pytest.mark.parametrize("name", cagnotte.GAMES)
def test_B231_the_same_dice_give_the_same_sitting(name: str) -> None:
    game = cagnotte.game(name)
    first, again, other = (cagnotte.playout(game, game.start(), random.Random(seed)) for seed in (5, 5, 6))
    assert first == again and first != other


# Bookkeeping between deals.


@lawful
@given(tables(FAMILY))
def test_T15_deals_follow_each_other_as_the_rules_say(table: Table) -> None:
    """Who has no chips sits out; the deal goes to the left; the end comes with the deals or the players."""
    game, seats, rng = table
    rules, deal, debt = game.house_rules, 0, game.house_rules["debt"] == "on"
    for before, _, events, state in steps(game, seats, rng):
        for event in events:
            if isinstance(event, terms.Deal):
                able = tuple(
                    s for s, chips in enumerate(state.bank.stacks) if chips > 0 or rules["debt"] == "on"
                )
                assert event.playing == able and len(able) >= 3
                assert event.number == deal + 1 and event.dealer in able
                if deal:
                    passed_over = range(before.dealer + 1, before.dealer + game.players + 1)
                    assert event.dealer == next(
                        s % game.players for s in passed_over if s % game.players in able
                    )
                deal = event.number
        if state.phase == "over":
            stacks = state.bank.stacks
            assert state.bank.pool == 0
            assert state.winners == tuple(s for s, chips in enumerate(stacks) if chips == max(stacks))
            few = sum(chips > 0 for chips in stacks) < 3 and not debt
            assert deal == rules["deals"] or few


def test_T15_one_chip_is_enough_to_play() -> None:
    """Seat 0 lays his last card and takes nothing: who has a chip left plays on, if they are three."""
    game = cagnotte.game("fan-tan", 4, pay_left="off")
    nearly = replace(
        dealt(game, random.Random(1)),
        hands=(fantan.BIT[6], *(fantan.BIT[20 + seat] for seat in range(3))),
        actor=0,
        dealer=1,
    )
    for chips, happens in (
        ((1, 1, 1, 0), terms.Deal(2, 2, (0, 1, 2))),
        ((1, 2, 0, 3), terms.Deal(2, 3, (0, 1, 3))),
        ((1, 0, 0, 1), Over((0, 3), (1, 0, 0, 1), early=True)),
    ):
        _, events = cagnotte.play(game, replace(nearly, bank=Bank(chips)), terms.LAY[6])
        assert events[-2] == happens


@pytest.mark.parametrize("passing", PASSING)
def test_T13_every_offence_is_settled_once(passing: str) -> None:
    """As many exposures as false passes in every deal, and each with its three chips to the pool."""
    for name in FAMILY:
        game = game_of(name, passing, 4, deals=2)
        offences = exposures = 0
        for before, action, events, state in steps(game, [passing_often] * 4, random.Random(11)):
            able = before.phase == "play" and any(isinstance(a, terms.Lay) for a in game.legal(before))
            offences += able and isinstance(action, terms.Pass)
            exposures += sum(isinstance(event, terms.Exposed) for event in events)
            fines = [
                e for e in events if isinstance(e, Paid) and e.clause in ("T11", "T12") and e.payee == POOL
            ]
            assert len(fines) == sum(isinstance(event, terms.Exposed) for event in events)
            assert all(fine.due == 3 for fine in fines)
            if state.phase in ("shuffle", "over"):
                assert offences == exposures and not state.offences
        assert (offences > 0) == (passing != "forbidden")


def test_every_kind_of_player_is_at_these_tables() -> None:
    assert set(PLAYERS) == {"anything", "passing often", "random", "steady"}
    game = cagnotte.game("fan-tan")
    state = dealt(game, random.Random(2))
    for player in PLAYERS.values():
        assert choose(game, state, [player] * 4, random.Random(1)) in game.legal(state)
    assert shuffled(random.Random(1)) != shuffled(random.Random(2))
