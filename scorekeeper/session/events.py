"""What a live match shows of what happened, as values, and the log that they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from scorekeeper.core.rulings import Ruling

MOST_EVENTS = 500
HEADING = "heading"  # the kind of a line with which a round begins
INDENT = "    "  # of what belongs to an entry
NO_PLACE = (0, 0)
# What else is kept about a match, as it is told when somebody else has changed it.
KEPT = {
    "started": mark("the match's date: {said}"),
    "place": mark("the match's place: {said}"),
    "title": mark("the match's title: {said}"),
    "note": mark("the match's note: {said}"),
}


class Event(NamedTuple):
    """A line of what happened; kinds are those of `judging`, or a heading. `place`: of the entry,
    by round and number, that it tells; `passing`: it goes when what it tells is settled."""

    kind: str
    text: str
    place: tuple[int, int] = NO_PLACE
    passing: bool = False


class Pending(NamedTuple):
    """A refused entry that waits for the table: the line as it was typed from there on, the
    ruling by what has been seen, the entries after it, the canonical text of the entry."""

    line: str
    ruling: Ruling
    rest: list[str]
    entry: str


class Log:
    """The lines, the newest last, a heading before each round; `happened` counts those there ever
    were (only the last ones are kept)."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.happened = 0
        self._headed = 0

    def add(self, event: Event) -> None:
        """A line more; before the first of a round, its heading."""
        number = event.place[0]
        if number and number != self._headed:
            self._headed = number
            self._append(Event(HEADING, tr("round {number}", number=number), (number, 0)))
        self._append(event)

    def _append(self, event: Event) -> None:
        self.events.append(event)
        self.happened += 1
        del self.events[:-MOST_EVENTS]

    def settle(self) -> None:
        """What was refused is settled: it need not be seen any longer."""
        self.events = [event for event in self.events if not event.passing]

    def take_back(self, place: tuple[int, int]) -> None:
        """An entry does not stand any longer."""
        self.events = [event for event in self.events if event.place != place]
        if place[1] == 1:
            self.begin_again(place[0])

    def begin_again(self, number: int) -> None:
        """A round is told anew, or not at all: what was told of its entries goes."""
        self.events = [event for event in self.events if event.place[0] != number]
        if self._headed == number:
            self._headed = 0


def place_text(place: tuple[int, int]) -> str:
    """Where an entry stands, as the beginning of its line."""
    return f"{place[0]}.{place[1]}".rjust(5) + "  "
