"""Whole deals of shipped games over unseen hands: a forbidden card is told, and a group it is in is
named, with the first entry that leaves no distribution of the cards in which all was allowed."""

from __future__ import annotations

import pytest

from tests.oracle.racing import Racer
from tests.oracle.revokes import GAMES, deal
from tests.oracle.whole import NOBODY, Whole, matched, none_of

DEALS = range(6)


def test_a_card_in_the_way_is_put_elsewhere() -> None:
    assert matched([["a", "b"], ["a"]], {"a": 1, "b": 1})
    assert matched([["a", "b"], ["b", "c"], ["a"]], {"a": 1, "b": 1, "c": 1})
    assert not matched([["a"], ["a"], ["a", "b"]], {"a": 1, "b": 2})


def test_two_hands_cannot_both_be_without_the_last_cards_of_a_suit() -> None:
    whole = Whole(["AC", "KC", "AH"], {"Ana": 1, "Ben": 1, NOBODY: 1})
    one, other = (whole.ask(1, name, none_of(["AC", "KC"])) for name in ("Ana", "Ben"))
    assert whole.may_be_kept([one])
    assert whole.may_be_kept([other])
    assert not whole.may_be_kept([one, other])
    whole.show("Ana", "AC")
    assert not whole.may_be_kept([one])


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_forbidden_card_is_told_as_early_as_can_be(ruleset: str) -> None:
    races = [Racer(deal(ruleset, seed, True)).run() for seed in DEALS]
    assert [race for race in races if not race.as_early_as_can_be] == []
    assert sum(race.provable > 0 for race in races) > len(DEALS) / 2


@pytest.mark.parametrize("ruleset", GAMES)
def test_of_a_deal_without_one_nothing_is_told(ruleset: str) -> None:
    races = [Racer(deal(ruleset, seed, False)).run() for seed in DEALS]
    assert [race for race in races if race.others] == []
