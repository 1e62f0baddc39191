"""The book: everything stored is there, complete and in order, whatever happens to the process."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.core.errors import Damaged, Locked, Unreadable
from scorekeeper.store.book import Book, default_path
from scorekeeper.store.database import APPLICATION_ID
from scorekeeper.store.rows import Conflict, LogRow, NewMatch, RoundRow, RulesetText
from scorekeeper.store.tables import BOOK_VERSIONS
from tests.helpers import unprivileged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent


def begin(book: Book, *, name: str = "cards", text: str = "a = 1", sha: str = "f00") -> int:
    options = {"x": [1, None]}
    new = NewMatch(name, RulesetText(sha, text), ["Ana", "Ben"], options, "2024-05-01", "home")
    return book.create(new)


def entry(text: str, round_: int = 1, number: int = 1, **more: Any) -> LogRow:
    return LogRow("entry", round_, number, text, **more)


def texts(rows: list[LogRow]) -> list[str]:
    return [row.text for row in rows]


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some" / "folder" / "book.sqlite"


@pytest.fixture
def book(path: Path) -> Iterator[Book]:
    with Book(path, wait=0.05) as book:
        yield book


# Matches


def test_a_match_comes_back_as_it_was_given(book: Book) -> None:
    row = book.match(begin(book))
    assert (row.id, row.ruleset, row.ruleset_sha) == (1, "cards", "f00")
    assert (row.players, row.options) == (["Ana", "Ben"], {"x": [1, None]})
    assert (row.started, row.place, row.entries, row.summary) == ("2024-05-01", "home", 0, None)
    assert book.ruleset_text("f00").text == "a = 1"


def test_a_rulesets_text_is_stored_once_and_never_under_anothers_sha(book: Book) -> None:
    begin(book)
    begin(book, name="the same under another name")
    assert [row.ruleset for row in book.matches()] == ["cards", "the same under another name"]
    with pytest.raises(ValueError, match="f00"):
        begin(book, text="a = 2")
    assert len(book.matches()) == 2
    with pytest.raises(Damaged, match="does not contain the ruleset"):
        book.ruleset_text("bad")


def test_the_latest_match_is_the_one_last_created_or_recorded_in(book: Book) -> None:
    first, second = begin(book), begin(book)
    assert book.match().id == second
    book.append(first, 0, [entry("a")])
    assert book.match().id == first
    book.append(second, 0, [], summary={"over": True})
    assert book.match().id == first


def test_the_list_of_matches_counts_entries_and_shows_the_summary(book: Book) -> None:
    match = begin(book)
    book.append(match, 0, [entry("a"), entry("b"), LogRow("undo", 1, 2, "", time="2024-05-02")])
    assert [(row.entries, row.last_time) for row in book.matches()] == [(2, "2024-05-02")]
    book.append(match, 3, [entry("c")], summary={"over": True})
    book.append(match, 4, [entry("d")])
    assert book.match(match).summary == {"over": True}


def test_a_match_that_is_not_there_is_refused_with_those_that_are(book: Book) -> None:
    with pytest.raises(Unreadable, match="there is no match yet") as failure:
        book.match()
    assert "scorekeeper new" in failure.value.hint
    begin(book)
    begin(book)
    for missing in (0, -1, 3, 10**30):
        for ask in (book.match, book.tail, book.log, book.rounds, book.position):
            with pytest.raises(Unreadable, match=f"no match {missing}") as failure:
                ask(missing)
            assert failure.value.hint == "use an existing number: 1, 2"
        with pytest.raises(Unreadable):
            book.append(missing, 0, [entry("a")])
    for _ in range(12):
        begin(book)
    with pytest.raises(Unreadable) as failure:
        book.match(99)
    assert failure.value.hint.startswith("use an existing number: 5, 6, 7")
    assert "scorekeeper matches" in failure.value.hint


# The log


def test_the_log_keeps_every_row_in_order_with_its_position(book: Book) -> None:
    match, other = begin(book), begin(book)
    rows = [
        entry("Ben: QC", 3, 7, decision="stands", recorder="ana@1", time="2024-05-01T20:00:00Z"),
        LogRow("amend", 2, 1, "Ben: QD", recorder="ben@2", time="t"),
        LogRow("undo", 3, 7, "", time="t"),
    ]
    assert book.append(match, 0, rows[:1]) == 1
    assert book.append(match, 1, rows[1:]) == 3
    assert book.append(other, 0, [entry("x")]) == 1
    assert book.log(match) == [row._replace(position=n) for n, row in enumerate(rows, 1)]
    assert texts(book.log(match, 2)) == ["Ben: QD", ""]
    assert book.position(match) == 3


def test_a_row_without_a_time_gets_one(book: Book) -> None:
    match = begin(book)
    book.append(match, 0, [entry("a")])
    (row,) = book.log(match)
    assert row.time.endswith("Z")
    assert book.match(match).last_time == row.time


def test_the_file_itself_refuses_to_change_or_erase_the_log(book: Book, path: Path) -> None:
    match = begin(book)
    book.append(match, 0, [entry("a")])
    connection = sqlite3.connect(path)
    for statement in ("DELETE FROM log", "UPDATE log SET text = 'b'"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(statement)
    connection.close()
    assert texts(book.log(match)) == ["a"]


@pytest.mark.parametrize(
    "text", ["", "a\0b", "\0", "♥10 Zoë 王 🃏", "'; DROP TABLE log; --", "\r\n"]
)
def test_any_text_comes_back_as_it_was(book: Book, text: str) -> None:
    match = begin(book, name=text)
    book.append(match, 0, [entry(text, decision=text, recorder=text)], summary=text)
    (row,) = book.log(match)
    assert (row.text, row.decision, row.recorder) == (text, text, text)
    assert (book.match(match).summary, book.match(match).ruleset) == (text, text)


def test_half_a_character_is_refused_before_anything_is_written(book: Book) -> None:
    match = begin(book)
    bad = "Ben: \ud800"
    attempts: tuple[Callable[[], object], ...] = (
        lambda: book.append(match, 0, [entry("fine"), entry(bad)]),
        lambda: book.append(match, 0, [entry("fine", recorder=bad)]),
        lambda: book.append(match, 0, [entry("fine")], summary={"a": bad}),
        lambda: book.append(match, 0, [entry("fine")], finished=[RoundRow(1, 1, {bad: 1})]),
        lambda: book.create(NewMatch("n", RulesetText("s", "t"), [bad], {}, "now")),
        lambda: book.create(NewMatch("n", RulesetText("s", bad), ["Ana"], {}, "now")),
    )
    for attempt in attempts:
        with pytest.raises(Unreadable, match=r"lone surrogate.*\\ud800"):
            attempt()
    assert book.position(match) == 0
    assert len(book.matches()) == 1


def test_a_wrong_kind_or_what_is_no_json_writes_nothing(book: Book) -> None:
    match = begin(book)
    with pytest.raises(ValueError, match="kind"):
        book.append(match, 0, [entry("a"), LogRow("erase", 1, 1, "a")])
    with pytest.raises(ValueError, match="JSON"):
        book.append(match, 0, [entry("a")], summary=float("nan"))
    with pytest.raises(OverflowError):
        book.append(match, 0, [entry("a"), entry("b", number=2**70)])
    assert book.log(match) == []


# Conflicts


def test_an_append_behind_what_stands_is_told_what_came_between(book: Book, path: Path) -> None:
    match = begin(book)
    seen = book.append(match, 0, [entry("a")])
    with Book(path) as second:
        second.append(match, seen, [entry("b"), entry("c")])
    late = RoundRow(1, 1, {"late": True})
    with pytest.raises(Conflict) as conflict:
        book.append(match, seen, [entry("late")], finished=[late], summary="late")
    assert texts(conflict.value.rows) == ["b", "c"]
    assert conflict.value.position == 3
    assert "2 entries" in conflict.value.message
    assert (texts(book.log(match)), book.rounds(match)) == (["a", "b", "c"], [])
    assert book.match(match).summary is None
    assert book.append(match, conflict.value.position, [entry("late")]) == 4


def test_an_append_ahead_of_what_stands_means_the_book_was_changed(book: Book) -> None:
    match = begin(book)
    with pytest.raises(
        Damaged, match="ends at position 0, although it was read up to position 5"
    ) as failure:
        book.append(match, 5, [entry("a")])
    assert not isinstance(failure.value, Conflict)
    assert book.position(match) == 0


def test_another_window_sees_that_something_was_written(book: Book, path: Path) -> None:
    match = begin(book)
    with Book(path, create=False) as window:
        before = window.database.data_version()
        assert window.database.data_version() == before
        book.append(match, 0, [entry("a")])
        assert window.database.data_version() != before
        assert window.position(match) == 1


RECORDER = """
import sys
from scorekeeper.store.book import Book
from scorekeeper.store.rows import Conflict, LogRow
path, name, count, reopen = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "True"
book = Book(path, wait=30)
seen = 0
for number in range(count):
    while True:
        try:
            seen = book.append(1, seen, [LogRow("entry", 1, number, name, recorder=name)])
            break
        except Conflict as conflict:
            assert [row.position for row in conflict.rows] == list(
                range(seen + 1, conflict.position + 1)
            )
            seen = conflict.position
    if reopen:
        book.close()
