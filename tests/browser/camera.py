"""What a camera reads: a QR code of version 2 or 3 (ISO/IEC 18004), whole and flat, decoded by the book."""

from collections.abc import Iterator
from functools import reduce

CORRECTION = {
    0: {2: 16, 3: 26},
    1: {2: 10, 3: 15},
}  # codewords of a block, by level (0 is M, 1 is L) and version


def decoded(dark: list[list[bool]]) -> str:
    """The text of a code without its quiet zone; its codewords must need no correction."""
    size = len(dark)
    version = (size - 17) // 4
    level, mask = divmod(int("".join(str(int(dark[8][x])) for x in range(5)), 2) ^ 0b10101, 8)
    bits = "".join(str(int(dark[y][x] ^ _masked(mask, y, x))) for y, x in _way(size, 4 * version + 10))
    words = [int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)]
    for power in range(CORRECTION[level][version]):
        assert reduce(lambda sum, word: _times(sum, power) ^ word, words, 0) == 0, power
    data = "".join(f"{word:08b}" for word in words)
    assert data[:4] == "0100"  # bytes
    text = (int(data[at : at + 8], 2) for at in range(12, 12 + 8 * int(data[4:12], 2), 8))
    return bytes(text).decode()


def _times(value: int, power: int) -> int:
    """A value of the field times 2 to this power."""
    for _ in range(power):
        value = value << 1 ^ (0x11D if value > 127 else 0)
    return value


def _masked(mask: int, y: int, x: int) -> bool:
    product = y * x % 2 + y * x % 3
    zero = [
        y + x,
        y,
        x % 3 and 1,
        (y + x) % 3 and 1,
        y // 2 + x // 3,
        product and 1,
        product,
        y + x + y * x % 3,
    ]
    return zero[mask] % 2 == 0


def _way(size: int, centre: int) -> Iterator[tuple[int, int]]:
    """The modules of the data in their order: up and down in pairs of columns, past what is fixed."""
    for turn, right in enumerate([*range(size - 1, 6, -2), 5, 3, 1]):
        for y in range(size) if turn % 2 else reversed(range(size)):
            for x in (right, right - 1):
                finders = (y < 9 and (x < 9 or x > size - 9)) or (y > size - 9 and x < 9)
                aligning = abs(y - centre) < 3 and abs(x - centre) < 3
                if not (finders or aligning or 6 in (y, x)):
                    yield y, x
