"""What can be known about the games: exact odds where they exist, millions of deals where they do not."""

from typing import Final

SURE: Final = 1.96  # standard errors on each side of an interval of 95 %
