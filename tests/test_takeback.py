"""A withdrawn card is barred as its own replacement, and later it may be played again (3.4)."""

from __future__ import annotations

import pytest

from scorekeeper import Illegal, Match
from tests.helpers import match_of

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
START = ("trump H", "master Ana", "kitty 3C 4C 5C 6C 7C 8C", "Ana: leave")
TAKEN_BACK = (*START, "Ana: KS", "Cleo: 5S", "Ben: KS", "Ben: takeback")


def codes(match: Match, text: str) -> list[str]:
    try:
        return [finding.code for finding in match.record(text).findings]
    except Illegal as illegal:
        return [finding.code for finding in illegal.ruling.findings]


def test_the_card_may_be_led_in_the_next_trick() -> None:
    match = match_of("da-ban", FOUR, *TAKEN_BACK, "Ben: AS", "Dan: 4S")
    assert match.to_act == ["Ben"]
    assert match.record("Ben: KS").verdict == "legal"


def test_the_card_may_be_laid_in_the_next_trick() -> None:
    match = match_of("da-ban", FOUR, *TAKEN_BACK, "Ben: 7S", "Dan: 4S", "Ana: QS")
    assert codes(match, "Ben: KS") == []


@pytest.mark.parametrize(
    "between", [[], ["Dan: 4S"], ["Ben: KS !withdrawn"], ["Ben: 7S !withdrawn"]]
)
def test_the_card_may_not_replace_itself(between: list[str]) -> None:
    """Cover an early card by another player, and a second withdrawn card."""
    match = match_of("da-ban", FOUR, *TAKEN_BACK, *between)
    assert codes(match, "Ben: KS") == ["tricks.another"]
    assert codes(match, "Ben: 7S") == []


def test_the_last_card_of_a_trick_is_replaced_before_the_next() -> None:
    match = match_of("da-ban", FOUR, *START, "Ana: KS", "Cleo: 5S", "Ben: 6S", "Dan: KS")
    # open, because Dan may have the other copy
    assert match.record("Dan: takeback").verdict == "open"
    assert codes(match, "Dan: KS") == ["tricks.another"]
    assert codes(match, "Dan: AS") == []
    assert codes(match, "Dan: KS") == []


def test_who_takes_back_a_lead_leads_what_he_likes() -> None:
    """Nothing has been led any more, so no suit must be followed."""
    match = match_of("da-ban", FOUR, *START, "Ana: KS", "Ana: takeback !stands")
    assert codes(match, "Ana: 5D") == []
    assert codes(match, "Ben: 6D") == []
