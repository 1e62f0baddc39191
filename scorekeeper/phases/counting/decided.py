"""Whether a side has won already, whatever becomes of all that lies in no complete trick. Part of
counting.

It is so where [victory] names the same side when that one takes all that is still out, and when the
other does. Asking changes nothing: what is supposed of the sides and of what they win is put back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.messages import tr
from scorekeeper.core.sides import DECLARING, OTHERS
from scorekeeper.phases.counting.state import State, Totals, so_far

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.ruleset.joint import Joint, Stateful


def is_decided(rnd: Joint, phase: Stateful[State], winner: Callable[[Joint], str]) -> bool:
    """Whether a side has won already; `winner` names the one that [victory] does, by the state of
    that phase. Raises NotSeen where that hangs on sides that are not proven, or on tricks that
    nobody has recorded."""
    parties, state = rnd.parties, rnd.state(phase)
    if parties is None or rnd.void or not parties.mode:
        return False
    if state.totals is not None:
        return state.won is not None
    if rnd.positioned:
        raise NotSeen(tr("what was won before the recording began is not known"))

    def named(side: int) -> str:
        """The side that wins if this one takes all that is still out."""
        return rnd.suppose(phase, _if_taken_by(rnd, side), lambda: winner(rnd))

    found = {_sure(rnd, way, named) for way in parties.ways()}
    if len(found) == 1:
        return found != {""}
    raise NotSeen(tr("whether a side has won already hangs on sides that nobody knows yet"))


def _sure(rnd: Joint, declaring: tuple[int, ...], named: Callable[[int], str]) -> str:
    """The side that has won already if these are the declaring one; "" if none has."""
    kept, supposed = rnd.parties, rnd.require_parties().copy(rnd.hands)
    supposed.assign(declaring)
    rnd.parties = supposed
    try:
        winners = {named(side) for side in (DECLARING, OTHERS)}
    finally:
        rnd.parties = kept
    return winners.pop() if len(winners) == 1 else ""


def _if_taken_by(rnd: Joint, side: int) -> State:
    """What the round comes to if that side takes all that is still out."""
    won, state = so_far(rnd), State()
    points, tricks = list(won.points), list(won.tricks)
    points[side] += sum(rnd.still_out() or ())
    tricks[side] += _tricks_left(rnd)
    state.totals = Totals((points[0], points[1]), (tricks[0], tricks[1]))
    return state


def _tricks_left(rnd: Joint) -> int:
    """How many tricks are still to be won, at most; that which lies on the table is one."""
    seats = [seat for seat in rnd.seats if seat not in rnd.shared.resting]
    return max(map(rnd.hands.size, seats)) + -(-rnd.shared.stock // len(seats))
