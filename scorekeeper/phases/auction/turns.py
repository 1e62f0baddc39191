"""Whose turn it is to bid, and when the bidding is over. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.phases.auction.state import State
    from scorekeeper.ruleset.shared import Offer

ROUND, FIRST, ONCE, EACH, PAIRS = TURNS = ("round", "first", "once", "each", "pairs")


class Turns:
    """How turns go round: `mode` is one of TURNS; `final`: who has passed is out; `doubling_ends`:
    a double ends the bidding."""

    __slots__ = ("doubling_ends", "final", "mode")

    def __init__(self, mode: str, final: bool, doubling_ends: bool) -> None:
        self.mode = mode
        self.final = final or mode == PAIRS
        self.doubling_ends = doubling_ends

    # --- whose turn it is

    def due(self, state: State) -> list[int]:
        """Whose turn it is; nobody's when the bidding is over."""
        if state.decided:
            return []
        if self.mode in (ONCE, EACH):
            return state.silent[:1]
        if self.mode == PAIRS:
            return self._of_a_pair(state)
        index = state.order.index(state.last) + 1 if state.last in state.order else 0
        following = state.order[index:] + state.order[:index]
        return [seat for seat in following if seat not in state.passed][:1]

    def _of_a_pair(self, state: State) -> list[int]:
        """The elder answers a bid; the younger, who makes them, is the next that has not passed."""
        elder, *others = state.left or [-1]
        if not others or state.asked:
            return [elder] if elder >= 0 else []
        return others[:1]

    def over(self, state: State) -> bool:
        """Whether nobody is left who may bid."""
        if state.closed:
            return True
        if self.mode in (ONCE, EACH):
            return not state.silent
        if self.mode == PAIRS:
            return not state.left or state.left == [state.best]
        if self.mode == FIRST and state.best >= 0:
            return True
        return all(seat in state.passed or seat == state.active for seat in state.order)

    def is_last(self, state: State) -> bool:
        """Whether everyone else has spoken, or passed where they could go on, and nobody has made
        a bid that others could not."""
        if self.mode == EACH:
            return len(state.silent) == 1
        left = state.silent if self.mode == ONCE else state.left
        return state.best < 0 and len(left) == 1

    # --- what is said

    def bid(self, state: State, seat: int, offer: Offer, higher: bool) -> None:
        """A seat bids; `higher`: it stands above the bid so far."""
        state.bids[seat] = offer
        if seat in state.passed:
            state.passed.remove(seat)
        if self.mode == EACH:
            return
        if higher or self.mode != ONCE:
            state.best = seat
            state.doubled = 0
        state.active = seat
        state.asked = self.mode == PAIRS and seat != state.left[0]
        if not self.final:
            state.passed = []

    def hold(self, state: State, seat: int) -> None:
        """A seat takes the bid that stands for its own."""
        state.bids[seat] = state.bids[state.best]
        state.best = state.active = seat
        state.asked = False

    def give_up(self, state: State, seat: int) -> None:
        """A seat passes."""
        if seat not in state.passed:
            state.passed.append(seat)
        state.asked = False

    def double(self, state: State, seat: int) -> None:
        """The bid that stands is doubled, once more if it was before."""
        state.doubled += 1
        state.active = seat
        state.closed = self.doubling_ends
        if not self.final and not state.decided:
            state.passed = []
