"""Tables on disk: their entries in an SQLite database, written by one thread, many in one commit.

Another thread reads, so that a long log holds up no commit. Each entry has a sum by which damage is known.
"""

import asyncio
import contextlib
import math
import os
import queue
import re
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from cagnotte.entries import ENTRIES, Chosen, Entry, Filled, Played, Said, Started, plain
from cagnotte.names import LINE, LONGEST, kept
from cagnotte.players import LEVELS
from cagnotte.server.codes import new_code

VERSION: Final = 6  # of the stored form; each one that was is in `_upgrade`
APPLICATION: Final = 0xCA6017E  # marks an SQLite file as ours
MANY: Final = 500  # jobs of one commit

ALIVE: Final = "CREATE TABLE alive (one INTEGER PRIMARY KEY CHECK (one = 1), at REAL NOT NULL);"
SCHEMA: Final = f"""
CREATE TABLE tables (
  id TEXT PRIMARY KEY,
  opened REAL NOT NULL,
  touched REAL NOT NULL,
  started INTEGER NOT NULL DEFAULT 0,
  code TEXT
) WITHOUT ROWID;
CREATE TABLE entries (
  table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at REAL NOT NULL,
  move_id TEXT,
  entry TEXT NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
{ALIVE}
CREATE UNIQUE INDEX moves ON entries (table_id, move_id) WHERE move_id IS NOT NULL;
CREATE INDEX touched ON tables (touched);
CREATE UNIQUE INDEX codes ON tables (code);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


def _spelt(statement: str) -> str:
    """A statement with no more blanks than it needs."""
    return re.sub(r" ?([(),]) ?", r"\1", re.sub(r"[ \t\n\r\f]+", " ", statement).strip(" "))


def _spellings() -> Iterator[str]:
    """The statements that a file of any form of ours may hold; what came later may stand at the end.

    ANALYZE, which whoever has the file may run, adds two tables.
    """
    yield "CREATE TABLE sqlite_stat1(tbl,idx,stat)"
    yield "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"
    end = ")WITHOUT ROWID"
    for statement in map(_spelt, SCHEMA.split(";")):
        yield statement
        for later in (",code TEXT", ",sum INTEGER NOT NULL DEFAULT 0"):
            before = statement.replace(later, "")
            yield from (before, before.replace(end, later + end))


OURS: Final = frozenset(_spellings())

T = TypeVar("T")
Row = tuple[int, float, str | None, str, int | None]  # of an entry: seq, at, move_id, entry, sum


class Unusable(Exception):
    """The database cannot be used at all: one line that says why."""


class Unstored(Exception):
    """The database refused: another process wrote first, or the disk is full, gone or locked."""


class Unknown(Exception):
    """There is no such table."""


class Damaged(Exception):
    """What is stored of a table cannot be read, from this entry on."""

    def __init__(self, what: str, entry: int | None = None) -> None:
        super().__init__(what)
        self.entry = entry


@dataclass(frozen=True, slots=True)
class _Job:
    """Something to do in the database; what writes is done once its transaction has been committed."""

    do: Callable[[sqlite3.Connection], Any]
    writes: bool
    done: "Future[Any]"


class _Worker:
    """A thread with a connection of its own, which does jobs in the order in which they come."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], check: Callable[[], None]) -> None:
        """`check` raises sqlite3.Error where nothing may be committed."""
        self._connect = connect
        self._check = check
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._ready: Future[None] = Future()

    def open(self) -> None:
        self._thread.start()
        self._ready.result()

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def put(self, job: _Job) -> None:
        self._jobs.put(job)

    def _work(self) -> None:
        try:
            base = self._connect()
        except Exception as error:
            self._ready.set_exception(error)
            return
        self._ready.set_result(None)
        going = True
        while going:
            jobs: list[_Job] = []
            job = self._jobs.get()
            while job is not None:
                jobs.append(job)
                if len(jobs) == MANY or self._jobs.empty():
                    break
                job = self._jobs.get()
            going = job is not None
            _commit(base, [job for job in jobs if job.writes], self._check)
            for job in jobs:
                if not job.writes:
                    _read(base, job)
        base.close()


