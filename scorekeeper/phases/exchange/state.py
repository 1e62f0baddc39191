"""What is owed from the last round. Part of exchange."""

from __future__ import annotations

DONE, CANCELLED = "done", "cancelled"


class State:
    """What one round's exchange is. `cards`: how many the seat `giver` owes (0 and None: nothing is
    owed). `end`: "" until it is done or cancelled. `last`: who did something about it last, and
    the text of that entry."""

    __slots__ = ("cards", "end", "giver", "last")

    def __init__(self, cards: int, giver: int | None) -> None:
        self.cards = cards
        self.giver = giver
        self.end = ""
        self.last: tuple[int, str] | None = None
