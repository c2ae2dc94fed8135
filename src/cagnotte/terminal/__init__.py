"""A table in the terminal, line by line."""

from typing import Final

INTERRUPTED: Final = 130  # as shells say of a program that Ctrl-C ended
