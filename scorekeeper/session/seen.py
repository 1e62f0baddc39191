"""The live round as the table has seen it, kept in step entry by entry.

Hands that were entered are only counted here, so whatever speaks from this view gives nothing
away. It follows the match; it is folded anew only where something else than the next entry came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Failure

if TYPE_CHECKING:
    from scorekeeper.play.match import Match
    from scorekeeper.play.played import Played


class View:
    """What the table has seen of a match's live round."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._seen = match
        self._played: Played | None = None
        self._entries: list[str] | None = None
        self._coming: tuple[int, Match] | None = None

    def of(self, match: Match) -> Match:
        """The match as it was seen, from its live round on."""
        played = match.rounds[-1] if match.rounds else None
        entries = played.entries if played is not None else []
        known = self._entries
        if (
            known is None
            or match is not self._match
            or played is not self._played
            or entries[: len(known)] != known
        ):
            self._fold(match, played, entries)
        elif len(entries) > len(known):
            self._follow(match, played, entries, len(known))
        return self._seen

    def asked(self, match: Match) -> Match:
        """The match whose `now` is what may be done next: the round that is played, or after
        its end the one to come."""
        seen = self.of(match)
        if not match.live.over or match.over:
            return seen
        number = match.now.number
        if self._coming is None or self._coming[0] != number:
            fresh = match.beside(match.standing, number)
            self._coming = (number, fresh)
        return self._coming[1]

    def _fold(self, match: Match, played: Played | None, entries: list[str]) -> None:
        before = match.standing if played is None else played.before
        number = match.live.number if played is None else played.number
        self._seen = match.beside(before, number)
        self._match, self._played, self._coming = match, played, None
        self._entries = list(entries)
        if played is not None:
            self._seen.play_round(match.seen_of(played))

    def _follow(self, match: Match, played: Played | None, entries: list[str], start: int) -> None:
        self._coming = None
        try:
            for text in match.seen_of(played, start) if played is not None else ():
                self._seen.record(text)
        except Failure:
            self._fold(match, played, entries)
        else:
            self._entries = list(entries)


def scratch(match: Match) -> Match:
    """The round that the next entry belongs to, in a match of its own to try things in."""
    now = match.now
    trial = match.beside(now.began, now.number)
    if now.log.entries:
        trial.play_round([entry.text for entry in now.log.entries])
    return trial
