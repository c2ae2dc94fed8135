"""`cagnotte data`: copies made while tables are played, copies brought back, damage found, records told."""

import asyncio
import json
import os
import random
import re
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from test_store import entries, old, opened
from wire import Wire

from cagnotte.entries import Chosen, Drew, Entry, Filled, Played, Renamed, Said, Started, Took
from cagnotte.server import data
from cagnotte.server.store import VERSION, Damaged, Unusable
from cagnotte.table_terms import Go
from cagnotte.tales import story

pytestmark = pytest.mark.anyio
KEPT = '{"cagnotte": 1, "game": "fear", "players": ["a", "b"], "moves": []}\n'
OTHERS = "something else than records is there: name another file"


def sitting(game: str = "fan-tan", seed: int = 0) -> list[Entry]:
    """A whole sitting of Ann and bots, with its shuffles sealed."""
    rules: dict[str, Any] = {"stake": 1} if game == "fear" else {"deals": 1, "chips": 20}
    wire = Wire.open(game, chosen={"pace": "once"}, seed=seed, sealed="ab" * 32, **rules).here(0)
    while wire.table.state == "playing":
        if wire.person():
            cut = wire.table.play.phase == "cut"
            wire.act(0, f"cut {wire.table.game.view(wire.table.play, 0).cuts[0]}" if cut else None)
        wire.tell(Go(0, wire.table.version))
        wire.wait(0.5)
    return wire.entries


@pytest.fixture(scope="module")
def played() -> list[Entry]:
    return sitting()


async def filled(path: Path, *logs: list[Entry]) -> None:
    store = opened(path)
    for number, log in enumerate(logs):
        await store.append(f"t{number}", 1, log)
    store.close()


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


def findings(base: Path) -> list[str]:
    return [str(finding) for finding in data.check(base)]


def change(base: Path, statement: str) -> None:
    with closing(sqlite3.connect(base)) as file:
        file.execute(statement)
        file.commit()


async def test_a_copy_is_made_while_others_write_and_is_whole(base: Path, tmp_path: Path) -> None:
    """B103: twenty copies of a file that is written to; each has all that was stored before it."""
    store = opened(base)
    logs = {f"t{number}": entries() for number in range(8)}
    for id, log in logs.items():
        await store.append(id, 1, log)
    ends = threading.Event()

    async def write() -> None:
        while not ends.is_set():
            for id, log in logs.items():
                new: list[Entry] = [Chosen("pace", random.choice(["slow", "quick"]))]
                await store.append(id, len(log) + 1, new)
                log.extend(new)

    writing = asyncio.create_task(write())
    for number in range(20):
        before = {id: len(log) for id, log in logs.items()}
        copy = tmp_path / f"copy-{number}.sqlite"
        assert await asyncio.to_thread(data.backup, base, copy) == 8
        assert await asyncio.to_thread(findings, copy) == await asyncio.to_thread(findings, base) == []
        there = opened(copy)
        for id, least in before.items():
            log = await there.read(id)
            assert len(log) >= least and log == logs[id][: len(log)]
        there.close()
    ends.set()
    await writing
    store.close()
    assert sum(map(len, logs.values())) > 20 * 8
    assert not list(tmp_path.glob("*.part"))


async def test_a_copy_is_brought_back(base: Path, tmp_path: Path, played: list[Entry]) -> None:
    copy = tmp_path / "a copy.sqlite"
    await filled(base, played, entries())
    base.chmod(0o600)
    data.backup(base, copy)
    assert os.name == "nt" or copy.stat().st_mode & 0o777 == 0o600
    await filled(tmp_path / "other.sqlite", entries())
    with pytest.raises(data.Refused, match="--force"):
        data.restore(copy, tmp_path / "other.sqlite")
    for to in (tmp_path / "new" / "tables.sqlite", tmp_path / "other.sqlite"):
        assert data.restore(copy, to, force=to.exists()) == 2
        assert findings(to) == []
        store = opened(to)
        assert (await store.read("t0"), await store.read("t1")) == (played, entries())
        store.close()
    assert data.count(tmp_path / "other.sqlite.before")[0] == 1


