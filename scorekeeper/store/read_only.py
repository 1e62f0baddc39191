"""Reading a book that one may not write, by a copy of its bytes.

SQLite reads a book by way of two files beside it, and makes them where they are missing. Made by
somebody who may not write the book they would be theirs, and would keep its owner from recording.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from scorekeeper.store import faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    # The bytes of a book, and of what is written ahead of it.
    Bytes = tuple[bytes, bytes]
    Stamps = tuple[tuple[int, int, int] | None, ...]

LOG = "-wal"
_MODE = slice(18, 20)  # of the header: how it is written, 2 ahead of it, 1 not
_BY_EFFECTIVE_ID = os.access in os.supports_effective_ids


def is_only_read(path: str) -> bool:
    """Whether a file is there that one may read, and not write."""
    may = [os.access(path, right, effective_ids=_BY_EFFECTIVE_ID) for right in (os.R_OK, os.W_OK)]
    return may == [True, False]


def stamps(path: str) -> Stamps:
    """What changes when somebody writes in a book."""
    return tuple(map(_stamp, (path, path + LOG)))


@contextmanager
def copied(path: str, until: float) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of a book, of one moment, while others may write in it. Raises Locked
    where they write without a pause until then; OSError, SQLite's errors."""
    book, log = _bytes(path, until)
    if log or len(book) < _MODE.stop:
        import tempfile  # nearly everybody may write their book

        with tempfile.TemporaryDirectory(prefix="scorekeeper-") as folder:
            copy = os.path.join(folder, "book.sqlite")
            for name, data in ((copy, book), (copy + LOG, log)) if log else ((copy, book),):
                with open(name, "wb") as file:
                    file.write(data)
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                yield connection
        return
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        changed = bytearray(book)
        changed[_MODE] = b"\1\1"  # what is in memory has no file beside it
        connection.deserialize(bytes(changed))
        yield connection


def _bytes(path: str, until: float) -> Bytes:
    """The bytes of one moment: what is read twice, and is the same, was so between."""
    before = _read(path)
    while (now := _read(path)) != before:
        if time.monotonic() > until:
            raise faults.in_use(path)
        before = now
        time.sleep(0.01)
    return before


def _read(path: str) -> Bytes:
    with open(path, "rb") as file:
        book = file.read()
    try:
        with open(path + LOG, "rb") as file:
            return book, file.read()
    except FileNotFoundError:
        return book, b""


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
