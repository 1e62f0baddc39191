"""Backups of a book, and the restoration of a book from a backup.

A backup can be made while other processes write to the book. SQLite copies the state of the book at
one moment. In write-ahead mode, other processes can write to the book during the copy, but the copy
does not contain their changes. The copy is made under a temporary name, checked row by row and then
renamed. The final name therefore always refers to a complete file.

A backup is a single file, without the two files that SQLite creates next to an open book. Its
journal mode allows it to be read from read-only media. It is marked as a backup and is never
written to. A backup never replaces a file that is not a backup.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from itertools import count
from stat import S_IMODE, S_IRUSR, S_IWUSR
from typing import TYPE_CHECKING
from urllib.parse import quote as quote_url

from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import N_, plural, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.store import errors
from scorekeeper.store.database import (
    APPLICATION_ID,
    BACKUP_ID,
    GROUP_RIGHTS,
    Database,
    is_read_only,
    open_copy,
    version_of,
)
from scorekeeper.store.files import (
    SQLITE_HEADER,
    SQLITE_SUFFIXES,
    apply_umask,
    check_address,
    remove_abandoned,
    temp_path,
)
from scorekeeper.store.integrity import BookContents, book_contents, file_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_WAIT = 5.0  # seconds to wait while others keep writing to a file
DAMAGED_SUFFIX = ".damaged"  # suffix of a copy of a damaged book
OTHER_FILE_HINT = N_("name another file, or a folder")
_READ_ERRORS = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
_WRITE_ERRORS = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)


class CopyResult(NamedTuple):
    """The path of a copy, and its contents."""

    path: str
    contents: BookContents


def back_up(book: str, file: str, wait: float = 2.0) -> CopyResult:
    """Copy a book to a file, or to a folder under a name made from the current time.

    An older backup with the same name is replaced only when the new one is complete. The copy of a
    damaged book gets a new name that ends in `.damaged`. `wait` is the number of seconds to wait
    for a busy book. Raises Unreadable if there is no book, or if the target may not be replaced.
    Raises Damaged if the copy cannot be made.
    """
    book = os.path.realpath(book)
    target = _backup_path(book, file)
    with closing(Database(book, create=False, wait=wait)) as opened:
        if not opened.data_version():
            raise Unreadable(
                tr("there is no book at {path}", path=quote(book, 200)),
                tr("name an existing book: --book FILE"),
            )
        with _temp_path(target) as part:
            with opened.reading() as connection:
                _copy(connection, part, target, BACKUP_ID)
            contents = book_contents(part)
            target = _damaged_copy_path(book, target) if contents.faults else target
            _sync_file(part)
            with suppress(OSError):  # not every file system has permissions
                os.chmod(part, S_IMODE(os.stat(book).st_mode))
            os.replace(part, target)
            _sync_folder(target)
    return CopyResult(target, contents)


def restore(file: str, book: str, shared: bool = False) -> CopyResult:
    """Create a book from a backup.

    If the backup has an earlier schema, the new book is upgraded, but the backup does not change.
    The new book can be used by its owner, and also by the group if `shared` is set.

    Raises Unreadable if a book already exists or if there is no backup. Raises Damaged if the
    backup is damaged or newer than the program. In these cases no book is created.
    """
    target = os.path.abspath(book)
    _check_free(target)
    if not os.path.isfile(file):
        raise Unreadable(
            tr("there is no backup at {path}", path=quote(file, 200)),
            tr("name a file that was written by the command “scorekeeper backup”"),
        )
    with _reporting_write_errors(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
    with _temp_path(target) as part:
        _copy_backup(file, part, target)
        _check_whole(file, file_faults(part))
        with closing(Database(part)) as database:
            try:
                database.data_version()  # this call upgrades the book
            except Failure as failure:
                raise _damaged_backup(file, failure.message) from None
        contents = book_contents(part)
        _check_whole(file, contents.faults)
        with closing(sqlite3.connect(part)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        if shared:
            with suppress(OSError):
                os.chmod(part, apply_umask(GROUP_RIGHTS))
        _sync_file(part)
        _move_to_free_path(part, target)
        _sync_folder(target)
    return CopyResult(target, contents)


# --- paths of copies


def _backup_path(book: str, file: str) -> str:
    """Return the path of the backup to write. Raises Unreadable if no backup can be written
    there."""
    if not file:
        raise Unreadable(tr("the name of the backup is empty"), tr(OTHER_FILE_HINT))
    check_address(file)
    path = os.path.realpath(file)
    if os.path.isdir(path):
        path = _new_path(path)
    elif file.endswith(os.sep):
        raise Unreadable(
            tr("there is no folder {path}", path=quote(path, 200)), tr("create the folder first")
        )
    _check_place(book, path)
    return path


def _damaged_copy_path(book: str, target: str) -> str:
    """Return an unused path for the copy of a damaged book."""
    for path in _numbered_paths(target, DAMAGED_SUFFIX):
        with suppress(Failure):
            _check_place(book, os.path.realpath(path))
            return os.path.realpath(path)
    raise AssertionError("names never end")


def _check_place(book: str, path: str) -> None:
    """Raise Unreadable unless the path is free or leads to an older backup."""
    is_book = path in {book, *(book + ending for ending in SQLITE_SUFFIXES)}
    if is_book or (os.path.exists(path) and os.path.exists(book) and os.path.samefile(path, book)):
        raise Unreadable(
            tr("{path} is the book itself", path=quote(path, 200)), tr(OTHER_FILE_HINT)
        )
    if os.path.exists(path) and not os.path.isfile(path):
        raise Unreadable(tr("{path} is not a file", path=quote(path, 200)), tr(OTHER_FILE_HINT))
    if os.path.isfile(path) and not _is_backup(path):
        raise Unreadable(
            tr("{path} is not a backup, so it is not replaced", path=quote(path, 200)),
            tr(OTHER_FILE_HINT),
        )
    _check_no_side_files(path)


def _new_path(folder: str) -> str:
    """Return an unused path in a folder, made from the current time."""
    named = os.path.join(folder, time.strftime("scorekeeper-%Y-%m-%dT%H%M%SZ", time.gmtime()))
    return next(path for path in _numbered_paths(named, ".sqlite") if not os.path.lexists(path))


def _numbered_paths(named: str, ending: str) -> Iterator[str]:
    """Yield `named` followed by `ending`, then names with `-2`, `-3` and so on between the two."""
    yield f"{named}{ending}"
    yield from (f"{named}-{number}{ending}" for number in count(2))


def _is_backup(path: str) -> bool:
    """Return whether a file is empty or is the backup of a book."""
    try:
        with open(path, "rb") as file:
            head = file.read(100)  # the SQLite header
    except OSError as error:
        raise errors.cannot_write(path, error.strerror) from None
    return not head or (head[:16] == SQLITE_HEADER and head[68:72] == BACKUP_ID.to_bytes(4, "big"))


def _check_free(target: str) -> None:
    """Raise Unreadable if a book exists at the path, or if SQLite's files of an earlier book
    remain."""
    if os.path.lexists(target):
        raise _book_exists(target)
    _check_no_side_files(target)


def _book_exists(target: str) -> Unreadable:
    return Unreadable(
        tr(
            "there is already a book at {path}, and books are never replaced",
            path=quote(target, 200),
        ),
        tr("choose a new file for the book: --book FILE"),
    )


def _check_no_side_files(target: str) -> None:
    """Raise Unreadable if files remain that SQLite would treat as parts of the new file."""
    for path in filter(os.path.lexists, (target + ending for ending in SQLITE_SUFFIXES)):
        raise Unreadable(
            tr("{path} is left over from another book", path=quote(path, 200)),
            tr("move it elsewhere, or name another file"),
        )


@contextmanager
def _reporting_write_errors(target: str) -> Iterator[None]:
    """Turn system errors that occur during writing into messages for users."""
    try:
        yield
    except OSError as error:
        raise errors.cannot_write(target, error.strerror) from None


@contextmanager
def _temp_path(target: str) -> Iterator[str]:
    """Create a temporary file in the folder of `target`, private to the user, and remove it at the
    end.

    Temporary files left by interrupted backups are removed too. Raises Damaged if nothing can be
    written in the folder.
    """
    with _reporting_write_errors(target):
        remove_abandoned(os.path.dirname(target))
        with temp_path(target, S_IRUSR | S_IWUSR) as part:
            try:
                yield part
            finally:
                for ending in SQLITE_SUFFIXES:
                    with suppress(OSError):
                        os.remove(part + ending)


# --- copying


def _copy(source: sqlite3.Connection, part: str, target: str, application: int) -> None:
    """Copy a database inside a transaction on the source, and set the application ID of the copy.

    The transaction prevents SQLite from starting over when the source changes. Raises Damaged if
    the copy cannot be written. SQLite errors from the source are not translated.
    """
    with closing(sqlite3.connect(part, isolation_level=None)) as copy:
        try:
            # The copy cannot be used until it is renamed, so it is synced to disk only once, at the
            # end.
            copy.execute("PRAGMA synchronous = OFF")
            copy.execute("PRAGMA journal_mode = OFF")
            source.backup(copy)
            copy.execute(f"PRAGMA application_id = {application}")
            copy.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0)
            if errors.code_of(error) in _WRITE_ERRORS and code not in _READ_ERRORS:
                raise errors.cannot_write(target, str(error)) from error
            raise


def _copy_backup(file: str, part: str, target: str) -> None:
    """Copy a backup of any version unchanged. Raises Damaged if the file is not a backup."""
    try:
        with _open_read_only(file) as source:
            source.execute("BEGIN")
            if not version_of(source, file):
                raise errors.not_a_book(file)
            _copy(source, part, target, APPLICATION_ID)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.Error) and errors.code_of(error) != sqlite3.SQLITE_CORRUPT:
            raise errors.translate_error(error, file) from error
        raise _damaged_backup(file, quote(error, 120)) from error


@contextmanager
def _open_read_only(file: str) -> Iterator[sqlite3.Connection]:
    """Open a SQLite file in read-only mode."""
    if is_read_only(file):
        with open_copy(file, time.monotonic() + MAX_WAIT) as connection:
            yield connection
        return
    address = f"file:{quote_url(os.path.abspath(file))}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        yield connection


def _check_whole(file: str, faults: list[str]) -> None:
    if faults:
        more = plural("{count} fault", "{count} faults", len(faults))
        raise _damaged_backup(file, f"{faults[0]} ({more})" if len(faults) > 1 else faults[0])


def _damaged_backup(file: str, why: str) -> Damaged:
    return Damaged(
        tr("the backup {path} is damaged: {why}", path=quote(file, 200), why=why),
        tr(
            "use an older backup, or save the intact matches: scorekeeper check-book --book "
            "FILE --save FOLDER, then scorekeeper import"
        ),
    )


def _sync_file(path: str) -> None:
    """Sync a file to disk before it is renamed."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(path: str) -> None:
    """Sync the folder of a file, if the system supports it."""
    with suppress(OSError):
        handle = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _move_to_free_path(part: str, target: str) -> None:
    """Rename a file, unless the new name is already in use."""
    try:
        os.link(part, target)
    except FileExistsError:  # the error asks the user to choose another name
        raise _book_exists(target) from None
    except OSError:  # the file system does not support hard links
        _check_free(target)
        os.rename(part, target)
