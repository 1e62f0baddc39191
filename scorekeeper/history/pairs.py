"""Who does how well with whom, and against whom."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from scorekeeper.history.places import shares
from scorekeeper.history.tables import Sum, Table

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.history.outcome import Outcome
    from scorekeeper.history.tables import Counted

    Two = tuple[str, str]  # in the order of the alphabet


class Pairs(Table):
    """Rounds, void ones apart, in which two were on the same side. Points are those of both
    together; where the sides of a match share a tally, the side's."""

    def __init__(self) -> None:
        self._rows: dict[Two, Sum] = {}

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Take in a finished round, unless it is void."""
        if outcome.void:
            return
        changes, won, shared = outcome.changes, outcome.won, shares(of.rules)
        for members in summary["sides"].values():
            for one, other in combinations(members, 2):
                points = None
                if changes is not None:
                    points = changes[one] if shared else changes[one] + changes[other]
                two = _two(of.names[one], of.names[other])
                if two not in self._rows:
                    self._rows[two] = Sum()
                both = one in won and other in won
                self._rows[two].add(points, both if outcome.decided else None)

    def as_json(self, players: Container[str]) -> list[Json]:
        """`players rounds decided won points per_round`, those of most rounds first."""
        rows = sorted(self._rows.items(), key=lambda row: (-row[1].rounds, row[0]))
        return [
            {"players": list(two), **row.as_json()}
            for two, row in rows
            if two[0] in players and two[1] in players
        ]


class Compared:
    """Two players: matches in which both have a place, which of them is ahead, rounds that both
    played, and by how many points the first did better in them."""

    __slots__ = ("ahead", "behind", "even", "points", "rounds")

    def __init__(self) -> None:
        self.ahead = self.behind = self.even = self.rounds = self.points = 0

    def as_json(self, *, turned: bool) -> Json:
        """`matches ahead behind even rounds points`; `turned`: as the other one sees it."""
        ahead, behind, points = self.ahead, self.behind, self.points
        if turned:
            ahead, behind, points = behind, ahead, -points
        return {
            "matches": ahead + behind + self.even,
            "ahead": ahead,
            "behind": behind,
            "even": self.even,
            "rounds": self.rounds,
            "points": points,
        }


class Against(Table):
    """Every two players against each other. Who sits on the same side of a match is not against
    the other; void rounds count for nothing."""

    def __init__(self) -> None:
        self._rows: dict[Two, Compared] = {}
        self._sides: Iterable[Iterable[str]] = ()  # of the match that is being added

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Take in a finished round, unless it is void."""
        fixed = bool(of.rules.sides["number"])
        self._sides = summary["sides"].values() if fixed else ()
        if outcome.void:
            return
        changes, partners = outcome.changes, self._partners()
        for one, other in combinations(outcome.present, 2):
            if (one, other) in partners:
                continue
            row, sign = self._row(of.names[one], of.names[other])
            row.rounds += 1
            if changes is not None:
                row.points += sign * (changes[one] - changes[other])

    def add_match(self, of: Counted, places: Mapping[str, int], points: Mapping[str, int]) -> None:
        """Take in who was ahead of whom."""
        partners = self._partners()
        self._sides = ()
        for (one, mine), (other, theirs) in combinations(places.items(), 2):
            if (one, other) in partners:
                continue
            row, sign = self._row(of.names[one], of.names[other])
            lead = sign * (theirs - mine)
            row.ahead += lead > 0
            row.behind += lead < 0
            row.even += lead == 0

    def _partners(self) -> set[tuple[str, str]]:
        """Those who sit on the same side of the match, in either order."""
        return {(one, other) for members in self._sides for one in members for other in members}

    def _row(self, one: str, other: str) -> tuple[Compared, int]:
        """Their row, and -1 where it is kept the other way round, else 1."""
        two = _two(one, other)
        if two not in self._rows:
            self._rows[two] = Compared()
        return self._rows[two], 1 if two[0] == one else -1

    def as_json(self, players: Container[str]) -> list[Json]:
        """`player other matches ahead behind even rounds points`, each two both ways."""
        found = [
            {"player": two[turned], "other": two[not turned], **row.as_json(turned=turned)}
            for two, row in self._rows.items()
            for turned in (False, True)
            if two[0] in players and two[1] in players
        ]
        return sorted(found, key=lambda row: (row["player"], -row["matches"], row["other"]))


def _two(one: str, other: str) -> Two:
    return (one, other) if one <= other else (other, one)
