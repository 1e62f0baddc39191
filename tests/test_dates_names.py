"""A match's date, place, title and note: given at its beginning, corrected later, and stored."""

from __future__ import annotations

import sqlite3
import tomllib
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset, verify_record, write_record
from scorekeeper.session.live import Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
from tests.helpers import program

HOSTILE = "\x1b[31mred\u202e"


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "book.sqlite"


def begun(*options: str) -> None:
    answer = program("new", "dudo", "Ana", "Ben", *options)
    assert answer.code == 0, answer


def kept() -> dict[str, str]:
    said = program("describe", "--format", "json").data
    keys = ("started", "place", "match_title", "note")
    return {key: said[key] for key in keys if said.get(key)}


SAID = ("--date", "2026-11-20", "--title", "Friday", "--place", "inn", "--note", "late")
KEPT = {"started": "2026-11-20", "place": "inn", "match_title": "Friday", "note": "late"}


@pytest.mark.parametrize("later", [False, True])
def test_it_is_said_at_first_or_later_and_shown_everywhere(later: bool) -> None:
    begun(*(() if later else SAID))
    if later:
        assert program("describe", *SAID).code == 0
    assert kept() == KEPT
    told = program("describe").out
    for line in ("title: Friday", "started: 2026-11-20", "place: inn", "note: late"):
        assert f"{line}\n" in told
    assert "2026-11-20" in program("matches").out
    assert "(Friday)" in program("matches").out
    sheet = program("sheet").out
    for word in ("Friday", "2026-11-20", "inn", "late"):
        assert word in sheet
    (match,) = program("export", "--format", "json").data["matches"]
    assert {key: match[key] for key in KEPT} == KEPT
    text = program("export").out
    data = tomllib.loads(text)
    assert (data["format"], data["title"], data["note"]) == (3, "Friday", "late")
    Path("evening.toml").write_text(text, "utf-8")
    assert verify_record("evening.toml")["ok"]
    assert program("import", "evening.toml", "--book", "two.sqlite").code == 0
    assert program("export", "--book", "two.sqlite").out == text
    assert program("status", "--log").out == ""  # it is no entry


def test_what_is_not_said_stays_and_an_empty_text_takes_it_away() -> None:
    begun(*SAID)
    program("describe", "--place", "home")
    assert kept() == {**KEPT, "place": "home"}
    program("describe", "--title", "", "--note", "", "--place", "")
    assert kept() == {"started": "2026-11-20"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("2026-11-20", "2026-11-20"), ("2026-11-20 20:15", "2026-11-20T20:15"),
     ("2026-11-20T20:15:30", "2026-11-20T20:15:30"), (" 2026-11-20 ", "2026-11-20"), ("", "")],
)  # fmt: skip
def test_a_date_is_a_day_or_a_time_of_it(typed: str, meant: str) -> None:
    begun()
    assert program("describe", "--date", typed).code == 0
    assert program("describe", "--format", "json").data["started"] == meant


@pytest.mark.parametrize(
    "typed", ["yesterday", "2026-13-01", "20.11.2026", "2026-11-20T25:00", "\x1b[31m"]
)
def test_what_is_no_date_is_refused(typed: str) -> None:
    for command in (("describe",), ("new", "dudo", "Ana", "Ben")):
        begun()
        answer = program(*command, "--date", typed)
        assert (answer.code, answer.out) == (2, "")
        assert "is not a date" in answer.err
        assert "try: --date 2026-11-20" in answer.err
        assert "\x1b" not in answer.err


def test_texts_from_outside_steer_no_terminal_and_have_a_bound() -> None:
    begun("--title", HOSTILE, "--note", HOSTILE)
    for command in ("describe", "matches", "sheet"):
        out = program(command).out
        assert "\x1b" not in out
        assert "\u202e" not in out
    answer = program("describe", "--note", "x" * 1001)
    assert (answer.code, "--note is too long" in answer.err) == (2, True)


def test_a_record_file_is_only_read() -> None:
    begun(*SAID)
    program("export", "--to", "evening.toml")
    assert "title: Friday" in program("describe", "--match", "evening.toml").out
    answer = program("describe", "--match", "evening.toml", "--title", "x")
    assert (answer.code, "describe cannot change a record file" in answer.err) == (2, True)


def test_other_recorders_are_told(book: Path) -> None:
    begun()
    with Book(book) as store:
        session = Session([MatchRecorder(store, 1)])
        session.check_news()
        program("describe", *SAID)
        assert session.check_news()
        told = [event.text for event in session.current.log.events]
    for line in ("date: 2026-11-20", "place: inn", "title: Friday", "note: late"):
        assert f"the match's {line}" in told


def test_the_library_writes_them_too() -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    write_record(match, "evening.toml", started="2026-11-20", title="Friday", note="late")
    data = tomllib.loads(Path("evening.toml").read_text("utf-8"))
    assert (data["format"], data["title"], data["note"]) == (3, "Friday", "late")


def test_a_damaged_alias_is_told(book: Path) -> None:
    begun()
    program("players", "rename", "Ana", "Anna")
    connection = sqlite3.connect(book)
    connection.execute("UPDATE aliases SET name = 'Eva'")
    connection.commit()
    connection.close()
    assert program("matches").code == 3
    answer = program("check-book", "--book", str(book))
    assert answer.code == 3
    assert "the display name of “Ana” is damaged" in answer.out
    assert program("players", "forget", "Ana").code == 3
    assert program("record", "lead Ana", "3x4").code == 0


def test_a_match_that_is_erased_meanwhile_is_told_at_the_table(book: Path) -> None:
    begun()
    with Book(book) as store:
        session = Session([MatchRecorder(store, 1)])
        program("delete", "1", "--yes")
        assert session.check_news()
        assert "there is no match" in session.current.log.events[-1].text
