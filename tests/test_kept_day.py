"""The stored day of a match: the date where its players began it, the same for every reader."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
import time
import tomllib
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import read_record, verify_record
from scorekeeper.session.spectators import SpectatorMatch
from scorekeeper.store.book import Book
from scorekeeper.store.database import BACKUP_ID
from scorekeeper.store.integrity import book_contents, scan_book
from scorekeeper.store.record import RecordSource, record_text
from scorekeeper.store.recorder import MatchRecorder
from scorekeeper.store.rows import day_to_store
from scorekeeper.store.tables import BOOK_VERSIONS
from tests.helpers import program, unprivileged

if TYPE_CHECKING:
    from collections.abc import Iterator

EARLIER = Path(__file__).parent / "earlier"
AUCKLAND, LOS_ANGELES = "Pacific/Auckland", "America/Los_Angeles"
ZONES = (AUCKLAND, LOS_ANGELES)
STARTED = ["2026-11-20T10:30:00+00:00", "2026-11-21", "2026-11-20T23:30:00+01:00", "in May", "",
           "2026-11-21T20:15", "2026-11-22T00:15:30Z"]  # fmt: skip
DAYS = ["2026-11-20", "2026-11-21", "2026-11-20", "", "", "2026-11-21"]
# the local day of match 7, whose time is stored in UTC
LAST = {AUCKLAND: "2026-11-22", LOS_ANGELES: "2026-11-21"}


@contextmanager
def at(zone: str) -> Iterator[None]:
    """Set the local time zone."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TZ", zone)
        time.tzset()
        try:
            yield
        finally:
            patched.undo()
            time.tzset()


def older(path: Path) -> Path:
    """Write a book of schema 6 as the program of that time wrote it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((EARLIER / "book_6.sql").read_text("utf-8"))
    return path


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    monkeypatch.chdir(tmp_path)
    return path


def raw(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


def days(path: Path) -> list[str]:
    with Book(path, create=False) as opened:
        return [row.day for row in opened.matches()]


# --- a book of the previous schema


@pytest.mark.parametrize("zone", ZONES)
def test_a_book_of_schema_6_gets_the_days_by_the_clock_of_who_opens_it(
    book: Path, zone: str
) -> None:
    older(book)
    with at(zone), Book(book, create=False) as opened:
        rows = opened.matches()
        assert [row.started for row in rows] == STARTED
        assert [row.day for row in rows] == [*DAYS, LAST[zone]]
        assert [len(opened.log(row.id)) for row in rows] == [3, 1, 0, 0, 0, 0, 3]
    assert raw(book, "PRAGMA user_version") == [(BOOK_VERSIONS.current,)]
    assert book_contents(str(book)).faults == []
    for other in ZONES:  # the stored day is the same in every time zone
        with at(other):
            assert days(book) == [*DAYS, LAST[zone]]
            told = raw(book, "SELECT match, date FROM matches ORDER BY match")
            assert [date or "" for _, date in told] == [*DAYS, LAST[zone]]


def test_one_that_may_only_be_read_is_told_with_days_and_stays_as_it_is() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = older(Path(folder) / "book.sqlite")
        path.chmod(0o444)
        before = path.read_bytes()
        with at(AUCKLAND), unprivileged():
            assert days(path) == [*DAYS, LAST[AUCKLAND]]
        assert path.read_bytes() == before


def test_it_is_backed_up_restored_checked_and_rescued(book: Path, tmp_path: Path) -> None:
    with at(AUCKLAND):
        older(book)
        assert program("check-book").code == 0
        older(tmp_path / "copy.sqlite")
        raw(tmp_path / "copy.sqlite", f"PRAGMA application_id = {BACKUP_ID}")
        new = str(tmp_path / "new.sqlite")
        assert program("restore", "copy.sqlite", "--book", new).code == 0
        assert program("backup", "again.sqlite", "--book", new).code == 0
        assert days(tmp_path / "again.sqlite") == [*DAYS, LAST[AUCKLAND]]
        torn = older(tmp_path / "torn.sqlite")
        raw(torn, "UPDATE kept_matches SET place = 'inn' WHERE id = 1")
        answer = program("check-book", "--book", str(torn), "--save", str(tmp_path / "saved"))
        assert answer.code == 3
        found = {each.match: each for each in scan_book(str(torn))}
        assert found[1].faults  # a row that was damaged before is still damaged
        assert not any(found[number].faults for number in range(2, 8))
        assert tomllib.loads(found[7].record or "")["day"] == LAST[AUCKLAND]


def test_a_row_that_is_no_text_hinders_no_other(book: Path) -> None:
    older(book)
    raw(book, "UPDATE kept_matches SET title = CAST(x'ff' AS TEXT) WHERE id = 2")
    with at(AUCKLAND), Book(book, create=False) as opened:
        assert opened.match(7).day == LAST[AUCKLAND]
    assert raw(book, "SELECT day FROM kept_matches WHERE id = 2") == [("",)]


# --- readers in different time zones


def without_minutes(text: str) -> str:
    """Return a text with dates but without times of day, which depend on the reader's clock."""
    return re.sub(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d| {5})", r"\1", text)


