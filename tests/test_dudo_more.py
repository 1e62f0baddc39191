"""Dudo, further: the direction before a choice, checks after a round."""

from __future__ import annotations

import pytest

from scorekeeper import Illegal, Impossible, Match, load_ruleset
from tests.helpers import match_of

RULES = load_ruleset("dudo")
FOUR = ["Ana", "Ben", "Cleo", "Dan"]


def both_due() -> Match:
    """Ben and Dan have a choice, Ana, who has none, starts."""
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


def test_a_check_after_the_round_is_of_the_new_tally_and_is_asked_again_and_again() -> None:
    match = match_of("dudo", ["Ana", "Ben"], "Ana: 2x3", "Ben: dudo", "count 1", "check Ana: 4")
    assert match.judge("check Ana: 4").verdict == "legal"
    with pytest.raises(Impossible, match="it is 4, not 5"):
        match.judge("check Ana: 5")
    with pytest.raises(Impossible, match="it is 4, not 5"):
        match.record("check Ana: 5")
    assert match.rounds[0].entries[-1] == "check Ana: 4"
