"""What the table has seen of a live match: its live round, and what happened, line by line.

Hands that were entered are only counted here, so whatever speaks from this view gives nothing away.
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
HEADING = "heading"  # the kind of a line with which a round begins
INDENT = "    "  # of what belongs to an entry
NO_PLACE = (0, 0)
# What else is kept about a match, as it is told when somebody else has changed it.
KEPT = {
    "started": mark("the match's date: {said}"),
    "day": mark("the match's day: {said}"),
    "place": mark("the match's place: {said}"),
    "title": mark("the match's title: {said}"),
    "note": mark("the match's note: {said}"),
}


class LivePublicRound:
    """The live round of a match as the table has seen it; `desk` is where the match is kept.
    `ruling` is the one on the last entry, by what has been seen. It follows the match entry by
    entry, and is folded anew only where something else than the next entry came."""

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
        """The match as it was seen, from its live round on."""
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
        """The ruling on the last entry, by what has been seen; None before the first."""
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
    """A match, from its live round on, as the table has seen it; `desk` is where it is kept, None
    where it begins with its first entry. A round before that was never over, of which nothing was
    announced, is folded too. Only what is public says how far back that is."""
    earlier = match
    while desk is not None and earlier.first > 1 and _goes_on(desk, earlier.first - 1):
        earlier = since(desk, earlier.first - 1)
    began = as_told(earlier.began, earlier.ruleset, earlier.known_notation)
    seen = earlier.beside(began, earlier.first)
    for public in islice(earlier.publicly(), match.first - earlier.first):
        seen.take_seen(public)
    return match.seen(seen.standing)


def _goes_on(desk: Desk, number: int) -> bool:
    """Whether a round was never over although another followed it."""
    rows = [row for row in desk.rounds(number)[:1] if row.number == number]
    return any(isinstance(row.summary, dict) and not row.summary.get("over") for row in rows)


def since(desk: Desk, number: int) -> Match:
    """A match from that round on, or from an earlier one where it cannot be read from that."""
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
    """A match from its beginning as the table has seen it, and its rounds to look back on."""
    match = whole.beside(whole.began, whole.first)
    rounds = [told(match.take_seen(public), public) for public in whole.publicly()]
    return match, PublicMatch(match, rounds)


def scratch(match: Match) -> Match:
    """The round that the next entry belongs to, in a match of its own to try things in."""
    now = match.now
    trial = match.beside(now.seating.began, now.number)
    if now.log.entries:
        trial.play_round([entry.text for entry in now.log.entries])
    return trial


# --- what happened


class Event(NamedTuple):
    """A line of what happened; kinds are those of `hints`, or a heading. `place`: of the entry,
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


class EventLog:
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
