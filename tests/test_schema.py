"""The book's second schema: what a book of the first becomes, and what vouches for its rows."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.core.failures import Damaged
from scorekeeper.store.book import Book
from scorekeeper.store.connection import APPLICATION_ID
from scorekeeper.store.protocol import LogRow, NewMatch, RoundRow, Rules
from scorekeeper.store.tables import COLUMNS, MIGRATIONS, MatchValues
from tests.helpers import unprivileged

if TYPE_CHECKING:
    pass

TEXT = "a = 1\n"
SHA = sha256(TEXT.encode()).hexdigest()


def first_book(path: Path) -> Path:
    """A book as version 1 left it: a match of four rows in two rounds, and an empty one."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    for step in MIGRATIONS[0]:
        assert isinstance(step, str)
        connection.execute(step)
    connection.execute("INSERT INTO rulesets VALUES (?, ?, ?)", (SHA, TEXT, '{"a":1}'))
    for number in (1, 2):
        connection.execute(
            """INSERT INTO matches (ruleset, sha, players, options, started, place, last, touched)
               VALUES ('cards', ?, '["Ana","Ben"]', '{}', '2024-05-01', NULL, 't', ?)""",
            (SHA, 3 - number),
        )
    rows = [("entry", 1, "a"), ("entry", 1, "b"), ("amend", 1, "B"), ("entry", 2, "c")]
    for position, (kind, number, text) in enumerate(rows, 1):
        connection.execute(
            "INSERT INTO log VALUES (1, ?, ?, ?, ?, ?, NULL, 't', 'ana@1')",
            (position, kind, number, position, text),
        )
    connection.execute("""INSERT INTO rounds VALUES (1, 2, 4, '{"Ana":5}', 'null')""")
    connection.execute("UPDATE matches SET entries = 3 WHERE id = 1")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return first_book(tmp_path / "book.sqlite")


def raw(path: Path, statement: str, *values: Any) -> list[Any]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return connection.execute(statement, values).fetchall()
    finally:
        connection.close()


def told(book: Book) -> tuple[Any, ...]:
    return book.matches(), book.match().id, book.log(1), book.rounds(1), book.rules(SHA).text


def test_a_book_of_the_first_schema_says_the_same_in_the_second(path: Path) -> None:
    with Book(path, create=False) as book:
        first, second = book.matches()
        assert (first.players, first.entries, first.language) == (["Ana", "Ben"], 3, "")
        assert (book.match().id, second.language) == (1, "")
        assert [row.kind for row in book.log(1)] == ["entry", "entry", "amend", "entry"]
        # What another program kept of finished rounds is not taken over: the log says it all.
        assert book.tail(1) == (None, book.log(1), 4)
        assert book.rules(SHA).data == {"a": 1}
        assert book.append(1, 4, [LogRow("undo", 2, 4, "c")]) == 5
    assert raw(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    for statement in ("DELETE FROM log", "UPDATE log SET text = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            raw(path, statement)


def test_a_migration_that_fails_leaves_the_first_book_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (MIGRATIONS[0], (*MIGRATIONS[1], "no SQL"))
    monkeypatch.setattr("scorekeeper.store.connection.MIGRATIONS", broken)
    with Book(path) as book, pytest.raises(Damaged, match="syntax error"):
        book.matches()
    assert raw(path, "PRAGMA user_version") == [(1,)]
    assert len(raw(path, "SELECT * FROM log")) == 4
    assert len(raw(path, "SELECT * FROM matches")[0]) == 11


def test_an_old_book_that_may_only_be_read_is_read_and_not_written() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        path = first_book(Path(folder) / "book.sqlite")
        path.chmod(0o444)
        before = path.read_bytes()
        with unprivileged(), Book(path) as book:
            assert [row.text for row in book.log(1)] == ["a", "b", "B", "c"]
            with pytest.raises(Damaged, match="read-only"):
                book.append(1, 4, [LogRow("entry", 2, 2, "d")])
            assert book.position(1) == 4
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rulesets SET text = 'a = 2\n'",
        """UPDATE rulesets SET data = '{"a":2}'""",
        "UPDATE rulesets SET data = '{'",
        "UPDATE matches SET place = CAST(x'ff' AS TEXT)",
        "UPDATE matches SET entries = 'three'",
    ],
)
def test_what_is_visibly_damaged_in_an_old_book_is_told(path: Path, statement: str) -> None:
    raw(path, statement)
    with Book(path) as book, pytest.raises(Damaged, match="is damaged"):
        told(book)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rulesets SET text = 'a = 2\n'",
        """UPDATE rulesets SET data = '{"a":2}'""",
        "UPDATE kept_matches SET started = '2024-05-02' WHERE id = 2",
        "UPDATE kept_matches SET touched = 9 WHERE id = 2",
        "UPDATE kept_matches SET players = CAST(players AS BLOB)",
        "UPDATE kept_matches SET position = 3 WHERE id = 1",
        """UPDATE kept_rounds SET standing = '{"Ana":4}'""",
        "UPDATE kept_rounds SET first_position = 3",
        "UPDATE log SET text = 'd' WHERE position = 4",
        "UPDATE log SET match = 2 WHERE position = 4",
        "UPDATE log SET decision = 'stands' WHERE position = 1",
        "DELETE FROM log WHERE position = 4",
        "DELETE FROM log WHERE position = 2",
        "DELETE FROM rulesets",
    ],
)
def test_a_row_that_was_changed_or_is_missing_is_noticed(path: Path, statement: str) -> None:
    with Book(path) as book:
        book.append(1, 4, [], finished=[RoundRow(2, 4, {"Ana": 5})])
        told(book)
    raw(path, "DROP TRIGGER log_unchanged")
    raw(path, "DROP TRIGGER log_kept")
    raw(path, statement)
    with Book(path) as book, pytest.raises(Damaged):
        told(book)


def test_what_is_kept_about_a_match_may_be_changed(path: Path) -> None:
    with Book(path) as book:
        before = book.match(1)
        book.describe(1, language="fr")
        book.describe(1)
        assert book.match(1) == before._replace(language="fr")
        told(book)
        book.describe(1, language="")
        assert book.match(1) == before
        rules = Rules(SHA, TEXT, {"a": 1})
        made = book.create(NewMatch("cards", rules, ["Ana"], {}, "t", None, "de"))
        assert book.match(made).language == "de"


def test_which_kinds_of_rows_there_are_is_for_the_program_to_say(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Book(path) as book:
        monkeypatch.setattr("scorekeeper.store.protocol.KINDS", ("entry", "other"))
        book.append(1, 4, [LogRow("other", 2, 1, "x")])
        assert book.log(1)[-1].kind == "other"
        with pytest.raises(ValueError, match="kind"):
            book.append(1, 5, [LogRow("undo", 2, 1, "x")])


def test_a_match_is_kept_in_the_order_that_its_checksum_covers() -> None:
    assert MatchValues._fields == tuple(COLUMNS["kept_matches"])
