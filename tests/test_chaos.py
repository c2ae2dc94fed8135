"""A server that is killed, whose disk is full, whose database is locked: benchmarks/chaos.py in short."""

import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are a thing of Linux")
@pytest.mark.parametrize("fault", ["kill", "full", "locked"])
def test_B101_no_move_that_was_acknowledged_is_lost_or_doubled(fault: str) -> None:
    command = [sys.executable, "benchmarks/chaos.py", "--fault", fault, "--seconds", "5"]
    options = ["--times", "5" if fault != "locked" else "2", "--tables", "3", "--seats", "5", "--patient"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "; 0 things wrong" in done.stdout
    assert int(done.stdout.split(" moves acknowledged")[0].split("\n")[-1]) > 10
