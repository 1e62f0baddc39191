"""What has been called so far. Part of calls."""

from __future__ import annotations


class State:
    """One round's calls. A side is 0 (the declaring one) or 1, a player is a seat.

    `has`: by side, the calls that it has made, those that they imply included. `replied`: by side,
    whether its announcement was in time only because it replied to the other side's. `log`: every
    call as it was made: seat, side, name. `side_called`: the side that a seat has called for;
    `heard`: the sides that it has called for, as everyone could hear.
    `reported`: the calls (side, name) of which it was noted that they have failed. `from_result`:
    those that a result tells of, until it is inferred who made them.
    """

    __slots__ = ("from_result", "has", "heard", "log", "replied", "reported", "side_called")

    def __init__(self) -> None:
        self.has: list[tuple[str, ...]] = [(), ()]
        self.replied = [False, False]
        self.log: list[tuple[int, int, str]] = []
        self.side_called: dict[int, int] = {}
        self.heard: dict[int, set[int]] = {}
        self.reported: set[tuple[int, str]] = set()
        self.from_result: list[tuple[int, str]] = []
