"""Rows by deal into a file, as they come: Parquet or CSV, by its name."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from cagnotte.study.extras import naming, need

FORMS: Final = (".parquet", ".csv")
GROUP: Final = 2**17  # rows that are written at once


class Rows:
    """A file that is being written; it gets its name once it is whole."""

    def __init__(self, writer: Any, schema: Any) -> None:
        self._writer, self._schema = writer, schema
        self._kept: list[Any] = []
        self._count = 0

    def add(self, first: int, rows: Any) -> None:
        """The rows of these deals by number, from the first."""
        numpy, arrow = need("numpy"), need("pyarrow")
        numbers = arrow.array(numpy.arange(first, first + len(rows)))
        lines = [arrow.array(line) for line in numpy.ascontiguousarray(rows.T)]
        self._kept.append(arrow.Table.from_arrays([numbers, *lines], schema=self._schema))
        self._count += len(rows)
        if self._count >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what is kept."""
        if self._kept:
            self._writer.write_table(need("pyarrow").concat_tables(self._kept).combine_chunks())
            self._kept, self._count = [], 0


@contextmanager
def writing(path: Path, columns: Sequence[str], about: dict[str, str]) -> Iterator[Rows]:
    """A file of rows by deal: its number, then these columns; a Parquet file also says what they are about.

    Raises Illegal without pyarrow, OSError where it cannot be written.
    """
    arrow = need("pyarrow")
    fields = [("deal", arrow.int64()), *((name, arrow.int16()) for name in columns)]
    schema = arrow.schema(fields, about)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")  # nobody else's
    try:
        with naming(path), part.open("xb") as sink:
            if path.suffix == ".csv":
                writer = need("pyarrow.csv").CSVWriter(sink, schema)
            else:
                writer = need("pyarrow.parquet").ParquetWriter(sink, schema)
            with writer:
                rows = Rows(writer, schema)
                yield rows
                rows.flush()
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