async def test_a_copy_is_not_put_under_a_server_that_runs_nor_over_something_else(
    base: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    await filled(base, entries())
    data.backup(base, copy)
    store = opened(base)
    with pytest.raises(data.Refused, match="stop the server"):
        data.restore(copy, base, force=True)
    await store.append("u", 1, entries())
    store.close()
    (tmp_path / "letter").write_text("Dear Bo")
    for to in (base, tmp_path / "letter"):
        with pytest.raises(data.Refused):
            data.backup(base, to)
    with pytest.raises(data.Refused, match="there is no file"):
        data.backup(tmp_path / "none", copy)
    assert (tmp_path / "letter").read_text() == "Dear Bo" and data.count(base)[0] == 2
    with pytest.raises(data.Refused, match="is there already: --force"):
        data.backup(base, copy)
    assert data.count(copy)[0] == 1
    assert data.backup(base, copy, force=True) == 2
    for to in (base, tmp_path / "letter"):
        with pytest.raises(data.Refused):
            data.backup(base, to, force=True)
    assert (tmp_path / "letter").read_text() == "Dear Bo" and data.count(base)[0] == 2


async def test_a_damaged_copy_is_brought_back_only_by_force_and_what_is_no_copy_never(
    base: Path, tmp_path: Path
) -> None:
    await filled(base, entries(), entries())
    data.backup(base, copy := tmp_path / "copy.sqlite")
    change(copy, "UPDATE entries SET entry = 'x' WHERE table_id = 't0' AND seq = 3")
    with pytest.raises(data.Refused, match="table t0, entry 3"):
        data.restore(copy, tmp_path / "new.sqlite")
    assert data.restore(copy, tmp_path / "new.sqlite", force=True) == 2
    copy.write_bytes(copy.read_bytes()[:9000])
    with pytest.raises(data.Refused, match="the file"):
        data.restore(copy, base, force=True)
    assert findings(base) == []


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (
            "UPDATE entries SET entry = replace(entry, 'Ann', 'Amn') WHERE seq = 3",
            "table t0, entry 3: this entry is not",
        ),
        ("DELETE FROM entries WHERE seq = 5", "table t0, entry 5: this entry is missing"),
        ("DELETE FROM entries", "table t0: it has no entries"),
        ("UPDATE tables SET started = 0", "table t0: whether a sitting began"),
        ("DELETE FROM tables", "the file: there are entries of a table 't0'"),
    ],
)
async def test_damage_is_found_and_told_by_table_and_entry(
    base: Path, played: list[Entry], damage: str, found: str
) -> None:
    await filled(base, played)
    assert findings(base) == []
    change(base, damage)
    assert any(line.startswith(found) for line in findings(base)), findings(base)


async def test_T3_what_was_stored_as_it_cannot_have_been_is_found(base: Path, played: list[Entry]) -> None:
    """Sums that fit are no proof: the play is done again, and each shuffle from its secret."""
    at = next(number for number, entry in enumerate(played) if "shuffle" in str(entry))
    other = next(entry for entry in sitting(seed=1) if "shuffle" in str(entry))
    drew = played[at]
    assert isinstance(drew, Drew) and isinstance(other, Drew) and drew != other
    shared = Drew(drew.move, {"0": "cd" * 32})
    begun = played.index(Started())
    logs = (
        [*played[:at], other],
        [*played[:at], shared],
        [*played, Played(0, "pass")],
        [*played[:begun], drew],
    )
    await filled(base, *logs)
    unfair = f"entry {at + 1}: this does not follow from its secret and shares (T3)"
    assert findings(base)[:2] == [f"table t0, {unfair}", f"table t1, {unfair}"]
    assert findings(base)[2].startswith(f"table t2, entry {len(played) + 1}: this entry cannot follow")
    assert findings(base)[-1].startswith(f"table t3, entry {begun + 1}:")


