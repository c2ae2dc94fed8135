"""`cagnotte data`: the file with all tables copied, brought back, looked through, and told as records.

All but `restore` may be done while a server uses the file, and hold it up nowhere.
"""

import contextlib
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from cagnotte.core import Illegal
from cagnotte.entries import Drew, Entry, Started
from cagnotte.fairness import Dice, Proof
from cagnotte.server.store import Damaged, Unusable, form, log_of, reading, rows_of
from cagnotte.table import Table
from cagnotte.tales import story

SIDES: Final = ("-wal", "-shm", "-journal")  # that SQLite has beside a file in use
# What SQLite says when it is the copy that cannot be written, or what it needs beside it for a moment.
WRITING: Final = ("SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in the file: with a table, from one of its entries on, or with the file itself."""

    table: str | None
    entry: int | None
    what: str

    def __str__(self) -> str:
        table = f"table {self.table}" if self.table else "the file"
        return f"{table}{f', entry {self.entry}' if self.entry else ''}: {self.what}"


class Refused(Exception):
    """Nothing was done: one line that says why."""


def backup(base: Path, to: Path, force: bool = False) -> int:
    """Copy all tables as they are at one moment; how many. Raises Refused, Unusable, OSError, sqlite3.Error.

    With `force` a copy that is there is replaced once the new one is whole; anything else never is.
    """
    _there(base)
    _free(to, base)
    if to.exists():
        try:
            with closing(_open(to)) as there:
                form(there, to)
        except (sqlite3.Error, Unusable):
            raise Refused(f"{to} is there already, and is no copy of tables: name another") from None
        if not force:
            raise Refused(f"{to} is there already: --force puts the new copy in its place")
    with closing(_open(base)) as source:
        _known(source, base)
        with beside(to, like=base) as part:
            return _copy(source, part, to)


def restore(copy: Path, base: Path, force: bool = False) -> int:
    """Put a copy where the tables are kept; how many it has. Raises as `backup` does.

    With `force` also over a file that is there, which is kept beside as `.before`, and from a copy in which
    tables are damaged. Never while a server has the file open. Whenever it is killed, the old file is there
    or the new one.
    """
    _there(copy)
    _free(base, copy)
    before = base.with_name(f"{base.name}.before")
    if base.exists() and not force:
        raise Refused(f"{base} is there already: --force puts the copy in its place, and keeps it as .before")
    if before.exists() and base.exists():
        if not before.samefile(base):
            raise Refused(f"{before} is there already: move it away first")
        before.unlink()  # a restore that was killed left it so
    findings = list(check(copy))
    if findings and (not force or any(finding.table is None for finding in findings)):
        more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
        raise Refused(f"{copy} is damaged: {findings[0]}{more}")
    _settle(base)
    base.parent.mkdir(parents=True, exist_ok=True)
    with closing(_open(copy)) as source, beside(base, like=copy) as part:
        tables = _copy(source, part, base)
        if base.exists():
            _keep(Path(os.path.realpath(base)), before)
        return tables


def check(base: Path) -> Iterator[Finding]:
    """All that is wrong in a file: its pages, and each table replayed. Raises Unusable or Refused."""
    with closing(_open(base)) as file:
        try:
            known = _known(file, base)
            yield from (Finding(None, None, line) for line in _of_file(file))
            for table in tables(file):
                yield from _of_table(file, table, known >= 4)
        except (sqlite3.DatabaseError, UnicodeError) as error:  # what SQLite says may quote what is no text
            yield Finding(None, None, str(error))


@contextmanager
def exporting(base: Path, to: Path) -> Iterator[TextIO]:
    """A text file for what is exported from `base`; raises Refused, and OSError for what is no file.

    A file that is there stays until the new one is whole; a device or a pipe is written to as is.
    """
    _free(to, base)
    if to.exists() and not to.is_file():
        with to.open("w", encoding="utf-8") as out:
            yield out
        return
    with beside(to, like=to) as part, part.open("w", encoding="utf-8") as out:
        yield out


def count(base: Path) -> tuple[int, int]:
    """How many tables and entries there are."""
    with closing(_open(base)) as file:
        _known(file, base)
        found: tuple[int, int] = file.execute(
            "SELECT (SELECT count(*) FROM tables), (SELECT count(*) FROM entries)"
        ).fetchone()
        return found


def records(base: Path, table: str | None = None) -> Iterator[str | Finding]:
    """The record of each sitting that is over, of this table or of all; damage where there is any."""
    with closing(_open(base)) as file:
        summed = _known(file, base) >= 4
        found = tables(file)
        if table is not None and table not in found:
            raise Refused(f"there is no table {table}")
        for id in found if table is None else [table]:
            try:
                entries = log_of(id, rows_of(file, id, summed), summed)
                for number in range(1, sum(isinstance(entry, Started) for entry in entries) + 1):
                    with contextlib.suppress(Illegal):  # it is not over
                        yield str(story(entries, number).record())
            except Exception as error:
                yield _finding(id, error)


def tables(file: sqlite3.Connection) -> list[str]:
    """The ids of all tables, in the order in which they were opened."""
    return [id for (id,) in file.execute("SELECT id FROM tables ORDER BY opened, id")]


def _of_file(file: sqlite3.Connection) -> Iterator[str]:
    """What SQLite finds wrong with the pages of a file, and entries of no table."""
    for (line,) in file.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield " ".join(str(line).split())
    lost = "SELECT DISTINCT table_id FROM entries WHERE table_id NOT IN (SELECT id FROM tables)"
    yield from (
        f"there are entries of a table {id!r:.20}, which is not there" for (id,) in file.execute(lost)
    )


def _of_table(file: sqlite3.Connection, table: str, summed: bool) -> Iterator[Finding]:
    """What is wrong with a table: of its entries, its play, its chips or its proofs."""
    try:
        file.execute("BEGIN")
        row = file.execute("SELECT started FROM tables WHERE id = ?", (table,)).fetchone()
        rows = rows_of(file, table, summed)
        file.execute("COMMIT")
        if row is None:  # it was deleted meanwhile
            return
        entries = log_of(table, rows, summed)
        if not entries:
            yield Finding(table, None, "it has no entries")
        elif bool(row[0]) != any(isinstance(entry, Started) for entry in entries):
            yield Finding(table, None, "whether a sitting began is not as its entries say")
        yield from _of_log(table, entries)
    except Exception as error:
        if file.in_transaction:
            file.execute("ROLLBACK")
        yield _finding(table, error)


def _of_log(table: str, entries: Sequence[Entry]) -> Iterator[Finding]:
    number = 0
    try:
        for number, at in enumerate(Table.replay(entries) if entries else (), 1):
            if at.play is not None:
                bank, all = at.game.bank(at.play), at.game.bank(at.game.start())
                if sum(bank.stacks) + bank.pool != sum(all.stacks) + all.pool:
                    yield Finding(table, number, "chips were lost or made (C3)")
            if number < len(entries) and isinstance(drew := entries[number], Drew):
                yield from _of_draw(table, number + 1, at, drew)
    except Exception as error:
        yield Finding(table, number + 1, f"this entry cannot follow ({_what(error)})")


def _of_draw(table: str, number: int, before: Table, drew: Drew) -> Iterator[Finding]:
    shares = {int(seat): share for seat, share in drew.shares.items()}
    if before.sealed is None or drew.move != str(
        before.game.draw(before.play, Dice(Proof(before.sealed, shares)))
    ):
        yield Finding(table, number, "this does not follow from its secret and shares (T3)")


def _finding(table: str, error: Exception) -> Finding:
    return Finding(table, error.entry if isinstance(error, Damaged) else None, _what(error))


def _what(error: Exception) -> str:
    """A fault in a line; one of the program's own might hold cards."""
    told = isinstance(error, Damaged | sqlite3.Error)
    return str(error) if told else type(error).__name__


# Files.


def _open(path: Path) -> sqlite3.Connection:
    """Open a file to read; raises Refused where there is none, or it may not be read."""
    _there(path)
    try:
        file = reading(path)
        file.execute("SELECT count(*) FROM sqlite_master").close()
    except sqlite3.OperationalError as error:
        # SQLite reads a file in use, or one that was, only where it may write beside it.
        folder = "" if os.access(path.parent, os.W_OK) else f", and {path.parent} may not be written to"
        raise Refused(f"{path} cannot be read: {error}{folder}") from None
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # what is damaged can be in SQLite's message
        pass  # who reads on is told
    return file


def _there(path: Path) -> None:
    if path.is_dir():
        raise Refused(f"{path} is a folder: name a file")
    if not path.is_file():
        raise Refused(f"there is no file {path}")


def _known(file: sqlite3.Connection, path: Path) -> int:
    """The form of this file; raises Unusable, also for one that is empty."""
    if (known := form(file, path)) is None:
        raise Unusable(f"{path} is empty")
    return known


def _free(to: Path, other: Path) -> None:
    """Refuse to write there where it is `other` itself, or what SQLite has beside a file."""
    if to.is_dir():
        raise Refused(f"{to} is a folder: name a file")
    if to.exists() and to.samefile(other):
        raise Refused(f"{to} is the file itself: name another")
    if os.path.realpath(to).endswith(SIDES):
        raise Refused(f"{to} is a name that SQLite keeps for itself: choose another")


@contextmanager
def beside(to: Path, like: Path) -> Iterator[Path]:
    """A new file under a name of its own, which in the end is `to`: whole and on the disk, or not at all.

    Who may read it is as with `like`, where that is there. Raises Refused where it cannot be written.
    """
    place = Path(os.path.realpath(to))  # a link still leads to it
    part = place.with_name(f"{place.name}.{secrets.token_hex(4)}.part")
    try:
        mode = 0o600 | (like.stat().st_mode & 0o777 if like.exists() else 0o666)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        try:
            yield part
            with part.open("r+b") as whole:
                os.fsync(whole)
            if like.exists():
                shutil.copymode(like, part)
            os.replace(part, place)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        if os.name != "nt":
            folder = os.open(place.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except OSError as error:
        raise Refused(f"{to} cannot be written: {error.strerror}") from None


def _copy(source: sqlite3.Connection, part: Path, to: Path) -> int:
    """Copy a database in one step, since several would begin anew with each move made meanwhile.

    It will be `to`: raises Refused where that is at fault, and sqlite3.Error where the source is.
    """
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            source.backup(copy)
            _known(copy, to)  # as it was copied
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, which can be carried elsewhere
            (tables,) = copy.execute("SELECT count(*) FROM tables").fetchone()
            return int(tables)
    except sqlite3.Error as error:
        if (name := getattr(error, "sqlite_errorname", "")).startswith(WRITING):
            why = "the disk is full" if name == "SQLITE_FULL" else error
            raise Refused(f"{to} cannot be written: {why}") from None
        raise


def _keep(base: Path, before: Path) -> None:
    """Give this file another name as well; where a file has one only, have a copy there."""
    try:
        os.link(base, before)
    except OSError:
        with beside(before, like=base) as part:
            shutil.copyfile(base, part)


def _settle(base: Path) -> None:
    """See that nobody has this file open, and have all that is in it in one file; raises Refused."""
    place, why = Path(os.path.realpath(base)), "there is no such file"
    try:
        if place.exists():
            with closing(sqlite3.connect(place, timeout=0, isolation_level=None)) as file:
                (why,) = file.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.Error as error:
        why = str(error)
        if "locked" in why:
            raise Refused(f"{base} is in use: stop the server first") from None
    for side in ("-wal", "-journal"):  # whatever it was: what is in there is in no other file
        if (left := place.with_name(place.name + side)).exists():
            raise Refused(f"{left} holds what could not be put into {base} ({why}): move both away first")
