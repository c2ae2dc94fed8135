"""What is stored of tables: kept, in order, once, and of one form."""

import asyncio
import sqlite3
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from wire import Wire

from cagnotte.entries import Chosen, Entry, Played, Renamed, Said, Started
from cagnotte.server import hall as keeping
from cagnotte.server import store as storing
from cagnotte.server.store import ALIVE, APPLICATION, VERSION, Damaged, Store, Unstored, Unusable, _sum
from cagnotte.table import Table

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a" / "folder" / "tables.sqlite"


def entries() -> list[Entry]:
    return Wire.open().entries


def opened(path: Path, patience: float = 5.0) -> Store:
    store = Store(path, patience)
    store.open()
    return store


async def test_what_was_awaited_is_there_after_a_restart(path: Path) -> None:
    store = opened(path)
    await store.append("t", 1, entries())
    await store.append("t", len(entries()) + 1, [Chosen("pace", "quick"), Renamed(0, "Zoë ♠")])
    store.close()
    store = opened(path)
    assert await store.read("t") == [*entries(), Chosen("pace", "quick"), Renamed(0, "Zoë ♠")]
    assert await store.read("u") == []
    store.close()


async def test_B079_two_writers_of_one_table_do_not_both_write(path: Path) -> None:
    one, other = opened(path), opened(path)
    await one.append("t", 1, entries())
    after = len(entries()) + 1
    results = await asyncio.gather(
        *(
            store.append("t", after, [Chosen("pace", pace)])
            for store, pace in ((one, "quick"), (other, "slow")) * 5
        ),
        return_exceptions=True,
    )
    assert [type(result) for result in results if result is not None] == [Unstored] * 9
    stored = await other.read("t")
    assert stored == await one.read("t") and len(stored) == after
    one.close()
    other.close()


async def test_many_tables_share_a_commit_and_one_that_fails_is_undone_alone(path: Path) -> None:
    store = opened(path)
    await store.append("t0", 1, entries())
    results = await asyncio.gather(
        *(store.append(f"t{i % 100}", 1, entries()) for i in range(200)), return_exceptions=True
    )
    assert sum(result is None for result in results) == 99
    assert all([await store.read(f"t{i}") == entries() for i in range(100)])
    store.close()


async def test_no_entry_is_left_out_and_no_move_id_stored_twice(path: Path) -> None:
    store = opened(path)
    await store.append("t", 1, entries())
    after = len(entries()) + 1
    with pytest.raises(Unstored, match="would follow"):
        await store.append("t", after + 1, [Chosen("pace", "quick")])
    with pytest.raises(Unstored, match="would follow"):
        await store.append("u", 2, [Chosen("pace", "quick")])
    await store.append("t", after, [Played(0, "7S", "a")])
    with pytest.raises(Unstored):
        await store.append("t", after + 1, [Played(0, "8S", "a")])
    await store.append("t", after + 1, [Played(1, "8S", "a"), Played(2, "pass")])
    assert len(await store.read("t")) == after + 2
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET entry = '{' WHERE seq = 3",
        "UPDATE entries SET entry = '[1]' WHERE seq = 3",
        """UPDATE entries SET entry = '{"kind":"spell"}' WHERE seq = 3""",
        """UPDATE entries SET entry = '{"kind":"paced"}' WHERE seq = 3""",
        """UPDATE entries SET entry = '{"kind":"chosen","what":7}' WHERE seq = 3""",
        "UPDATE entries SET entry = x'ff00' WHERE seq = 3",
        "UPDATE entries SET entry = CAST(x'ff00' AS TEXT) WHERE seq = 3",
        "UPDATE entries SET entry = replace(entry, 'Agathe', 'Agathf') WHERE seq = 4",
        "UPDATE entries SET at = at + 1 WHERE seq = 3",
        "UPDATE entries SET move_id = 'a' WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 1",
    ],
)
async def test_B105_a_damaged_table_is_told_from_one_that_is_not_there(path: Path, damage: str) -> None:
    store = opened(path)
    await store.append("t", 1, entries())
    await store.append("u", 1, entries())
    other = sqlite3.connect(path)
    other.execute(damage + " AND table_id = 't'")
    other.commit()
    other.close()
    with pytest.raises(Damaged):
        await store.read("t")
    assert await store.read("u") == entries()
    store.close()