"""


@pytest.mark.parametrize(("count", "reopen"), [(300, False), (60, True)])
def test_two_recorders_lose_double_and_reorder_nothing(
    book: Book, path: Path, count: int, reopen: bool
) -> None:
    match = begin(book)
    book.close()
    both = [run(RECORDER, path, name, count, reopen) for name in ("ana", "ben")]
    assert [process.wait() for process in both] == [0, 0]
    rows = book.log(match)
    assert [row.position for row in rows] == list(range(1, 2 * count + 1))
    for name in ("ana", "ben"):
        assert [row.number for row in rows if row.recorder == name] == list(range(count))


CREATOR = """
import sys
from scorekeeper.store.book import Book
from scorekeeper.store.rows import NewMatch, RulesetText
with Book(sys.argv[1], wait=30) as book:
    print(book.create(NewMatch("cards", RulesetText("f00", "a = 1"), ["Ana"], {}, "now")))
"""


def test_several_processes_may_make_the_same_book_at_once(path: Path) -> None:
    processes = [run(CREATOR, path) for _ in range(6)]
    made = [process.communicate()[0].strip() for process in processes]
    assert sorted(made) == ["1", "2", "3", "4", "5", "6"]


# The cache of rounds


def test_the_tail_is_the_whole_log_until_a_round_is_cached(book: Book) -> None:
    match = begin(book)
    assert book.tail(match) == (None, [], 0)
    book.append(match, 0, [entry("a"), entry("b")])
    row, rows, position = book.tail(match)
    assert (row, texts(rows), position) == (None, ["a", "b"], 2)


def play_two_rounds(book: Book) -> int:
    match = begin(book)
    first = RoundRow(1, 1, {"Ana": 0}, {"Ana": 5})
    book.append(match, 0, [entry("a"), entry("b", number=2)])
    book.append(match, 2, [entry("c", number=3)], finished=[first, RoundRow(2, 4, {"Ana": 5})])
    return match


def test_the_tail_is_the_live_round_with_the_standing_before_it(book: Book) -> None:
    match = play_two_rounds(book)
    assert book.tail(match) == (RoundRow(2, 4, {"Ana": 5}, None), [], 3)
    book.append(match, 3, [entry("d", 2)])
    row, rows, position = book.tail(match)
    assert row is not None
    assert (row.number, texts(rows), position) == (2, ["d"], 4)
    assert [row.summary for row in book.rounds(match)] == [{"Ana": 5}, None]


def test_an_undo_across_a_rounds_boundary_reopens_the_round_before(book: Book) -> None:
    match = play_two_rounds(book)
    book.append(
        match,
        3,
        [LogRow("undo", 1, 3, "")],
        reopened=2,
        finished=[RoundRow(1, 1, {"Ana": 0})],
    )
    row, rows, _ = book.tail(match)
    assert row == RoundRow(1, 1, {"Ana": 0}, None)
    assert [row.kind for row in rows] == ["entry", "entry", "entry", "undo"]
    again = [RoundRow(1, 1, {"Ana": 0}, {"Ana": 7}), RoundRow(2, 6, {"Ana": 7})]
    book.append(match, 4, [entry("C", number=3)], finished=again)
    assert book.tail(match) == (again[1], [], 5)


def test_an_amended_old_round_renews_the_standings_after_it(book: Book) -> None:
    match = play_two_rounds(book)
    book.append(match, 3, [entry("d", 2)])
    amended = [RoundRow(1, 1, {"Ana": 0}, {"Ana": 9}), RoundRow(2, 4, {"Ana": 9})]
    book.append(match, 4, [LogRow("amend", 1, 2, "B")], reopened=2, finished=amended)
    row, rows, _ = book.tail(match)
    assert row == amended[1]
    live = [each for each in rows if each.round >= row.number]
    assert texts(live) == ["d"]
    assert texts(book.log(match)) == ["a", "b", "c", "d", "B"]


def test_the_cache_may_be_dropped_and_made_again_without_a_row(book: Book) -> None:
    match = play_two_rounds(book)
    cached = book.rounds(match)
    assert book.append(match, 3, [], reopened=1) == 3
    row, rows, _ = book.tail(match)
    assert (row, texts(rows)) == (None, ["a", "b", "c"])
    book.append(match, 3, [], finished=cached)
    assert book.rounds(match) == cached


def test_a_round_cannot_begin_after_what_was_written(book: Book) -> None:
    match = begin(book)
    for first in (0, 3):
        with pytest.raises(ValueError, match="cannot begin"):
            book.append(match, 0, [entry("a")], finished=[RoundRow(1, first, {})])
    assert book.position(match) == 0


# Batches


def test_a_batch_is_kept_whole_or_not_at_all(book: Book) -> None:
    def interrupted() -> None:
        with book.batch():
            book.append(begin(book), 0, [entry("a")])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert book.matches() == []
    with book.batch():
        match = begin(book)
        book.append(match, 0, [entry("a")])
        book.append(match, 1, [entry("b")])
    assert texts(book.log(match)) == ["a", "b"]


# Where it is


def test_the_environment_says_where_the_book_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("SCOREKEEPER_BOOK", "~/mine.sqlite")
    assert default_path() == "/somewhere/mine.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", "")
    assert default_path().endswith(os.path.join("scorekeeper", "book.sqlite"))


def test_nothing_is_made_before_it_is_needed_nor_for_reading(path: Path) -> None:
    with Book(path):
        pass
    with Book(path, create=False) as reader:
        assert reader.matches() == []
        assert reader.database.data_version() == 0
        for ask in (reader.match, reader.tail, reader.log, reader.position):
            with pytest.raises(Unreadable):
                ask(1)
        with pytest.raises(Damaged, match="there is no book"):
            begin(reader)
        assert not path.parent.exists()
        with Book(path) as book:
            begin(book)
        assert reader.match().id == 1


def test_where_there_is_no_book_an_empty_one_is_made_once_and_let_go(path: Path) -> None:
    reader = Book(path, create=False)
    with reader.database.reading() as first:
        assert reader.matches() == []
    with reader.database.reading() as again:
        assert again is first
    reader.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        first.execute("SELECT 1")
    assert reader.matches() == []


def test_an_empty_file_reads_as_empty_and_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "book"
    path.touch()
    with Book(path, create=False) as reader:
        assert reader.matches() == []
    assert path.stat().st_size == 0
    with Book(path) as book:
        assert begin(book) == 1


@pytest.mark.parametrize("name", ["a b?c#d%41.sqlite", ":memory:", "file:x?mode=ro", "Zoë 王"])
def test_a_books_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    with Book(tmp_path / name) as book:
        begin(book)
    assert (tmp_path / name).is_file()


def test_a_closed_book_opens_again(book: Book) -> None:
    match = begin(book)
    book.close()
    book.close()
    assert book.position(match) == 0


def test_the_file_is_durable_and_marked(book: Book, path: Path) -> None:
    begin(book)
    connection = sqlite3.connect(path)
    asked = ("journal_mode", "application_id", "user_version")
    told = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    connection.close()
    assert told == ["wal", APPLICATION_ID, BOOK_VERSIONS.current]
    with book.batch() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


# Failures


def refused(path: Path, *, create: bool = True) -> Damaged:
    """Return the failure of opening a book at that path. Check that the file there is unchanged."""
    before = path.read_bytes() if path.is_file() else None
    with Book(path, create=create, wait=0.05) as book:
        use = begin if create else Book.matches
        with pytest.raises(Damaged) as failure:
            use(book)
    assert failure.value.hint
    assert "\n" not in str(failure.value)
    if before is not None:
        assert path.read_bytes() == before
    return failure.value


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("content", [b"hello", b"format = 2\n" * 500, b"\0" * 4096])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes, create: bool) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    assert "is not a scorekeeper book" in refused(path, create=create).message


@pytest.mark.parametrize("statement", ["CREATE TABLE mine (a)", "PRAGMA application_id = 7"])
def test_somebody_elses_database(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.close()
    assert "is not a scorekeeper book" in refused(path).message


def test_a_book_of_a_newer_version(book: Book, path: Path) -> None:
    begin(book)
    book.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    failure = refused(path, create=False)
    assert "newer scorekeeper (its format version is 99" in failure.message
    assert "update" in failure.hint


def test_a_directory_or_a_device(tmp_path: Path) -> None:
    assert "is not a file" in refused(tmp_path).message
    assert "is not a file" in refused(Path(os.devnull)).message


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for below in ("file/book.sqlite", "file/folder/book.sqlite"):
        assert "cannot be opened" in refused(tmp_path / below).message


@pytest.fixture
def open_path() -> Iterator[Path]:
    """Provide a book with one match, in a folder that every user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = Path(folder) / "deep" / "book.sqlite"
        with Book(path) as book:
            begin(book)
        path.chmod(0o644)
        yield path