def told(path: Path) -> list[str]:
    """Return the output of all commands that show days of a book's matches."""
    commands = [
        ("matches",), ("matches", "--format", "json"), ("describe", "--format", "json"),
        *(("export", "--all", "--format", each)
          for each in ("json", "jsonl", "csv", "scores-csv", "matches-csv")),
        *(("stats", "--format", each) for each in ("text", "json", "csv", "html")),
        *(("league", "--format", each) for each in ("text", "json", "csv", "html")),
        *(("sheet", "--match", "7", "--format", each) for each in ("text", "json")),
        *(("export", "--since", day, "--until", day, "--format", "jsonl") for day in LAST.values()),
        ("export", "7"), ("matches", "--format", "text"),
    ]  # fmt: skip
    found = []
    for command in commands:
        answer = program(*command)
        assert answer.code == 0, (command, answer.err)
        found.append(without_minutes(answer.out))
    with Book(path) as opened:
        found.append(without_minutes(str(SpectatorMatch(MatchRecorder(opened, 7)).scene().details)))
    found += map(str, raw(path, "SELECT match, date FROM matches ORDER BY date, match"))
    return found


def test_what_is_told_is_the_same_wherever_one_looks(book: Path) -> None:
    older(book)
    with at(AUCKLAND):
        here = told(book)
    with at(LOS_ANGELES):
        assert told(book) == here
    assert "   7  2026-11-22  " in here[0]
    with at(AUCKLAND):  # in this zone match 7 is on that day
        assert re.search(r"   7  2026-11-22 \d\d:\d\d  ", program("matches").out)
    with at(LOS_ANGELES):
        assert "   7  2026-11-22        " in program("matches").out
    assert LAST[LOS_ANGELES] not in program("sheet", "--match", "7").out


# --- the day of a match, entered and corrected


def test_a_match_that_begins_now_has_the_day_of_its_people(book: Path) -> None:
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # two zones that never share a date
        with at(zone):
            assert program("new", "dudo", "Ana", "Ben").code == 0
    one, other = days(book)
    assert one > other
    (listed, _) = program("matches", "--format", "json").data
    assert listed["day"] == one


def test_a_date_that_is_put_right_takes_the_day_along(book: Path) -> None:
    program("new", "dudo", "Ana", "Ben")
    for date, day in (
        ("2026-11-19", "2026-11-19"),
        ("2026-11-18 20:15", "2026-11-18"),
        ("2026-11-17T23:30:00+01:00", "2026-11-17"),
        ("2026-11-17T11:30:00+00:00", "2026-11-18"),
        ("", ""),
    ):
        with at(AUCKLAND):
            data = program("describe", "--date", date, "--format", "json").data
        assert data["day"] == day
        assert days(book) == [day]