async def test_B117_a_full_disk_is_told_and_what_was_stored_stays(path: Path) -> None:
    store = opened(path)
    await store.append("t", 1, entries())
    after = len(entries()) + 1
    await store._do(lambda base: base.execute("PRAGMA max_page_count = 1").fetchall())
    with pytest.raises(Unstored, match="full"):
        await store.append("t", after, [Renamed(0, "x" * 100_000)])
    assert await store.read("t") == entries()
    await store._do(lambda base: base.execute("PRAGMA max_page_count = 100000").fetchall())
    await store.append("t", after, [Chosen("pace", "slow")])
    store.close()


async def test_a_fault_of_ours_ends_neither_the_thread_nor_what_others_store(path: Path) -> None:
    def fail(base: sqlite3.Connection) -> None:
        base.execute("DELETE FROM tables")
        raise ZeroDivisionError

    store = opened(path)
    await store.append("t", 1, entries())
    results = await asyncio.gather(store._do(fail), store.append("u", 1, entries()), return_exceptions=True)
    assert isinstance(results[0], ZeroDivisionError) and results[1] is None and store.alive
    assert await store.read("t") == await store.read("u") == entries()
    store.close()
    assert not store.alive


def test_a_database_that_cannot_even_undo_ends_no_thread() -> None:
    class Failing:
        in_transaction = True

        def execute(self, statement: str) -> None:
            if statement != "BEGIN IMMEDIATE":
                raise sqlite3.OperationalError("disk I/O error")

    job = storing._Job(lambda _: None, True, Future())
    storing._commit(cast(sqlite3.Connection, Failing()), [job], lambda: None)
    assert isinstance(job.done.exception(), sqlite3.OperationalError)


@pytest.mark.parametrize("old", [False, True])
async def test_what_was_deleted_is_in_no_file_any_more(path: Path, old: bool) -> None:
    """Also while the server runs on. Where another reads just then nobody waits; it is tried again."""
    store, log = opened(path), [*entries(), Said(0, "Ann", "Dear diary")]
    wal = path.with_name(f"{path.name}-wal")
    for table in ("t", "u"):
        await store.append(table, 1, log)

    def left() -> bool:
        return any(b"diary" in file.read_bytes() for file in (path, wal))

    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM tables").fetchall()
    await asyncio.wait_for(store.expire(-1, -1, ()) if old else store.delete("t"), 2)
    await asyncio.wait_for(store.fold(), 2)
    assert left()
    other.execute("COMMIT")
    if old:
        await store.fold()
    else:
        await store.delete("u")
    assert not left() and await store.read("u") == []
    other.close()
    store.close()


