"""An evening entered by commands: late corrections, results, several matches, and moved records."""

from __future__ import annotations

import csv
import io
import sqlite3
from typing import TYPE_CHECKING

import pytest

from tests.helpers import Answer, program

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


def fine(*arguments: str, stdin: str = "") -> Answer:
    answer = program(*arguments, stdin=stdin)
    assert answer.code == 0, answer
    return answer


def evening() -> None:
    """Provide three matches: one typed with mistakes, one by results, one joined late."""
    fine("new", "dudo", "Ana", "Ben", "Cleo")
    wrong = program("record", "Bob: 2x2")
    assert wrong.code == 2
    assert "Bob" in wrong.err
    fine("record", "Ana: 2x2", "Ben: 3x2", "Cleo: 4x2", "Ana: 5x2", "Ben: 6x2", "Cleo: dudo",
         "count 6")  # fmt: skip
    fine("amend", "1.2", "Ben:", "3x3")
    fine("new", "dudo", "Dan", "Eva", "--place", "=1+1")
    fine("record", "note <script>alert(1)</script>")
    fine("record", "--result", stdin="Dan\n\n")
    fine("record", "result gainer=Eva")
    fine("new", "dudo", "Ana", "Fritz")
    fine("record", "hand Fritz: 2", "standing Ana: 4", "Ana: 2x2", "Fritz: dudo", "count 1")


def test_a_mistyped_bid_six_entries_back_is_put_right() -> None:
    evening()
    entries = fine("export", "1").out
    assert "Ben: 3x3" in entries
    assert "Ben: 3x2" not in entries
    assert "amended to: Ben: 3x3" in fine("status", "--match", "1", "--log").out


def test_an_amendment_that_breaks_later_entries_is_not_saved_without_a_word() -> None:
    evening()
    refused = program("amend", "1", "Ana:", "5x2", "--match", "1")
    assert refused.code == 1
    assert "1.2 Ben: 3x3 is no longer valid" in refused.out
    assert "Ana: 2x2" in fine("export", "1").out
    fine("amend", "1", "Ana:", "5x2", "--match", "1", "--yes")
    assert "Ana: 5x2" in fine("export", "1").out


def test_results_are_asked_for_field_by_field_and_can_be_wrong() -> None:
    evening()
    assert fine("score", "--match", "2", "--format", "json").data["scores"] == {"Dan": 4, "Eva": 5}
    nobody = program("record", "--result", "--match", "2", stdin="Nobody\n\n")
    assert nobody.code == 2
    cut = program("record", "--result", "--match", "2", stdin="Dan\n")
    assert cut.code == 2
    assert fine("score", "--match", "2", "--format", "json").data["scores"] == {"Dan": 4, "Eva": 5}


def test_a_player_who_joins_brings_his_dice() -> None:
    evening()
    scores = fine("score", "--match", "3", "--format", "json").data
    assert scores["scores"] == {"Ana": 3, "Fritz": 2}
    assert scores["rounds"][0]["scores"] == {"Ana": -1, "Fritz": 0}


def test_every_command_says_which_match_it_spoke_of() -> None:
    evening()
    for command in (["legal"], ["status"], ["score"], ["sheet"]):
        assert fine(*command, "--match", "1").err.startswith("match 1: "), command
        assert fine(*command).err.startswith("match 3: Dudo, Ana, Fritz"), command
    for command in (["record", "note so"], ["undo"]):
        assert fine(*command).err.startswith("match 3: "), command


def test_without_a_word_the_match_last_recorded_in_is_meant() -> None:
    evening()
    fine("record", "note so", "--match", "1")
    assert fine("status").err.startswith("match 1: ")


def test_the_evening_goes_into_an_empty_book_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening()
    folder = tmp_path / "out"
    fine("export", "--all", "--to", str(folder))
    records = sorted(folder.iterdir())
    assert [record.name for record in records] == ["match-1.toml", "match-2.toml", "match-3.toml"]
    figures = [fine("stats", "--format", "json").data, fine("matches", "--format", "json").data]
    fine("verify", *map(str, records))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "other.sqlite"))
    fine("import", *map(str, records))
    again = fine("import", *map(str, records)).out
    assert again == "3 records: 3 already in the book\n"
    assert fine("stats", "--format", "json").data == figures[0]
    keys = ("match", "ruleset", "players", "started", "place", "entries", "scores")
    told = fine("matches", "--format", "json").data
    for before, after in zip(figures[1], told, strict=True):
        assert {key: after[key] for key in keys if key != "entries"} == {
            key: before[key] for key in keys if key != "entries"
        }
    for number, record in enumerate(records, 1):
        assert fine("export", str(number)).out == record.read_text("utf-8")


def test_what_was_typed_is_harmless_on_the_sheet_and_in_a_spreadsheet(tmp_path: Path) -> None:
    evening()
    page = tmp_path / "sheet.html"
    fine("sheet", "--match", "2", "--format", "html", "--to", str(page))
    text = page.read_text("utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    rows = list(csv.reader(io.StringIO(fine("export", "2", "--format", "csv").out)))
    places = {row[rows[0].index("place")] for row in rows[1:]}
    assert places == {"'=1+1"}


def test_a_blank_sheet_needs_no_match() -> None:
    assert "Ana" in fine("sheet", "--blank", "dudo", "Ana", "Ben", "--rows", "5").out
    assert program("sheet", "Ana").code == 2
    assert program("sheet", "--blank", "dudo", "0").code == 2


def test_a_stake_says_who_pays_whom_and_nonsense_is_refused_in_one_line() -> None:
    fine("new", "hearts", "Ana", "Ben", "Cleo", "Dan")
    fine("record", "score Ana: 20 / Ben: 6")
    asked = ("sheet", "--stake", "0.10", "--format", "json")
    rows = fine(*asked).data["payments"]["rows"]
    assert {"from": "Ana", "to": "Ben", "amount": "0.20"} in rows
    assert fine("sheet", "--format", "json").data["payments"] is None
    for stake in ("-1", "0", "nan", "1e9", "ten"):
        refused = program("sheet", "--stake", stake)
        assert refused.code == 2
        assert f"“{stake}” is not a valid stake" in refused.err
    assert program("sheet", "--blank", "hearts", "--stake", "1").code == 2
    fine("new", "dudo", "Ana", "Ben")
    assert "is not paid in money" in program("sheet", "--stake", "1").err


def test_a_locked_book_is_exit_4_and_nothing_is_lost(book: Path) -> None:
    evening()
    other = sqlite3.connect(book)
    other.execute("BEGIN IMMEDIATE")
    locked = program("record", "note late", "--match", "3")
    assert locked.code == 4
    other.rollback()
    fine("record", "note late", "--match", "3")
    assert fine("export", "3").out.count("note late") == 1


def test_completion_offers_what_is_legal_now(monkeypatch: pytest.MonkeyPatch) -> None:
    fine("new", "dudo", "Ana", "Ben")
    fine("record", "Ana: 3x4")
    from scorekeeper.cli.common import complete_matches, complete_rulesets
    from scorekeeper.cli.play import complete_legal_entries

    assert complete_legal_entries(None, None, "Ben: d") == ["Ben: dudo"]
    assert complete_legal_entries(None, None, "Ana") == []
    assert complete_matches("") == [("1", "dudo: Ana, Ben")]
    assert ("dudo", "shipped") in complete_rulesets("du")
    monkeypatch.setenv("SCOREKEEPER_BOOK", "/")
    assert complete_legal_entries(None, None, "") == []
