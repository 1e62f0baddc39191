"""The dice shown, and the row that decides a call. Part of reveal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from scorekeeper.core.expressions import Expression, Number
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Joint, Role

SINGLE = ("loser", "gainer")
SEVERAL = ("losers", "gainers")
ROLES = (*SINGLE, *SEVERAL)
# Whom a row leaves out that concerns everybody else.
ALL_BUT = {"all-but-bidder": "bidder", "all-but-caller": "caller"}


class State:
    """`shown` are the dice shown so far, by seat; `count` is how many dice match the bid, once
    that is known; `outcome` is the row of [outcomes] that then decided the call."""

    __slots__ = ("count", "outcome", "shown")

    def __init__(self) -> None:
        self.shown: dict[int, tuple[int, ...]] = {}
        self.count: int | None = None
        self.outcome: Row | None = None


class Outcome(NamedTuple):
    """A row of [outcomes] by its name, and its condition."""

    name: str
    row: Row
    when: Expression

    @property
    def starter(self) -> str:
        """Who starts the next round: whom it concerns, or who alone is not concerned."""
        who: str = self.row["who"]
        return self.row["starts"] or ALL_BUT.get(who, who)

    def concerned(self, rnd: Joint, bidder: int, caller: int) -> Role:
        """Whom it concerns, after a call of this player on a bid of that one."""
        who: str = self.row["who"]
        seat = bidder if ALL_BUT.get(who, who) == "bidder" else caller
        if who not in ALL_BUT:
            return rnd.names[seat], (seat,)
        found = tuple(other for other in rnd.playing() if other != seat)
        return "+".join(rnd.names_of(found)), found

    def holds(self, rnd: Joint, bid: int, count: int) -> bool:
        """Whether its condition holds with so many dice matching a bid of that count."""
        given = {"bid.count": bid, "matching": count, "missed": abs(bid - count)}
        read = rnd.reading()

        def get(name: str) -> Number | None:
            return given[name] if name in given else read(name)

        return bool(self.when.value(get))
