"""What a live match tells of what happens, line by line, by what the table has seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.rulings import Ruling
from scorekeeper.play.unsettled import told_at_end
from scorekeeper.session import judging, telling
from scorekeeper.session.events import INDENT, NO_PLACE, Event, Log, place_text
from scorekeeper.session.faults import NARROW
from scorekeeper.session.looking import Looking
from scorekeeper.store.history import told

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.types import Json
    from scorekeeper.play.played import Played
    from scorekeeper.store.desk import Desk
    from scorekeeper.store.protocol import LogRow

FAULTS = len(INDENT) + 2  # columns before what may be done about something wrong


class Reporting(Looking):
    """A match on the table with the `log` of what happened at it."""

    def __init__(self, desk: Desk, language: str = "") -> None:
        super().__init__(desk, language)
        self.log = Log()

    @property
    def happened(self) -> int:
        """How many lines there ever were."""
        return self.log.happened

    @property
    def events(self) -> list[Event]:
        """The lines of the log, the newest last."""
        return self.log.events

    def _retell(self) -> None:
        """What stands in the live round, for somebody who comes to the table now."""
        if not self.match.rounds:
            return
        played = self.match.rounds[-1]
        self.log.begin_again(played.number)
        found = self.seen.rounds[-1].findings
        for number, text in enumerate(self.match.public(played).texts, 1):
            findings = [finding for at, finding in found if at == number]
            self.ruling = Ruling(text, tuple(findings))
            self._tell_ruling(self.ruling, (played.number, number), judging.PLAIN)
        if played.over:
            self._tell_over(played)
        for fault in self.faults.all:
            self._say(judging.NOTED, INDENT + self.speech.told(self.faults.heading(fault)))
            self._tell_fault(fault)

    def _tell_ruling(self, ruling: Ruling, place: tuple[int, int], kind: str) -> None:
        told = telling.ruling_events(ruling, place, kind, self._seen_text, self.speech.told)
        for event in told:
            self.log.add(event)
        self.changes += 1

    def _tell_fault(self, fault: Json) -> None:
        """What each choice about something wrong would cost, and what is typed."""
        lines = self.faults.lines(fault, NARROW - 1 - FAULTS)
        self._say(judging.NOTED, *(" " * FAULTS + line for line in lines))

    def _round_over(self, over: int) -> None:
        played = self.match.rounds[-1]
        if played.over and played.number != over:
            self._tell_over(played)

    def _tell_over(self, played: Played) -> None:
        """What a round came to: it belongs to the entry that ended it."""
        place = (played.number, len(played.entries))
        said = tr(
            "round {number} is over: {worth}",
            number=played.number,
            worth=played.worth,
        )
        seen = self.seen
        ends: list[str] = []
        if not seen.told_by_entries:
            ends = told_at_end(seen.live, self._seen_text, self.speech.told)
        self._say(judging.PLAIN, said, *(f"  {line}" for line in ends), place=place)
        if seen.over:
            self._say(judging.PLAIN, telling.turn(seen), place=place)

    def _report(self, rows: Iterable[LogRow]) -> None:
        for row in rows:
            text, place = told(row, self._seen_text), (row.round, row.number)
            if row.kind == "undo":
                self.log.take_back(place)
            if row.kind == "entry":
                self._say(judging.NEWS, place_text(place) + text, place=place)
            else:
                self._say(judging.NEWS, text)

    def _refuse(self, kind: str, *lines: str) -> None:
        for line in lines:
            self.log.add(Event(kind, line, passing=True))
        self.changes += 1

    def _say(self, kind: str, *lines: str, place: tuple[int, int] = NO_PLACE) -> None:
        for line in lines:
            self.log.add(Event(kind, line, place))
        self.changes += 1
