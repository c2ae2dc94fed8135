"""What can be known about the games: exact odds where they exist, millions of deals where they do not."""

from typing import Final

SURE: Final = 1.96  # standard errors on each side of an interval of 95 %
LEAST: Final = 4  # deals before an interval is told


def student(n: int) -> float:
    """Standard errors on each side for the mean of `n` values, whose spread is reckoned from them too.

    >>> round(student(4), 1), round(student(1_000_000), 2)
    (3.1, 1.96)
    """
    v = 4 * (n - 1)
    return SURE + (SURE**3 + SURE) / v + (5 * SURE**5 + 16 * SURE**3 + 3 * SURE) / (6 * v * v)
