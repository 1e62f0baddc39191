"""Euchre: when the dealer takes the turned-up card, and which players play cards."""

from __future__ import annotations

import pytest

from scorekeeper import Failure, Match, load_ruleset

NAMES = ["Ana", "Ben", "Cleo", "Dan"]


def match_with(*entries: str) -> Match:
    match = Match(load_ruleset("euchre"), NAMES)
    for entry in entries:
        match.record(entry)
    return match


def test_the_dealer_takes_the_card_that_was_ordered_up_and_lays_one_aside() -> None:
    match = match_with("turnup QH", "Ana: hearts")
    assert (match.prompt, match.legal()) == ("Dan must take QH", ["Dan: take"])
    match.record("Dan: take")
    assert match.judge("Dan: bury QH").verdict == "legal"
    assert match.judge("Dan: bury 2").findings[0].cite == "2.6"
    match.record("Dan: bury 1")
    assert match.to_act == ["Ana"]


@pytest.mark.parametrize(
    ("said", "to_act"),
    [("contract Cleo: hearts", "Dan"), ("contract Cleo: clubs", "Ana")],
)
def test_who_plays_what_as_a_fact_says_whether_the_card_is_taken(said: str, to_act: str) -> None:
    assert match_with("turnup QH", said).to_act == [to_act]


def test_a_dealer_who_sits_out_takes_nothing() -> None:
    match = match_with("turnup QH", "Ana: pass", "Ben: hearts alone")
    assert match.to_act == ["Ana"]
    with pytest.raises(Failure):
        match.record("Dan: take")


def test_the_card_that_was_turned_up_is_in_no_hand_before_it_is_taken() -> None:
    match = match_with("turnup QH", "Ana: pass", "Ben: pass", "Cleo: pass", "Dan: pass")
    match.record("Ana: diamonds")
    with pytest.raises(Failure, match="QH"):
        match.record("Ana: QH")
