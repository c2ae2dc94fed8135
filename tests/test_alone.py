"""A table for one without a server, and that it tells what a server would tell."""

import ast
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from cagnotte.alone import OWN, Alone, Desk
from cagnotte.core import Illegal
from cagnotte.entries import ENTRIES
from cagnotte.games import GAMES
from cagnotte.locale import refusal
from cagnotte.server import wire
from cagnotte.server.pages import SHELLS
from cagnotte.table import Table
from cagnotte.table_terms import Here
from cagnotte.telling import UNREAD

ID = "alone-1"
WANTED = {"game": "fan-tan", "players": 4, "rules": {"deals": 1}, "name": "Ann", "pace": "once", "lang": "en"}

Json = dict[str, Any]


class Browser:
    """Talks to a desk as `worker.js` does, and keeps what is to be stored."""

    def __init__(self, wanted: Json = WANTED, seed: int = 7) -> None:
        self.dice = random.Random(seed)
        self.desk = Desk(self.dice)
        self.now = 0.0
        self.stored: list[Json] = []
        self.heard: list[Json] = []
        self.texts: list[str] = []
        self.due: float | None = None
        self.take(self.desk.open(ID, json.dumps(wanted)))

    def take(self, answer: str) -> list[Json]:
        told = json.loads(answer)
        self.stored += told["entries"]
        self.texts = told["out"]
        self.heard = [json.loads(text) for text in told["out"]]
        self.due = told["due"]
        return self.heard

    def say(self, **message: Any) -> list[Json]:
        return self.take(self.desk.hear(ID, self.now, json.dumps(message)))

    def hello(self, lang: str = "en") -> Json:
        [update] = self.say(type="hello", token=OWN, lang=lang)
        return update

    def step(self) -> list[Json]:
        """What comes next: the time that the table waits for, or a move of ours, any that is open."""
        table = self.desk.tables[ID].table
        if self.due is not None:
            self.now = max(self.now, self.due)
            return self.take(self.desk.tick(ID, self.now))
        moves = table.game.view(table.play, 0).moves
        if not moves:  # a settlement, or a spread of Fear: he reads it as long as he likes
            return self.say(type="go", seen=table.version)
        move = str(self.dice.choice(moves))
        return self.say(type="act", id=f"{table.version}", seen=table.version, move=move)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_sitting_is_played_and_goes_on_after_every_restart(game: str) -> None:
    """Kept in the browser, it comes back as it was; and what is over can be told again."""
    browser = Browser(WANTED | {"game": game, "rules": {} if game == "fear" else {"deals": 1}})
    update = browser.hello()
    while update["table"]["state"] != "over":
        if update["version"] % 50 == 0:
            browser.desk = Desk(browser.dice)
            browser.desk.restore(ID, json.dumps(browser.stored))
            again = browser.hello()
            assert (again["view"], again["version"]) == (update["view"], update["version"])
        update = next(said for said in reversed(browser.step()) if said["type"] == "update")
    assert update["view"]["over"] and update["table"]["me"] == 0
    told = json.loads(browser.desk.replay(json.dumps(browser.stored), '{"deal":1,"lang":"fr"}'))
    assert told["names"][0] == "Ann" and told["frames"]
    record = json.loads(browser.desk.replay(json.dumps(browser.stored), '{"what":"record"}'))
    assert record["game"] == game
    [*_, update] = browser.say(type="again")
    assert update["table"]["state"] == "playing"


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_it_tells_byte_for_byte_what_the_server_tells(game: str, lang: str) -> None:
    """From the same entries, at every fifth step of a sitting: no second way of telling can drift away."""
    browser = Browser(WANTED | {"game": game, "rules": {} if game == "fear" else {"deals": 1}})
    update = browser.hello(lang)
    while update["table"]["state"] != "over":
        update = next(said for said in reversed(browser.step()) if said["type"] == "update")
        if update["version"] % 5 == 0:
            browser.hello(lang)
            entries = [
                ENTRIES[one["kind"]](**{k: v for k, v in one.items() if k != "kind"})
                for one in browser.stored
            ]
            table = Table.restore(entries)
            table.receive(browser.now, Here(0, True))
            table.there = browser.desk.tables[ID].table.there  # when its waits began is not stored
            around = wire.table_json(table, ID, browser.now)
            told = wire.update(table.look(0, log=True), around, table.names, lang, None, [0])
            assert browser.texts == [told.decode()]