class Store:
    """The entries of all tables. `open` it, and `close` it; what is awaited was committed."""

    def __init__(self, path: Path | None, patience: float = 5.0) -> None:
        """A database in this file, or in memory only; one that is locked is waited for so many seconds."""
        self.path = path
        self.patience = patience
        self._file: tuple[int, int] | None = None  # which file it is that we write to
        self._unfolded = True  # something deleted is in `-wal`; a server that was killed may have left it
        self._writer = _Worker(lambda: _connect(path, patience), self._check)
        self._reader = self._writer  # one in memory has one connection
        if path is not None:
            self._reader = _Worker(lambda: reading(path, patience), self._check)

    def open(self) -> None:
        """Begin; raises Unusable."""
        try:
            self._writer.open()
            self._file = self._found()
            if self._reader is not self._writer:
                self._reader.open()
        except (OSError, sqlite3.Error, UnicodeError) as error:
            raise _unusable(self.path, error) from error

    def close(self) -> None:
        """Commit what is under way, and end."""
        if self._reader is not self._writer:
            self._reader.close()
        self._writer.close()

    @property
    def alive(self) -> bool:
        """Whether anything is still written, and can be found again."""
        return self._writer.alive and self._found() == self._file

    def _found(self) -> tuple[int, int] | None:
        """The file that is where ours was, if there is one."""
        try:
            found = None if self.path is None else os.stat(self.path)
        except OSError:
            return None
        return found and (found.st_dev, found.st_ino)

    def _check(self) -> None:
        """What is written to a file that was deleted, or replaced by another, would be lost."""
        if self._found() != self._file:
            raise sqlite3.OperationalError("the database is gone, or is another file now: start again")

    async def append(self, table: str, first: int, entries: Sequence[Entry]) -> None:
        """Store these as entries `first` and following of a table, or none of them; raises Unstored."""
        now = time.time()
        rows = [_row(table, first + i, now, entry) for i, entry in enumerate(entries)]
        started = any(isinstance(entry, Started) for entry in entries)

        def write(base: sqlite3.Connection) -> None:
            (last,) = base.execute(
                "SELECT coalesce(max(seq), 0) FROM entries WHERE table_id = ?", (table,)
            ).fetchone()
            if last != first - 1:
                raise sqlite3.IntegrityError(f"entry {first} would follow entry {last}")
            if first == 1:
                values = (table, now, now, started, _free_code(base))
                base.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?)", values)
            else:
                base.execute(
                    "UPDATE tables SET touched = ?, started = started + ? WHERE id = ?", (now, started, table)
                )
            base.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", rows)

        await self._do(write)

    async def read(self, table: str) -> list[Entry]:
        """The entries of a table in order, none for one that is not there; raises Damaged, or Unstored."""
        entries, _ = await self.log(table)
        return entries

    async def log(self, table: str) -> tuple[list[Entry], list[float]]:
        """The same, and when each was stored, in seconds since 1970."""

        def select(base: sqlite3.Connection) -> list[Row]:
            try:
                return rows_of(base, table)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError as error:
                raise Damaged(str(error)) from error

        rows = await self._do(select, writes=False)
        return await asyncio.to_thread(log_of, table, rows), [at for _, at, *_ in rows]

    async def code(self, table: str) -> str | None:
        """The room code of a table, if it is there; raises Unstored."""
        return await self._look_up("SELECT code FROM tables WHERE id = ?", table)

    async def find(self, code: str, within: float = math.inf) -> str | None:
        """The table with this room code, if it was touched within so many seconds; raises Unstored."""
        query = "SELECT id FROM tables WHERE code = ? AND touched > ?"
        return await self._look_up(query, code, time.time() - within)

    async def _look_up(self, query: str, *values: str | float) -> str | None:
        row = await self._do(lambda base: base.execute(query, values).fetchone(), writes=False)
        return None if row is None else str(row[0])

    async def expire(self, lobby: float, sitting: float, keep: Sequence[str]) -> int:
        """Delete tables untouched for so many seconds, before and after a sitting began; how many."""
        now, kept = time.time(), set(keep)

        def delete(base: sqlite3.Connection) -> int:
            old = base.execute(
                "SELECT id FROM tables WHERE touched < CASE started WHEN 0 THEN ? ELSE ? END",
                (now - lobby, now - sitting),
            ).fetchall()
            ids = [(table,) for (table,) in old if table not in kept]
            base.executemany("DELETE FROM tables WHERE id = ?", ids)
            return len(ids)

        return await self._delete(delete)

    async def delete(self, table: str) -> None:
        """Delete a table and all its entries; raises Unstored."""
        await self._delete(lambda base: base.execute("DELETE FROM tables WHERE id = ?", (table,)) and None)

    async def _delete(self, do: Callable[[sqlite3.Connection], T]) -> T:
        deleted = await self._do(do)
        self._unfolded = True
        await self.fold()
        return deleted

    async def fold(self) -> None:
        """Have what was deleted no longer in `-wal` either; where another reads just then, the next time."""

        def fold(base: sqlite3.Connection) -> bool:
            base.execute("PRAGMA busy_timeout = 0")  # nobody waits for it
            try:
                (busy, *_) = base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                base.execute(f"PRAGMA busy_timeout = {round(1000 * self.patience)}")
            return not busy

        if not self._unfolded:
            return
        self._unfolded = False  # until somebody deletes, which may be before this is done
        done: Future[bool] = Future()
        self._writer.put(_Job(fold, False, done))
        folded = False
        with contextlib.suppress(sqlite3.Error):  # it is deleted all the same
            folded = await asyncio.wrap_future(done)
        self._unfolded |= not folded

    async def note(self, now: float) -> None:
        """Note that a table was awake at this time, in seconds since 1970; raises Unstored."""
        await self._do(lambda base: base.execute("REPLACE INTO alive VALUES (1, ?)", (now,)) and None)

    async def noted(self) -> float | None:
        """The time that was noted last; raises Unstored."""
        row = await self._do(lambda base: base.execute("SELECT at FROM alive").fetchone(), writes=False)
        return None if row is None else float(row[0])

    async def _do(self, do: Callable[[sqlite3.Connection], T], writes: bool = True) -> T:
        done: Future[T] = Future()
        (self._writer if writes else self._reader).put(_Job(do, writes, done))
        try:
            return await asyncio.wrap_future(done)
        except sqlite3.Error as error:
            raise Unstored(str(error)) from error


