"""Da Ban at a table with incomplete knowledge of owed, finished and remaining cards."""

from __future__ import annotations

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable, load_ruleset

RULES = load_ruleset("da-ban")
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
HANDS = ("trump H", "lead Ana", "hand Ana: 4S 4D", "hand Ben: 2")


def table(*entries: str) -> Match:
    match = Match(RULES, FOUR)
    for text in entries:
        match.record(text)
    return match


def codes(match: Match, text: str) -> list[str]:
    return [finding.code for finding in match.judge(text).findings]


def test_2_3_in_a_round_that_began_in_the_middle_the_draw_is_over() -> None:
    match = table("result points=100", *HANDS)
    assert codes(match, "Ana: declare 4S") == ["draw.draw-over"]
    assert not [text for text in match.legal() if "declare" in text]
    match.record("Ana: 4S")
    assert codes(match, "Ben: declare 4C") == ["draw.draw-over"]


def test_2_3_six_jokers_name_no_trump_where_that_of_the_previous_deal_is_not_known() -> None:
    jokers = "kitty BJ BJ BJ LJ LJ LJ"
    assert table("trump H", "result points=100", jokers).state["bindings"]["trump"] == "H"
    match = table("trump H", "result points=100", "result points=100")
    with pytest.raises(Impossible):
        match.record(jokers)


def test_4_3_what_is_not_owed_says_nothing_of_the_old_masters_trumps() -> None:
    match = table("result points=165")
    assert codes(match, "Ben: exchange 2 with Ana") == ["exchange.owed"]
    assert codes(table("result points=185"), "Ben: exchange 2 with Cleo") == ["exchange.between"]


def test_4_3_where_nobody_knows_nothing_is_said_of_what_he_has() -> None:
    match = table("result points=185")
    (found,) = match.judge("Ben: exchange 2 with Ana").findings
    assert found.verdict == "open"
    assert "fewer than" not in found.reason


def test_3_1_more_cards_than_there_are_of_a_kind() -> None:
    match = table(*HANDS)
    with pytest.raises(Unreadable, match="1 to 3 cards"):
        match.judge("Ana: 7C 7C 7C 7C")


def test_3_4_where_nobody_knows_he_is_not_said_to_have_no_other() -> None:
    match = table("trump H", "lead Ana", "hand Ana: 4", "Ana: 7C", "Dan: AC", "Ben: AC")
    (found,) = match.record("Ben: takeback").findings
    assert found.verdict == "open"
    assert "it is unknown" in found.reason
    with pytest.raises(Illegal):
        match.record("Ben: AC")
