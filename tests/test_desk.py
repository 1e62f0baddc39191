"""A match in a book: recording, correcting, several people at once, records in and out."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Impossible, Locked, Match, Unreadable, load_ruleset
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.record import read_record, record_text
from scorekeeper.store.recorder import MatchRecorder, begin_match

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ["Ana", "Ben", "Cleo"]
ROUND_ONE = ["Ana: 3x4", "Ben: 4x4", "Cleo: dudo", "count 3"]
ROUND_TWO = ["Ben: 2x6", "Cleo: 3x6", "Ana: calzo", "count 3"]


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book(str(tmp_path / "book.sqlite")) as opened:
        yield opened


@pytest.fixture
def desk(book: Book) -> MatchRecorder:
    return begin_match(book, load_ruleset("dudo"), NAMES)


def texts(desk: MatchRecorder) -> list[list[str]]:
    return [played.entries for played in desk.full_match().rounds]


def test_what_was_recorded_is_there_when_it_is_opened_again(
    book: Book, desk: MatchRecorder
) -> None:
    desk.record([*ROUND_ONE, *ROUND_TWO])
    again = MatchRecorder(book, desk.id)
    assert texts(again) == [ROUND_ONE, ROUND_TWO]
    assert again.match.scores == {"Ana": 5, "Ben": 4, "Cleo": 5}
    assert again.match.to_act == ["Ana"]


def test_only_the_live_round_is_loaded(book: Book, desk: MatchRecorder) -> None:
    for _ in range(3):
        desk.record(["result gainer=Ana"])
    desk.record(["Ana: 1x2"])
    again = MatchRecorder(book, desk.id)
    assert [played.number for played in again.match.rounds] == [4]


def test_a_refused_entry_is_not_written_and_the_others_are(desk: MatchRecorder) -> None:
    recorded = desk.record(["Ana: 3x4", "Ben: 2x4", "Ben: 4x4"])
    assert [ruling.verdict for ruling in recorded.rulings] == ["legal", "illegal", "legal"]
    assert texts(desk) == [["Ana: 3x4", "Ben: 4x4"]]


def test_what_came_before_an_unreadable_entry_is_kept(desk: MatchRecorder) -> None:
    recorded = desk.record(["Ana: 3x4", "Ben: 4x9", "Ben: 4x4"])
    assert isinstance(recorded.failure, Unreadable)
    assert [ruling.entry for ruling in recorded.rulings] == ["Ana: 3x4"]
    assert texts(desk) == [["Ana: 3x4"]]


def test_an_illegal_entry_that_stands_counts_and_a_withdrawn_one_does_not(
    desk: MatchRecorder,
) -> None:
    desk.record(["Ana: 3x4", "Ben: 2x4 !withdrawn"])
    assert desk.match.to_act == ["Ben"]
    desk.record(["Ben: 2x4 !stands"])
    assert desk.match.to_act == ["Cleo"]


def test_undo_goes_all_the_way_back_across_rounds(book: Book, desk: MatchRecorder) -> None:
    entries = [*ROUND_ONE, *ROUND_TWO]
    desk.record(entries)
    taken = []
    for _ in entries:
        taken.append(desk.undo())
        assert texts(MatchRecorder(book, desk.id)) == texts(desk)
    assert taken == entries[::-1]
    with pytest.raises(Impossible):
        desk.undo()
    assert desk.match.scores == {"Ana": 5, "Ben": 5, "Cleo": 5}
    assert [row.kind for row in book.log(desk.id)] == ["entry"] * 8 + ["undo"] * 8


def test_after_an_undo_across_rounds_the_match_goes_on(book: Book, desk: MatchRecorder) -> None:
    desk.record([*ROUND_ONE, "Ben: 2x6"])
    desk.undo()
    desk.undo()
    desk.record(["count 4", "Cleo: 2x2"])
    assert texts(MatchRecorder(book, desk.id)) == [[*ROUND_ONE[:3], "count 4"], ["Cleo: 2x2"]]


def test_an_amended_entry_counts_as_if_it_had_been_typed_so(
    book: Book, desk: MatchRecorder
) -> None:
    desk.record([*ROUND_ONE, *ROUND_TWO])
    assert desk.amend(1, 4, "count 2").invalid == []
    typed = Match(load_ruleset("dudo"), NAMES)
    for entry in [*ROUND_ONE[:3], "count 2"]:
        typed.record(entry)
    assert desk.full_match().rounds[0].scores == typed.rounds[0].scores
    assert MatchRecorder(book, desk.id).match.scores == desk.full_match().scores


def test_what_no_longer_stands_is_listed_before_anything_is_saved(desk: MatchRecorder) -> None:
    desk.record(ROUND_ONE)
    found = desk.amend(1, 1, "Ana: 6x4", confirm=lambda account: not account.invalid)
    assert [(row.round, row.number, row.entry) for row in found.invalid] == [(1, 2, "Ben: 4x4")]
    assert texts(desk) == [ROUND_ONE]


def test_an_entry_that_there_is_not_cannot_be_amended(desk: MatchRecorder) -> None:
    desk.record(ROUND_ONE)
    for number, entry in ((1, 5), (2, 1), (1, 0)):
        with pytest.raises(Impossible):
            desk.amend(number, entry, "count 4")


def test_the_later_recorder_is_told_what_came_between_and_judged_anew(book: Book) -> None:
    one = begin_match(book, load_ruleset("dudo"), NAMES)
    other = MatchRecorder(book, one.id)
    one.record(["Ana: 3x4"])
    recorded = other.record(["Ben: 4x4"])
    assert [row.text for row in recorded.other_rows] == ["Ana: 3x4"]
    assert [ruling.verdict for ruling in recorded.rulings] == ["legal"]
    late = one.record(["Ben: 5x4"])
    assert [row.text for row in late.other_rows] == ["Ben: 4x4"]
    assert [finding.code for finding in late.rulings[0].findings] == ["turn"]


def test_undo_takes_back_what_another_recorder_entered_last(
    book: Book, desk: MatchRecorder
) -> None:
    other = MatchRecorder(book, desk.id)
    desk.record(["Ana: 3x4"])
    other.record(["Ben: 4x4"])
    assert desk.undo() == "Ben: 4x4"
    assert desk.match.to_act == ["Ben"]


RECORDER = """
import sys
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
with Book(sys.argv[1]) as book:
    desk = MatchRecorder(book, int(sys.argv[2]))
    for number in range(int(sys.argv[4])):
        desk.record([f"note {sys.argv[3]} {number}"])
