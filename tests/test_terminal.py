"""The table in the terminal: sittings by what is typed, hands hidden from the others, lines that fit."""

from __future__ import annotations

import io
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cagnotte
from cagnotte import record
from cagnotte.cards import CARD, PACK, letters
from cagnotte.core import CHANCE, Cut, Illegal
from cagnotte.fantan_terms import Laid, Lay
from cagnotte.fear import Name, TurnOver
from cagnotte.games import GAMES
from cagnotte.locale import LANGUAGES, say
from cagnotte.players import bot
from cagnotte.terminal import answer
from cagnotte.terminal.board import board
from cagnotte.terminal.console import FORGET, Console
from cagnotte.terminal.sitting import Left, Sitting
from cagnotte.terminal.text import clean, fit, fold, page, plainly, short, width

NAMES = ["Ann", "Bo", "Cy", "Di", "Eve", "Flo"]
PROGRAM = str(Path(sys.executable).with_name("cagnotte"))


class Screen(io.StringIO):
    """A terminal as far as anybody can tell."""

    def isatty(self) -> bool:
        return True


class Keyboard(io.StringIO):
    """Types what it is told to, then what `types` says of the sitting, for as long as it is asked."""

    def __init__(self, typed: str = "", types: Callable[[Sitting], str] | None = None) -> None:
        super().__init__(typed)
        self.types = types
        self.sitting: Sitting | None = None

    def readline(self, *size: Any) -> Any:
        line = super().readline()
        if not line and self.types is not None and self.sitting is not None:
            return self.types(self.sitting) + "\n"
        return line


def table(
    game: Any,
    keyboard: Keyboard,
    people: int = 1,
    lang: str = "en",
    screen: io.TextIOBase | None = None,
    seed: int = 1,
    level: str = "random",
) -> tuple[Sitting, Any]:
    out: Any = screen or io.StringIO()
    bots = {seat: bot(level) for seat in range(people, game.players)}
    names = NAMES[: game.players]
    console = Console(keyboard, out)
    keyboard.sitting = Sitting(game, names, bots, lang, console, random.Random(seed), pause=1e-9)
    return keyboard.sitting, out


def typist(lang: str) -> Callable[[Sitting], str]:
    """Types moves of a steady player, in all ways that one may write them."""
    rng = random.Random(5)

    def types(sitting: Sitting) -> str:
        game, state = sitting.game, sitting.state
        actor = game.actor(state)
        if actor == CHANCE or (sitting.secret and sitting.hand_of != actor and game.view(state, actor).hand):
            return ""
        view = game.view(state, actor)
        move = bot("steady")(view, (), rng)
        match move:
            case Lay(card) | Name(card):
                ways = [
                    card.label(lang),
                    card.label(lang).lower(),
                    " " + " ".join(card.label(lang)),
                    card.label("fr"),
                ]
                if lang == "en":
                    ways += [str(card), str(card).lower(), str(move)]
                return rng.choice(ways)
            case Cut(number) | TurnOver(number):
                return rng.choice([str(number), str(move), f" {number} ", ""])
        return rng.choice(["pass", "PASS", "passe", "Passer "])

    return types


# Whole sittings.


@pytest.mark.parametrize("people", [1, 2, 99])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_whole_sittings_can_be_played_by_typing(name: str, lang: str, people: int) -> None:
    game: Any = cagnotte.game(name, 5, **({} if name == "fear" else {"deals": 2, "passing": "fined"}))
    sitting, out = table(game, Keyboard(types=typist(lang)), min(people, 5), lang)
    sitting.run()
    made = sitting.record()
    assert record.check(made).plain()["over"]
    assert made.result
    text = out.getvalue()
    assert max(map(width, text.splitlines())) < 80
    assert not re.search(r"[{}]|\x1b", text)
    assert say(lang, "tell.Shuffled") in text


def test_T9_enter_passes_when_nothing_else_can_be_done() -> None:
    game: Any = cagnotte.game("fan-tan", deals=1)

    def types(sitting: Sitting) -> str:
        moves = sitting.game.legal(sitting.state)
        return str(moves[0]) if len(moves) > 1 or str(moves[0]) != "pass" else ""

    sitting, _ = table(game, Keyboard(types=types))
    sitting.run()
    assert "0 pass" in sitting.moves


# Hands are hidden.


