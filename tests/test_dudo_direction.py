"""Dudo: the direction of play, the players who may choose it, and its report."""

from __future__ import annotations

import pytest

from scorekeeper import Illegal, Match, load_ruleset

RULES = load_ruleset("dudo")
FOUR = ["Ana", "Ben", "Cleo", "Dan"]


def both_due() -> Match:
    """Return a match in which Ben and Dan have a choice, and Ana, who has none, starts."""
    match = Match(RULES, FOUR)
    for text in ("hand Ben: 2", "hand Dan: 2", "foul Ben: a", "foul Dan: b", "foul Ana: c"):
        match.record(text)
    assert match.to_act == ["Ben"]
    return match


def test_1_3_the_direction_may_be_named_before_the_choice_too() -> None:
    match = Match(RULES, FOUR)
    for text in ("hand Ben: 2", "foul Ben: a", "Ben: direction right", "Ben: open", "Ben: 1x2"):
        assert match.record(text).verdict == "legal"
    assert match.to_act == ["Ana"]
    assert match.judge("Ana: direction left").verdict == "illegal"


def test_4_2_the_direction_named_says_who_chooses() -> None:
    match = both_due()
    match.record("Ana: direction right")
    assert match.to_act == ["Dan"]
    assert match.state["bindings"]["direction"] == "right"
    with pytest.raises(Illegal):
        match.record("Ben: open")
    for text in ("Dan: open", "Ana: 1x2"):
        match.record(text)
    assert match.to_act == ["Dan"]


def test_4_2_a_result_uses_up_the_choice_that_is_due_by_the_direction() -> None:
    match = both_due()
    for text in ("Ana: direction right", "result loser=Cleo"):
        match.record(text)
    assert match.to_act == ["Ben"]


def test_1_3_only_the_starter_names_it() -> None:
    match = both_due()
    with pytest.raises(Illegal):
        match.record("Ben: direction right")
    with pytest.raises(Illegal):
        match.record("Ana: 1x2")
