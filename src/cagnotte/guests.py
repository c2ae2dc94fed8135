"""Bots of others: any function `bot(view, told, rng) -> action`, named `package.module:function`.

A guest runs in this process, and is not trusted with it: whatever it raises, `SystemExit` too, is its own
fault, what it prints goes to stderr, since stdout is for data, and it plays only what is open to it.
"""

import _thread
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final, NoReturn, TextIO

from cagnotte.core import Illegal, quoted
from cagnotte.players import LEVELS, Bot

__all__ = ["Ended", "Pressed", "aside", "bot", "end_when_told", "pressing", "undisturbed"]

STDOUT, STDERR = 1, 2
SOON: Final = 0.01  # seconds


class Pressed(KeyboardInterrupt):
    """Ctrl-C, and not a guest that raises the like."""


class Ended(SystemExit):
    """A signal ended the program, and not a guest."""


@contextmanager
def pressing() -> Iterator[None]:
    """Ctrl-C raises Pressed, where it would raise KeyboardInterrupt; at the end stdout is what it was."""
    first = threading.current_thread() is threading.main_thread()
    if first and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _press)
    before, sys.unraisablehook = sys.unraisablehook, _not_dropped
    try:
        yield
    finally:
        sys.unraisablehook = before
        aside.restore()  # which a signal may have come before
        if signal.getsignal(signal.SIGINT) is _press:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _press(number: int, frame: object) -> NoReturn:
    raise Pressed


def _not_dropped(error: "sys.UnraisableHookArgs") -> None:
    """Ctrl-C is heard a moment later where Python drops what is raised: in callbacks of weak references."""
    if not isinstance(error.exc_value, Pressed):
        sys.__unraisablehook__(error)
        return

    def press() -> None:
        time.sleep(SOON)
        _thread.interrupt_main()

    _thread.start_new_thread(press, ())


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C that comes meanwhile is heard at the end; pressed twice it ends the program at once.

    For libraries that are being loaded or compile: they would be left as half of themselves, or drop it.
    """
    before = signal.getsignal(signal.SIGINT)
    ours = callable(before) and before is not signal.default_int_handler
    if not ours or threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def press(number: int, frame: object) -> None:
        nonlocal pressed
        if pressed:
            os._exit(128 + number)
        pressed = True

    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed and callable(before):
            before(signal.SIGINT, None)


def end_when_told() -> None:
    """End in good order, by Ended, also when the window is closed or the system says so."""

    def end(number: int, frame: object) -> NoReturn:
        raise Ended(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)


def bot(name: str) -> Bot:
    """The bot of this level, or the function named `package.module:function`; raises Illegal.

    A guest raises Illegal too when it fails or wants what is not open to it.
    """
    if name in LEVELS:
        return LEVELS[name]
    shown, (module, colon, function) = quoted(name, 60), name.partition(":")
    if not colon:
        known = ", ".join(LEVELS)
        raise Illegal(
            None, "{bot} is not a bot: {levels}, or package.module:function", bot=shown, levels=known
        )
    found, why = _guarded(lambda: getattr(import_module(module), function))
    if why:
        raise Illegal(None, "the bot {bot} cannot be loaded: {why}", bot=shown, why=why)
    if not callable(found):
        raise Illegal(None, "the bot {bot} is not a function", bot=shown)

    def guest(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
        moves = view.moves

        def chosen() -> tuple[Any, str]:
            action = found(view, told, rng)
            move = next((move for move in moves if move == action), None)  # itself, not what is equal to it
            return move, "" if move is not None else quoted(action, 40)

        answer, why = _guarded(chosen)
        if why:
            raise Illegal(None, "the bot {bot} failed: {why}", bot=shown, why=why)
        move, asked = answer
        if asked:
            raise Illegal(
                None, "the bot {bot} asked for {action}, which is not open to it", bot=shown, action=asked
            )
        return move

    return guest


def _guarded(call: Callable[[], Any]) -> tuple[Any, str]:
    """What this call of a guest gives, or else why it gives nothing."""
    with aside:
        try:
            return call(), ""
        except (Pressed, Ended):
            raise
        except BaseException as error:
            return None, _why(error)


def _why(error: BaseException) -> str:
    """What an error says of itself, as far as it can."""
    told = "an error"
    try:
        told = f"{type(error).__name__}"
        said = " ".join(str(error).split())
    except (Pressed, Ended):
        raise
    except BaseException:
        return told
    return f"{told}: {said}".removesuffix(": ")[:160]


class _Aside:
    """While anybody is inside, in whatever thread, all that is written to stdout goes to stderr."""

    def __init__(self) -> None:
        self.lock, self.inside = threading.RLock(), 0
        self.stream: TextIO | None = None
        self.stdout: Any = None
        self.number: int | None = None

    def __enter__(self) -> None:
        with self.lock:
            self.inside += 1
            if self.inside > 1:
                return
            if self.stream is None or self.stream.closed:
                self.stream = _stderr()
            self.stdout = sys.stdout
            sys.stdout = self.stream
            with suppress(OSError):  # one of them is closed
                self.number = os.dup(STDOUT)
                os.dup2(STDERR, STDOUT)

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside:
                self.restore()

    def restore(self) -> None:
        """Nobody is inside."""
        self.inside = 0
        if self.stdout is not None:
            sys.stdout, self.stdout = self.stdout, None
        if self.number is not None:
            os.dup2(self.number, STDOUT)
            number, self.number = self.number, None
            os.close(number)


aside: Final = _Aside()


def _stderr() -> TextIO:
    """Stderr once more, which a guest may close without harm."""
    try:
        return open(STDERR, "w", 1, "utf-8", "backslashreplace", closefd=False)
    except OSError:
        return open(os.devnull, "w")
