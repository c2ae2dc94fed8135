"""Shuffles that anyone can check (T3): what is promised beforehand, what the seats add, what follows from it.

The server draws a secret for each shuffle and shows only its hash, the commitment. Then each seat may add
bytes of its own, its share. The cards follow from the secret and all shares, so that neither the server nor a
seat chooses them; and once the deal is over the secret is shown, and everybody can do the shuffle again. The
construction is told for other programs in docs/fairness.md, with values to test them by.
"""

import hashlib
import hmac
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from cagnotte.core import CHANCE, Seat
from cagnotte.record import Fault, Record, steps

BYTES: Final = 32  # of a secret, and of a share
HEX: Final = re.compile(f"[0-9a-f]{{{2 * BYTES}}}")
WORD: Final = 2**64
MISSING: Final = object()
NOTHING: Final = (
    "this record holds no proof of its shuffles: a sitting at a server has one, in the record that its page"
    " offers at the end (“Download the record”); here there is nothing to verify"
)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Proof:
    """What a shuffle, or a draw for the dealer, came from: the secret, and the shares that were given."""

    secret: str
    shares: dict[Seat, str] = field(default_factory=dict)

    @property
    def commitment(self) -> str:
        """The hash that was shown beforehand.

        >>> Proof("00" * 32).commitment[:8]
        '66687aad'
        """
        return commitment(self.secret)

    def plain(self) -> dict[str, Any]:
        """This proof as a record holds it."""
        shares = {str(seat): self.shares[seat] for seat in sorted(self.shares)}
        return {"commitment": self.commitment, "secret": self.secret, "shares": shares}


def new_secret(rng: random.Random) -> str:
    """The secret of a shuffle to come."""
    return rng.randbytes(BYTES).hex()


def commitment(secret: str) -> str:
    """SHA-256 of a secret, both in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


class Dice(random.Random):
    """The dice of a proof: the same numbers each time. Games need only these two throws of them.

    >>> Dice(Proof("00" * 32)).sample("SHDC", 4)
    ['C', 'D', 'H', 'S']
    """

    def __init__(self, proof: Proof) -> None:
        super().__init__(0)
        self._words = _words(proof)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """A number from 0 up to, not including, `start`; each is as likely as any other."""
        assert stop is None and step == 1 and 0 < start < WORD
        most = WORD - WORD % start
        return next(word for word in self._words if word < most) % start

    def sample(self, population: Sequence[T], k: int, *, counts: Any = None) -> list[T]:
        """All of these in another order, by the shuffle of Fisher and Yates."""
        assert k == len(population) and counts is None
        mixed = list(population)
        for last in range(k - 1, 0, -1):
            other = self.randrange(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


def _words(proof: Proof) -> Iterator[int]:
    """Numbers of 64 bits without end: HMAC-SHA-256 by the secret, of a counter and the shares."""
    shares = b"".join(bytes([seat]) + bytes.fromhex(proof.shares[seat]) for seat in sorted(proof.shares))
    count = 0
    while True:
        block = hmac.digest(bytes.fromhex(proof.secret), count.to_bytes(8, "big") + shares, "sha256")
        for at in range(0, len(block), 8):
            yield int.from_bytes(block[at : at + 8], "big")
        count += 1


def verify(record: Record) -> dict[int, Proof | None]:
    """The proofs of a record by the moves of chance, counted from 1; raises Fault where one does not fit.

    Or where one lacks; but None for a dealer of whom the record says that he was not drawn, since he follows
    from a game before (F12). It does not hold that game, so this is not proved.
    """
    given = record.extra.get("proof")
    if not isinstance(given, list) or not any(given):
        raise Fault(None, None, NOTHING)
    proofs = iter(given)
    found: dict[int, Proof | None] = {}
    before = record.start().start()
    for number, (game, state, action, _) in enumerate(steps(record), 1):
        if game.actor(before) == CHANCE:
            value = next(proofs, MISSING)
            undrawn = value is None and str(action).startswith("dealer ")
            proof = found[number] = None if undrawn else _proof(value, number, game.players)
            if proof and game.draw(before, Dice(proof)) != action:
                raise Fault(number, "T3", "this does not follow from its proof: one of the two was changed")
        before = state
    if (left := len(list(proofs))) > 0:
        raise Fault(None, None, f"there are more proofs than moves of chance: {left} too many")
    return found


def _proof(value: Any, number: int, players: int) -> Proof:
    def need(right: bool, message: str) -> None:
        if not right:
            raise Fault(number, "T3", message)

    def need_bytes(text: Any, what: str) -> None:
        right = isinstance(text, str) and HEX.fullmatch(text) is not None
        need(right, f"{what} must be {BYTES} bytes in hexadecimal")

    need(isinstance(value, Mapping), "there is no proof of this move")
    secret, shares = value.get("secret"), value.get("shares", {})
    need_bytes(secret, '"secret"')
    need(isinstance(shares, dict), '"shares" must be an object')
    seats = {str(seat): seat for seat in range(players)}
    for seat, share in shares.items():
        need(seat in seats, f"a share of {seat!r:.20}, which is no seat")
        need_bytes(share, f"the share of seat {seat}")
    proof = Proof(secret, {seats[seat]: share for seat, share in shares.items()})
    need(
        value.get("commitment") == proof.commitment,
        "the proof is false: its secret is not the one that was promised, whose hash is another",
    )
    return proof
