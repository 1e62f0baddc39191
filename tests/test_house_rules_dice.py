"""House rules of Durak and Dudo, and Bluff and Perudo with lives, each as a small ruleset.

The cases were worked out by hand from the rule texts. Random play under the rules is tested too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import (
    Impossible,
    Match,
    Unreadable,
    load_ruleset,
    read_record,
    verify_record,
    write_record,
)
from scorekeeper.core.errors import Failure
from scorekeeper.engine.loading import check
from tests.helpers import match_of

HERE = Path(__file__).parent
THREE = ["Ana", "Ben", "Cleo"]
FOUR = [*THREE, "Dan"]
EXTENDING = (
    *("durak-52", "durak-24", "durak-five", "durak-neighbours"),
    *("dudo-calzo", "dudo-aces"),
)
SHIPPED = (*EXTENDING, "bluff", "perudo-lives")


def cases() -> list[Any]:
    found = []
    for file, ruleset in (("house", ""), ("bluff", "bluff"), ("perudo_lives", "perudo-lives")):
        for line in (HERE / "cases" / f"{file}.jsonl").read_text("utf-8").splitlines():
            case = {"ruleset": ruleset, **json.loads(line)}
            if case["ruleset"] in SHIPPED:
                found.append(pytest.param(case, id=f"{case['ruleset']}: {case['what']}"))
    return found


def verdict(match: Match, text: str) -> str:
    """Return the verdict of the referee. Impossible and unreadable entries count as refused."""
    try:
        return match.judge(text).verdict
    except Failure:
        return "illegal"


@pytest.mark.parametrize("case", cases())
def test_a_case_that_was_worked_out_by_hand(case: dict[str, Any]) -> None:
    match = match_of(case["ruleset"], case["players"], *case["entries"])
    if "scores" in case:
        assert match.rounds[-1].scores == case["scores"]
    else:
        assert verdict(match, case["last"]) == case["verdict"]


def test_every_ruleset_has_cases() -> None:
    assert {case.values[0]["ruleset"] for case in cases()} == set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_it_has_no_mistakes_and_loads_as_it_was_pinned(name: str) -> None:
    ruleset, _, faults = check(name)
    assert faults == []
    assert ruleset is not None
    assert "language = 4" in ruleset.text


@pytest.mark.parametrize("name", EXTENDING)
def test_a_house_rule_is_small(name: str) -> None:
    text = (HERE.parent / "rulesets" / f"{name}.toml").read_text("utf-8")
    assert len(text.splitlines()) <= 20


@pytest.mark.parametrize("name", SHIPPED)
def test_its_recorded_match_is_right_and_comes_out_as_it_went_in(name: str, tmp_path: Path) -> None:
    record = HERE / "records" / f"{name.replace('-', '_')}.toml"
    report = verify_record(record)
    assert {finding["decision"] for finding in report["findings"]} <= {"withdrawn"}
    assert report["ok"]
    match, copy = read_record(record), tmp_path / "copy.toml"
    assert match.ruleset.name == name
    write_record(match, copy)
    again = read_record(copy)
    assert again.scores == match.scores
    assert [each.entries for each in again.rounds] == [each.entries for each in match.rounds]
    while match.rounds:
        match.undo()
    assert match.scores == match_of(name, match.players).scores


# --- Durak


def first_bout(name: str, *before: str) -> Match:
    """Return a bout with five covered attacks by unseen hands."""
    entries = ["attack 6C 6D 6H", "Ben: cover 6C 7C", "Ben: cover 6D 7D", "Ben: cover 6H 7H"]
    entries += ["Ana: attack 7S", "Ben: cover 7S 8S"]
    return match_of(name, ["Ana", "Ben"], *before, "trump S", *entries)


def test_the_first_bout_has_room_for_one_less() -> None:
    usual, five = first_bout("durak"), first_bout("durak-five")
    assert usual.state["bindings"]["limit"] == 6
    assert five.state["bindings"]["limit"] == 5
    two = "Ana: attack 8C 8D"
    assert verdict(usual, two) == "legal"
    ruling = five.judge(two)
    assert ruling.findings[0].code == "bouts.room"
    assert ruling.findings[0].cite == "house 30.1"
    assert "this bout allows at most 5" in ruling.text
    assert verdict(five, "Ana: attack 8C") == "legal"


def test_the_second_bout_has_room_for_six() -> None:
    match = match_of(
        "durak-five", ["Ana", "Ben"], "trump S", "attack 6C", "cover 6C 7C", "all: pass"
    )
    assert match.to_act == ["Ben"]
    assert match.state["bindings"]["limit"] == 6


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        (["talon 10"], 6),  # drawn from: some bout is over
        (["hand Ana: 7", "hand Ben: 6", "talon 9"], 6),
        (["talon 24"], 5),  # All of the talon; the deal goes on as usual.
        (["hand Ana: 6", "hand Ben: 6"], 5),
        (["hand Ana: 4", "hand Ben: 4", "talon 0"], 4),  # Ben's cards are fewer
    ],
)
def test_a_deal_that_begins_in_the_middle_is_in_a_later_bout(said: list[str], limit: int) -> None:
    match = match_of("durak-five", ["Ana", "Ben"], *said, "trump S", "lead Ana")
    assert match.state["bindings"]["limit"] == limit


def test_only_neighbours_are_waited_for() -> None:
    entries = ("trump S", "Ana: attack 6C", "Ben: cover 6C 8C")
    match = match_of("durak-neighbours", FOUR, *entries)
    assert match.to_act == ["Ana", "Cleo"]
    assert "Ana and Cleo may add" in match.judge("Dan: attack 8D").text
    assert match_of("durak", FOUR, *entries).to_act == ["Ana", "Cleo", "Dan"]
    assert not any(text.startswith("Dan") for text in match.legal)


def test_the_neighbours_are_those_who_are_still_in() -> None:
    out = ("hand Cleo: 0", "hand Ana: 3", "hand Ben: 3", "hand Dan: 3", "talon 0", "trump S")
    match = match_of("durak-neighbours", FOUR, *out, "lead Ana", "Ana: attack 6C", "cover 6C 8C")
    assert match.to_act == ["Ana", "Dan"]


def test_packs_of_another_size() -> None:
    assert load_ruleset("durak-52").pack.card_count == 52
    assert load_ruleset("durak-24").pack.card_count == 24
    assert match_of("durak-52", [*FOUR, "Eva", "Finn"]).state["talon"] == 16
    assert match_of("durak-24", FOUR).state["talon"] == 0
    with pytest.raises(Failure):
        match_of("durak-24", [*FOUR, "Eva"])


# --- dice


def test_calzo_by_anybody_and_dudo_by_the_next() -> None:
    match = match_of("dudo-calzo", THREE, "2x3")
    assert {"Ben: dudo", "Ben: calzo", "Cleo: calzo"} <= set(match.legal())
    assert "Cleo: dudo" not in match.legal
    assert match.judge("Ana: calzo").findings[0].cite == "house 32.1"


def test_aces_opened_are_outbid_as_ever() -> None:
    match = match_of("dudo-aces", THREE, "standing Ana: 1", "1x1")
    assert verdict(match, "Ben: 2x1") == "legal"
    assert verdict(match, "Ben: 3x2") == "legal"
    assert verdict(match, "Ben: 2x2") == "illegal"


def test_lives_and_dice_are_two_things() -> None:
    match = match_of("perudo-lives", THREE, "2x3", "Ben: dudo")
    assert {player["dice"] for player in match.state["players"].values()} == {5}
    with pytest.raises(Impossible, match="Ana has 5 dice, not 3"):
        match.record("dice Ana: 1 2 3")
    with pytest.raises(Impossible, match="from 0 to 15"):
        match.record("count 16")
    match.record("count 1")
    assert match.scores == {"Ana": 2, "Ben": 3, "Cleo": 3}
    assert match.state["players"]["Ana"]["dice"] == 5
    assert match.to_act == ["Ana"]


def test_who_has_no_life_has_no_dice() -> None:
    match = match_of("perudo-lives", THREE, "standing Cleo: 0", "2x3")
    assert match.state["players"]["Cleo"]["dice"] == 0
    assert "Ben: 10x6" in match.legal()
    assert not any("11x" in text for text in match.legal())
    assert match.record("Ben: 11x6").findings[0].code == "bids.bluff"


def test_a_hand_says_nothing_of_lives() -> None:
    match = match_of("perudo-lives", THREE)
    with pytest.raises(Impossible, match=r"follows from the tally \(lives\)"):
        match.record("hand Ana: 3")


BLUFF = ("4x3", "4x5", "3x6", "6x2", "Ben: bluff")


def test_the_bidder_who_was_exact_loses_nothing() -> None:
    match = match_of("bluff", THREE, *BLUFF, "count 6")
    lines = [(line.code, line.to, line.points) for line in match.rounds[-1].lines]
    assert lines == [("scores.exact", "Ben+Cleo", -1)]
    assert match.to_act == ["Ana"]
    assert match.state["scores"] == {"Ana": 5, "Ben": 4, "Cleo": 4}


def test_several_go_out_at_once() -> None:
    few = ("standing Ben: 1", "standing Dan: 1", "standing Cleo: 2")
    exact = ("2x3", "Ben: bluff", "count 2")
    match = match_of("bluff", FOUR, *few, *exact)
    assert match.scores == {"Ana": 5, "Ben": 0, "Cleo": 1, "Dan": 0}
    assert not match.over
    for text in ("2x3", "Cleo: bluff", "count 2"):
        match.record(text)
    assert match.over
    assert match.winners == ["Ana"]


def test_exactness_is_not_called_here() -> None:
    match = match_of("bluff", THREE, "2x3")
    with pytest.raises(Unreadable, match="not played here"):
        match.judge("Ben: exact")
    with pytest.raises(Unreadable, match="not played here"):
        match.judge("Ana: direction right")
    assert not any("exact" in text or "direction" in text for text in match.legal)
    assert match.current_round.prompt() == "Ben bids higher than 2x3, or says bluff"


@pytest.mark.parametrize(
    ("result", "scores"),
    [
        ("result loser=Ben dice=3", {"Ana": 0, "Ben": -3, "Cleo": 0}),
        ("result loser=Ben dice=9", {"Ana": 0, "Ben": -5, "Cleo": 0}),
        ("result exact=Ana", {"Ana": 0, "Ben": -1, "Cleo": -1}),
    ],
)
def test_a_round_by_its_result(result: str, scores: dict[str, int]) -> None:
    match = match_of("bluff", THREE, result)
    assert match.rounds[-1].scores == scores
    starter = "Ana" if scores["Ben"] in (-1, -5) and "exact" in result else "Ben"
    assert match.to_act == (["Cleo"] if scores["Ben"] == -5 else [starter])


@pytest.mark.parametrize(
    "result",
    [
        *("result loser=Ben", "result loser=Ben dice=0", "result exact=Ana dice=1"),
        *(
            "result gainer=Ben dice=1",
            "result losers=Ben+Cleo",
            "result dice=2",
            "result loser=Ben dice=x",
        ),
    ],
)
def test_a_result_that_does_not_say_enough_or_says_too_much(result: str) -> None:
    match = match_of("bluff", THREE)
    with pytest.raises(Failure) as caught:
        match.record(result)
    assert caught.value.message
    assert match.rounds == []


def test_a_result_after_the_call_fits_the_call() -> None:
    match = match_of("bluff", THREE, *BLUFF)  # Ana bid 6x2, Ben called
    for wrong in ("result loser=Cleo dice=1", "result loser=Ana dice=7", "result exact=Ben"):
        with pytest.raises(Impossible):
            match.record(wrong)
    for right, scores in (
        ("result loser=Ana dice=6", {"Ana": -5, "Ben": 0, "Cleo": 0}),
        ("result loser=Ben dice=2", {"Ana": 0, "Ben": -2, "Cleo": 0}),
        ("result exact=Ana", {"Ana": 0, "Ben": -1, "Cleo": -1}),
    ):
        match.record(right)
        assert match.rounds[-1].scores == scores
        match.undo()


def test_a_score_by_what_no_result_tells_needs_the_dice() -> None:
    rows = {"lost": {"points": "-max(1, abs(matching - bid.count))"}}
    match = Match(load_ruleset("dudo", scores=rows), THREE)
    with pytest.raises(Impossible, match="which a result does not contain"):
        match.record("result loser=Ben")
    for text in ("5x3", "Ben: dudo", "count 2"):
        match.record(text)
    assert match.rounds[-1].scores == {"Ana": -3, "Ben": 0, "Cleo": 0}
