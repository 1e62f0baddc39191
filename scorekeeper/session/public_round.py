"""The public view of a live match: its live round, and a log of events.

For hands that were entered, this view contains only the number of cards, so it cannot reveal any
hand.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.rulings import Ruling
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.match import Match
from scorekeeper.match.public import PublicMatch, public_standing, review_public_round
from scorekeeper.store.recorder import LogState, is_standing

if TYPE_CHECKING:
    from scorekeeper.core.types import Standing
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.match.public import PublicEntries
    from scorekeeper.store.recorder import MatchRecorder

MAX_EVENTS = 500
HEADING = "heading"  # the kind of a heading before a round
INDENT = "    "  # indentation of the lines below an entry
NO_PLACE = (0, 0)
# Messages about match details that another user has changed.
DETAIL_TEXTS = {
    "started": N_("the match's date: {said}"),
    "day": N_("the match's day: {said}"),
    "place": N_("the match's place: {said}"),
    "title": N_("the match's title: {said}"),
    "note": N_("the match's note: {said}"),
}


class LivePublicRound:
    """The live round of a match as the table has seen it.

    New entries are added one by one. After any other change, the round is replayed.
    """

    def __init__(self, desk: MatchRecorder) -> None:
        self._desk = desk
        self._match: Match | None = None
        self._played: RoundRecord | None = None
        self._entries: list[str] = []
        self._public: Match | None = None
        self._before: tuple[int, Standing] | None = None
        self._texts: list[str] = []
        self._ruling: Ruling | None = None

    def public_match(self, match: Match) -> Match:
        """Return the public copy of the match, beginning with its live round."""
        played = match.rounds[-1] if match.rounds else None
        entries = played.entries if played is not None else []
        known = self._match is match and self._played is played and self._entries == entries
        if self._public is not None and known:
            return self._public
        self._match, self._played, self._entries = match, played, list(entries)
        if played is None:
            self._before = None
            return self._replay(match)
        public, before = match.public_entries(played), (played.number, played.before)
        follows = before == self._before and public.texts[: len(self._texts)] == self._texts
        start, self._before = len(self._texts), before
        self._texts = public.texts
        if self._public is not None and follows and self._follow(self._public, public, start):
            return self._public
        return self._replay(match)

    @property
    def ruling(self) -> Ruling | None:
        """The public ruling on the last entry, or None before the first entry."""
        if self._ruling is None and self._public is not None and self._texts:
            played, number = self._public.rounds[-1], len(self._texts)
            findings = tuple(finding for at, finding in played.findings if at == number)
            self._ruling = Ruling(self._texts[-1], findings)
        return self._ruling

    def _replay(self, match: Match) -> Match:
        self._ruling = None
        self._public = make_public(match, self._desk)
        return self._public

    def _follow(self, public_match: Match, public: PublicEntries, start: int) -> bool:
        if public_match.shows_entries_only:
            return False
        public_match.update_claim_windows(public)
        try:
            for text in public.texts[start:]:
                self._ruling = public_match.record(text)
        except Failure:
            return False
        return public_match.accept_public(public)


def make_public(match: Match, desk: MatchRecorder | None) -> Match:
    """Return the public copy of a match, beginning with its live round.

    `desk` is the match's recorder in a store, or None for a match that begins with its first entry.
    Earlier rounds that never finished have no announced score, so they are replayed too.
    """
    earlier = match
    while (
        desk is not None
        and earlier.first_number > 1
        and _is_unfinished(desk, earlier.first_number - 1)
    ):
        earlier = match_since(desk, earlier.first_number - 1)
    began = public_standing(earlier.first_standing, earlier.ruleset, earlier.full_notation)
    seen = earlier.copy_from(began, earlier.first_number)
    for public in islice(earlier.public_rounds(), match.first_number - earlier.first_number):
        seen.add_public_round(public)
    return match.public_copy(seen.standing)


def _is_unfinished(desk: MatchRecorder, number: int) -> bool:
    """Return whether a round was never finished although another round followed it."""
    rows = [row for row in desk.rounds(number)[:1] if row.number == number]
    return any(isinstance(row.summary, dict) and not row.summary.get("over") for row in rows)


def match_since(desk: MatchRecorder, number: int) -> Match:
    """Return the match from round `number` on.

    If the stored data for that round cannot be used, the match begins with an earlier round.
    """
    if number >= desk.match.first_number:
        return desk.match
    for row in desk.rounds(number)[:1]:
        players, first, standing = desk.row.players, row.first_position, row.standing
        if (
            row.number != number
            or first is None
            or not is_standing(standing, desk.ruleset, players)
        ):
            break
        match = Match(desk.ruleset, players, standing, number, from_storage=True)
        for texts in LogState(desk.store.log(desk.id, first), number).rounds:
            match.play_round(texts)
        return match
    return desk.full_match()


def public_history(whole: Match) -> tuple[Match, PublicMatch]:
    """Return the public copy of a whole match, and its history for reports."""
    match = whole.copy_from(whole.first_standing, whole.first_number)
    rounds = [
        review_public_round(match.add_public_round(public), public)
        for public in whole.public_rounds()
    ]
    return match, PublicMatch(match, rounds)


def trial_match(match: Match) -> Match:
    """Return a separate match that contains only the current round, for trying entries."""
    now = match.current_round
    trial = match.copy_from(now.seating.first_standing, now.number)
    if now.log.entries:
        trial.play_round([entry.text for entry in now.log.entries])
    return trial


# --- event log


class Event(NamedTuple):
    """A line in the log. `kind` is one of the kinds in `hints`, or a heading.

    `place` is the round number and the entry number. If `is_passing` is true, the event is removed
    at the next action.
    """

    kind: str
    text: str
    place: tuple[int, int] = NO_PLACE
    is_passing: bool = False


class PendingEntry(NamedTuple):
    """A refused entry on which the table must decide.

    `line` is the part of the typed line that was not recorded. `ruling` is the public ruling,
    `rest` lists the entries after the refused one, and `entry` is its canonical text.
    """

    line: str
    ruling: Ruling
    rest: list[str]
    entry: str


class EventLog:
    """The most recent events, newest last, with a heading before each round.

    `total_count` is the number of events that have ever been added.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.total_count = 0
        self._headed_round = 0

    def add(self, event: Event) -> None:
        """Add an event. If it is the first event of its round, add a heading first."""
        number = event.place[0]
        if number and number != self._headed_round:
            self._headed_round = number
            self._append(Event(HEADING, tr("round {number}", number=number), (number, 0)))
        self._append(event)

    def _append(self, event: Event) -> None:
        self.events.append(event)
        self.total_count += 1
        del self.events[:-MAX_EVENTS]

    def remove_passing(self) -> None:
        """Remove the events of refused entries."""
        self.events = [event for event in self.events if not event.is_passing]

    def remove_entry(self, place: tuple[int, int]) -> None:
        """Remove the events of an entry that was undone."""
        self.events = [event for event in self.events if event.place != place]
        if place[1] == 1:
            self.remove_round(place[0])

    def remove_round(self, number: int) -> None:
        """Remove the events of a round."""
        self.events = [event for event in self.events if event.place[0] != number]
        if self._headed_round == number:
            self._headed_round = 0


def place_text(place: tuple[int, int]) -> str:
    """Return the place of an entry as text for the beginning of a line."""
    return f"{place[0]}.{place[1]}".rjust(5) + "  "
