"""A round for those who sit at the table, where somebody may have come or gone before it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from scorekeeper.notation.syntax import seat_named
from scorekeeper.play.roster import Reseating, how_to_seat, seated, why_not_seated
from scorekeeper.play.seats import Seats
from scorekeeper.ruleset.shared import NOTHING_SAID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Standing
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.shared import Start


class Reseated(Seats):
    """The seats of a round, as the standing and the facts of its start have them.

    `began` is the standing that the round was opened with, `before` the same as those have changed
    it who came and went since; neither is ever changed. `unseated` says why that cannot be: then
    the round stays made for those who sat there before, and nothing happens in it. `named` are
    those who began the match. `start` are the facts that were said before the first act.
    """

    __slots__ = ("before", "began", "named", "start", "unseated")

    def __init__(self, rules: Ruleset, names: list[str], before: Standing) -> None:
        super().__init__(rules, seated(before, names))
        self.named = names
        self.began = self.before = before
        self.start = NOTHING_SAID
        self.unseated = ""

    @abstractmethod
    def place(self, word: str, start: Start) -> None:
        """Set the facts of the start, the last of them said with that verb."""

    def _take_seats(self) -> None:
        """Who sits there now, as far as the ruleset can seat them."""
        standing = self.start.reseated
        if standing is None:
            return
        names = seated(standing, self.named)
        self.unseated = why_not_seated(self.rules, len(names))
        if not self.unseated:
            self.before, self.names = standing, names

    @property
    def sitting(self) -> list[str]:
        """Who sits at the table, whether or not the ruleset can seat them."""
        return seated(self.start.reseated or self.before, self.named)

    @property
    def how_to_seat(self) -> str:
        """What to type until the ruleset can seat them."""
        return how_to_seat(self.rules, self.sitting)

    def _reseating(self) -> Reseating:
        return Reseating(self.rules, self.start.reseated or self.began, self.named)

    def somebody_comes(self, name: str, instead: bool, other: str) -> None:
        """Somebody sits down to the left of another, or `instead` of them."""
        change = self._reseating()
        standing = change.joined(name, seat_named(change.names, other, tuple(change.away)), instead)
        self.place("joins", self.start._replace(reseated=standing))

    def somebody_goes(self, name: str) -> None:
        """Somebody leaves the table; what stands on the sheet for them stays."""
        change = self._reseating()
        standing = change.left(seat_named(change.names, name, tuple(change.away)))
        self.place("quits", self.start._replace(reseated=standing))

    def all_move(self, names: Sequence[str]) -> None:
        """Those at the table sit down in this order."""
        change = self._reseating()
        standing = change.moved([seat_named(change.names, name) for name in names])
        self.place("seats", self.start._replace(reseated=standing))
