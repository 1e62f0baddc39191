"""What somebody might lay to a trick, by all that is known of the hand, for the clauses to judge.
Part of tricks.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, islice
from typing import TYPE_CHECKING

from scorekeeper.core.knowledge import POSSIBLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint

MOST_CHOICES = 30_000  # that are tried for `legal`
LISTED = 3  # cards to be laid to a trick, of which every choice is listed


def choices(rnd: Joint, state: State, seat: int) -> Iterator[tuple[int, ...]]:
    """Every card, or cards of a shape; what answers many cards only once, as no cards at all."""
    can_hold = rnd.hands.can_hold
    if state.laid and state.size > LISTED:
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
