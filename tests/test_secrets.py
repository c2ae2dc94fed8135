"""What a seat may not know is never in what that seat is sent (C4)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import combinations, islice, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from sittings import (
    FAMILY,
    MODES,
    PASSING,
    Game,
    Table,
    anything,
    choose,
    dealt,
    game_of,
    parties,
    steps,
    tables,
)

import cagnotte
from cagnotte import core, fantan, fear, layout
from cagnotte import fantan_terms as terms
from cagnotte.cards import PACK, Card
from cagnotte.core import Bank, Illegal, Paid, Shuffle, Shuffled

# By list: what each kind of event may say to whom.

OPEN = {
    core.FirstDealer, core.PackCut, core.Paid, core.Turn, core.Over,
    terms.Drew, terms.Deal, terms.Laid, terms.Passed, terms.Declined, terms.Shown, terms.DealWon,
    fear.Named, fear.Turned, fear.Out, fear.Gathered, fear.Won,
}  # fmt: skip
GUARDED = {core.Shuffled, terms.Dealt, terms.Offended, terms.Exposed, fear.Spread}
NO_EVENTS = {
    core.Illegal, core.Shuffle, core.Cut, core.Bank, core.Game, core.Quoted,
    terms.Rules, terms.Draw, terms.Lay, terms.Pass, terms.Offence, terms.State, terms.View,
    fear.Rules, fear.Dealer, fear.Name, fear.TurnOver, fear.State, fear.View, fear.Fear,
}  # fmt: skip


def test_C4_someone_said_of_every_class_whether_it_may_be_told() -> None:
    """A new event fails here until it is listed, and `redact` refuses it until it says who may know of it."""
    for module in (core, terms, fear):
        for name, thing in vars(module).items():
            if isinstance(thing, type) and thing.__module__ == module.__name__:
                assert (thing in OPEN) + (thing in GUARDED) + (thing in NO_EVENTS) == 1, name


@settings(max_examples=12)
@given(tables())
def test_C4_open_events_are_told_to_all_and_guarded_ones_without_their_secret(table: Table) -> None:
    game, seats, rng = table
    for _, _, events, _ in steps(game, seats, rng):
        viewer = rng.choice(parties(game))
        for event in events:
            told = game.redact(event, viewer)
            if type(event) in OPEN:
                assert told == event
                continue
            assert type(event) in GUARDED
            match event:
                case Shuffled():
                    assert told == Shuffled(())
                case terms.Dealt(hands, counts):
                    assert told.counts == counts
                    assert told.hands == tuple(h if s == viewer else () for s, h in enumerate(hands))
                case terms.Exposed(seat, clause):
                    assert told == terms.Exposed(seat, clause, None)
                case fear.Spread(number):
                    assert told == fear.Spread(number, ())
                case terms.Offended():
                    assert told is None


@pytest.mark.parametrize("name", cagnotte.GAMES)
def test_C4_an_event_nobody_spoke_of_is_not_told(name: str) -> None:
    game = cagnotte.game(name)
    foreign = fear.Won(0, 1) if name != "fear" else terms.DealWon(0, 1)
    for event in (foreign, Bank((1, 2)), terms.LAY[6], None):
        with pytest.raises(AssertionError, match="nobody said"):
            game.redact(event, 0)


def _cards(thing: Any) -> Iterator[Card]:
    """Every card anywhere in a value."""
    if isinstance(thing, Card):
        yield thing
    elif is_dataclass(thing):
        for part in fields(thing):
            yield from _cards(getattr(thing, part.name))
    elif isinstance(thing, dict):
        yield from _cards(list(thing.values()))
    elif isinstance(thing, (tuple, list)):
        for part in thing:
            yield from _cards(part)
    else:
        assert thing is None or isinstance(thing, (int, str)), f"what is {thing!r}?"


@settings(max_examples=12)
@given(tables())
def test_C4_no_card_that_is_secret_is_anywhere_in_what_is_sent(table: Table) -> None:
    """A view may name the start cards; else no card that another holds, or that lies face down.

    The moves of a namer tell which cards are face down, as everyone knows; not where.
    """
    game, seats, rng = table
    for _, _, events, state in steps(game, seats, rng):
        viewer = rng.choice(parties(game))
        view = game.view(state, viewer)
        told = [event for event in (game.redact(event, viewer) for event in events) if event is not None]
        if game.name == "fear":
            down = {card for card, hidden in zip(state.places, state.down, strict=True) if hidden}
            assert not down.intersection(_cards(view.places))
            assert sorted(card for card in down if fear.Name(card) in view.moves) == (
                sorted(down) if view.phase == "name" and viewer == view.actor else []
            )
            secret = (down | set(state.pack)) - {state.fear}
            assert not secret.intersection(_cards(told))
        else:
            held = [hand for seat, hand in enumerate(state.hands) if seat != viewer]
            secret = set(fantan.cards_of(sum(held))) | set(state.pack)
            told = [event for event in told if not isinstance(event, (terms.Drew, terms.Shown))]
            assert not secret.intersection(_cards(told))
            assert not secret.intersection(_cards((view.hand, view.laid, view.moves)))
            assert view.shown == () or state.phase in ("shuffle", "over")


# What another world would look like: nothing that is sent may tell two worlds apart but by what is public.


def _public(events: Iterable[Any]) -> list[Any]:
    """What the rules make public, beside the actions: payments with their reasons, and cards shown."""
    return [event for event in events if isinstance(event, (Paid, terms.Shown, fear.Turned))]


def _sent(game: Game, state: Any, events: Iterable[Any], viewer: int | None) -> Any:
    told = [game.redact(event, viewer) for event in events]
    return [event for event in told if event is not None], game.view(state, viewer)


def _cut(game: Game, pack: Sequence[Card]) -> Any:
    """The state after this pack was shuffled, and cut in the middle, for the first deal or spread."""
    state = game.start()
    first = fear.Dealer(0) if game.name == "fear" else terms.Draw(0, (Card(11, "S"),))
    for action in (first, Shuffle((*pack[26:], *pack[:26])), core.Cut(26)):
        state, _ = cagnotte.play(game, state, action)
    return state


def _legal(game: Game, state: Any, action: Any) -> bool:
    try:
        game.decide(state, action)
    except Illegal:
        return False
    return True


def _some_steps_on(game: Game, state: Any, rng: random.Random, most: int) -> Any:
    """The state after fewer than so many random actions, in the same deal."""
    seats = [anything] * game.players
    played = list(islice(steps(game, seats, rng, state), rng.randrange(most)))
    return played[-1][3] if played else state


class Worlds:
    """Two worlds played with the same actions, and what a viewer is sent of each."""

    def __init__(self, game: Game, viewer: int | None, states: tuple[Any, Any]) -> None:
        self.game, self.viewer, self.states = game, viewer, states
        self.compared = 0

    def play(self, action: Any) -> bool:
        """Play it in both; False when it is not legal in both, or when what is public differs."""
        if not all(_legal(self.game, state, action) for state in self.states):
            return False
        after, events = zip(*(cagnotte.play(self.game, state, action) for state in self.states), strict=True)
        if _public(events[0]) != _public(events[1]):
            return False
        here, there = (
            _sent(self.game, state, happened, self.viewer)
            for state, happened in zip(after, events, strict=True)
        )
        assert here == there
        self.states = after
        self.compared += 1
        return True

    def common(self) -> list[Any]:
        first, second = (self.game.legal(state) for state in self.states)
        return [action for action in first if action in second]


@pytest.mark.parametrize(("name", "passing"), MODES[1:])
def test_C4_cards_of_others_may_be_exchanged_and_nothing_sent_changes(name: str, passing: str) -> None:
    """Two cards that others still hold change places: what was and what will be sent stays equal."""
    rng = random.Random(name + passing)
    compared = later = worlds = 0
    for number in range(18):
        game = game_of(name, passing, 3 + number % 3, deals=1)
        pack = rng.sample(PACK, 52)
        state = _cut(game, pack)
        viewer = rng.choice(parties(game))
        played = list(islice(steps(game, [anything] * game.players, rng, state), rng.randrange(30)))
        held = [s for s in range(game.players) if s != viewer and played and played[-1][3].hands[s]]
        if len(held) < 2:
            continue
        one, other = rng.sample(held, 2)
        mine, his = (rng.choice(fantan.cards_of(played[-1][3].hands[seat])) for seat in (one, other))
        exchanged = [his if card == mine else mine if card == his else card for card in pack]
        pair = Worlds(game, viewer, (state, _cut(game, exchanged)))
        assert _sent(game, pair.states[0], (), viewer) == _sent(game, pair.states[1], (), viewer)
        if not all(pair.play(action) for _, action, _, _ in played):
            continue  # the other world would have had another story, or another public one
        before = pair.compared
        for _ in range(60):  # where only the exchanged cards fit, both worlds would pass for ever
            if not (common := pair.common()) or not pair.play(rng.choice(common)):
                break
        worlds, compared, later = worlds + 1, compared + pair.compared, later + pair.compared - before
    assert worlds >= 6 and compared >= 60 and later >= 12


@pytest.mark.parametrize("name", FAMILY)
def test_T10_a_pass_taken_at_face_value_looks_the_same_whoever_could_lay(name: str) -> None:
    """Honour: the same actions in two worlds, in one of which a pass is false: no viewer is told."""
    rng, false = random.Random(name), 0
    for _ in range(30):
        game = game_of(name, "honour", 4, deals=1)
        pack = rng.sample(PACK, 52)
        state = _some_steps_on(game, _cut(game, pack), rng, 20)
        seat = state.actor
        others = [s for s in range(4) if s != seat and state.hands[s]]
        if state.phase != "play" or not state.hands[seat] or not others:
            continue
        other = rng.choice(others)
        mine = rng.sample(fantan.cards_of(state.hands[seat]), 1)[0]
        his = rng.sample(fantan.cards_of(state.hands[other]), 1)[0]
        hands = list(state.hands)
        hands[seat] += fantan.BIT[his.index] - fantan.BIT[mine.index]
        hands[other] += fantan.BIT[mine.index] - fantan.BIT[his.index]
        worlds = (state, replace(state, hands=tuple(hands)))
        false += any(s.offences for s in (cagnotte.play(game, w, terms.PASS)[0] for w in worlds))
        for viewer in parties(game):
            if viewer not in (seat, other):
                assert Worlds(game, viewer, worlds).play(terms.PASS)
    assert false >= 10


def test_F6_face_down_cards_may_change_places_at_any_moment_and_nothing_sent_changes() -> None:
    rng = random.Random("fear")
    compared = 0
    for number in range(20):
        game = cagnotte.game("fear", 2 + number % 5, stake=4)
        state = _some_steps_on(game, dealt(game, rng), rng, 51)
        down = [place for place in range(52) if state.down[place]]
        fixed = set(rng.sample(down, len(down) // 2))
        moving = [place for place in down if place not in fixed]
        places = list(state.places)
        for place, origin in zip(moving, rng.sample(moving, len(moving)), strict=True):
            places[place] = state.places[origin]
        for viewer in parties(game):
            pair = Worlds(game, viewer, (state, replace(state, places=tuple(places))))
            assert _sent(game, pair.states[0], (), viewer) == _sent(game, pair.states[1], (), viewer)
            while common := pair.common():
                mine = [action for action in common if getattr(action, "place", None) in fixed]
                if not pair.play(rng.choice(mine or common)):
                    break
            compared += pair.compared
    assert compared > 500


@pytest.mark.parametrize("name", cagnotte.GAMES)
def test_C4_the_pack_is_secret_between_the_shuffle_and_the_deal(name: str) -> None:
    game = cagnotte.game(name)
    rng = random.Random(name)
    state = game.start()
    state, _ = cagnotte.play(game, state, choose(game, state, [], rng))
    for viewer in parties(game):
        pair = Worlds(game, viewer, (state, state))
        sent = []
        for _ in range(2):
            after, events = cagnotte.play(game, state, game.draw(state, rng))
            sent.append(_sent(game, after, events, viewer))
        assert sent[0] == sent[1]
        assert pair.common() == []


# Whole trees of tiny packs: what is sent is a function of what is public and of the viewer's own hand.

# The numbers of the cards in play. Spades, hearts and diamonds are begun; of clubs there are three cards,
# the start card and its neighbours, so that fines are owed to their holders (T11).
_PACKS = {
    "fan-tan": (0, 25, 44, 45, 46),
    "five-or-nine": (0, 25, 42, 43, 44),
    "earl-of-coventry": (0, 25, 46, 47, 48),
    "play-or-pay": (0, 12, 44, 45, 46),  # the king and the ace of spades, then a club
}


def _tiny(game: Game, hands: Sequence[Sequence[int]]) -> Any:
    """A deal of which so few cards are left, with one player who is nearly out of chips."""
    left = {index for hand in hands for index in hand}
    laid = tuple(card for card in PACK[:39] if card.index not in left)
    start = sorted(left)[3]
    return terms.State(
        bank=Bank((20, 20, 2), 8),
        phase="play",
        actor=0,
        dealer=2,
        deal=1,
        playing=(0, 1, 2),
        hands=tuple(sum(fantan.BIT[index] for index in hand) for hand in hands),
        laid=sum(fantan.BIT[card.index] for card in laid),
        starts=layout.ALL if game.name == "play-or-pay" else layout.rank_mask(start),
        order=laid,
    )


Line = tuple[tuple[tuple[str, str], ...], tuple[Any, ...]]


def _lines(game: Game, state: Any, depth: int, path: tuple[tuple[str, str], ...] = ()) -> Iterator[Line]:
    """Every way to play on: the actions with what is public of each, and all that every viewer is sent."""
    if depth:
        for action in game.legal(state):
            after, events = cagnotte.play(game, state, action)
            here = (*path, (str(action), repr(_public(events))))
            yield here, tuple(_sent(game, after, events, viewer) for viewer in parties(game))
            yield from _lines(game, after, depth - 1, here)


def _compare(game: Game, worlds: Iterable[tuple[Sequence[Any], Any]], depth: int) -> tuple[int, int]:
    """Viewers are sent the same where their hand and what is public are the same: lines, comparisons."""
    known: dict[Any, Any] = {}
    lines = compared = 0
    for hands, state in worlds:
        for path, sent in _lines(game, state, depth):
            lines += 1
            for viewer, mail in zip(parties(game), sent, strict=True):
                own = hands[viewer] if viewer is not None else ()
                key = viewer, own, path
                compared += key in known
                assert known.setdefault(key, mail) == mail, f"{viewer} after {path}"
    return lines, compared


@pytest.mark.parametrize("passing", PASSING)
@pytest.mark.parametrize("name", FAMILY)
def test_C4_trees_of_a_tiny_pack_tell_worlds_apart_only_by_what_is_public(name: str, passing: str) -> None:
    game, left = game_of(name, passing, 3, deals=1), _PACKS[name]
    worlds = []
    for mine in combinations(left, 2):
        for his in combinations([index for index in left if index not in mine], 2):
            hands = (mine, his, tuple(index for index in left if index not in mine + his))
            worlds.append((hands, _tiny(game, hands)))
    assert len(worlds) == 30
    lines, compared = _compare(game, worlds, 8 if passing == "forbidden" else 4)
    assert lines > 100 and compared > 50


def test_F6_trees_of_four_places_tell_worlds_apart_only_by_what_is_public() -> None:
    game = cagnotte.game("fear", 2, stake=3)
    whole = dealt(game, random.Random(4))
    down = (3, 17, 30, 51)
    worlds = []
    for order in permutations(down):
        places = list(whole.places)
        for place, origin in zip(down, order, strict=True):
            places[place] = whole.places[origin]
        state = replace(whole, places=tuple(places), down=bytes(place in down for place in range(52)))
        worlds.append((((), ()), state))
    lines, compared = _compare(game, worlds, 4)
    assert lines > 1000 and compared > 500
