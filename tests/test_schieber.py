"""Schieber: the end of a match that both sides pass in one deal, and its tables' choices."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset

RECORD = Path(__file__).parent / "records" / "schieber_deals.toml"
PLAYERS = ["N", "E", "S", "W"]
NORTH, EAST = ["N", "S"], ["E", "W"]
NO_WEIS = {
    f"calls.{name}": False
    for name in (
        *("four-jacks", "four-nines", "four"),
        *(f"run-of-{n}" for n in ("nine", "eight", "seven", "six", "five", "four", "three")),
    )
}


def played(number: int, *before: str, **options: object) -> Match:
    """Return a match with a deal of the record, after these entries."""
    match = Match(load_ruleset("schieber", **options), PLAYERS)
    deal = tomllib.loads(RECORD.read_text("utf-8"))["rounds"][number]["entries"]
    lines = (*before, *deal.strip().splitlines())
    for text in (part for line in lines for part in match.notation.split_line(line)):
        match.record(text)
    return match


@pytest.mark.parametrize(
    ("north", "east", "winners"),
    [
        (970, 940, EAST),  # 20 for Stöck are too few, 70 for Weis are enough
        (980, 900, NORTH),  # 20 for Stöck are enough
        (930, 920, NORTH),  # only N and S pass the end
        (800, 940, EAST),
        (700, 900, []),
    ],
)
def test_weis_and_stoeck_are_counted_before_the_tricks(
    north: int, east: int, winners: list[str]
) -> None:
    match = played(0, f"score N+S: {north} / E+W: {east}")
    assert match.scores == {"N": north + 277, "E": east + 70, "S": north + 277, "W": east + 70}
    assert (match.over, match.winners if match.over else []) == (bool(winners), winners)


def test_scores_that_are_entered_decide_by_the_most() -> None:
    match = Match(load_ruleset("schieber"), PLAYERS)
    match.record("score N+S: 900 / E+W: 900")
    match.record("score N+S: 110 / E+W: 147")
    assert (match.over, match.winners) == (True, EAST)


def test_a_table_may_play_to_2500() -> None:
    assert not played(0, "score N+S: 970 / E+W: 940", **{"let.target": "2500"}).over


def test_a_table_may_multiply_the_tricks_alone() -> None:
    only = {"scores.times.of": ["cards", "last", "match"]}
    assert played(1, **only).scores["E"] == 118 * 4 + 50
    assert played(1).scores["E"] == (118 + 50) * 4


@pytest.mark.parametrize(("options", "offered"), [({}, True), (NO_WEIS, False)])
def test_a_table_may_count_no_weis(options: dict[str, object], offered: bool) -> None:
    match = Match(load_ruleset("schieber", **options), PLAYERS)
    for text in ("N: hearts", "N: AH"):
        match.record(text)
    assert ("E: run-of-three" in match.legal()) == offered


def test_who_has_the_seven_of_diamonds_may_begin() -> None:
    match = Match(load_ruleset("schieber"), PLAYERS)
    match.record("dealer E")  # the player before S, who has it
    assert "S: pass" in match.legal()
    for text in ("S: pass", "N: hearts"):
        match.record(text)
    assert match.to_act == ["S"]


def test_a_deal_that_is_thrown_in_decides_nothing() -> None:
    match = Match(load_ruleset("schieber"), PLAYERS)
    for text in ("N: hearts", "N: AH", "E: 7H", "S: 8H", "W: 6H"):
        match.record(text)
    ruling = match.record("void claimed")
    assert "ruleset.faulty" not in [found.code for found in ruling.findings]
    assert (match.scores["N"], match.over) == (0, False)