def test_a_folder_that_may_not_be_entered(open_path: Path) -> None:
    open_path.parent.chmod(0)
    for create in (True, False):
        with unprivileged(), pytest.raises(Damaged, match="cannot be opened") as failure:
            Book(open_path, create=create).match()
        assert "permission" in failure.value.hint
    open_path.parent.chmod(0o755)


def test_a_file_that_may_not_be_read(open_path: Path) -> None:
    open_path.chmod(0)
    with unprivileged(), pytest.raises(Damaged, match="cannot be opened"):
        Book(open_path, create=False).match()


def test_a_folder_in_which_nothing_may_be_made(open_path: Path) -> None:
    open_path.parent.chmod(0o555)
    for name in ("new.sqlite", "new/book.sqlite"):
        with unprivileged(), pytest.raises(Damaged, match="cannot be opened"):
            begin(Book(open_path.parent / name))
    with unprivileged(), pytest.raises(Damaged):
        begin(Book(open_path))
    open_path.parent.chmod(0o755)


def test_a_folder_in_which_nothing_may_be_made_has_a_book_to_read(open_path: Path) -> None:
    open_path.parent.chmod(0o555)
    with unprivileged():
        with Book(open_path, create=False) as book:
            assert [row.ruleset for row in book.matches()] == [book.match().ruleset]
        with pytest.raises(Damaged, match="read-only"):
            begin(Book(open_path))
    with Book(open_path) as writing:  # Entries that another process has just written are read too.
        begin(writing)
        with unprivileged(), Book(open_path, create=False) as book:
            assert len(book.matches()) == 2
    open_path.parent.chmod(0o755)