"""


def test_two_processes_lose_and_double_nothing(tmp_path: Path) -> None:
    path, count = str(tmp_path / "book.sqlite"), 120
    with Book(path) as book:
        desk = begin_match(book, load_ruleset("dudo"), NAMES)
        desk.record(["Ana: 3x4"])
        command = [sys.executable, "-c", RECORDER, path, str(desk.id)]
        running = [subprocess.Popen([*command, who, str(count)]) for who in ("left", "right")]
        assert [process.wait() for process in running] == [0, 0]
        entries = texts(MatchRecorder(book, desk.id))[0][1:]
    for who in ("left", "right"):
        assert [e for e in entries if who in e] == [f"note {who} {n}" for n in range(count)]
    assert len(entries) == 2 * count


def test_a_match_goes_out_and_into_an_empty_book_unchanged(
    tmp_path: Path, desk: MatchRecorder
) -> None:
    desk.record(["note <script>alert(1)</script>", *ROUND_ONE, *ROUND_TWO, "end"])
    file = tmp_path / "evening.toml"
    file.write_text(record_text(desk.full_match(), place="=1+1"), "utf-8")
    match = read_record(file)
    with Book(str(tmp_path / "other.sqlite")) as other:
        match_id, known, _ = import_match(other, match, place="=1+1")
        assert not known
        again = MatchRecorder(other, match_id).full_match()
        assert record_text(again, place="=1+1") == file.read_text("utf-8")
        assert again.scores == desk.full_match().scores
        assert import_match(other, match, place="=1+1") == (match_id, True, [])
        MatchRecorder(other, match_id)


def test_a_result_is_written_with_full_names(desk: MatchRecorder) -> None:
    assert desk.record(["result loser=cl"]).rulings[0].entry == "result loser=Cleo"


def test_an_imported_match_goes_on(tmp_path: Path, book: Book, desk: MatchRecorder) -> None:
    desk.record([*ROUND_ONE, "Ben: 2x6"])
    with Book(str(tmp_path / "other.sqlite")) as other:
        match_id = import_match(other, desk.full_match()).match
        moved = MatchRecorder(other, match_id)
        moved.record(["Cleo: 3x6"])
        moved.undo()
        moved.undo()
        assert texts(moved) == [ROUND_ONE]


def test_what_could_not_be_stored_is_not_in_the_match_either(tmp_path: Path) -> None:
    path = str(tmp_path / "book.sqlite")
    with Book(path, wait=0.05) as book:
        desk = begin_match(book, load_ruleset("dudo"), NAMES)
        desk.record(ROUND_ONE)
        other = sqlite3.connect(path)
        other.execute("BEGIN IMMEDIATE")
        for attempt in (lambda: desk.record(["Ben: 2x6"]), desk.undo):
            with pytest.raises(Locked):
                attempt()
            assert [played.entries for played in desk.match.rounds] == [ROUND_ONE]
        other.rollback()
        desk.record(["Ben: 2x6"])
        assert texts(desk) == [ROUND_ONE, ["Ben: 2x6"]]


def test_in_a_line_nothing_bare_is_recorded_after_a_refusal(desk: MatchRecorder) -> None:
    recorded = desk.record(["Ana: 3x4", "Ben: 2x4", "4x4", "Cleo: 5x4"])
    assert [ruling.verdict for ruling in recorded.rulings] == ["legal", "illegal"]
    assert recorded.unassigned == ["4x4", "Cleo: 5x4"]
    assert texts(desk) == [["Ana: 3x4"]]
