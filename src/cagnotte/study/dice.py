"""Dice that give the same numbers on every machine: those of a deal follow from a key and its number.

Plain functions of ints below 2**62, interpreted and compiled alike. The numbers of a deal are those of a
SplittableRandom (Steele, Lea and Flood 2014) cut to 62 bits: a counter with a step of its own, mixed.
"""

BELOW = (1 << 62) - 1
GOLDEN = 0x1E3779B97F4A7C15
FIRST = 0x3F58476D1CE4E5B9
SECOND = 0x14D049BB133111EB


def times(x: int, y: int) -> int:
    """The low bits of a product: the one thing here that outgrows 64 bits, of which `kernel` takes care."""
    return x * y & BELOW


def mixed(x: int) -> int:
    """The bits of a number stirred."""
    x = times(x ^ x >> 30, FIRST)
    x = times(x ^ x >> 27, SECOND)
    return x ^ x >> 31


def begin(key: int, number: int) -> int:
    """The counter with which the dice of a deal begin, by its number from 0."""
    return mixed(key + mixed(times(number, GOLDEN)) & BELOW)


def step(key: int, number: int) -> int:
    """What the counter of that deal grows by with each throw."""
    return mixed(begin(key, number) ^ GOLDEN) | 1


def throw(counter: int, sides: int) -> int:
    """What lies with this counter, from 0 to below `sides`, 64 at most; the odds are right to 2**-47."""
    return (mixed(counter) >> 9) * sides >> 53
