"""What one player has done across the matches of a ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.history.tables import average

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.types import Json

    Number = int | float
    # Points with where they were made: the match, and the round in it (0: all of it).
    Mark = tuple[int, str, int]


class Streak:
    """Wins and losses in a row: the longest of each, and how it stands (`current`: so many wins,
    or with a minus losses). What is neither ends both."""

    __slots__ = ("current", "lost", "won")

    def __init__(self) -> None:
        self.current = self.won = self.lost = 0

    def add(self, sign: int) -> None:
        """The next one: 1 won, -1 lost, 0 neither."""
        if sign > 0:
            self.current = self.current + 1 if self.current > 0 else 1
            self.won = max(self.won, self.current)
        elif sign < 0:
            self.current = self.current - 1 if self.current < 0 else -1
            self.lost = max(self.lost, -self.current)
        else:
            self.current = 0


class Extremes:
    """The highest and the lowest of some points, the first of equal ones."""

    __slots__ = ("high", "low")

    def __init__(self) -> None:
        self.high: Mark | None = None
        self.low: Mark | None = None

    def add(self, points: int, match: str, number: int = 0) -> None:
        """Points that were made there."""
        if self.high is None or points > self.high[0]:
            self.high = (points, match, number)
        if self.low is None or points < self.low[0]:
            self.low = (points, match, number)


class Player:
    """A player's figures. `played` are the matches that they took part in, of which `unfinished`
    have no places; `won` and `places` (1 being the best) those of the others.

    `begun` are those in which a round was finished, or that are over without: averages of a match
    are of them.

    `rounds` are finished rounds in which they took part, void ones included; `scored` those of them
    that are not void and have a score, and `made` what these changed of their tally, of which
    averages of a round are made; `told` those that are not void
    and of which more than the score is known; `decided` those of which it is known who won.
    `points` are the changes of their tally, penalties in void rounds and unfinished ones included,
    without what was set by hand.
    """

    __slots__ = (
        *("begun", "counts", "decided", "made", "matches", "name", "places", "played", "points"),
        *("round_streak", "rounds", "rounds_lost", "rounds_won", "scored", "single", "streak"),
        *("told", "unfinished", "won"),
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.played = self.unfinished = self.begun = self.won = 0
        self.places: dict[int, int] = {}
        self.rounds = self.told = self.scored = self.made = self.decided = 0
        self.rounds_won = self.rounds_lost = self.points = 0
        self.counts: dict[str, Number] = {}
        self.single = Extremes()  # of rounds
        self.matches = Extremes()
        self.streak = Streak()
        self.round_streak = Streak()

    def add_round(self, sign: int) -> None:
        """A round more of which it is known who won: 1 they did, -1 they lost it, 0 neither."""
        self.decided += 1
        self.rounds_won += sign > 0
        self.rounds_lost += sign < 0
        self.round_streak.add(sign)

    def add_place(self, place: int, sign: int) -> None:
        """A match more that has places: 1 they have won it, -1 somebody else has, 0 nobody."""
        self.places[place] = self.places.get(place, 0) + 1
        self.won += sign > 0
        self.streak.add(sign)

    def as_json(self, rows: Iterable[str], *, fewest: bool, wins: bool) -> Json:
        """The figures as plain JSON values, with what these rows count; places are keys, so they
        are text. `fewest`: few points are good; `wins`: rounds are won by somebody."""
        streak, rounds = self.streak, self.round_streak
        sides = ("low", "high") if fewest else ("high", "low")
        best, worst = (
            {
                "round": _marked(getattr(self.single, side), single=True),
                "match": _marked(getattr(self.matches, side), single=False),
            }
            for side in sides
        )
        return {
            "name": self.name,
            "played": self.played,
            "unfinished": self.unfinished,
            "won": self.won,
            "rounds": self.rounds,
            "places": {str(place): self.places[place] for place in sorted(self.places)},
            "counts": {row: self.counts.get(row, 0) for row in rows},
            "points": self.points,
            "per_round": average(self.made, self.scored),
            "per_match": average(self.points, self.begun),
            "rounds_told": self.told,
            "rounds_scored": self.scored,
            "rounds_decided": self.decided,
            "rounds_won": self.rounds_won,
            "rounds_lost": self.rounds_lost,
            "round_share": average(self.rounds_won, self.decided) if wins else None,
            "best": best,
            "worst": worst,
            "streaks": {
                "won": streak.won,
                "lost": streak.lost,
                "current": streak.current,
                "rounds_won": rounds.won,
                "rounds_lost": rounds.lost,
                "rounds_current": rounds.current,
            },
        }


def _marked(mark: Mark | None, *, single: bool) -> Json | None:
    if mark is None:
        return None
    points, match, number = mark
    told: Json = {"points": points, "match": match}
    return {**told, "round": number} if single else told
