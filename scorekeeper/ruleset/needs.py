"""What a contract needs of the hand that its player was dealt, as a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.hands import AnyOf, Breach, Claim, Unsure, fold, within
from scorekeeper.ruleset.subjects import Own

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome, Question
    from scorekeeper.core.types import Facts
    from scorekeeper.ruleset.joint import Joint

TRUMPS, LAID, DEALT = "trumps", "recorded()", "dealt()"  # measures of tricks


def asked_of(
    rnd: Joint, seat: int, condition: Expression, trumps: Callable[[], int], facts: Facts
) -> Outcome:
    """What a condition asks of the hand that a seat was dealt; `trumps` gives the set that the
    word means in it."""
    get = rnd.reading(Own((seat,)))
    laid = int(get(LAID))

    def of_a_part(cards: int) -> tuple[int, int, int]:
        return seat, cards & rnd.rules.pack.full, (laid & cards).bit_count()

    # What a measure gives hangs on its name: see `Get`.
    def read(name: str) -> Any:
        if name == TRUMPS:
            return trumps()
        return of_a_part if name == DEALT and rnd.positioned else get(name)

    try:
        asked = condition.asked(read)
    except NotSeen:
        return Unsure(facts)
    if isinstance(asked, bool):
        return None if asked else Breach(facts)
    unseen = rnd.rules.deal_size(len(rnd.seats)) - rnd.hands.size(seat) - laid.bit_count()
    if unseen <= 0:
        asked.facts = facts
        return asked
    kept = _holds_of_a_part(rnd, asked, unseen)
    if kept is True:
        return None
    return Unsure(facts) if kept is None else Breach(facts)


def _holds_of_a_part(rnd: Joint, asked: Question, unseen: int) -> bool | None:
    """Whether that is so of a hand of which so many cards had been played unseen."""
    if not isinstance(asked, Claim):
        verdicts = [_holds_of_a_part(rnd, each, unseen) for each in asked.claims]
        return fold(verdicts, isinstance(asked, AnyOf))
    low, high = rnd.hands.bounds(asked.seat, asked.cards)
    high += min(unseen, (rnd.hands.unseen & asked.cards).bit_count())
    return within(low, high, asked.least, asked.most)
