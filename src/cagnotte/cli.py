"""The command `cagnotte`: data goes to stdout, all else to stderr.

The exit code is 0 when it is done, 1 when the input is at fault, 2 for wrong usage.
"""

import argparse
import contextlib
import os
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from cagnotte.core import Game, Illegal
from cagnotte.games import GAMES, choose

INTERRUPTED: Final = 130  # as shells say of a program that Ctrl-C ended …
UNREAD: Final = 141  # … and of one whose reader went away
LOCAL: Final = ["127.0.0.0/8", "::1/128"]
IN_PATH: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
_NAMES: Final = (
    "Ann Bo Cy Di Eve Flo Gus Hal Ida Jo Kay Leo Mia Ned Oz Pia Quin Ray Sue Tom Una Val Wes Xen Yan Zoe"
)
NAMES: Final = tuple(_NAMES.split())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    try:
        try:
            _speak("en")
            asked = _parser().parse_args(arguments)
            code: int = asked.run(asked)
            return code
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard()
        return UNREAD
    except Illegal as illegal:
        return _fail(illegal.message)
    except OSError as error:
        _discard()
        return _fail(f"{error.filename or 'the output'}: {error.strerror or error}")


def _speak(lang: str) -> None:
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


def _discard() -> None:
    """Throw away what could not be written: Python would try again, and complain, while it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str) -> int:
    print(f"cagnotte: {_clean(message)}", file=sys.stderr)
    return 1


def _clean(text: str) -> str:
    from cagnotte.terminal.text import clean

    return clean(text)


# What may be asked.


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def __init__(self, *, example: str = "", **options: Any) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(epilog=example, formatter_class=formatter, allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {_clean(message)} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


class Version(argparse.Action):
    """Prints the version of the program."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"cagnotte {version('cagnotte')}")
        parser.exit()


