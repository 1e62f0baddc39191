"""What figures are told in besides a player's own: tables that are added up round by round.

Each is told of every finished round and of every match once, and keeps nothing of either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.history.outcome import Outcome
    from scorekeeper.ruleset.compiled import Ruleset


class Counted(NamedTuple):
    """A match that is counted: its ruleset, by which name each of its players is told, the day
    on which it began (empty: nobody knows)."""

    rules: Ruleset
    names: Mapping[str, str]
    day: str


class Table(Protocol):
    """A table of figures."""

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Take in a finished round of a match."""

    def add_match(self, of: Counted, places: Mapping[str, int], points: Mapping[str, int]) -> None:
        """Take in a match whose rounds were all added: the places in it, none where it has none,
        and the points that were made in it, by the names of its own."""

    def as_json(self, players: Container[str]) -> list[Json]:
        """The rows as plain JSON values, of these players alone."""
        ...


def average(points: float, count: int) -> float | None:
    """Points for each of so many; None where there are none."""
    return points / count if count else None


class Sum:
    """Rounds and what came of them: of how many it is known who won (`decided`), how many were won,
    points, and how many have a score."""

    __slots__ = ("decided", "points", "rounds", "scored", "won")

    def __init__(self) -> None:
        self.rounds = self.decided = self.won = self.points = self.scored = 0

    def add(self, points: int | None, won: bool | None) -> None:
        """One round more; None: it has no score, or nobody knows."""
        self.rounds += 1
        if won is not None:
            self.decided += 1
            self.won += won
        if points is not None:
            self.points += points
            self.scored += 1

    def as_json(self) -> Json:
        """`rounds decided won points per_round`; that is None where none has a score."""
        return {
            "rounds": self.rounds,
            "decided": self.decided,
            "won": self.won,
            "points": self.points,
            "per_round": average(self.points, self.scored),
        }


class Days(Table):
    """Who made how many points on which day."""

    def __init__(self) -> None:
        self._days: dict[str, dict[str, int]] = {}

    def add_match(self, of: Counted, places: Mapping[str, int], points: Mapping[str, int]) -> None:
        """Take in the points of a match, on the day on which it began."""
        day = self._days.setdefault(of.day, {})
        for name, number in points.items():
            told = of.names[name]
            day[told] = day.get(told, 0) + number

    def as_json(self, players: Container[str]) -> list[Json]:
        """`date points` in the order of the days, what has none first; points by name."""
        return [
            {
                "date": date,
                "points": {name: number for name, number in day.items() if name in players},
            }
            for date, day in sorted(self._days.items())
        ]
