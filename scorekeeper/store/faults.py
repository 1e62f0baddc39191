"""What goes wrong with a book's file, in words: SQLite's errors become failures."""

from __future__ import annotations

import sqlite3

from scorekeeper.core.failures import Damaged, Failure, Locked
from scorekeeper.core.suggest import shown
from scorekeeper.store.protocol import Unsettled

RESCUE = "scorekeeper check-book says what is whole, and saves it"


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 where the error is Python's own."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def is_busy(error: sqlite3.Error) -> bool:
    """Whether somebody else holds the lock that was asked for."""
    return code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def failure(error: sqlite3.Error, path: str) -> Failure:
    """What an error of SQLite means to whoever uses the book; nothing was written."""
    code = code_of(error)
    if is_busy(error):
        return Locked(f"the book {path} is in use by another process", "try again in a moment")
    if code == sqlite3.SQLITE_NOTADB:
        return no_book(path)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return unopened(path, "no permission, or a file in the place of a folder")
    if code == sqlite3.SQLITE_READONLY:
        return Damaged(
            f"the book {path} cannot be used: it, or its folder, is read-only",
            "get the right to write there, or copy it and name the copy: --book FILE",
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return Damaged(
            f"the book {path} could not be read or written, and nothing was changed: {error}",
            "make room on the disk and look whether it is there, then enter it again",
        )
    if code == sqlite3.SQLITE_CORRUPT or "decode" in str(error):
        return damaged(path)
    return Damaged(f"the book {path} cannot be used: {shown(error, 120)}", RESCUE)


def unsettled(error: sqlite3.Error, path: str) -> Unsettled:
    """A write that failed at its end, where the book cannot say what came of it."""
    return Unsettled(
        f"the book {path} failed at the end of writing and could not be read after it, so it is "
        f"not known whether this was recorded: {shown(error, 120)}",
        "look before you do it again: scorekeeper matches, scorekeeper status --log",
    )


def no_book(path: str) -> Damaged:
    """A file that is something else."""
    return Damaged(f"{path} is not a scorekeeper book", "name another file: --book FILE")


def no_file(path: str) -> Damaged:
    """No file, and none is to be made."""
    return Damaged(f"there is no book at {path}", "begin a match: scorekeeper new")


def damaged(path: str) -> Damaged:
    """A file that does not say what was written."""
    return Damaged(f"the book {path} is damaged", RESCUE)


def unopened(path: str, why: str | None) -> Damaged:
    """A file that the system does not let us have."""
    return Damaged(
        f"the book {path} cannot be opened: {why or 'unknown reason'}",
        "look at its folder's permissions, or name another place: --book FILE",
    )


def moved(path: str) -> Damaged:
    """A file that was moved away while it was open."""
    return Damaged(
        f"the book {path} was moved or replaced while it was open",
        "put it back, or open the match again",
    )


def newer(path: str, version: int, known: int) -> Damaged:
    """A book that a later program wrote."""
    return Damaged(
        f"the book {path} was written by a newer scorekeeper (schema {version}, "
        f"known up to {known})",
        "update scorekeeper, or name another book: --book FILE",
    )
