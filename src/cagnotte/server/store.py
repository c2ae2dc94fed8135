"""Tables on disk: their entries in an SQLite database, written by one thread, many in one commit."""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from cagnotte.entries import ENTRIES, Chosen, Entry, Played, Started, plain
from cagnotte.server.codes import new_code

VERSION: Final = 3  # of the stored form; each one that was is in `_upgrade`
APPLICATION: Final = 0xCA6017E  # marks an SQLite file as ours
MANY: Final = 500  # jobs of one commit

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
  PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX moves ON entries (table_id, move_id) WHERE move_id IS NOT NULL;
CREATE INDEX touched ON tables (touched);
CREATE UNIQUE INDEX codes ON tables (code);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""

T = TypeVar("T")


class Unusable(Exception):
    """The database cannot be used at all: one line that says why."""


class Unstored(Exception):
    """The database refused: another process wrote first, or the disk is full, gone or locked."""


class Damaged(Exception):
    """What is stored of a table cannot be read."""


@dataclass(frozen=True, slots=True)
class _Job:
    """Something to do in the database; what writes is done once its transaction has been committed."""

    do: Callable[[sqlite3.Connection], Any]
    writes: bool
    done: "Future[Any]"


class Store:
    """The entries of all tables. `open` it, and `close` it; what is awaited was committed."""

    def __init__(self, path: Path | None, patience: float = 5.0) -> None:
        """A database in this file, or in memory only; one that is locked is waited for so many seconds."""
        self.path = path
        self.patience = patience
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._ready: Future[None] = Future()

    def open(self) -> None:
        """Begin; raises Unusable."""
        self._thread.start()
        self._ready.result()

    def close(self) -> None:
        """Commit what is under way, and end."""
        self._jobs.put(None)
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether anything is still written."""
        return self._thread.is_alive()

    async def append(self, table: str, first: int, entries: Sequence[Entry]) -> None:
        """Store these as entries `first` and following of a table, or none of them; raises Unstored."""
        now = time.time()
        rows = [
            (table, first + i, now, _move_id(entry), msgspec.json.encode(plain(entry)).decode())
            for i, entry in enumerate(entries)
        ]
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
            base.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)

        await self._do(write)

    async def read(self, table: str) -> list[Entry]:
        """The entries of a table in order, none for one that is not there; raises Damaged, or Unstored."""

        def select(base: sqlite3.Connection) -> list[tuple[int, str]]:
            return base.execute(
                "SELECT seq, entry FROM entries WHERE table_id = ? ORDER BY seq", (table,)
            ).fetchall()

        rows = await self._do(select, writes=False)
        return await asyncio.to_thread(_entries, rows)

    async def code(self, table: str) -> str | None:
        """The room code of a table, if it is there; raises Unstored."""
        return await self._look_up("SELECT code FROM tables WHERE id = ?", table)

    async def find(self, code: str) -> str | None:
        """The table that has this room code, if one has; raises Unstored."""
        return await self._look_up("SELECT id FROM tables WHERE code = ?", code)

    async def _look_up(self, query: str, value: str) -> str | None:
        row = await self._do(lambda base: base.execute(query, (value,)).fetchone(), writes=False)
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

        return await self._do(delete)

    async def _do(self, do: Callable[[sqlite3.Connection], T], writes: bool = True) -> T:
        done: Future[T] = Future()
        self._jobs.put(_Job(do, writes, done))
        try:
            return await asyncio.wrap_future(done)
        except sqlite3.Error as error:
            raise Unstored(str(error)) from error

    # The thread.

    def _work(self) -> None:
        try:
            base = _connect(self.path, self.patience)
        except (OSError, sqlite3.Error, Unusable) as error:
            self._ready.set_exception(error if isinstance(error, Unusable) else _unusable(self.path, error))
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
            _commit(base, [job for job in jobs if job.writes])
            for job in jobs:
                if not job.writes:
                    _read(base, job)
        base.close()


def _commit(base: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
    """Do these in one transaction, and answer once it is on the disk; one that fails is undone alone."""
    if not jobs:
        return
    results: list[tuple[_Job, Any]] = []
    try:
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
        base.execute("COMMIT")
    except sqlite3.Error as error:
        if base.in_transaction:
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
    (version,) = base.execute("PRAGMA user_version").fetchone()
    (application,) = base.execute("PRAGMA application_id").fetchone()
    (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (tables or application):
        raise Unusable(f"{path} is a database, but not one of Cagnotte; choose another with --database FILE")
    if tables and not 1 <= version <= VERSION:
        age = "a newer" if version > VERSION else "an older"
        raise Unusable(
            f"{path} was written by {age} Cagnotte (form {version}, not {VERSION}); it was not touched"
        )
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("PRAGMA foreign_keys = ON")
    if not tables:
        base.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
    if tables and version < VERSION:
        _upgrade(base)
    base.execute("BEGIN IMMEDIATE")  # shows whether it can be written to
    base.execute(f"PRAGMA user_version = {VERSION}")
    base.execute("COMMIT")
    return base


def _upgrade(base: sqlite3.Connection) -> None:
    """From form 1, where tables had no code, or 2, which had no sealed secrets, in one transaction."""
    base.execute("BEGIN IMMEDIATE")
    try:
        if base.execute("PRAGMA user_version").fetchone() == (1,):  # nobody else was faster
            base.execute("ALTER TABLE tables ADD COLUMN code TEXT")
            base.execute("CREATE UNIQUE INDEX codes ON tables (code)")
            for table in base.execute("SELECT id FROM tables").fetchall():
                base.execute("UPDATE tables SET code = ? WHERE id = ?", (_free_code(base), *table))
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
    return Unusable(f"the database {path} cannot be used: {why}; choose another with --database FILE")


def _move_id(entry: Entry) -> str | None:
    return f"{entry.actor} {entry.move_id}" if isinstance(entry, Played) and entry.move_id else None


def _entries(rows: Sequence[tuple[int, str]]) -> list[Entry]:
    """A log as it was stored, by number; raises Damaged."""
    if [seq for seq, _ in rows] != list(range(1, len(rows) + 1)):
        raise Damaged("entries are missing")
    try:
        return [_entry(text) for _, text in rows]
    except (msgspec.MsgspecError, KeyError, AttributeError, TypeError) as error:
        raise Damaged("an entry cannot be read") from error


def _entry(text: str) -> Entry:
    values = msgspec.json.decode(text)
    kind = values.pop("kind")
    if kind == "paced":  # in form 1
        return Chosen("pace", values["pace"])
    entry: Entry = msgspec.convert(values, ENTRIES[kind])
    return entry
