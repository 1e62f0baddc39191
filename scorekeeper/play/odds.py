"""The exact chances of a bid on dice.

Each takes: `dice`, all the dice counted, 0 to MAX_DICE; `chance`, that a die nobody has seen
matches; `count`, the number bid; `seen`, how many of the dice have been seen, and `matching`, how
many of those match. All raise ValueError for numbers that cannot be so. Results are exact.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

MAX_DICE = 9_999
MAX_DENOMINATOR = 1_000


def at_least(dice: int, chance: Fraction, count: int, seen: int = 0, matching: int = 0) -> Fraction:
    """The chance that `count` dice or more match."""
    hidden = _hidden(dice, chance, seen, matching)
    wanted = count - matching
    if wanted <= 0:
        return Fraction(1)
    if wanted > hidden:
        return Fraction(0)
    # The shorter tail is summed; the other is what it leaves.
    if wanted > hidden // 2:
        return _between(hidden, chance, wanted, hidden)
    return 1 - _between(hidden, chance, 0, wanted - 1)


def exactly(dice: int, chance: Fraction, count: int, seen: int = 0, matching: int = 0) -> Fraction:
    """The chance that `count` dice match, no more and no fewer."""
    hidden = _hidden(dice, chance, seen, matching)
    wanted = count - matching
    if not 0 <= wanted <= hidden:
        return Fraction(0)
    return _between(hidden, chance, wanted, wanted)


def mean(dice: int, chance: Fraction, seen: int = 0, matching: int = 0) -> Fraction:
    """How many dice match on average."""
    return matching + _hidden(dice, chance, seen, matching) * chance


def _between(hidden: int, chance: Fraction, least: int, most: int) -> Fraction:
    """The chance that `least` to `most` of the hidden dice match; 0 <= least <= most <= hidden."""
    hit, miss = chance.numerator, chance.denominator - chance.numerator
    if not hit or not miss:
        sure = hidden if hit else 0
        return Fraction(int(least <= sure <= most))
    ways = comb(hidden, least) * hit**least * miss ** (hidden - least)
    total = ways
    for matches in range(least, most):
        ways = ways * ((hidden - matches) * hit) // ((matches + 1) * miss)
        total += ways
    return Fraction(total, chance.denominator**hidden)


def _hidden(dice: int, chance: Fraction, seen: int, matching: int) -> int:
    if not 0 <= dice <= MAX_DICE:
        raise ValueError(f"{dice} dice: there may be 0 to {MAX_DICE}")
    if not 0 <= seen <= dice:
        raise ValueError(f"{seen} dice seen of {dice}")
    if not 0 <= matching <= seen:
        raise ValueError(f"{matching} dice matching of {seen} seen")
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance of {chance}: it runs from 0 to 1")
    if chance.denominator > MAX_DENOMINATOR:
        raise ValueError(f"a chance in parts of {chance.denominator}: at most {MAX_DENOMINATOR}")
    return dice - seen
