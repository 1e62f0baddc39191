"""Errors of the book file, with SQLite errors translated into messages for users."""

from __future__ import annotations

import sqlite3

from scorekeeper.core.errors import Damaged, Failure, Locked
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import describe_crash, quote
from scorekeeper.store.rows import DamagedCache, UncertainWrite

RESCUE_HINT = N_("to list the intact matches and save them: scorekeeper check-book --save FOLDER")

_INACCESSIBLE = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
)


def internal_error(error: Exception, path: str = "") -> Damaged:
    """Return the error for a bug that occurs while the program reads a file or a match.

    The caller reports the error and continues with the other files.
    """
    message = tr("an error in the program: {what}", what=describe_crash(error))
    return Damaged(
        f"{quote(path, 200)}: {message}" if path else message,
        tr("please report this error, and attach the file"),
    )


def code_of(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code, or 0 if Python raised the error and not SQLite."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether the error means that another process holds the lock."""
    return code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_inaccessible(error: sqlite3.Error) -> bool:
    """Return whether access was denied by another process or by the system.

    The contents of the file do not cause such an error.
    """
    return is_busy(error) or code_of(error) in _INACCESSIBLE


def is_undecodable(error: sqlite3.Error) -> bool:
    """Return whether the error means that a value could not be decoded as text."""
    return "decode" in str(error)


def translate_error(error: sqlite3.Error, path: str) -> Failure:
    """Return the error for users that corresponds to a SQLite error.

    Call this only if nothing was written.
    """
    code = code_of(error)
    if is_busy(error):
        return book_in_use(path)
    if code == sqlite3.SQLITE_NOTADB:
        return not_a_book(path)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return cannot_open(
            path, tr("access is denied, or a part of the path is a file instead of a folder")
        )
    if code == sqlite3.SQLITE_READONLY:
        return Damaged(
            tr("the book {path} cannot be used, because it or its folder is read-only", path=path),
            tr("get permission to write there, or copy the book and name the copy: --book FILE"),
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return Damaged(
            tr(
                "the book {path} could not be read or written, and nothing was changed: {error}",
                path=path,
                error=error,
            ),
            tr("check that the disk is connected and has free space, then try again"),
        )
    if code == sqlite3.SQLITE_CORRUPT or is_undecodable(error):
        return damaged_book(path)
    return Damaged(
        tr("the book {path} cannot be used: {found}", path=path, found=quote(error, 120)),
        tr(RESCUE_HINT),
    )


def book_in_use(path: str) -> Locked:
    """Return the error for a book that another process has locked."""
    return Locked(
        tr("the book {path} is in use by another process", path=path),
        tr("try again in a moment"),
    )


def uncertain_write(error: sqlite3.Error, path: str) -> UncertainWrite:
    """Return the error for a failed commit after which the book could not be read."""
    return UncertainWrite(
        tr(
            "the book {path} could not be read after a failed write, so it is unknown "
            "whether this change was recorded: {found}",
            path=path,
            found=quote(error, 120),
        ),
        tr(
            "before you try again, check whether the change was stored: scorekeeper matches, "
            "or scorekeeper status --log"
        ),
    )


def not_a_book(path: str) -> Damaged:
    """Return the error for a file that is not a book."""
    return Damaged(
        tr("{path} is not a scorekeeper book", path=path), tr("name another file: --book FILE")
    )


def no_such_book(path: str) -> Damaged:
    """Return the error for a missing book that may not be created."""
    return Damaged(
        tr("there is no book at {path}", path=path), tr("begin a match: scorekeeper new")
    )


def damaged_book(path: str) -> Damaged:
    """Return the error for a damaged book."""
    return Damaged(tr("the book {path} is damaged", path=path), tr(RESCUE_HINT))


def damaged_round(path: str, match: int, number: object) -> DamagedCache:
    """Return the error for a damaged cached round."""
    message = N_("in the book {path}, the stored result of match {match}, round {round} is damaged")
    return DamagedCache(tr(message, path=path, match=match, round=quote(number)), match)


def damaged_rounds(path: str, match: int) -> DamagedCache:
    """Return the error for a match whose cached rounds cannot be decoded as text."""
    message = N_("in the book {path}, the stored results of match {match} are damaged")
    return DamagedCache(tr(message, path=path, match=match), match)


def damaged_match(path: str, match: int) -> Damaged:
    """Return the error for a match whose row contains values that the program never writes."""
    message = N_("in the book {path}, the details of match {match} are damaged")
    return Damaged(tr(message, path=path, match=match), tr(RESCUE_HINT))


def cannot_open(path: str, why: str | None) -> Damaged:
    """Return the error for a file that the system cannot open."""
    return Damaged(
        tr("the book {path} cannot be opened: {why}", path=path, why=why or tr("unknown reason")),
        tr("check the permissions of the folder, or name another file: --book FILE"),
    )


def cannot_write(path: str, why: str | None) -> Damaged:
    """Return the error for a file that cannot be written."""
    return Damaged(
        tr(
            "{path} cannot be written: {reason}",
            path=quote(path, 200),
            reason=why or tr("unknown reason"),
        ),
        tr("free some space there, get permission to write, or choose another place"),
    )


def moved_book(path: str) -> Damaged:
    """Return the error for a book that was moved or replaced while it was open."""
    return Damaged(
        tr("the book {path} was moved or replaced while it was open", path=path),
        tr("put the book back, or open the match again"),
    )


def backup_not_writable(path: str) -> Damaged:
    """Return the error for an attempt to write to a backup."""
    return Damaged(
        tr("{path} is a backup, and backups are never changed", path=path),
        tr(
            "to restore the backup as a book, enter {command}",
            command="scorekeeper restore BACKUP --book FILE",
        ),
    )
