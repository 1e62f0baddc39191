"""Whether a side has won already, whatever becomes of all that lies in no complete trick. Part of
counting.

It is so where [victory] names the same side when that one takes all that is still out, and when the
other does. Asking changes nothing: what is supposed of the sides and of what they win is put back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import NotSeen
from scorekeeper.phases.counting.state import State, Totals, so_far

if TYPE_CHECKING:
    from scorekeeper.phases.counting.course import Counting
    from scorekeeper.ruleset.joint import Joint


def is_decided(phase: Counting, rnd: Joint) -> bool:
    """Whether a side has won already. Raises NotSeen where that hangs on sides that are not
    proven, or on tricks that nobody has recorded."""
    parties, state = rnd.parties, rnd.state(phase)
    if parties is None or rnd.void or not parties.mode:
        return False
    if state.totals is not None:
        return state.won is not None
    if rnd.positioned:
        raise NotSeen("what was won before the recording began is not known")
    winners = {_sure_winner(phase, rnd, way) for way in parties.ways()}
    if len(winners) == 1:
        return winners != {""}
    raise NotSeen("whether a side has won already hangs on sides that nobody knows yet")


def _sure_winner(phase: Counting, rnd: Joint, declaring: tuple[int, ...]) -> str:
    """The side that has won already if these are the declaring one; "" if none has."""
    kept, supposed = rnd.parties, rnd.require_parties().copy(rnd.hands)
    supposed.assign(declaring)
    rnd.parties = supposed
    try:
        first, second = (_winner(phase, rnd, side) for side in range(2))
    finally:
        rnd.parties = kept
    return first if first == second else ""


def _winner(phase: Counting, rnd: Joint, side: int) -> str:
    """The side that wins ("": none) if this one takes all that is still out."""
    won, points, tricks = so_far(rnd), sum(rnd.still_out() or ()), _tricks_left(rnd)
    state = State()
    takes = (points, 0) if side == 0 else (0, points)
    wins = (tricks, 0) if side == 0 else (0, tricks)
    state.totals = Totals(
        (won.points[0] + takes[0], won.points[1] + takes[1]),
        (won.tricks[0] + wins[0], won.tricks[1] + wins[1]),
    )
    return rnd.suppose(phase, state, lambda: phase.named_by_victory(rnd))


def _tricks_left(rnd: Joint) -> int:
    """How many tricks are still to be won, at most; that which lies on the table is one."""
    seats = [seat for seat in rnd.seats if seat not in rnd.shared.resting]
    return max(map(rnd.hands.size, seats)) + -(-rnd.shared.stock // len(seats))
