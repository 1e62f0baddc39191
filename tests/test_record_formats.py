"""A record is written in the first format that can hold what it says, so that older versions read
it as long as they can; what it holds is read whichever format it names."""

from __future__ import annotations

import sqlite3
import tomllib
from pathlib import Path

import pytest

from scorekeeper import Match, Unreadable, load_ruleset, read_record, verify_record, write_record
from scorekeeper.store.record import record_text
from tests.helpers import match_of, program

TWO = ["Ana", "Ben"]
ROUND = ("Ana: 2x3", "Ben: dudo", "count 1")
NEWER = pytest.mark.parametrize("word", ["count", "doubt"])


@pytest.fixture
def came_later(monkeypatch: pytest.MonkeyPatch, word: str) -> str:
    """A word of dudo that came with the second format: one of the table, or an act that the game
    calls otherwise."""
    monkeypatch.setattr(load_ruleset("dudo").lexicon.verbs[word], "since", 2)
    return word


def written(match: Match) -> int:
    number: int = tomllib.loads(record_text(match))["format"]
    return number


def test_what_was_always_there_is_of_the_first_format() -> None:
    assert written(match_of("dudo", TWO, *ROUND)) == 1
    assert written(Match(load_ruleset("dudo"), TWO)) == 1


@NEWER
def test_an_entry_that_came_later_is_of_a_later_format(came_later: str) -> None:
    match = match_of("dudo", TWO, *ROUND)
    assert written(match) == 2
    match.undo()
    assert written(match) == (1 if came_later == "count" else 2)
    match.undo()
    assert written(match) == 1


@NEWER
def test_it_may_stand_in_any_round_and_with_any_decision(came_later: str) -> None:
    assert came_later
    match = match_of("dudo", TWO, *ROUND, "Ana: 2x4", "Ben: 2x5")
    assert written(match) == 2
    match = match_of("dudo", TWO, "Ana: 2x3", "Ana: dudo !withdrawn")
    assert written(match) == (2 if came_later == "doubt" else 1)


@NEWER
@pytest.mark.parametrize("text", ["note count 1", "note Ben: dudo", "note dudo"])
def test_a_note_about_it_is_none(came_later: str, text: str) -> None:
    assert came_later
    assert written(match_of("dudo", TWO, "Ana: 2x3", text)) == 1


@NEWER
def test_where_nothing_of_it_can_be_read_the_first_format_is_enough(came_later: str) -> None:
    assert came_later
    match = Match(load_ruleset("dudo"), TWO)
    match.play_round(["Ana: 2x3", "count what", "Ben dudo"])
    assert match.rounds[0].stuck == 2
    assert written(match) == 1


@NEWER
def test_export_import_export_gives_the_same_bytes(
    came_later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert came_later
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "one.sqlite"))
    program("new", "dudo", *TWO)
    program("record", *ROUND)
    first = program("export").out
    assert first.startswith("format = 2\n")
    (tmp_path / "evening.toml").write_text(first, "utf-8")
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "two.sqlite"))
    assert program("import", str(tmp_path / "evening.toml")).code == 0
    assert program("export").out == first
    match = read_record(tmp_path / "evening.toml")
    write_record(match, tmp_path / "again.toml", started=tomllib.loads(first).get("started", ""))
    assert (tmp_path / "again.toml").read_text("utf-8") == first


@NEWER
@pytest.mark.parametrize("named", [1, 2])
def test_what_came_later_is_read_whichever_format_is_named(
    came_later: str, named: int, tmp_path: Path
) -> None:
    """By hand one writes `format = 1` from habit; nothing in it could be read otherwise."""
    assert came_later
    path = tmp_path / "evening.toml"
    text = record_text(match_of("dudo", TWO, *ROUND))
    path.write_text(text.replace("format = 2", f"format = {named}"), "utf-8")
    report = verify_record(path)
    assert (report["ok"], report["findings"]) == (True, [])
    assert read_record(path).rounds[0].entries == list(ROUND)


@NEWER
def test_a_match_saved_out_of_a_damaged_book_has_the_format_of_what_is_left(
    came_later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(book))
    program("new", "dudo", *TWO)
    program("record", *ROUND)
    connection = sqlite3.connect(book, isolation_level=None)
    for trigger in ("log_kept", "log_unchanged"):
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    connection.execute("DELETE FROM log WHERE position = 3")
    connection.close()
    program("check-book", "--book", str(book), "--save", str(tmp_path))
    saved = tomllib.loads((tmp_path / "match-1.toml").read_text("utf-8"))
    assert saved["format"] == (1 if came_later == "count" else 2)


FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SOLO = ("Ana: gesund", "Ben: gesund", "Cleo: damensolo", "Dan: gesund", "Cleo: AC")


@pytest.mark.parametrize(
    ("said", "format_"),
    [
        ((), 1),
        (("claim Ana: conduct Cleo minor",), 2),
        (("claim Ana: conduct Cleo", "weigh 6 none"), 2),
        (("Ana: AS !withdrawn", "waive all"), 2),
        (("Cleo: concede",), 2),
        (("Cleo: concede !withdrawn",), 2),
        (("note claim Ana: 5 minor",), 1),
        (("penalty Ben: minor",), 1),
    ],
)
def test_claims_weights_waivers_and_a_hand_over_came_later(
    said: tuple[str, ...], format_: int, tmp_path: Path
) -> None:
    match = match_of("doppelkopf-ddv", FOUR, *SOLO, *said)
    assert written(match) == format_
    write_record(match, tmp_path / "deal.toml")
    again = read_record(tmp_path / "deal.toml")
    assert record_text(again) == record_text(match)
    assert again.state == match.state


def test_where_a_ruleset_has_no_remedies_there_are_no_such_words() -> None:
    match = match_of("doppelkopf", FOUR, "all: gesund", "Ana: AC")
    for text in ("claim Ana: 2 minor", "weigh 2 minor", "waive all", "Ana: concede"):
        with pytest.raises(Unreadable):
            match.record(text)
    assert "faults" not in match.state
    assert written(match) == 1
