"""Many deals: the same rows however they are parted, what they come to, and the command that plays them."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

import cagnotte
from cagnotte.core import Illegal
from cagnotte.guests import Pressed
from cagnotte.players import LEVELS
from cagnotte.study import LEAST, engine, extras, kernel, simulate, student
from cagnotte.study.odds import chances
from cagnotte.study.simulate import Simulation, Tally
from cagnotte.terminal.simulation import stopping

pytest.importorskip("numba")
numpy: Any = extras.need("numpy")
PROGRAM = str(Path(sys.executable).with_name("cagnotte"))
MIXED = ("steady", "random", "steady", "random")
FEAR = Simulation("fear", ("random",) * 5, seed="x")
DEAL = Simulation("five-or-nine", MIXED, seed="x")


def rows(crew: simulate.Crew, simulation: Simulation, deals: int) -> Any:
    """All rows, after their numbers were looked at."""
    batches = list(crew.play(simulation, deals, keep=True))
    numbers = [n for batch in batches for n in range(batch.first, batch.first + batch.tally.deals)]
    assert numbers == list(range(deals))
    return numpy.concatenate([batch.rows for batch in batches])


# The same rows.


@pytest.mark.parametrize("simulation", [DEAL, FEAR], ids=["deals", "games"])
def test_rows_are_the_same_on_one_core_and_on_many(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = simulation.rows(0, 3000)
    for begin, hands in ((7, 1), (500, 3), (3000, 2)):
        monkeypatch.setitem(simulate.BEGIN, True, begin)
        with simulate.threads(hands) as crew:
            assert (rows(crew, simulation, 3000) == expected).all()
    assert (Simulation(simulation.game, simulation.bots, seed="y").rows(0, 30) != expected[:30]).any()


def test_rows_are_the_same_in_processes() -> None:
    with simulate.processes(2) as crew:
        assert (rows(crew, DEAL, 3000) == DEAL.rows(0, 3000)).all()


@pytest.mark.parametrize("name", [name for name in cagnotte.GAMES if name != "fear"])
def test_the_engine_plays_the_same_deals_with_the_same_bots(name: str) -> None:
    """The steady bot throws no dice: its own functions, asked for moves by view, come to the same rows."""
    game = cagnotte.game(name, 4)
    interpreted = engine.rows(game, [LEVELS["steady"]] * 4, 12, 100, 20)
    assert interpreted == kernel.rows(game, ["steady"] * 4, 12, 100, 20).tolist()


def test_F11_the_engine_plays_whole_games_of_fear() -> None:
    game = cagnotte.game("fear", 4, stake=1)
    for winner, turns, spreads, pool, down, *chips in engine.rows(game, [LEVELS["random"]] * 4, 12, 0, 20):
        assert (sum(chips), pool, chips[winner]) == (0, 3, 3)
        assert (turns + down) == 52 * spreads


# What they come to.


@pytest.mark.parametrize("simulation", [DEAL, FEAR], ids=["deals", "games"])
def test_tallies_join_to_that_of_all_rows_in_any_order(simulation: Simulation) -> None:
    made = simulation.rows(0, 4000)
    whole = Tally.of(simulation.columns, made)
    parts = [Tally.of(simulation.columns, part) for part in numpy.array_split(made, 7)]
    random.Random(1).shuffle(parts)
    joined = Tally(simulation.columns)
    for part in parts:
        joined.join(part)
    assert joined == whole
    for at, column in enumerate(simulation.columns):
        values = made[:, at].astype(float)
        assert whole.mean(column) == pytest.approx(values.mean())
        assert whole.interval(column) == pytest.approx(student(4000) * values.std(ddof=1) / 4000**0.5)
    assert whole.quantile("turns", 0.5) == sorted(made[:, 1].tolist())[1999]
    assert sum(whole.counts["pool"]) == sum(whole.wins) == 4000


def test_C3_chips_are_conserved_and_the_pool_is_what_all_pay() -> None:
    for simulation in (DEAL, FEAR, Simulation("play-or-pay", MIXED, {"chips": 10, "debt": "on"})):
        tally = Tally.of(simulation.columns, made := simulation.rows(0, 2000))
        seats = range(len(simulation.bots))
        chips = [simulation.columns.index(f"chips_{seat}") for seat in seats]
        assert not made[:, chips].sum(axis=1).any()
        assert sum(tally.pays(seat) for seat in seats) == pytest.approx(tally.mean("pool"))


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """For Fear the exact odds are known."""
    truth, covered = chances([2] * 5).win, 0
    for run in range(200):
        tally = Tally.of(FEAR.columns, FEAR.rows(300 * run, 300))
        covered += sum(
            low <= truth[seat] <= high for seat, (_, low, high) in enumerate(map(tally.won, range(5)))
        )
    assert 0.93 < covered / 1000 < 0.97


def test_what_a_simulation_cannot_be() -> None:
    wrong: list[tuple[Any, str]] = [
        (("bridge", MIXED), "'bridge' is not a game"),
        (("fan-tan", ("random",) * 6), "3 to 5 players, not 6"),
        (("fan-tan", ("nobody",) * 4), "'nobody' is not a bot"),
        (("fan-tan", MIXED, {"deals": 3}), "each deal stands alone"),
    ]
    for asked, why in wrong:
        with pytest.raises(Illegal, match=why):
            Simulation(*asked)


# The command.


def test_json_holds_what_is_promised(run: Run) -> None:
    asked = ("earl-of-coventry", "--deals", "3000", "--players", "3", "--bots", "random,steady,random")
    code, out, err = run("simulate", *asked, "--seed", "7", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["deals"], found["players"], found["seed"], found["compiled"]) == (3000, 3, "7", True)
    assert {"turns", "passes", "seconds", "pool", "left"} <= found.keys()
    assert [seat["bot"] for seat in found["seats"]] == ["random", "steady", "random"]
    for seat in found["seats"]:
        for name in ("chips", "wins", "passes", "left"):
            low, high = seat[f"{name}_interval"]
            assert low < seat[name] < high
    for name in ("passes", "left"):
        assert sum(seat[name] for seat in found["seats"]) == pytest.approx(found[name])
    assert sum(seat["pays"] for seat in found["seats"]) == pytest.approx(found["pool"])
    assert sum(seat["wins"] for seat in found["seats"]) == pytest.approx(1)
    again = json.loads(run("simulate", *asked, "--seed", "7", "--json")[1])
    assert {**again, "seconds": 0} == {**found, "seconds": 0}
    assert (
        json.loads(run("simulate", *asked, "--json")[1])["seed"]
        != json.loads(run("simulate", *asked, "--json")[1])["seed"]
    )


def test_the_text_has_a_line_for_each_seat(run: Run) -> None:
    code, out, err = run("simulate", "fan-tan", "--deals", "12345", "--seed", "7", "--rule", "chips=10")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "fan-tan, 4 players with 10 chips each"
    assert lines[1].startswith("12,345 deals in ") and lines[1].endswith("compiled), seed 7")
    assert [line.split()[:2] for line in lines[4:8]] == [[str(seat), "steady"] for seat in range(1, 5)]
    assert max(map(len, lines)) < 100


def test_of_a_single_deal_nothing_is_known_for_sure(run: Run) -> None:
    out = run("simulate", "fear", "--deals", "1", "--seed", "7", "--plot", "one.svg").out
    assert "cards turned" in out and "1 game in " in out
    assert "±0" not in out and "nine" not in out
    assert json.loads(run("simulate", "fear", "--deals", "1", "--json").out)["turns_interval"] is None
    ticks = re.findall(r"<!-- (−?\d+) -->", Path("one.svg").read_text(encoding="utf-8"))
    assert "100" in ticks and "120" not in ticks


def test_of_few_deals_no_interval_is_told() -> None:
    """With so few 1.96 standard errors are no interval of 95 %."""
    for deals in (2, LEAST - 1):
        tally = Tally.of(DEAL.columns, DEAL.rows(0, deals))
        assert tally.interval("chips_0") == inf
    tally = Tally.of(DEAL.columns, made := DEAL.rows(0, LEAST))
    values = made[:, DEAL.columns.index("chips_0")].astype(float)
    expected = 3.182 * values.std(ddof=1) / LEAST**0.5  # Student's t, 3 degrees
    assert tally.interval("chips_0") == pytest.approx(expected, rel=0.05)


def slowly(view: Any, told: Any, rng: random.Random) -> Any:
    time.sleep(0.05)
    return view.moves[0]


@pytest.mark.slow
def test_work_that_ends_with_its_process_has_nobody_complain(monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    looks = iter([False, False, True])
    with simulate.processes(2) as crew:
        slow = Simulation("fan-tan", (f"{__name__}:slowly",) * 4, seed="x")
        assert list(crew.play(slow, 10_000, False, lambda: next(looks))) == []
    assert complaints == []


def failing_later(view: Any, told: Any, rng: random.Random) -> Any:
    """It fails in one deal of many."""
    assert rng.random() > 0.0001
    return view.moves[0]


@pytest.mark.slow
def test_json_says_what_was_asked_and_that_it_is_not_all(run: Run) -> None:
    asked = ("fan-tan", "--deals", "20000", "--seed", "7", "--json")
    found = json.loads(run("simulate", *asked).out)
    assert (found["asked"], found["deals"], found["interrupted"], found["fault"]) == (
        20_000,
        20_000,
        False,
        None,
    )
    code, out, err = run("simulate", *asked, "--bots", f"{__name__}:failing_later")
    found = json.loads(out)
    assert (code, found["asked"], found["interrupted"]) == (1, 20_000, True)
    assert 0 < found["deals"] < 20_000 and err == f"cagnotte: {found['fault']}\n"


def test_a_seed_may_be_anything_that_can_be_typed(run: Run) -> None:
    for seed in ("", "été", "\udcff", "a\nb"):
        code, out, err = run("simulate", "fan-tan", "--deals", "5", "--seed", seed, "--out", "rows.parquet")
        assert (code, err, out.count("\n")) == (0, "", 12), seed
    assert run("simulate", "fan-tan", "--deals", "5", "--seed", r"$\no$ 王", "--plot", "p.svg")[::2] == (
        0,
        "",
    )


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_rows_are_written_by_deal(run: Run, tmp_path: Path, form: str) -> None:
    code, _, err = run("simulate", "fan-tan", "--deals", "60000", "--seed", "7", "--out", f"rows.{form}")
    assert (code, err) == (0, "")
    table = read(tmp_path / f"rows.{form}")
    expected = Simulation("fan-tan", ("steady",) * 4, seed="7")
    assert table.column_names == ["deal", *expected.columns]
    assert table.column("deal").to_pylist() == list(range(60_000))
    made = numpy.column_stack([table.column(name) for name in expected.columns])
    assert (made == expected.rows(0, 60_000)).all()
    assert [path.name for path in tmp_path.iterdir()] == [f"rows.{form}"]


def read(path: Path) -> Any:
    if path.suffix == ".csv":
        return extras.need("pyarrow.csv").read_csv(path)
    table = extras.need("pyarrow.parquet").read_table(path)
    assert table.schema.metadata[b"game"] == b"fan-tan"
    assert json.loads(table.schema.metadata[b"rules"])["chips"] == 50
    return table


@pytest.mark.slow
@pytest.mark.parametrize("game", ["play-or-pay", "fear"])
def test_pictures(run: Run, tmp_path: Path, game: str) -> None:
    for name in ("one.svg", "two.svg", "one.png"):
        assert run("simulate", game, "--deals", "500", "--seed", "7", "--plot", name)[0] == 0
    one, two, png = ((tmp_path / name).read_bytes() for name in ("one.svg", "two.svg", "one.png"))
    assert one == two and b"<svg" in one and png.startswith(b"\x89PNG")


def test_bots_that_are_not_compiled_play_in_the_engine(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "away.py").write_text(
        "def first(view, told, rng): return view.moves[0]\ndef broken(view, told, rng): return 1 // 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    code, out, err = run(
        "simulate", "fan-tan", "--deals", "60", "--seed", "7", "--bots", "away:first,steady", "--json"
    )
    found = json.loads(out)
    assert (code, err, found["compiled"], found["deals"]) == (0, "", False, 60)
    code, out, err = run("simulate", "fan-tan", "--deals", "60", "--bots", "away:broken")
    assert (code, out) == (1, "")
    assert err == (
        "cagnotte: the bot 'away:broken' failed: ZeroDivisionError: integer division or modulo by zero\n"
    )


def test_what_is_wrong_gives_one_line(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("folder.csv", "folder.svg"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr("cagnotte.terminal.simulation.run", None)  # it is known before anything is played
    for arguments, code, why in (
        (("fan-tan", "--out", "rows.txt"), 2, "'rows.txt' does not end with .parquet or .csv"),
        (("fan-tan", "--plot", "p.pdf"), 2, "'p.pdf' does not end with .svg or .png"),
        (("fan-tan", "--deals", "0"), 2, "'0' is not a whole number from 1"),
        (("fan-tan", "--rule", "deals=2"), 2, "each deal stands alone"),
        (("fan-tan", "--bots", "a,b,c,d,e"), 2, "5 bots are too many for 4 seats"),
        (("fan-tan", "--scheduler", "nowhere"), 2, "'nowhere' is not tcp://HOST:PORT"),
        (("fear", "--bots", "steady"), 2, "Fear leaves nothing to skill"),
        (("fan-tan", "--out", "none/rows.csv"), 1, "none/rows.csv"),
        (("fan-tan", "--plot", "none/rows.svg"), 1, "none/rows.svg"),
        (("fan-tan", "--out", "folder.csv"), 1, "cagnotte: folder.csv: "),
        (("fan-tan", "--plot", "folder.svg"), 1, "cagnotte: folder.svg: "),
    ):
        found, out, err = run("simulate", *arguments)
        assert (found, out, err.count("\n")) == (code, "", 1) and why in err


@pytest.mark.parametrize(
    ("library", "arguments", "extra"),
    [
        ("numpy", (), "study"),
        ("numba", (), "study"),
        ("pyarrow", ("--out", "rows.csv"), "study"),
        ("matplotlib", ("--plot", "p.svg"), "study"),
        ("distributed", ("--scheduler", "tcp://127.0.0.1:1"), "cluster"),
    ],
)
def test_without_a_library_a_sentence_names_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch, library: str, arguments: tuple[str, ...], extra: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    code, out, err = run("simulate", "fan-tan", *arguments)
    assert (code, out) == (1, "")
    assert err == f"cagnotte: this needs {library}: {extras.command(extra)}\n"


def test_the_command_is_for_this_python_and_for_how_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of ours need be on an index, and `python3` may be another than runs us."""
    (tmp_path / "it").mkdir()
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv/bin/python"))
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "src/cagnotte/study/extras.py"))
    monkeypatch.chdir(tmp_path)
    libraries = r"'matplotlib>=[\d.]+' 'numba>=[\d.]+' 'numpy>=[\d.]+' 'pyarrow>=[\d.]+'"
    assert re.fullmatch(rf"\.venv/bin/python -m pip install {libraries}", extras.command("study"))
    assert "'distributed>=" in extras.command("cluster")
    (tmp_path / "pyproject.toml").touch()
    assert extras.command("study") == ".venv/bin/python -m pip install -e '.[study]'"
    monkeypatch.chdir(tmp_path / "it")
    away = f"{tmp_path}/.venv/bin/python -m pip install -e '{tmp_path}[cluster]'"
    assert extras.command("cluster") == away
    monkeypatch.setattr(sys, "executable", "")
    assert extras.command("study").startswith("python3 -m pip install ")