def _commit(base: sqlite3.Connection, jobs: Sequence[_Job], check: Callable[[], None]) -> None:
    """Do these in one transaction, and answer once it is on the disk; one that fails is undone alone."""
    if not jobs:
        return
    results: list[tuple[_Job, Any]] = []
    try:
        check()
        base.execute("BEGIN IMMEDIATE")
        for job in jobs:
            base.execute("SAVEPOINT job")
            try:
                results.append((job, job.do(base)))
            except sqlite3.OperationalError:  # the disk or the file, not the job
                raise
            except Exception as error:
                base.execute("ROLLBACK TO job")
                results.append((job, error))
            base.execute("RELEASE job")
        check()
        base.execute("COMMIT")
    except sqlite3.Error as error:
        if base.in_transaction:
            with contextlib.suppress(sqlite3.Error):  # the next to begin is told so
                base.execute("ROLLBACK")
        results = [(job, error) for job in jobs]
    for job, result in results:
        _answer(job, result)


def _read(base: sqlite3.Connection, job: _Job) -> None:
    try:
        result = job.do(base)
    except Exception as error:
        result = error
    _answer(job, result)


def _answer(job: _Job, result: Any) -> None:
    if job.done.set_running_or_notify_cancel():
        if isinstance(result, Exception):
            job.done.set_exception(result)
        else:
            job.done.set_result(result)


def _connect(path: Path | None, patience: float) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    base = sqlite3.connect(path or ":memory:", timeout=patience, isolation_level=None)
    base.execute("PRAGMA trusted_schema = OFF")  # what stands in a file calls nothing of ours
    version = form(base, path)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("PRAGMA foreign_keys = ON")
    base.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, in time: see `fold`
    if version is None:
        base.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
    elif version < VERSION:
        _upgrade(base)
    base.execute("BEGIN IMMEDIATE")  # shows whether it can be written to
    base.execute(f"PRAGMA user_version = {VERSION}")
    base.execute("COMMIT")
    return base


