# ruff: noqa: E501 (sentences are as long as they are)
"""The words of the program: complete, alike in both languages, all used, and what happened told in them."""

import ast
import json
import random
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import cagnotte
from cagnotte import locale
from cagnotte.cards import CARD, PACK, Card
from cagnotte.core import CHANCE, POOL, FirstDealer, Illegal, Over, PackCut, Paid, Shuffled, Turn
from cagnotte.fantan_terms import Deal, Dealt, DealWon, Declined, Drew, Exposed, Laid, Passed, Shown
from cagnotte.fear import Gathered, Named, Out, Spread, Turned, Won
from cagnotte.locale import LANGUAGES, best_language, catalogue, refusal, say
from cagnotte.locale.tell import spoken, tell

SOURCE = Path(cagnotte.__file__).parent
ENGLISH, FRENCH = (
    json.loads((SOURCE / "locale" / f"{lang}.json").read_text(encoding="utf-8")) for lang in ("en", "fr")
)
REFUSALS: dict[str, str] = FRENCH.pop("refusals")

# Texts that are the same in both languages, and should be.
SAME = {
    "rank.6.spoken",
    "tell.holds",
    "ui.clock.minutes",
    "ui.clock.seconds",
    "ui.keys.list.key",
    "ui.keys.pass.key",
    "ui.pause",
    "ui.replay.pause",
    "ui.screen.code",
    "ui.table",
    "ui.table.dealer.mark",
    "ui.table.for.passes",
    "ui.talk.laugh",
}


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def counted(key: str) -> str:
    """The key without its form for none, one or many."""
    stem = re.sub(r"\.[01n]$", "", key)
    return stem if f"{stem}.n" in ENGLISH or stem in ENGLISH else key


# The files.


def test_a_language_is_a_file() -> None:
    """Nothing else in the sources names one, but the notation that C2 gives French beside a suit's symbol."""
    assert LANGUAGES == {"en": "English", "fr": "Français"}
    scripts = [*(SOURCE / "server/static").rglob("*.js"), SOURCE / "server/static/index.html"]
    named = [path.name for path in scripts if re.search(r"""["'`]fr["'`]""", path.read_text("utf-8"))]
    for module, tree in python_sources():
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told)
        named += [module for node in texts if node.value == "fr"]
    assert named == ["cagnotte.cards"]


def test_both_languages_have_the_same_keys() -> None:
    assert ENGLISH.keys() == FRENCH.keys()


def test_both_languages_put_in_the_same_values() -> None:
    differing = {key for key in ENGLISH if placeholders(ENGLISH[key]) != placeholders(FRENCH[key])}
    assert differing == set()


