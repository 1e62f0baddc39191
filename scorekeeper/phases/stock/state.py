"""What has become of the stock. Part of stock."""

from __future__ import annotations


class State:
    """One round's stock; how many cards it has stands in the round (`Shared.stock`).

    `turned` is the kind of the card that lies face up as its last (None: there is none, or it was
    drawn); `drawn` are the seats whose last card nobody has named; `closed` is how many cards were
    left when somebody closed it (-1: nobody has); `begun` whether cards had been drawn before the
    recording began. `last` is the seat that drew the last card after the last trick, and of which
    kinds that may be (None: nobody did, or it did not lie open).
    """

    __slots__ = ("begun", "closed", "drawn", "last", "turned")

    def __init__(self) -> None:
        self.turned: int | None = None
        self.drawn: list[int] = []
        self.closed = -1
        self.begun = False
        self.last: tuple[int, tuple[int, ...]] | None = None