@pytest.mark.parametrize("people", [2, 3, 4])
@pytest.mark.parametrize("name", [name for name in GAMES if name != "fear"])
def test_C4_no_screen_shows_the_hands_of_two(name: str, people: int) -> None:
    """Nothing of a hand is left when the keyboard is passed on, nor at the settlement."""
    game: Any = cagnotte.game(name, 4, deals=2)
    sitting, out = table(game, Keyboard(types=typist("en")), people, screen=Screen())
    sitting.run()
    screens = plain(out.getvalue()).split(FORGET)
    assert len(screens) > 20
    owners = [set(re.findall(r"^(\w+)\. (?!Cut)", screen, re.M)) for screen in screens]
    for screen, owner in zip(screens, owners, strict=True):
        assert ("Your hand" in screen) == bool(owner), screen
        assert len(owner) <= 1
        assert "Your hand" not in screen or "Left in hand" not in screen
        asked = re.findall(r"^(\w+), it is your turn", screen, re.M)
        assert not (asked and owner)  # before he says that nobody is looking, nothing is shown
    assert {name for owner in owners for name in owner} == set(NAMES[:people])


@pytest.mark.parametrize("people", [2, 4])
def test_what_happened_in_between_is_retold_to_each(people: int) -> None:
    game: Any = cagnotte.game("fan-tan", 4, deals=1)
    sitting, out = table(game, Keyboard(types=typist("en")), people, screen=Screen())
    sitting.run()
    screens = plain(out.getvalue()).split(FORGET)
    laid = [event.card for events in sitting.happened for event in events if isinstance(event, Laid)]
    for name in NAMES[:people]:
        read = "\n".join(s for s in screens if f"{name}. " in s or not re.search(r"^\w+\. ", s, re.M))
        told = re.sub(r"\s+", " ", read)
        for card in laid:
            assert re.search(rf"(lays|lay) the {card.label()}\.", told), (name, card)


def test_C4_one_person_alone_needs_no_hiding_and_fear_has_no_secrets() -> None:
    for name, people in (("fan-tan", 1), ("fear", 3)):
        game: Any = cagnotte.game(name, 4)
        sitting, out = table(game, Keyboard(types=typist("en")), people, screen=Screen())
        sitting.run()
        assert FORGET not in out.getvalue()


def test_without_a_screen_to_wipe_the_hand_scrolls_away() -> None:
    sitting, out = table(cagnotte.game("fan-tan", deals=1), Keyboard(types=typist("en")), 2)
    sitting.run()
    between = re.split(r"\w+, it is your turn", out.getvalue())
    assert len(between) > 5
    assert all("\n" * 24 in text for text in between[1:])


