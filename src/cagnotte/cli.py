"""The command `cagnotte`: data goes to stdout, all else to stderr.

The exit code is 0 when it is done, 1 when the input is at fault, 2 for wrong usage, 130 after Ctrl-C, 141
when nobody reads what it writes any more, and 128 + n when signal n ended `play`, `simulate` or `match`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cagnotte import commands as run
from cagnotte.commands import discard, fail, speak
from cagnotte.core import Illegal
from cagnotte.games import GAMES
from cagnotte.guests import pressing
from cagnotte.options import (
    Parser,
    Version,
    base,
    bots_option,
    command,
    count,
    file_options,
    game_options,
    host,
    lang_option,
    names,
    networks,
    number,
    numbers,
    origin,
    path,
    scheduler,
    seconds,
)
from cagnotte.terminal import INTERRUPTED

UNREAD: Final = 141  # as shells say of a program whose reader went away
LOCAL: Final = ["127.0.0.0/8", "::1/128"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    try:
        try:
            speak("en")
            asked = _parser().parse_args(arguments)
            with pressing():
                code: int = asked.run(asked)
            return code
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        discard()
        return UNREAD
    except Illegal as illegal:
        return fail(illegal.message)
    except OSError as error:
        discard()
        return fail(f"{error.filename or 'the output'}: {error.strerror or error}")


# What may be asked.


def _parser() -> Parser:
    parser = Parser(
        prog="cagnotte",
        description="Five old card games about a pool of chips: " + ", ".join(GAMES) + ".",
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
    serve = command(commands, run.serve, "serve", "the table in the browser", "--port 8080 --no-browser")
    add = serve.add_argument
    add("--host", type=host, default="127.0.0.1", help="address to listen at; 0.0.0.0 for the whole network")
    add("--port", type=number(0, 65535), default=8000, help="0 for any; default: 8000, or one that is free")
    add("--database", type=Path, metavar="FILE", help="where tables are kept; default: among your data")
    add("--no-browser", action="store_true", help="open no browser")
    others = "another page that may connect"
    add("--origin", type=origin, action="append", default=[], metavar="URL", help=others)
    proxies = "believe the X-Forwarded headers of a proxy at these addresses; default: on this machine"
    add("--proxy", type=networks, nargs="?", const=LOCAL, default=[], metavar="ADDRESS,…", help=proxies)
    add("--base-path", type=base, default="", metavar="/PATH", help="serve everything below this path")
    add("--certificate", type=Path, metavar="FILE", help="serve https with this certificate (PEM)")
    add("--key", type=Path, metavar="FILE", help="its key, unless that is in the same file")
    add("--metrics-token", type=Path, metavar="FILE", help="who sends the token in this file reads /metrics")
    add("--log-level", choices=("debug", "info", "warning", "error"), default="warning", help="on stderr")
    add("--log", choices=("text", "json"), default="text", help="lines of text, or a JSON object a line")


def _add_play(commands: Any) -> None:
    play = command(
        commands, run.play, "play", "a table in the terminal", "fan-tan --bots steady,random,steady"
    )
    game_options(play)
    people = "who plays here, passing the keyboard round; default: you"
    add = play.add_argument
    add("--people", type=names, metavar="A,B,…", help=people)
    bots_option(play, "the bots in the other seats, in turn")
    add("--pace", choices=("slow", "normal", "quick", "once"), default="normal", help="how fast bots are")
    add("--save", type=Path, metavar="FILE", help="add the record to this file when you leave")
    lang_option(play)


def _add_record(commands: Any) -> None:
    record = commands.add_parser(
        "record",
        help="check, show or make records of sittings",
        description="Records of sittings.",
        example="example: cagnotte record check sittings.jsonl",
    )
    records = record.add_subparsers(metavar="COMMAND", required=True)

    check = command(records, run.check, "check", "replay records and judge them", "--json sittings.jsonl")
    file_options(check)

    told = "tell records move by move, with the reason of each payment"
    show = command(records, run.show, "show", told, "sitting.json")
    file_options(show)
    lang_option(show)

    made = "make records of sittings that bots play"
    new = command(records, run.new, "new", made, "fan-tan --count 10 --seed 1790")
    game_options(new)
    bots_option(new, "the bots in the seats, in turn")
    new.add_argument("--count", type=number(1, 10**9), default=1, metavar="K", help="how many; default: 1")
    new.add_argument("--json", action="store_true", help="records are JSON anyway")


def _add_rules(commands: Any) -> None:
    rules = command(commands, run.rules, "rules", "the rules of a game", "fear --lang fr")
    rules.add_argument("game", choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    lang_option(rules)
    rules.add_argument("--json", action="store_true", help="as JSON")


def _add_verify(commands: Any) -> None:
    does = "the proof that the shuffles of a finished sitting were fair"
    verify = command(commands, run.verify, "verify", does, "sitting.json")
    file_options(verify)


def _add_data(commands: Any) -> None:
    data = commands.add_parser(
        "data",
        help="copy, bring back, check or export the tables of a server",
        description="The file in which a server keeps its tables. All but restore may be done while it runs.",
        example="example: cagnotte data backup copy.sqlite",
    )
    parts = data.add_subparsers(metavar="COMMAND", required=True)

    copy = command(parts, run.backup, "backup", "a copy of all tables as they are now", "copy.sqlite")
    copy.add_argument("to", type=Path, metavar="TO", help="the copy")
    copy.add_argument("--force", action="store_true", help="replace a copy that is there")

    back = command(
        parts, run.restore, "restore", "put a copy in the place of the file", "copy.sqlite --force"
    )
    back.add_argument("copy", type=Path, metavar="COPY")
    forced = "also where there is a file, which is kept as .before, and from a copy with damaged tables"
    back.add_argument("--force", action="store_true", help=forced)

    judge = command(parts, run.check_data, "check", "look for damage, and replay every table", "--json")
    judge.add_argument("--json", action="store_true", help="a JSON object a line")

    told = "the record of every sitting that is over, a line each"
    export = command(parts, run.export, "export", told, "sittings.jsonl")
    export.add_argument("to", nargs="?", default="-", metavar="TO", help="a file; default: standard output")
    export.add_argument("--table", metavar="ID", help="of this table only")

    for each in (copy, back, judge, export):
        each.add_argument(
            "--database", type=Path, metavar="FILE", help="where tables are kept; default: among your data"
        )


def _add_simulate(commands: Any) -> None:
    does = "many deals by bots, and what they come to for each seat from eldest"
    simulate = command(commands, run.simulate, "simulate", does, "fan-tan --deals 1000000 --plot seats.svg")
    game_options(simulate, without=("deals",))
    bots_option(simulate, "the bots from eldest, in turn")
    simulate.set_defaults(bots=None)  # so that it is known whether any were named
    add = simulate.add_argument
    add("--deals", type=number(1, 10**12), default=100_000, metavar="N", help="how many; default: 100000")
    add("--json", action="store_true", help="as JSON")
    add("--out", type=path(".parquet", ".csv"), metavar="FILE", help="rows by deal: .parquet or .csv")
    add("--plot", type=path(".svg", ".png"), metavar="FILE", help="a picture: .svg or .png")
    add("--scheduler", type=scheduler, metavar="ADDRESS", help="play on a Dask cluster: tcp://HOST:PORT")


def _add_match(commands: Any) -> None:
    does = "bots against each other: the same deals with every seating"
    match = command(commands, run.match, "match", does, "fan-tan --bots steady,random,random,random")
    game_options(match, without=("chips", "deals", "debt"))
    bots_option(match, "the bots, in turn", "steady,random")
    add = match.add_argument
    add("--deals", type=number(1, 10**9), default=1000, metavar="N", help="how many; default: 1000")
    add("--each", action="store_true", help="one of each bot against a table of each other, as a table")
    add("--json", action="store_true", help="as JSON")


def _add_odds(commands: Any) -> None:
    does = "the exact odds of Fear by seat, how long it lasts, and which stake to take"
    odds = command(commands, run.odds, "odds", does, "fear --players 9 --minutes 20")
    add = odds.add_argument
    add("game", choices=("fear",), metavar="GAME", help="fear")
    add("--players", type=count, metavar="N", help="how many; default: 6")
    add("--stake", type=count, metavar="K", help="chips of each; default: as in the rules")
    chips = "chips of those still in, in the order of play from who acts next"
    add("--chips", type=numbers(1, 10), metavar="A,B,…", help=chips)
    add("--down", type=number(1, 52), metavar="R", help="cards face down; default: 52")
    add("--minutes", type=number(1, 9999), metavar="M", help="ask for the stake that this time allows")
    pace = "for a card, and for shuffling and spreading the pack; default: 4,60"
    add("--pace", type=seconds, metavar="SECONDS,SECONDS", default=(), help=pace)
    add("--rational", action="store_true", help="the chances as fractions too")
    add("--json", action="store_true", help="as JSON")
    lang_option(odds)
