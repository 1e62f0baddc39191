"""The public view of a live match: its live round, and a log of events.

Hands that were entered are only counted here, so this view reveals nothing.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import Ruling
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.match import Match
from scorekeeper.match.public import PublicMatch, as_told, told
from scorekeeper.store.recorder import History, is_standing

if TYPE_CHECKING:
    from scorekeeper.core.types import Standing
    from scorekeeper.engine.replay import Played
    from scorekeeper.match.public import Public
    from scorekeeper.store.recorder import Desk

MOST_EVENTS = 500
HEADING = "heading"  # the kind of a heading before a round
INDENT = "    "  # before lines that belong to an entry
NO_PLACE = (0, 0)
# Messages for details of the match that another user has changed.
KEPT = {
    "started": mark("the match's date: {said}"),
    "day": mark("the match's day: {said}"),
    "place": mark("the match's place: {said}"),
    "title": mark("the match's title: {said}"),
    "note": mark("the match's note: {said}"),
}


class LivePublicRound:
    """The live round of a match as the table has seen it.

    It follows the match entry by entry, and is replayed only after other changes.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._match: Match | None = None
        self._played: Played | None = None
        self._entries: list[str] = []
        self._seen: Match | None = None
        self._before: tuple[int, Standing] | None = None
        self._texts: list[str] = []
        self._ruling: Ruling | None = None

    def of(self, match: Match) -> Match:
        """Return the public copy of the match from its live round on."""
        played = match.rounds[-1] if match.rounds else None
        entries = played.entries if played is not None else []
        known = self._match is match and self._played is played and self._entries == entries
        if self._seen is not None and known:
            return self._seen
        self._match, self._played, self._entries = match, played, list(entries)
        if played is None:
            self._before = None
            return self._fold(match)
        public, before = match.public(played), (played.number, played.before)
        follows = before == self._before and public.texts[: len(self._texts)] == self._texts
        start, self._before = len(self._texts), before
        self._texts = public.texts
        if self._seen is not None and follows and self._follow(self._seen, public, start):
            return self._seen
        return self._fold(match)

    @property
    def ruling(self) -> Ruling | None:
        """The public ruling on the last entry, or None before the first."""
        if self._ruling is None and self._seen is not None and self._texts:
            played, number = self._seen.rounds[-1], len(self._texts)
            found = tuple(finding for at, finding in played.findings if at == number)
            self._ruling = Ruling(self._texts[-1], found)
        return self._ruling

    def _fold(self, match: Match) -> Match:
        self._ruling = None
        self._seen = as_seen(match, self._desk)
        return self._seen

    def _follow(self, seen: Match, public: Public, start: int) -> bool:
        if seen.told_by_entries:
            return False
        seen.listen(public)
        try:
            for text in public.texts[start:]:
                self._ruling = seen.record(text)
        except Failure:
            return False
        return seen.hear(public)


def as_seen(match: Match, desk: Desk | None) -> Match:
    """Return the public copy of a match from its live round on.

    `desk` is the match's place in a store, or None for a match that begins with its first entry.
    Earlier rounds that never finished have no announced score, so they are replayed too.
    """
    earlier = match
    while desk is not None and earlier.first > 1 and _goes_on(desk, earlier.first - 1):
        earlier = since(desk, earlier.first - 1)
    began = as_told(earlier.began, earlier.ruleset, earlier.known_notation)
    seen = earlier.beside(began, earlier.first)
    for public in islice(earlier.publicly(), match.first - earlier.first):
        seen.take_seen(public)
    return match.seen(seen.standing)


def _goes_on(desk: Desk, number: int) -> bool:
    """Return whether a round never finished although another one followed it."""
    rows = [row for row in desk.rounds(number)[:1] if row.number == number]
    return any(isinstance(row.summary, dict) and not row.summary.get("over") for row in rows)


def since(desk: Desk, number: int) -> Match:
    """Return the match from round `number` on, or from an earlier one if its data are unusable."""
    if number >= desk.match.first:
        return desk.match
    for row in desk.rounds(number)[:1]:
        players, first, standing = desk.row.players, row.first_position, row.standing
        if (
            row.number != number
            or first is None
            or not is_standing(standing, desk.ruleset, players)
        ):
            break
        match = Match(desk.ruleset, players, standing, number, kept=True)
        for texts in History(desk.store.log(desk.id, first), number).rounds:
            match.play_round(texts)
        return match
    return desk.whole()


def past_of(whole: Match) -> tuple[Match, PublicMatch]:
    """Return the public copy of a whole match, and its history for reports."""
    match = whole.beside(whole.began, whole.first)
    rounds = [told(match.take_seen(public), public) for public in whole.publicly()]
    return match, PublicMatch(match, rounds)


def scratch(match: Match) -> Match:
    """Return a separate match with only the current round, for trials."""
    now = match.now
    trial = match.beside(now.seating.began, now.number)
    if now.log.entries:
        trial.play_round([entry.text for entry in now.log.entries])
    return trial


# --- what happened


class Event(NamedTuple):
    """A line of the log. Kinds are those of `hints`, or a heading.

    `place` is the round and the number of its entry. An event that `is_passing` is removed as
    soon as its cause is settled.
    """

    kind: str
    text: str
    place: tuple[int, int] = NO_PLACE
    passing: bool = False


class Pending(NamedTuple):
    """A refused entry on which the table must decide.

    `line` is the rest of the typed line, `ruling` the public ruling, `rest` the entries after it
    and `entry` its canonical text.
    """

    line: str
    ruling: Ruling
    rest: list[str]
    entry: str


class EventLog:
    """The latest events, the newest last, with a heading before each round.

    `total_count` is the number of all events ever added.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.happened = 0
        self._headed = 0

    def add(self, event: Event) -> None:
        """Add an event, after a heading if it is the first of its round."""
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
        """Remove the events of refused entries."""
        self.events = [event for event in self.events if not event.passing]

    def take_back(self, place: tuple[int, int]) -> None:
        """Remove the events of an entry that was undone."""
        self.events = [event for event in self.events if event.place != place]
        if place[1] == 1:
            self.begin_again(place[0])

    def begin_again(self, number: int) -> None:
        """Remove the events of a round."""
        self.events = [event for event in self.events if event.place[0] != number]
        if self._headed == number:
            self._headed = 0


def place_text(place: tuple[int, int]) -> str:
    """Return the place of an entry as the beginning of a line."""
    return f"{place[0]}.{place[1]}".rjust(5) + "  "