def plain(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


# What is typed.


def situation(game: Any, hand: str, laid: str = "") -> Any:
    """Seat 0 is to act with this hand; the first of the cards laid opened the layout."""
    order = [CARD[card] for card in laid.split()]
    mine, table = (sum(1 << CARD[card].index for card in cards.split()) for cards in (hand, laid))
    hands = (mine, (1 << 52) - 1 & ~mine & ~table, 0, 0)
    return replace(
        game.start(), phase="play", actor=0, dealer=3, deal=1, playing=(0, 1, 2, 3), hands=hands,
        order=tuple(order), laid=table, starts=game.rules.opening,
    )  # fmt: skip


def talk(typed: str, lang: str = "en", **rules: Any) -> str:
    """What is written, in one line, until the input ends; the person holds 7♥ 10♥ before an empty table."""
    game: Any = cagnotte.game("fan-tan", 4, **rules)
    sitting, out = table(game, Keyboard(typed), lang=lang)
    sitting.state = situation(game, "7H TH")
    with pytest.raises(EOFError):
        sitting.run()
    return re.sub(r"\s+", " ", out.getvalue())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("quit", ["quit", "QUITTER", " q ", "exit", "quitter."])
def test_one_can_leave_in_both_languages(lang: str, quit: str) -> None:
    keyboard = Keyboard(f"{quit}\n7S\n")
    sitting, _ = table(cagnotte.game("fan-tan"), keyboard, 4, lang)
    with pytest.raises(Left):
        sitting.run()


@pytest.mark.parametrize("word", ["?", "help", "aide"])
def test_a_question_mark_tells_what_can_be_done(word: str) -> None:
    assert "You can lay: 7♥ A card is typed as" in talk(f"{word}\n")
    assert "Vous pouvez poser : 7♥" in talk(f"{word}\n", "fr")
    assert "You can pass for a chip, and for the fine of a false pass." in talk(f"{word}\n", passing="honour")


@pytest.mark.parametrize("word", ["hint", "Conseil", "HINT."])
def test_a_hint_tells_the_move_of_the_steady_player_and_why(word: str) -> None:
    assert "7♥ is the only card of yours that fits." in talk(f"{word}\n")
    assert say("fr", "hint.only", card=CARD["7H"]) in talk(f"{word}\n", "fr")
    assert "hint" in talk("?\n") and "conseil" in talk("?\n", "fr")


def test_a_hint_in_fear_and_at_the_cut_says_that_any_is_as_good() -> None:
    same = "is as likely to be turned up as another"
    for game, people, words in (("fear", 6, same), ("fan-tan", 4, "Any cut is as good")):
        sitting, out = table(cagnotte.game(game), Keyboard("hint\n\n" * 40), people)
        with pytest.raises(EOFError):
            sitting.run()
        assert words in re.sub(r"\s+", " ", out.getvalue())


def test_a_question_mark_tells_what_can_be_done_in_fear() -> None:
    sitting, out = table(cagnotte.game("fear", 4), Keyboard("?\n\n" * 40), 4)
    with pytest.raises(EOFError):
        sitting.run()
    assert "The numbers are the places of the cards face down" in out.getvalue()
    assert "Still face down: A♠ 2♠ 3♠" in out.getvalue()
    assert "A card is typed as" not in out.getvalue().rpartition("The numbers are the places")[2]


def test_a_question_mark_tells_what_can_be_done_at_the_cut() -> None:
    for lang, told in (
        ("en", "You can cut below any card, 5 to 47 from the top. You may also type: ? (what"),
        ("fr", "Vous pouvez couper sous n’importe quelle carte, de 5 à 47 depuis le dessus. On peut aussi"),
    ):
        sitting, out = table(cagnotte.game("fan-tan"), Keyboard("?\n"), 4, lang)
        with pytest.raises(EOFError):
            sitting.run()
        assert told in re.sub(r"\s+", " ", out.getvalue())


def test_a_question_mark_where_only_enter_is_waited_for_does_not_go_on() -> None:
    sitting, out = table(cagnotte.game("fan-tan"), Keyboard("\n?\n"), 4)
    with pytest.raises(EOFError):
        sitting.run()
    assert "Enter goes on. You may also type: rules, quit." in out.getvalue()
    assert out.getvalue().count("when nobody else is looking") == 2


def test_rules_and_log_can_be_read_at_any_question() -> None:
    for word in ("rules", "règles", "REGLES"):
        assert "T8 On your turn you lay one card" in talk(f"{word}\n")
        assert "T8 À votre tour vous posez une carte" in talk(f"{word}\n", "fr")


@pytest.mark.parametrize("word", ["log", "JOURNAL"])
def test_the_log_of_the_deal_can_be_read_again(word: str) -> None:
    sitting, out = table(cagnotte.game("fan-tan"), Keyboard(f"{word}\n" * 2), 4)
    with pytest.raises(EOFError):
        sitting.run()
    assert out.getvalue().count("The pack is shuffled.") == 3


def test_the_log_of_the_first_deal_begins_with_the_draw() -> None:
    sitting, out = table(cagnotte.game("fan-tan"), Keyboard("log\n"), 4)
    with pytest.raises(EOFError):
        sitting.run()
    told = re.sub(r"\s+", " ", out.getvalue())
    assert told.count("deals first") == 2
    assert told.rindex("deals first") < told.rindex("The pack is shuffled.")


@pytest.mark.parametrize(
    ("typed", "lang", "why"),
    [
        ("8S", "en", "8♠ is not in your hand. (T8)"),
        ("10h", "en", "10♥ cannot be laid on the empty table. (T7)"),
        ("pass", "en", "Pass is refused while you can lay a card, such as 7♥. (T10)"),
        ("hello", "en", "“hello” is not a card. (C2)"),
        ("hello", "fr", "« hello » n’est pas une carte. (C2)"),
        ("\x1b[A\x1b[2J\u202e", "en", "is not a card. (C2)"),
        ("x" * 100_000, "en", "is not a card. (C2)"),
        ("10c", "fr", "La carte 10♥ ne peut pas ouvrir la table vide. (T7)"),
        ("VP", "fr", "La carte V♠ n’est pas dans votre main. (T8)"),
    ],
)
def test_wrong_input_is_told_why_with_the_clause_and_asked_again(typed: str, lang: str, why: str) -> None:
    told = talk(f"{typed}\n?\n", lang)
    assert why in told
    assert {"en": "You can lay: 7♥", "fr": "Vous pouvez poser : 7♥"}[lang] in told
    assert clean(told) == told


def test_T10_a_false_pass_is_asked_for_twice() -> None:
    once = talk("pass\n", passing="fined")
    assert "Pass again if you mean it." in once
    assert "You pass." not in once
    assert "You pass." in talk("pass\npass\n", passing="fined")
    for between in ("hello", "KS", ""):  # whoever says something else has thought again
        assert "You pass." not in talk(f"pass\n{between}\npass\n", passing="fined")
    assert re.search(r"costs \d+ chips, its fine included", re.sub(r"\s+", " ", once))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("card", PACK, ids=str)
def test_C2_every_card_can_be_typed_as_it_is_shown_and_as_records_write_it(card: Any, lang: str) -> None:
    shown = card.label(lang)
    own = shown[:-1] + letters(lang)["SHDC".index(card.suit)]
    for typed in (shown, own, own.lower(), " ".join(own), card.label("fr"), f"fear {own}"):
        assert answer.move(typed, "name", lang) == Name(card)
    if lang == "en" or card.suit != "C":  # in French 7C is the seven of cœur
        assert answer.move(str(card), "play", lang) == Lay(card)
    assert answer.word(own) is None


def test_C2_what_is_no_move_is_refused() -> None:
    for typed, phase in (("", "play"), ("7", "play"), ("S7", "play"), ("7SS", "play"), ("11S", "name")):
        with pytest.raises(Illegal, match="is not a card"):
            answer.move(typed, phase, "en")
    for typed in ("", "x", "7S", "-1", "1 000 000"):
        with pytest.raises(Illegal, match="is not a number"):
            answer.move(typed, "cut", "en")
    assert (answer.move("turn 51", "turn", "en"), answer.move("coupe 20", "cut", "fr")) == (
        TurnOver(51),
        Cut(20),
    )


# Lines that fit.


@given(st.text(max_size=40), st.integers(2, 20))
def test_a_name_takes_the_cells_that_it_is_given(text: str, cells: int) -> None:
    """B162, B217."""
    shortened = short(text, cells)
    assert 0 < width(shortened) <= cells
    assert width(fit(shortened, cells)) == cells
    assert shortened.isprintable()


@given(st.text(), st.integers(20, 100))
def test_folding_loses_nothing(text: str, cells: int) -> None:
    text = clean(text)
    assert " ".join(line.removeprefix("  ") for line in fold(text, cells, "  ")) == text


ODD_NAMES = ["王小明王小明王小明", "👨‍👩‍👧‍👦" * 16, "e" + "\u0301" * 40, "W" * 200]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("columns", [20, 60, 80, 200])
def test_odd_names_leave_the_table_straight(name: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """B162, B217."""
    monkeypatch.setenv("COLUMNS", str(columns))
    sitting, _ = table(cagnotte.game(name, 4), Keyboard(types=typist("en")))
    sitting.names = [short(name) for name in ODD_NAMES]
    sitting.run()
    game, console = sitting.game, sitting.console
    lines = list(board(game.view(sitting.state, 0), sitting.names, "en", console))
    assert max(map(width, lines)) <= console.cells or name == "fear"
    if name != "fear":
        ends = {width(line) for line in lines if re.search(r"\d$", line) and len(line) > 45}
        assert len(ends) <= 1


def test_cards_that_can_go_are_marked() -> None:
    game: Any = cagnotte.game("fan-tan")
    view = game.view(situation(game, "6S 9S", "7S 8S"), 0)
    lines = list(board(view, NAMES[:4], "en", Console(io.StringIO(), io.StringIO())))
    assert lines[2][:43] == "  ♠   ·  ·  ·  ·  ·  +  7  8  +  ·  ·  ·  ·"
    assert lines[3][:43] == "  ♥   ·  ·  ·  ·  ·  ·  +  ·  ·  ·  ·  ·  ·"
    assert "▸ Ann                 2     50" in lines[2]
    assert lines[-2] == "  Your hand  ♠ 6 9"


def test_a_page_keeps_its_lists_and_tables() -> None:
    shown = list(
        page(
            "# Title\n\nSome *words*\nof `text`.\n\n- **T1** one\n  - two\n\n| a | b |\n|---|---|\n| c | d |",
            12,
        )
    )
    assert shown == [
        "Title",
        "=====",
        "",
        "Some words",
        "of text.",
        "",
        "- T1 one",
        "  - two",
        "",
        "a · b",
        "c · d",
        "",
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_terminal_of_few_letters_is_written_to_plainly(lang: str) -> None:
    """B188: the letters that stand for the suits are those that are read in that language."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", errors=plainly(lang))
    sitting, _ = table(cagnotte.game("fan-tan", deals=1), Keyboard(types=typist(lang)), lang=lang, screen=out)
    sitting.run()
    out.flush()
    text = raw.getvalue().decode("ascii")
    assert "?" not in text.replace("type: ?", "").replace("écrire : ?", "").replace("ecrire : ?", "")
    card = {"en": "the 7C", "fr": "le 7T"}[lang]
    assert card in text
    assert answer.move(card.split()[1], "play", lang) == Lay(CARD["7C"])


# The program itself.


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `cagnotte play` with bots that do not wait."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [PROGRAM, "play", *arguments, "--pace", "once", "--seed", "4", "--lang", "en"]
        started.append(
            subprocess.Popen(
                command,
                cwd=tmp_path,
                encoding="utf-8",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def saved(path: Path) -> list[record.Record]:
    with path.open("rb") as file:
        found = [made for _, made in record.read(file)]
    assert all(isinstance(made, record.Record) for made in found)
    return [made for made in found if isinstance(made, record.Record)]


def test_the_end_of_input_leaves_politely_and_keeps_the_record(
    play: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    for typed in ("\n" * 3, "\n?\nhello\n"):
        process = play("fan-tan", "--save", "s.jsonl")
        out, err = process.communicate(typed, timeout=60)
        assert (process.returncode, err) == (0, "")
        assert out.endswith("\nYou leave the table.\nThe record of the sitting is in s.jsonl.\n")
    records = saved(path)
    assert len(records) == 2  # added, nothing is lost
    for made in records:
        assert not record.check(made).plain()["over"]
        assert made.players == ("Ann", "Bo", "Cy", "Di")


def test_a_whole_sitting_is_kept_with_its_result(
    play: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    (tmp_path / "s.jsonl").write_text('{"cagnotte": 1, "game": "fear", "players": ["a", "b"], "moves": []}')
    process = play("fear", "--save", "s.jsonl", "--people", "Zoé,Bo")
    out, err = process.communicate("\n" * 2000, timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "The sitting is over." in out
    *_, made = saved(tmp_path / "s.jsonl")
    assert record.check(made).plain()["over"]
    assert made.players == ("Zoé", "Bo", "Ann", "Cy", "Di", "Eve")


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_whatever_ends_it_the_record_is_kept(
    play: Callable[..., subprocess.Popen[str]], tmp_path: Path, number: signal.Signals, code: int
) -> None:
    process = play("fan-tan", "--save", "s.jsonl")
    assert process.stdout and process.stderr
    while "Your hand" not in process.stdout.readline():
        pass
    process.send_signal(number)
    assert process.stderr.read() == ""
    assert process.wait(30) == code
    [made] = saved(tmp_path / "s.jsonl")
    assert len(made.moves) > 2


def test_a_record_that_cannot_be_kept_is_known_at_once(play: Callable[..., subprocess.Popen[str]]) -> None:
    process = play("fan-tan", "--save", "no/such/folder/s.jsonl")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err == "cagnotte: no/such/folder/s.jsonl: No such file or directory\n"


def test_a_record_is_added_to_records_only(
    play: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    (tmp_path / "empty").touch()
    play("fan-tan", "--save", "empty").communicate("\n" * 3, timeout=60)
    assert len(saved(tmp_path / "empty")) == 1
    for text in (b"SQLite format 3\0" + bytes(4080), b"Dear Bo\n", b'{"name": "Bo"}\n'):
        (tmp_path / "other").write_bytes(text)
        out, err = play("fan-tan", "--save", "other").communicate("\n" * 3, timeout=60)
        assert (out, err) == (
            "",
            "cagnotte: other: something else than records is there: name another file\n",
        )
        assert (tmp_path / "other").read_bytes() == text


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices of Unix")
def test_a_record_is_kept_in_a_file_only(play: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> None:
    """A pipe would be waited for, and a device read without end."""
    os.mkfifo(tmp_path / "pipe")  # which nobody reads
    (tmp_path / "linked").symlink_to(os.devnull)
    for name in ("pipe", "linked", os.devnull):
        out, err = play("fan-tan", "--save", name).communicate("", timeout=60)
        assert (out, err) == ("", f"cagnotte: {name}: not a file\n")
