"""Writes that fail at the last moment: they are read back, reported, and never done twice."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from scorekeeper import load_ruleset, read_record
from scorekeeper.core.errors import Damaged, Locked
from scorekeeper.session.live import LiveMatch
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from scorekeeper.store.rows import LogRow, NewMatch, RoundRow, RulesetText, Store, UncertainWrite
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from sqlite3 import Connection

    from scorekeeper.core.types import JsonValue

DAMAGED = 3
NAMES = ["Ana", "Ben", "Cleo"]
NEW = NewMatch("cards", RulesetText("f00", "a = 1"), ["Ana", "Ben"], {}, "2024-05-01")
BEFORE, AFTER = "before", "after"


def io_error(code: int = sqlite3.SQLITE_IOERR) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


class Failing(sqlite3.Connection):
    """A connection whose next COMMIT of a write fails, before or after it took effect."""

    fails = ""
    code = sqlite3.SQLITE_IOERR

    def execute(self, sql: str, *given: JsonValue) -> sqlite3.Cursor:
        if sql == "BEGIN IMMEDIATE":
            self.writes = True
        if sql != "COMMIT" or not Failing.fails or not getattr(self, "writes", False):
            return super().execute(sql, *given)
        when, Failing.fails = Failing.fails, ""
        if when == AFTER:
            super().execute(sql)
        raise io_error(Failing.code)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Book]:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, factory=Failing, **k))
    monkeypatch.setattr(Failing, "fails", "")
    with Book(tmp_path / "book.sqlite", wait=0.05) as opened:
        opened.create(NEW)
        opened.append(1, 0, [entry("a")])
        yield opened


def entry(text: str) -> LogRow:
    return LogRow("entry", 1, 1, text, recorder="ana@1")


def begins(store: Store) -> None:
    assert store.create(NEW._replace(place="the inn")) == 2


def appends(store: Store) -> None:
    assert store.append(1, 1, [entry("b"), entry("c")], finished=[RoundRow(2, 4, {})]) == 3


def describes(store: Store) -> None:
    store.describe(1, language="fr")


def tells(store: Store) -> None:
    assert store.append(1, 1, [], summary={"over": True}) == 1


def does_it_all(store: Store) -> None:
    with store.batch():
        assert store.create(NEW) == 2
        assert store.append(2, 0, [entry("x")]) == 1
        store.describe(2, language="fr")


WRITES = (begins, appends, describes, tells, does_it_all)


def kept(store: Store) -> tuple[object, ...]:
    """Return all that a store contains, except for the times."""
    rows = [row._replace(last_time="") for row in store.matches()]
    logs = [[each._replace(time="") for each in store.log(row.id)] for row in rows]
    return rows, logs, [store.rounds(row.id) for row in rows]


@pytest.mark.parametrize("write", WRITES)
def test_what_was_kept_though_it_failed_is_recorded_and_once(
    book: Book, tmp_path: Path, write: Callable[[Store], None]
) -> None:
    with Book(tmp_path / "other.sqlite") as sound:
        sound.create(NEW)
        sound.append(1, 0, [entry("a")])
        write(sound)
        Failing.fails = AFTER
        write(book)
        assert not Failing.fails
        assert kept(book) == kept(sound)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL])
@pytest.mark.parametrize("write", WRITES)
def test_what_was_not_kept_is_told_and_may_be_written_again(
    book: Book, monkeypatch: pytest.MonkeyPatch, write: Callable[[Store], None], code: int
) -> None:
    before = kept(book)
    Failing.fails = BEFORE
    monkeypatch.setattr(Failing, "code", code)
    with pytest.raises(Damaged, match="nothing was changed") as failure:
        write(book)
    assert not isinstance(failure.value, UncertainWrite)
    assert kept(book) == before
    write(book)


@pytest.mark.parametrize("when", [BEFORE, AFTER])
@pytest.mark.parametrize("write", WRITES)
def test_what_cannot_be_read_back_is_not_known(
    book: Book, monkeypatch: pytest.MonkeyPatch, write: Callable[[Store], None], when: str
) -> None:
    before = kept(book)

    def broken(*given: object, **more: object) -> sqlite3.Connection:
        raise io_error()

    Failing.fails = when
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", broken)
        with pytest.raises(
            UncertainWrite, match="unknown whether this change was recorded"
        ) as failure:
            write(book)
    assert "before you try again" in failure.value.hint
    assert (kept(book) == before) is (when == BEFORE)


def test_who_was_only_kept_waiting_has_written_nothing(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Failing, "code", sqlite3.SQLITE_BUSY)
    Failing.fails = BEFORE
    with pytest.raises(Locked):
        appends(book)
    appends(book)


def test_what_somebody_else_wrote_at_that_place_is_not_ours(book: Book) -> None:
    class Overtaken(Book):
        def close(self) -> None:
            super().close()
            with Book(self.path) as other:
                other.append(1, 1, [entry("b")._replace(recorder="ben@2")])

    with Overtaken(book.path) as mine:
        mine.match(1)
        Failing.fails = BEFORE
        with pytest.raises(Damaged, match="nothing was changed"):
            mine.append(1, 1, [entry("b")])
        mine.close = lambda: None  # type: ignore[method-assign]
    assert [row.recorder for row in book.log(1)] == ["ana@1", "ben@2"]


def test_a_book_that_is_gone_cannot_say(book: Book, tmp_path: Path) -> None:
    class Moved(Book):
        def close(self) -> None:
            super().close()
            (tmp_path / "book.sqlite").rename(tmp_path / "elsewhere.sqlite")

    mine = Moved(book.path)
    mine.match(1)
    book.close()
    Failing.fails = AFTER
    with pytest.raises(UncertainWrite):
        appends(mine)
    assert not (tmp_path / "book.sqlite").exists()
    (tmp_path / "elsewhere.sqlite").rename(tmp_path / "book.sqlite")
    assert book.position(1) == 3


# --- desk, table and commands after a write with unknown outcome


class Doubtful(Book):
    """A store whose next write fails at its end, saved or not, and which then cannot be read for a
    while."""

    fails = ""
    blind = False

    @contextmanager
    def batch(self) -> Iterator[Connection]:
        nested, when = self.database.in_transaction, self.fails
        with super().batch() as connection:
            yield connection
            if when == BEFORE and not nested:
                self._fail()
        if when == AFTER and not nested:
            self._fail()

    def _fail(self) -> None:
        self.fails, self.blind = "", True
        raise UncertainWrite("it is not known whether this was recorded")

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
        with self.batch():
            return super().append(
                match_id, seen, rows,
                finished=finished, reopened=reopened, summary=summary, fingerprint=fingerprint,
            )  # fmt: skip

    def log(self, match_id: int, first: int = 1) -> list[LogRow]:
        self._look()
        return super().log(match_id, first)

    def position(self, match_id: int) -> int:
        self._look()
        return super().position(match_id)

    def _look(self) -> None:
        if self.blind:
            raise Damaged("it cannot be read")


@pytest.fixture
def store() -> Doubtful:
    return Doubtful(":memory:")


@pytest.fixture
def desk(store: Doubtful) -> MatchRecorder:
    desk = begin_match(store, load_ruleset("dudo"), NAMES)
    desk.record(["Ana: 3x4"])
    return desk


def texts(desk: MatchRecorder) -> list[str]:
    return [text for played in desk.match.rounds for text in played.entries]


@pytest.mark.parametrize("when", [BEFORE, AFTER])
@pytest.mark.parametrize(
    ("act", "then"),
    [
        (lambda desk: desk.record(["Ben: 4x4", "note so"]), ["Ana: 3x4", "Ben: 4x4", "note so"]),
        (lambda desk: desk.undo(), []),
        (lambda desk: desk.amend(1, 1, "Ana: 2x4"), ["Ana: 2x4"]),
    ],
)
def test_a_desk_goes_on_with_what_the_store_has(
    store: Doubtful,
    desk: MatchRecorder,
    act: Callable[[MatchRecorder], object],
    then: list[str],
    when: str,
) -> None:
    store.fails = when
    with pytest.raises(UncertainWrite):
        act(desk)
    assert texts(desk) == ["Ana: 3x4"]
    assert desk.resolve_last_write() == "unknown"
    with pytest.raises(Damaged):
        desk.record(["note once"])
    store.blind = False
    now = then if when == AFTER else ["Ana: 3x4"]
    assert desk.resolve_last_write() == ("recorded" if when == AFTER else "not recorded")
    assert texts(desk) == texts(MatchRecorder(store, desk.id)) == now
    desk.record(["note once"])
    assert texts(desk) == texts(MatchRecorder(store, desk.id)) == [*now, "note once"]


def test_a_desk_that_was_not_asked_sees_its_own_entry_as_news(
    store: Doubtful, desk: MatchRecorder
) -> None:
    store.fails = AFTER
    with pytest.raises(UncertainWrite):
        desk.record(["note once"])
    store.blind = False
    recorded = desk.record(["note twice"])
    assert [row.text for row in recorded.other_rows] == ["note once"]
    assert texts(desk) == ["Ana: 3x4", "note once", "note twice"]


@pytest.mark.parametrize(
    "act",
    [
        lambda desk: desk.undo(),
        lambda desk: desk.amend(1, 1, "Ana: 2x4"),
    ],
)
def test_a_correction_that_cannot_be_loaded_again_is_not_recorded(
    store: Doubtful,
    desk: MatchRecorder,
    monkeypatch: pytest.MonkeyPatch,
    act: Callable[[MatchRecorder], object],
) -> None:
    def broken(match_id: int) -> object:
        raise Damaged("it cannot be read")

    before = kept(store)
    with monkeypatch.context() as patch:
        patch.setattr(store, "tail", broken)
        with pytest.raises(Damaged):
            act(desk)
    assert (texts(desk), kept(store)) == (["Ana: 3x4"], before)
    desk.record(["note so"])
    assert texts(MatchRecorder(store, desk.id)) == ["Ana: 3x4", "note so"]


def test_a_batch_that_wrote_nothing_leaves_nothing_to_doubt(book: Book) -> None:
    def looks() -> None:
        with book.batch():
            assert book.position(1) == 1

    Failing.fails = BEFORE
    with pytest.raises(Damaged, match="nothing was changed"):
        looks()


def test_an_import_is_whole_or_not_there(book: Book, tmp_path: Path) -> None:
    record = tmp_path / "record.toml"
    record.write_text(
        'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n'
        '[[rounds]]\nentries = "Ana: 1x2"\n',
        "utf-8",
    )
    match = read_record(record)
    Failing.fails = BEFORE
    with pytest.raises(Damaged, match="nothing was changed"):
        import_match(book, match)
    assert len(book.matches()) == 1
    Failing.fails = AFTER
    assert import_match(book, match) == (2, False, [])
    assert import_match(book, match) == (2, True, [])


def told(table: LiveMatch) -> list[str]:
    return [event.text for event in table.log.events]


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_at_the_table_a_doubt_is_said_then_settled_and_nothing_is_entered_twice(
    store: Doubtful, desk: MatchRecorder, when: str
) -> None:
    table = LiveMatch(desk)
    store.fails = when
    assert table.enter("4x4, note so") == "note so"
    assert told(table)[-1].startswith("POSSIBLY NOT STORED, 4x4: it is not known")
    assert (table.uncertain, isinstance(table.store_error, UncertainWrite)) == ("4x4", True)
    assert table.enter("4x4") == "4x4"
    assert "still not known" in told(table)[-1]
    store.blind = False
    assert table.enter("4x4") == "4x4"
    word = "stored after all" if when == AFTER else "NOT stored"
    assert f"{word}: 4x4" in told(table)
    assert told(table)[-1] == "nothing was recorded; read the new messages first"
    assert table.uncertain == ""
    if when == BEFORE:
        assert table.enter("4x4") == ""
    assert texts(MatchRecorder(store, desk.id)) == ["Ana: 3x4", "Ben: 4x4"]


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_a_correction_in_doubt_is_settled_too(
    store: Doubtful, desk: MatchRecorder, when: str
) -> None:
    table = LiveMatch(desk)
    store.fails = when
    assert table.amend("amend 1.1 2x4 --yes") == ""
    assert told(table)[-1].startswith("POSSIBLY NOT STORED, amend 1.1 2x4 --yes")
    store.blind = False
    assert table.check_news()
    assert texts(desk) == (["Ana: 2x4"] if when == AFTER else ["Ana: 3x4"])
    store.fails = when
    table.undo()
    assert told(table)[-1].startswith("POSSIBLY NOT STORED, undo")
    store.blind = False
    table.undo()
    assert told(table)[-1].startswith("nothing was undone; read")
    assert len(desk.log()) == (3 if when == AFTER else 1)


@pytest.mark.parametrize("command", ["record", "table"])
def test_the_commands_say_what_is_not_known_and_read_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "dudo", "Ana", "Ben").code == 0

    def doubtful(desk: MatchRecorder, *given: object) -> object:
        raise UncertainWrite("it is not known whether this was recorded", "look")

    monkeypatch.setattr(MatchRecorder, "record", doubtful)
    answer = program(command, stdin="note one\nnote two\n")
    assert answer.code == DAMAGED
    said = answer.out + answer.err
    assert "not known" in said
    assert "note one" in said
    assert "not recorded: note one" not in said
    assert "NOT STORED" not in said.replace("POSSIBLY NOT STORED", "")
    assert "note two" not in said
