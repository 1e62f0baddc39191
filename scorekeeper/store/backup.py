"""A book's backup, taken while others record in it; and a book made of a backup.

Both are a copy by SQLite's own means, of one moment of the book: in write-ahead mode who writes
meanwhile does not wait, and what they write is not in it. The copy is made beside its place, looked
through there row by row, and only then put there: its name always leads to something whole.

A backup is one file, without the two that lie beside an open book, and in a mode in which it can be
read where nothing can be written. It is marked as a backup: nothing is recorded in it, and none
takes the place of anything else.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from itertools import count
from stat import S_IMODE, S_IRUSR, S_IWUSR
from typing import TYPE_CHECKING
from urllib.parse import quote

from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store import errors
from scorekeeper.store.database import (
    APPLICATION_ID,
    BACKUP_ID,
    FOR_GROUP,
    Database,
    copied,
    is_only_read,
    version_of,
)
from scorekeeper.store.files import BESIDE, SQLITE, beside, check_address, clear, given
from scorekeeper.store.integrity import Held, file_faults, held_by

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 5.0  # seconds until a file that is written in without a pause is given up
DAMAGED = ".damaged"  # at the end of the name of a damaged book's copy
ANOTHER = mark("name another file, or a folder")
_UNREAD = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
_UNWRITTEN = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY)


class Copied(NamedTuple):
    """Where a copy is, and what it holds."""

    path: str
    held: Held


def back_up(book: str, file: str, wait: float = 2.0) -> Copied:
    """Copy a book to a file, or into a folder under the name of this moment; an older backup of
    that name stays until the new one is whole. A damaged book's copy takes nobody's place: its name
    ends in `DAMAGED`. `wait` is how many seconds a busy book is waited for. Raises Unreadable where
    there is no book and for a file that is none for a backup; Damaged."""
    book = os.path.realpath(book)
    target = _place(book, file)
    with closing(Database(book, create=False, wait=wait)) as opened:
        if not opened.data_version():
            raise Unreadable(
                tr("there is no book at {path}", path=shown(book, 200)), tr("name one: --book FILE")
            )
        with _beside(target) as part:
            with opened.reading() as connection:
                _copy(connection, part, target, BACKUP_ID)
            held = held_by(part)
            target = _of_damaged(book, target) if held.faults else target
            _made_durable(part)
            with suppress(OSError):  # not every disk knows who may read what
                os.chmod(part, S_IMODE(os.stat(book).st_mode))
            os.replace(part, target)
            _name_durable(target)
    return Copied(target, held)


def restore(file: str, book: str, shared: bool = False) -> Copied:
    """Make a book of a backup, one of an earlier version brought up to date, for its owner alone or
    `shared` with their group. Raises Unreadable where there is a book already, and where there is
    no backup; Damaged, also for a backup that is not whole, or of a newer version. Then there is no
    book."""
    target = os.path.abspath(book)
    _check_free(target)
    if not os.path.isfile(file):
        raise Unreadable(
            tr("there is no backup at {path}", path=shown(file, 200)),
            tr("name the file that scorekeeper backup wrote"),
        )
    with _written(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
    with _beside(target) as part:
        _fetch(file, part, target)
        _check_whole(file, file_faults(part))
        with closing(Database(part)) as made:
            try:
                made.data_version()  # brings it up to date
            except Failure as failure:
                raise _not_whole(file, failure.message) from None
        held = held_by(part)
        _check_whole(file, held.faults)
        with closing(sqlite3.connect(part)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        if shared:
            with suppress(OSError):
                os.chmod(part, given(FOR_GROUP))
        _made_durable(part)
        _put_anew(part, target)
        _name_durable(target)
    return Copied(target, held)


# --- where a copy goes


def _place(book: str, file: str) -> str:
    """The file that a backup goes to. Raises Unreadable for one that is not for that."""
    if not file:
        raise Unreadable(tr("the backup has no name"), tr(ANOTHER))
    check_address(file)
    path = os.path.realpath(file)
    if os.path.isdir(path):
        path = _anew(path)
    elif file.endswith(os.sep):
        raise Unreadable(
            tr("there is no folder {path}", path=shown(path, 200)), tr("make it first")
        )
    _check_place(book, path)
    return path


def _of_damaged(book: str, target: str) -> str:
    """The file that a damaged book's copy goes to, of whose name nobody said anything: one that is
    for that, whatever is called so already."""
    for path in _numbered(target, DAMAGED):
        with suppress(Failure):
            _check_place(book, os.path.realpath(path))
            return os.path.realpath(path)
    raise AssertionError("names never end")


def _check_place(book: str, path: str) -> None:
    """Raises Unreadable where something else is than an older backup."""
    own = path in {book, *(book + ending for ending in BESIDE)}
    if own or (os.path.exists(path) and os.path.exists(book) and os.path.samefile(path, book)):
        raise Unreadable(tr("{path} is the book itself", path=shown(path, 200)), tr(ANOTHER))
    if os.path.exists(path) and not os.path.isfile(path):
        raise Unreadable(tr("{path} is no file", path=shown(path, 200)), tr(ANOTHER))
    if os.path.isfile(path) and not _is_backup(path):
        raise Unreadable(
            tr("{path} is no backup, so none takes its place", path=shown(path, 200)), tr(ANOTHER)
        )
    _check_alone(path)


def _anew(folder: str) -> str:
    """A new name in a folder, by the moment."""
    named = os.path.join(folder, time.strftime("scorekeeper-%Y-%m-%dT%H%M%SZ", time.gmtime()))
    return next(path for path in _numbered(named, ".sqlite") if not os.path.lexists(path))


def _numbered(named: str, ending: str) -> Iterator[str]:
    """A name with its ending, then with a number between them, from 2 on."""
    yield f"{named}{ending}"
    yield from (f"{named}-{number}{ending}" for number in count(2))


def _is_backup(path: str) -> bool:
    """Whether a file is a book's backup, or still empty."""
    try:
        with open(path, "rb") as file:
            head = file.read(100)  # SQLite's header
    except OSError as error:
        raise errors.unwritten(path, error.strerror) from None
    return not head or (head[:16] == SQLITE and head[68:72] == BACKUP_ID.to_bytes(4, "big"))