@pytest.mark.slow
async def test_of_200_places_where_a_byte_is_changed_each_is_found_or_changes_no_table(
    base: Path, played: list[Entry]
) -> None:
    await filled(base, played, entries())
    with closing(sqlite3.connect(base)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
    whole, rng, found = base.read_bytes(), random.Random(1790), 0
    for _ in range(200):
        at = rng.randrange(len(whole))
        base.write_bytes(whole[:at] + bytes([whole[at] ^ rng.randrange(1, 256)]) + whole[at + 1 :])
        try:
            wrong = findings(base)
        except Unusable as unusable:
            wrong = [str(unusable)]
        found += bool(wrong)
        if not wrong:
            store = opened(base)
            assert (await store.read("t0"), await store.read("t1")) == (played, entries()), at
            store.close()
        for side in data.SIDES:
            base.with_name(base.name + side).unlink(missing_ok=True)
    assert found > 30  # most of so small a file is empty


async def test_a_name_that_is_no_text_any_more_is_found(base: Path, played: list[Entry]) -> None:
    """What SQLite says of it quotes it, and cannot be read either."""
    await filled(base, played)
    with closing(sqlite3.connect(base)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
    whole = base.read_bytes()
    for name in (b"alive", b"entries", b"moves"):
        base.write_bytes(whole.replace(name, b"\xe2(" + name[2:]))
        try:
            assert findings(base)
        except (Unusable, data.Refused) as refused:
            assert str(base) in str(refused)


async def test_a_file_of_a_form_before_is_checked_and_copied_as_it_is(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "old" / "tables.sqlite"
    old(path).close()
    assert findings(path) == []
    assert data.backup(path, tmp_path / "copy.sqlite") == 3
    assert data.restore(tmp_path / "copy.sqlite", base) == 3
    with closing(sqlite3.connect(base)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
    change(path, f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(Unusable, match="a newer"):
        findings(path)


async def test_sittings_that_are_over_are_told_as_records_and_the_others_not(
    base: Path, played: list[Entry]
) -> None:
    spread = sitting("fear")
    begun = played[: len(played) // 2]
    await filled(base, played, begun, spread, entries())
    assert list(data.records(base)) == [str(story(log).record()) for log in (played, spread)]
    assert list(data.records(base, "t2")) == [str(story(spread).record())]
    assert list(data.records(base, "t1")) == []
    with pytest.raises(data.Refused, match="no table"):
        list(data.records(base, "nobody"))
    change(base, "UPDATE entries SET entry = 'x' WHERE table_id = 't0' AND seq = 3")
    told = list(data.records(base))
    assert str(told[0]).startswith("table t0, entry 3") and told[1] == str(story(spread).record())


async def test_it_is_said_in_lines_on_the_command_line(
    base: Path,
    played: list[Entry],
    run: Run,
) -> None:
    await filled(base, played, entries())
    of = ("--database", str(base))
    assert run("data", "check", *of).out == f"{base}: ok, 2 tables, {len(played) + len(entries())} entries\n"
    assert run("data", "backup", "copy.sqlite", *of).out == "copy.sqlite holds 2 tables\n"
    refused = run("data", "backup", "copy.sqlite", *of)
    assert refused.err == "cagnotte: copy.sqlite is there already: --force puts the new copy in its place\n"
    assert run("data", "backup", "copy.sqlite", "--force", *of).out == "copy.sqlite holds 2 tables\n"
    assert (
        run("data", "restore", "copy.sqlite", "--database", "new.sqlite").out == "new.sqlite holds 2 tables\n"
    )
    assert run("data", "restore", "copy.sqlite", *of).code == 1
    for force in ((), ("--force",)):
        assert run("data", "restore", "nope", *of, *force).err == "cagnotte: there is no file nope\n"
    assert run("data", "export", *of).json == [json.loads(str(story(played).record()))]
    assert run("data", "export", "out.jsonl", *of).code == 0
    assert run("record", "check", "out.jsonl").code == run("verify", "out.jsonl").code == 0
    assert (
        run("data", "check", "--database", "nothing.sqlite").err
        == "cagnotte: there is no file nothing.sqlite\n"
    )
    change(base, "UPDATE entries SET entry = 'x' WHERE table_id = 't0' AND seq = 3")
    done = run("data", "check", *of)
    assert (done.code, done.out) == (1, "")
    assert done.err == f"cagnotte: {base}: table t0, entry 3: this entry is not as it was written\n"
    assert run("data", "check", "--json", *of, complaints=0).json == [
        {"ok": False, "table": "t0", "entry": 3, "what": "this entry is not as it was written"}
    ]


async def test_one_table_is_not_called_tables(base: Path, run: Run) -> None:
    await filled(base, entries())
    of = ("--database", str(base))
    assert run("data", "check", *of).out == f"{base}: ok, 1 table, {len(entries())} entries\n"
    assert run("data", "check", "--json", *of).json == [{"ok": True, "tables": 1, "entries": len(entries())}]
    assert run("data", "backup", "copy.sqlite", *of).out == "copy.sqlite holds 1 table\n"


async def test_what_cannot_be_read_or_written_is_named_with_the_reason(base: Path, run: Run) -> None:
    """The file at fault, not the other one."""
    await filled(base, entries())
    of = ("--database", str(base))
    Path("folder").mkdir()
    for asked, why in (
        (("backup", "none/x", *of), "none/x cannot be written: No such file or directory"),
        (("backup", f"{base}/x", *of), f"{base}/x cannot be written: Not a directory"),
        (("backup", "folder", *of), "folder is a folder: name a file"),
        (("restore", "folder", *of, "--force"), "folder is a folder: name a file"),
        (("restore", str(base), "--database", "folder", "--force"), "folder is a folder: name a file"),
        (("export", "none/x", *of), "none/x cannot be written: No such file or directory"),
        (("export", "folder", *of), "folder is a folder: name a file"),
        (("check", "--database", "folder"), "folder is a folder: name a file"),
    ):
        done = run("data", *asked)
        assert (done.code, done.out, done.err) == (1, "", f"cagnotte: {why}\n"), asked
    assert not list(Path("folder").iterdir()) and not list(base.parent.glob("*.part"))


async def test_a_folder_without_rights_is_no_damage(
    base: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What SQLite says where it may write nothing beside a file that was in use."""
    await filled(base, entries())

    def reading(path: Path) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(data, "reading", reading)
    monkeypatch.setattr(os, "access", lambda path, mode: path != base.parent)
    why = f"{base} cannot be read: unable to open database file, and {base.parent} may not be written to"
    for asked in (("backup", "x"), ("check",), ("export",)):
        assert run("data", *asked, "--database", str(base)).err == f"cagnotte: {why}\n"
    assert run("data", "restore", str(base), "--database", "x").err == f"cagnotte: {why}\n"


def test_a_full_disk_is_that_of_the_copy(tmp_path: Path) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorname = "SQLITE_FULL"

    class Source:
        def backup(self, to: sqlite3.Connection) -> None:
            raise full

    source: Any = Source()
    copy = tmp_path / "copy"
    with (
        pytest.raises(data.Refused, match=r"copy cannot be written: the disk is full"),
        data.beside(copy, copy) as part,
    ):
        data._copy(source, part, copy)
    assert not list(tmp_path.iterdir())


async def test_B101_an_export_that_cannot_be_keeps_the_file_that_is_there(
    base: Path, tmp_path: Path, played: list[Entry], run: Run
) -> None:
    kept = tmp_path / "records.jsonl"
    kept.write_text(KEPT)
    kept.chmod(0o600)
    of = (str(kept), "--database", str(base))
    done = run("data", "export", *of)
    assert (done.code, kept.read_text()) == (1, KEPT)
    assert str(base) in done.err
    await filled(base, played)
    done = run("data", "export", "--table", "nope", *of)
    assert (done.code, done.err, kept.read_text()) == (1, "cagnotte: there is no table nope\n", KEPT)
    assert run("data", "export", *of).code == 0
    assert kept.read_text() == f"{story(played).record()}\n"
    assert os.name == "nt" or kept.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {base.name, kept.name}


@pytest.mark.parametrize("side", ["", *data.SIDES])
async def test_B101_neither_an_export_nor_a_copy_takes_the_place_of_tables(
    base: Path, tmp_path: Path, run: Run, side: str
) -> None:
    """Nor that of what SQLite has beside them; by no link either, and while a server runs."""
    store = opened(base)
    await store.append("t0", 1, entries())
    (link := tmp_path / "link").symlink_to(base.name + side)
    for path in (base.with_name(base.name + side), link):
        for what in (("export",), ("backup",), ("backup", "--force")):
            done = run("data", *what, str(path), "--database", str(base))
            assert (done.code, done.out) == (1, "") and str(path) in done.err
    await store.append("t1", 1, entries())
    store.close()
    assert findings(base) == [] and data.count(base)[0] == 2


async def test_B101_an_export_takes_the_place_of_no_copy_and_goes_where_a_link_or_a_pipe_leads(
    base: Path, tmp_path: Path, played: list[Entry], run: Run
) -> None:
    await filled(base, played)
    data.backup(base, copy := tmp_path / "copy.sqlite")
    of = ("--database", str(base))
    assert run("data", "export", str(copy), *of).err == f"cagnotte: {copy}: {OTHERS}\n"
    (letter := tmp_path / "letter").write_text("Dear Bo")
    assert run("data", "export", str(letter), *of).err == f"cagnotte: {letter}: {OTHERS}\n"
    assert letter.read_text() == "Dear Bo"
    assert findings(copy) == []
    (link := tmp_path / "link").symlink_to("records.jsonl")
    assert run("data", "export", str(link), *of).code == 0
    assert link.is_symlink() and (tmp_path / "records.jsonl").read_text() == f"{story(played).record()}\n"
    assert run("data", "export", os.devnull, *of).code == 0
    assert not Path(os.devnull).is_file()


async def test_B101_no_file_is_taken_for_one_that_was_begun(base: Path, tmp_path: Path) -> None:
    """Names that end in `.part` are anybody's, also those of the tables and of a copy."""
    part = tmp_path / "x.part"
    await filled(part, entries())
    assert data.backup(part, tmp_path / "x") == 1
    assert data.restore(part, tmp_path / "x", force=True) == 1
    own = tmp_path / "y.part"
    own.write_text("Dear Bo")
    assert data.backup(part, tmp_path / "y") == 1
    assert own.read_text() == "Dear Bo" and findings(part) == []


async def test_B101_a_restore_that_is_killed_leaves_tables_and_overwrites_no_other(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def replace(source: Path, to: Path) -> None:
        if Path(to) == base:
            raise Killed
        rename(source, to)

    copy, before, rename = tmp_path / "copy.sqlite", base.with_name(f"{base.name}.before"), os.replace
    await filled(copy, entries())
    await filled(base, entries(), entries())
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(Killed):
        data.restore(copy, base, force=True)
    assert findings(base) == [] and data.count(base)[0] == 2
    monkeypatch.undo()
    assert data.restore(copy, base, force=True) == 1
    assert data.count(base)[0] == 1 and data.count(before)[0] == 2
    with pytest.raises(data.Refused, match="before is there already"):
        data.restore(copy, base, force=True)
    assert data.count(before)[0] == 2
    before.unlink()
    monkeypatch.setattr(os, "link", lambda *_: os.stat(tmp_path / "none"))  # on a disk without such links
    assert data.restore(copy, base, force=True) == 1
    assert data.count(before)[0] == 1 and not before.samefile(base)


@pytest.mark.parametrize("error", ["attempt to write a readonly database", "disk I/O error", None])
async def test_B101_what_is_beside_a_file_is_kept_where_it_cannot_be_put_into_it(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str | None
) -> None:
    """After a kill the last moves are in `-wal` alone. So where SQLite says nothing or the file is gone."""
    await filled(copy := tmp_path / "copy.sqlite", entries())
    await filled(base, entries(), entries())
    (wal := base.with_name(f"{base.name}-wal")).write_bytes(b"of which nothing else is left")
    whole = base.read_bytes()

    class Failing(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> Any:
            if "DELETE" not in statement:
                return super().execute(statement, *values)
            if error:
                raise sqlite3.OperationalError(error)
            return super().execute("PRAGMA query_only")

        def close(self) -> None:
            pass

    connect: Any = sqlite3.connect

    def failing(to: Any, *more: Any, **how: Any) -> Any:
        return connect(to, *more, **how, **({"factory": Failing} if to == base else {}))

    monkeypatch.setattr(sqlite3, "connect", failing)
    with pytest.raises(data.Refused, match=error or "-wal holds what could not be put"):
        data.restore(copy, base, force=True)
    assert base.read_bytes() == whole and wal.read_bytes() == b"of which nothing else is left"
    base.unlink()
    with pytest.raises(data.Refused, match="there is no such file"):
        data.restore(copy, base)
    assert wal.exists() and {path.name for path in tmp_path.iterdir()} == {copy.name, wal.name}


async def test_B079_two_copies_to_one_file_at_once_are_each_whole(base: Path, tmp_path: Path) -> None:
    """So is what is there whenever one of them is ready, and no fault is told of either."""
    await filled(base, *[sitting(seed=seed) for seed in range(4)] * 10)
    data.backup(base, copy := tmp_path / "copy.sqlite")
    for _ in range(5):
        both = (asyncio.to_thread(data.backup, base, copy, True) for _ in range(3))
        assert await asyncio.gather(*both) == [40] * 3
        assert findings(copy) == []
    beside = {f"{base.name}-wal", f"{base.name}-shm"}  # stay where none of three readers is the last to close
    assert {path.name for path in tmp_path.iterdir()} - beside == {base.name, copy.name}


def test_a_copy_that_cannot_be_written_is_named_and_the_source_where_it_cannot_be_read() -> None:
    for name, raised in (
        ("SQLITE_IOERR_WRITE", data.Refused),
        ("SQLITE_CANTOPEN", data.Refused),
        ("SQLITE_CORRUPT", sqlite3.Error),
    ):
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = name

        class Source:
            def backup(self, to: sqlite3.Connection, error: Exception = error) -> None:
                raise error

        source: Any = Source()
        with pytest.raises(raised, match=r"^copy cannot.* I/O" if raised is data.Refused else "^disk"):
            data._copy(source, Path(":memory:"), Path("copy"))


@pytest.mark.parametrize(
    ("entry", "legal"),
    [
        (Filled(1, "Basile", "this:c"), False),
        (Filled(1, "Basile", "random"), True),
        (Took(1, "A\u202e<b>", "s"), False),
        (Took(1, "A\x1b[31m", "s"), False),
        (Took(1, "B" * 50, "s"), False),
        (Took(1, "", "s"), False),
        (Renamed(0, "Bo\nCy"), False),
        (Said(0, "Ann", "well\u2028played"), False),
        (Said(0, "Ann", "x" * 201), False),
        (Said(0, "A\u200bnn", react="well"), False),
        (Said(0, "Ann", "e\u0301" * 200), True),
        # What was kept before it was known to be drawn as nothing, or by a Python that knows more letters.
        (Renamed(0, "An\u200dn\u115f\ufe00\U0001d159\ufffc"), True),
        (Renamed(0, "\U0001f469\u200d\U0001f467 \U0003fff0"), True),
    ],
)
async def test_B105_what_no_table_would_have_stored_is_damage_also_where_its_sum_fits(
    base: Path, run: Run, entry: Entry, legal: bool
) -> None:
    """No bot of others is loaded for a server, and no name turns the direction of a line."""
    log = Wire.open(seats=["person", "open", "open", "open"]).entries
    await filled(base, [*log, entry])
    wrong = f"table t0, entry {len(log) + 1}: this entry cannot be read"
    assert findings(base) == ([] if legal else [wrong])
    store = opened(base)
    if legal:
        assert (await store.read("t0"))[-1] == entry
    else:
        with pytest.raises(Damaged):
            await store.read("t0")
    store.close()


@pytest.mark.parametrize(
    ("statements", "what"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END", "a trigger 't'"),
        ("CREATE VIEW v AS SELECT 1", "a view 'v'"),
        (
            "ALTER TABLE entries RENAME TO e; CREATE VIEW entries AS WITH RECURSIVE "
            "n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS table_id, i AS seq FROM n",
            "a table 'e'",
        ),
        ("CREATE TABLE more (a)", "a table 'more'"),
        ("CREATE VIRTUAL TABLE f USING fts5(a)", "a table 'f'"),
        ("CREATE INDEX i ON entries (at)", "an index 'i'"),
        ("DROP INDEX moves; CREATE INDEX moves ON entries (hex(entry))", "an index 'moves'"),
        ("DROP TABLE alive; CREATE TABLE alive (one INTEGER, at REAL CHECK (at < 0))", "a table 'alive'"),
        ("CREATE VIEW 'a\x1b[31m' AS SELECT 1", r"a view 'a\x1b[31m'"),
    ],
)
async def test_B105_more_in_a_file_than_we_make_is_damage(
    base: Path, tmp_path: Path, played: list[Entry], run: Run, statements: str, what: str
) -> None:
    """A trigger would undo moves that were acknowledged; a view need not end."""
    await filled(base, played)
    with closing(sqlite3.connect(base)) as file:
        file.executescript(statements)
    wrong = f"it holds {what}, which is not as Cagnotte makes it"
    assert findings(base) == [f"the file: {wrong}"]
    with pytest.raises(Unusable, match=re.escape(wrong)):
        opened(base)
    for force in (False, True):
        with pytest.raises(data.Refused, match=re.escape(wrong)):
            data.restore(base, tmp_path / "new.sqlite", force)
    for command in (["check"], ["backup", str(tmp_path / "copy")], ["export", str(tmp_path / "out")]):
        code, out, err = run("data", *command, "--database", str(base))
        assert (code, out, err.count("\n")) == (1, "", 1) and wrong in err
    assert not [*tmp_path.glob("new*"), *tmp_path.glob("copy*"), *tmp_path.glob("out*")]


async def test_what_sqlite_notes_of_a_file_is_no_damage(base: Path, played: list[Entry]) -> None:
    await filled(base, played)
    change(base, "ANALYZE")
    assert findings(base) == []


async def test_an_export_calls_a_guest_without_a_name_as_others_do(
    base: Path, played: list[Entry], run: Run
) -> None:
    log = [replace(entry, name="#1") if isinstance(entry, Took) else entry for entry in played]
    await filled(base, log)
    [record] = run("data", "export", "--database", str(base)).json
    assert record["players"][0] == "Guest"
    assert story(log).record("fr").players[0] == "Anonyme"
