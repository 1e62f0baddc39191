"""The book: every match of a table in one SQLite file. It knows nothing of rules.

**The log.** Whatever happened to a match, an entry, an undo, an amendment, is one row of its log,
at the positions 1, 2, 3 …; rows are added and never changed or erased (the schema itself refuses).
What stands is what the caller makes of the log.

**The cache.** `RoundRow(n)` keeps the standing before round n, so that nobody needs to read the
log from its beginning. It promises: that standing, and those rows from `first_position` on whose
`round` is n or more, taken in order, give what stands in round n and after it. (Rows of an earlier
round in there, say a late amendment, are in the standing already.) The cache may be dropped at any
time, `reopened=1` does it, and is made again from the whole log.

**Recording.** Two people may record at once:

    round_row, rows, seen = book.tail(match)      # the standing, what came since, the last position
    ...                                           # fold, judge the entry
    while True:
        try:
            seen = book.append(match, seen, [LogRow("entry", 3, 7, "Ben: QC")])
            break
        except Conflict as conflict:              # nothing was written
            ...                                   # fold conflict.rows, say so, judge again
            seen = conflict.position

After a `Conflict` whose rows reach back before the live round (their `round` is lower) read `tail`
again, for the cache has changed too.

**Rounds.** With the entry that ends round n, in the same transaction:
`finished=[RoundRow(n, its first_position, its standing, summary), RoundRow(n + 1, first_position,
standing)]`, where the new `first_position` is the one after the last row written. An operation
that reaches back into round n is appended with `reopened=n + 1`, which drops what was cached for
the rounds after n; the caller folds again, from `tail` if the last round left is n, else from
`log`, and may give the new rows as `finished` in that same call: an amended round keeps its
`first_position`, and so do those after it. Where a round came or went the later ones have other
numbers: then `reopened=n`, and nothing is given. What each kind of row means, history.py says.

**Damage.** Every row carries a checksum, which is compared wherever the row is read, and a match
counts the rows of its log: what lost a bit, or is missing, raises `Damaged`.

Failures: `Damaged` for whatever is wrong with the file, the disk or a permission; `Locked` when
another process kept the book for longer than `wait`; `Unreadable` for a match that is not there
and for text that cannot be stored. What raises has written nothing.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scorekeeper.core.failures import Damaged, Failure, Locked, Unreadable
from scorekeeper.core.suggest import shown
from scorekeeper.store.tables import COLUMNS, MIGRATIONS, checksum, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Any

T = TypeVar("T")

APPLICATION_ID = 0x53434F52  # "SCOR": tells a book from any other SQLite file
KINDS = ("entry", "undo", "amend", "replace", "insert", "remove", "restore")
_LARGEST = 2**63 - 1
_LISTED = 10
_LEAST = 512  # bytes of any database; SQLite takes what is shorter for an empty one
_TURN = 0.02  # seconds that SQLite itself waits for a lock, before we ask again
RESCUE = "scorekeeper check-book says what is whole, and saves it"
_ONE_MATCH = f"{select('matches')} WHERE id = ?"
_ONE_RULESET = f"{select('rulesets')} WHERE sha = ?"
_LOG = f"{select('log')} WHERE match = ? AND position >= ? ORDER BY position"
_ROUNDS = f"{select('rounds')} WHERE match = ? ORDER BY number"
# Both are answered by the index of `touched`, and so are compared with the table's own answer.
_LAST_TOUCHED = "SELECT id, touched FROM matches ORDER BY touched DESC LIMIT 1"
_COUNT = "SELECT count(*) FROM matches INDEXED BY sqlite_autoindex_matches_1"
_NEXT_TOUCH = "SELECT coalesce(max(touched), 0) + 1 FROM matches"
_TIME = list(COLUMNS["log"]).index("time")


class MatchRow(NamedTuple):
    """A match as it is listed; `entries` counts those ever entered, `summary` is the caller's."""

    id: int
    ruleset: str
    ruleset_sha: str
    players: list[str]
    options: dict[str, Any]
    started: str
    place: str | None
    entries: int
    last: str
    summary: Any
    language: str = ""


