"""A game that is no ruleset: offered by numbers, asked about once, and remembered by its name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers import Answer, program
from tests.terminal import Terminal

FIVE = ["Ana", "Ben", "Cleo", "Dan", "Eve"]
TARGET = ["--set", "match.wins=fewest", "--set", "match.ends=tally.most >= 100"]
# An evening: what is typed for each round, and who leaves before it.
EVENING = ["12 31 7 20 5", "8 0 14 3 22", "quits Ben", "4 11 6 30", "0 25 3 9", "41 2 17 30"]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = str(tmp_path / "book.sqlite")
    monkeypatch.setenv("SCOREKEEPER_BOOK", path)
    return path


@pytest.fixture
def env(book: str) -> dict[str, str]:
    return {"SCOREKEEPER_BOOK": book}


def new(*arguments: str) -> Answer:
    """Begin a match with an answer that is data."""
    return program("new", *arguments, "--format", "json")


def status() -> Answer:
    return program("status", "--format", "json")


# --- without a terminal


def test_a_name_that_is_no_ruleset_says_what_to_type(book: str) -> None:
    answer = program("new", "uno", "Ana", "Ben")
    assert answer.code == 2
    assert 'there is no ruleset "uno"' in answer.err
    typed = "scorekeeper new uno Ana Ben --set match.wins=fewest --set 'match.ends=rounds >= 10'"
    assert f"to record only the points: {typed}" in answer.err
    assert not Path(book).exists()


def test_what_it_says_to_type_begins_a_match_of_that_name(book: str) -> None:
    answer = new(
        "uno", "Ana", "Ben", "--set", "match.wins=fewest", "--set", "match.ends=rounds >= 2"
    )
    assert answer.data["ruleset"] == "uno"
    program("record", "12 30", "5 7")
    assert status().data["over"]
    assert "Ana won (Ana 17, Ben 37)" in program("status").out
    assert program("sheet").out.startswith("Uno\n")


def test_a_near_name_is_not_a_game_by_numbers(book: str) -> None:
    answer = program("new", "doppelkpf", *FIVE[:4], *TARGET)
    assert answer.code == 2
    assert 'did you mean "doppelkopf"?' in answer.err
    assert not Path(book).exists()


def test_a_near_name_may_be_insisted_on(book: str) -> None:
    answer = new("numbers", "Ana", "Ben", "--set", "name=darts", "--set", "match.wins=fewest")
    assert answer.data["ruleset"] == "darts"
    assert program("status").out.startswith("round 1")
    assert new("darts", "Ana", "Ben").data["ruleset"] == "darts"
    assert program("sheet").out.startswith("Darts\n")


def test_a_name_is_remembered_with_who_wins_and_the_end(book: str) -> None:
    new("Mau Mau", "Ana", "Ben", *TARGET)
    again = new("mau-mau", "Ana", "Ben", "Cleo")
    assert again.data["ruleset"] == "mau-mau"
    program("record", "12 30 7", "50 80 3")
    assert "the match is over: Cleo won (Ana 62, Ben 110, Cleo 10)" in program("status").out
    assert program("sheet").out.startswith("Mau Mau\n")


def test_what_is_remembered_may_be_changed_for_a_match(book: str) -> None:
    new("uno", "Ana", "Ben", *TARGET)
    new("uno", "Ana", "Ben", "--set", "match.ends=rounds >= 1")
    program("record", "1 2")
    assert "the match is over: Ana won" in program("status").out


def test_statistics_and_leagues_keep_games_apart(book: str) -> None:
    for game in ("uno", "qwirkle"):
        new(game, "Ana", "Ben", *TARGET)
        program("record", "12 100")
    listed = program("stats").out
    assert "Uno: 1 match, 1 round" in listed
    assert "Qwirkle: 1 match, 1 round" in listed
    assert "the points of uno and qwirkle cannot be compared" in program("league").err
    assert "Ana" in program("league", "--ruleset", "uno").out


def test_a_record_of_such_a_game_is_read_where_nobody_knows_it(
    book: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new("uno", "Ana", "Ben", *TARGET)
    program("record", "12 100")
    record = tmp_path / "uno.toml"
    program("export", "--to", str(record))
    assert program("verify", str(record)).code == 0
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "other.sqlite"))
    assert program("import", str(record)).code == 0
    assert "uno (over): Ana 12, Ben 100" in program("matches").out


# --- on a terminal


def test_a_terminal_asks_once_who_wins_and_when_it_ends(env: dict[str, str]) -> None:
    with Terminal("new", "Uno", "Ana", "Ben", env=env) as terminal:
        terminal.wait("“Uno” is not a ruleset. Record only the points? [Y/n]")
        terminal.press("enter")
        terminal.wait("Who wins: the player with the most or with the fewest points?")
        terminal.enter("f")
        terminal.wait("When does a match end?")
        terminal.enter("soon")
        terminal.wait("“soon” is neither points nor rounds")
        terminal.enter("2 rounds")
        terminal.wait("the numbers of Ana and Ben, in this order")
    with Terminal("new", "uno", "Ben", "Ana", env=env) as terminal:
        terminal.wait("the numbers of Ben and Ana, in this order")
    program("record", "5 7", "1 2")
    assert "the match is over: Ben won (Ben 6, Ana 9)" in program("status").out


def test_a_terminal_asks_first_whether_a_near_name_was_meant(env: dict[str, str]) -> None:
    with Terminal("new", "doppelkpf", *FIVE[:4], env=env) as terminal:
        terminal.wait("Did you mean doppelkopf? [Y/n]")
        terminal.press("enter")
        terminal.wait("match 1: Doppelkopf")
    with Terminal("new", "darts", "Ana", "Ben", env=env) as terminal:
        terminal.wait("Did you mean hearts? [Y/n]")
        terminal.enter("n")
        terminal.wait("Record only the points? [Y/n]")
        terminal.enter("n")
        terminal.wait('there is no ruleset "darts"')
    assert len(program("matches").out.splitlines()) == 1


def test_the_questions_for_a_new_match_know_games_by_numbers(env: dict[str, str]) -> None:
    with Terminal("new", env=env) as terminal:
        terminal.wait("Which game?")
        terminal.enter("Qwirkle")
        terminal.wait("Record only the points? [Y/n]")
        terminal.press("enter")
        terminal.wait("Who wins: the player with the most or with the fewest points?")
        terminal.press("enter")
        terminal.wait("When does a match end?")
        terminal.press("enter")
        terminal.wait("Who plays?")
        terminal.enter("Ana Ben")
        terminal.wait("F10")
        terminal.press("f10")
    assert status().data["scores"] == {"Ana": 0, "Ben": 0}


# --- an evening


def test_while_a_line_is_typed_it_shows_whose_number_is_whose(env: dict[str, str]) -> None:
    new("numbers", "Ana", "Ben", "Cleo")
    with Terminal("table", env=env) as table:
        table.wait("match 1")
        table.press("12 31")
        table.wait("Ana 12, Ben 31, Cleo …")
        table.press(" 7")
        table.wait("Ana 12, Ben 31, Cleo 7: legal")
        table.press(" 5")
        table.wait("3 numbers are needed, not 4")
        table.press("backspace")
        table.press("backspace")
        table.press("enter")
        table.wait("round 1 is over: Ana +12, Ben +31, Cleo +7")
        table.press("f10")
    assert status().data["scores"] == {"Ana": 12, "Ben": 31, "Cleo": 7}


def test_a_round_costs_its_digits_a_key_between_them_and_enter(env: dict[str, str]) -> None:
    new("numbers", *FIVE)
    with Terminal("table", env=env, columns=120) as table:
        table.wait("match 1")
        keys = 0
        for line in EVENING:
            table.press(line)
            table.press("enter")
            table.wait(f"  {line}")
            if line[0].isdigit():
                numbers = line.split()
                keys += sum(map(len, numbers)) + len(numbers)
        table.wait("round 5 is over")
        table.press("f10")
    typed = [line for line in EVENING if line[0].isdigit()]
    assert keys == sum(len(line) + 1 for line in typed)
    assert status().data["scores"] == {"Ana": 65, "Ben": 31, "Cleo": 59, "Dan": 49, "Eve": 96}


def test_the_evening_becomes_a_sheet_with_who_left(book: str, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    new("numbers", *FIVE)
    program("record", *EVENING)
    sheet = program("sheet").out
    assert "Ben" in sheet
    assert sheet.split("\n\n")[1].split("\n")[-2].split() == ["Total", "65", "31", "59", "49", "96"]
    pdf = tmp_path / "evening.pdf"
    assert program("sheet", "--format", "pdf", "--to", str(pdf)).code == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    assert os.path.getsize(pdf) > 5000