def test_everybody_else_is_a_bot() -> None:
    asked = WANTED | {"players": 5, "seats": ["person", "open", "random", "person", "steady"]}
    kinds = [seat["level"] for seat in Browser(asked).hello()["table"]["seats"]]
    assert kinds == [None, "steady", "random", "steady", "steady"]


def test_what_the_rules_refuse_is_refused_in_his_language() -> None:
    answer = json.loads(Desk(random.Random(1)).open(ID, json.dumps(WANTED | {"players": 9, "lang": "fr"})))
    assert answer["refused"]["clause"] == "T1"
    with pytest.raises(Illegal):
        Alone.open(ID, WANTED | {"seats": ["person", "genius", "steady", "steady"]}, random.Random(1))
    browser = Browser()
    browser.hello("fr")
    [refused, update] = browser.say(type="act", id="a", seen=99, move="7S")
    assert refused["type"] == "refused" and refused["message"].endswith(".") and update["type"] == "update"
    for nonsense in ({"type": "fly"}, {"type": "act", "move": 7}, {}):
        assert browser.say(**nonsense)[0]["message"] == refusal("fr", UNREAD)


def test_he_may_ask_for_a_hint_choose_the_pace_pause_rename_talk_leave_and_come_back() -> None:
    browser = Browser()
    browser.hello()
    assert browser.say(type="ping") == [{"type": "pong"}]
    assert browser.say(type="lang", value="fr")[0]["log"] is not None
    while browser.due is not None:
        browser.step()
    [hint] = browser.say(type="hint")
    assert hint["type"] == "hint" and hint["say"]
    assert browser.say(type="pace", value="slow")[-1]["table"]["pace"] == "slow"
    assert browser.say(type="pause", on=True)[-1]["table"]["paused"]
    assert not browser.say(type="pause", on=False)[-1]["table"]["paused"]
    assert browser.say(type="name", name="Bo")[-1]["table"]["seats"][0]["name"] == "Bo"
    assert browser.say(type="react", what="clap")[-1]["chat"][-1]["react"] == "clap"
    left = browser.say(type="leave")[-1]["table"]
    assert (left["me"], left["former"]) == (None, 0)
    seated, *_ = browser.say(type="sit", name="Bo")
    assert seated == {"type": "seated", "seat": 0, "token": OWN}
    assert browser.hello()["table"]["me"] == 0


def test_a_table_that_nobody_looks_at_sleeps() -> None:
    browser = Browser()
    browser.hello()
    browser.take(browser.desk.part(ID, browser.now))
    assert (browser.heard, browser.due) == ([], None)


def test_the_kept_python_has_what_the_rules_import() -> None:
    """`tools/interpreter.mjs` takes it from the package again when the rules need more."""
    package = ROOT / "src/cagnotte"
    with zipfile.ZipFile(package / "server/python/library.zip") as library:
        kept = {name.partition("/")[0].removesuffix(".pyc") for name in library.namelist()}
    shells = {Path(name).name for name in SHELLS}
    wanted = set()
    for path in package.rglob("*.py"):
        if path.relative_to(package).parts[0] not in shells:
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    wanted |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    wanted.add((node.module or "").partition(".")[0])
    built_in = {"cagnotte", "itertools", "math", "unicodedata"}
    assert wanted - kept - built_in == {"markdown_it"}  # the rules as a page: kept with the shell