def form(base: sqlite3.Connection, path: Path | None) -> int | None:
    """The form in which this is stored, None for an empty file; raises Unusable for what we do not know.

    Also sqlite3.DatabaseError for a file of ours that holds more than we make.
    """
    (version,) = base.execute("PRAGMA user_version").fetchone()
    (application,) = base.execute("PRAGMA application_id").fetchone()
    (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (tables or application):
        raise Unusable(f"{path} is a database, but not one of Cagnotte; choose another with --database FILE")
    if not tables:
        return None
    if not 1 <= version <= VERSION:
        age = "a newer" if version > VERSION else "an older"
        raise Unusable(
            f"{path} was written by {age} Cagnotte (form {version}, not {VERSION}); it was not touched"
        )
    _only_ours(base)
    return int(version)


def _only_ours(base: sqlite3.Connection) -> None:
    """Raises sqlite3.DatabaseError where a file holds triggers, views or anything else that we never make."""
    for kind, name, made in base.execute("SELECT type, name, sql FROM sqlite_master"):
        by_itself = made is None and kind == "index" and name.startswith("sqlite_autoindex_")
        if not by_itself and _spelt(str(made)) not in OURS:
            article = "an" if kind == "index" else "a"
            raise sqlite3.DatabaseError(
                f"it holds {article} {kind} {name!r:.40}, which is not as Cagnotte makes it"
            )


def reading(path: Path, patience: float = 5.0) -> sqlite3.Connection:
    """A connection that changes nothing; text that is none can be read as well, and is known by its sum."""
    base = sqlite3.connect(path.absolute().as_uri() + "?mode=rw", patience, isolation_level=None, uri=True)
    base.text_factory = lambda text: text.decode("utf-8", "replace")
    base.execute("PRAGMA query_only = ON")
    base.execute("PRAGMA trusted_schema = OFF")
    return base


def _upgrade(base: sqlite3.Connection) -> None:
    """In one transaction, from form 1 (no codes), 2 (no sealed secrets), 3 (no sums), 4 (no time noted) or 5.

    In form 5 seats asked for a deletion, not the secrets of those who had played; they are read as was meant.
    """
    base.create_function("sum_of", 5, _sum, deterministic=True)
    base.execute("BEGIN IMMEDIATE")
    try:
        (version,) = base.execute("PRAGMA user_version").fetchone()
        if version < 2:  # else somebody was faster
            base.execute("ALTER TABLE tables ADD COLUMN code TEXT")
            base.execute("CREATE UNIQUE INDEX codes ON tables (code)")
            for table in base.execute("SELECT id FROM tables").fetchall():
                base.execute("UPDATE tables SET code = ? WHERE id = ?", (_free_code(base), *table))
        if version < 4:
            base.execute("ALTER TABLE entries ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
            base.execute("UPDATE entries SET sum = sum_of(table_id, seq, at, move_id, entry)")
        if version < 5:
            base.execute(ALIVE)
        base.execute(f"PRAGMA user_version = {VERSION}")
        base.execute("COMMIT")
    except BaseException:
        base.execute("ROLLBACK")
        raise


def _free_code(base: sqlite3.Connection) -> str:
    while base.execute("SELECT 1 FROM tables WHERE code = ?", (code := new_code(),)).fetchone():
        pass
    return code


def _unusable(path: Path | None, error: Exception) -> Unusable:
    why = " ".join(str(error).split())[:200]
    if hasattr(os, "geteuid"):  # in a container it may be another than one thinks
        why += f", as user {os.geteuid()}"
    return Unusable(f"the database {path} cannot be used: {why}; choose another with --database FILE")


def _move_id(entry: Entry) -> str | None:
    return f"{entry.actor} {entry.move_id}" if isinstance(entry, Played) and entry.move_id else None


def _row(table: str, seq: int, at: float, entry: Entry) -> tuple[Any, ...]:
    row = table, seq, at, _move_id(entry), msgspec.json.encode(plain(entry)).decode()
    return *row, _sum(*row)


def _sum(*row: Any) -> int:
    """A check sum of what is stored of an entry."""
    return zlib.crc32("\0".join(map(str, row)).encode("utf-8", "replace"))


def rows_of(base: sqlite3.Connection, table: str, summed: bool = True) -> list[Row]:
    """What is stored of the log of a table; before form 4 without sums."""
    what = "sum" if summed else "NULL"
    query = f"SELECT seq, at, move_id, entry, {what} FROM entries WHERE table_id = ? ORDER BY seq"
    return base.execute(query, (table,)).fetchall()


def log_of(table: str, rows: Sequence[Row], summed: bool = True) -> list[Entry]:
    """A log as it was stored; raises Damaged."""
    entries: list[Entry] = []
    for number, (seq, at, move_id, text, found) in enumerate(rows, 1):
        if seq != number:
            raise Damaged("this entry is missing", number)
        if summed and found != _sum(table, seq, at, move_id, text):
            raise Damaged("this entry is not as it was written", number)
        try:
            entries.append(_entry(text))
        except (msgspec.MsgspecError, KeyError, AttributeError, TypeError, ValueError) as error:
            raise Damaged("this entry cannot be read", number) from error
    return entries


def _entry(text: str) -> Entry:
    values = msgspec.json.decode(text)
    kind = values.pop("kind")
    if kind == "paced":  # in form 1
        return Chosen("pace", values["pace"])
    entry: Entry = msgspec.convert(values, ENTRIES[kind])
    if "name" in values and not _ours(entry):
        raise ValueError("no table writes this")
    return entry


def _ours(entry: Any) -> bool:
    """Whether a bot that sits there is ours, and all can read this name and what was said under it."""
    if isinstance(entry, Filled) and entry.level not in LEVELS:
        return False
    said = entry.text if isinstance(entry, Said) else ""
    return kept(entry.name, LONGEST) and (not said or kept(said, LINE))
