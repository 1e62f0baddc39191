"""Dudo compared with cases of others (tests/cases/dudo_*.jsonl), and `legal` with `judge`."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, Unreadable
from scorekeeper.core.rulings import worst_verdict
from scorekeeper.engine.referee import judge
from scorekeeper.ruleset.citations import find_rule_text, read_paragraphs
from tests.helpers import match_of
from tests.inside import bound

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = Path(__file__).parent / "cases"
FACES = range(1, 7)

Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def name_of(row: Row) -> str:
    return str(row["id"])


BIDS = rows("dudo_bids.jsonl")
CALLS = [row for row in rows("dudo_calls.jsonl") if "fact" not in row]
FACTS = [row for row in rows("dudo_calls.jsonl") if "fact" in row]


def spoken(bid: Row) -> str:
    return f"{bid['count']}x{bid['face']}"


def verdict(match: Match, bid: Row) -> str:
    """Return the verdict on Ben's bid. A text that is no bid counts as illegal."""
    try:
        return match.judge(f"Ben: {spoken(bid)}").verdict
    except Unreadable:
        return "illegal"


def before(row: Row, ruleset: str = "dudo", **options: object) -> Match:
    """Return a match of two in which Ana has made the previous bid and Ben is to bid."""
    match = match_of(ruleset, ["Ana", "Ben"], **options)
    if row["previous"] is None:
        match.record("lead Ben")
    else:
        match.record(f"Ana: {spoken(row['previous'])} !stands")
    return match


@pytest.mark.parametrize("row", [r for r in BIDS if r["agrees_with_seed"] is True], ids=name_of)
def test_bids(row: Row) -> None:
    assert verdict(before(row), row["new"]) == ("legal" if row["legal"] else "illegal")
    assert row["legal"] == row["seed_legal"]


@pytest.mark.parametrize("row", [r for r in BIDS if r["agrees_with_seed"] is not True], ids=name_of)
def test_bids_of_other_houses_are_judged_by_ours(row: Row) -> None:
    assert verdict(before(row), row["new"]) == ("legal" if row["seed_legal"] else "illegal")


@pytest.mark.parametrize("row", [r for r in BIDS if "aces_exact" in r["reason"]], ids=name_of)
def test_a_key_demands_the_exact_conversion(row: Row) -> None:
    exact = {
        "to-aces": {"most": "ceil(previous.count / 2)"},
        "from-aces": {"most": "2 * previous.count + 1"},
    }
    assert verdict(before(row, clauses=exact), row["new"]) == (
        "legal" if row["legal"] else "illegal"
    )


@pytest.mark.parametrize("row", [r for r in BIDS if r["phase"] == "palifico"], ids=name_of)
def test_the_special_round_of_perudo(row: Row) -> None:
    bidder = 1 if row["bidder_dice"] == 1 else 5
    match = match_of("perudo", ["Ana", "Ben"], "hand Ana: 2", "result loser=Ana")
    match.record(f"hand Ben: {bidder}")
    match.record(f"Ana: {spoken(row['previous'])}")
    same_face = row["previous"]["face"] == row["new"]["face"]
    if same_face or bidder == 1 or not row["legal"]:
        assert verdict(match, row["new"]) == ("legal" if row["legal"] else "illegal")


def called(row: Row, ruleset: str = "dudo", **options: object) -> Match:
    """Return a match in which the row's bid was called and all dice were shown."""
    names = [f"P{seat}" for seat in range(len(row["dice"]))]
    match = match_of(ruleset, names, **options)
    for name, dice in zip(names, row["dice"], strict=True):
        match.record(f"hand {name}: {len(dice)}")
    bidder, caller = row["bidder"], row["caller"]
    left = (bidder + 1) % len(names) == caller or ruleset != "dudo"
    match.record(f"lead {names[bidder]}")
    match.record(f"direction {'left' if left else 'right'}")
    match.record(f"{spoken(row['bid'])} !stands")
    match.record(f"{names[caller]}: {row['call']}")
    for name, dice in zip(names, row["dice"], strict=True):
        match.record(f"dice {name}: {' '.join(map(str, dice))}")
    return match


@pytest.mark.parametrize("row", [r for r in CALLS if r["agrees_with_seed"] is True], ids=name_of)
def test_calls(row: Row) -> None:
    match = called(row)
    after = list(match.scores.values())
    assert after == row["seed"]["dice_after"]
    for seat, dice in row["expected"].get("dice_after", {}).items():
        assert after[int(seat)] == dice
    assert match.rounds[0].over
    assert bound(match.live_round)["matching_count"] == row["seed"]["count"]
    starter = row["seed"]["next_starter"]
    if isinstance(starter, int) and not match.over and after[starter]:
        assert match.to_act[0] == f"P{starter}"


