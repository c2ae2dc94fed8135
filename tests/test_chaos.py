"""A server that is killed, whose disk is full, whose database is locked: benchmarks/chaos.py in short."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from wire import Wire, start

from cagnotte.server.store import Store


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are a thing of Linux")
@pytest.mark.parametrize(
    ("fault", "times", "seed"),
    # The second time it is locked for 1.7 s, and the first for 5.7 s: longer than the store waits.
    [("kill", 5, 1790), ("full", 3, 1790), ("locked", 2, 317)],
)
def test_B101_no_move_that_was_acknowledged_is_lost_or_doubled(fault: str, times: int, seed: int) -> None:
    command = [sys.executable, "benchmarks/chaos.py", "--fault", fault, "--seconds", f"{times}"]
    options = ["--times", f"{times}", "--seed", f"{seed}", "--tables", "3", "--seats", "5", "--patient"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "; 0 things wrong" in done.stdout
    assert int(done.stdout.split(" moves acknowledged")[0].split("\n")[-1]) > 10


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_move_that_was_lost_doubled_or_refused_and_played_is_found(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("chaos", ROOT / "benchmarks" / "chaos.py")
    assert spec is not None and spec.loader is not None
    chaos: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(chaos)
    wire = start(Wire.company())
    seat, move = wire.actor, wire.moves()[0]
    wire.act(seat, move, id="its 1")
    store = Store(tmp_path / "tables.sqlite")
    store.open()
    await store.append("t", 1, wire.entries)
    store.close()

    def wrong(done: list[tuple[str, str]], refused: list[tuple[str, str]], back: int = 0) -> list[str]:
        bot = {"table": "t", "seat": seat, "told": {"done": done, "refused": refused}, "back": back}
        found: list[str] = chaos.judge(tmp_path / "tables.sqlite", [bot])
        return found

    assert wrong([("its 1", move)], [("its 2", move)]) == []
    assert "lost" in wrong([("its 2", move)], [])[0] and "lost" in wrong([("its 1", "another")], [])[0]
    assert "was refused and played" in wrong([], [("its 1", move)])[0]
    assert "shown less" in wrong([], [], back=1)[0]
