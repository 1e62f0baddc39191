"""What an expression asks of a hand that may be unseen: conditions that are true, false, a claim.

The functions stand in the compiled form of a condition, in place of and, or, not and comparisons
of how many cards of some set a hand has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.claims import AllOf, AnyOf, Claim
from scorekeeper.core.expressions.parsing import ExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    # A condition as far as it is known without the hand.
    Asked = bool | Claim | AnyOf | AllOf

PLENTY = 1 << 20
"""More cards than any hand has."""

TOO_DEEP = ExpressionError(
    "questions about a hand are joined by and, or by or, not by both",
    "split it into two rows",
)


def within(seat: int, cards: int, shown: int, least: int, most: int) -> Asked:
    """The claim that a hand has between so many cards of a set, of which `shown` have left it."""
    least, most = max(0, least - shown), most - shown
    if most < 0:
        return False
    return Claim(seat, cards, least, most) if least > 0 or most < PLENTY - shown else True


def negated(asked: Asked | float) -> Asked:
    """The contrary of a condition."""
    if isinstance(asked, AnyOf):
        return AllOf(tuple(_contrary(claim) for claim in asked.claims))
    if isinstance(asked, AllOf):
        return AnyOf(tuple(_contrary(claim) for claim in asked.claims))
    if isinstance(asked, Claim):
        if asked.least and asked.most < PLENTY // 2:
            low = Claim(asked.seat, asked.cards, 0, asked.least - 1)
            return AnyOf((low, Claim(asked.seat, asked.cards, asked.most + 1, PLENTY)))
        return _contrary(asked)
    return not asked


def _contrary(claim: Claim) -> Claim:
    if claim.least and claim.most < PLENTY // 2:
        raise TOO_DEEP
    if claim.least:
        return Claim(claim.seat, claim.cards, 0, claim.least - 1)
    return Claim(claim.seat, claim.cards, claim.most + 1, PLENTY)


def either(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Whether one of these conditions holds; none is asked after one that does."""
    return _joined(parts, True)


def both(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Whether all of these conditions hold; none is asked after one that does not."""
    return _joined(parts, False)


def _joined(parts: Iterable[Callable[[], Asked | float]], decisive: bool) -> Asked:
    claims: list[Claim] = []
    same, other = (AnyOf, AllOf) if decisive else (AllOf, AnyOf)
    nested: AnyOf | AllOf | None = None
    for part in parts:
        found = part()
        if isinstance(found, Claim):
            claims.append(found)
        elif isinstance(found, same):
            claims += found.claims
        elif isinstance(found, other):
            if nested is not None:
                raise TOO_DEEP
            nested = found
        elif bool(found) is decisive:
            return decisive
    if nested is not None:
        if claims:
            raise TOO_DEEP
        return nested
    if not claims:
        return not decisive
    return claims[0] if len(claims) == 1 else same(tuple(claims))
