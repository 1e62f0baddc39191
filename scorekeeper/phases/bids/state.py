"""The bids of a round. Part of bids."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.ruleset.shared import Bid, Called


class State:
    """`bids` are those made so far, the last one last; `call` is what ended them (None before)."""

    __slots__ = ("bids", "call")

    def __init__(self) -> None:
        self.bids: list[Bid] = []
        self.call: Called | None = None

    @property
    def last(self) -> Bid | None:
        """The last bid, if there is any."""
        return self.bids[-1] if self.bids else None
