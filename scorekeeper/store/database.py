"""The file of a book, with functions to open, upgrade and lock it, and its transactions.

If a user may not write to a book, the program reads a copy of its bytes. SQLite uses two files next
to a book even for reading, and creates them if they are missing. A reader without write permission
would become the owner of these files, and the book's owner could no longer record.
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
from scorekeeper.store.files import SQLITE_SUFFIXES, check_address
from scorekeeper.store.tables import BOOK_VERSIONS, create_schema, recreate_views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # The bytes of a book, and of its write-ahead log.
    Bytes = tuple[bytes, bytes]
    Stamps = tuple[tuple[int, int, int] | None, ...]


T = TypeVar("T")

MEMORY = ":memory:"  # the path of a book in memory, which lasts as long as its object
APPLICATION_ID = 0x53434F52  # "SCOR", which marks a SQLite file as a book
BACKUP_ID = 0x5343424B  # "SCBK", the mark of a backup, which is never written to
# the permissions of a new book, further restricted by the umask
OWNER_RIGHTS, GROUP_RIGHTS = 0o600, 0o660
# size of the smallest database in bytes; SQLite treats a smaller file as an empty one
_MIN_BYTES = 512
_SQLITE_WAIT = 0.02  # seconds that SQLite waits for a lock before the program asks again
WAL_SUFFIX = "-wal"
# journal mode bytes in the header: 2 for write-ahead mode, otherwise 1
_JOURNAL_MODE = slice(18, 20)
_CHECKS_EFFECTIVE_ID = os.access in os.supports_effective_ids


class CommitFailed(Exception):
    """Raised if the commit of a transaction fails. `error` is SQLite's error."""

    def __init__(self, error: sqlite3.Error) -> None:
        super().__init__(str(error))
        self.error = error


