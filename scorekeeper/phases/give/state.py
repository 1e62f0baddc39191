"""Who has to give how many cards to whom, and what was given. Part of give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from scorekeeper.phases.give.syntax import Gift

NAMED = -1  # the seat of whoever is named when the cards are given
TAKER = -2  # the seat of whoever takes them, when all others are asked in turn


class Due(NamedTuple):
    """How many cards are to be given, and to which seat."""

    to: int
    number: int


class State:
    """One round's giving. `where` says to whom, in the ruleset's word; `due` what each seat has to
    give, in the order in which they are waited for; `given` what each has given and nobody has
    taken up yet; `asked` who has still to be asked whether they take it; `back` whether it is the
    second part, in which as many are given back; `moved` whether all is done."""

    __slots__ = ("asked", "back", "due", "given", "moved", "where")

    def __init__(self, where: str, due: dict[int, Due]) -> None:
        self.where = where
        self.due = due
        self.given: dict[int, Gift] = {}
        self.asked: list[int] = []
        self.back = self.moved = False

    def waiting(self) -> list[int]:
        """Who has still to give, or is asked whether they take what was given."""
        if self.moved:
            return []
        return [seat for seat in self.due if seat not in self.given] or self.asked[:1]
