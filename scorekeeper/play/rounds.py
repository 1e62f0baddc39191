"""The rounds of a match, and how it stands after them: all that only looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.core.text import shown
from scorekeeper.play.aftermath import standing_after
from scorekeeper.play.public import BEYOND, waiting
from scorekeeper.play.reviewed import Stands
from scorekeeper.play.roster import (
    ROSTER,
    checked_names,
    everyone,
    notation_for,
    seated,
    tallies,
    why_not_seated,
)
from scorekeeper.play.round import Round
from scorekeeper.play.standing import first_standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Json, Standing
    from scorekeeper.notation import Notation
    from scorekeeper.play.played import Played
    from scorekeeper.play.public import Seen, Waiting
    from scorekeeper.ruleset.compiled import Ruleset


class Rounds(Stands):
    """Rounds between named players under one ruleset.

    `rounds` are those that have begun. Everything else is computed from their entries: `_live` is
    the last of them as it stands, `_coming` the one that the next entry would open, if somebody
    has asked for it; `_before` and `_number` are where the match begins, if not with round 1. Of a
    match as the table has seen it `_seen` is what the table can make of its last round.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: Sequence[str],
        standing: Standing | None,
        number: int,
        kept: bool,
    ) -> None:
        names = tuple(players) if kept else checked_names(ruleset.lexicon, tuple(players))
        self._notation = notation_for(ruleset.lexicon, names)
        self._first = list(self._notation.names)
        refused = why_not_seated(ruleset, len(names))
        if refused:
            raise Impossible(refused)
        self.ruleset = ruleset
        self.rounds: list[Played] = []
        self._before = standing or first_standing(ruleset, len(names))
        self._number = number
        self._live: Round | None = None
        self._coming: Round | None = None
        self._seen: Seen | None = None

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {points}" for name, points in self.scores.items())
        parts = [scores, "over" if self.over else f"to act: {', '.join(self.to_act) or 'nobody'}"]
        if self.rounds:
            last = self.rounds[-1]
            at = f"{last.number}.{len(last.entries)}"
            parts.append(f"last: {at} {shown(last.entries[-1])}")
        return f"<{type(self).__name__} {shown(self.ruleset.name)}: {'; '.join(parts)}>"

    @property
    def players(self) -> list[str]:
        """Everybody who has ever sat at the table: those who began, then as they came."""
        return everyone(self._seating, self._first)

    @property
    def seated(self) -> list[str]:
        """Who sits at the table, clockwise."""
        return seated(self._seating, self._first)

    @property
    def began_with(self) -> list[str]:
        """Those who sat there at the beginning."""
        return list(self._first)

    @property
    def _seating(self) -> Standing:
        """A standing that says who sits there now."""
        live = self._live
        return self._before if live is None else live.start.reseated or live.before

    @property
    def notation(self) -> Notation:
        """How entries are read and written now, among those who sit there."""
        names = self._first if self._live is None and ROSTER not in self._before else self.seated
        if names != self._notation.names:
            away = tuple(name for name in self.players if name not in names)
            self._notation = notation_for(self.ruleset.lexicon, tuple(names), away)
        return self._notation

    @property
    def known_notation(self) -> Notation:
        """How entries of any round are read, among everybody who has ever sat there."""
        return notation_for(self.ruleset.lexicon, tuple(self.players))

    def notation_of(self, played: Played) -> Notation:
        """How the entries of a round are read, among those who sat there in it."""
        return notation_for(self.ruleset.lexicon, tuple(played.names))

    @property
    def standing(self) -> Standing:
        """The standing after the last round, or before the first."""
        if self._live is None:
            return self._before
        told = self._last_seen
        if told is not None and told.standing is not None:
            return told.standing
        return standing_after(self._live)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.standing["over"])

    @property
    def scores(self) -> dict[str, int]:
        """The tallies of everybody who has ever sat at the table, by name."""
        return tallies(self.standing, self._first)

    def _how_it_ended(self) -> str:
        winners = self.winners
        if not winners:
            return tr("the match is over")
        return plural(
            "the match is over: {names} has won",
            "the match is over: {names} have won",
            len(winners),
            names=listed(winners),
        )

    @property
    def live(self) -> Round:
        """The round that is going on, or the last one, or the one that is to come."""
        return self._live if self._live is not None else self._next_round()

    @property
    def shown(self) -> Round:
        """The round that is to be seen: the live one, or what a match is over with."""
        return self.live if not (self.over and not self.rounds) else self.now

    @property
    def now(self) -> Round:
        """The round that the next act belongs to: a finished one gives way to the next."""
        live = self._live
        if live is None or (self.finished and not self.over):
            return self._next_round()
        return live

    @property
    def finished(self) -> bool:
        """Whether the last round is over, by what was announced too."""
        live, told = self._live, self._last_seen
        if live is None:
            return False
        if told is not None and told.standing is not None:
            return told.standing is not live.began
        return live.over or live.ended

    @property
    def astray(self) -> int:
        """The entry of the last round that does not follow from what the table has seen, where only
        that is known here; 0 if there is none."""
        told = self._last_seen
        return told.astray if told is not None else 0

    @property
    def told_by_entries(self) -> bool:
        """Whether the table cannot say how the last round stands, or ended, by what it has seen."""
        live = self._live
        unlike = live is not None and self.finished and not (live.over or live.ended)
        return unlike or self.astray > 0

    @property
    def waits(self) -> Waiting | None:
        """Which entry waits for the table's decision while a round goes on. None where all is
        decided."""
        seen = self._last_seen
        return None if seen is None or self.finished else waiting(seen)

    @property
    def _last_seen(self) -> Seen | None:
        """What the table can make of the last round, if that is asked here."""
        return self._seen if self._seen is not None and self._seen.rnd is self._live else None

    @property
    def to_act(self) -> list[str]:
        """Whom the game waits for, whose turn it is first."""
        if self.over or self._stuck or self.now.unseated:
            return []
        return self.now.names_of(self.now.waiting())

    @property
    def prompt(self) -> str:
        """What must happen now, in words."""
        if self.over:
            return tr("the match is over")
        if self._stuck:
            return str(self._why_stuck())
        now = self.now
        if now.unseated:
            return f"{now.unseated}: {now.how_to_seat}"
        if now.conflicts:
            return tr("the start does not fit together: {say}", say=now.conflicts[0][0])
        return now.phase.prompt(now) if now.phase is not None else tr("the round is over")

    @property
    def _stuck(self) -> bool:
        """Whether the round that goes on cannot, for one of its entries cannot be."""
        if self._live is None or self.finished:
            return False
        return self.rounds[-1].stuck > 0 or self.astray > 0

    @property
    def state(self) -> Json:
        """The table as it stands, by all that was entered (as plain JSON values)."""
        from scorekeeper.play.status import bare, describe

        coming = None if self.over else self.now
        if self.told_by_entries:
            return bare(self.shown, coming is None, self.to_act, self.scores)
        return describe(self.shown, coming, self.to_act, self.scores)

    # --- which round

    def _next_round(self) -> Round:
        """The round that the next entry opens; raises Impossible when the match is over."""
        standing = self.standing
        if standing["over"]:
            raise Impossible(
                self._how_it_ended(), tr("begin another with: {command}", command="new")
            )
        if self._coming is None:
            number = self._number + len(self.rounds)
            self._coming = Round(self.ruleset, self._first, number, standing)
        return self._coming

    def _why_stuck(self) -> Impossible:
        """Why nothing can be entered after an entry that could not be."""
        played = self.rounds[-1]
        if self._seen is not None and self.astray:
            at = f"{played.number}.{self.astray}"
            entry = shown(self._seen.texts[self.astray - 1], 60)
            return Impossible(tr(BEYOND, at=at, entry=entry))
        at = f"{played.number}.{played.stuck}"
        return Impossible(
            tr(
                "entry {at} ({entry}) cannot be, and nothing after it counts until it is put right",
                at=at,
                entry=shown(played.entries[played.stuck - 1], 60),
            ),
            tr(
                "{amend}, {remove}, or {undo}",
                amend=f"amend {at} ENTRY",
                remove=f"amend {at} --remove",
                undo="undo",
            ),
        )
