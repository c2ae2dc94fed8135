"""The terminal itself: lines out and in, its width, its colours, and how it forgets."""

import os
import re
import shutil
import sys
import time
from typing import Final, TextIO

from cagnotte.terminal.text import fold

RED, BOLD, DIM, PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"
FORGET: Final = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what scrolled off it
LONGEST: Final = 200  # characters of an answer that are looked at


class Console:
    """Where people read and type; a pipe or a file is written to without colours."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self.stdin, self.stdout = stdin or sys.stdin, stdout or sys.stdout
        self.screen = self.stdout.isatty() and os.environ.get("TERM") != "dumb"
        if self.screen and os.name == "nt":
            os.system("")  # has the console of Windows obey escape sequences
        self.coloured = self.screen and not os.environ.get("NO_COLOR")

    @property
    def cells(self) -> int:
        """How wide a line may be now; the layout needs 44."""
        return min(100, max(44, shutil.get_terminal_size((80, 24)).columns - 1))

    def line(self, text: str = "") -> None:
        """Write a line as it is."""
        print(text, file=self.stdout)

    def say(self, text: str) -> None:
        """Write a sentence or more, folded to the width."""
        for line in fold(text, self.cells, "  "):
            self.line(line)

    def ask(self, question: str) -> str:
        """What is typed in answer; raises EOFError when no more will be."""
        print(f"{question} ", end="", file=self.stdout, flush=True)
        answer = self.stdin.readline()
        if not answer.endswith("\n"):
            self.line()
            if not answer:
                raise EOFError
        elif not self.stdin.isatty():
            self.line()  # nobody's Enter ended the line of the question
        return re.sub("\x1b\\[[0-9;]*[A-Za-z~]", "", answer[:LONGEST]).strip()  # the arrow keys

    def forget(self) -> None:
        """Wipe what was shown, as far as the terminal allows."""
        if self.screen:
            print(FORGET, end="", file=self.stdout, flush=True)
        else:
            self.line("\n" * shutil.get_terminal_size((80, 24)).lines)

    def wait(self, seconds: float) -> None:
        """Show what was written, and wait so many seconds."""
        self.stdout.flush()
        if seconds:
            time.sleep(seconds)

    def style(self, text: str, *styles: str) -> str:
        """The text in these styles, where there are any."""
        return "".join(styles) + text + PLAIN if self.coloured and styles else text