def test_a_book_that_was_copied_in_another_mode_is_written_ahead_again(path: Path) -> None:
    with Book(path) as book:
        begin(book)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    assert path.read_bytes()[18:20] == b"\1\1"
    with Book(path) as book:
        assert len(book.matches()) == 1
    assert path.read_bytes()[18:20] == b"\2\2"


def test_a_file_that_may_only_be_read(open_path: Path) -> None:
    open_path.chmod(0o444)
    open_path.parent.chmod(0o777)
    with unprivileged(), pytest.raises(Damaged, match="read-only"):
        begin(Book(open_path))
    with Book(open_path) as book:
        assert len(book.matches()) == 1


def test_a_book_that_stays_locked_can_be_read_and_not_written(book: Book, path: Path) -> None:
    match = begin(book)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Locked, match="in use by another process") as failure:
        book.append(match, 0, [entry("a")])
    assert not isinstance(failure.value, Conflict)
    assert failure.value.hint
    assert book.position(match) == 0
    other.execute("ROLLBACK")
    assert book.append(match, 0, [entry("a")]) == 1
    other.close()


def test_a_new_book_that_stays_locked(tmp_path: Path) -> None:
    path = tmp_path / "book"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Locked):
        begin(Book(path, wait=0.05))
    other.close()


class Clock:
    """A clock that moves only when the code sleeps. It runs an action at a given moment."""

    def __init__(self) -> None:
        self.now = 100.0
        self.at: dict[float, Callable[[], object]] = {}

    def monotonic(self) -> float:
        return self.now

    def monotonic_ns(self) -> int:
        return int(self.now * 1e9)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        for moment in [moment for moment in self.at if moment <= self.now]:
            self.at.pop(moment)()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("scorekeeper.store.database.time", clock)
    return clock


