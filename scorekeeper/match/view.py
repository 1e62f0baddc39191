"""Read-only views of a match, as used by sheets, statistics, exports and records.

`MatchView` has four implementations. `Match` computes everything from its rounds. `StoredMatch`
reads the summaries in a store, so that no round is replayed. `PublicMatch` uses public information
only. `RenamedMatch` replaces the names of players.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from scorekeeper.core.messages import join_list, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import Notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.summary import ListedEntry


class ReviewedRound(NamedTuple):
    """A round with its summary (see `match/summary.py`).

    `entries` contains canonical text. From the first unreadable entry on, it contains the entries
    as typed.
    """

    entries: list[str]
    summary: Summary


class WrittenRound(NamedTuple):
    """A round in the form that a record stores.

    It contains the entries, the player due to deal, and the score if the round has one.
    """

    entries: list[str]
    dealer: str
    scores: dict[str, int] | None


class MatchView(ABC):
    """A read-only view of a match: its ruleset, its players with their tallies, and its rounds."""

    ruleset: Ruleset

    @property
    @abstractmethod
    def players(self) -> list[str]:
        """The names of all players who have ever been at the table.

        The initial players are listed clockwise, followed by the others in the order in which they
        joined.
        """

    @property
    @abstractmethod
    def seated_players(self) -> list[str]:
        """The names of the players at the table, clockwise."""

    @property
    @abstractmethod
    def initial_players(self) -> list[str]:
        """The names of the players who started the match, clockwise."""

    @property
    @abstractmethod
    def scores(self) -> dict[str, int]:
        """The tally of every player who has ever been at the table, by name."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """True if the match has ended."""

    @property
    def tally(self) -> Sequence[int]:
        """The tallies of the players at the table, by seat.

        >>> Match(load_ruleset("dudo"), ["Ana", "Ben"]).tally
        [5, 5]
        """
        scores = self.scores
        return [scores[name] for name in self.seated_players]

    @property
    @abstractmethod
    def preferred(self) -> list[str]:
        """The names of the only players who can win (see `match.prefers`).

        The list is empty if every player can win.
        """

    @property
    def winners(self) -> list[str]:
        """The names of the winners. The list is empty until the match has ended.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.winners
        []
        >>> played = match.play_round(["standing Ben: 1", "Ana: 2x3", "Ben: dudo", "count 2"])
        >>> match.winners
        ['Ana']
        """
        return self.current_winners if self.over else []

    @property
    def current_winners(self) -> list[str]:
        """The names of the players at the table who would win if the match ended now.

        Tied players all win. The list is empty if all players are tied. In a game that the last
        remaining player wins, it is also empty while several players remain.
        """
        tally, wins = self.tally, self.ruleset.match["wins"]
        preferred = self.preferred or self.seated_players
        can_win = [name in preferred for name in self.seated_players]
        if wins == "last":
            is_best = [
                may and not self.ruleset.is_eliminated(points)
                for may, points in zip(can_win, tally, strict=True)
            ]
            return self._names_where(is_best) if sum(is_best) == 1 else []
        among = [points for may, points in zip(can_win, tally, strict=True) if may]
        best = min(among) if wins == "fewest" else max(among)
        is_best = [may and points == best for may, points in zip(can_win, tally, strict=True)]
        return [] if all(is_best) else self._names_where(is_best)

    def _names_where(self, which: Iterable[bool]) -> list[str]:
        """Return the names of the players whose flag is true. Flags are listed by seat."""
        return [name for name, is_one in zip(self.seated_players, which, strict=True) if is_one]

    @property
    def outcome(self) -> str:
        """The result of a match that has ended, as a sentence."""
        if self.winners:
            return tr("{names} won", names=join_list(self.winners))
        return tr("a draw") if len(set(self.tally)) == 1 else tr("no winner")

    # --- rounds

    @abstractmethod
    def review(self) -> Iterator[ReviewedRound]:
        """Yield every round with its entries and its summary."""

    def summaries(self) -> Iterable[Summary]:
        """Return the summaries of all rounds, in order.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> played = match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"])
        >>> [summary["tally"] for summary in match.summaries()]
        [{'Ana': 5, 'Ben': 4}]
        """
        return (reviewed.summary for reviewed in self.review())

    def list_entries(self) -> Iterator[tuple[Summary, list[ListedEntry]]]:
        """Yield every round as a pair: its summary, and a list of its entries."""
        return self._list_entries(self.review())

    def _list_entries(
        self, rounds: Iterable[ReviewedRound]
    ) -> Iterator[tuple[Summary, list[ListedEntry]]]:
        """Yield each given round as a pair: its summary, and a list of its entries."""
        # imported only when needed, because only exports use it
        from scorekeeper.match.summary import list_entries

        notation = Notation(self.ruleset.lexicon, self.players)
        for reviewed in rounds:
            yield reviewed.summary, list(list_entries(*reviewed, notation))

    def written_rounds(self) -> Iterator[WrittenRound]:
        """Yield every round in the form that a record stores."""
        for entries, summary in self.review():
            yield WrittenRound(entries, summary["due"], summary["changes"])