def test_pip_understands_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says here is a checkout with those extras, as pip itself reads it."""
    monkeypatch.chdir(cagnotte.__path__[0])
    python, *asked = shlex.split(extras.command("study"))
    assert python == sys.executable and asked[:4] == ["-m", "pip", "install", "-e"]
    root, extra = asked[4].rstrip("]").split("[")
    assert (Path(root) / "pyproject.toml").exists() and extra == "study"


# From the shell.


def begin(folder: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([PROGRAM, "simulate", *arguments], cwd=folder, **(pipes | options))


def until(happened: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def begun(folder: Path, name: str) -> int:
    """The bytes so far of a file that is being written."""
    return sum(size(part) for part in folder.glob(f"{name}.*.part"))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a limit of Unix")
@pytest.mark.parametrize("option", ["--out", "--plot"])
def test_a_full_disk_costs_the_file_alone(tmp_path: Path, option: str) -> None:
    import resource

    name = {"--out": "rows.csv", "--plot": "p.png"}[option]
    process = begin(
        tmp_path, "fan-tan", "--deals", "2000", "--json", option, name,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
    )  # fmt: skip
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (1, f"cagnotte: {name}: File too large\n")
    assert json.loads(out)["seats"]


def test_no_file_of_anothers_is_taken_for_rows_that_were_begun(run: Run) -> None:
    """B101."""
    other = Path("rows.csv.part")
    other.write_text("my thesis")
    assert run("simulate", "fan-tan", "--deals", "10", "--out", "rows.csv").code == 0
    assert other.read_text() == "my thesis"
    assert [path.name for path in Path().glob("*.part")] == [other.name]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_gives_what_is_done_so_far(tmp_path: Path) -> None:
    process = begin(
        tmp_path, "fan-tan", "--deals", "10000000000", "--json", "--out", "rows.parquet", "--seed", "7"
    )
    until(lambda: begun(tmp_path, "rows.parquet") > 1000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")
    found, table = json.loads(out), read(tmp_path / "rows.parquet")
    assert found["interrupted"] and found["deals"] == table.num_rows > 100_000
    assert table.column("deal").to_numpy().tolist() == list(range(table.num_rows))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
@pytest.mark.parametrize("seconds", [0.3, 0.6, 1, 4])
def test_ctrl_c_leaves_no_complaint_of_processes(tmp_path: Path, seconds: float) -> None:
    """A terminal sends it to all of them, also while they begin."""
    (tmp_path / "away.py").write_text("def first(view, told, rng): return view.moves[0]\n")
    asked = ("fan-tan", "--deals", "1000000", "--bots", "away:first", "--json")
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    process = begin(tmp_path, *asked, env=env, start_new_session=True)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert not out or json.loads(out)["interrupted"]


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_while_libraries_are_loaded_waits_for_them(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one that was loaded by half Python would complain."""
    loaded = []

    def load(library: str) -> None:
        signal.raise_signal(signal.SIGINT)
        loaded.append(library)

    monkeypatch.setattr("cagnotte.terminal.simulation.need", load)
    assert run("simulate", "fan-tan") == (130, "0 deals of 100,000 (interrupted)\n", "")
    assert loaded == ["numpy"]


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_while_processes_begin_is_heard_afterwards() -> None:
    with stopping() as stopped:
        with simulate._unheard():
            signal.raise_signal(signal.SIGINT)
            assert not stopped()
        assert stopped()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a terminal of its own")
