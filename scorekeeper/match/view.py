"""What may be asked of any match that is told: how it stands, and what its rounds came to.

Sheets, statistics, exports and records read this and no more. Four classes answer it: `Match` from
its rounds, `StoredMatch` from what a store has kept of them, so that nothing need be played again,
`PublicMatch` from what has been public, and `RenamedMatch` by other names of its players.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import Notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.summary import Entered


class Told(NamedTuple):
    """A round to look back on: its entries (canonical; as typed from one on that could not be
    read), and what it came to (see `match/summary.py`)."""

    entries: list[str]
    summary: Summary


class Written(NamedTuple):
    """A round as a record has it: its entries, who was to deal, the changes if it has a score."""

    entries: list[str]
    dealer: str
    scores: dict[str, int] | None


class MatchView(ABC):
    """A match that can be told of: its ruleset, its players, their tallies and what follows from
    them, and its rounds."""

    ruleset: Ruleset

    @property
    @abstractmethod
    def players(self) -> list[str]:
        """Everybody who has ever sat at the table: those who began, then as they came."""

    @property
    @abstractmethod
    def seated(self) -> list[str]:
        """Who sits at the table, clockwise."""

    @property
    @abstractmethod
    def began_with(self) -> list[str]:
        """Those who sat there at the beginning."""

    @property
    @abstractmethod
    def scores(self) -> dict[str, int]:
        """The tallies of everybody who has ever sat at the table, by name."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the match is over."""

    @property
    def tally(self) -> Sequence[int]:
        """What stands on the sheet for each who sits there, by seat."""
        scores = self.scores
        return [scores[name] for name in self.seated]

    @property
    def winners(self) -> list[str]:
        """Who has won a match that is over (see `ahead`)."""
        return self.ahead if self.over else []

    @property
    def ahead(self) -> list[str]:
        """Who has won if the match ends here, of those who sit there. Ties are shared; nobody has
        where all are even, nor where the last one in wins and several still are."""
        tally, wins = self.tally, self.ruleset.match["wins"]
        if wins == "last":
            found = [not self.ruleset.is_out(points) for points in tally]
            return self._named(found) if sum(found) == 1 else []
        best = min(tally) if wins == "fewest" else max(tally)
        found = [points == best for points in tally]
        return [] if all(found) else self._named(found)

    def _named(self, which: Iterable[bool]) -> list[str]:
        return [name for name, is_one in zip(self.seated, which, strict=True) if is_one]

    @property
    def outcome(self) -> str:
        """How a match that is over ended, in words."""
        if self.winners:
            return tr("{names} won", names=listed(self.winners))
        return tr("a draw") if len(set(self.tally)) == 1 else tr("nobody has won")

    # --- its rounds

    @abstractmethod
    def review(self) -> Iterator[Told]:
        """Every round with its entries and what it came to."""

    def summaries(self) -> Iterable[Summary]:
        """What every round came to, in order."""
        return (told.summary for told in self.review())

    def entered(self) -> Iterator[tuple[Summary, list[Entered]]]:
        """What every round came to, with its entries as they are told."""
        return self._entered(self.review())

    def _entered(self, rounds: Iterable[Told]) -> Iterator[tuple[Summary, list[Entered]]]:
        from scorekeeper.match.summary import entered  # only exports need it

        notation = Notation(self.ruleset.lexicon, self.players)
        for told in rounds:
            yield told.summary, list(entered(*told, notation))

    def written(self) -> Iterator[Written]:
        """Every round as a record has it."""
        for entries, summary in self.review():
            yield Written(entries, summary["due"], summary["changes"])