def making(path: Path) -> sqlite3.Connection:
    """Start another process that is still creating this book."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    return other


def test_a_new_book_that_another_makes_is_waited_for_until_the_deadline(
    tmp_path: Path, clock: Clock
) -> None:
    path = tmp_path / "book"
    other = making(path)
    with pytest.raises(Locked):
        begin(Book(path, wait=0.1))
    assert 100.1 < clock.now < 100.11
    other.close()


def test_a_new_book_that_another_makes_in_time_is_used(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "book"
    other = making(path)
    clock.at[100.08] = other.close
    assert begin(Book(path, wait=0.1)) == 1
    assert 100.08 <= clock.now < 100.1


def test_who_waited_for_a_book_to_open_waits_no_longer_to_write_in_it(
    book: Book, path: Path, clock: Clock
) -> None:
    """Check that one deadline holds for opening and writing together."""
    begin(book)
    book.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    writer = sqlite3.connect(path, isolation_level=None)

    def makes_way() -> None:
        other.close()
        writer.execute("BEGIN IMMEDIATE")

    clock.at[100.05] = makes_way
    with pytest.raises(Locked):
        begin(Book(path, wait=0.1))
    assert 100.1 < clock.now < 100.11
    writer.close()


def test_a_full_disk_leaves_everything_as_it_was(book: Book, path: Path) -> None:
    match = begin(book)
    book.append(match, 0, [entry("a")])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = path.with_name(path.name + "-wal").stat().st_size
    rows = [entry("x" * 5000, number=n) for n in range(20)]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 30_000, limits[1]))
    try:
        with pytest.raises(Damaged, match="nothing was changed") as failure:
            book.append(match, 1, rows, summary="x")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "has free space" in failure.value.hint
    assert texts(book.log(match)) == ["a"]
    assert book.append(match, 1, rows) == 21


def test_a_database_that_says_it_is_full(book: Book) -> None:
    match = begin(book)
    with book.batch() as connection:
        connection.execute("PRAGMA max_page_count = 20")
    rows = [entry("x" * 5000, number=n) for n in range(50)]
    with pytest.raises(Damaged, match="disk is full"):
        book.append(match, 0, rows)
    assert book.position(match) == 0


def test_damaged_pages_and_a_damaged_cache_are_told(book: Book, path: Path) -> None:
    match = begin(book)
    book.append(match, 0, [entry("x" * 100, number=n) for n in range(500)])
    with book.batch() as connection:
        connection.execute("UPDATE kept_matches SET summary = '{'")
    with pytest.raises(Damaged, match="is damaged"):
        book.match(match)
    book.close()
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(Damaged) as failure:
        book.log(match)
    assert failure.value.hint


def test_a_book_moved_away_while_open_takes_no_more_entries(book: Book, path: Path) -> None:
    match = begin(book)
    moved = path.with_name("moved")
    path.rename(moved)
    with pytest.raises(Damaged, match="moved or replaced"):
        book.append(match, 0, [entry("a")])
    moved.rename(path)
    assert book.append(match, 0, [entry("a")]) == 1


KILLED = """
import sys
from scorekeeper.store.book import Book
from scorekeeper.store.rows import LogRow
book = Book(sys.argv[1])
seen = 0
while True:
    rows = [LogRow("entry", 1, seen + n, "x" * 300) for n in range(3)]
    seen = book.append(1, seen, rows)
    print(seen, flush=True)
"""


def test_what_was_said_to_be_stored_survives_a_kill(book: Book, path: Path) -> None:
    match = begin(book)
    book.close()
    for _ in range(3):
        start = book.position(match)
        book.close()
        process = run(KILLED.replace("seen = 0", f"seen = {start}"), path)
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(20)]
        process.send_signal(signal.SIGKILL)
        told += [int(line) for line in process.communicate()[0].split("\n") if line]
        rows = book.log(match)
        assert len(rows) >= told[-1]
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        assert len(rows) % 3 == 0