class Database:
    """The file of a book, opened when it is first used.

    If the file may not be written to, a copy is read instead. The copy is replaced when the file
    changes. The path `:memory:` creates a book in memory, which lasts as long as this object.
    `wait` is the number of seconds to wait for a busy book. With `create=False` no file is created,
    and a missing book is read as an empty one. A new file can be used by its owner, and also by the
    group if `shared` is set, within the limits of the umask.
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
        self._rights = GROUP_RIGHTS if shared else OWNER_RIGHTS
        self._connection: sqlite3.Connection | None = None
        # an empty book, read in place of a missing one
        self._empty_book: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        self._is_backup = False
        self._copy_stamps: Stamps | None = None  # the state of the files when they were copied
        self._copy_count = 0

    def close(self) -> None:
        """Close the file. The next use opens it again. A book in memory stays open."""
        if self.path == MEMORY:
            return
        opened = self._connection, self._empty_book
        self._connection = self._empty_book = self._copy_stamps = None
        for connection in filter(None, opened):
            with suppress(sqlite3.Error):
                connection.close()

    @property
    def in_transaction(self) -> bool:
        """True if a transaction is open."""
        return self._connection is not None and self._connection.in_transaction

    def is_moved(self) -> bool:
        """Return whether the path no longer leads to the file that was opened."""
        return self.path != MEMORY and _inode_of(self.path) != self._inode

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a snapshot of the book for reading. If there is no file, open an empty book."""
        with self._translating_errors():
            until = time.monotonic() + self._wait
            connection = self._connected(until) or self._connect_empty()
            if connection.in_transaction:
                yield connection
                return
            self._check_not_moved()
            self._begin(connection, "BEGIN", until)
            with _rolling_back_on_error(connection):
                yield connection
                connection.execute("COMMIT")

    @contextmanager
    def writing(self, wait: float | None = None) -> Iterator[sqlite3.Connection]:
        """Open a transaction, which is stored completely or not at all.

        Other processes wait until it ends. If a transaction is already open, this one becomes part
        of it. `wait` replaces the usual number of seconds to wait for a busy book. Raises
        CommitFailed.
        """
        with self._translating_errors():
            until = time.monotonic() + (self._wait if wait is None else wait)
            connection = self._connected(until)
            if connection is None:
                raise errors.no_such_book(self.path)
            if connection.in_transaction:
                yield connection
                return
            self._check_not_moved()
            if self._is_backup:
                raise errors.backup_not_writable(self.path)
            self._begin(connection, "BEGIN IMMEDIATE", until)
            with _rolling_back_on_error(connection):
                yield connection
                _commit(connection)

    def data_version(self) -> int:
        """Return a number that changes when another process writes, or 0 if there is no book.

        Compare the number only with earlier results of the same object. Writes by this object do
        not change it.
        """
        with self.reading() as connection:
            if connection is not self._connection:
                return 0
            if self._copy_stamps is not None:
                return self._copy_count
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

    def _check_not_moved(self) -> None:
        """Close the opened file and raise Damaged if the path no longer leads to that file.

        Without this check, entries could be written to a file that can no longer be reached.
        """
        if self._connection is not None and self.is_moved():
            self.close()
            raise errors.moved_book(self.path)

    def _begin(self, connection: sqlite3.Connection, how: str, until: float) -> None:
        """Begin a transaction and acquire its lock immediately."""

        def begin() -> None:
            connection.execute(how)
            with _rolling_back_on_error(
                connection
            ):  # SQLite acquires a read lock only at the first read
                connection.execute("PRAGMA user_version").fetchone()

        _retry_while_busy(begin, until)

    @contextmanager
    def _translating_errors(self) -> Iterator[None]:
        """Translate SQLite errors into messages for users."""
        try:
            yield
        except sqlite3.Error as error:
            raise errors.translate_error(error, self.path) from error
        except UnicodeDecodeError as error:  # SQLite quotes a damaged schema in its messages
            raise errors.damaged_book(self.path) from error

    def _connected(self, until: float) -> sqlite3.Connection | None:
        """Return the connection, and open it if necessary. The result is None if there is no
        book."""
        made_of = None if self.in_transaction else self._copy_stamps
        if made_of is not None and made_of != file_stamps(self.path) and not self.is_moved():
            self.close()
        if self._connection is None:
            self._connection = self._open(until)
        return self._connection

    def _connect_empty(self) -> sqlite3.Connection:
        """Return a connection to an empty book in memory."""
        if self._empty_book is None:
            self._empty_book = sqlite3.connect(":memory:", isolation_level=None)
            _migrate(self._empty_book, self.path)
        return self._empty_book

    def _open(self, until: float) -> sqlite3.Connection | None:
        """Open the file and return the connection, or None if there is no book to read or
        create."""
        if not self._find_or_create() and not self._create:
            return None
        if self.path != MEMORY and is_read_only(self.path):
            return self._read_only_copy(until)
        connection = sqlite3.connect(self.path, timeout=_SQLITE_WAIT, isolation_level=None)
        try:
            usable = _retry_while_busy(lambda: self._prepare(connection), until)
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
        self._inode = _inode_of(self.path)
        if self.path != MEMORY:
            _share_side_files(self.path)
        return usable

    def _find_or_create(self) -> bool:
        """Return whether the file exists. If the object was made with `create`, create a missing
        file and its folder."""
        if self.path == MEMORY:
            return True
        folder = os.path.dirname(self.path)
        try:
            # call `stat` once, because another process may create the file meanwhile
            if S_ISREG(os.stat(self.path).st_mode):
                return True
        except FileNotFoundError:
            pass
        except OSError as error:
            raise errors.cannot_open(self.path, error.strerror) from error
        else:
            raise Damaged(
                tr("{path} is not a file", path=self.path),
                tr("name a file for the book: --book FILE"),
            )
        if self._create:
            try:
                os.makedirs(folder, exist_ok=True)
                with suppress(FileExistsError):
                    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
                    os.close(os.open(os.path.realpath(self.path), flags, self._rights))
            except OSError as error:
                raise errors.cannot_open(self.path, error.strerror) from error
        return False

    def _prepare(self, connection: sqlite3.Connection) -> sqlite3.Connection | None:
        """Set up a connection, and create or upgrade the schema.

        Returns the connection, or None for an empty file that should not become a book. For an
        older book that may not be written to, the result is a connection to an upgraded copy in
        memory.
        """
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        # Read everything in one transaction, because another process may be creating the book.
        connection.execute("BEGIN")
        with _rolling_back_on_error(connection):
            version = version_of(connection, self.path)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            connection.execute("COMMIT")
        self._is_backup = application == BACKUP_ID
        if version == 0 and self.path != MEMORY and 0 < os.path.getsize(self.path) < _MIN_BYTES:
            raise errors.not_a_book(self.path)
        if version == 0 and not self._create:
            return None
        if version == BOOK_VERSIONS.current:
            if not self._is_backup:
                with suppress(sqlite3.OperationalError):  # not every disk supports this mode
                    connection.execute("PRAGMA journal_mode = WAL")
            return connection
        if self._is_backup:
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
        """Return a copy in memory of a book that SQLite cannot open directly.

        SQLite cannot open a book without permission to write to it and to create files in its
        folder. Returns None for an empty file.
        """
        made_of, self._inode = file_stamps(self.path), _inode_of(self.path)
        try:
            with open_copy(self.path, until) as source:
                version = version_of(source, self.path)
                if version == 0 and 0 < os.path.getsize(self.path) < _MIN_BYTES:
                    raise errors.not_a_book(self.path)
                if version == 0 and self._create:
                    raise errors.cannot_open(self.path, tr("the file is read-only"))
                if version == 0:
                    return None
                (application,) = source.execute("PRAGMA application_id").fetchone()
                self._is_backup = application == BACKUP_ID
                copy = self._copy_of(source)
        except OSError as error:
            raise errors.cannot_open(self.path, error.strerror) from error
        self._copy_stamps = made_of
        self._copy_count += 1
        return copy

    def _copy_of(self, source: sqlite3.Connection) -> sqlite3.Connection:
        """Return an upgraded copy in memory, which rejects all writes."""
        copy = sqlite3.connect(":memory:", isolation_level=None)
        source.backup(copy)
        _migrate(copy, self.path)
        copy.execute("PRAGMA query_only = ON")
        return copy


