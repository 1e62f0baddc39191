"""What an expression asks of a hand that may be unseen: conditions that are true, false, a claim.

The functions stand in the compiled form of a condition, in place of and, or, not and comparisons
of how many cards of some set a hand has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.claims import AllOf, AnyOf, Claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scorekeeper.core.claims import Question

    # A condition as far as it is known without the hand.
    Asked = bool | Question

PLENTY = 1 << 20
"""More cards than any hand has."""


def within(seat: int, cards: int, shown: int, least: int, most: int) -> Asked:
    """The claim that a hand has between so many cards of a set, of which `shown` have left it."""
    least, most = max(0, least - shown), most - shown
    if most < 0:
        return False
    return Claim(seat, cards, least, most) if least > 0 or most < PLENTY - shown else True


def negated(asked: Asked | float) -> Asked:
    """The contrary of a condition."""
    if isinstance(asked, AnyOf | AllOf):
        contrary = AllOf if isinstance(asked, AnyOf) else AnyOf
        return contrary(tuple(map(_contrary, asked.claims)))
    return _contrary(asked) if isinstance(asked, Claim) else not asked


def _contrary(question: Question) -> Question:
    found = negated(question) if not isinstance(question, Claim) else None
    if isinstance(found, AnyOf | AllOf):
        return found
    assert isinstance(question, Claim)
    fewer = Claim(question.seat, question.cards, 0, question.least - 1)
    more = Claim(question.seat, question.cards, question.most + 1, PLENTY)
    if not question.least:
        return more
    return AnyOf((fewer, more)) if question.most < PLENTY // 2 else fewer


def either(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Whether one of these conditions holds; none is asked after one that does."""
    return _joined(parts, True)


def both(parts: Iterable[Callable[[], Asked | float]]) -> Asked:
    """Whether all of these conditions hold; none is asked after one that does not."""
    return _joined(parts, False)


def _joined(parts: Iterable[Callable[[], Asked | float]], decisive: bool) -> Asked:
    questions: list[Question] = []
    for part in parts:
        found = part()
        if isinstance(found, Claim | AnyOf | AllOf):
            questions.append(found)
        elif bool(found) is decisive:
            return decisive
    if not questions:
        return not decisive
    if len(questions) == 1:
        return questions[0]
    return AnyOf(tuple(questions)) if decisive else AllOf(tuple(questions))


WORDS: dict[str, object] = {
    "either": either,
    "both": both,
    "negated": negated,
    "within": within,
    "PLENTY": PLENTY,
}
"""What the compiled form of such a condition calls."""