def _parser() -> Parser:
    parser = Parser(
        prog="cagnotte",
        description="Five old games about a pool of chips: " + ", ".join(GAMES) + ".",
        example="example: cagnotte play fan-tan",
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in (
        _add_serve,
        _add_play,
        _add_record,
        _add_rules,
        _add_verify,
        _add_data,
        _add_simulate,
        _add_match,
        _add_odds,
    ):
        add(commands)
    return parser


def _add_serve(commands: Any) -> None:
    serve = _command(commands, _serve, "serve", "the table in the browser", "--port 8080 --no-browser")
    add = serve.add_argument
    add("--host", type=_host, default="127.0.0.1", help="address to listen at; 0.0.0.0 for the whole network")
    add("--port", type=_number(0, 65535), default=8000, help="0 for any; default: 8000, or one that is free")
    add("--database", type=Path, metavar="FILE", help="where tables are kept; default: among your data")
    add("--no-browser", action="store_true", help="open no browser")
    add("--origin", action="append", default=[], metavar="URL", help="another page that may connect")
    proxies = "believe the X-Forwarded headers of a proxy at these addresses; default: on this machine"
    add("--proxy", type=_networks, nargs="?", const=LOCAL, default=[], metavar="ADDRESS,…", help=proxies)
    add("--base-path", type=_base, default="", metavar="/PATH", help="serve everything below this path")
    add("--certificate", type=Path, metavar="FILE", help="serve https with this certificate (PEM)")
    add("--key", type=Path, metavar="FILE", help="its key, unless that is in the same file")
    add("--metrics-token", type=Path, metavar="FILE", help="who sends the token in this file reads /metrics")
    add("--log-level", choices=("debug", "info", "warning", "error"), default="warning", help="on stderr")
    add("--log", choices=("text", "json"), default="text", help="lines of text, or a JSON object a line")


def _add_play(commands: Any) -> None:
    play = _command(commands, _play, "play", "a table in the terminal", "fan-tan --bots steady,random,steady")
    _game_options(play)
    people = "who plays here, passing the keyboard round; default: you"
    add = play.add_argument
    add("--people", type=_names, metavar="A,B,…", help=people)
    _bots_option(play, "the bots in the other seats, in turn")
    add("--pace", choices=("slow", "normal", "quick", "once"), default="normal", help="how fast bots are")
    add("--save", type=Path, metavar="FILE", help="add the record to this file when you leave")
    _lang_option(play)


def _add_record(commands: Any) -> None:
    record = commands.add_parser(
        "record",
        help="check, show or make records of sittings",
        description="Records of sittings.",
        example="example: cagnotte record check sittings.jsonl",
    )
    records = record.add_subparsers(metavar="COMMAND", required=True)

    check = _command(records, _check, "check", "replay records and judge them", "--json sittings.jsonl")
    _file_options(check)

    told = "tell records move by move, with the reason of each payment"
    show = _command(records, _show, "show", told, "sitting.json")
    _file_options(show)
    _lang_option(show)

    made = "make records of sittings that bots play"
    new = _command(records, _new, "new", made, "fan-tan --count 10 --seed 1790")
    _game_options(new)
    _bots_option(new, "the bots in the seats, in turn")
    new.add_argument("--count", type=_number(0, 10**9), default=1, metavar="K", help="how many; default: 1")
    new.add_argument("--json", action="store_true", help="records are JSON anyway")


def _add_rules(commands: Any) -> None:
    rules = _command(commands, _rules, "rules", "the rules of a game", "fear --lang fr")
    rules.add_argument("game", choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    _lang_option(rules)
    rules.add_argument("--json", action="store_true", help="as JSON")


def _add_verify(commands: Any) -> None:
    does = "the proof that the shuffles of a finished sitting were fair"
    verify = _command(commands, _verify, "verify", does, "sitting.json")
    _file_options(verify)


def _add_data(commands: Any) -> None:
    data = commands.add_parser(
        "data",
        help="copy, bring back, check or export the tables of a server",
        description="The file in which a server keeps its tables. All but restore may be done while it runs.",
        example="example: cagnotte data backup copy.sqlite",
    )
    parts = data.add_subparsers(metavar="COMMAND", required=True)

    copy = _command(parts, _backup, "backup", "a copy of all tables as they are now", "copy.sqlite")
    copy.add_argument("to", type=Path, metavar="TO", help="the copy")
    copy.add_argument("--force", action="store_true", help="replace a copy that is there")

    back = _command(parts, _restore, "restore", "put a copy in the place of the file", "copy.sqlite --force")
    back.add_argument("copy", type=Path, metavar="COPY")
    forced = "also where there is a file, which is kept as .before, and from a copy with damaged tables"
    back.add_argument("--force", action="store_true", help=forced)

    judge = _command(parts, _check_data, "check", "look for damage, and replay every table", "--json")
    judge.add_argument("--json", action="store_true", help="a JSON object a line")

    told = "the record of every sitting that is over, a line each"
    export = _command(parts, _export, "export", told, "sittings.jsonl")
    export.add_argument("to", nargs="?", default="-", metavar="TO", help="a file; default: standard output")
    export.add_argument("--table", metavar="ID", help="of this table only")

    for each in (copy, back, judge, export):
        each.add_argument(
            "--database", type=Path, metavar="FILE", help="where tables are kept; default: among your data"
        )


def _add_simulate(commands: Any) -> None:
    does = "many deals by bots, and what they come to for each seat from eldest"
    simulate = _command(commands, _simulate, "simulate", does, "fan-tan --deals 1000000 --plot seats.svg")
    _game_options(simulate)
    _bots_option(simulate, "the bots from eldest, in turn")
    add = simulate.add_argument
    add("--deals", type=_number(1, 10**12), default=100_000, metavar="N", help="how many; default: 100000")
    add("--json", action="store_true", help="as JSON")
    add("--out", type=_path(".parquet", ".csv"), metavar="FILE", help="rows by deal: .parquet or .csv")
    add("--plot", type=_path(".svg", ".png"), metavar="FILE", help="a picture: .svg or .png")
    add("--scheduler", type=_scheduler, metavar="ADDRESS", help="play on a Dask cluster: tcp://HOST:PORT")


def _add_match(commands: Any) -> None:
    does = "bots against each other: the same deals with every seating"
    match = _command(commands, _match, "match", does, "fan-tan --bots steady,random,random,random")
    _game_options(match)
    _bots_option(match, "the bots, in turn", "steady,random")
    add = match.add_argument
    add("--deals", type=_number(1, 10**9), default=1000, metavar="N", help="how many; default: 1000")
    add("--each", action="store_true", help="one of each bot against a table of each other, as a table")
    add("--json", action="store_true", help="as JSON")


def _add_odds(commands: Any) -> None:
    does = "the exact odds of Fear by seat, how long it lasts, and which stake to take"
    odds = _command(commands, _odds, "odds", does, "fear --players 9 --minutes 20")
    add = odds.add_argument
    add("game", choices=("fear",), metavar="GAME", help="fear")
    add("--players", type=_number(0, 999), metavar="N", help="how many; default: 6")
    add("--stake", type=_number(0, 999), metavar="K", help="chips of each; default: as in the rules")
    chips = "chips of those still in, in the order of play from who acts next"
    add("--chips", type=_numbers, metavar="A,B,…", help=chips)
    add("--down", type=_number(0, 999), default=52, metavar="R", help="cards face down; default: 52")
    add("--minutes", type=_number(1, 9999), metavar="M", help="ask for the stake that this time allows")
    pace = "for a card, and for shuffling and spreading the pack; default: 4,60"
    add("--pace", type=_seconds, metavar="SECONDS,SECONDS", default=(4.0, 60.0), help=pace)
    add("--rational", action="store_true", help="the chances as fractions too")
    add("--json", action="store_true", help="as JSON")
    _lang_option(odds)


def _command(commands: Any, run: Callable[[Any], int], name: str, does: str, example: str) -> Parser:
    prog = f"{commands._prog_prefix} {name}"
    made: Parser = commands.add_parser(
        name, help=does, description=f"{does[0].upper()}{does[1:]}.", example=f"example: {prog} {example}"
    )
    made.set_defaults(run=run, usage=made.error)
    return made


def _game_options(parser: Parser) -> None:
    add = parser.add_argument
    add("game", choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    add("--players", type=_number(0, 999), metavar="N", help="how many seats; default: 4, in Fear 6")
    add("--rule", type=_rule, action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    add("--seed", type=os.fsencode, metavar="S", help="a word or number; the same one deals the same cards")
    values = {rule.name: rule.values for listing in GAMES.values() for rule in listing.rules}
    table = "\n".join(f"  {name:12} {_said(those)}" for name, those in values.items())
    parser.epilog = (
        f"house rules (stake in Fear, all others in the Fan Tan games):\n{table}\n\n{parser.epilog}"
    )


def _said(values: range | tuple[str, ...]) -> str:
    return f"{values[0]}-{values[-1]}" if isinstance(values, range) else ", ".join(values)


def _bots_option(parser: Parser, which: str, usual: str = "steady") -> None:
    parser.add_argument("--bots", metavar="A,B,…", default=usual, help=f"{which}; default: {usual}")


def _file_options(parser: Parser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of records, or - for standard input")
    parser.add_argument("--json", action="store_true", help="a JSON object a line")


def _lang_option(parser: Parser) -> None:
    parser.add_argument(
        "--lang", choices=("en", "fr"), default=_language(), help="language; default: the system's"
    )


def _language() -> str:
    variables = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    said = next(filter(None, variables), None)
    if said is None and os.name == "nt":
        import locale

        said = locale.getlocale()[0]
    return "fr" if (said or "").lower().startswith("fr") else "en"


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number from {least} to {most}")

    return number


def _path(*forms: str) -> Callable[[str], Path]:
    def path(text: str) -> Path:
        if (found := Path(text)).suffix in forms:
            return found
        raise argparse.ArgumentTypeError(f"{text[:40]!r} does not end with {' or '.join(forms)}")

    return path


def _scheduler(text: str) -> str:
    if re.fullmatch(r"(tcp|tls)://\S+:\d{1,5}", text):
        return text
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not tcp://HOST:PORT")


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not NUMBER,NUMBER,…")
    return [int(part) for part in parts]


def _seconds(text: str) -> tuple[float, float]:
    if not re.fullmatch(r"\d{1,4}(\.\d{1,3})?,\d{1,4}(\.\d{1,3})?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not SECONDS,SECONDS such as 4,60")
    card, spread = map(float, text.split(","))
    return card, spread


def _host(text: str) -> str:
    try:
        name = text.strip().encode("idna")
    except UnicodeError:
        name = b""
    if not name:  # nothing at all would be every address of this computer
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not an address")
    return text


def _networks(text: str) -> list[str]:
    from ipaddress import ip_network

    try:
        return [str(ip_network(each.strip())) for each in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not ADDRESS,… or NETWORK/BITS,…") from None


def _base(text: str) -> str:
    parts = text.strip("/").split("/")
    if not all(part.strip(".") and set(part) <= set(IN_PATH) for part in parts) and text.strip("/"):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a path such as /cards")
    return "".join(f"/{part}" for part in parts if part)


def _rule(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not NAME=VALUE")
    return name, value


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names) or len({name.casefold() for name in names}) < len(names):
        raise argparse.ArgumentTypeError("each person needs a name of his own")
    return names


# What is then done.


def _game(asked: Any, players: int | None) -> Game[Any]:
    """The game that is asked for; wrong usage when there is none."""
    try:
        made = choose(asked.game, players, dict(asked.rule))
    except Illegal as illegal:
        clause = f" ({illegal.clause})" if illegal.clause else ""
        asked.usage(illegal.message + clause)
        raise
    _say_if_unusual(made, getattr(asked, "lang", "en"))
    return made


def _say_if_unusual(game: Game[Any], lang: str) -> None:
    """Say that so few or so many seldom play this (F1)."""
    usual = GAMES[game.name].usual
    if game.players not in usual:
        from cagnotte.locale import say

        values = {"least": usual[0], "most": usual[-1], "n": game.players}
        print(say(lang, "term.unusual", game=say(lang, f"game.{game.name}"), **values), file=sys.stderr)


def _bots(asked: Any, seats: int) -> list[Any]:
    """The bots for so many seats: those named, in turn and over again; wrong usage when one cannot be had."""
    from cagnotte.players import bot

    names = asked.bots.split(",")
    if len(names) > max(seats, 1):
        asked.usage(f"{len(names)} bots are too many for {seats} seats")
    try:
        bots = [bot(name.strip()) for name in names]
    except Illegal as illegal:
        asked.usage(illegal.message)
    return [bots[seat % len(bots)] for seat in range(seats)]


def _seed(asked: Any) -> str:
    if asked.seed is None:
        return f"{random.SystemRandom().getrandbits(32)}"
    seed: bytes = asked.seed
    return seed.decode(errors="backslashreplace")


def _serve(asked: Any) -> int:
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


def _rules(asked: Any) -> int:
    from cagnotte.locale import rules_markdown

    _speak(asked.lang)
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


def _new(asked: Any) -> int:
    from cagnotte import record

    made = _game(asked, asked.players)
    bots, rng = _bots(asked, made.players), random.Random(asked.seed)
    for _ in range(asked.count):
        print(record.new(made, NAMES[: made.players], bots, rng))
    return 0


def _check(asked: Any) -> int:
    from cagnotte.terminal.records import check

    return check(asked.files, asked.json)


def _show(asked: Any) -> int:
    from cagnotte.terminal.records import show

    _speak(asked.lang)
    return show(asked.files, asked.lang, asked.json)


def _verify(asked: Any) -> int:
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
        return _fail(str(refused))
    except sqlite3.Error as error:
        return _fail(f"{base}: {error}")


def _backup(asked: Any) -> int:
    from cagnotte.server import data
    from cagnotte.terminal.text import counted

    def run(base: Path) -> int:
        print(_clean(f"{asked.to} holds {counted(data.backup(base, asked.to, asked.force), 'table')}"))
        return 0

    return _data(asked, run)


def _restore(asked: Any) -> int:
    from cagnotte.server import data
    from cagnotte.terminal.text import counted

    def run(base: Path) -> int:
        print(_clean(f"{base} holds {counted(data.restore(asked.copy, base, asked.force), 'table')}"))
        return 0

    return _data(asked, run)


def _check_data(asked: Any) -> int:
    import json
    from dataclasses import asdict

    from cagnotte.server import data
    from cagnotte.terminal.text import counted

    def run(base: Path) -> int:
        wrong = False
        for finding in data.check(base):
            wrong = True
            if asked.json:
                print(json.dumps(asdict(finding), ensure_ascii=False))
            else:
                _fail(f"{base}: {finding}")
        if not wrong and not asked.json:
            tables, entries = data.count(base)
            print(_clean(f"{base}: ok, {counted(tables, 'table')}, {counted(entries, 'entry', 'entries')}"))
        return int(wrong)

    return _data(asked, run)


def _export(asked: Any) -> int:
    from cagnotte.server import data

    def run(base: Path) -> int:
        code = 0
        out = sys.stdout if asked.to == "-" else open(asked.to, "w", encoding="utf-8")  # noqa: SIM115
        with contextlib.nullcontext() if out is sys.stdout else out:
            for found in data.records(base, asked.table):
                if isinstance(found, data.Finding):
                    code = _fail(f"{base}: {found}")
                else:
                    print(found, file=out)
        return code

    return _data(asked, run)


def _simulate(asked: Any) -> int:
    from cagnotte.study.simulate import Simulation
    from cagnotte.terminal.simulation import run

    made, names = _game(asked, asked.players), asked.bots.split(",")
    _bots(asked, made.players)
    bots = tuple(names[seat % len(names)].strip() for seat in range(made.players))
    try:
        simulation = Simulation(made.name, bots, dict(asked.rule), _seed(asked))
    except Illegal as illegal:
        asked.usage(illegal.message)
        raise
    return run(simulation, asked.deals, asked.json, asked.out, asked.plot, asked.scheduler)


def _odds(asked: Any) -> int:
    from cagnotte.study.odds import Pace
    from cagnotte.terminal import odds

    _speak(asked.lang)
    pace = Pace(*asked.pace)
    if asked.minutes is not None:
        if asked.stake is not None or asked.chips is not None:
            asked.usage("--minutes asks for a stake: leave out --stake and --chips")
        made: Any = choose("fear", asked.players, {})
        code = odds.plan(made.players, asked.minutes, pace, asked.lang, asked.json)
        _say_if_unusual(made, asked.lang)
        return code
    made = None
    if asked.chips is None:
        stake = {} if asked.stake is None else {"stake": asked.stake}
        made = choose("fear", asked.players, stake)
        asked.chips = [made.rules.stake] * made.players
    elif asked.stake is not None or asked.players not in (None, len(asked.chips)):
        asked.usage("--chips gives the chips of each: leave out --players and --stake")
    code = odds.show(asked.chips, asked.down, pace, asked.rational, asked.lang, asked.json)
    if made:
        _say_if_unusual(made, asked.lang)
    return code


def _match(asked: Any) -> int:
    from cagnotte.study.match import Match
    from cagnotte.terminal.match import each, run

    made, names = _game(asked, asked.players), [name.strip() for name in asked.bots.split(",")]
    if asked.each and len(set(names)) < 2:
        asked.usage("--each sets bots against each other: name two or more with --bots")
    _bots(asked, max(made.players, len(names)) if asked.each else made.players)
    try:
        bots = tuple(names[seat % len(names)] for seat in range(made.players))
        match = Match(made.name, bots, dict(asked.rule), _seed(asked))
    except Illegal as illegal:
        asked.usage(illegal.message)
        raise
    if asked.each:
        return each(match, list(dict.fromkeys(names)), asked.deals, asked.json)
    return run(match, asked.deals, asked.json)


def _play(asked: Any) -> int:
    from cagnotte.locale import say
    from cagnotte.table_terms import PACES
    from cagnotte.terminal.console import Console
    from cagnotte.terminal.sitting import Left, Sitting

    _speak(asked.lang)
    people = asked.people or [NAMES[0]]
    players = max(GAMES[asked.game].players, len(people)) if asked.players is None else asked.players
    made = _game(asked, players)
    if len(people) > made.players:
        asked.usage(f"{len(people)} people are too many for {made.players} seats")
    bots = dict(enumerate(_bots(asked, made.players - len(people)), len(people)))
    taken = {name.casefold() for name in people}
    names = [*people, *(name for name in NAMES if name.casefold() not in taken)]
    if asked.save:
        asked.save.open("ab").close()  # better known now than when there is something to lose
    console = Console()
    pause = 0.0 if asked.pace == "once" else PACES[asked.pace].bot
    dice = random.Random(asked.seed)
    sitting = Sitting(made, names[: made.players], bots, asked.lang, console, dice, pause)
    _end_when_told()
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


def _end_when_told() -> None:
    """End in good order, the record saved, also when the window is closed or the system says so."""
    import signal

    def end(number: int, frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