def _check_free(target: str) -> None:
    """Raises Unreadable where a book, or what lay beside one, is."""
    if os.path.lexists(target):
        raise _taken(target)
    _check_alone(target)


def _taken(target: str) -> Unreadable:
    return Unreadable(
        tr("there is a book at {path} already, and it stays", path=shown(target, 200)),
        tr("name a new one: --book FILE"),
    )


def _check_alone(target: str) -> None:
    """Raises Unreadable where what SQLite would take for a part of that file is left of another."""
    for left in filter(os.path.lexists, (target + ending for ending in BESIDE)):
        raise Unreadable(
            tr("{path} is left of another book", path=shown(left, 200)),
            tr("move it away, or name another file"),
        )


@contextmanager
def _written(target: str) -> Iterator[None]:
    """What the system refuses while something is written, as a failure that names it."""
    try:
        yield
    except OSError as error:
        raise errors.unwritten(target, error.strerror) from None


@contextmanager
def _beside(target: str) -> Iterator[str]:
    """A new file in the same folder, which nobody else may read, and gone afterwards. Those of
    backups that were killed are cleared away. Raises Damaged where nothing can be written."""
    with _written(target):
        clear(os.path.dirname(target))
        with beside(target, S_IRUSR | S_IWUSR) as part:
            try:
                yield part
            finally:
                for ending in BESIDE:
                    with suppress(OSError):
                        os.remove(part + ending)


# --- copying


def _copy(source: sqlite3.Connection, part: str, target: str, application: int) -> None:
    """Copy a database within a transaction of the source, so that nobody can begin it anew, and
    mark what it is now. Raises Damaged where it cannot be written; errors of the source are
    SQLite's."""
    with closing(sqlite3.connect(part, isolation_level=None)) as copy:
        try:
            # Until it is in its place nobody needs it: it is made durable once, as a whole.
            copy.execute("PRAGMA synchronous = OFF")
            copy.execute("PRAGMA journal_mode = OFF")
            source.backup(copy)
            copy.execute(f"PRAGMA application_id = {application}")
            copy.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0)
            if errors.code_of(error) in _UNWRITTEN and code not in _UNREAD:
                raise errors.unwritten(target, str(error)) from error
            raise


def _fetch(file: str, part: str, target: str) -> None:
    """Copy a backup, of any version, without changing it. Raises Damaged if it is none."""
    try:
        with _to_read(file) as source:
            source.execute("BEGIN")
            if not version_of(source, file):
                raise errors.no_book(file)
            _copy(source, part, target, APPLICATION_ID)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.Error) and errors.code_of(error) != sqlite3.SQLITE_CORRUPT:
            raise errors.failure(error, file) from error
        raise _not_whole(file, shown(error, 120)) from error


@contextmanager
def _to_read(file: str) -> Iterator[sqlite3.Connection]:
    """A file of SQLite's to be read alone."""
    if is_only_read(file):
        with copied(file, time.monotonic() + PATIENCE) as connection:
            yield connection
        return
    address = f"file:{quote(os.path.abspath(file))}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        yield connection


def _check_whole(file: str, found: list[str]) -> None:
    if found:
        more = plural("{count} fault", "{count} faults", len(found))
        raise _not_whole(file, f"{found[0]} ({more})" if len(found) > 1 else found[0])


def _not_whole(file: str, why: str) -> Damaged:
    return Damaged(
        tr("the backup {path} is damaged: {why}", path=shown(file, 200), why=why),
        tr(
            "take an older one, or save what is whole: "
            "scorekeeper check-book --book FILE --save FOLDER, then scorekeeper import"
        ),
    )


def _made_durable(path: str) -> None:
    """Let the disk have a file before anything builds on it."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def _name_durable(path: str) -> None:
    """Let the disk have a file's name, where a folder can be asked for that."""
    with suppress(OSError):
        handle = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _put_anew(part: str, target: str) -> None:
    """Give a file its name, unless that is taken by now."""
    try:
        os.link(part, target)
    except FileExistsError:  # then, whatever is there now
        raise _taken(target) from None
    except OSError:  # a file system that has one name for a file
        _check_free(target)
        os.rename(part, target)
