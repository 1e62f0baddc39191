"""The book: a SQLite file with all matches, which implements `Store` (`store/rows.py`).

Every row has a checksum, which is verified whenever the row is read. Each match also stores how
many rows its log has, so `Damaged` is raised for any damaged or missing row. The schema of the file
rejects statements that change or delete a row of a log.

In addition to the methods of a store, a book has a `path` and a `database`, and its `batch` returns
the connection. `store/integrity.py` reads what remains of a damaged book.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.store import errors, tables
from scorekeeper.store.database import CommitFailed, Database
from scorekeeper.store.files import expand_home
from scorekeeper.store.rows import (
    PendingWrite,
    Tail,
    as_json,
    check_new,
    check_rounds,
    check_text,
    day_to_store,
    given_details,
    reread_after_failure,
    stamp_rows,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from scorekeeper.core.types import JsonValue
    from scorekeeper.store.rows import LogRow, MatchRow, NewMatch, Outcome, RoundRow, RulesetText
    from scorekeeper.store.tables import MatchValues


def default_path() -> str:
    """Return the path of the book: `SCOREKEEPER_BOOK`, or a file in the user's data folder.

    Raises Unreadable if the home folder is unknown.
    """
    if named := os.environ.get("SCOREKEEPER_BOOK"):
        return expand_home(named)
    from scorekeeper.ruleset.sources import data_folder

    folder = data_folder()
    if folder is None:
        raise Unreadable(
            tr("your home folder is unknown, so the usual book cannot be located"),
            tr("name the book with --book FILE, or set HOME"),
        )
    return str(folder / "book.sqlite")


class Book:
    """A store with all its matches in one SQLite file. `Database` has the same arguments."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        wait: float = 2.0,
        shared: bool = False,
    ) -> None:
        self.database = Database(path, create=create, wait=wait, shared=shared)
        self.path = self.database.path
        self._pending_write: PendingWrite | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; see `Store.close`. A book in memory stays open."""
        self.database.close()

    @contextmanager
    def batch(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction for several writes; see `Store.batch`."""
        if not self.database.in_transaction:
            self._pending_write = None
        try:
            with self.database.writing() as connection:
                yield connection
        except CommitFailed as failed:
            self._check_failed_commit(failed.error)

    def _check_failed_commit(self, error: sqlite3.Error) -> None:
        """Check whether a transaction was stored although its commit failed. Raise the error if it
        was not.

        The file is reopened first, because the connection may report data that is not on the disk.
        """
        self.close()
        outcome: Outcome = "not recorded"
        if self._pending_write is not None:
            outcome = (
                "unknown"
                if self.database.is_moved()
                else reread_after_failure(self, self._pending_write)
            )
        if outcome == "not recorded":
            raise errors.translate_error(error, self.path) from error
        if outcome == "unknown":
            raise errors.uncertain_write(error, self.path) from error

    def _note_write(self, write: PendingWrite) -> None:
        """Remember the data that this transaction writes, so that `_check_failed_commit` can look
        for it.

        Log rows take precedence over other data, because they are the best evidence.
        """
        if write.rows or self._pending_write is None or not self._pending_write.rows:
            if self._pending_write is not None and self._pending_write.match == write.match:
                write.before = self._pending_write.before
            self._pending_write = write

    # Matches

    def create(self, new: NewMatch) -> int:
        """Begin a match; see `Store.create`."""
        check_new(new)
        values = tables.new_match_values(new)
        data = as_json(new.ruleset_text.data)
        with self.batch() as connection:
            tables.add_ruleset(connection, new.ruleset_text, data)
            if (
                tables.read_ruleset_source(connection, self.path, new.ruleset_text.sha)
                != new.ruleset_text.text
            ):
                raise ValueError(f"another ruleset is stored as {new.ruleset_text.sha}")
            match = tables.add_match(connection, values)
            self._note_write(
                PendingWrite(match.id, 0, (), None, tables.match_row(self.path, match))
            )
        return match.id

    def describe(
        self,
        match_id: int,
        *,
        started: str | None = None,
        place: str | None = None,
        title: str | None = None,
        note: str | None = None,
        language: str | None = None,
        identifier: str | None = None,
        day: str | None = None,
    ) -> None:
        """Change the details of a match; see `Store.describe`."""
        changes = given_details(started, place, title, note, language, identifier, day)
        with self.batch() as connection:
            match = tables.read_match(connection, self.path, match_id)
            after = match._replace(**changes)
            if after.started != match.started or "day" in changes:
                after = after._replace(day=day_to_store(after.started, day or ""))
            self._store_change(connection, match, after)

    def erase(self, match_id: int) -> None:
        """Erase a match; see `Store.erase`."""
        with self.batch() as connection:
            match = tables.read_match(connection, self.path, match_id)
            tables.erase(connection, match_id)
            self._note_write(PendingWrite(match_id, 0, (), tables.match_row(self.path, match)))

    def set_pending_decision(self, match_id: int, position: int | None) -> None:
        """Store a note that the table must decide on an entry; see `Store.set_pending_decision`."""
        try:
            with self.database.writing(wait=0.0) as connection:
                tables.put_mark(connection, match_id, position)
        except (Damaged, CommitFailed):
            # the note is only a convenience, because the decision itself is stored in the match
            pass

    def has_pending_decision(self, match_id: int) -> bool:
        """Return whether the table must decide on an entry; see `Store.has_pending_decision`."""
        with self.database.reading() as connection:
            return tables.is_marked(connection, match_id)

    def aliases(self) -> dict[str, str]:
        """Return the aliases; see `Store.aliases`."""
        with self.database.reading() as connection:
            return tables.aliases(connection, self.path)

    def set_aliases(self, names: Mapping[str, str]) -> None:
        """Set aliases; see `Store.set_aliases`."""
        check_text(*names, *names.values())
        with self.batch() as connection:
            tables.put_aliases(connection, names)
            self._note_write(PendingWrite(0, 0, (), names=names))

    def _store_change(self, connection: sqlite3.Connection, *states: MatchValues) -> None:
        """Store a change to a match that adds no log rows. `states` are the match rows before and
        after the change."""
        tables.change_match(connection, *states)
        before, after = (tables.match_row(self.path, each) for each in states)
        self._note_write(PendingWrite(after.id, 0, (), before, after))

    def match(self, match_id: int | None = None) -> MatchRow:
        """Return one match; see `Store.match`."""
        with self.database.reading() as connection:
            number = match_id
            if number is None:
                number = tables.last_changed_match(connection, self.path)
            return tables.match_row(self.path, tables.read_match(connection, self.path, number))

    def matches(self, after: int = 0, most: int | None = None) -> list[MatchRow]:
        """Return all matches, or some of them; see `Store.matches`."""
        with self.database.reading() as connection:
            rows = tables.read_matches(connection, self.path, after, most)
            return [tables.match_row(self.path, values) for values in rows]

    def similar_matches(
        self, players: Sequence[str], started: str, fingerprint: str
    ) -> list[MatchRow]:
        """Return the matches that are similar to a given match; see `Store.similar_matches`."""
        names = as_json(list(players))
        with self.database.reading() as connection:
            rows = tables.similar_matches(connection, self.path, names, started, fingerprint)
            return [tables.match_row(self.path, values) for values in rows]

    def matches_with_id(self, identifier: str) -> list[MatchRow]:
        """Return the matches with this identifier; see `Store.matches_with_id`."""
        with self.database.reading() as connection:
            rows = tables.matches_with_id(connection, self.path, identifier)
            return [tables.match_row(self.path, values) for values in rows]

    def ruleset_text(self, sha: str) -> RulesetText:
        """Return the ruleset with this SHA-256; see `Store.ruleset_text`."""
        with self.database.reading() as connection:
            return tables.read_ruleset(connection, self.path, sha)

    # The log and the cache

    def append(
        self,
        match_id: int,
        seen: int,
        rows: Sequence[LogRow],
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
        summary: JsonValue = None,
        fingerprint: str | None = None,
    ) -> int:
        """Write rows after position `seen`; see `Store.append`."""
        written = stamp_rows(rows, seen)
        last = seen + len(written)
        check_rounds(finished, last)
        cached = [tables.round_values(match_id, row) for row in finished]
        summary_json = None if summary is None else as_json(summary)
        with self.batch() as connection:
            match = tables.read_match(connection, self.path, match_id)
            tables.check_position(connection, self.path, match, seen)
            tables.add_log(connection, match_id, written)
            if reopened is not None:
                tables.drop_rounds(connection, match_id, reopened)
            tables.put_rounds(connection, cached)
            after = match if summary_json is None else match._replace(summary=summary_json)
            if written:
                after = tables.advance_match(connection, after, written)
            if fingerprint is not None:
                after = after._replace(fingerprint=fingerprint)
            if written:
                tables.change_match(connection, match, after)
                self._note_write(PendingWrite(match_id, seen, written))
            else:
                self._store_change(connection, match, after)
        return last

    def tail(self, match_id: int) -> Tail:
        """Return the last round from which a match can be continued, and the log since that round
        began."""
        with self.database.reading() as connection:
            position = tables.read_match(connection, self.path, match_id).position
            cached = tables.last_round(connection, self.path, match_id)
            first = 1 if cached is None else cached.first_position or 1
            rows = tables.log_rows(connection, self.path, match_id, first, position)
            return Tail(cached, rows, position)

    def log(self, match_id: int, first: int = 1) -> list[LogRow]:
        """Return all rows of a match's log from position `first` on."""
        with self.database.reading() as connection:
            last = tables.read_match(connection, self.path, match_id).position
            return tables.log_rows(connection, self.path, match_id, first, last)

    def rounds(self, match_id: int, first: int = 1) -> list[RoundRow]:
        """Return the cached rounds from number `first` on, in order."""
        with self.database.reading() as connection:
            tables.read_match(connection, self.path, match_id)
            return tables.rounds(connection, self.path, match_id, first)

    def rounds_of(self, match_ids: Sequence[int]) -> dict[int, list[RoundRow]]:
        """Return the cached rounds of each of these matches; see `Store.rounds_of`."""
        with self.database.reading() as connection:
            return tables.rounds_of(connection, self.path, match_ids)

    def match_dates(self) -> list[tuple[str, str]]:
        """Return the day and the stated beginning of each match; see `Store.match_dates`."""
        with self.database.reading() as connection:
            return tables.match_dates(connection)

    def position(self, match_id: int) -> int:
        """Return the last position in a match's log, or 0 if the log is empty."""
        with self.database.reading() as connection:
            return tables.read_match(connection, self.path, match_id).position
