"""What is stored of tables: kept, in order, once, and of one form."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from wire import Wire

from cagnotte.entries import Chosen, Entry, Played, Renamed, Started
from cagnotte.server.store import Damaged, Store, Unstored, Unusable

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
    await store._do(lambda base: base.execute("PRAGMA max_page_count = 1").fetchall(), writes=False)
    with pytest.raises(Unstored, match="full"):
        await store.append("t", after, [Renamed(0, "x" * 100_000)])
    assert await store.read("t") == entries()
    await store._do(lambda base: base.execute("PRAGMA max_page_count = 100000").fetchall(), writes=False)
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


@pytest.mark.parametrize("version", [0, 3, 99])
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
