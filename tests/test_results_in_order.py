"""Deals entered by their result without keys, where the seating makes the sides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Impossible, Match, Unreadable, load_ruleset
from tests.helpers import match_of

CASES = Path(__file__).parent / "cases" / "coinche.jsonl"
NAMES = {"N": "Nora", "E": "Emil", "S": "Sara", "W": "Wim"}  # Sara begins like the spades
TABLE = ["Ana", "Ben", "Cleo", "Dov"]
REFUSED = [
    ("110H Ana 300", "300 card points are too many; there are 162 in all"),
    ("110H Ana 161", "no set of cards, with or without last (10), adds up to 161 card points"),
    ("110H Ana 124 belote Ana belote Ben", "belote cannot be counted twice"),
    ("110Hxxx Ana 124", "a bid cannot be doubled 3 times; the maximum is twice"),
]
UNREADABLE = [
    ("115H Ana 124", "115 cannot be bid; possible bids: 80, 90"),
    ("110Q Ana 124", "“Q” is not a contract; the contracts are clubs"),
    ("H Ana 124", "a bid begins with a number, not “H”"),
    ("110H Zoe 124", "no player is called “Zoe”; players are Ana"),
    ("110H Ana 124 fox Ben", "“fox” is not a special point; the special points are"),
    ("110H Ana 124 belote", "the result must state who has belote"),
]
CONTRADICTED = [
    (["80C", "120H"], "110H Ana 124", "Ben has bid 120H"),
    (["110H", "pass", "pass", "pass"], "100H Ana 124", "Ana has bid 110H"),
    (["110H", "pass", "pass", "pass"], "110S Ana 124", "hearts is being played, not spades"),
    (["80C"], "passed out", "Ana has bid"),
    (["80C", "coinche"], "result contract=clubs bid=80 declarer=Ana points=90 doubled=0",
     "the bid was doubled once"),
    (["110H", "pass", "pass", "pass", "8C", "9C", "TC", "AC"], "result points=124",
     "tricks have been recorded"),
]  # fmt: skip


def read_cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def line_of(case: dict[str, Any]) -> str:
    """Return a deal's result as its players say it."""
    facts = case["facts"]
    declarer = facts["by"]
    side = "NS" if declarer in "NS" else "EW"
    points = "capot" if set(case["winners"]) <= set(side) else case["points"][side]
    contract = facts["contract"] + "x" * (facts["double"] // 2)
    belote = f" belote {NAMES[facts['belote']]}" if facts["belote"] else ""
    return f"{contract} {NAMES[declarer]} {points}{belote}"


@pytest.mark.parametrize("case", read_cases(), ids=line_of)
def test_a_deal_scores_the_same_by_its_result_and_by_its_cards(case: dict[str, Any]) -> None:
    match = Match(load_ruleset("coinche"), [NAMES[seat] for seat in case["players"]])
    match.record(line_of(case))
    assert match.rounds[-1].scores == {NAMES[seat]: n for seat, n in case["scores"].items()}


def test_the_shorthand_is_recorded_as_the_result_with_its_keys() -> None:
    match = match_of("coinche", TABLE)
    match.record("110HX a 124 belote Ben")
    assert match.rounds[-1].entries[-1] == (
        "result contract=hearts bid=110 doubled=1 declarer=Ana points=124 specials=Ben:belote"
    )


def test_a_name_may_have_several_words() -> None:
    match = match_of("coinche", ["Ana", "Yan Li", "Cleo", "Yan Wu"])
    match.record("110H Yan Wu 124 belote Yan Li")
    assert (
        match.rounds[-1].entries[-1].endswith("declarer=Yan Wu points=124 specials=Yan Li:belote")
    )


@pytest.mark.parametrize(("typed", "reason"), REFUSED)
def test_a_result_that_contradicts_the_rules_is_refused(typed: str, reason: str) -> None:
    with pytest.raises(Impossible) as refused:
        match_of("coinche", TABLE).record(typed)
    assert reason in str(refused.value)


@pytest.mark.parametrize(("typed", "reason"), UNREADABLE)
def test_words_without_meaning_are_answered_with_those_that_have_one(
    typed: str, reason: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        match_of("coinche", TABLE).record(typed)
    assert reason in str(refused.value)


@pytest.mark.parametrize(("entries", "typed", "reason"), CONTRADICTED)
def test_a_result_that_contradicts_the_record_is_refused(
    entries: list[str], typed: str, reason: str
) -> None:
    match = match_of("coinche", TABLE)
    for entry in entries:
        match.record(entry)
    with pytest.raises(Impossible) as refused:
        match.record(typed)
    assert reason in str(refused.value)


def test_a_result_after_the_auction_needs_only_what_is_missing() -> None:
    match = match_of("coinche", TABLE)
    for entry in ("80C", "coinche", "pass", "pass", "pass", "result points=124"):
        match.record(entry)
    assert match.rounds[-1].scores == {"Ana": 484, "Ben": 0, "Cleo": 484, "Dov": 0}


def test_a_deal_that_was_passed_out_scores_nothing_and_the_next_player_deals() -> None:
    match = match_of("coinche", TABLE)
    match.record("passed out")
    assert match.rounds[-1].scores == dict.fromkeys(TABLE, 0)
    match.record("110H Ben 124")
    assert match.rounds[-1].scores == {"Ana": 38, "Ben": 234, "Cleo": 38, "Dov": 234}
    assert len(match.rounds) == 2


def test_a_game_without_the_form_takes_no_result() -> None:
    with pytest.raises(Impossible, match="cannot be entered by its result alone"):
        match_of("whist", TABLE).record("result points=60")
