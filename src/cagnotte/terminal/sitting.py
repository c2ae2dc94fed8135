"""A sitting in the terminal: one person against bots, or several who pass the keyboard round."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cagnotte.core import CHANCE, Game, Illegal, Over, Seat, Shuffled, Turn, play
from cagnotte.fantan_terms import PASS, DealWon, Lay
from cagnotte.fear import Gathered, Won
from cagnotte.games import chosen_rules
from cagnotte.locale import refusal, rules_markdown, say
from cagnotte.locale.tell import tell
from cagnotte.players import Bot
from cagnotte.players.hint import hint
from cagnotte.record import Record, actor_name, result
from cagnotte.terminal import answer
from cagnotte.terminal.board import board, labels
from cagnotte.terminal.console import Console
from cagnotte.terminal.records import house_rules
from cagnotte.terminal.text import page, short

QUESTIONS: Final = {
    "bonus": "term.ask.bonus",
    "cut": "term.ask.cut",
    "name": "term.ask.name",
    "open": "term.ask.open",
    "pass": "term.ask.pass",
    "play": "term.ask.play",
    "turn": "term.ask.turn",
}


class Left(Exception):
    """Somebody wants to leave the table."""


@dataclass
class Sitting:
    """One sitting, its players, and what each person was told so far."""

    game: Game[Any]
    names: Sequence[str]
    bots: Mapping[Seat, Bot]  # whoever has none is a person
    lang: str
    console: Console
    rng: random.Random
    pause: float  # seconds before a bot acts; without any, nobody is asked to go on either
    moves: list[str] = field(default_factory=list)
    happened: list[list[Any]] = field(default_factory=list)  # by action
    heard: dict[Seat, int] = field(default_factory=dict)  # how much of it each person was told
    told: dict[Seat, list[Any]] = field(default_factory=dict)  # and each bot
    hand_of: Seat | None = None  # whose hand is to be seen on the screen

    def __post_init__(self) -> None:
        self.names = [short(name) for name in self.names]
        self.people = [seat for seat in range(self.game.players) if seat not in self.bots]
        self.heard = dict.fromkeys(self.people, 0)
        self.told = {seat: [] for seat in self.bots}
        self.state = self.game.start()
        self.secret = self.game.name != "fear" and len(self.people) > 1  # there are hands to hide
        self.reader = self.people[0] if len(self.people) == 1 else None  # who reads all that is written
        self.shown = list(self.names)
        if self.reader is not None:
            self.shown[self.reader] = say(self.lang, "term.you")

    def run(self) -> None:
        """Play to the end; raises Left, EOFError or KeyboardInterrupt when people leave before."""
        self._welcome()
        while (actor := self.game.actor(self.state)) is not None:
            if actor == CHANCE:
                action = self.game.draw(self.state, self.rng)
            elif actor in self.bots:
                self.console.wait(0 if self.secret else self.pause)
                view = self.game.view(self.state, actor)
                action = self.bots[actor](view, self.told[actor], self.rng)
            else:
                action = self._person(actor)
            self._play(actor, action)

    def record(self) -> Record:
        """The record of the sitting as far as it went."""
        game, state = self.game, self.state
        over = result(game, state) if game.actor(state) is None else None
        return Record(game.name, tuple(self.names), tuple(self.moves), dict(chosen_rules(game)), over)

    def _play(self, actor: Seat, action: Any) -> None:
        self.state, events = play(self.game, self.state, action)
        self.moves.append(f"{actor_name(actor)} {action}")
        self.happened.append(events)
        for seat, told in self.told.items():
            told += [heard for event in events if (heard := self.game.redact(event, seat)) is not None]
        if any(isinstance(event, DealWon | Over) for event in events):
            self._settled()
        elif not self.secret:
            self._tell(self.reader, events)
            self._all_heard()

    # What people read.

    def _welcome(self) -> None:
        game, lang = self.game, self.lang
        self._say("term.welcome", game=say(lang, f"game.{game.name}"), names=", ".join(self.shown))
        self._say(f"game.{game.name}.line")
        for rule in house_rules(game, lang):
            self.console.say(rule)
        self._say("term.card")
        self._say("term.help")
        self.console.line()

    def _say(self, key: str, **values: object) -> None:
        self.console.say(say(self.lang, key, **values))

    def _tell(self, reader: Seat | None, events: Sequence[Any]) -> None:
        """Tell what happened by one action: in one go, but a settlement line by line."""
        sentences = []
        for event in events:
            told = self.game.redact(event, reader)
            if told is None or (isinstance(told, Turn) and told.phase not in ("bonus", "open")):
                continue  # the question that follows says whose turn it is
            sentences.append(tell(told, self.names, self.lang, reader))
        apart = any(isinstance(event, DealWon | Won | Over | Gathered) for event in events)
        for text in filter(None, sentences if apart else [" ".join(filter(None, sentences))]):
            self.console.say(text)

    def _retell(self, seat: Seat) -> None:
        """Tell a person what happened since he last was told."""
        for events in self.happened[self.heard[seat] :]:
            self._tell(seat, events)
        self.heard[seat] = len(self.happened)

    def _all_heard(self) -> None:
        self.heard = dict.fromkeys(self.people, len(self.happened))

    def _in_public(self) -> None:
        """Tell all together what some of them have not heard yet, with no hand in sight."""
        self._hide()
        for events in self.happened[min(self.heard.values()) :]:
            self._tell(None, events)
        self._all_heard()

    def _settled(self) -> None:
        """The end of a deal, which all may see; then whoever is there goes on."""
        if self.secret:
            self._in_public()
        else:
            self.console.line()
            self._tell(self.reader, self.happened[-1])
            self._all_heard()
        self._board(self.game.view(self.state, None))
        if self.game.actor(self.state) is not None and self.pause:
            self._ask(say(self.lang, "term.go"), None)
            self.console.line()

    def _hide(self) -> None:
        if self.hand_of is not None:
            self.console.forget()
            self.hand_of = None

    # What people answer.

    def _person(self, seat: Seat) -> Any:
        """The move of a person: legal, and meant."""
        view = self.game.view(self.state, seat)
        if self.secret and view.phase == "cut":  # nothing to hide before the deal
            self._in_public()
        elif self.secret:
            if self.hand_of != seat:
                self._hide()
                self._ask(say(self.lang, "term.hand_over", name=self.names[seat]), None)
                self.console.forget()
            self._retell(seat)
            self.hand_of = seat
        if view.phase != "cut":  # then there is nothing on the table
            self._board(view)
        passing = False
        while True:
            typed = self._ask(self._question(view), view)
            try:
                action = self._any(view) if not typed else answer.move(typed, view.phase, self.lang)
                if action is None:
                    passing = False
                    continue
                withheld = action == PASS and view.phase == "play" and len(view.moves) > 1
                if withheld and not passing and view.rules["passing"] != "forbidden":
                    passing = True
                    if view.rules["passing"] == "honour":
                        self._say("term.sure.honour")
                    else:
                        self._say("term.sure.fined", chips=say(self.lang, "chips", n=view.price + view.fine))
                    continue
                self.game.decide(self.state, action)
                return action
            except Illegal as illegal:
                passing = False
                clause = f" ({illegal.clause})" if illegal.clause else ""
                self.console.say(refusal(self.lang, illegal) + clause)

    def _any(self, view: Any) -> Any:
        """The move that Enter alone stands for: any where all are alike, the pass when it is the only one."""
        if view.phase in ("cut", "name", "turn"):
            return self.rng.choice(view.moves)
        return view.moves[0] if view.moves == (PASS,) else None

    def _question(self, view: Any) -> str:
        phase = "pass" if view.moves == (PASS,) and view.phase == "play" else view.phase
        values = {"least": view.moves[0].at, "most": view.moves[-1].at} if phase == "cut" else {}
        question = say(self.lang, QUESTIONS[phase], **values)
        return question if self.reader is not None else f"{self.names[view.actor]}. {question}"

    def _ask(self, question: str, view: Any) -> str:
        """A typed answer that is none of our words; view is None where only Enter is waited for."""
        while True:
            typed = self.console.ask(question)
            match answer.word(typed):
                case "quit":
                    raise Left
                case "rules":
                    for line in page(
                        rules_markdown(self.game.name, self.lang), self.console.cells, self.console.coloured
                    ):
                        self.console.line(line)
                case "log" if view is not None:
                    self._log(view.seat)
                case "help":
                    self._help(view)
                case "hint" if view is not None:
                    self._hint(view)
                case _:
                    return typed

    def _board(self, view: Any) -> None:
        for line in board(view, self.shown, self.lang, self.console):
            self.console.line(line)

    def _log(self, seat: Seat) -> None:
        """What happened since the last shuffle; in the first deal also the draw before it."""
        shuffles = [i for i, events in enumerate(self.happened) if isinstance(events[0], Shuffled)]
        for events in self.happened[shuffles[-1] if len(shuffles) > 1 else 0 :]:
            self._tell(seat, events)

    def _hint(self, view: Any) -> None:
        """What the steady player would do, and why."""
        events = [event for events in self.happened for event in events]
        told = [heard for event in events if (heard := self.game.redact(event, view.seat)) is not None]
        found = hint(view, told)
        self._say(found.key, **found.values)

    def _help(self, view: Any) -> None:
        """What can be done now, and what may be typed; view is None where only Enter is waited for."""
        if view is None:
            return self._say("term.help.enter")
        if view.phase == "cut":
            self._say("term.can.cut", least=view.moves[0].at, most=view.moves[-1].at)
        elif view.phase in ("play", "bonus", "open"):
            lays = [move.card for move in view.moves if isinstance(move, Lay)]
            if lays:
                self._say("term.can.lay", cards=labels(lays, self.lang))
            if PASS in view.moves:
                false = "term.can.pass_falsely" if lays else "term.can.pass"
                self._say("term.can.decline" if view.phase == "bonus" else false)
        elif view.phase == "name":
            self._say("term.can.name", cards=labels([move.card for move in view.moves], self.lang))
        elif view.phase == "turn":
            self._say("term.can.turn")
        if view.phase not in ("cut", "turn"):
            self._say("term.card")
        self._say("term.help")
