"""What one finished round came to for those who took part, by its summary alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from scorekeeper.core.types import Summary


class Outcome(NamedTuple):
    """A finished round: who took part (`present`: they sat there, did not sit out, and were not
    out of the match), and who won and who lost it, as the ruleset's `[history]` says; `decided`: it
    is known who won it, if anybody did.

    `changes` are what it changed on the sheet, for everybody who sat there: what happened between
    rounds counts in the round that it opened, what was set by hand in none. None: the round has
    no score. A `void` round counts for nothing (it may be dealt again): it has no winners, and no
    changes but those of penalties. `told`: what happened in it counts, and more of it than its
    score is known.
    """

    present: Sequence[str]
    changes: Mapping[str, int] | None
    void: bool
    told: bool
    won: Collection[str]
    lost: Collection[str]
    decided: bool

    @property
    def scored(self) -> bool:
        """Whether the round counts in averages."""
        return self.changes is not None and not self.void

    def sign(self, name: str) -> int:
        """1 for who won the round, -1 for who lost it, else 0."""
        return 1 if name in self.won else -1 if name in self.lost else 0


def outcome_of(summary: Summary) -> Outcome:
    """What a round that is over came to."""
    void = summary["annulled"]
    return Outcome(
        summary["present"],
        summary["changes"],
        void,
        not (void or summary["unscored"]),
        summary["won"],
        summary["lost"],
        summary["decided"],
    )
