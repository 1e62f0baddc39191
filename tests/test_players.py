"""Aliases of players: different spellings are shown as one name, and the log stays unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers import program

if TYPE_CHECKING:
    from pathlib import Path

LOST = ("lead Ana", "3x4", "Ben: dudo", "count 3")


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    program("new", "dudo", "Ana", "Ben", "--date", "2026-11-01")
    program("record", *LOST)
    program("new", "dudo", "Anna", "Ben", "--date", "2026-11-08")
    program("record", *(text.replace("Ana", "Anna") for text in LOST))


def people() -> dict[str, list[str]]:
    told = program("players", "list", "--format", "json").data
    return {one["name"]: one["spellings"] for one in told}


def test_two_spellings_are_told_as_one_wherever_history_is_read() -> None:
    assert people() == {"Ana": ["Ana"], "Anna": ["Anna"], "Ben": ["Ben"]}
    answer = program("players", "merge", "Anna", "Ana")
    assert (answer.code, answer.out) == (0, "Ana: 2 matches (written Anna)\n")
    assert "Anna" not in program("matches").out
    assert [row["players"] for row in program("matches", "--format", "json").data] == [
        ["Ana", "Ben"],
        ["Ana", "Ben"],
    ]
    (figures,) = program("stats", "--format", "json").data
    assert {row["name"]: row["played"] for row in figures["players"]} == {"Ana": 2, "Ben": 2}
    sheet = program("sheet").out
    assert "Ana" in sheet
    assert "Anna" not in sheet
    rows = program("export", "--format", "scores-csv").out.splitlines()[1:]
    assert {row.split(",")[5] for row in rows} == {"Ana", "Ben"}


def test_what_was_entered_stays_as_it_was_written() -> None:
    before = program("export").out, program("status", "--log").out, program("rulings").out
    assert program("players", "merge", "Anna", "Ana").code == 0
    assert program("players", "rename", "Ben", "Benjamin").code == 0
    assert (program("export").out, program("status", "--log").out, program("rulings").out) == before
    assert "Anna: 3x4" in program("export", "--format", "csv").out
    assert program("record", "lead Anna", "Anna: 2x2").code == 0
    assert program("verify", "2").code == 0


def test_a_name_like_a_suit_is_told_where_it_is_a_name_alone() -> None:
    program("new", "da-ban", "D", "H", "C", "S")
    assert program("record", "trump D", "master D", "result points=80").code == 0
    assert program("players", "rename", "D", "Dora").code == 0
    table = program("sheet", "--format", "json").data["tables"][0]
    assert table["columns"][-2:] == ["Dora+C", "H+S"]
    assert table["rows"][0][:3] == ["1", "Dora", "3D"]


def test_a_name_may_be_changed_again_and_taken_back() -> None:
    assert program("players", "rename", "Anna", "Anna Maria").code == 0
    assert program("players", "rename", "Anna Maria", "Annina").code == 0
    assert people() == {"Ana": ["Ana"], "Annina": ["Anna"], "Ben": ["Ben"]}
    answer = program("players", "forget", "Annina")
    assert answer.out == "Annina is shown under the original spellings again: Anna\n"
    assert people() == {"Ana": ["Ana"], "Anna": ["Anna"], "Ben": ["Ben"]}


def test_two_people_of_one_match_are_two() -> None:
    answer = program("players", "merge", "Ben", "Ana")
    assert answer.code == 2
    assert "Ana and Ben both play in match 1" in answer.err
    assert people() == {"Ana": ["Ana"], "Anna": ["Anna"], "Ben": ["Ben"]}


def test_a_later_match_of_both_is_told_as_it_was_written() -> None:
    program("players", "merge", "Anna", "Ana")
    program("new", "dudo", "Ana", "Anna")
    assert program("matches", "--format", "json").data[-1]["players"] == ["Ana", "Anna"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("rename", "Ana", "ben"), "another player is already called Ben"),
        (("rename", "Ana", "A:B"), "contains one of"),
        (("rename", "Ana", "\x1b[31m"), "control characters"),
        (("rename", "Bem", "Eva"), "no player in the book is called"),
        (("merge", "Ana"), "at least two names"),
        (("forget", "Zoe"), "no player in the book is called “Zoe”"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(command: tuple[str, ...], told: str) -> None:
    answer = program("players", *command)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert "try: " in answer.err or "name" in answer.err
    assert people() == {"Ana": ["Ana"], "Anna": ["Anna"], "Ben": ["Ben"]}


def test_who_came_later_is_a_person_too() -> None:
    assert program("record", "joins Eva after Ben", "lead Anna", "result loser=Anna").code == 0
    assert people()["Eva"] == ["Eva"]
    assert program("players", "rename", "Eva", "Evita").code == 0
    for command in ("matches", "sheet", "stats"):
        assert "Evita" in program(command).out, command
    answer = program("players", "merge", "Eva", "Ben")
    assert (answer.code, "both play in match 2" in answer.err) == (2, True)


def test_an_export_in_which_somebody_came_takes_the_place_of_its_match(tmp_path: Path) -> None:
    assert program("record", "joins Eva after Ben", "lead Anna", "result loser=Anna").code == 0
    path = tmp_path / "edited.toml"
    path.write_text(program("export", "2").out.replace("3x4", "3x5"), "utf-8")
    answer = program("import", str(path), "--replace")
    assert "match 2 was corrected" in answer.out, answer
    assert "is already match 2" in program("import", str(path)).out
    assert program("verify", "2").code == 0
