"""Several recorders on one book: each gets its turn, no entry is lost, and unsaved entries are
named."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import load_ruleset
from scorekeeper.core.errors import Locked
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parent.parent
RECORDERS, ENTRIES = 8, 12
LOCKED = 4


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    assert program("new", "dudo", "Ana", "Ben").code == 0
    return path


@pytest.fixture
def locked(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold the book's write lock as another process would."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    if other.in_transaction:
        other.execute("ROLLBACK")
    other.close()


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "scorekeeper", *arguments],
        cwd=ROOT, text=True, encoding="utf-8",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def log(path: Path) -> list[str]:
    with Book(path) as book:
        return [row.text for row in book.log(1)]


@pytest.mark.parametrize("command", ["record", "table"])
def test_eight_recorders_at_once_all_come_through(path: Path, command: str) -> None:
    notes = {who: [f"note {who} {n}" for n in range(ENTRIES)] for who in range(RECORDERS)}
    running = {who: started(command) for who in notes}
    for who, process in running.items():
        assert process.stdin is not None
        process.stdin.write("\n".join(notes[who]) + "\n")
        process.stdin.close()
        process.stdin = None
    for process in running.values():
        _, talk = process.communicate(timeout=120)
        assert process.returncode == 0, talk
    found = log(path)
    assert len(found) == RECORDERS * ENTRIES
    for who, own in notes.items():
        assert [text for text in found if f"note {who} " in text] == own


def test_eight_books_begun_at_once_are_one(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    running = [started("new", "dudo", "A", "B", "--book", str(path)) for _ in range(RECORDERS)]
    for process in running:
        _, talk = process.communicate(timeout=60)
        assert process.returncode == 0, talk
    with Book(path) as book:
        assert len(book.matches()) == RECORDERS


def test_who_is_overtaken_comes_through_the_second_time(path: Path) -> None:
    """Judge the second attempt inside the transaction, so that no other recorder can intervene."""
    with Book(path) as mine, Book(path) as others:
        desk, rival = MatchRecorder(mine, 1), MatchRecorder(others, 1)
        append = mine.append

        def overtaken(*given: object, **more: object) -> int:
            if not mine.database.in_transaction:
                rival.record(["note theirs"])
            return append(*given, **more)  # type: ignore[arg-type]

        mine.append = overtaken  # type: ignore[method-assign]
        for number in range(3):
            recorded = desk.record([f"note mine {number}"])
            assert [row.text for row in recorded.other_rows] == ["note theirs"]
    assert log(path) == [f"note {w}" for n in range(3) for w in ("theirs", f"mine {n}")]


@pytest.mark.parametrize("command", ["record", "table"])
def test_what_a_pipe_could_not_store_is_named_and_nothing_after_it_is_read(
    path: Path, locked: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("scorekeeper.cli.common.PIPE_LOCK_TIMEOUT", 0.3)
    answer = program(command, stdin="note one\nnote two\nnote three\n")
    said = answer.out + answer.err
    assert answer.code == LOCKED
    assert "note one" in said
    assert "in use by another process" in said
    assert "the lines after that were not read" in said or "; nothing after it" in said
    assert "two" not in said
    locked.execute("ROLLBACK")
    assert log(path) == []


def test_json_says_what_was_recorded_before_the_book_was_locked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = MatchRecorder.record

    def until_locked(desk: MatchRecorder, texts: list[str], *read: Callable[[str], str]) -> object:
        if texts == ["note two"]:
            raise Locked("the book is in use", "try again")
        return record(desk, texts, *read)

    monkeypatch.setattr(MatchRecorder, "record", until_locked)
    answer = program("record", "--format", "json", stdin="note one\nnote two\nnote three\n")
    assert (answer.code, [row["entry"] for row in answer.data]) == (LOCKED, ["note one"])
    assert "not recorded: note two; nothing after it was recorded either" in answer.err


def test_a_pipe_waits_longer_than_a_person(path: Path, locked: sqlite3.Connection) -> None:
    process = started("record")
    assert process.stdin is not None
    process.stdin.write("note patient\n")
    process.stdin.close()
    process.stdin = None
    time.sleep(6.5)
    locked.execute("ROLLBACK")
    process.communicate(timeout=60)
    assert (process.returncode, log(path)) == (0, ["note patient"])


def test_a_kill_leaves_whole_entries_and_a_whole_book(path: Path) -> None:
    chance = random.Random(3)
    stored = 0
    for _ in range(6):
        process = started("record")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"note {stored + n}\n" for n in range(2000)))
        process.stdin.flush()
        time.sleep(chance.random() * 0.6 + 0.3)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        found = log(path)
        assert found == [f"note {n}" for n in range(len(found))]
        stored = len(found)
    assert stored
    assert program("check-book").code == 0
    assert program("record", "note on").code == 0


def test_what_was_not_stored_is_not_in_the_match_when_it_is_tried_inside_a_transaction(
    path: Path,
) -> None:
    with Book(path) as book:
        desk = begin_match(book, load_ruleset("dudo"), ["Ana", "Ben"])
        desk.record(["Ana: 1x2"])
        with Book(path) as others:
            MatchRecorder(others, desk.id).record(["result loser=Ana", "Ana: 1x3"])
        with pytest.raises(Locked), desk._restoring_on_failure(), book.batch():
            desk.refresh()  # the live round is a different one now
            desk.match.record("Ben: 2x3")
            raise Locked("the book is in use")
        assert [played.entries for played in desk.match.rounds] == [["Ana: 1x2"]]
        desk.record(["Ben: 2x3"])
        assert [played.entries for played in MatchRecorder(book, desk.id).match.rounds] == [
            ["Ana: 1x3", "Ben: 2x3"]
        ]