class LogRow(NamedTuple):
    """One operation on a match. Writing it sets `position`, and `time` (UTC) where it is empty."""

    kind: str
    round: int
    number: int
    text: str
    decision: str | None = None
    recorder: str = ""
    time: str = ""
    position: int = 0


class RoundRow(NamedTuple):
    """The cache of one round: the standing before it, and where in the log it begins.

    `summary` is what the round came to, None while it is played.
    """

    number: int
    first_position: int
    standing: Any
    summary: Any = None


class Conflict(Locked):
    """Somebody else recorded meanwhile: `rows` came between, the last at `position`."""

    def __init__(self, rows: list[LogRow], position: int) -> None:
        count = "1 entry" if len(rows) == 1 else f"{len(rows)} entries"
        super().__init__(f"somebody else recorded {count} meanwhile", "look, and enter it again")
        self.rows = rows
        self.position = position


def default_path() -> str:
    """Where the book is: `SCOREKEEPER_BOOK`, else a file in the user's data folder."""
    if named := os.environ.get("SCOREKEEPER_BOOK"):
        return os.path.expanduser(named)
    import platformdirs

    return str(platformdirs.user_data_path("scorekeeper", appauthor=False) / "book.sqlite")


class Book:
    """The store of all matches; opened when first needed. Not to be shared between threads.

    `wait` is how many seconds a busy book is waited for. With `create=False` no file is made, and
    a book that is not there reads as an empty one.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, create: bool = True, wait: float = 2.0
    ) -> None:
        self.path = os.path.abspath(os.fspath(path))
        self._create = create
        self._wait = wait
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def __enter__(self) -> Book:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. The next use opens it again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    # Matches

    def create_match(
        self,
        ruleset_name: str,
        ruleset_sha: str,
        ruleset_text: str,
        players: Sequence[str],
        options: Mapping[str, Any],
        started: str,
        place: str | None = None,
        ruleset_data: Any = None,
        language: str = "",
    ) -> int:
        """Begin a match and return its id. A ruleset's text is stored once for all its matches;
        `ruleset_data` is what the text says, kept as JSON because that is read much faster.

        Raises ValueError if another text is stored under the same sha.
        """
        said = {
            "ruleset": ruleset_name, "sha": ruleset_sha, "players": _dump(list(players)),
            "options": _dump(dict(options)), "started": started, "place": place,
            "language": language, "last": _now(),
        }  # fmt: skip
        _storable(ruleset_text, *(value or "" for value in said.values()))
        with self.batch() as connection:
            rules = (ruleset_sha, ruleset_text, _dump(ruleset_data))
            _insert(connection, "rulesets", [rules], "OR IGNORE")
            if self.ruleset_text(ruleset_sha) != ruleset_text:
                raise ValueError(f"another ruleset is stored as {ruleset_sha}")
            (said["touched"],) = connection.execute(_NEXT_TOUCH).fetchone()
            cursor = connection.execute(
                f"INSERT INTO matches ({', '.join(said)}) VALUES ({', '.join('?' * len(said))})",
                list(said.values()),
            )
            assert cursor.lastrowid is not None
            row = connection.execute(_ONE_MATCH, (cursor.lastrowid,)).fetchone()
            self._change(connection, dict(zip(COLUMNS["matches"], row, strict=False)))
        return cursor.lastrowid

    def describe_match(self, match_id: int, *, language: str | None = None) -> None:
        """Change what is kept about a match; what is None stays as it is.

        Raises Unreadable if there is no such match.
        """
        said = {"language": language}
        changed = {key: value for key, value in said.items() if value is not None}
        _storable(*changed.values())
        with self.batch() as connection:
            self._change(connection, self._match(connection, match_id), **changed)

    def match(self, match_id: int) -> MatchRow:
        """One match. Raises Unreadable, with the ids there are, if it is not there."""
        with self._reading() as connection:
            return self._match_row(self._match(connection, match_id))

    def latest(self) -> int:
        """The match last created or recorded in. Raises Unreadable if there is none."""
        with self._reading() as connection:
            found = connection.execute(_LAST_TOUCHED).fetchone()
            if found is None:
                raise _missing([said["id"] for said in self._every_match(connection)], None)
            # The answer is an index's: the match itself must say the same.
            if self._match(connection, found[0])["touched"] != found[1]:
                raise _damaged(self.path)
            return int(found[0])

    def matches(self) -> list[MatchRow]:
        """All matches, the oldest first."""
        with self._reading() as connection:
            return [self._match_row(said) for said in self._every_match(connection)]

    def ruleset_text(self, sha: str) -> str:
        """The ruleset that a match was begun under. Raises Damaged if the book has none such."""
        with self._reading() as connection:
            return str(self._ruleset(connection, sha)["text"])

    def ruleset_data(self, sha: str) -> Any:
        """What the text of that ruleset says, as it was given; None if it was not."""
        with self._reading() as connection:
            return self._load(self._ruleset(connection, sha)["data"])

    # The log and the cache

    def append(
        self,
        match_id: int,
        seen: int,
        rows: Sequence[LogRow],
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
        summary: Any = None,
    ) -> int:
        """Write rows after position `seen`, the last one known, and return the last position.

        In the same transaction: `reopened` drops the cached rounds from that number on, then
        `finished` are stored (a number already there is replaced), and `summary`, if not None,
        becomes the match's. Without rows only these. Raises Conflict, with the rows that came
        between, if `seen` is no longer the last position; Unreadable if there is no such match.
        """
        last = seen + len(rows)
        values = [_log_values(match_id, seen + n, row) for n, row in enumerate(rows, 1)]
        cached = [_round_values(match_id, last, row) for row in finished]
        told: dict[str, Any] = {} if summary is None else {"summary": _dump(summary)}
        with self.batch() as connection:
            match = self._match(connection, match_id)
            self._expect(connection, match, seen)
            _insert(connection, "log", values)
            if reopened is not None:
                connection.execute(
                    "DELETE FROM rounds WHERE match = ? AND number >= ?", (match_id, reopened)
                )
            _insert(connection, "rounds", cached, "OR REPLACE")
            if values:
                told |= {"position": last, "last": values[-1][_TIME]}
                told["entries"] = match["entries"] + sum(row.kind == "entry" for row in rows)
                told["touched"] = connection.execute(_NEXT_TOUCH).fetchone()[0]
            if told:
                self._change(connection, match, **told)
        return last

    def tail(self, match_id: int) -> tuple[RoundRow | None, list[LogRow], int]:
        """The last cached round, the log from its `first_position` on, and the last position.

        Without a cached round: None, and the whole log. Raises Unreadable if there is no match.
        """
        with self._reading() as connection:
            position = self._position(connection, match_id)
            query = f"{select('rounds')} WHERE match = ? ORDER BY number DESC LIMIT 1"
            found = connection.execute(query, (match_id,)).fetchone()
            row = None if found is None else self._round_row(found)
            first = 1 if row is None else row.first_position
            return row, self._log_rows(connection, match_id, first, position), position

    def log(self, match_id: int, first: int = 1) -> list[LogRow]:
        """Everything that was ever recorded in a match, from position `first` on.

        Raises Unreadable if there is no such match.
        """
        with self._reading() as connection:
            last = self._position(connection, match_id)
            return self._log_rows(connection, match_id, first, last)

    def rounds(self, match_id: int) -> list[RoundRow]:
        """All cached rounds in order. Raises Unreadable if there is no such match."""
        with self._reading() as connection:
            self._position(connection, match_id)
            found = connection.execute(_ROUNDS, (match_id,))
            return [self._round_row(row) for row in found]

    def position(self, match_id: int) -> int:
        """The last position in a match's log, 0 if it is empty: a cheap look for something new.

        Raises Unreadable if there is no such match.
        """
        with self._reading() as connection:
            return self._position(connection, match_id)

    def data_version(self) -> int:
        """A number that changes when another process wrote; 0 while there is no book.

        To be compared only with what the same open book said before; own writes do not change it.
        """
        with self._reading() as connection:
            if connection is not self._connection:
                return 0
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def batch(self) -> Iterator[sqlite3.Connection]:
        """Writing in one transaction: all that is done inside is kept, or nothing of it.

        Others wait while it lasts. Inside another batch it belongs to that one.
        """
        with self._guarded():
            connection = self._opened()
            if connection is None:
                raise Damaged(f"there is no book at {self.path}", "begin a match: scorekeeper new")
            if connection.in_transaction:
                yield connection
                return
            self._same_file()
            with self._begun(connection, "BEGIN IMMEDIATE"):
                yield connection

    # Inside

    def _vouched(self, table: str, row: Sequence[Any]) -> dict[str, Any]:
        """What a row says, by its columns. Raises Damaged if its checksum says otherwise."""
        if checksum(row[:-1]) != row[-1]:
            raise _damaged(self.path)
        return dict(zip(COLUMNS[table], row, strict=False))

    def _match(self, connection: sqlite3.Connection, match_id: int) -> dict[str, Any]:
        known = abs(match_id) <= _LARGEST
        row = connection.execute(_ONE_MATCH, (match_id,)).fetchone() if known else None
        if row is None:
            raise _missing([said["id"] for said in self._every_match(connection)], match_id)
        return self._vouched("matches", row)

    def _every_match(self, connection: sqlite3.Connection) -> list[dict[str, Any]]:
        found = connection.execute(f"{select('matches')} ORDER BY id").fetchall()
        if connection.execute(_COUNT).fetchone()[0] != len(found):
            raise _damaged(self.path)
        return [self._vouched("matches", row) for row in found]

    def _change(self, connection: sqlite3.Connection, match: dict[str, Any], **said: Any) -> None:
        said["checksum"] = checksum(list({**match, **said}.values()))
        columns = ", ".join(f"{name} = ?" for name in said)
        values = (*said.values(), match["id"])
        connection.execute(f"UPDATE matches SET {columns} WHERE id = ?", values)

    def _ruleset(self, connection: sqlite3.Connection, sha: str) -> dict[str, Any]:
        row = connection.execute(_ONE_RULESET, (sha,)).fetchone()
        if row is None:
            raise Damaged(f"the book {self.path} has no ruleset {sha}", RESCUE)
        return self._vouched("rulesets", row)

    def _position(self, connection: sqlite3.Connection, match_id: int) -> int:
        return int(self._match(connection, match_id)["position"])

    def _expect(self, connection: sqlite3.Connection, match: dict[str, Any], seen: int) -> None:
        position = match["position"]
        if position > seen:
            rows = self._log_rows(connection, match["id"], seen + 1, position)
            raise Conflict(rows, position)
        if position < seen:
            raise Damaged(
                f"match {match['id']} ends at position {position}, not at {seen}",
                f"the book {self.path} was changed by something else; open the match again",
            )

    def _match_row(self, said: dict[str, Any]) -> MatchRow:
        loaded = {key: self._load(said[key]) for key in ("players", "options", "summary")}
        said = {**said, **loaded, "ruleset_sha": said["sha"]}
        return MatchRow(**{name: said[name] for name in MatchRow._fields})

    def _log_rows(
        self, connection: sqlite3.Connection, match_id: int, first: int, last: int
    ) -> list[LogRow]:
        """The log from `first` on, which must be there up to `last`."""
        rows: list[LogRow] = []
        for row in connection.execute(_LOG, (match_id, first)):
            if checksum(row[:-1]) != row[-1] or row[1] != first + len(rows):
                raise _damaged(self.path)
            _, position, kind, number, entry, text, decision, moment, recorder, _ = row
            rows.append(LogRow(kind, number, entry, text, decision, recorder, moment, position))
        if len(rows) != max(0, last + 1 - first):
            raise _damaged(self.path)
        return rows

    def _round_row(self, row: Sequence[Any]) -> RoundRow:
        said = self._vouched("rounds", row)
        loaded = {key: self._load(said[key]) for key in ("standing", "summary")}
        return RoundRow(said["number"], said["first_position"], **loaded)

    def _load(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _damaged(self.path) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """One snapshot of the book, or of an empty one if there is none."""
        with self._guarded():
            connection = self._opened()
            if connection is None:
                connection = sqlite3.connect(":memory:", isolation_level=None)
                _migrate(connection, self.path)
            if connection.in_transaction:
                yield connection
                return
            with self._begun(connection, "BEGIN"):
                yield connection

    @contextmanager
    def _begun(self, connection: sqlite3.Connection, how: str) -> Iterator[None]:
        def begin() -> None:
            connection.execute(how)
            with _or_nothing(connection):  # a reader's lock comes with what is read first
                connection.execute("PRAGMA user_version").fetchone()

        self._patiently(begin)
        with _or_nothing(connection):
            yield
            connection.execute("COMMIT")

    def _patiently(self, ask: Callable[[], T]) -> T:
        """Ask for a lock until it is had, or `wait` is over. SQLite's own way sleeps longer the
        longer it waits, so among many the one that has waited longest waits on; here all ask
        equally often, at moments of their own."""
        until = time.monotonic() + self._wait
        while True:
            try:
                return ask()
            except sqlite3.OperationalError as error:
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(0.001 + time.monotonic_ns() % 4_000 / 1_000_000)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _failure(error, self.path) from error
        except UnicodeDecodeError as error:  # SQLite quotes a damaged schema in its messages
            raise _damaged(self.path) from error

    def _opened(self) -> sqlite3.Connection | None:
        if self._connection is None:
            self._connection = self._open()
        return self._connection

    def _open(self) -> sqlite3.Connection | None:
        if not self._there() and not self._create:
            return None
        connection = sqlite3.connect(self.path, timeout=_TURN, isolation_level=None)
        try:
            usable = self._patiently(lambda: self._prepare(connection))
        except BaseException:
            connection.close()
            raise
        if usable is not connection:
            connection.close()
        self._file = _identity(self.path)
        return usable

    def _there(self) -> bool:
        """Whether there is a file; if one is to be made, its folder is there afterwards."""
        folder = os.path.dirname(self.path)
        try:
            if os.path.isfile(self.path):
                return True
            os.stat(self.path)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise _unopened(self.path, error.strerror) from error
        else:
            raise Damaged(f"{self.path} is no file", "name a file for the book: --book FILE")
        if self._create:
            try:
                os.makedirs(folder, exist_ok=True)
            except OSError as error:
                raise _unopened(self.path, error.strerror) from error
        return False

    def _prepare(self, connection: sqlite3.Connection) -> sqlite3.Connection | None:
        """Settings and schema. None for a file without a schema that is not to be given one; for
        an older book that may only be read, a copy in memory, brought up to date."""
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        version = _version(connection, self.path)
        if version == 0 and 0 < os.path.getsize(self.path) < _LEAST:
            raise _no_book(self.path)
        if version == 0 and not self._create:
            return None
        if version == len(MIGRATIONS):
            return connection
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            _migrate(connection, self.path)
        except sqlite3.OperationalError as error:
            if version == 0 or _code(error) != sqlite3.SQLITE_READONLY:
                raise
            copy = sqlite3.connect(":memory:", isolation_level=None)
            connection.backup(copy)
            _migrate(copy, self.path)
            copy.execute("PRAGMA query_only = ON")
            return copy
        return connection

    def _same_file(self) -> None:
        """A book that was moved away while open would take entries that nobody finds again."""
        if _identity(self.path) != self._file:
            self.close()
            raise Damaged(
                f"the book {self.path} was moved or replaced while it was open",
                "put it back, or open the match again",
            )


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


def _version(connection: sqlite3.Connection, path: str) -> int:
    """The schema's version, 0 for a file with nothing in it. Raises Damaged if it is no book."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        # Another process may have made the book between two of these questions.
        (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application or version or tables:
            raise _no_book(path)
    elif version < 1:
        raise _damaged(path)
    if version > len(MIGRATIONS):
        raise Damaged(
            f"the book {path} was written by a newer scorekeeper (schema {version}, "
            f"known up to {len(MIGRATIONS)})",
            "update scorekeeper, or name another book: --book FILE",
        )
    return int(version)


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with _or_nothing(connection):
        # Asked again under the lock: another process may have done it meanwhile.
        for steps in MIGRATIONS[_version(connection, path) :]:
            for step in steps:
                if isinstance(step, str):
                    connection.execute(step)
                else:
                    step(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")


def _insert(
    connection: sqlite3.Connection, table: str, rows: Sequence[tuple[Any, ...]], how: str = ""
) -> None:
    columns = (*COLUMNS[table], "checksum")
    places = ", ".join("?" * len(columns))
    query = f"INSERT {how} INTO {table} ({', '.join(columns)}) VALUES ({places})"
    connection.executemany(query, [(*row, checksum(row)) for row in rows])


def _log_values(match_id: int, position: int, row: LogRow) -> tuple[Any, ...]:
    if row.kind not in KINDS:
        raise ValueError(f"no kind of log row: {row.kind!r}")
    moment = row.time or _now()
    _storable(row.text, row.decision or "", row.recorder, moment)
    place = (match_id, position, row.kind, row.round, row.number)
    return (*place, row.text, row.decision, moment, row.recorder)


def _round_values(match_id: int, last: int, row: RoundRow) -> tuple[Any, ...]:
    if not 1 <= row.first_position <= last + 1:
        raise ValueError(f"round {row.number} cannot begin at position {row.first_position}")
    return match_id, row.number, row.first_position, _dump(row.standing), _dump(row.summary)


def _dump(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    _storable(text)
    return text


def _storable(*texts: str) -> None:
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Unreadable(
                "this holds half a character (a lone surrogate) and cannot be stored: "
                f"{text[max(0, error.start - 20) : error.end + 20]!a}",
                "type it again",
            ) from error


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _missing(ids: list[int], match_id: int | None) -> Unreadable:
    """What to say of a match that is not there: the ids there are, the latest ones if many."""
    if not ids:
        which = "there is no match yet" if match_id is None else f"there is no match {match_id}"
        return Unreadable(which, "begin one: scorekeeper new RULESET NAME NAME")
    listed = ", ".join(map(str, ids[-_LISTED:]))
    if len(ids) > _LISTED:
        listed = f"{listed} and earlier ones: scorekeeper matches"
    return Unreadable(f"there is no match {match_id}", f"there are {listed}")


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 where the error is Python's own."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _failure(error: sqlite3.Error, path: str) -> Failure:
    code = _code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Locked(f"the book {path} is in use by another process", "try again in a moment")
    if code == sqlite3.SQLITE_NOTADB:
        return _no_book(path)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return _unopened(path, "no permission, or a file in the place of a folder")
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
        return _damaged(path)
    return Damaged(f"the book {path} cannot be used: {shown(error, 120)}", RESCUE)


def _no_book(path: str) -> Damaged:
    return Damaged(f"{path} is not a scorekeeper book", "name another file: --book FILE")


def _damaged(path: str) -> Damaged:
    return Damaged(f"the book {path} is damaged", RESCUE)


def _unopened(path: str, why: str | None) -> Damaged:
    return Damaged(
        f"the book {path} cannot be opened: {why or 'unknown reason'}",
        "look at its folder's permissions, or name another place: --book FILE",
    )
