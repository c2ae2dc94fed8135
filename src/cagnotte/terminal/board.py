"""What a seat sees of the table, drawn in lines of text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from cagnotte import layout
from cagnotte.cards import PACK, SUITS, SYMBOLS, Card
from cagnotte.fantan import bits_of
from cagnotte.fantan_terms import VARIANTS
from cagnotte.locale import say
from cagnotte.locale.tell import spoken
from cagnotte.terminal.console import BOLD, DIM, RED, Console
from cagnotte.terminal.text import fit, fold, width

NAME: Final = 14  # cells of a name in the list of players
SHOWN: Final = "SHCD"  # suits in the order in which they are shown, black beside red


def board(view: Any, names: Sequence[str], lang: str, console: Console) -> Iterator[str]:
    """The table as this view shows it."""
    drawn = _fear if view.game == "fear" else _fantan
    yield from ("", *drawn(view, names, lang, console), "")


def _fear(view: Any, names: Sequence[str], lang: str, console: Console) -> Iterator[str]:
    for row in range(4 if view.places else 0):  # the places 0 to 3 are the first column, and so on (F3)
        yield "".join(_place(view, place, lang, console) for place in range(row, 52, 4))
    if view.fear is not None:
        fear = say(lang, "term.fear", card=view.fear, spoken=spoken(lang, view.fear))
        yield from ("", "  " + console.style(fear, BOLD), "")
    chips = [f"{names[seat]} {n or say(lang, 'term.out')}" for seat, n in enumerate(view.stacks)]
    yield from fold(" · ".join([*chips, _pool(view, lang)]), console.cells, "  ", "  ")


def _place(view: Any, place: int, lang: str, console: Console) -> str:
    """The number of a place whose card is face down, or its card."""
    card = view.places[place]
    if card is None:
        return f"{place:4}"
    return " " * (4 - len(card.label(lang))) + _card(card.label(lang), card, console, DIM)


def _fantan(view: Any, names: Sequence[str], lang: str, console: Console) -> Iterator[str]:
    rows, players = list(_rows(view, lang, console)), list(_players(view, names, lang))
    wide = width(rows[0]) + 4
    if console.cells >= wide + width(players[0]):
        for row, player in zip_longest(rows, players, fillvalue=""):
            yield f"{fit(row, wide)}{player}".rstrip()
    else:
        yield from (*rows, "", *players)
    if view.hand:
        title = say(lang, "term.hand")
        suits = "  ".join(filter(None, (_suit(view, suit, lang, console) for suit in SHOWN)))
        lines = fold(suits, console.cells, " " * (width(title) + 4), f"  {title}  ")
        yield from ("", *(line.replace("\u00a0", " ") for line in lines))


def _rows(view: Any, lang: str, console: Console) -> Iterator[str]:
    """The four suits from ace to king: what is laid, and where a card can go now."""
    laid = sum(map(bits_of, view.laid.values()))
    open_to = layout.playable(laid, bits_of(view.starts), int(VARIANTS[view.game].one_suit))
    if open_to.bit_count() > 12:  # any card at all can go
        open_to = 0
    yield "    " + "".join(f"{card.label(lang)[:-1]:>3}" for card in PACK[:13])
    for suit in SHOWN:
        cells = []
        for card in PACK:
            if card.suit == suit:
                free = "+" if open_to >> card.index & 1 else console.style("·", DIM)
                label = f"{card.label(lang)[:-1]:>3}"
                cells.append(_card(label, card, console) if laid >> card.index & 1 else "  " + free)
        yield "  " + _card(SYMBOLS[SUITS.index(suit)], suit, console) + " " + "".join(cells)


def _players(view: Any, names: Sequence[str], lang: str) -> Iterator[str]:
    """Who holds how many cards and chips, and whose turn it is."""
    cards, chips = say(lang, "term.cards"), say(lang, "term.chips")
    yield f"  {'':{NAME}}{cards:>7}{chips:>7}"
    for seat, name in enumerate(names):
        turn = "▸ " if seat == view.actor else "  "
        held = view.counts[seat] if seat in view.playing else "–"
        yield f"{turn}{fit(name, NAME)}{held:>7}{view.stacks[seat]:>7}"
    yield "  " + _pool(view, lang)


def _suit(view: Any, suit: str, lang: str, console: Console) -> str:
    """The cards of a suit in hand, those that can be laid now in bold."""
    can = {str(move) for move in view.moves}
    cards = [
        _card(card.label(lang)[:-1], card, console, *([BOLD] if str(card) in can else []))
        for card in view.hand
        if card.suit == suit
    ]
    return "\u00a0".join([_card(SYMBOLS[SUITS.index(suit)], suit, console), *cards]) if cards else ""


def labels(cards: Iterable[Card], lang: str) -> str:
    """Cards as people read them, in a row."""
    return " ".join(card.label(lang) for card in cards)


def _card(text: str, card: Card | str, console: Console, *styles: str) -> str:
    red = (card if isinstance(card, str) else card.suit) in "HD"
    return console.style(text, *([RED] if red else []), *styles)


def _pool(view: Any, lang: str) -> str:
    return say(lang, "term.pool", chips=say(lang, "chips", n=view.pool))
