"""The book's second schema: upgraded books of the first, and the checksums of their rows."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.core.errors import Damaged
from scorekeeper.core.versions import Versions
from scorekeeper.store.book import Book
from scorekeeper.store.integrity import book_contents, scan_book
from scorekeeper.store.rows import LogRow, NewMatch, RoundRow, RulesetText
from scorekeeper.store.tables import BOOK_VERSIONS, COLUMNS, MatchValues
from tests.helpers import unprivileged

if TYPE_CHECKING:
    from collections.abc import Callable

    Step = Callable[[sqlite3.Connection], sqlite3.Connection]

TEXT = "a = 1\n"
SHA = sha256(TEXT.encode()).hexdigest()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "book.sqlite")


def written(path: Path) -> Path:
    """Write a book with a match of four rows in two rounds, and an empty match."""
    rules = RulesetText(SHA, TEXT, {"a": 1})
    rows = [("entry", 1, "a"), ("entry", 1, "b"), ("amend", 1, "B"), ("entry", 2, "c")]
    with Book(path) as book:
        for _ in range(2):
            book.create(NewMatch("cards", rules, ["Ana", "Ben"], {}, "2024-05-01"))
        log = [LogRow(kind, number, 1, text) for kind, number, text in rows]
        book.append(1, 0, log)
    return path


def raw(path: Path, statement: str, *values: Any) -> list[Any]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return connection.execute(statement, values).fetchall()
    finally:
        connection.close()


def told(book: Book) -> tuple[Any, ...]:
    return book.matches(), book.match().id, book.log(1), book.rounds(1), book.ruleset_text(SHA).text


def test_a_book_says_what_was_written_and_never_changes_its_log(path: Path) -> None:
    with Book(path, create=False) as book:
        first, second = sorted(book.matches())
        assert (first.players, first.language) == (["Ana", "Ben"], "")
        assert (book.match().id, second.language) == (1, "")
        assert [row.kind for row in book.log(1)] == ["entry", "entry", "amend", "entry"]
        assert book.tail(1) == (None, book.log(1), 4)
        assert book.ruleset_text(SHA).data == {"a": 1}
        assert book.append(1, 4, [LogRow("undo", 2, 4, "c")]) == 5
    assert raw(path, "PRAGMA user_version") == [(BOOK_VERSIONS.current,)]
    for statement in ("DELETE FROM log", "UPDATE log SET text = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            raw(path, statement)


# --- another version

EARLIER = Path(__file__).parent / "earlier" / "book_7.sql"


def normalized_schema(path: Path) -> dict[str, str]:
    """Return the statements of a book's tables, views and triggers, without blanks and quotes."""
    rows = raw(path, "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL")
    return {name: "".join(sql.replace('"', "").split()) for name, sql in rows}


