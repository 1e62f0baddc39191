"""Across matches: what players have done in all of them, for each ruleset.

Matches are looked back on (`Reviewed`), each when it is its turn, in one pass over its rounds;
nothing is kept of a match but what is added up. Nothing here knows a game, or plays one again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.history.pairs import Against, Pairs
from scorekeeper.history.parts import Breakdowns
from scorekeeper.history.player import Player
from scorekeeper.history.results import came_to
from scorekeeper.history.tables import Counted, Days
from scorekeeper.ruleset.reports import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.history.listed import Listed
    from scorekeeper.history.outcome import Outcome
    from scorekeeper.history.results import Result
    from scorekeeper.history.tables import Table
    from scorekeeper.ruleset.compiled import Ruleset

    # From when a match began to the day on which it did, where people are.
    Day = Callable[[str], str]

# The tables that are made only when they are asked for, in the order in which they are told.
TABLES: Mapping[str, Callable[[], Table]] = {
    "breakdowns": Breakdowns,
    "pairs": Pairs,
    "against": Against,
    "days": Days,
}
ALL = frozenset(TABLES)


def written_day(started: str) -> str:
    """The day on which a match began, as it is written."""
    return started[:10]


class Figures:
    """What players have done in the matches of one ruleset.

    `rounds` are those that were finished; `counted` and `left_out` how many matches that nobody
    ended have places, or none; `first` and `last` the days of the first match and of the last,
    as far as they are known. `players` lead from a name to what they have done.
    """

    def __init__(self, ruleset: str, title: str, tables: Iterable[str] = ALL) -> None:
        self.ruleset = ruleset
        self.title = title
        self.matches = self.rounds = 0
        self.counted = self.left_out = 0
        self.first = self.last = ""
        self.tally = ""
        self.fewest = False
        self.labels: dict[str, str] = {}
        self.shares: dict[str, str] = {}
        self.players: dict[str, Player] = {}
        self._tables = {name: made() for name, made in TABLES.items() if name in tables}
        self._spelled: dict[str, Player] = {}
        self._rules: Ruleset | None = None

    def of(self, name: str) -> Player:
        """A player's figures; names that differ only in case are one player's."""
        folded = name.casefold()
        found = self._spelled.get(folded)
        if found is None:
            found = self._spelled[folded] = self.players[name] = Player(name)
        return found

    def add(self, listed: Listed, summaries: Sequence[Summary], day: str) -> None:
        """Take in a match, which has these rounds."""
        match = listed.match
        self._told_by(match.ruleset)
        self.matches += 1
        if day:
            self.first = min(self.first or day, day)
            self.last = max(self.last, day)
        who = {name: self.of(name) for name in match.players}
        of = Counted(match.ruleset, {name: each.name for name, each in who.items()}, day)
        for summary in summaries:
            for row, counted in summary["counts"].items():
                for name, number in counted.items():
                    who[name].counts[row] = who[name].counts.get(row, 0) + number
        result = came_to(match, summaries)
        self._add_rounds(of, listed.name, result.outcomes, who)
        if not match.over:
            self.counted += bool(result.places)
            self.left_out += not result.places
        for name, player in who.items():
            _add_result(player, name, result, listed.name)
        for table in self._tables.values():
            table.add_match(of, result.places, result.points)

    def _told_by(self, rules: Ruleset) -> None:
        """What the ruleset calls things; that of the last match counts."""
        if rules is self._rules:
            return
        self._rules = rules
        self.tally = rules.said(rules.tally["name"])
        self.fewest = rules.match["wins"] == "fewest"
        rows = rules.sheet.statistics
        self.labels |= {row.name: row.label for row in rows}
        there = {ROUNDS, *self.labels}  # a row may be turned off with its verbs
        self.shares |= {row.name: row.of for row in rows if row.of in there}

    def _add_rounds(
        self,
        of: Counted,
        match: str,
        outcomes: Sequence[tuple[Summary, Outcome]],
        who: Mapping[str, Player],
    ) -> None:
        """Take in the finished rounds of a match that is called so."""
        self.rounds += len(outcomes)
        tables = list(self._tables.values())
        for summary, outcome in outcomes:
            changes, decided = outcome.changes if outcome.scored else None, outcome.decided
            for name in outcome.present:
                player = who[name]
                player.told += outcome.told
                if decided:
                    player.add_round(outcome.sign(name))
                if changes is not None:
                    player.single.add(changes[name], match, summary["round"])
            for table in tables:
                table.add_round(of, summary, outcome)

    def done(self) -> None:
        """Leave those out who took part in no match, and put the others in the order of their
        wins, then of how few matches they needed."""
        there = [player for player in self.players.values() if player.played]
        there.sort(key=lambda player: (-player.won, player.played))
        self.players = {player.name: player for player in there}

    def as_json(self) -> Json:
        """The figures as plain JSON values, with the tables that were asked for."""
        wins = any(player.rounds_won for player in self.players.values())
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "matches": self.matches,
            "rounds": self.rounds,
            "tally": self.tally,
            "fewest": self.fewest,
            "unended": {"counted": self.counted, "left_out": self.left_out},
            "first": self.first,
            "last": self.last,
            "labels": self.labels,
            "shares": self.shares,
            "players": [
                player.as_json(self.labels, fewest=self.fewest, wins=wins)
                for player in self.players.values()
            ],
            **{name: table.as_json(self.players) for name, table in self._tables.items()},
        }


def figures(
    matches: Iterable[Listed], tables: Iterable[str] = ALL, day: Day = written_day
) -> list[Figures]:
    """The figures of all these matches, one for each ruleset by its name, with these of TABLES.

    Streaks are told in the order in which the matches come. Matches without an entry do not count,
    nor does one for who took part in no round of it while others finished one. `day` gives the
    day of when a match began.
    """
    found: dict[str, Figures] = {}
    for listed in matches:
        summaries = list(listed.match.summaries())
        if summaries:
            rules = listed.match.ruleset
            if rules.name not in found:
                found[rules.name] = Figures(rules.name, rules.said(rules.title), tables)
            found[rules.name].add(listed, summaries, day(listed.started) if listed.started else "")
    for each in found.values():
        each.done()
    return list(found.values())


def _add_result(player: Player, name: str, result: Result, match: str) -> None:
    """What a match came to for a player who is called so in it."""
    player.points += result.points[name]
    if name not in result.rounds:
        return
    player.played += 1
    player.rounds += result.rounds[name]
    player.scored += result.scored[name]
    player.made += result.made[name]
    player.begun += bool(result.outcomes or result.places)
    if name in result.places:
        won = name in result.won
        player.add_place(result.places[name], 1 if won else -1 if result.won else 0)
        player.matches.add(result.points[name], match)
    else:
        player.unfinished += 1
