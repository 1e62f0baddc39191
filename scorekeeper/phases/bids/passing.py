"""The bids that no clause has anything to say of, remembered by the numbers that the clauses read.
Part of bids.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.expressions import Number
    from scorekeeper.phases.bids.barring import BarringRow

# The measures that come of a bid, the one before it, the wild face and the dice on the table.
OF_BIDS = {
    *("count", "face", "wild", "previous.count", "previous.face", "previous.wild"),
    *("opening", "dice"),
}
MOST_KNOWN = 10_000  # bids of which it is remembered whether they pass

Bid = tuple[int, int]  # a count and a face


class Passing:
    """What `rows` say of bids. `others` are the measures that they read besides those of bids."""

    __slots__ = ("bars", "others", "rows")

    def __init__(self, rows: Sequence[BarringRow]) -> None:
        names = {name for row in rows for name in row.names}
        self.rows = rows
        self.others = sorted(names - OF_BIDS)
        self.bars = lru_cache(MOST_KNOWN)(self._bars)

    def _bars(
        self, bid: Bid, last: Bid | None, wild: int, dice: int, others: tuple[Number, ...]
    ) -> bool:
        """Whether a row bars that bid after the last one, with that wild face, so many dice on the
        table and these values of `others`. Raises ExpressionError where a row has no value."""
        (count, face), (last_count, last_face) = bid, last or (0, 0)
        measures: dict[str, Number] = {
            "count": count,
            "face": face,
            "wild": face == wild,
            "previous.count": last_count,
            "previous.face": last_face,
            "previous.wild": last is not None and last_face == wild,
            "opening": last is None,
            "dice": dice,
            **dict(zip(self.others, others, strict=True)),
        }
        return any(row.bars(count, measures.__getitem__) for row in self.rows)
