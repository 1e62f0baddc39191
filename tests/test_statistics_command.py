"""`scorekeeper stats`: the selection of matches, the order of players, and the output formats."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import program

EVENINGS = (
    ("durak", "Ana Ben Cleo", "2025-12-30", "Club", "Ben"),
    ("durak", "Ana Ben Cleo", "2026-01-05", "Club", "Ana"),
    ("durak", "Ana Dora", "2026-01-31", "at Ana's", "Dora"),
    ("dudo", "Ana Ben", "2026-02-01", "Club", "Ana"),
)


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    for ruleset, players, day, place, loser in EVENINGS:
        begun = program("new", ruleset, *players.split(), "--date", day, "--place", place)
        assert begun.code == 0
        assert program("record", f"result loser={loser}").code == 0


def told(*arguments: str) -> list[dict[str, Any]]:
    answer = program("stats", "--format", "json", *arguments)
    assert answer.code == 0, answer
    figures: list[dict[str, Any]] = answer.data
    return figures


def counted(*arguments: str) -> dict[str, int]:
    return {each["ruleset"]: each["matches"] for each in told(*arguments)}


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ((), {"durak": 3, "dudo": 1}),
        (("--since", "2026"), {"durak": 2, "dudo": 1}),
        (("--since", "2026-01", "--until", "2026-01"), {"durak": 2}),
        (("--until", "2026-01-05"), {"durak": 2}),
        (("--ruleset", "du*"), {"durak": 3, "dudo": 1}),
        (("--ruleset", "dudo"), {"dudo": 1}),
        (("--place", "club"), {"durak": 2, "dudo": 1}),
        (("--player", "ana", "--player", "Ben"), {"durak": 2, "dudo": 1}),
        (("--player", "Dora", "--place", "at Ana's"), {"durak": 1}),
        (("2", "4"), {"durak": 1, "dudo": 1}),
    ],
)
def test_matches_are_chosen_by_date_ruleset_place_and_player(
    chosen: tuple[str, ...], found: dict[str, int]
) -> None:
    assert counted(*chosen) == found


def test_a_record_file_is_told_of_as_the_match_it_came_from() -> None:
    assert program("export", "2", "--to", "evening.toml").code == 0
    (mine,), (kept,) = told("evening.toml"), told("2")
    kept["players"] = [as_of_no_match(player) for player in kept["players"]]
    mine["players"] = [as_of_no_match(player) for player in mine["players"]]
    assert mine == kept
    assert counted("evening.toml", "4") == {"durak": 1, "dudo": 1}


def as_of_no_match(player: dict[str, Any]) -> dict[str, Any]:
    """Remove the names of matches from a player's best and worst results."""
    for found in (*player["best"].values(), *player["worst"].values()):
        if found is not None:
            del found["match"]
    return player


def test_the_player_who_is_asked_for_comes_first_by_the_name_they_are_told_by() -> None:
    assert program("players", "rename", "Ben", "Benjamin").code == 0
    lines = program("stats", "--player", "Ben", "--ruleset", "durak").out.splitlines()
    assert lines[0].startswith("Durak: 2 matches, 2 rounds, 2025-12-30 to 2026-01-05")
    assert lines[1:3] == ["with: Ben", "rulesets: durak"]
    first = lines.index("Matches") + 3
    assert lines[first].split()[0] == "Benjamin"


def test_streaks_go_by_when_matches_were_begun_not_by_when_they_were_entered() -> None:
    assert program("new", "durak", "Ana", "Ben", "--date", "2025-01-01").code == 0
    assert program("record", "result loser=Ana").code == 0
    (durak,) = told("--ruleset", "durak")
    ana = next(player for player in durak["players"] if player["name"] == "Ana")
    assert ana["streaks"]["current"] == 1


def test_a_match_that_is_named_twice_counts_once() -> None:
    assert counted("2", "2", "4") == {"durak": 1, "dudo": 1}
    assert program("export", "2", "--to", "two.toml").code == 0
    assert counted("two.toml", "./two.toml") == {"durak": 1}
    assert program("league", "2", "2").out == program("league", "2").out


def test_records_are_told_in_the_order_in_which_they_were_begun() -> None:
    for number in ("1", "2", "4"):
        assert program("export", number, "--to", f"{number}.toml").code == 0
    for files in (["1.toml", "2.toml", "3"], ["3", "2.toml", "1.toml"]):
        (data,) = told(*files)
        (ben,) = (player for player in data["players"] if player["name"] == "Ben")
        assert (ben["streaks"]["current"], data["last"]) == (1, "2026-01-31")


def test_text_tells_of_two_players_only_when_asked() -> None:
    assert "Head to head" not in program("stats").out
    for tables in ("all", "against,pairs"):
        assert "Head to head" in program("stats", "--tables", tables).out
    only = program("stats", "--tables", "Against").out
    assert "Matches" not in only.split()
    assert "Head to head" in program("stats", "--format", "markdown").out


