"""What the tricks that are complete have won, and what is still to be won. Part of tricks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import ExpressionError, NotSeen
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint


def still_out(rnd: Joint, worth: Sequence[int]) -> list[int]:
    """The card points, by their `worth` by kind, of each card that lies in no complete trick and
    goes to somebody."""
    pack = rnd.rules.pack
    gone = [kind for trick in rnd.tricks for _, kinds in trick.laid for kind in kinds]
    gone += rnd.cards_aside()
    return [worth[kind] for kind in pack.kinds_in(pack.beyond(pack.full, pack.of(gone)))]


def has_ended(rnd: Joint, ends: Expression) -> bool:
    """Whether play is over before the hands are empty, when that holds."""
    try:
        return bool(ends.of(rnd))
    except NotSeen:
        return False  # it speaks of sides that nobody knows yet
    except ExpressionError as error:
        rnd.misruled(error)
        return False


def points_of(rnd: Joint, state: State, seat: int) -> int:
    """The card points of the seat's side. Raises Impossible while nobody knows who is on it."""
    mates: Iterable[int] = rnd.side(seat)
    if rnd.parties is not None:
        side = rnd.parties.of(seat)
        if side is None or not rnd.parties.complete:
            name, alone = rnd.names[seat], state.points[seat]
            raise Impossible(
                tr(
                    "who is on {who}'s side is not known yet; by {who} alone it is {points}",
                    who=name,
                    points=alone,
                ),
                tr("check again when the sides are known"),
            )
        mates = rnd.parties.members(side)
    return sum([trick.points for trick in rnd.tricks if trick.winner in mates])