@pytest.mark.parametrize(
    ("started", "day", "kept"),
    [
        ("2026-11-20T10:30:00Z", "2026-11-21", "2026-11-21"),
        ("2026-11-20T10:30:00Z", "2026-11-25", "2026-11-20"),  # no zone has that day at this moment
        ("2026-11-20T10:30:00Z", "", "2026-11-20"),
        ("2026-11-20", "2026-11-25", "2026-11-20"),
        ("2026-11-20T23:30:00+01:00", "2026-11-21", "2026-11-20"),
        ("9999-99-99T10:30:00Z", "", ""),
        ("in May", "2026-05-02", "2026-05-02"),
        ("", "2026-05-02", "2026-05-02"),
        ("in May", "tomorrow", ""),
    ],
)
def test_a_day_agrees_with_when_the_match_began(started: str, day: str, kept: str) -> None:
    with at(AUCKLAND):
        assert day_to_store(started, day) == kept


# --- records


def test_a_record_of_the_second_format_is_read_and_written_in_the_third(book: Path) -> None:
    old = EARLIER / "record_2.toml"
    assert verify_record(old)["ok"]
    with at(AUCKLAND):
        source = RecordSource(old)
        assert ("day" in source.details, source.day) == (False, "2026-11-20")
        match = source.play()
        text = record_text(match, **source.details)
        written = old.read_text("utf-8")
        # The hash is that of the rules as they are now.
        for before, after in (
            ("format = 2", "format = 3"),
            ('+00:00"\n', '+00:00"\nday = "2026-11-20"\n'),
            (tomllib.loads(written)["ruleset_sha256"], match.ruleset.sha256),
        ):
            assert written.count(before) == 1
            written = written.replace(before, after)
        assert text == written
        assert program("import", str(old)).code == 0
        assert program("export").out == text
    assert read_record(old).scores == {"Ana": 4, "Ben": 5}


def test_a_record_and_json_carry_the_day_to_another_zone(book: Path, tmp_path: Path) -> None:
    older(book)
    with at(AUCKLAND):
        program("export", "--all", "--to", "records")
        program("export", "--all", "--format", "json", "--to", "all.json")
    for name in ("records", "all.json"):
        other = tmp_path / f"{name}.sqlite"
        with at(LOS_ANGELES):
            assert program("import", name, "--book", str(other)).code == 0
            assert sorted(days(other)) == sorted([*DAYS, LAST[AUCKLAND]])
            again = program("import", name, "--book", str(other))
            assert "7 already in the book" in again.out


def test_a_record_puts_the_day_right_and_one_without_it_leaves_it(book: Path) -> None:
    older(book)
    with at(AUCKLAND):
        program("export", "7", "--to", "seven.toml")
    record = Path("seven.toml")
    text = record.read_text("utf-8")
    with at(LOS_ANGELES):
        record.write_text(text.replace('day = "2026-11-22"\n', ""), "utf-8")
        assert program("import", "seven.toml", "--replace").err == ""
        assert days(book)[-1] == "2026-11-22"
        edited = text.replace('day = "2026-11-22"', "day = 2026-11-21")
        # a different day alone does not make it a different match
        record.write_text(edited, "utf-8")
        assert "is already match 7" in program("import", "seven.toml").out
        record.write_text(edited.replace("1x2", "1x3"), "utf-8")
        answer = program("import", "seven.toml", "--replace")
        assert answer.err == "  day: changed from “2026-11-22” to “2026-11-21”\n"
        assert days(book)[-1] == "2026-11-21"
        moved = text.replace("2026-11-22T00:15:30Z", "2026-11-25T00:15:30Z")
        record.write_text(moved.replace('day = "2026-11-22"', 'day = "2026-11-25"'), "utf-8")
        answer = program("import", "seven.toml", "--replace")
        assert answer.err.count("changed from") == 1
        assert days(book)[-1] == "2026-11-25"
        record.write_text(text.replace('day = "2026-11-22"', 'day = "tomorrow"'), "utf-8")
        answer = program("import", "seven.toml")
        assert (answer.code, "“tomorrow” is not a date" in answer.err) == (2, True)
