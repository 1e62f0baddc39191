"""`[match] prefers`: if it holds for some players after a round, only they can win the match."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset, read_record, write_record
from scorekeeper.engine.loading import check
from scorekeeper.history.results import places
from tests.helpers import program

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
# Who bids plays for two points a trick; the others have one a trick. The match is one round.
GAME = """
name    = "prefers"
title   = "Who declares wins"
rules   = "fixed-trump"
language = 4
[players]
counts  = [4]
[pack]
ranks   = "A K Q J"
[deal]
dealt   = true
cards   = 2
[tally]
name    = "points"
[match]
ends    = "total(each.tricks) > 0"
prefers = "own.declarer and own.tally >= 6"
[contracts]
hearts  = "H"
[orders]
trump   = ["*{trump}"]
[phases.auction]
bids    = "contracts"
cite    = "2.1"
[phases.tricks]
order   = "trump"
cite    = "2.1"
counted = { most = "tricks", cite = "3.1" }
[scores]
own     = { for = "declarer", points = "2 * own.tricks", cite = "3.1" }
others  = { for = "opponents", points = "own.tricks", cite = "3.1" }
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    file = tmp_path / "prefers.toml"
    file.write_text(GAME, encoding="utf-8")
    return file


STANDING = ["dealer Dan", "standing Ana: 4", "standing Ben: 9", "standing Cleo: 3"]
BIDDING = ["Ana: bid hearts", "Ben: pass", "Cleo: pass", "Dan: pass"]
TRICKS = ["Ana: AH", "Ben: JC", "Cleo: QC", "Dan: KC", "Ana: KH", "Ben: JD", "Cleo: QD", "Dan: KD"]


def played(path: Path, *before: str, **options: object) -> Match:
    """Return a match after one round, in which Ana declares and wins both tricks."""
    match = Match(load_ruleset(path, **options), NAMES)
    for text in (*(before or STANDING), *BIDDING, *TRICKS):
        match.record(text)
    return match


def test_who_declares_wins_before_one_with_more(path: Path) -> None:
    assert check(str(path))[2] == []
    match = played(path)
    assert match.scores == {"Ana": 8, "Ben": 9, "Cleo": 3, "Dan": 0}
    assert (match.over, match.winners) == (True, ["Ana"])
    assert places(match) == {"Ana": 1, "Ben": 2, "Cleo": 3, "Dan": 4}


def test_the_most_wins_if_it_holds_for_nobody(path: Path) -> None:
    match = played(path, "dealer Dan", "standing Ana: 1", "standing Ben: 9")
    assert match.winners == ["Ben"]
    assert played(path, **{"match.prefers": "own.tally > 99"}).winners == ["Ben"]


def test_the_most_decides_among_those_for_whom_it_holds(path: Path) -> None:
    options = {"match.prefers": "own.tally < 9"}
    assert played(path, **options).winners == ["Ana"]
    assert played(path, **options, **{"match.wins": "fewest"}).winners == ["Dan"]


def test_it_is_the_same_in_a_record_and_a_book(path: Path, tmp_path: Path) -> None:
    record = tmp_path / "match.toml"
    write_record(played(path), record)
    assert read_record(record).winners == ["Ana"]
    program("import", str(record))
    for _ in range(2):  # from the match, and from what was stored of it
        assert program("sheet").out.partition("Won by: ")[2].split()[0] == "Ana"
        lines = program("export", "--format", "matches-csv").out.splitlines()
        rows = list(csv.DictReader(lines))
        assert [row["player"] for row in rows if row["won"] == "1"] == ["Ana"]


def test_it_is_a_condition_on_a_player(path: Path) -> None:
    path.write_text(GAME.replace("own.tally >= 6", "own.tally"), "utf-8")
    (fault,) = check(str(path))[2]
    assert fault.key == "match.prefers"
