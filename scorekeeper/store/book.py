"""The book: every match of a table in one SQLite file. What a store is says `store/rows.py`.

Every row carries a checksum, which is compared wherever the row is read, and a match counts the
rows of its log: what lost a bit, or is missing, raises `Damaged`. The file's schema refuses to
change or erase a row of the log.

Besides what a store can, a book has a `path`, its `database`, and a `batch` that gives the
connection. `store/integrity.py` reads what is left of a damaged one.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.store import errors, tables
from scorekeeper.store.database import CommitFailed, Database
from scorekeeper.store.files import expanded
from scorekeeper.store.rows import (
    Tail,
    Write,
    as_json,
    check_new,
    check_rounds,
    check_text,
    described,
    kept_day,
    read_back,
    stamped,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from scorekeeper.core.types import Plain
    from scorekeeper.store.rows import LogRow, MatchRow, NewMatch, Outcome, RoundRow, Rules
    from scorekeeper.store.tables import MatchValues


def default_path() -> str:
    """Where the book is: `SCOREKEEPER_BOOK`, else a file in the user's data folder. Raises
    Unreadable where nobody knows which that is."""
    if named := os.environ.get("SCOREKEEPER_BOOK"):
        return expanded(named)
    from scorekeeper.ruleset.sources import data_folder

    folder = data_folder()
    if folder is None:
        raise Unreadable(
            tr("your home folder is not known here, so neither is the usual book"),
            tr("name it: --book FILE, or set HOME"),
        )
    return str(folder / "book.sqlite")


class Book:
    """The store of all matches in a SQLite file; the arguments are those of its `Database`."""

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
        self._write: Write | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, see `Store.close`. A book in memory stays as it is."""
        self.database.close()

    @contextmanager
    def batch(self) -> Iterator[sqlite3.Connection]:
        """Writing in one transaction, see `Store.batch`."""
        if not self.database.in_transaction:
            self._write = None
        try:
            with self.database.writing() as connection:
                yield connection
        except CommitFailed as failed:
            self._settle(failed.error)

    def _settle(self, error: sqlite3.Error) -> None:
        """Say what came of a transaction whose end failed: return if it is recorded, else raise.
        The file is read anew, for the connection may believe what is not there."""
        self.close()
        outcome: Outcome = "not recorded"
        if self._write is not None:
            outcome = "unknown" if self.database.is_moved() else read_back(self, self._write)
        if outcome == "not recorded":
            raise errors.failure(error, self.path) from error
        if outcome == "unknown":
            raise errors.unsettled(error, self.path) from error

    def _wrote(self, write: Write) -> None:
        """Remember how to know what this transaction wrote: rows of a log tell most."""
        if write.rows or self._write is None or not self._write.rows:
            if self._write is not None and self._write.match == write.match:
                write.before = self._write.before
            self._write = write

    # Matches

    def create(self, new: NewMatch) -> int:
        """Begin a match, see `Store.create`."""
        check_new(new)
        values = tables.new_match_values(new)
        data = as_json(new.rules.data)
        with self.batch() as connection:
            tables.add_rules(connection, new.rules, data)
            if tables.rules_text(connection, self.path, new.rules.sha) != new.rules.text:
                raise ValueError(f"another ruleset is stored as {new.rules.sha}")
            match = tables.add_match(connection, values)
            self._wrote(Write(match.id, 0, (), None, tables.match_row(self.path, match)))
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
        """Change what is kept about a match, see `Store.describe`."""
        said = described(started, place, title, note, language, identifier, day)
        with self.batch() as connection:
            match = tables.match_values(connection, self.path, match_id)
            after = match._replace(**said)
            if after.started != match.started or "day" in said:
                after = after._replace(day=kept_day(after.started, day or ""))
            self._changed(connection, match, after)

    def erase(self, match_id: int) -> None:
        """Erase a match, see `Store.erase`."""
        with self.batch() as connection:
            match = tables.match_values(connection, self.path, match_id)
            tables.erase(connection, match_id)
            self._wrote(Write(match_id, 0, (), tables.match_row(self.path, match)))

    def mark(self, match_id: int, position: int | None) -> None:
        """Say that the table must decide about something, see `Store.mark`."""
        try:
            with self.database.writing(wait=0.0) as connection:
                tables.put_mark(connection, match_id, position)
        except (Damaged, CommitFailed):
            pass  # whoever looks learns of it with the decision

    def marked(self, match_id: int) -> bool:
        """Whether the table must decide about something, see `Store.marked`."""
        with self.database.reading() as connection:
            return tables.is_marked(connection, match_id)

    def aliases(self) -> dict[str, str]:
        """How spellings of names are told, see `Store.aliases`."""
        with self.database.reading() as connection:
            return tables.aliases(connection, self.path)

    def alias(self, names: Mapping[str, str]) -> None:
        """Let spellings be told by these names, see `Store.alias`."""
        check_text(*names, *names.values())
        with self.batch() as connection:
            tables.put_aliases(connection, names)
            self._wrote(Write(0, 0, (), names=names))

    def _changed(self, connection: sqlite3.Connection, *states: MatchValues) -> None:
        """Store what a match says after it was changed otherwise than by rows of its log."""
        tables.change_match(connection, *states)
        before, after = (tables.match_row(self.path, each) for each in states)
        self._wrote(Write(after.id, 0, (), before, after))

    def match(self, match_id: int | None = None) -> MatchRow:
        """One match, see `Store.match`."""
        with self.database.reading() as connection:
            wanted = match_id
            if wanted is None:
                wanted = tables.last_changed(connection, self.path)
            return tables.match_row(self.path, tables.match_values(connection, self.path, wanted))

    def matches(self, after: int = 0, most: int | None = None) -> list[MatchRow]:
        """All matches, or some, the oldest first, see `Store.matches`."""
        with self.database.reading() as connection:
            found = tables.some_matches(connection, self.path, after, most)
            return [tables.match_row(self.path, values) for values in found]

    def alike(self, players: Sequence[str], started: str, fingerprint: str) -> list[MatchRow]:
        """The matches that look like one, see `Store.alike`."""
        told = as_json(list(players))
        with self.database.reading() as connection:
            found = tables.alike(connection, self.path, told, started, fingerprint)
            return [tables.match_row(self.path, values) for values in found]

    def identified(self, identifier: str) -> list[MatchRow]:
        """The matches of that identifier, see `Store.identified`."""
        with self.database.reading() as connection:
            found = tables.identified(connection, self.path, identifier)
            return [tables.match_row(self.path, values) for values in found]

    def rules(self, sha: str) -> Rules:
        """The rules that a match was begun under, see `Store.rules`."""
        with self.database.reading() as connection:
            return tables.rules(connection, self.path, sha)

    # The log and the cache

    def append(
        self,
        match_id: int,
        seen: int,
        rows: Sequence[LogRow],
        *,
        finished: Sequence[RoundRow] = (),
        reopened: int | None = None,
        summary: Plain = None,
        fingerprint: str | None = None,
    ) -> int:
        """Write rows after position `seen`, see `Store.append`."""
        written = stamped(rows, seen)
        last = seen + len(written)
        check_rounds(finished, last)
        cached = [tables.round_values(match_id, row) for row in finished]
        told = None if summary is None else as_json(summary)
        with self.batch() as connection:
            match = tables.match_values(connection, self.path, match_id)
            tables.expect(connection, self.path, match, seen)
            tables.add_log(connection, match_id, written)
            if reopened is not None:
                tables.drop_rounds(connection, match_id, reopened)
            tables.put_rounds(connection, cached)
            after = match if told is None else match._replace(summary=told)
            if written:
                after = tables.touched(connection, after, written)
            if fingerprint is not None:
                after = after._replace(fingerprint=fingerprint)
            if written:
                tables.change_match(connection, match, after)
                self._wrote(Write(match_id, seen, written))
            else:
                self._changed(connection, match, after)
        return last

    def tail(self, match_id: int) -> Tail:
        """The last round that one can go on from, and the log since."""
        with self.database.reading() as connection:
            position = tables.match_values(connection, self.path, match_id).position
            cached = tables.last_round(connection, self.path, match_id)
            first = 1 if cached is None else cached.first_position or 1
            rows = tables.log_rows(connection, self.path, match_id, first, position)
            return Tail(cached, rows, position)

    def log(self, match_id: int, first: int = 1) -> list[LogRow]:
        """Everything that was ever recorded in a match, from position `first` on."""
        with self.database.reading() as connection:
            last = tables.match_values(connection, self.path, match_id).position
            return tables.log_rows(connection, self.path, match_id, first, last)

    def rounds(self, match_id: int, first: int = 1) -> list[RoundRow]:
        """The cached rounds in order, from that number on."""
        with self.database.reading() as connection:
            tables.match_values(connection, self.path, match_id)
            return tables.rounds(connection, self.path, match_id, first)

    def rounds_of(self, match_ids: Sequence[int]) -> dict[int, list[RoundRow]]:
        """The cached rounds of each of these matches, see `Store.rounds_of`."""
        with self.database.reading() as connection:
            return tables.rounds_of(connection, self.path, match_ids)

    def begun(self) -> list[tuple[str, str]]:
        """The day of each match and when it was begun, see `Store.begun`."""
        with self.database.reading() as connection:
            return tables.begun(connection)

    def position(self, match_id: int) -> int:
        """The last position in a match's log, 0 if it is empty."""
        with self.database.reading() as connection:
            return tables.match_values(connection, self.path, match_id).position
