"""What each command does with what was asked for: `asked` has the options, and `usage` refuses them."""

import contextlib
import errno
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TextIO

from cagnotte.core import Game, Illegal
from cagnotte.games import GAMES, choose
from cagnotte.guests import bot, end_when_told
from cagnotte.terminal import INTERRUPTED

_NAMES: Final = (
    "Ann Bo Cy Di Eve Flo Gus Hal Ida Jo Kay Leo Mia Ned Oz Pia Quin Ray Sue Tom Una Val Wes Xen Yan Zoe"
)
NAMES: Final = tuple(_NAMES.split())


def speak(lang: str) -> None:
    """Write UTF-8 to files and pipes on every machine, and to a terminal what it can show; read likewise."""
    from cagnotte.terminal.text import plainly

    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed, or a program without a console
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif name == "stdin":
            stream.reconfigure(errors="replace", **({} if stream.isatty() else {"encoding": "utf-8"}))
        elif stream.isatty():
            stream.reconfigure(errors=plainly(lang))
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def discard() -> None:
    """Throw away what could not be written: Python would try again, and complain, while it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def fail(message: str) -> int:
    print(f"cagnotte: {_clean(message)}", file=sys.stderr)
    return 1


def _clean(text: str) -> str:
    from cagnotte.terminal.text import clean

    return clean(text)


def _game(asked: Any, players: int | None) -> Game[Any]:
    """The game that is asked for; wrong usage when there is none. It is said if it is unusual."""
    made = _chosen(asked, players)
    _say_if_unusual(made, getattr(asked, "lang", "en"))
    return made


def _chosen(asked: Any, players: int | None) -> Game[Any]:
    try:
        return choose(asked.game, players, dict(asked.rule))
    except Illegal as illegal:
        clause = f" ({illegal.clause})" if illegal.clause else ""
        asked.usage(illegal.message + clause)
        raise


def _say_if_unusual(game: Game[Any], lang: str) -> None:
    """Say that so few or so many seldom play this (F1)."""
    usual = GAMES[game.name].usual
    if game.players not in usual:
        from cagnotte.locale import say

        values = {"least": usual[0], "most": usual[-1], "n": game.players}
        print(say(lang, "term.unusual", game=say(lang, f"game.{game.name}"), **values), file=sys.stderr)


def _bot_names(asked: Any, seats: int) -> tuple[str, ...]:
    """A bot for each of so many seats: those named, in turn; wrong usage when one cannot be had."""
    names = [name.strip() for name in asked.bots.split(",")]
    if len(names) > max(seats, 1):
        asked.usage(f"{len(names)} bots are too many for {seats} seats")
    try:
        for name in names:
            bot(name)
    except Illegal as illegal:
        asked.usage(illegal.message)
    return tuple(names[seat % len(names)] for seat in range(seats))


def _bots(asked: Any, seats: int) -> list[Any]:
    return [bot(name) for name in _bot_names(asked, seats)]


def _seed(asked: Any) -> str:
    if asked.seed is None:
        return f"{random.SystemRandom().getrandbits(32)}"
    seed: bytes = asked.seed
    return seed.decode(errors="backslashreplace")


def serve(asked: Any) -> int:
    from cagnotte.server.serve import Settings, serve

    if asked.key and not asked.certificate:
        asked.usage("--key needs --certificate")
    return serve(
        Settings(
            host=asked.host,
            port=asked.port,
            database=asked.database,
            open_browser=not asked.no_browser,
            origins=asked.origin,
            proxies=asked.proxy,
            base=asked.base_path,
            certificate=asked.certificate,
            key=asked.key,
            metrics_token=asked.metrics_token,
            log_level=asked.log_level,
            log_form=asked.log,
        )
    )


def rules(asked: Any) -> int:
    from cagnotte.locale import rules_markdown

    speak(asked.lang)
    text = rules_markdown(asked.game, asked.lang)
    if asked.json:
        import json

        print(json.dumps({"game": asked.game, "lang": asked.lang, "markdown": text}, ensure_ascii=False))
        return 0
    from cagnotte.terminal.console import Console
    from cagnotte.terminal.text import page

    console = Console()
    for line in page(text, console.cells, console.coloured):
        console.line(line)
    return 0


def new(asked: Any) -> int:
    from cagnotte import record

    made = _game(asked, asked.players)
    bots, rng = _bots(asked, made.players), random.Random(asked.seed)
    for _ in range(asked.count):
        print(record.new(made, NAMES[: made.players], bots, rng))
    return 0


def check(asked: Any) -> int:
    from cagnotte.terminal.records import check

    return check(asked.files, asked.json)


def show(asked: Any) -> int:
    from cagnotte.terminal.records import show

    speak(asked.lang)
    return show(asked.files, asked.lang, asked.json)


def verify(asked: Any) -> int:
    from cagnotte.terminal.records import prove

    return prove(asked.files, asked.json)


def _data(asked: Any, run: Callable[[Path], int]) -> int:
    """What is done with the file of a server; a line and 1 where that cannot be done."""
    import sqlite3

    from cagnotte.server.data import Refused
    from cagnotte.server.serve import default_database
    from cagnotte.server.store import Unusable

    base: Path = asked.database or default_database()
    try:
        return run(base)
    except (Refused, Unusable) as refused:
        return fail(str(refused))
    except sqlite3.Error as error:
        return fail(f"{base}: {error}")


def backup(asked: Any) -> int:
    from cagnotte.server import data
    from cagnotte.terminal.text import counted

    def run(base: Path) -> int:
        print(_clean(f"{asked.to} holds {counted(data.backup(base, asked.to, asked.force), 'table')}"))
        return 0

    return _data(asked, run)


def restore(asked: Any) -> int:
    from cagnotte.server import data
    from cagnotte.terminal.text import counted

    def run(base: Path) -> int:
        print(_clean(f"{base} holds {counted(data.restore(asked.copy, base, asked.force), 'table')}"))
        return 0

    return _data(asked, run)


def check_data(asked: Any) -> int:
    import json
    from dataclasses import asdict

    from cagnotte.server import data
    from cagnotte.terminal.text import counted

    def run(base: Path) -> int:
        wrong = False
        for finding in data.check(base):
            wrong = True
            if asked.json:
                print(json.dumps({"ok": False} | asdict(finding), ensure_ascii=False))
            else:
                fail(f"{base}: {finding}")
        if wrong:
            return 1
        tables, entries = data.count(base)
        if asked.json:
            print(json.dumps({"ok": True, "tables": tables, "entries": entries}))
        else:
            print(_clean(f"{base}: ok, {counted(tables, 'table')}, {counted(entries, 'entry', 'entries')}"))
        return 0

    return _data(asked, run)


def export(asked: Any) -> int:
    from cagnotte.server import data

    def run(base: Path) -> int:
        code = 0
        data.count(base)  # that can be read: else the file to write to stays as it is
        to: contextlib.AbstractContextManager[TextIO] = contextlib.nullcontext(sys.stdout)
        if asked.to != "-":
            _only_records(path := Path(asked.to))
            to = data.exporting(base, path)
        with to as out:
            for found in data.records(base, asked.table):
                if isinstance(found, data.Finding):
                    code = fail(f"{base}: {found}")
                else:
                    print(found, file=out)
        return code

    return _data(asked, run)


def simulate(asked: Any) -> int:
    from cagnotte.study.simulate import Simulation
    from cagnotte.terminal.simulation import run

    if asked.bots is None:
        asked.bots = "steady"
    elif asked.game == "fear":
        asked.usage("Fear leaves nothing to skill: leave out --bots")
    made = _game(asked, asked.players)
    bots = _bot_names(asked, made.players)
    try:
        simulation = Simulation(made.name, bots, dict(asked.rule), _seed(asked))
    except Illegal as illegal:
        asked.usage(illegal.message)
        raise
    for path in filter(None, (asked.out, asked.plot)):
        _writable(path)
    end_when_told()
    return run(simulation, asked.deals, asked.json, asked.out, asked.plot, asked.scheduler)


def odds(asked: Any) -> int:
    from cagnotte.study.odds import MOST_PLAYERS, PACK, Pace
    from cagnotte.terminal import odds

    speak(asked.lang)
    pace = Pace(*asked.pace)
    asked.rule = [] if asked.stake is None else [("stake", asked.stake)]
    made: Any = None if asked.chips else _chosen(asked, asked.players)
    if asked.minutes is not None:
        if asked.rational or (asked.stake, asked.chips, asked.down) != (None, None, None):
            asked.usage("--minutes asks for a stake: leave out --stake, --chips, --down and --rational")
        code = odds.plan(made.players, asked.minutes, pace, asked.lang, asked.json)
    else:
        if asked.chips and (asked.stake is not None or asked.players not in (None, len(asked.chips))):
            asked.usage("--chips gives the chips of each: leave out --players and --stake")
        if asked.chips and not 2 <= len(asked.chips) <= MOST_PLAYERS:
            asked.usage(f"--chips gives the chips of 2 to {MOST_PLAYERS} players")
        chips = asked.chips or [made.rules.stake] * made.players
        code = odds.show(chips, asked.down or PACK, pace, asked.rational, asked.lang, asked.json)
    if made:
        _say_if_unusual(made, asked.lang)
    return code


def match(asked: Any) -> int:
    from cagnotte.study.match import Match
    from cagnotte.terminal.match import each, run

    made = _game(asked, asked.players)
    bots = _bot_names(asked, max(made.players, asked.bots.count(",") + 1) if asked.each else made.players)
    if len(set(bots)) < 2:
        asked.usage("a match sets bots against each other: name two or more that differ with --bots")
    try:
        match = Match(made.name, bots[: made.players], dict(asked.rule), _seed(asked))
    except Illegal as illegal:
        asked.usage(illegal.message)
        raise
    end_when_told()
    if asked.each:
        return each(match, list(dict.fromkeys(bots)), asked.deals, asked.json)
    return run(match, asked.deals, asked.json)


def play(asked: Any) -> int:
    from cagnotte.locale import say
    from cagnotte.table_terms import PACES
    from cagnotte.terminal.console import Console
    from cagnotte.terminal.sitting import Left, Sitting

    speak(asked.lang)
    people = asked.people or [NAMES[0]]
    players = max(GAMES[asked.game].players, len(people)) if asked.players is None else asked.players
    made = _game(asked, players)
    if len(people) > made.players:
        asked.usage(f"{len(people)} people are too many for {made.players} seats")
    bots = dict(enumerate(_bots(asked, made.players - len(people)), len(people)))
    taken = {name.casefold() for name in people}
    names = [*people, *(name for name in NAMES if name.casefold() not in taken)]
    if asked.save:
        _only_records(asked.save)
        _writable(asked.save)
    console = Console()
    pause = 0.0 if asked.pace == "once" else PACES[asked.pace].bot
    dice = random.Random(asked.seed)
    sitting = Sitting(made, names[: made.players], bots, asked.lang, console, dice, pause)
    end_when_told()
    try:
        sitting.run()
    except (Left, EOFError, KeyboardInterrupt) as left:
        console.line(f"\n{say(asked.lang, 'term.left')}")
        return INTERRUPTED if isinstance(left, KeyboardInterrupt) else 0
    finally:
        if asked.save and sitting.moves:
            _add(asked.save, str(sitting.record()))
            console.line(say(asked.lang, "term.saved", file=_clean(str(asked.save))))
    return 0


def _add(path: Path, line: str) -> None:
    """Add a line to a file, whose last one may lack its end."""
    with path.open("a+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        begin = "" if file.read() in (b"", b"\n") else "\n"
        file.write(f"{begin}{line}\n".encode())


def _writable(path: Path) -> None:
    """Raise OSError where a file cannot be written: better known now than when there is something to lose.

    A device or a pipe is none: it would be read without end. Nothing is changed.
    """
    new = not path.exists()
    if not new and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "not a file", str(path))
    path.open("ab").close()
    if new:
        path.resolve().unlink()


def _only_records(path: Path) -> None:
    """Raise OSError where something else than records is there: nothing is written to that."""
    from cagnotte.record import Fault, read

    if path.is_file() and path.stat().st_size:
        with path.open("rb") as file:
            _, first = next(read(file))
        if isinstance(first, Fault):
            raise OSError(errno.EINVAL, "something else than records is there: name another file", str(path))