def test_a_book_of_schema_7_gets_other_names_of_columns_and_the_same_content(
    tmp_path: Path,
) -> None:
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    connection = sqlite3.connect(old)
    connection.executescript(EARLIER.read_text("utf-8"))
    connection.close()
    with Book(new) as book:
        assert book.matches() == []
    names = raw(old, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    contents = [raw(old, f"SELECT * FROM {name}") for (name,) in names if name != "marks"]
    marks = raw(old, "SELECT * FROM marks")
    players, entries = (raw(old, f"SELECT * FROM {view}") for view in ("players", "entries"))
    with Book(old, create=False) as book:
        assert [len(book.log(row.id)) for row in book.matches()] == [6, 1]
        assert book.has_pending_decision(2)
        assert book.aliases() == {"Cleo": "Kleo"}
        assert [row.entries_json != "" for row in book.rounds(1)] == [True, False]
        assert book.match().id == 2
    assert book_contents(str(old)).faults == []
    assert normalized_schema(old) == normalized_schema(new)
    found = [raw(old, f"SELECT * FROM {name}") for (name,) in names if name != "marks"]
    assert (found, raw(old, "SELECT * FROM pending_decisions")) == (contents, marks)
    assert raw(old, "SELECT * FROM players") == players
    assert raw(old, "SELECT * FROM entries") == entries


def test_a_book_of_schema_7_that_cannot_be_upgraded_is_rescued(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(EARLIER.read_text("utf-8"))
    connection.execute("DROP TABLE marks")
    connection.close()
    records = [found.record or "" for found in scan_book(str(path)) if found.match]
    assert [tomllib.loads(text)["ruleset"] for text in records] == ["dudo"] * 2
    assert "Ana: 2x3" in records[0]


def later(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Apply a made-up upgrade step, which adds a match's mood."""
    connection.execute("ALTER TABLE kept_matches ADD COLUMN mood TEXT NOT NULL DEFAULT 'merry'")
    return connection


def fails(connection: sqlite3.Connection) -> sqlite3.Connection:
    later(connection).execute("no SQL")
    return connection


def next_version(step: Step) -> Versions[sqlite3.Connection]:
    return Versions(BOOK_VERSIONS.current + 1, {BOOK_VERSIONS.current: step})


def test_a_book_of_an_earlier_version_is_brought_up_to_date(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.store.database.BOOK_VERSIONS", next_version(later))
    with Book(path) as book:
        assert [row.text for row in book.log(1)] == ["a", "b", "B", "c"]
    assert raw(path, "PRAGMA user_version") == [(BOOK_VERSIONS.current + 1,)]
    assert raw(path, "SELECT mood FROM kept_matches") == [("merry",), ("merry",)]
    assert raw(path, "SELECT count(*) FROM entries")


def test_a_step_that_fails_leaves_the_book_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr("scorekeeper.store.database.BOOK_VERSIONS", next_version(fails))
        with Book(path) as book, pytest.raises(Damaged, match="syntax error"):
            book.matches()
    assert path.read_bytes() == before
    with Book(path) as book:
        assert len(book.log(1)) == 4


def test_an_older_book_that_may_only_be_read_is_read_and_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scorekeeper.store.database.BOOK_VERSIONS", next_version(later))
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        with monkeypatch.context() as patched:
            patched.setattr("scorekeeper.store.database.BOOK_VERSIONS", BOOK_VERSIONS)
            path = written(Path(folder) / "book.sqlite")
        path.chmod(0o444)
        before = path.read_bytes()
        with unprivileged(), Book(path) as book:
            assert [row.text for row in book.log(1)] == ["a", "b", "B", "c"]
            with pytest.raises(Damaged, match="read-only"):
                book.append(1, 4, [LogRow("entry", 2, 2, "d")])
            assert book.position(1) == 4
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (BOOK_VERSIONS.first - 1, "by an early version of scorekeeper"),
        (99, "by a newer scorekeeper"),
    ],
)
def test_a_book_that_nobody_reads_says_so_and_stays_as_it_is(
    path: Path, version: int, said: str
) -> None:
    raw(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with Book(path) as book, pytest.raises(Damaged, match=said) as caught:
        book.matches()
    assert caught.value.hint
    assert path.read_bytes() == before


# --- damage


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rulesets SET text = 'a = 2\n'",
        """UPDATE rulesets SET data = '{"a":2}'""",
        "UPDATE kept_matches SET started = '2024-05-02' WHERE id = 2",
        "UPDATE kept_matches SET changed_seq = 9 WHERE id = 2",
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
        rules = RulesetText(SHA, TEXT, {"a": 1})
        made = book.create(NewMatch("cards", rules, ["Ana"], {}, "t", None, "de"))
        assert book.match(made).language == "de"


def test_which_kinds_of_rows_there_are_is_for_the_program_to_say(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Book(path) as book:
        monkeypatch.setattr("scorekeeper.store.rows.KINDS", ("entry", "other"))
        book.append(1, 4, [LogRow("other", 2, 1, "x")])
        assert book.log(1)[-1].kind == "other"
        with pytest.raises(ValueError, match="kind"):
            book.append(1, 5, [LogRow("undo", 2, 1, "x")])


def test_a_match_is_kept_in_the_order_that_its_checksum_covers() -> None:
    assert MatchValues._fields == tuple(COLUMNS["kept_matches"])
