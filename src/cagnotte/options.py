"""What may be asked of the command `cagnotte`: options that commands share, and how their values are read."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final, NoReturn

from cagnotte.core import quoted
from cagnotte.games import GAMES
from cagnotte.languages import TAGS

IN_PATH: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def __init__(self, *, example: str = "", **options: Any) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(epilog=example, formatter_class=formatter, allow_abbrev=False, **options)
        self._negative_number_matcher = re.compile(r"-\d")  # so that -1,2 is a value, and no option

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As always, but what a command does not know is its fault, and its help is named."""
        known, others = super().parse_known_args(args, namespace)
        if others:
            self.error(f"unrecognized arguments: {' '.join(others)}")
        return known, others

    def error(self, message: str) -> NoReturn:
        from cagnotte.terminal.text import clean

        print(f"{self.prog}: {clean(message)} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


class Version(argparse.Action):
    """Prints the version of the program."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import version

        print(f"cagnotte {version('cagnotte')}")
        parser.exit()


def command(commands: Any, run: Callable[[Any], int], name: str, does: str, example: str) -> Parser:
    prog = f"{commands._prog_prefix} {name}"
    made: Parser = commands.add_parser(
        name, help=does, description=f"{does[0].upper()}{does[1:]}.", example=f"example: {prog} {example}"
    )
    made.set_defaults(run=run, usage=made.error)
    return made


def game_options(parser: Parser, without: Collection[str] = ()) -> None:
    """A game, its players, its house rules but those that there is no choice of here, and the dice."""
    add = parser.add_argument
    add("game", choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    add("--players", type=count, metavar="N", help="how many seats; default: 4, in Fear 6")
    add("--rule", type=_rule, action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    add("--seed", type=os.fsencode, metavar="S", help="a word or number; the same one deals the same cards")
    values = {rule.name: rule.values for listing in GAMES.values() for rule in listing.rules}
    table = "\n".join(f"  {name:12} {_said(those)}" for name, those in values.items() if name not in without)
    parser.epilog = (
        f"house rules (stake in Fear, all others in the Fan Tan games):\n{table}\n\n{parser.epilog}"
    )


def _said(values: range | tuple[str, ...]) -> str:
    return f"{values[0]}-{values[-1]}" if isinstance(values, range) else ", ".join(values)


def bots_option(parser: Parser, which: str, usual: str = "steady") -> None:
    parser.add_argument("--bots", metavar="A,B,…", default=usual, help=f"{which}; default: {usual}")


def file_options(parser: Parser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of records, or - for standard input")
    parser.add_argument("--json", action="store_true", help="a JSON object a line")


def lang_option(parser: Parser) -> None:
    parser.add_argument("--lang", choices=TAGS, default=_language(), help="language; default: the system's")


def _language() -> str:
    variables = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    said = next(filter(None, variables), None)
    if said is None and os.name == "nt":
        import locale

        said = locale.getlocale()[0]
    lang = (said or "")[:2].lower()
    return lang if lang in TAGS else "en"


def number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if _is_whole(text) and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from {least} to {most}")

    return number


def count(text: str) -> int:
    """A number of which the game says how large it may be."""
    if _is_whole(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number")


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def path(*forms: str) -> Callable[[str], Path]:
    def path(text: str) -> Path:
        if (found := Path(text)).suffix in forms:
            return found
        raise argparse.ArgumentTypeError(f"{quoted(text, 40)} does not end with {' or '.join(forms)}")

    return path


def scheduler(text: str) -> str:
    if re.fullmatch(r"(tcp|tls)://\S+:\d{1,5}", text):
        return text
    raise argparse.ArgumentTypeError(f"{quoted(text, 40)} is not tcp://HOST:PORT")


def numbers(least: int, most: int) -> Callable[[str], list[int]]:
    one = number(least, most)

    def numbers(text: str) -> list[int]:
        try:
            return [one(part.strip()) for part in text.split(",")]
        except argparse.ArgumentTypeError:
            message = f"{quoted(text, 40)} is not NUMBER,NUMBER,… from {least} to {most}"
            raise argparse.ArgumentTypeError(message) from None

    return numbers


def seconds(text: str) -> tuple[float, float]:
    if not re.fullmatch(r"\d{1,4}(\.\d{1,3})?,\d{1,4}(\.\d{1,3})?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{quoted(text, 40)} is not SECONDS,SECONDS such as 4,60")
    card, spread = map(float, text.split(","))
    return card, spread


def host(text: str) -> str:
    try:
        name = text.strip().encode("idna")
    except UnicodeError:
        name = b""
    if not name:  # nothing at all would be every address of this computer
        raise argparse.ArgumentTypeError(f"{quoted(text, 40)} is not an address")
    return text


def origin(text: str) -> str:
    """As browsers send it: without a path, and without the port that is usual.

    >>> origin("https://Cards.example:443/"), origin("http://[::1]:8443")
    ('https://cards.example', 'http://[::1]:8443')
    """
    found = re.fullmatch(r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?/?", text.lower(), re.ASCII)
    if not found:
        raise argparse.ArgumentTypeError(
            f"{quoted(text, 40)} is not an address such as https://cards.example"
        )
    scheme, host, port = found.groups("")
    return f"{scheme}://{host}{port if port != {'http': ':80', 'https': ':443'}[scheme] else ''}"


def networks(text: str) -> list[str]:
    from ipaddress import ip_network

    try:
        return [str(ip_network(each.strip())) for each in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quoted(text, 40)} is not ADDRESS,… or NETWORK/BITS,…") from None


def base(text: str) -> str:
    parts = text.strip("/").split("/")
    if not all(part.strip(".") and set(part) <= set(IN_PATH) for part in parts) and text.strip("/"):
        raise argparse.ArgumentTypeError(f"{quoted(text, 40)} is not a path such as /cards")
    return "".join(f"/{part}" for part in parts if part)


def _rule(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{quoted(text, 40)} is not NAME=VALUE")
    return name, value


def names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names) or len({name.casefold() for name in names}) < len(names):
        raise argparse.ArgumentTypeError("each person needs a name of their own")
    return names