def test_json_has_the_tables_that_are_asked_for() -> None:
    assert {"breakdowns", "pairs", "against", "days"} <= told()[0].keys()
    assert {"breakdowns", "pairs", "against", "days"} & told("--tables", "days")[0].keys() == {
        "days"
    }


def test_it_is_written_to_a_file_whole_in_every_form() -> None:
    for form, begins in (
        ("text", "Durak: 3 matches"),
        ("markdown", "# Durak: 3 matches"),
        ("html", "<!DOCTYPE html>"),
        ("json", "["),
        ("csv", "ruleset,table,player"),
    ):
        answer = program("stats", "--format", form, "--to", f"told-{form}")
        assert (answer.code, answer.out) == (0, "")
        assert answer.err == f"the statistics are in told-{form}\n"
        assert Path(f"told-{form}").read_text("utf-8").startswith(begins)
    assert program("stats", "--to", "no/such/folder").code == 3


@pytest.mark.parametrize(
    ("command", "name", "begins"),
    [
        (["stats"], "a.html", "<!DOCTYPE html>"),
        (["stats"], "a.json", "["),
        (["stats"], "a.txt", "Durak: 3 matches"),
        (["stats", "--format", "text"], "a.html", "Durak: 3 matches"),
        (["league", "--ruleset", "durak"], "a.CSV", "place,before,player"),
        (["sheet", "--match", "1"], "a.md", "# Durak"),
        (["sheet", "--match", "1"], "a.json", "{"),
        (["export", "1"], "a.jsonl", '{"format": 1'),
        (["export", "1"], "a.toml", "format = 3"),
        (["export", "1"], "a.pdf", "format = 3"),
    ],
)
def test_what_format_does_not_say_the_ending_of_the_file_does(
    command: list[str], name: str, begins: str
) -> None:
    assert program(*command, "--to", name).code == 0
    assert Path(name).read_text("utf-8").startswith(begins)


def test_data_in_a_file_is_english_whoever_is_spoken_to() -> None:
    assert program("stats", "--language", "de", "--to", "a.json").code == 0
    assert program("stats", "--format", "json").out == Path("a.json").read_text("utf-8")


def test_where_records_go_says_nothing_of_the_answer() -> None:
    assert program("delete", "1", "--yes", "--to", "a.json").out.startswith("match 1 is deleted")


def test_csv_says_the_numbers_of_json() -> None:
    rows = csv.DictReader(io.StringIO(program("stats", "--format", "csv").out))
    played = {
        (row["ruleset"], row["player"]): int(row["value"])
        for row in rows
        if (row["table"], row["figure"]) == ("players", "played")
    }
    assert played == {
        (each["ruleset"], player["name"]): player["played"]
        for each in told()
        for player in each["players"]
    }


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (("--since", "2026-13"), "2026-13", "2026-11"),
        (("--player", "Cloe"), "Cloe", "Cleo"),
        (("--ruleset", "durk"), "durk", "durak"),
        (("--place", "Clib"), "Clib", "Club"),
        (("--tables", "pears"), "pears", "pairs"),
        (("--tables", "nothing like it"), "nothing like it", "breakdowns"),
        (("1", "--player", "Ana"), "not by both", "leave out"),
        (("evening.toml", "--since", "2026"), "not by both", "leave out"),
        (("17",), "17", "use an existing number: 1, 2"),
        (("nowhere.toml",), "nowhere.toml", ""),
    ],
)
def test_nonsense_is_answered_with_what_to_type(
    arguments: tuple[str, ...], message: str, hint: str
) -> None:
    answer = program("stats", *arguments)
    assert answer.code in (2, 3)
    assert answer.out == ""
    first, *rest = answer.err.splitlines()
    assert message in first
    assert hint in "".join(rest)


def test_where_nothing_is_told_of_it_says_what_to_type() -> None:
    answer = program("stats", "--since", "2027")
    assert (answer.code, answer.err) == (0, "")
    assert (
        answer.out
        == "none of these matches has an entry; to list all matches: scorekeeper matches\n"
    )
    assert told("--since", "2027") == []
    assert program("stats", "--since", "2027", "--format", "csv").out.count("\n") == 1
    page = program("stats", "--since", "2027", "--format", "html").out
    assert "No matches found." in page


def test_data_is_english_and_people_are_told_in_their_language() -> None:
    german = program("stats", "--language", "de")
    assert german.code == 0
    assert "Durak: 3 " in german.out
    assert "1 von 1 (100\N{NO-BREAK SPACE}%)" in german.out
    for form in ("text", "markdown", "html"):
        for code in ("de", "fr"):
            assert "\\u" not in program("stats", "--language", code, "--format", form).out
    csv_, json_ = (
        program("stats", "--language", "de", "--format", form).out for form in ("csv", "json")
    )
    assert csv_ == program("stats", "--format", "csv").out
    assert json_ == program("stats", "--format", "json").out