def test_no_french_text_is_english() -> None:
    """B181, B183."""
    assert {key for key in ENGLISH if ENGLISH[key] == FRENCH[key]} == SAME


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_has_a_key_a_line_in_order_so_that_edits_merge(lang: str) -> None:
    text = (SOURCE / "locale" / f"{lang}.json").read_text(encoding="utf-8")
    words = json.loads(text)
    ordered = {
        key: dict(sorted(value.items())) if key == "refusals" else value
        for key, value in sorted(words.items())
    }
    assert text == json.dumps(ordered, ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_counts_has_a_form_for_one_and_for_many(lang: str) -> None:
    words = catalogue(lang)
    for key in words:
        if key.endswith(".1") or key.endswith(".n"):
            assert key[:-1] + "1" in words and key[:-1] + "n" in words, key
        elif key.endswith(".0"):
            assert key[:-1] + "n" in words or key[:-2] in words, key


def test_no_french_sentence_elides_before_a_name() -> None:
    """`de Élise` would be wrong, and `d'Élise` cannot be known beforehand."""
    for text in [*FRENCH.values(), *REFUSALS.values()]:
        assert not re.search(r"\b(de|que|je|le|la|ne|se) \{(name|winner|payee|who)\}", text), text


def test_files_are_written_plainly_and_read_as_they_should_be_set() -> None:
    for text in [*ENGLISH.values(), *FRENCH.values(), *REFUSALS.values()]:
        assert not re.search("[’\u00a0\u202f]", text), text
    for text in [*FRENCH.values(), *REFUSALS.values()]:
        assert not re.search(r"\S[:;!?](\s|$)", text), text
    assert catalogue("fr")["tell.Turned.fear"] == "{name} retourne {card}\u00a0: la peur\u202f!"
    assert catalogue("fr")["ui.fear.place"] == "carte couverte n°\u00a0{n}"
    assert catalogue("fr")["ui.offline.coming"].endswith("{percent}\u00a0%")
    assert catalogue("fr")["ui.offline.keep"].endswith("{size}\u00a0Mo")
    for words in (catalogue("en"), catalogue("fr")):
        assert (words["ui.clock.minutes"], words["ui.clock.seconds"]) == ("{time}\u00a0min", "{time}\u00a0s")
        assert "10\u00a0s " in words["ui.news.idle"]
    assert "’" in catalogue("fr")["tell.Turn.cut"] and not [t for t in catalogue("fr").values() if "'" in t]


# What the program says is there, and what is there is said.


def python_sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(["cagnotte", *path.relative_to(SOURCE).with_suffix("").parts])
        yield module.removesuffix(".__init__"), ast.parse(path.read_text(encoding="utf-8"))


def templates() -> set[str]:
    """The templates of all refusals in the sources."""
    found: set[str] = set()
    for module, tree in python_sources():
        own = [
            node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "_illegal"
        ]
        skipped = {id(node) for function in own for node in ast.walk(function)}  # what pickle calls
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Illegal" and id(node) not in skipped:
                found |= set(texts(module, node.args[1]))
    return found


def texts(module: str, node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from [*texts(module, one), *texts(module, other)]
        case ast.Subscript(value=ast.Name(id=name)):
            table: dict[str, str] = getattr(import_module(module), name)
            yield from table.values()
        case _:
            raise AssertionError(
                f"{module}: a refusal needs a template that can be read: {ast.unparse(node)}"
            )


def test_every_refusal_has_its_french() -> None:
    assert templates() == REFUSALS.keys()
    assert {text for text, french in REFUSALS.items() if placeholders(text) != placeholders(french)} == set()


def said() -> set[str]:
    """Every text in the sources that may be a key, of the page too; `…` stands for what is put in."""
    found = set()
    for _, tree in python_sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                found.add("".join(str(p.value) if isinstance(p, ast.Constant) else "…" for p in node.values))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    for path in (SOURCE / "server" / "static" / "js").glob("*.js"):
        for text in re.findall(r'"([\w.-]+)"|`([\w.$\{\}\[\]-]+)`', path.read_text(encoding="utf-8")):
            found.add(text[0] or re.sub(r"\$\{[^}]*\}", "…", text[1]))
    return found


# What a key is put together from, where the page says it by a part that stands for a few.
ASKED, SETTLES, WAITS = "bonus|cut|name|open|play|turn", "gather|settled", "go|others"
PARTS = {
    "ui.prompt.…": [ASKED],
    "ui.prompt.….other": [ASKED],
    "ui.prompt.….…": [SETTLES, WAITS],
    "ui.prompt.….….in": [SETTLES, WAITS],
}


def pattern(text: str) -> str:
    """What the keys look like that a text with `…` may stand for."""
    parts = iter(PARTS.get(text, ()))
    return re.sub("…", lambda _: "(?:" + next(parts, r"[\w-]+") + ")", re.escape(text))


KEY = r"(?:ui|how|hint|term|tell|why|game|rule|rank|suit|bot|card|the|list)\.[\w.…-]+"


def test_a_name_like_a_card_is_told_as_it_is() -> None:
    taken = Illegal(None, "somebody named {name} is at this table", name="KH")
    assert "KH" in refusal("en", taken) and "KH" in refusal("fr", taken)
    assert "K♥" in refusal("en", Illegal("T8", "{card} is not in your hand", card="KH"))


def test_every_key_that_is_said_exists() -> None:
    known = {counted(key) for key in ENGLISH}
    for key in {text for text in said() if re.fullmatch(r"(?:ui|term)\.[\w.…-]+", text)}:
        assert any(re.fullmatch(pattern(key), one) for one in known), key


def test_every_key_is_said() -> None:
    """Those of what happened are told below."""
    literal = said()
    patterns = [pattern(text) for text in literal if re.fullmatch(KEY, text)]
    unsaid = {
        key
        for key in map(counted, ENGLISH)
        if not key.startswith(("tell.", "why."))
        and key not in literal
        and not any(re.fullmatch(one, key) for one in patterns)
    }
    assert unsaid == set()


# Words.


def test_none_one_and_many() -> None:
    """B185."""
    assert [say("en", "chips", n=n) for n in (0, 1, 2)] == ["no chips", "1 chip", "2 chips"]
    assert [say("fr", "chips", n=n) for n in (0, 1, 2)] == ["aucun jeton", "1 jeton", "2 jetons"]
    assert [say("en", "chips", n=n) for n in (-1, -2)] == ["−1 chip", "−2 chips"]
    assert (say("en", "chips", n=1234), say("fr", "chips", n=1234)) == ("1,234 chips", "1\u202f234 jetons")


def test_english_serves_where_a_language_lacks_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locale, "catalogue", {"en": {"a": "an {x}", "b.n": "{n} bs"}, "fr": {}}.__getitem__)
    assert say("fr", "a", x=CARD["QS"]) == "an D♠"
    assert say("fr", "b", n=5) == "5 bs"
    with pytest.raises(KeyError):
        say("fr", "c")


@pytest.mark.parametrize(
    ("accept", "lang"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("en-GB, fr;q=0.9", "en"),
        ("de, it;q=0.8, fr;q=0.4, en;q=0.2", "fr"),
        ("en;q=0.3, fr; q=0.7", "fr"),
        ("fr;q=0, en", "en"),
        ("FR-be", "fr"),
        ("frr, *", "en"),
        ("de", "en"),
        (";;q=,fr;q=9,\x00" * 1000, "en"),
    ],
)
def test_best_language(accept: str | None, lang: str) -> None:
    assert best_language(accept) == lang


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_has_its_own_name_and_reads_back(lang: str) -> None:
    """B187."""
    assert len({spoken(lang, card) for card in PACK}) == len({card.label(lang) for card in PACK}) == 52
    assert [Card.parse(card.label(lang), lang) for card in PACK] == list(PACK)
    assert spoken(lang, CARD["QC"]) == {"en": "queen of clubs", "fr": "dame de trèfle"}[lang]


@pytest.mark.parametrize(
    ("illegal", "english", "french"),
    [
        (
            Illegal("T8", "{card} is not in your hand", card=CARD["JS"]),
            "J♠ is not in your hand.",
            "La carte V♠ n’est pas dans votre main.",
        ),
        (
            Illegal("T3", "{action} is refused: the pack is to be cut", action="TH"),
            "10♥ is refused: the pack is to be cut.",
            "10♥ est refusé\u00a0: il faut couper.",
        ),
        (
            Illegal(
                "T1", "{game} is for {least} to {most} players, not {n}", game="x", least=3, most=5, n="9"
            ),
            "X is for 3 to 5 players, not 9.",
            "X se joue de 3 à 5 joueurs, pas 9.",
        ),
        (Illegal(None, "nobody translated {this}", this="{that}"), *["Nobody translated {that}."] * 2),
    ],
)
def test_a_refusal_is_a_sentence(illegal: Illegal, english: str, french: str) -> None:
    assert (refusal("en", illegal), refusal("fr", illegal)) == (english, french)


# What happened, told to Bo (seat 1).

NAMES = ["Ann", "Bo", "Cy", "Di"]
HANDS = ((), (CARD["AS"], CARD["TH"]), (), (CARD["KC"],))
TOLD: list[tuple[Any, str, str]] = [
    (
        Drew(2, (CARD["7S"], CARD["JD"])),
        "Cards go round face up until somebody gets a jack, the first to Cy: 7♠ J♦.",
        "On distribue à découvert jusqu’au premier valet, la première carte à Cy : 7♠ V♦.",
    ),
    (
        Drew(1, (CARD["JD"],)),
        "Cards go round face up until somebody gets a jack, the first to you: J♦.",
        "On distribue à découvert jusqu’au premier valet, la première carte à vous : V♦.",
    ),
    (FirstDealer(3), "Di deals first.", "Di donne en premier."),
    (FirstDealer(1), "You deal first.", "Vous donnez en premier."),
    (Deal(1, 0, (0, 1, 2, 3)), "Deal 1: Ann deals.", "Donne 1 : Ann distribue."),
    (
        Deal(2, 0, (0, 1, 3)),
        "Deal 2: Ann deals. Out of chips, sitting it out: Cy.",
        "Donne 2 : Ann distribue. Hors jeu, faute de jetons : Cy.",
    ),
    (Deal(3, 1, (0, 1, 2, 3)), "Deal 3: you deal.", "Donne 3 : vous distribuez."),
    (Shuffled(()), "The pack is shuffled.", "On mêle les cartes."),
    (PackCut(0, 23), "Ann cuts below card 23.", "Ann coupe sous la carte 23."),
    (PackCut(1, 1), "You cut below card 1.", "Vous coupez sous la carte 1."),
    (Dealt((), (13, 13, 13, 13)), "All the cards are dealt.", "Toutes les cartes sont distribuées."),
    (
        Dealt((), (18, 17, 0, 17)),
        "All the cards are dealt: 18 to Ann, 17 to you, 17 to Di.",
        "Toutes les cartes sont distribuées : 18 à Ann, 17 à vous, 17 à Di.",
    ),
    (Laid(0, CARD["7S"]), "Ann lays the 7♠.", "Ann pose le 7♠."),
    (Laid(0, CARD["QS"]), "Ann lays the Q♠.", "Ann pose la D♠."),
    (Laid(1, CARD["AH"]), "You lay the A♥.", "Vous posez l’A♥."),
    (Passed(0), "Ann passes.", "Ann passe."),
    (Passed(1), "You pass.", "Vous passez."),
    (Declined(0), "Ann lays no bonus card.", "Ann ne pose pas de carte de plus."),
    (Declined(1), "You lay no bonus card.", "Vous ne posez pas de carte de plus."),
    (
        Exposed(0, "T11", None),
        "Ann passed while holding a card that opens a suit.",
        "Ann a passé en retenant une carte qui ouvre une couleur.",
    ),
    (
        Exposed(1, "T11", None),
        "You passed while holding a card that opens a suit.",
        "Vous avez passé en retenant une carte qui ouvre une couleur.",
    ),
    (
        Exposed(0, "T12", None),
        "Ann passed while holding a playable card.",
        "Ann a passé en retenant une carte jouable.",
    ),
    (
        Exposed(1, "T12", None),
        "You passed while holding a playable card.",
        "Vous avez passé en retenant une carte jouable.",
    ),
    (Shown(HANDS), "Left in hand: you A♠ 10♥, Di K♣.", "Restent en main : vous A♠ 10♥, Di R♣."),
    (
        DealWon(0, 23),
        "Ann wins the deal, and 23 chips with it.",
        "Ann gagne la donne, et 23 jetons avec elle.",
    ),
    (
        DealWon(1, 23),
        "You win the deal, and 23 chips with it.",
        "Vous gagnez la donne, et 23 jetons avec elle.",
    ),
    (
        Over((3,), (5, 7, 0, 188)),
        "The sitting is over. Di wins: Di 188, you 7, Ann 5, Cy 0.",
        "La séance est finie. Di gagne : Di 188, vous 7, Ann 5, Cy 0.",
    ),
    (
        Over((1,), (-5, 9, 0, 6)),
        "The sitting is over. You win: you 9, Di 6, Cy 0, Ann −5.",
        "La séance est finie. Vous gagnez : vous 9, Di 6, Cy 0, Ann −5.",
    ),
    (
        Over((1,), (0, 9, 0, 6), early=True),
        "Fewer than three have chips left for an ante, so no further deal is played (T15). "
        "The sitting is over. You win: you 9, Di 6, Ann 0, Cy 0.",
        "Moins de trois joueurs ont encore de quoi miser : on ne joue plus d’autre donne (T15). "
        "La séance est finie. Vous gagnez : vous 9, Di 6, Ann 0, Cy 0.",
    ),
    (
        Over((0, 1, 2), (9, 9, 9, 0)),
        "The sitting is over, and Ann, you and Cy share the win: Ann 9, you 9, Cy 9, Di 0.",
        "La séance est finie, à égalité entre Ann, vous et Cy : Ann 9, vous 9, Cy 9, Di 0.",
    ),
    (
        Spread(1, ()),
        "The pack is spread face down: 52 places.",
        "On étale le paquet à couvert : 52 places.",
    ),
    (
        Named(0, CARD["JS"]),
        "Ann names the fear: jack of spades, J♠.",
        "Ann nomme la peur : valet de pique, V♠.",
    ),
    (
        Named(1, CARD["JS"]),
        "You name the fear: jack of spades, J♠.",
        "Vous nommez la peur : valet de pique, V♠.",
    ),
    (
        Named(None, CARD["KD"]),
        "The last card face down is the fear: king of diamonds, K♦.",
        "La dernière carte couverte est la peur : roi de carreau, R♦.",
    ),
    (Turned(0, 7, CARD["3D"], False), "Ann turns up the 3♦.", "Ann retourne le 3♦."),
    (Turned(1, 7, CARD["3D"], False), "You turn up the 3♦.", "Vous retournez le 3♦."),
    (Turned(0, 7, CARD["QD"], True), "Ann turns up the Q♦: the fear!", "Ann retourne la D♦ : la peur !"),
    (Turned(1, 7, CARD["QD"], True), "You turn up the Q♦: the fear!", "Vous retournez la D♦ : la peur !"),
    (
        Out(0),
        "Ann has no chips left and turns no more cards.",
        "Ann n’a plus de jetons et ne retourne plus de cartes.",
    ),
    (
        Out(1),
        "You have no chips left and turn no more cards.",
        "Vous n’avez plus de jetons et ne retournez plus de cartes.",
    ),
    (
        Gathered(0),
        "All cards are up: Ann turned the last one and gathers them.",
        "Toutes les cartes sont à découvert : Ann a retourné la dernière et les ramasse.",
    ),
    (
        Gathered(1),
        "All cards are up: you turned the last one and gather them.",
        "Toutes les cartes sont à découvert : vous avez retourné la dernière et les ramassez.",
    ),
    (
        Won(0, 8),
        "Nobody but Ann has a chip left: Ann wins the game.",
        "Il ne reste de jetons qu’à Ann, qui gagne la partie.",
    ),
    (
        Won(1, 8),
        "Nobody but you has a chip left: you win the game.",
        "Il ne reste de jetons qu’à vous : vous gagnez la partie.",
    ),
    # Turns: an ordinary one is told only to whom it comes.
    (Turn(CHANCE, "shuffle"), "", ""),
    (Turn(None, "over"), "", ""),
    (Turn(0, "play"), "", ""),
    (Turn(0, "turn"), "", ""),
    (Turn(1, "play"), "Your turn.", "À vous de jouer."),
    (Turn(1, "turn"), "Your turn.", "À vous de retourner une carte."),
    (Turn(0, "cut"), "Ann is to cut.", "C’est à Ann de couper."),
    (Turn(1, "cut"), "You are to cut.", "C’est à vous de couper."),
    (Turn(0, "name"), "Ann is to name the fear.", "C’est à Ann de nommer la peur."),
    (Turn(1, "name"), "You are to name the fear.", "C’est à vous de nommer la peur."),
    (
        Turn(0, "bonus"),
        "Ann has opened the fourth suit and may lay one more card.",
        "Ann a ouvert la quatrième couleur et peut poser une carte de plus.",
    ),
    (
        Turn(1, "bonus"),
        "You have opened the fourth suit and may lay one more card.",
        "Vous avez ouvert la quatrième couleur et pouvez poser une carte de plus.",
    ),
    (
        Turn(0, "open"),
        "Ann has finished the suit and begins another.",
        "Ann a fini la couleur et en ouvre une autre.",
    ),
    (
        Turn(1, "open"),
        "You have finished the suit: begin another with any card.",
        "Vous avez fini la couleur : ouvrez-en une autre avec la carte que vous voulez.",
    ),
    # Payments, each with its reason.
    (
        Paid(0, POOL, 1, 1, "T4"),
        "Ann pays 1 chip to the pool as the ante.",
        "Ann met 1 jeton dans la cagnotte pour la mise.",
    ),
    (
        Paid(1, POOL, 1, 1, "T6"),
        "You pay 1 chip to the pool for having fewer cards than others.",
        "Vous mettez 1 jeton dans la cagnotte pour avoir reçu moins de cartes que d’autres.",
    ),
    (
        Paid(0, POOL, 1, 1, "T9"),
        "Ann pays 1 chip to the pool for passing.",
        "Ann met 1 jeton dans la cagnotte pour avoir passé.",
    ),
    (
        Paid(0, POOL, 3, 3, "T11"),
        "Ann pays 3 chips to the pool for withholding a card that opens a suit.",
        "Ann met 3 jetons dans la cagnotte pour avoir retenu une carte qui ouvre une couleur.",
    ),
    (
        Paid(0, 2, 3, 3, "T11"),
        "Ann pays 3 chips to Cy, who held a neighbour of the card withheld.",
        "Ann donne 3 jetons à Cy, qui tenait une voisine de la carte retenue.",
    ),
    (
        Paid(1, 2, 3, 3, "T11"),
        "You pay 3 chips to Cy, who held a neighbour of the card withheld.",
        "Vous donnez 3 jetons à Cy, qui tenait une voisine de la carte retenue.",
    ),
    (
        Paid(0, 1, 3, 3, "T11"),
        "Ann pays you 3 chips, since you held a neighbour of the card withheld.",
        "Ann vous donne 3 jetons, car vous teniez une voisine de la carte retenue.",
    ),
    (
        Paid(0, POOL, 2, 3, "T12"),
        "Ann owes the pool 3 chips for withholding a playable card and pays what is left: 2 chips.",
        "Ann doit 3 jetons à la cagnotte pour avoir retenu une carte jouable et paie ce qui lui reste : 2 jetons.",
    ),
    (
        Paid(1, POOL, 1, 3, "T12"),
        "You owe the pool 3 chips for withholding a playable card and pay what is left: 1 chip.",
        "Vous devez 3 jetons à la cagnotte pour avoir retenu une carte jouable et payez ce qui vous reste : 1 jeton.",
    ),
    (
        Paid(0, POOL, 0, 1, "T14"),
        "Ann owes the pool 1 chip for the card left in hand and has nothing left to pay.",
        "Ann doit 1 jeton à la cagnotte pour la carte restée en main et n’a plus rien pour payer.",
    ),
    (
        Paid(1, POOL, 0, 5, "T14"),
        "You owe the pool 5 chips for the 5 cards left in hand and have nothing left to pay.",
        "Vous devez 5 jetons à la cagnotte pour les 5 cartes restées en main et n’avez plus rien pour payer.",
    ),
    (
        Paid(0, 2, 1, 3, "T11"),
        "Ann owes 3 chips to Cy, who held a neighbour of the card withheld, and pays what is left: 1 chip.",
        "Ann doit 3 jetons à Cy, qui tenait une voisine de la carte retenue, et paie ce qui lui reste : 1 jeton.",
    ),
    (
        Paid(0, 2, 0, 3, "T11"),
        "Ann owes 3 chips to Cy, who held a neighbour of the card withheld, and has nothing left to pay.",
        "Ann doit 3 jetons à Cy, qui tenait une voisine de la carte retenue, et n’a plus rien pour payer.",
    ),
    (
        Paid(1, 2, 2, 3, "T11"),
        "You owe 3 chips to Cy, who held a neighbour of the card withheld, and pay what is left: 2 chips.",
        "Vous devez 3 jetons à Cy, qui tenait une voisine de la carte retenue, et payez ce qui vous reste : 2 jetons.",
    ),
    (
        Paid(1, 2, 0, 3, "T11"),
        "You owe 3 chips to Cy, who held a neighbour of the card withheld, and have nothing left to pay.",
        "Vous devez 3 jetons à Cy, qui tenait une voisine de la carte retenue, et n’avez plus rien pour payer.",
    ),
    (
        Paid(0, 1, 2, 3, "T11"),
        "Ann owes you 3 chips, since you held a neighbour of the card withheld, and pays what is left: 2 chips.",
        "Ann vous doit 3 jetons, car vous teniez une voisine de la carte retenue, et paie ce qui lui reste : 2 jetons.",
    ),
    (
        Paid(0, 1, 0, 3, "T11"),
        "Ann owes you 3 chips, since you held a neighbour of the card withheld, and has nothing left to pay.",
        "Ann vous doit 3 jetons, car vous teniez une voisine de la carte retenue, et n’a plus rien pour payer.",
    ),
    (
        Paid(1, POOL, 1, 1, "F7"),
        "You pay 1 chip to the pool for turning up the fear.",
        "Vous mettez 1 jeton dans la cagnotte pour avoir retourné la peur.",
    ),
    (Paid(POOL, 0, 23, 23, "T14"), "Ann takes the pool: 23 chips.", "Ann ramasse la cagnotte : 23 jetons."),
    (Paid(POOL, 1, 8, 8, "F11"), "You take the pool: 8 chips.", "Vous ramassez la cagnotte : 8 jetons."),
]


# What a stand-in did for Ann, and for the reader, who is Bo.
STOOD: list[tuple[Any, str, str]] = [
    (Laid(0, CARD["8S"]), "The stand-in lays the 8♠ for Ann.", "Le remplaçant pose le 8♠ pour Ann."),
    (Laid(1, CARD["8S"]), "The stand-in lays the 8♠ for you.", "Le remplaçant pose le 8♠ pour vous."),
    (Passed(0), "The stand-in passes for Ann.", "Le remplaçant passe pour Ann."),
    (Passed(1), "The stand-in passes for you.", "Le remplaçant passe pour vous."),
    (
        Declined(0),
        "The stand-in lays no bonus card for Ann.",
        "Le remplaçant ne pose pas de carte de plus pour Ann.",
    ),
    (
        Declined(1),
        "The stand-in lays no bonus card for you.",
        "Le remplaçant ne pose pas de carte de plus pour vous.",
    ),
    (
        PackCut(0, 20),
        "The stand-in cuts for Ann, below card 20.",
        "Le remplaçant coupe pour Ann, sous la carte 20.",
    ),
    (
        PackCut(1, 20),
        "The stand-in cuts for you, below card 20.",
        "Le remplaçant coupe pour vous, sous la carte 20.",
    ),
    (
        Named(0, CARD["7S"]),
        "The stand-in names the fear for Ann: seven of spades, 7♠.",
        "Le remplaçant nomme la peur pour Ann : sept de pique, 7♠.",
    ),
    (
        Named(1, CARD["7S"]),
        "The stand-in names the fear for you: seven of spades, 7♠.",
        "Le remplaçant nomme la peur pour vous : sept de pique, 7♠.",
    ),
    (
        Turned(0, 3, CARD["7S"], False),
        "The stand-in turns up the 7♠ for Ann.",
        "Le remplaçant retourne le 7♠ pour Ann.",
    ),
    (
        Turned(1, 3, CARD["7S"], True),
        "The stand-in turns up the 7♠ for you: the fear!",
        "Le remplaçant retourne le 7♠ pour vous : la peur !",
    ),
    (
        Turned(0, 3, CARD["7S"], True),
        "The stand-in turns up the 7♠ for Ann: the fear!",
        "Le remplaçant retourne le 7♠ pour Ann : la peur !",
    ),
    (
        Turned(1, 3, CARD["7S"], False),
        "The stand-in turns up the 7♠ for you.",
        "Le remplaçant retourne le 7♠ pour vous.",
    ),
    (
        Paid(1, POOL, 1, 1, "T9"),
        "You pay 1 chip to the pool for passing.",
        "Vous mettez 1 jeton dans la cagnotte pour avoir passé.",
    ),
]


def plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize(("event", "english", "french"), TOLD, ids=lambda value: type(value).__name__)
def test_what_happened_is_told(event: Any, english: str, french: str) -> None:
    assert tell(event, NAMES, "en", 1) == english
    assert plain(tell(event, NAMES, "fr", 1)) == french


@pytest.mark.parametrize(("event", "english", "french"), STOOD, ids=lambda value: type(value).__name__)
def test_what_a_stand_in_did_is_told_as_its_own(event: Any, english: str, french: str) -> None:
    """The chips are those of whoever has the seat."""
    assert tell(event, NAMES, "en", 1, True) == english
    assert plain(tell(event, NAMES, "fr", 1, True)) == french


def test_every_sentence_was_told_above(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: set[str] = set()

    class Heard(dict[str, str]):
        def __getitem__(self, key: str) -> str:
            heard.add(key)
            return super().__getitem__(key)

    monkeypatch.setattr(locale, "catalogue", lambda lang: Heard(ENGLISH))
    for event, _, _ in TOLD:
        tell(event, NAMES, "en", 1)
    for event, _, _ in STOOD:
        tell(event, NAMES, "en", 1, True)
    assert {key for key in ENGLISH if re.match(r"(tell|why|list|the)\b", key)} - heard == set()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game_name", cagnotte.GAMES)
def test_all_of_a_sitting_can_be_told_to_anyone(game_name: str, lang: str) -> None:
    """Every payment with its reason (C4), whatever the players are called."""
    names = ["{name}", "7S", "Bo & Co", "n°4", "O'Neil"]
    game = cagnotte.game(
        game_name, players=5, **({} if game_name == "fear" else {"passing": "honour", "deals": 2})
    )
    rng = random.Random(game_name)
    state = game.start()
    while (actor := game.actor(state)) is not None:
        action = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal(state))
        state, events = cagnotte.play(game, state, action)
        for seat in (None, 0, 1):
            for event in (game.redact(event, seat) for event in events):
                if event is not None:
                    sentence = tell(event, names, lang, seat)
                    assert isinstance(event, Turn) or re.fullmatch(r"\S.*[.!]", sentence), sentence
                    assert "  " not in sentence


def test_a_whole_number_is_told_as_it_is_however_large() -> None:
    assert say("en", "chips", n=2**53 + 1) == "9,007,199,254,740,993 chips"
    assert say("fr", "chips", n=10**400).startswith("10\u202f000")