def _retry_while_busy(ask: Callable[[], T], until: float) -> T:
    """Repeat a request for a lock until the lock is granted, or until the time `until`.

    SQLite's own wait grows with each attempt, so that the process that has waited longest is served
    last. Here all processes ask equally often, at slightly different intervals.
    """
    while True:
        try:
            return ask()
        except sqlite3.OperationalError as error:
            if errors.code_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.001 + time.monotonic_ns() % 4_000 / 1_000_000)


@contextmanager
def _rolling_back_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    """Roll back a transaction if the block raises an exception."""
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


def _commit(connection: sqlite3.Connection) -> None:
    """Commit a transaction. Raises CommitFailed, or SQLite's own error if the book is busy.

    If the book is busy, it is certain that nothing was written.
    """
    try:
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if errors.is_busy(error):
            raise
        raise CommitFailed(error) from error


def version_of(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version of a file, or 0 if the file is empty. Call this inside a
    transaction.

    Raises Damaged if the file is not a book, or has a version that this program cannot read.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application not in (APPLICATION_ID, BACKUP_ID):
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application or version or tables:
            raise errors.not_a_book(path)
    elif version < 1:
        raise errors.damaged_book(path)
    if application or version:
        BOOK_VERSIONS.check(tr("the book {path}", path=path), int(version))
    return int(version)


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    """Create the schema of a book, or upgrade it."""
    connection.execute("BEGIN IMMEDIATE")
    with _rolling_back_on_error(connection):
        # Read the version again under the lock, because another process may have upgraded the book.
        version = version_of(connection, path)
        if version == 0:
            create_schema(connection)
        elif version < BOOK_VERSIONS.current:
            BOOK_VERSIONS.upgrade(tr("the book {path}", path=path), connection, version)
            recreate_views(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {BOOK_VERSIONS.current}")
        connection.execute("COMMIT")


def _share_side_files(path: str) -> None:
    """Give the files that SQLite creates next to a book the same group as the book.

    Otherwise, if another user of a shared book created these files, they would belong to that
    user's group.
    """
    with suppress(OSError, AttributeError):  # not every system has groups
        book, me = os.stat(path), os.geteuid()
        for beside in (path + ending for ending in SQLITE_SUFFIXES):
            with suppress(FileNotFoundError):
                status = os.stat(beside)
                if book.st_uid != me == status.st_uid and status.st_gid != book.st_gid:
                    os.chown(beside, -1, book.st_gid)


def _inode_of(path: str) -> tuple[int, int] | None:
    """Return the device and the inode of a file, or None if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


# --- books without permission to write


def is_read_only(path: str) -> bool:
    """Return whether a file may be read but not written."""
    may = [
        os.access(path, right, effective_ids=_CHECKS_EFFECTIVE_ID) for right in (os.R_OK, os.W_OK)
    ]
    return may == [True, False]


def file_stamps(path: str) -> Stamps:
    """Return values that change whenever the book or its write-ahead log changes."""
    return tuple(map(_file_stamp, (path, path + WAL_SUFFIX)))


def _file_stamp(path: str) -> tuple[int, int, int] | None:
    """Return the inode, size and modification time of a file, or None if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def open_copy(path: str, until: float) -> Iterator[sqlite3.Connection]:
    """Open a connection to a consistent copy of a book, even while others write to the book.

    Raises Locked if others keep writing until the time `until`. OSError and SQLite errors are not
    translated.
    """
    book, log = _read_consistently(path, until)
    if log or len(book) < _JOURNAL_MODE.stop:
        import tempfile  # imported here because few users need it

        with tempfile.TemporaryDirectory(prefix="scorekeeper-") as folder:
            copy = os.path.join(folder, "book.sqlite")
            for name, data in ((copy, book), (copy + WAL_SUFFIX, log)) if log else ((copy, book),):
                with open(name, "wb") as file:
                    file.write(data)
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                yield connection
        return
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        changed = bytearray(book)
        changed[_JOURNAL_MODE] = b"\1\1"  # a database in memory cannot use write-ahead mode
        connection.deserialize(bytes(changed))
        yield connection


def _read_consistently(path: str, until: float) -> Bytes:
    """Return the bytes of the book and of its log at one moment.

    The files are read repeatedly until two readings are equal.
    """
    before = _read_files(path)
    while (now := _read_files(path)) != before:
        if time.monotonic() > until:
            raise errors.book_in_use(path)
        before = now
        time.sleep(0.01)
    return before


def _read_files(path: str) -> Bytes:
    """Return the bytes of a book and of its write-ahead log."""
    with open(path, "rb") as file:
        book = file.read()
    try:
        with open(path + WAL_SUFFIX, "rb") as file:
            return book, file.read()
    except FileNotFoundError:
        return book, b""