async def test_the_hall_tries_again_and_folds_what_a_server_that_was_killed_left(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only while something is left: it writes nothing when nothing was deleted."""
    monkeypatch.setattr(keeping, "SWEEP", 0.01)
    killed = opened(path)
    await killed.append("t", 1, [*entries(), Said(0, "Ann", "Dear diary")])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM tables").fetchall()
    await killed.delete("t")
    store, tried = opened(path), list[object]()
    put = store._writer.put

    def note(job: Any) -> None:
        tried.append(job)
        put(job)

    monkeypatch.setattr(store._writer, "put", note)
    hall = keeping.Hall(store)
    await hall.begin()
    await asyncio.sleep(0.1)
    wal = path.with_name(f"{path.name}-wal")
    assert b"diary" in wal.read_bytes() and len(tried) > 3
    other.execute("COMMIT")
    await asyncio.sleep(0.1)
    assert not any(b"diary" in file.read_bytes() for file in (path, wal))
    tried.clear()
    await asyncio.sleep(0.1)
    assert not tried
    await hall.end()
    other.close()
    for each in (store, killed):
        each.close()


async def test_a_locked_database_is_waited_for_and_then_told(path: Path) -> None:
    store = opened(path, patience=0.1)
    await store.append("t", 1, entries())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unstored, match="locked"):
        await store.append("t", len(entries()) + 1, [Chosen("pace", "slow")])
    assert await store.read("t") == entries()
    other.execute("ROLLBACK")
    other.close()
    await store.append("t", len(entries()) + 1, [Chosen("pace", "slow")])
    store.close()


@pytest.mark.parametrize("replaced", [False, True])
async def test_nothing_is_said_to_be_stored_in_a_file_that_is_gone(path: Path, replaced: bool) -> None:
    store, new = opened(path), [Chosen("pace", "slow")]
    await store.append("t", 1, entries())
    path.rename(path.with_name("away"))
    if replaced:
        path.write_bytes(path.with_name("away").read_bytes())
    with pytest.raises(Unstored, match="gone"):
        await store.append("t", len(entries()) + 1, new)
    assert not store.alive
    path.with_name("away").replace(path)
    assert store.alive and await store.read("t") == entries()
    await store.append("t", len(entries()) + 1, new)
    assert await store.read("t") == [*entries(), *new]
    store.close()


async def test_a_long_log_that_is_read_holds_up_nobody_who_writes(path: Path) -> None:
    store, reads, going = opened(path), threading.Event(), threading.Event()

    def read(base: sqlite3.Connection) -> None:
        reads.set()
        assert going.wait(10)

    slow = asyncio.create_task(store._do(read, writes=False))
    await asyncio.to_thread(reads.wait, 10)
    await asyncio.wait_for(store.append("t", 1, entries()), 5)
    going.set()
    await slow
    assert await store.read("t") == entries()
    store.close()


async def test_what_is_too_old_is_deleted_and_what_is_in_use_is_not(path: Path) -> None:
    store = opened(path)
    lobby = [entry for entry in entries() if not isinstance(entry, Started)]
    for table in ("lobby", "kept"):
        await store.append(table, 1, lobby)
    for table in ("begun", "later"):
        await store.append(table, 1, lobby)
        await store.append(table, len(lobby) + 1, [Started()])
    assert await store.expire(3600, 3600, ()) == 0
    assert await store.expire(-1, 3600, ["kept"]) == 1
    assert [bool(await store.read(table)) for table in ("lobby", "kept", "begun", "later")] == [0, 1, 1, 1]
    assert await store.expire(-1, -1, ["kept", "later"]) == 1
    assert [bool(await store.read(table)) for table in ("kept", "begun", "later")] == [1, 0, 1]
    store.close()


FORM_1 = f"""
CREATE TABLE tables (
  id TEXT PRIMARY KEY, opened REAL NOT NULL, touched REAL NOT NULL, started INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE entries (
  table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE, seq INTEGER NOT NULL, at REAL NOT NULL,
  move_id TEXT, entry TEXT NOT NULL, PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX moves ON entries (table_id, move_id) WHERE move_id IS NOT NULL;
CREATE INDEX touched ON tables (touched);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = 1;
"""
LOG_1 = (
    '{"kind":"opened","game":"fan-tan","players":3,"rules":{"deals":2},"pace":"slow"}',
    '{"kind":"took","seat":0,"name":"Ann","secret":"a"}',
    '{"kind":"hosted","seat":0}',
    '{"kind":"filled","seat":1,"name":"Agathe","level":"steady"}',
    '{"kind":"paced","pace":"quick"}',
    '{"kind":"took","seat":2,"name":"Bo","secret":"b"}',
    '{"kind":"started"}',
    '{"kind":"played","actor":-1,"move":"draw 0 JS","move_id":null,"stand_in":false}',
    '{"kind":"left","seat":2}',
)


def old(path: Path, tables: int = 3) -> sqlite3.Connection:
    """A file as it was before tables had codes."""
    path.parent.mkdir(parents=True)
    base = sqlite3.connect(path, isolation_level=None)
    base.executescript(f"BEGIN; {FORM_1} COMMIT;")
    for table in range(tables):
        base.execute("INSERT INTO tables VALUES (?, 1, 2, 1)", (f"t{table}",))
        rows = [(f"t{table}", seq, 2.0, None, text) for seq, text in enumerate(LOG_1, 1)]
        base.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
    return base


@pytest.mark.parametrize("form", [1, 2, 3, 4, 5])
async def test_B103_a_file_of_a_form_before_is_brought_up_to_date(path: Path, form: int) -> None:
    base = old(path)
    if form > 1:
        base.execute("ALTER TABLE tables ADD COLUMN code TEXT")
        base.execute("CREATE UNIQUE INDEX codes ON tables (code)")
        base.execute("UPDATE tables SET code = 'FHKL2' || (substr(id, 2) + 2)")
        base.execute(f"PRAGMA user_version = {form}")
    if form > 3:
        base.create_function("sum_of", 5, _sum)
        base.execute("ALTER TABLE entries ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
        base.execute("UPDATE entries SET sum = sum_of(table_id, seq, at, move_id, entry)")
    if form > 4:
        base.execute(ALIVE)
    base.close()
    for _ in range(2):
        store = opened(path)
        codes = [await store.code(f"t{table}") for table in range(3)]
        assert len(set(codes)) == 3
        for table, code in enumerate(codes):
            assert code and await store.find(code) == f"t{table}"
            restored = Table.restore(await store.read(f"t{table}"))
            assert (restored.pace, restored.clock, restored.chairs[2].former) == ("quick", 90, "b")
        store.close()
    store = opened(path)
    assert await store.noted() is None
    for now in (1.5, 2.5):
        await store.note(now)
    assert await store.noted() == 2.5
    await store.append("t0", len(LOG_1) + 1, [Chosen("clock", 15)])
    await store.append("new", 1, entries())
    assert await store.code("new") not in codes and await store.expire(-1, -1, ["new"]) == 3
    assert codes[0] is not None and await store.find(codes[0]) is None
    store.close()


def test_B109_a_file_that_cannot_be_brought_up_to_date_is_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-way through, locked, or by two at once."""

    def content() -> list[str]:
        base = sqlite3.connect(path)
        lines = [*base.iterdump(), *map(str, base.execute("PRAGMA user_version"))]
        base.close()
        return lines

    base = old(path)
    before = content()

    def failing(codes: list[str] = ["K3F9TX"]) -> str:  # noqa: B006 - one is found, no second
        if not codes:
            raise sqlite3.OperationalError("disk I/O error")
        return codes.pop()

    monkeypatch.setattr("cagnotte.server.store.new_code", failing)
    with pytest.raises(Unusable, match="disk I/O error"):
        opened(path)
    assert content() == before
    monkeypatch.undo()
    base.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unusable, match="locked"):
        opened(path, patience=0.1)
    base.execute("ROLLBACK")
    base.close()
    assert content() == before
    with ThreadPoolExecutor() as pool:
        for store in pool.map(opened, [path] * 4):
            store.close()
    assert content()[-1] == f"({VERSION},)"


async def test_two_tables_never_have_one_code(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B143."""
    codes = iter(["K3F9TX", "K3F9TX", "K3F9TX", "K3F9TF"])
    monkeypatch.setattr("cagnotte.server.store.new_code", lambda: next(codes))
    store = opened(path)
    for table, code in (("t", "K3F9TX"), ("u", "K3F9TF")):
        await store.append(table, 1, entries())
        assert (await store.code(table), await store.find(code)) == (code, table)
    assert await store.code("v") is await store.find("222222") is None
    store.close()


@pytest.mark.parametrize("version", [0, VERSION + 1, 99])
def test_B109_another_form_is_refused_and_not_touched(path: Path, version: int) -> None:
    opened(path).close()
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA user_version = {version}")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(Unusable, match=r"an older|a newer"):
        opened(path)
    assert path.read_bytes() == before


def test_B115_what_is_no_database_of_ours_is_refused_in_a_line(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE people (name TEXT)")
    other.commit()
    other.close()
    (tmp_path / "noise").write_bytes(b"noise" * 1000)
    for path in ("other.db", "noise", ".", "noise/tables.db"):
        with pytest.raises(Unusable) as refused:
            opened(tmp_path / path)
        assert "--database" in str(refused.value) and "\n" not in str(refused.value)
