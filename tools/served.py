"""A server of its own for a tool or a benchmark."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served() -> Iterator[str]:
    """Its address, without a slash at the end: on a free port, with a database that goes when it ends."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(sys.executable).with_name("cagnotte"))
        command = [program, "serve", "--port", "0", "--no-browser", "--database", f"{folder}/tables.sqlite"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().split()[-1].rstrip("/")
            finally:
                process.terminate()
