"""Chances of a bid, compared with a count of all rolls and with the rule text's own figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.cli.odds import MAX_DICE, at_least, exactly, mean

THIRD = Fraction(1, 3)
SIXTH = Fraction(1, 6)


def share(hidden: int, faces: int, test: object) -> Fraction:
    """Return the share of all rolls of `hidden` dice whose number of matching dice passes the test.

    A die matches if its face is below `faces`.
    """
    assert callable(test)
    rolls = list(product(range(6), repeat=hidden))
    return Fraction(sum(test(sum(die < faces for die in roll)) for roll in rolls), len(rolls))


@pytest.mark.parametrize("faces", [1, 2])
@pytest.mark.parametrize(("dice", "seen", "matching"), [(0, 0, 0), (3, 0, 0), (5, 2, 1), (6, 6, 2)])
def test_as_counting_every_roll(faces: int, dice: int, seen: int, matching: int) -> None:
    chance = Fraction(faces, 6)
    for count in range(-1, dice + 3):
        true = share(dice - seen, faces, lambda n, c=count: n + matching >= c)
        same = share(dice - seen, faces, lambda n, c=count: n + matching == c)
        assert at_least(dice, chance, count, seen, matching) == true
        assert exactly(dice, chance, count, seen, matching) == same


def test_the_rule_texts_figures() -> None:
    assert mean(20, THIRD) == Fraction(20, 3)
    assert mean(20, SIXTH) == Fraction(10, 3)
    assert mean(20, THIRD, seen=5, matching=5) == 10


@given(
    st.integers(0, 60),
    st.integers(0, 60),
    st.fractions(0, 1, max_denominator=12),
    st.integers(-2, 65),
)
def test_they_agree_with_one_another(dice: int, seen: int, chance: Fraction, count: int) -> None:
    seen = min(seen, dice)
    matching = seen // 2
    here = at_least(dice, chance, count, seen, matching)
    assert 0 <= here <= 1
    assert here - at_least(dice, chance, count + 1, seen, matching) == exactly(
        dice, chance, count, seen, matching
    )
    tails = (at_least(dice, chance, n, seen, matching) for n in range(1, dice + 1))
    assert sum(tails) == mean(dice, chance, seen, matching)


def test_the_largest_game() -> None:
    middle = at_least(MAX_DICE, THIRD, MAX_DICE // 3)
    assert Fraction(1, 2) < middle < Fraction(51, 100)
    assert exactly(MAX_DICE, SIXTH, MAX_DICE) == SIXTH**MAX_DICE


@pytest.mark.parametrize(
    "arguments",
    [
        (MAX_DICE + 1, THIRD, 1),
        (-1, THIRD, 1),
        (5, THIRD, 1, 6, 0),
        (5, THIRD, 1, -1, 0),
        (5, THIRD, 1, 3, 4),
        (5, THIRD, 1, 3, -1),
        (5, Fraction(4, 3), 1),
        (5, Fraction(-1, 3), 1),
        (5, Fraction(1, 10**9), 1),
    ],
)
def test_what_cannot_be(arguments: Any) -> None:
    for chance_of in (at_least, exactly):
        with pytest.raises(ValueError):
            chance_of(*arguments)
