"""A book's file: found, opened, brought up to date; locks that are waited for; transactions.

A book that one may not write is read by a copy of its bytes. For SQLite reads by way of two files
beside a book, and makes them where they are missing: made by somebody who may not write the book
they would be theirs, and would keep its owner from recording.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from stat import S_ISREG
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr
from scorekeeper.store import errors
from scorekeeper.store.files import BESIDE, check_address
from scorekeeper.store.tables import BOOKS, make, make_views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # The bytes of a book, and of what is written ahead of it.
    Bytes = tuple[bytes, bytes]
    Stamps = tuple[tuple[int, int, int] | None, ...]


T = TypeVar("T")

MEMORY = ":memory:"  # the path of a book that lives as long as its object
APPLICATION_ID = 0x53434F52  # "SCOR": tells a book from any other SQLite file
BACKUP_ID = 0x5343424B  # "SCBK": a book's backup, in which nobody records
FOR_OWNER, FOR_GROUP = 0o600, 0o660  # the rights of a new book, as far as the user gives them
_LEAST = 512  # bytes of any database; SQLite takes what is shorter for an empty one
_TURN = 0.02  # seconds that SQLite itself waits for a lock, before we ask again
LOG = "-wal"
_MODE = slice(18, 20)  # of the header: how it is written, 2 ahead of it, 1 not
_BY_EFFECTIVE_ID = os.access in os.supports_effective_ids


class CommitFailed(Exception):
    """A transaction that wrote failed at its end; `error` says why."""

    def __init__(self, error: sqlite3.Error) -> None:
        super().__init__(str(error))
        self.error = error


class Database:
    """A book's file, opened when first needed. Who may not write it reads a copy, which is made
    anew when somebody has written.

    The path `:memory:` keeps all in memory instead, as long as this object lives.
    `wait` is how many seconds a busy book is waited for. With `create=False` no file is made, and
    a book that is not there reads as an empty one. A file that is made is for its owner alone, or
    `shared` with their group, as far as they let anybody have their files (umask).
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        wait: float = 2.0,
        shared: bool = False,
    ) -> None:
        named = os.fspath(path)
        check_address(named)
        self.path = named if named == MEMORY else os.path.abspath(named)
        self._create = create
        self._wait = wait
        self._rights = FOR_GROUP if shared else FOR_OWNER
        self._connection: sqlite3.Connection | None = None
        self._empty: sqlite3.Connection | None = None  # what is read where there is no book
        self._file: tuple[int, int] | None = None
        self._backup = False
        self._copied: Stamps | None = None  # what a copy was made of
        self._copies = 0

    def close(self) -> None:
        """Close the file; the next use opens it again. A book in memory stays as it is."""
        if self.path == MEMORY:
            return
        opened = self._connection, self._empty
        self._connection = self._empty = self._copied = None
        for connection in filter(None, opened):
            with suppress(sqlite3.Error):
                connection.close()

    @property
    def in_transaction(self) -> bool:
        """Whether something is being written, or read, in several steps."""
        return self._connection is not None and self._connection.in_transaction

    def is_moved(self) -> bool:
        """Whether another file, or none, is now where the book was opened."""
        return self.path != MEMORY and _identity(self.path) != self._file

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One snapshot of the book, or of an empty one if there is none."""
        with self._guarded():
            until = time.monotonic() + self._wait
            connection = self._opened(until) or self._nothing()
            if connection.in_transaction:
                yield connection
                return
            self._check_there()
            self._begin(connection, "BEGIN", until)
            with _or_nothing(connection):
                yield connection
                connection.execute("COMMIT")

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator[sqlite3.Connection]:
        """One transaction: all that is done inside is kept, or nothing of it. Others wait while it
        lasts. Inside another one it belongs to that. A busy book may be waited for otherwise than
        usual. Raises CommitFailed."""
        with self._guarded():
            until = time.monotonic() + (self._wait if wait is None else wait)
            connection = self._opened(until)
            if connection is None:
                raise errors.no_file(self.path)
            if connection.in_transaction:
                yield connection
                return
            self._check_there()
            if self._backup:
                raise errors.is_backup(self.path)
            self._begin(connection, "BEGIN IMMEDIATE", until)
            with _or_nothing(connection):
                yield connection
                _commit(connection)

    def data_version(self) -> int:
        """A number that changes when another process wrote; 0 while there is no book.

        To be compared only with what the same object said before; own writes do not change it.
        """
        with self.reading() as connection:
            if connection is not self._connection:
                return 0
            if self._copied is not None:
                return self._copies
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def _check_there(self) -> None:
        """Raises Damaged, once, where another file, or none, is where the book was: it would take
        entries that nobody finds again, and tell of none that are made there now."""
        if self._connection is not None and self.is_moved():
            self.close()
            raise errors.moved(self.path)

    def _begin(self, connection: sqlite3.Connection, how: str, until: float) -> None:
        def begin() -> None:
            connection.execute(how)
            with _or_nothing(connection):  # a reader's lock comes with what is read first
                connection.execute("PRAGMA user_version").fetchone()

        _patiently(begin, until)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise errors.failure(error, self.path) from error
        except UnicodeDecodeError as error:  # SQLite quotes a damaged schema in its messages
            raise errors.damaged(self.path) from error

    def _opened(self, until: float) -> sqlite3.Connection | None:
        made_of = None if self.in_transaction else self._copied
        if made_of is not None and made_of != stamps(self.path) and not self.is_moved():
            self.close()
        if self._connection is None:
            self._connection = self._open(until)
        return self._connection

    def _nothing(self) -> sqlite3.Connection:
        """A book without a match."""
        if self._empty is None:
            self._empty = sqlite3.connect(":memory:", isolation_level=None)
            _migrate(self._empty, self.path)
        return self._empty

    def _open(self, until: float) -> sqlite3.Connection | None:
        if not self._there() and not self._create:
            return None
        if self.path != MEMORY and is_only_read(self.path):
            return self._read_only_copy(until)
        connection = sqlite3.connect(self.path, timeout=_TURN, isolation_level=None)
        try:
            usable = _patiently(lambda: self._prepare(connection), until)
        except sqlite3.OperationalError as error:
            connection.close()
            if errors.code_of(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            return self._read_only_copy(until)
        except BaseException:
            connection.close()
            raise
        if usable is not connection:
            connection.close()
        self._file = _identity(self.path)
        if self.path != MEMORY:
            _let_group(self.path)
        return usable

    def _there(self) -> bool:
        """Return whether there is a file. If one is to be made, make its folder."""
        if self.path == MEMORY:
            return True
        folder = os.path.dirname(self.path)
        try:
            if S_ISREG(os.stat(self.path).st_mode):  # asked once: others may make it meanwhile
                return True
        except FileNotFoundError:
            pass
        except OSError as error:
            raise errors.unopened(self.path, error.strerror) from error
        else:
            raise Damaged(
                tr("{path} is no file", path=self.path), tr("name a file for the book: --book FILE")
            )
        if self._create:
            try:
                os.makedirs(folder, exist_ok=True)
                with suppress(FileExistsError):
                    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
                    os.close(os.open(os.path.realpath(self.path), flags, self._rights))
            except OSError as error:
                raise errors.unopened(self.path, error.strerror) from error
        return False

    def _prepare(self, connection: sqlite3.Connection) -> sqlite3.Connection | None:
        """Settings and schema. None for a file without a schema that is not to be given one; for
        an older book that may only be read, a copy in memory, brought up to date."""
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN")  # one moment: another process may just make the book
        with _or_nothing(connection):
            version = version_of(connection, self.path)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            connection.execute("COMMIT")
        self._backup = application == BACKUP_ID
        if version == 0 and self.path != MEMORY and 0 < os.path.getsize(self.path) < _LEAST:
            raise errors.no_book(self.path)
        if version == 0 and not self._create:
            return None
        if version == BOOKS.current:
            if not self._backup:
                with suppress(sqlite3.OperationalError):  # a disk may not know that mode
                    connection.execute("PRAGMA journal_mode = WAL")
            return connection
        if self._backup:
            return self._copy_of(connection)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            _migrate(connection, self.path)
        except sqlite3.OperationalError as error:
            if version == 0 or errors.code_of(error) != sqlite3.SQLITE_READONLY:
                raise
            return self._copy_of(connection)
        return connection

    def _read_only_copy(self, until: float) -> sqlite3.Connection | None:
        """A copy in memory of a book that one may only read, or that lies where nothing can be made
        beside it, as SQLite needs. None for a file with nothing in it."""
        made_of, self._file = stamps(self.path), _identity(self.path)
        try:
            with copied(self.path, until) as source:
                version = version_of(source, self.path)
                if version == 0 and 0 < os.path.getsize(self.path) < _LEAST:
                    raise errors.no_book(self.path)
                if version == 0 and self._create:
                    raise errors.unopened(self.path, tr("it may only be read"))
                if version == 0:
                    return None
                (application,) = source.execute("PRAGMA application_id").fetchone()
                self._backup = application == BACKUP_ID
                copy = self._copy_of(source)
        except OSError as error:
            raise errors.unopened(self.path, error.strerror) from error
        self._copied = made_of
        self._copies += 1
        return copy

    def _copy_of(self, source: sqlite3.Connection) -> sqlite3.Connection:
        """A copy in memory, brought up to date, in which nothing is written."""
        copy = sqlite3.connect(":memory:", isolation_level=None)
        source.backup(copy)
        _migrate(copy, self.path)
        copy.execute("PRAGMA query_only = ON")
        return copy


def _patiently(ask: Callable[[], T], until: float) -> T:
    """Ask for a lock until it is had, or it is too late. SQLite's own way sleeps longer the longer
    it waits, so among many the one that has waited longest waits on; here all ask equally often,
    at moments of their own."""
    while True:
        try:
            return ask()
        except sqlite3.OperationalError as error:
            if errors.code_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.001 + time.monotonic_ns() % 4_000 / 1_000_000)


@contextmanager
def _or_nothing(connection: sqlite3.Connection) -> Iterator[None]:
    """What is done inside a transaction, or nothing of it."""
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


def _commit(connection: sqlite3.Connection) -> None:
    """End a transaction that wrote. Who is only kept waiting has certainly written nothing."""
    try:
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if errors.is_busy(error):
            raise
        raise CommitFailed(error) from error


def version_of(connection: sqlite3.Connection, path: str) -> int:
    """The schema's version, 0 for a file with nothing in it; asked within a transaction. Raises
    Damaged if it is no book, or of a version that nobody reads."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application not in (APPLICATION_ID, BACKUP_ID):
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application or version or tables:
            raise errors.no_book(path)
    elif version < 1:
        raise errors.damaged(path)
    if application or version:
        BOOKS.check(tr("the book {path}", path=path), int(version))
    return int(version)


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with _or_nothing(connection):
        # Asked again under the lock: another process may have done it meanwhile.
        version = version_of(connection, path)
        if version == 0:
            make(connection)
        elif version < BOOKS.current:
            BOOKS.upgrade(tr("the book {path}", path=path), connection, version)
            make_views(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {BOOKS.current}")
        connection.execute("COMMIT")


def _let_group(path: str) -> None:
    """Let the group of a book have what SQLite made beside it for us, where we are not its owner:
    theirs is the group of the book, not ours."""
    with suppress(OSError, AttributeError):  # not every system has groups
        book, me = os.stat(path), os.geteuid()
        for beside in (path + ending for ending in BESIDE):
            with suppress(FileNotFoundError):
                made = os.stat(beside)
                if book.st_uid != me == made.st_uid and made.st_gid != book.st_gid:
                    os.chown(beside, -1, book.st_gid)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


# --- a book that one may not write


def is_only_read(path: str) -> bool:
    """Whether a file is there that one may read, and not write."""
    may = [os.access(path, right, effective_ids=_BY_EFFECTIVE_ID) for right in (os.R_OK, os.W_OK)]
    return may == [True, False]


def stamps(path: str) -> Stamps:
    """What changes when somebody writes in a book."""
    return tuple(map(_stamp, (path, path + LOG)))


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


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
            raise errors.in_use(path)
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
