"""Records in the terminal: judged, and told move by move."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from cagnotte.core import Game, Shuffled, Turn
from cagnotte.fairness import Proof, verify
from cagnotte.games import chosen_rules
from cagnotte.locale import say
from cagnotte.locale.tell import tell
from cagnotte.record import Fault, Record, read, steps
from cagnotte.record import check as outcome_of
from cagnotte.terminal.text import clean, counted, fold, short

WIDE: Final = 100
MARGIN: Final = " " * 7
UNDRAWN: Final = "a dealer who was not drawn, as after another game, F12: not proved"


def check(files: Iterable[str], as_json: bool) -> int:
    """Judge every record of these files, a line each; 1 when one is at fault."""
    records = faults = 0
    for place, found in _found(files):
        records += 1
        try:
            record = _sound(found)
            plain = outcome_of(record).plain()
            if not as_json:
                print(clean(f"{place}: {_summary(record, plain)}"))
        except Fault as fault:
            faults += 1
            print(_line(place, fault), file=sys.stderr)
            plain = {"ok": False, "move": fault.move, "clause": fault.clause, "message": fault.message}
        if as_json:
            print(json.dumps(plain | {"place": place}, ensure_ascii=False))
    if records > 1 and not as_json:
        print(f"{records} records, {faults} at fault", file=sys.stderr)
    return min(faults, 1)


def prove(files: Iterable[str], as_json: bool) -> int:
    """Verify the shuffles of every record of these files; 1 when one cannot be, or is at fault."""
    code = 0
    for place, found in _found(files):
        try:
            record = _sound(found)
            outcome_of(record)
            draws = verify(record)
            proofs = [proof for proof in draws.values() if proof]
            unproved = [number for number, proof in draws.items() if proof is None]
            plain = {"ok": True, "game": record.game, "proofs": [proof.plain() for proof in proofs]}
            plain |= {"unproved": unproved}
            if not as_json:
                but = "".join(f" but for move {number} ({UNDRAWN})" for number in unproved)
                print(clean(f"{place}: verified{but}, {record.game}; {_shared(record, proofs)}"))
                for proof in proofs:
                    print(f"  {proof.commitment}")
        except Fault as fault:
            code = 1
            print(_line(place, fault), file=sys.stderr)
            plain = {"ok": False, "move": fault.move, "clause": fault.clause, "message": fault.message}
        if as_json:
            print(json.dumps(plain | {"place": place}, ensure_ascii=False))
    return code


def _shared(record: Record, proofs: Sequence[Proof]) -> str:
    """To how many of the shuffles and draws each seat gave a share."""
    shares = [sum(seat in proof.shares for proof in proofs) for seat in range(len(record.players))]
    each = ", ".join(f"{name} {count}" for name, count in zip(record.players, shares, strict=True))
    chance = counted(len(proofs), "shuffle or draw", "shuffles and draws")
    does = "follows from its" if len(proofs) == 1 else "follow each from their"
    return (
        f"{chance} {does} secret and the shares that were given ({each}); whoever saw these commitments"
        " before the deals knows that the secrets were chosen by then:"
    )


def show(files: Iterable[str], lang: str, as_json: bool) -> int:
    """Tell every record of these files; 1 when one is at fault, after what came before the fault."""
    code = 0
    for place, found in _found(files):
        try:
            for line in (told_json if as_json else told)(_sound(found), lang):
                print(line)
        except Fault as fault:
            sys.stdout.flush()
            print(_line(place, fault), file=sys.stderr)
            code = 1
    return code


def _found(files: Iterable[str]) -> Iterator[tuple[str, Record | Fault]]:
    """Every record, or fault, with its place; of a file that begins with no record, that fault alone."""
    for file in files:
        name = "stdin" if file == "-" else file
        try:
            with nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as stream:
                some = False
                for line, found in read(stream):
                    yield f"{name}:{line}", found
                    some = some or isinstance(found, Record)
                    if not some:
                        break
        except OSError as error:
            yield name, Fault(None, None, error.strerror or str(error))


def _sound(found: Record | Fault) -> Record:
    if isinstance(found, Fault):
        raise found
    return found


def _line(place: str, fault: Fault) -> str:
    """What is wrong in one line: file and line, move and clause, the reason."""
    move = "" if fault.move is None else f" move {fault.move}"
    clause = f" ({fault.clause})" if fault.clause else ""
    return clean(f"{place}:{move}{clause}{':' if move or clause else ''} {fault.message}")


def _summary(record: Record, plain: dict[str, Any]) -> str:
    stacks = ", ".join(f"{name} {chips}" for name, chips in zip(record.players, plain["stacks"], strict=True))
    state = "over" if plain["over"] else f"in progress, {plain['pool']} in the pool"
    deals = counted(plain["deals"], "spread" if plain["game"] == "fear" else "deal")
    return f"ok, {plain['game']}, {deals}, {counted(plain['moves'], 'move')}, {state}; {stacks}"


def told(record: Record, lang: str) -> Iterator[str]:
    """Lines: the game and its house rules, then each move by its number; raises Fault."""
    record = replace(record, players=tuple(map(short, record.players)))
    game = record.start()
    yield say(lang, "term.welcome", game=say(lang, f"game.{game.name}"), names=", ".join(record.players))
    yield from house_rules(game, lang)
    for number, (_, _, _, events) in enumerate(steps(record), 1):
        if isinstance(events[0], Shuffled):
            yield ""
        begin = f"{number:5}  "
        for sentence in _sentences(game, events, record.players, lang):
            yield from fold(sentence, WIDE, MARGIN, begin)
            begin = MARGIN
    yield ""


def told_json(record: Record, lang: str) -> Iterator[str]:
    """JSON for each move: its number, actor and action, and the sentences that tell it; raises Fault."""
    record = replace(record, players=tuple(map(clean, record.players)))
    for number, (game, _, action, events) in enumerate(steps(record), 1):
        actor = record.moves[number - 1].partition(" ")[0]
        sentences = list(_sentences(game, events, record.players, lang))
        move = {"move": number, "actor": actor, "action": str(action), "told": sentences}
        yield json.dumps(move, ensure_ascii=False)


def house_rules(game: Game[Any], lang: str) -> Iterator[str]:
    """A sentence for each house rule that is not the usual one."""
    for name, value in chosen_rules(game).items():
        yield say(lang, f"rule.{name}" if isinstance(value, int) else f"rule.{name}.{value}", n=value)


def _sentences(game: Game[Any], events: Sequence[Any], names: Sequence[str], lang: str) -> Iterator[str]:
    """What an onlooker is told; the next move says whose turn it was."""
    for event in events:
        heard = game.redact(event, None)
        if heard is not None and not isinstance(heard, Turn) and (sentence := tell(heard, names, lang)):
            yield sentence
