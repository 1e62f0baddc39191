"""The rows of a ruleset that bar bids: one rule, by which a bid is judged and the least legal ones
are found. Part of bids."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint


class Barred(NamedTuple):
    """Why a row bars a bid: its count is beyond the `bound`, the row's `least` or `most`; or
    the row bars it whatever the count is (`limit` is empty)."""

    limit: str
    bound: float


ALWAYS = Barred("", 0)


class BarringRow:
    """A row that bars bids where `when` holds: those below `least` or above `most`; all of them,
    where it has no `least`."""

    __slots__ = ("least", "most", "when")

    def __init__(self, when: Expression, least: Expression | None = None) -> None:
        self.when = when
        self.least = least
        self.most: Expression | None = None

    @property
    def names(self) -> set[str]:
        """The measures that it reads."""
        parts = (self.when, self.least, self.most)
        return {name for part in parts if part is not None for name in part.names}

    def bars(self, count: int, get: Get) -> Barred | None:
        """Why the row bars a bid of that count, by its measures; None if it lets it pass."""
        if not self.when(get):
            return None
        if self.least is None:
            return ALWAYS
        least = self.least(get)
        if count < least:
            return Barred("least", least)
        if self.most is None:
            return None
        most = self.most(get)
        return Barred("most", most) if count > most else None

    def next_count(self, rnd: Joint, bid: Entry) -> int | None:
        """The bid's count if the row lets it pass; else the next on that face that it may let
        pass; None if none can."""
        count: int = bid.value[0]
        barred = self.bars(count, rnd.reading(bid))
        if barred is None:
            return count
        if barred.limit == "most":
            return None
        return count + 1 if barred is ALWAYS else max(count + 1, ceil(barred.bound))
