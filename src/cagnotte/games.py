"""The catalogue: the five games and their house rules."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cagnotte import fantan, fantan_terms, fear
from cagnotte.core import Game, Illegal, quoted

Value = int | str
ON_OFF: Final = ("on", "off")
_DIGITS: Final = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule: its clause, its values, and its default for so many players."""

    name: str
    clause: str
    values: range | tuple[str, ...]
    default: Callable[[int], Value]

    def read(self, value: object) -> Value:
        """This value, given as such, as text or as a truth value; raises Illegal."""
        if isinstance(self.values, range):
            number = int(value) if isinstance(value, str) and _DIGITS.fullmatch(value) else value
            if type(number) is int and number in self.values:
                return number
            said = f"{self.values[0]} to {self.values[-1]}"
        else:
            word = ("off", "on")[value] if isinstance(value, bool) else value
            if isinstance(word, str) and word in self.values:
                return word
            said = ", ".join(self.values)
        raise Illegal(
            self.clause,
            "{rule} is {values}, not {value}",
            rule=self.name,
            values=said,
            value=quoted(value, 20),
        )


@dataclass(frozen=True, slots=True)
class Listing:
    """A game of the catalogue: how many may play, how many usually do, its house rules, how it is made."""

    name: str
    clause: str  # of the number of players
    seats: range
    usual: range
    players: int
    rules: tuple[HouseRule, ...]
    make: Callable[[int, dict[str, Value]], Game[Any]]


def _fear(players: int, rules: dict[str, Value]) -> fear.Fear:
    return fear.Fear(fear.Rules(players, int(rules["stake"])), rules)


def _fantan(variant: fantan_terms.Rules) -> Listing:
    def make(players: int, rules: dict[str, Value]) -> fantan.FanTan:
        typed: dict[str, Any] = {
            name: value == "on" if value in ON_OFF else value for name, value in rules.items()
        }
        return fantan.FanTan(replace(variant, players=players, **typed), rules)

    rules = (
        HouseRule("chips", "T1", range(10, 1001), lambda players: variant.usual_chips),
        HouseRule("deals", "T15", range(1, 101), lambda players: 2 * players),
        HouseRule("passing", "T10", ("forbidden", "fined", "honour"), lambda players: "forbidden"),
        HouseRule("extra_ante", "T6", ON_OFF, lambda players: "on"),
        HouseRule("pay_left", "T14", ON_OFF, lambda players: "on"),
        HouseRule("debt", "C3", ON_OFF, lambda players: "off"),
    )
    return Listing(variant.name, "T1", range(3, 6), range(3, 6), 4, rules, make)


_STAKE: Final = HouseRule("stake", "F2", range(1, 11), lambda players: 2 if players <= 6 else 1)

GAMES: Final[dict[str, Listing]] = {
    "fear": Listing("fear", "F1", range(2, 27), range(5, 13), 6, (_STAKE,), _fear),
    **{name: _fantan(variant) for name, variant in fantan_terms.VARIANTS.items()},
}


def game(name: str, players: int | None = None, **rules: object) -> Game[Any]:
    """The game of this name with so many players and these house rules; raises Illegal for what cannot be.

    >>> game("fan-tan", players=4, passing="fined").house_rules["passing"]
    'fined'
    """
    return choose(name, players, rules)


def choose(name: str, players: int | None, rules: Mapping[str, object]) -> Game[Any]:
    """The game of this name with so many players and these house rules by any name; raises Illegal."""
    listing = GAMES.get(name) if isinstance(name, str) else None
    if listing is None:
        raise Illegal(None, "{name} is not a game: {games}", name=quoted(name, 40), games=", ".join(GAMES))
    if players is None:
        players = listing.players
    if type(players) is not int or players not in listing.seats:
        raise Illegal(
            listing.clause,
            "{game} is for {least} to {most} players, not {n}",
            game=name,
            least=listing.seats[0],
            most=listing.seats[-1],
            n=quoted(players, 20),
        )
    known = {rule.name: rule for rule in listing.rules}
    unknown = next((rule for rule in rules if rule not in known), None)
    if unknown is not None:
        raise Illegal(
            None,
            "{rule} is not a house rule of {game}: {rules}",
            rule=quoted(unknown, 40),
            game=name,
            rules=", ".join(known),
        )
    chosen = {
        rule.name: rule.read(rules[rule.name]) if rule.name in rules else rule.default(players)
        for rule in listing.rules
    }
    return listing.make(players, chosen)


def chosen_rules(game: Game[Any]) -> dict[str, Value]:
    """The house rules of this game that differ from the defaults."""
    defaults = {rule.name: rule.default(game.players) for rule in GAMES[game.name].rules}
    return {name: value for name, value in game.house_rules.items() if value != defaults[name]}
