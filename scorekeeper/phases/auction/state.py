"""Who has bid what so far. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.ruleset.shared import Offer


class State:
    """One deal's bidding. Players are seats.

    `order`: the seats in the order of speaking. `number`: how often they were asked from the
    beginning, from 1. `last`: who has spoken last (-1: nobody yet). `said`: what everyone has said,
    as texts. `bids`: everyone's last bid. `passed`: who has passed, since the last bid where
    passing is open. `best`: the seat whose bid stands (-1: there is none), `active` who has bid or
    doubled last. `asked`: a bid waits for the elder's answer. `doubled`: how often the bid that
    stands was. `closed`: a double has ended the bidding. `decided`: it is over.
    `idle`: who would still pass, one after another, in an auction that is decided because nobody
    could say anything else. `from_result`: what is played, where a result has told it.
    """

    __slots__ = (
        *("active", "asked", "best", "bids", "closed", "decided", "doubled", "from_result", "idle"),
        *("last", "number", "order", "passed", "said"),
    )

    def __init__(self, order: list[int]) -> None:
        self.order = order
        self.number = 1
        self.last = self.best = self.active = -1
        self.said: list[tuple[int, str]] = []
        self.bids: dict[int, Offer] = {}
        self.passed: list[int] = []
        self.idle: list[int] = []
        self.asked = self.closed = self.decided = False
        self.doubled = 0
        self.from_result: Offer | None = None

    @property
    def standing(self) -> Offer | None:
        """The bid that stands, if there is any."""
        return self.bids.get(self.best)

    @property
    def silent(self) -> list[int]:
        """Who has neither bid nor passed, in the order of speaking."""
        return [seat for seat in self.order if seat not in self.bids and seat not in self.passed]

    @property
    def left(self) -> list[int]:
        """Who has not passed, in the order of speaking."""
        return [seat for seat in self.order if seat not in self.passed]

    def ask_again(self) -> None:
        """Everyone has passed: they are asked once more, from the beginning."""
        self.number += 1
        self.last = -1
        self.passed = []