def test_how_far_it_is_stands_on_a_terminal_only(tmp_path: Path) -> None:
    import pty

    mine, theirs = pty.openpty()
    process = begin(tmp_path, "fan-tan", "--deals", "3000000", stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            heard = os.read(mine, 4096)
        except OSError:
            break
        if not heard:
            break
        shown += heard
    out, _ = process.communicate(timeout=30)
    os.close(mine)
    lines = [line for line in shown.decode().split("\r") if line.strip()]
    assert process.returncode == 0 and "3,000,000 deals in" in out
    assert all(" deals, " in line and "/s, " in line and " left" in line for line in lines)
    assert max(map(len, lines)) < 80


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the unit of memory is Linux's")
def test_memory_is_flat(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from cagnotte.cli import main; code = main(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    used = {}
    for deals in (1_000_000, 5_000_000):
        asked = ["simulate", "fan-tan", "--bots", "random", "--deals", str(deals), "--out", "rows.parquet"]
        run = [sys.executable, "-c", code, *asked]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
        used[deals] = int(done.stderr) / 1024
    assert used[5_000_000] - used[1_000_000] < 40, used  # megabytes; the rows alone would be 128 more


Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, Start, subprocess.Popen[bytes]]]:
    """A scheduler on the loopback, how to start its workers, each a process of its own, and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, dask = f"tcp://127.0.0.1:{port}", str(Path(sys.executable).with_name("dask"))
    started: list[subprocess.Popen[bytes]] = []

    def start(said: bytes, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        log = tmp_path / f"log.{len(started)}"
        with log.open("wb") as file:
            command = [dask, *arguments, "--no-dashboard"]
            started.append(subprocess.Popen(command, cwd=tmp_path, stdout=file, stderr=file, **options))
        until(lambda: said in log.read_bytes())
        return started[-1]

    try:
        scheduler = start(b"Scheduler at", "scheduler", "--host", "127.0.0.1", "--port", str(port))
        yield address, start, scheduler
    finally:
        for process in started[::-1]:
            process.kill()
            process.wait()


def worker(address: str, start: Start, **options: Any) -> subprocess.Popen[bytes]:
    return start(b"Registered to", "worker", address, "--nthreads", "1", "--no-nanny", **options)


@pytest.mark.slow
def test_no_cluster_gives_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PATIENCE", 2.0)
    code, out, err = run("simulate", "fan-tan", "--scheduler", "tcp://127.0.0.1:1")
    assert (code, out, err) == (1, "", "cagnotte: no scheduler answers at tcp://127.0.0.1:1\n")


@pytest.mark.parametrize(
    "says", [b"", b"HTTP/1.1 400 Bad Request\r\n", None], ids=["nothing", "another thing", "good-bye"]
)
def test_whatever_answers_that_is_no_scheduler_is_said_to_be_none(
    run: Run, monkeypatch: pytest.MonkeyPatch, says: bytes | None
) -> None:
    """Dask would wait for it without end, or take what it says for a length of exabytes."""
    monkeypatch.setattr(simulate, "PATIENCE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            held.append(line := server.accept()[0])
            if says is None:
                line.close()
            else:
                line.sendall(says)

        held: list[socket.socket] = []
        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        done = run("simulate", "fan-tan", "--scheduler", address)
    assert done == (1, "", f"cagnotte: no scheduler answers at {address}\n")
    for line in held:
        line.close()


def test_ctrl_c_ends_the_wait_for_a_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        looks = iter([False, True])
        began = time.monotonic()
        with pytest.raises(Pressed):
            simulate.answers(f"tcp://127.0.0.1:{server.getsockname()[1]}", lambda: next(looks))
    assert time.monotonic() - began < 5


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_ends_the_wait_for_a_worker(tmp_path: Path, cluster: Any) -> None:
    address, _, _ = cluster
    with (tmp_path / "stderr").open("w") as heard:
        process = begin(tmp_path, "fan-tan", "--scheduler", address, stderr=heard)
        until(lambda: size(tmp_path / "stderr") > 0, seconds=30)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=15)
    told = "cagnotte: the scheduler has no workers: waiting for one\n"
    assert (process.returncode, out, (tmp_path / "stderr").read_text()) == (130, "", told)
    assert time.monotonic() - pressed < 4


@pytest.mark.slow
def test_a_cluster_gives_the_same_rows_also_when_a_worker_dies(tmp_path: Path, cluster: Any) -> None:
    address, start, _ = cluster
    workers = [worker(address, start) for _ in range(2)]
    asked = ("fan-tan", "--deals", "4000000", "--bots", "random", "--seed", "7", "--json")
    away = begin(tmp_path, *asked, "--out", "away.parquet", "--scheduler", address)
    until(lambda: begun(tmp_path, "away.parquet") > 1000)
    workers[0].kill()
    assert away.poll() is None
    out, err = away.communicate(timeout=120)
    assert away.returncode == 0, err
    here = begin(tmp_path, *asked, "--out", "here.parquet")
    told, _ = here.communicate(timeout=120)
    assert read(tmp_path / "away.parquet").equals(read(tmp_path / "here.parquet"))
    assert read(tmp_path / "away.parquet").num_rows == 4_000_000
    assert {**json.loads(out), "seconds": 0} == {**json.loads(told), "seconds": 0}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_a_cluster_without_workers_says_so_and_ctrl_c_gives_what_is_done(
    tmp_path: Path, cluster: Any
) -> None:
    address, start, _ = cluster
    last = worker(address, start)
    asked = ("fan-tan", "--deals", "10000000000", "--seed", "7", "--json", "--out", "rows.csv")
    with (tmp_path / "stderr").open("w") as heard:
        process = begin(tmp_path, *asked, "--scheduler", address, stderr=heard)
        until(lambda: begun(tmp_path, "rows.csv") > 1000)
        last.kill()
        until(lambda: size(tmp_path / "stderr") > 0, seconds=10)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=15)
    told = "cagnotte: no worker is left: waiting for one (Ctrl-C gives what is done)\n"
    assert (process.returncode, (tmp_path / "stderr").read_text()) == (130, told)
    found = json.loads(out)
    assert found["interrupted"] and found["deals"] == len(read_deals(tmp_path / "rows.csv")) > 0


@pytest.mark.slow
def test_a_cluster_that_had_no_worker_goes_on_with_the_next(tmp_path: Path, cluster: Any) -> None:
    address, start, _ = cluster
    last = worker(address, start)
    asked = (
        "fan-tan",
        "--deals",
        "2000000",
        "--bots",
        "random",
        "--seed",
        "7",
        "--json",
        "--out",
        "rows.csv",
    )
    with (tmp_path / "stderr").open("w") as heard:
        process = begin(tmp_path, *asked, "--scheduler", address, stderr=heard)
        until(lambda: begun(tmp_path, "rows.csv") > 1000)
        last.kill()
        until(lambda: size(tmp_path / "stderr") > 0, seconds=10)
        worker(address, start)
        process.communicate(timeout=120)
    assert process.returncode == 0
    assert read_deals(tmp_path / "rows.csv") == list(range(2_000_000))


@pytest.mark.slow
def test_a_scheduler_that_dies_costs_no_deal_that_is_done(tmp_path: Path, cluster: Any) -> None:
    address, start, scheduler = cluster
    worker(address, start)
    asked = ("fan-tan", "--deals", "10000000000", "--seed", "7", "--json", "--out", "rows.csv")
    process = begin(tmp_path, *asked, "--scheduler", address)
    until(lambda: begun(tmp_path, "rows.csv") > 1000)
    scheduler.kill()
    out, err = process.communicate(timeout=15)
    assert (process.returncode, err) == (1, f"cagnotte: the scheduler at {address} is gone\n")
    assert json.loads(out)["deals"] == len(read_deals(tmp_path / "rows.csv")) > 0


@pytest.mark.slow
def test_dask_may_have_closed_its_client_before_anybody_asks(cluster: Any) -> None:
    """Which it does as soon as it notices that the scheduler went: nobody is told in its words."""
    address, start, scheduler = cluster
    worker(address, start)
    with simulate.cluster(address) as crew:
        deal = crew.submit(simulate.work, asked := Simulation("fan-tan", ("random",) * 4), 0, 1, False)
        scheduler.kill()
        until(lambda: deal.future.client.status == "closed")
        crew.cancel(deal)
        with pytest.raises(Illegal, match="is gone"):
            crew.submit(simulate.work, asked, 1, 1, False)


def read_deals(path: Path) -> list[int]:
    """The numbers of the deals in a file of rows."""
    deals: list[int] = extras.need("pyarrow.csv").read_csv(path)["deal"].to_pylist()
    return deals


@pytest.mark.slow
def test_a_cluster_that_cannot_play_gives_one_line(
    run: Run, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, start, _ = cluster
    asked = ("fan-tan", "--scheduler", address)
    monkeypatch.setattr(simulate, "PATIENCE", 2.0)
    waited = "cagnotte: the scheduler has no workers: waiting for one\n"
    gone = f"cagnotte: the scheduler at {address} has no workers\n"
    assert run("simulate", *asked, complaints=2) == (1, "", waited + gone)
    monkeypatch.setattr(simulate, "PATIENCE", 10.0)
    worker(address, start)
    monkeypatch.setattr(simulate, "ours", lambda: "99")
    code, out, err = run("simulate", *asked)
    assert (code, out, err.count("\n")) == (1, "", 1) and err.endswith(" lacks Cagnotte 99\n")