@pytest.mark.parametrize("row", [r for r in CALLS if not r["aces_wild"]], ids=name_of)
def test_a_key_takes_the_wildness_from_aces(row: Row) -> None:
    match = called(row, phases={"bids": {"wild": 0}})
    assert bound(match.live_round)["matching_count"] == row["seed"]["count"]
    assert list(match.scores.values()) == row["seed"]["dice_after"]


def test_a_call_by_another_than_the_next_is_perudos() -> None:
    (row,) = [row for row in CALLS if row["id"] == "UC060"]
    assert list(called(row, "perudo").scores.values()) == row["seed"]["dice_after"]
    match = match_of("dudo", ["P0", "P1", "P2"], f"P0: {spoken(row['bid'])}")
    assert match.judge("P2: calzo").verdict == "illegal"


# --- the rows that state a fact


def no_call_before_a_bid() -> None:
    assert match_of("dudo", ["Ana", "Ben"]).judge("Ana: dudo").verdict == "illegal"


def once_a_match() -> None:
    match = match_of("dudo", ["Ana", "Ben"], "hand Ana: 2", "result loser=Ana", "Ana: open")
    for entry in ("1x2", "Ben: dudo", "count 1", "lead Ana", "1x2", "Ben: 1x3", "Ana: calzo"):
        match.record(entry)
    match.record("count 1")
    assert match.scores["Ana"] == 2
    match.record("result loser=Ana")
    assert match.judge("Ana: open").verdict == "illegal"


def who_is_out_is_skipped() -> None:
    match = match_of("dudo", ["Ana", "Ben", "Cleo"], "hand Ben: 0", "Ana: 2x3")
    assert match.to_act == ["Cleo"]


def who_sees_what(mode: str) -> None:
    """Check the name of the round and its cited paragraph, which says who sees which dice.

    The program itself sees no dice.
    """
    match = match_of("dudo", ["Ana", "Ben"], "hand Ana: 2", "result loser=Ana", f"Ana: {mode}")
    assert match.state["bindings"]["mode"] == mode
    path = find_rule_text("dudo")
    assert path is not None
    text = read_paragraphs(path)["4.1"]
    assert "`open` (everyone sees all dice but their own)" in text
    assert "`closed` (only that player may look under the cup)" in text


FACT_TESTS: dict[str, Callable[[], None]] = {
    "UC078": no_call_before_a_bid,
    "UC085": once_a_match,
    "UC087": who_is_out_is_skipped,
    "UC090": partial(who_sees_what, "open"),
    "UC091": partial(who_sees_what, "closed"),
}


@pytest.mark.parametrize("row", [r for r in FACTS if r["agrees_with_seed"] is True], ids=name_of)
def test_facts(row: Row) -> None:
    FACT_TESTS[row["id"]]()


# --- legal and judge


def allowed(match: Match, dice: int) -> set[str]:
    """Return the allowed bids, up to the dice on the table, and the allowed calls."""
    found = set()
    who = match.to_act[0]
    acts = [f"{who}: {count}x{face}" for count in range(1, dice + 1) for face in FACES]
    acts += [f"{name}: {call}" for name in match.players for call in ("dudo", "calzo")]
    for act in acts:
        if worst_verdict(judge(match.current_round, match.notation.read(act))) != "illegal":
            found.add(act)
    return found


@pytest.mark.parametrize("face", FACES)
def test_legal_is_what_the_referee_allows(face: int) -> None:
    """Compare them after every bid up to thirty dice."""
    names = [f"P{number}" for number in range(6)]
    for count in range(1, 31):
        match = match_of("dudo", names, f"P0: {count}x{face} !stands")
        assert set(match.legal()) == allowed(match, 30)


def test_legal_as_an_opening() -> None:
    match = match_of("dudo", ["Ana", "Ben"])
    directions = {"Ana: direction left", "Ana: direction right"}
    assert set(match.legal()) == allowed(match, 10) | directions


def test_legal_is_what_match_judge_allows() -> None:
    for previous in ("5x4", "2x1", "10x6"):
        match = match_of("dudo", ["Ana", "Ben"], f"Ana: {previous} !stands")
        acts = [f"Ben: {count}x{face}" for count in range(1, 11) for face in FACES]
        acts += ["Ben: dudo", "Ben: calzo", "Ana: dudo", "Ana: calzo"]
        assert match.legal() == [act for act in acts if match.judge(act).verdict == "legal"]
