"""Shared tallies: a payment by one player counts for the whole side."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset, read_record, verify_record, write_record
from tests.helpers import match_of, program

FOUR = ["Ana", "Ben", "Cleo", "Dan"]


def lines(match: Match) -> list[tuple[str, str, float]]:
    return [(line.code, line.to, line.points) for line in match.rounds[-1].lines]


def test_a_penalty_in_levels_is_the_sides() -> None:
    match = match_of("da-ban", FOUR, "standing Ana: 5", "penalty Cleo: -1 late", "trump H")
    match.record("result points=100")
    assert lines(match) == [("penalty", "Ana+Cleo", -1), ("scores.held", "Ana+Cleo", 1)]
    assert match.scores == {"Ana": 5, "Ben": 3, "Cleo": 5, "Dan": 3}
    assert match.rounds[-1].scores == {"Ana": 0, "Ben": 0, "Cleo": 0, "Dan": 0}


def test_the_deal_is_played_at_the_level_after_a_penalty() -> None:
    """Apply a penalty from before the deal; one during the deal does not change its level."""
    match = match_of("da-ban", FOUR, "standing Ana: 6", "penalty Cleo: -1 late", "trump H")
    assert match.state["bindings"]["level"] == "5"
    match.record("master Ana")
    match.record("kitty 3C 4C 5C 6C 7C 8C")
    match.record("penalty Ana: -1 later")
    assert match.state["bindings"]["level"] == "5"
    assert match.state["bindings"]["levels"] == {"Ana+Cleo": 4, "Ben+Dan": 3}


def test_a_row_that_keeps_within_the_levels_counts_the_penalty() -> None:
    match = match_of("sheng-ji", FOUR, "standing Ana: 11", "master Ana", "penalty Ana: 2")
    match.record("result points=0")
    assert match.scores["Ana"] == 14


@pytest.mark.parametrize("ending", ["result points=125", "void x", "end"])
def test_a_penalty_that_is_written_after_the_end_of_a_round_leaves_it_ended(ending: str) -> None:
    rules = load_ruleset("da-ban")
    match = Match(rules, FOUR)
    played = match.play_round(["trump H", ending, "penalty Ben: 1 late"])
    assert not played.findings
    assert match.live_round.ended == (ending == "end")
    assert match.live_round.over == (ending != "end")
    assert [line.to for line in played.lines] == ["Ben+Dan"]


@pytest.mark.parametrize("fact", ["trump H", "master Ben", "hand Ana: 39", "holds Dan: BJ"])
def test_a_penalty_is_kept_when_a_fact_follows(fact: str) -> None:
    match = match_of("da-ban", FOUR, "penalty Ben: 2 a gift", fact)
    assert lines(match) == [("penalty", "Ben+Dan", 2)]


def test_a_penalty_counts_in_a_void_round() -> None:
    match = match_of("da-ban", FOUR, "penalty Ben: 1 a gift", "void misdealt")
    assert match.scores == {"Ana": 3, "Ben": 4, "Cleo": 3, "Dan": 4}


def test_it_keeps_within_the_tallys_bounds() -> None:
    match = match_of("da-ban", FOUR, "penalty Ben: -2 late", "penalty Dan: -1 late")
    assert lines(match) == []
    match = match_of("da-ban", FOUR, "standing Ben: 9", "penalty Dan: 5")
    assert lines(match) == [("penalty", "Ben+Dan", 1)]
    assert match.winners == ["Ben", "Dan"]


def test_six_players_are_two_sides_of_three() -> None:
    match = match_of("da-ban", [*FOUR, "Eva", "Finn"], "penalty Finn: 2", "result points=100")
    assert match.scores == {"Ana": 4, "Ben": 5, "Cleo": 4, "Dan": 5, "Eva": 4, "Finn": 5}


def test_in_teams_a_lost_deal_is_the_sides_and_alone_it_is_ones_own() -> None:
    match = match_of("podkidnoy-teams", FOUR, "penalty Ben: 1", "result loser=Ana")
    assert match.scores == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": 1}
    match = match_of("podkidnoy", FOUR, "penalty Ben: 1", "result loser=Ana")
    assert match.scores == {"Ana": 1, "Ben": 1, "Cleo": 0, "Dan": 0}


def test_a_table_may_say_that_each_pays_alone() -> None:
    match = match_of(
        "da-ban", FOUR, "penalty Ben: 1", "result points=125", **{"sides.shared": False}
    )
    assert match.scores == {"Ana": 3, "Ben": 4, "Cleo": 3, "Dan": 3}


def test_fouls_and_classes_of_penalty_are_the_sides() -> None:
    rows: dict[str, dict[str, object]] = {
        "remedies": {
            "cite": "1",
            "cheating": {"on": ["foul"], "then": ["cheated"], "cite": "1"},
        },
        "consequences": {"cheated": {"penalty": "cheated"}},
        "penalties": {
            "cheated": {"culprit": -2, "cite": "1"},
            "late": {"culprit": "-3", "others": "3", "cite": "1"},
        },
    }
    rules = load_ruleset("podkidnoy-teams", tally={"least": -9}, **rows)
    match = Match(rules, FOUR)
    match.record("foul Ben: peeked")
    match.record("penalty Ana: late")
    match.record("trump H")
    assert lines(match) == [
        ("foul", "Ben+Dan", -2),
        ("penalties.late", "Ana+Cleo", -3),
        ("penalties.late", "Ben+Dan", 3),
    ]
    match.record("result loser=Ana")
    assert match.scores == {"Ana": -2, "Ben": 1, "Cleo": -2, "Dan": 1}


def test_it_is_told_on_the_sheet_and_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "da-ban", *FOUR).code == 0
    for text in ("penalty Dan: 2 a gift", "trump H", "result points=125", "trump S"):
        assert program("record", text).code == 0, text
    assert "penalty: Ben+Dan +2" in program("score", "--explain", "1").out
    assert program("score", "--format", "json").data["scores"]["Ben"] == 5
    record = tmp_path / "match.toml"
    record.write_text(program("export").out, "utf-8")
    assert verify_record(record)["ok"]
    again = tmp_path / "again.toml"
    write_record(read_record(record), again)
    assert read_record(again).scores == {"Ana": 3, "Ben": 5, "Cleo": 3, "Dan": 5}


def test_a_kitty_is_shared_by_who_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give ten of 30 cards to each of three players, though a fourth sits out."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    rows = {"pack": {"ranks": "A K Q J T 9 8 7"}, "players": {"counts": [3, 4]}}
    deal = {"kitty": 2, "sits_out": {"4": [0]}}
    rules = load_ruleset("fixed-trump", **rows, deal=deal, sides={"number": 0})
    match = Match(rules, FOUR)
    knowledge = match.live_round.hands
    assert knowledge is not None
    assert [knowledge.size(seat) for seat in range(4)] == [10, 10, 10, 0]
