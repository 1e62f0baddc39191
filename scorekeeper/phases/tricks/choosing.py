"""What somebody might lay to a trick, by all that is known of the hand, for the clauses to judge.
Part of tricks.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, islice
from typing import TYPE_CHECKING

from scorekeeper.core.knowledge import POSSIBLE
from scorekeeper.phases.tricks.answers import AGAIN, Answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint

MOST_CHOICES = 30_000  # that are tried for `legal`
LISTED = 3  # cards to be laid to a trick, of which every choice is listed


def choices(rnd: Joint, state: State, seat: int) -> Iterator[tuple[int, ...]]:
    """Every card, or cards of a shape; of what answers many cards one example, where the hand is
    known, and once no cards at all, for the others."""
    can_hold = rnd.hands.can_hold
    if state.laid and state.size > LISTED:
        if rnd.hands.is_known(seat):
            yield _an_answer(rnd, state, seat)
        yield ()
        return
    kinds = [kind for kind in range(rnd.rules.pack.size) if can_hold(seat, kind) >= POSSIBLE]
    if state.laid:
        chosen: Iterable[tuple[int, ...]] = combinations_with_replacement(kinds, state.size)
    else:
        chosen = state.shapes.leads(state.order, kinds, rnd.hands.size(seat))
    for cards in islice(chosen, MOST_CHOICES):
        if all(can_hold(seat, kind, cards.count(kind)) >= POSSIBLE for kind in cards):
            yield cards


def _an_answer(rnd: Joint, state: State, seat: int) -> tuple[int, ...]:
    """Runs and sets of the class that was led, as much as there is of them, then its other cards,
    then any: an answer by whatever rules."""
    pack, hand, classes = rnd.rules.pack, rnd.hands.sure[seat], state.order.classes
    sets = Answer(rnd, state, seat, (), AGAIN, smaller=True).example()
    rest = pack.kinds_in(pack.beyond(hand, pack.of(sets)))
    rest.sort(key=lambda kind: classes[kind] != state.led)
    return (*sets, *rest[: state.size - len(sets)])
