"""A trick that is complete, as a value."""

from __future__ import annotations

Laid = tuple[int, tuple[int, ...]]  # a seat, and the kinds of card it laid


class Trick:
    """A trick that is complete: its number in the deal (from 1), what was laid in this order, by
    whom, who won it with which kind of card, its card points, and whether it was the last.
    `count` is how many tricks it stands for: what is claimed without play is one with no cards."""

    __slots__ = ("count", "laid", "last", "number", "points", "winner", "with_kind")

    def __init__(
        self,
        number: int,
        laid: list[Laid],
        winner: int,
        with_kind: int,
        points: int,
        last: bool,
        count: int = 1,
    ) -> None:
        self.number = number
        self.laid = laid
        self.winner = winner
        self.with_kind = with_kind
        self.points = points
        self.last = last
        self.count = count

    def won_by(self, seat: int) -> Trick:
        """The same trick as if that seat had won it."""
        return Trick(
            self.number, self.laid, seat, self.with_kind, self.points, self.last, self.count
        )
