"""The consequence of a foul is a remedy that depends on the table's decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset, read_record, verify_record, write_record
from scorekeeper.engine.loading import check
from tests.helpers import match_of

if TYPE_CHECKING:
    from pathlib import Path

THREE = ["Ana", "Ben", "Cleo"]
SAME = {"die-lost": {"starts": "same"}}
ENDS = {"consequences": {"die-lost": {"play": "on", "starts": "", "round": "counts"}}}


def three(*entries: str, **options: object) -> Match:
    return match_of("dudo", THREE, *entries, **options)


def lines(match: Match, number: int = -1) -> list[tuple[str, str, float, str]]:
    return [(line.code, line.to, line.points, line.cite) for line in match.rounds[number].lines]


def lines_now(match: Match) -> list[tuple[str, str, float]]:
    return [(line.code, line.to, line.points) for line in match.current_round.seating.lines]


@pytest.mark.parametrize("name", ["dudo", "bluff", "perudo", "perudo-lives"])
def test_nothing_can_be_claimed_where_only_fouls_are_answered(name: str) -> None:
    rules = load_ruleset(name)
    assert not {"claim", "weigh", "waive"} & set(rules.entry_types)
    assert rules.watching_law is None
    match = Match(rules, ["Claim", "Waive", "Cheating"])
    match.record("Claim: 1x2")
    match.record("foul Cheating: peeked")
    assert "faults" not in match.state
    assert "faults" not in match.review_round(match.rounds[0]).summary
    assert match.to_act == ["Cheating"]


def test_the_line_is_called_a_foul_and_cites_its_paragraph() -> None:
    match = three("Ana: 1x3", "foul Ben: peeked")
    assert lines(match) == [("foul", "Ben", -1, "5")]
    assert match.review_round(match.rounds[0]).summary["notes"] == []
    assert match.to_act == ["Ben"]


def test_it_may_cost_more_and_give_the_others_something() -> None:
    match = three("foul Ben: peeked", **{"penalties.cheating.culprit": -2})
    assert match.scores == {"Ana": 5, "Ben": 3, "Cleo": 5}
    row = {"penalties": {"cheating": {"culprit": -2, "others": 1}}}
    match = three("hand Ana: 2", "hand Ben: 4", "hand Cleo: 1", "foul Ben: peeked", **row)
    assert match.scores == {"Ana": 3, "Ben": 2, "Cleo": 2}
    assert {line[0] for line in lines(match)} == {"foul"}


def test_a_foul_that_does_not_end_the_round() -> None:
    match = three("Ana: 1x3", "foul Ben: peeked", "Ben: 2x3", **ENDS)
    assert match.scores["Ben"] == 4
    assert match.state["round"] == 1
    assert match.to_act == ["Cleo"]
    match.undo()
    match.undo()
    assert match.scores["Ben"] == 5
    assert match.to_act == ["Ben"]


def test_before_the_first_act_it_is_among_the_facts_of_the_start() -> None:
    match = three("foul Ben: peeked", "hand Ana: 3", "lead Cleo", "Cleo: 1x3", **ENDS)
    assert match.state["round"] == 1
    assert match.scores == {"Ana": 3, "Ben": 4, "Cleo": 5}


def test_the_same_may_start_again() -> None:
    match = three("lead Cleo", "Cleo: 1x3", "foul Ben: peeked", consequences=SAME)
    assert match.to_act == ["Cleo"]


def test_a_round_that_is_void_by_it_keeps_the_points() -> None:
    row = {"die-lost": {"round": "void", "starts": ""}}
    match = three("lead Cleo", "Cleo: 1x3", "foul Ben: peeked", consequences=row)
    assert match.to_act == ["Cleo"]
    assert match.scores["Ben"] == 4


def test_what_follows_may_depend_on_a_condition() -> None:
    options: dict[str, Any] = {
        "remedies": {"cheating": {"then": ["late", "die-lost"]}},
        "consequences": {"late": {"when": "players.left == 2", "penalty": "late", "play": "on"}},
        "penalties": {"late": {"culprit": -2, "cite": "5"}},
    }
    match = three("foul Ben: peeked", **options)
    assert match.scores["Ben"] == 4
    assert match.to_act == ["Ben"]
    match = match_of("dudo", THREE[:2], "Ana: 1x3", "foul Ben: peeked", **options)
    assert match.scores["Ben"] == 3
    assert match.state["round"] == 1


def test_where_no_condition_holds_it_is_only_noted() -> None:
    match = three("result loser=Ana", **{"consequences.die-lost.when": "players.left == 2"})
    match.record("foul Ben: peeked")
    assert match.scores == {"Ana": 4, "Ben": 5, "Cleo": 5}
    assert len(match.review_round(match.rounds[0]).summary["fouls"]) == 1


@pytest.mark.parametrize("play", ["on", "stops"])
def test_it_may_cost_more_each_time(play: str, tmp_path: Path) -> None:
    options = {"penalties.cheating.culprit": "-1 - fault.times", "consequences.die-lost.play": play}
    match = three("foul Ben: peeked", "foul Cleo: peeked", "hand Ana: 4", **options)
    assert match.scores == {"Ana": 4, "Ben": 4, "Cleo": 4}
    match.record("foul Ben: again")
    assert match.scores == {"Ana": 4, "Ben": 2, "Cleo": 4}
    match.record("result loser=Ana")
    match.record("foul Cleo: again")
    assert match.scores == {"Ana": 3, "Ben": 2, "Cleo": 2}
    match.undo()
    match.record("foul Ana: peeked")
    assert match.scores == {"Ana": 2, "Ben": 2, "Cleo": 4}
    file = tmp_path / "match.toml"
    write_record(match, file)
    assert verify_record(file)["ok"]
    assert read_record(file).scores == match.scores


def test_beside_what_may_be_claimed_a_foul_is_the_laws() -> None:
    options = {
        "remedies": {"cheating": {"on": ["foul"], "then": ["thrown-in"], "cite": "12.7"}},
        "consequences": {"thrown-in": {"play": "stops", "round": "void", "penalty": "minor"}},
    }
    match = match_of("doppelkopf-ddv", [*THREE, "Dan"], "all: gesund", **options)
    for text in (
        "Ana: AC",
        "Ben: 9D",
        "Cleo: KC",
        "Dan: TC",
        "Ben: KC !stands",
        "foul Dan: peeked",
    ):
        match.record(text)
    summary = match.review_round(match.rounds[0]).summary
    assert summary["void"] == "foul of Dan: peeked"
    assert [fault["ended"] for fault in summary["faults"]] == ["moot"]
    assert match.scores == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": -3}
    assert match.state["faults"] == []
    match.undo()
    assert match.state["faults"][0]["who"] == ["Ben"]


def test_a_foul_outlasts_a_claim_that_has_the_round_played_again() -> None:
    options = {
        "remedies": {"cheating": {"on": ["foul"], "then": ["fined"], "cite": "12.7"}},
        "consequences": {"fined": {"penalty": "fine"}},
        "penalties": {
            "fine": {"culprit": "-3 - 3 * fault.times", "others": "1 + fault.times", "cite": "12.7"}
        },
    }
    match = match_of("doppelkopf-ddv", [*THREE, "Dan"], "all: gesund", **options)
    for text in (
        "foul Dan: a",
        "Ana: AC",
        "Ben: TC",
        "Cleo: KC",
        "Dan: 9H",
        "Ana: AH",
        "Ben: KH",
        "Cleo: 9H",
        "foul Dan: b",
        "Dan: KC !stands",
    ):
        match.record(text)
    assert match.scores["Dan"] == -9
    assert match.state["faults"][0]["who"] == ["Dan"]
    match.record("claim Ana: 6 minor")
    assert match.scores == {"Ana": 4, "Ben": 4, "Cleo": 4, "Dan": -12}
    assert [line[:3] for line in lines_now(match) if line[1] == "Dan"] == [
        ("foul", "Dan", -3),
        ("foul", "Dan", -6),
        ("penalties.minor", "Dan", -3),
    ]


# --- what is wrong with a ruleset


def faults(tmp_path: Path, text: str) -> dict[str, str]:
    path = tmp_path / "ours.toml"
    path.write_text(f'extends = "dudo"\nname = "ours"\n{text}', "utf-8")
    return {fault.key: str(fault) for fault in check(str(path))[2]}


def test_only_the_law_chooses_and_a_foul_is_answered_apart(tmp_path: Path) -> None:
    for row in ('choice = "judge"', 'on = ["foul", "told"]'):
        found = faults(tmp_path, f"[remedies.cheating]\n{row}\n")
        assert "the law's choice" in found["remedies.cheating"]
