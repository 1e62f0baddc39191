"""Statistics of players across matches, for each ruleset.

Matches are read one after another, in one pass over their rounds. Only totals stay in memory.
Optional tables, such as points by day, are also computed round by round. This module depends on no
game, and replays no rounds.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

from scorekeeper.core.types import NamedTuple
from scorekeeper.history.ranking import Comparison, rank_keys, ranking_key, sum_figures
from scorekeeper.history.results import has_shared_tallies, match_result
from scorekeeper.match.summary import format_fact, is_given, round_fact
from scorekeeper.ruleset.ranking import POINTS
from scorekeeper.ruleset.reports import BY_ROLES, ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Json, JsonValue, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.history.results import MatchResult, RoundOutcome
    from scorekeeper.match.view import MatchView
    from scorekeeper.ruleset.reports import Breakdown

    Number = int | float
    # A number of points, the match in which a player made them, and the number of the round (0 for
    # the whole match).
    PointsMark = tuple[int, str, int]
    NamePair = tuple[str, str]  # two names in alphabetical order

PLAYER = "player."


class CatalogEntry(NamedTuple):
    """A match in a list, with its details.

    `name` is its number in the book, or its file name. `started` is an ISO 8601 date or time, and
    `day` the local day on which the match began. Both are "" if unknown. `language` is the language
    in which its entries are typed. `identifier` is "" if the match has none. `options` are the
    options of its ruleset.
    """

    match: MatchView
    name: str = ""
    started: str = ""
    place: str = ""
    title: str = ""
    note: str = ""
    language: str = ""
    identifier: str = ""
    options: Mapping[str, JsonValue] | None = None
    day: str = ""


# --- statistics of a player


class PlayerStatistics:
    """The statistics of a player.

    Of the `matches_played`, `matches_unfinished` have no places. `matches_won` and `places` (from 1
    for the best) cover only matches with places. `begun_matches` have a finished round or have
    ended. Averages per match are based on them.

    `rounds` are the finished rounds in which the player took part, including void ones.
    `scored_rounds` are not void and have a score. `round_points` is the total of their tally
    changes, for averages per round. `detailed_rounds` are not void, and more than their score is
    known. `decided_rounds` have a known winner. `points` is the total of all tally changes. It
    includes penalties in void and unfinished rounds, and excludes tallies that were set by hand.
    """

    __slots__ = (
        *("begun_matches", "counts", "decided_rounds", "detailed_rounds", "match_extremes"),
        *("matches_played", "matches_unfinished", "matches_won", "name", "places"),
        *("points", "round_extremes", "round_points", "round_streak", "rounds"),
        *("rounds_lost", "rounds_won", "scored_rounds", "streak"),
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.matches_played = self.matches_unfinished = self.begun_matches = self.matches_won = 0
        self.places: dict[int, int] = {}
        self.rounds = self.detailed_rounds = self.scored_rounds = self.round_points = (
            self.decided_rounds
        ) = 0
        self.rounds_won = self.rounds_lost = self.points = 0
        self.counts: dict[str, Number] = {}
        self.round_extremes = Extremes()  # the highest and lowest points in a round
        self.match_extremes = Extremes()
        self.streak = Streak()
        self.round_streak = Streak()

    def add_round(self, sign: int) -> None:
        """Add a decided round. `sign` is 1 if the player won it, -1 if they lost it, else 0."""
        self.decided_rounds += 1
        self.rounds_won += sign > 0
        self.rounds_lost += sign < 0
        self.round_streak.add(sign)

    def add_place(self, place: int, sign: int) -> None:
        """Add a match with places.

        `sign` is 1 if the player won the match, -1 if they lost it, and 0 if there is no winner.
        """
        self.places[place] = self.places.get(place, 0) + 1
        self.matches_won += sign > 0
        self.streak.add(sign)

    def as_json(self, rows: Iterable[str], *, fewest: bool, wins: bool) -> Json:
        """Return the statistics as JSON values, with counts for the given rows.

        Places are keys, so they are strings. `fewest` is true if few points are good, and `wins`
        if rounds of this game have winners.
        """
        streak, rounds = self.streak, self.round_streak
        sides = ("low", "high") if fewest else ("high", "low")
        best, worst = (
            {
                "round": _mark_json(getattr(self.round_extremes, side), single=True),
                "match": _mark_json(getattr(self.match_extremes, side), single=False),
            }
            for side in sides
        )
        return {
            "name": self.name,
            "played": self.matches_played,
            "unfinished": self.matches_unfinished,
            "won": self.matches_won,
            "rounds": self.rounds,
            "places": {str(place): self.places[place] for place in sorted(self.places)},
            "counts": {row: self.counts.get(row, 0) for row in rows},
            "points": self.points,
            "per_round": average(self.round_points, self.scored_rounds),
            "per_match": average(self.points, self.begun_matches),
            "rounds_told": self.detailed_rounds,
            "rounds_scored": self.scored_rounds,
            "rounds_decided": self.decided_rounds,
            "rounds_won": self.rounds_won,
            "rounds_lost": self.rounds_lost,
            "round_share": average(self.rounds_won, self.decided_rounds) if wins else None,
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


def _mark_json(mark: PointsMark | None, *, single: bool) -> Json | None:
    if mark is None:
        return None
    points, match, number = mark
    result: Json = {"points": points, "match": match}
    return {**result, "round": number} if single else result


class Streak:
    """Wins and losses in a row: the longest streak of each, and the current streak.

    `current` is a number of wins, or a negative number of losses. A draw ends any streak.
    """

    __slots__ = ("current", "lost", "won")

    def __init__(self) -> None:
        self.current = self.won = self.lost = 0

    def add(self, sign: int) -> None:
        """Add the next result: 1 for a win, -1 for a loss, else 0."""
        if sign > 0:
            self.current = self.current + 1 if self.current > 0 else 1
            self.won = max(self.won, self.current)
        elif sign < 0:
            self.current = self.current - 1 if self.current < 0 else -1
            self.lost = max(self.lost, -self.current)
        else:
            self.current = 0


class Extremes:
    """The highest and the lowest points. Among equal points, the earliest are recorded."""

    __slots__ = ("high", "low")

    def __init__(self) -> None:
        self.high: PointsMark | None = None
        self.low: PointsMark | None = None

    def add(self, points: int, match: str, number: int = 0) -> None:
        """Add the points made in a round of a match, or in the whole match if `number` is 0."""
        if self.high is None or points > self.high[0]:
            self.high = (points, match, number)
        if self.low is None or points < self.low[0]:
            self.low = (points, match, number)


def average(points: float, count: int) -> float | None:
    """Return points divided by a count, or None if the count is 0."""
    return points / count if count else None


# --- optional tables


class CountedMatch(NamedTuple):
    """A match being counted, with its ruleset and the name under which each player is listed.

    `day` and `place` are "" if they are unknown.
    """

    rules: Ruleset
    names: Mapping[str, str]
    day: str
    place: str = ""


class FigureTable(Protocol):
    """A table of statistics."""

    def add_round(self, of: CountedMatch, summary: Summary, outcome: RoundOutcome) -> None:
        """Add a finished round of a match."""

    def add_match(
        self, of: CountedMatch, places: Mapping[str, int], points: Mapping[str, int]
    ) -> None:
        """Add a match whose rounds have all been added. `places` is empty if the match has none."""

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return the rows of these players as JSON values."""
        ...


class DailyPoints(FigureTable):
    """Points by day and player."""

    def __init__(self) -> None:
        self._days: dict[str, dict[str, int]] = {}

    def add_match(
        self, of: CountedMatch, places: Mapping[str, int], points: Mapping[str, int]
    ) -> None:
        """Add the points of a match to the day on which it began."""
        day = self._days.setdefault(of.day, {})
        for name, number in points.items():
            listed_name = of.names[name]
            day[listed_name] = day.get(listed_name, 0) + number

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return rows with the keys `date` and `points`, oldest first.

        Matches without a date have the date "" and are first.
        """
        return [
            {
                "date": date,
                "points": {name: number for name, number in day.items() if name in players},
            }
            for date, day in sorted(self._days.items())
        ]


class PartnerStatistics(FigureTable):
    """Statistics on rounds in which two players were on the same side. Void rounds do not count.

    The points are the total for both players, or the points of their side if sides share a tally.
    """

    def __init__(self) -> None:
        self._rows: dict[NamePair, RoundSum] = {}

    def add_round(self, of: CountedMatch, summary: Summary, outcome: RoundOutcome) -> None:
        """Add a finished round, unless it is void."""
        if outcome.is_void:
            return
        changes, won, shared = outcome.changes, outcome.won, has_shared_tallies(of.rules)
        for members in summary["sides"].values():
            for one, other in combinations(members, 2):
                points = None
                if changes is not None:
                    points = changes[one] if shared else changes[one] + changes[other]
                two = _name_pair(of.names[one], of.names[other])
                if two not in self._rows:
                    self._rows[two] = RoundSum()
                both = one in won and other in won
                self._rows[two].add(points, both if outcome.is_decided else None)

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return a row for each pair, sorted by the number of rounds, with the largest first.

        The keys are `players rounds decided won points per_round`.
        """
        rows = sorted(self._rows.items(), key=lambda row: (-row[1].rounds, row[0]))
        return [
            {"players": list(two), **row.as_json()}
            for two, row in rows
            if two[0] in players and two[1] in players
        ]


class OpponentStatistics(FigureTable):
    """Comparisons between players who were not on the same side. Void rounds do not count."""

    def __init__(self) -> None:
        self._rows: dict[NamePair, OpponentRecord] = {}
        self._sides: Iterable[Iterable[str]] = ()  # the fixed sides of the current match

    def add_round(self, of: CountedMatch, summary: Summary, outcome: RoundOutcome) -> None:
        """Add a finished round, unless it is void."""
        fixed = bool(of.rules.sides["number"])
        self._sides = summary["sides"].values() if fixed else ()
        if outcome.is_void:
            return
        changes, partners = outcome.changes, self._partners()
        for one, other in combinations(outcome.present, 2):
            if (one, other) in partners:
                continue
            row, sign = self._row(of.names[one], of.names[other])
            row.rounds += 1
            if changes is not None:
                row.points += sign * (changes[one] - changes[other])

    def add_match(
        self, of: CountedMatch, places: Mapping[str, int], points: Mapping[str, int]
    ) -> None:
        """Count who finished ahead of whom in a match."""
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
        """Return the pairs of players on the same side in a match, in both orders."""
        return {(one, other) for members in self._sides for one in members for other in members}

    def _row(self, one: str, other: str) -> tuple[OpponentRecord, int]:
        """Return the comparison of two players, and a sign.

        The sign is 1 if the comparison is stored from the first player's view, and -1 if it is
        stored from the other player's view.
        """
        two = _name_pair(one, other)
        if two not in self._rows:
            self._rows[two] = OpponentRecord()
        return self._rows[two], 1 if two[0] == one else -1

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return two rows for each pair, one from the view of each player.

        The keys are `player other matches ahead behind even rounds points`.
        """
        rows = [
            {"player": two[turned], "other": two[not turned], **row.as_json(turned=turned)}
            for two, row in self._rows.items()
            for turned in (False, True)
            if two[0] in players and two[1] in players
        ]
        return sorted(rows, key=lambda row: (row["player"], -row["matches"], row["other"]))


class OpponentRecord:
    """A comparison between two players.

    `ahead`, `behind` and `even` count the matches in which both have places, from the first
    player's view. `rounds` is the number of rounds that both played. `points` is the first player's
    lead in these rounds.
    """

    __slots__ = ("ahead", "behind", "even", "points", "rounds")

    def __init__(self) -> None:
        self.ahead = self.behind = self.even = self.rounds = self.points = 0

    def as_json(self, *, turned: bool) -> Json:
        """Return JSON values with the keys `matches ahead behind even rounds points`.

        If `turned` is true, return them from the second player's view.
        """
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


def _name_pair(one: str, other: str) -> NamePair:
    return (one, other) if one <= other else (other, one)


class Breakdowns(FigureTable):
    """The breakdowns that a ruleset defines."""

    def __init__(self) -> None:
        self._rows: dict[str, BreakdownCounts] = {}
        self._ruleset: Ruleset | None = None
        self._current: list[BreakdownCounts] = []

    def add_round(self, of: CountedMatch, summary: Summary, outcome: RoundOutcome) -> None:
        """Add a finished round, unless it is void."""
        if of.rules is not self._ruleset:
            self._ruleset = of.rules
            self._current = [self._counts_of(row, of.rules) for row in of.rules.sheet.breakdowns]
        if not outcome.is_void:
            for parts in self._current:
                parts.add(of, summary, outcome)

    def _counts_of(self, row: Breakdown, rules: Ruleset) -> BreakdownCounts:
        """Return the counts for a row. From this call on, `rules` supplies their labels."""
        parts = self._rows.setdefault(row.name, BreakdownCounts(row, rules))
        parts.add_row, parts.rules = row, rules
        return parts

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return the breakdowns in the ruleset's order."""
        return [parts.as_json(players) for parts in self._rows.values()]


class BreakdownCounts:
    """The rounds of one breakdown, by part and player.

    The breakdown divides the rounds into parts. A part is a role, or one value of a fact. Its label
    is taken from the ruleset of the latest match.
    """

    def __init__(self, row: Breakdown, rules: Ruleset) -> None:
        self.add_row = row
        self.rules = rules
        self._parts: dict[str, dict[str, RoundSum]] = {}

    def add(self, of: CountedMatch, summary: Summary, outcome: RoundOutcome) -> None:
        """Add a round that is not void."""
        row, roles = self.add_row, summary["roles"]
        if not is_given(summary, row.given):
            return
        playing: Iterable[str] = outcome.present
        if row.as_roles:
            members = {
                name for role in row.as_roles if role in roles for name in roles[role]["players"]
            }
            playing = [name for name in playing if name in members]
        if row.named:
            player = round_fact(summary, row.named)
            playing = [name for name in playing if name == player]
        changes, success = outcome.changes, row.success
        known = outcome.has_details if success else outcome.is_decided
        successes = (summary["facts"].get(success) or {}) if success else {}
        for name, parts in self._parts_of(summary, playing):
            succeeded = _items(successes.get(name)) if success else ()
            points = None if changes is None else changes[name]
            for part in parts:
                rows = self._parts.setdefault(part, {})
                listed_name = of.names[name]
                if listed_name not in rows:
                    rows[listed_name] = RoundSum()
                is_success = part in succeeded if success else name in outcome.won
                rows[listed_name].add(points, is_success if known else None)

    def _parts_of(
        self, summary: Summary, playing: Iterable[str]
    ) -> Iterable[tuple[str, Iterable[str]]]:
        """Return the parts to which a round belongs for each of these players, without
        duplicates."""
        row, roles = self.add_row, summary["roles"]
        if row.by == BY_ROLES:
            members = [(role, roles[role]["players"]) for role in row.roles if role in roles]
            return [(name, [role for role, who in members if name in who]) for name in playing]
        if row.by.startswith(PLAYER):
            facts = summary["facts"].get(row.by) or {}
            return [(name, _items(facts[name])) for name in playing if name in facts]
        items = _items(round_fact(summary, row.by))
        return [(name, items) for name in playing] if items else ()

    def _label_of(self, part: str) -> str:
        """Return the label of a part in the current language."""
        return self.rules.translate(self.rules.translate_word(part))

    def as_json(self, players: Container[str]) -> Json:
        """Return the breakdown as JSON values with the keys `name label parts players`.

        Parts that are roles are in the ruleset's order. Other parts are sorted by the number of
        rounds, with the largest first.
        """
        row, parts = self.add_row, self._parts
        if row.by == BY_ROLES:
            order = [role for role in row.roles if role in parts]
        else:
            rounds = {part: sum(each.rounds for each in parts[part].values()) for part in parts}
            order = sorted(parts, key=lambda part: (-rounds[part], part))
        labels = _distinct_labels({part: self._label_of(part) for part in order})
        names = dict.fromkeys(name for part in order for name in parts[part])
        return {
            "name": row.name,
            "label": row.label,
            "parts": list(labels.values()),
            "players": [
                {
                    "name": name,
                    "parts": {
                        labels[part]: parts[part][name].as_json()
                        for part in order
                        if name in parts[part]
                    },
                }
                for name in names
                if name in players
            ],
        }


def _items(value: object) -> list[str]:
    """Return the values of a fact as strings, without duplicates or empty strings."""
    many = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(text for text in map(format_fact, many) if text))


def _distinct_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of parts. Equal labels are replaced by the parts' names in the ruleset."""
    texts = list(labels.values())
    return {part: label if texts.count(label) == 1 else part for part, label in labels.items()}


class RoundSum:
    """Totals over rounds: how many there are, how many were decided, won and scored, and the
    points."""

    __slots__ = ("decided", "points", "rounds", "scored", "won")

    def __init__(self) -> None:
        self.rounds = self.decided = self.won = self.points = self.scored = 0

    def add(self, points: int | None, won: bool | None) -> None:
        """Add a round.

        `points` is None if the round has no score. `won` is None if its winner is unknown.
        """
        self.rounds += 1
        if won is not None:
            self.decided += 1
            self.won += won
        if points is not None:
            self.points += points
            self.scored += 1

    def as_json(self) -> Json:
        """Return JSON values with the keys `rounds decided won points per_round`.

        `per_round` is None if no round has a score.
        """
        return {
            "rounds": self.rounds,
            "decided": self.decided,
            "won": self.won,
            "points": self.points,
            "per_round": average(self.points, self.scored),
        }


class RankingTable(FigureTable):
    """The figures by which the ruleset ranks players, and the resulting places.

    A figure that compares tables is known only when all matches of the day have been added.
    """

    def __init__(self) -> None:
        self._rules: Ruleset | None = None
        self._rounds: list[Summary] = []  # of the current match
        self._sums: dict[str, dict[str, tuple[int, int]]] = {}  # by figure and player
        self._comparison = Comparison()
        self._compared: list[Mapping[str, str]] = []  # the listed names, by match
        self._day = ""

    def add_round(self, of: CountedMatch, summary: Summary, outcome: RoundOutcome) -> None:
        """Remember a finished round until its match is added."""
        if of.rules.ranking.figures:
            self._rounds.append(summary)

    def add_match(
        self, of: CountedMatch, places: Mapping[str, int], points: Mapping[str, int]
    ) -> None:
        """Add the figures of a match, unless its rules have none."""
        ranking, rounds = of.rules.ranking, self._rounds
        self._rounds = []
        if not ranking.figures:
            return
        if of.day != self._day:
            self._settle()
        self._rules, self._day = of.rules, of.day
        took_part = {name for summary in rounds for name in summary["present"]}
        took_part |= {name for summary in rounds for name in summary["sat_out"]}
        for figure, numbers in sum_figures(ranking, rounds, points).numbers.items():
            for name in numbers:
                if name in took_part:
                    self._add(figure, of.names[name], numbers[name], 1)
        self._comparison.add(of.rules, of.day, of.place, rounds, len(self._compared))
        self._compared.append(of.names)

    def _add(self, figure: str, name: str, amount: int, possible: int) -> None:
        sums = self._sums.setdefault(figure, {})
        before = sums.get(name, (0, 0))
        sums[name] = before[0] + amount, before[1] + possible

    def _settle(self) -> None:
        """Compare the tables of the current day."""
        for each in self._comparison.settle():
            names = self._compared[each.match]
            self._add(each.figure, names[each.name], each.amount, each.possible)
        self._compared.clear()

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return a row for each figure, the deciding ones first.

        The keys are `name label decides fewest players`. `decides` is 1 for the figure that decides
        first, 2 for the next one, and so on, and None for the others. A row of `players` has `name
        place value amount of`. `place` is the player's place by all deciding figures. `value` is
        `amount`, or `amount` as a percentage of `of` if the figure is a share.
        """
        self._settle()
        if self._rules is None:
            return []
        rules, ranking = self._rules, self._rules.ranking
        everybody = dict.fromkeys(name for sums in self._sums.values() for name in sums)
        chain = [name for name in ranking.chain if name in self._sums] or [POINTS]
        if ranking.by not in self._sums:
            chain = [POINTS]
        keys = {name: ranking_key(ranking, chain, partial(self._value, name)) for name in everybody}
        places = rank_keys(keys)
        order = sorted(everybody, key=lambda name: places.get(name, len(everybody) + 1))
        return [
            {
                "name": figure,
                "label": self._label_of(rules, figure),
                "decides": chain.index(figure) + 1 if figure in chain else None,
                "fewest": ranking.prefers_fewest(figure),
                "players": [
                    self._player_json(figure, name, places.get(name))
                    for name in order
                    if name in self._sums[figure] and name in players
                ],
            }
            for figure in dict.fromkeys((*chain, POINTS, *ranking.figures))
            if figure in self._sums
        ]

    def _label_of(self, rules: Ruleset, figure: str) -> str:
        row = rules.ranking.figures.get(figure)
        return rules.translate(rules.tally["name"] if row is None else row.label)

    def _value(self, name: str, figure: str) -> float | None:
        """Return a player's number for a figure, or None if there is none."""
        assert self._rules is not None
        amount, possible = self._sums.get(figure, {}).get(name, (0, 0))
        row = self._rules.ranking.figures.get(figure)
        return amount if row is None else row.value(amount, possible)

    def _player_json(self, figure: str, name: str, place: int | None) -> Json:
        assert self._rules is not None
        amount, possible = self._sums[figure][name]
        row = self._rules.ranking.figures.get(figure)
        return {
            "name": name,
            "place": place,
            "value": self._value(name, figure),
            "amount": amount,
            "of": possible if row is not None and row.is_share else None,
        }


# --- all statistics

# The optional tables, in the order of the output.
TABLES: Mapping[str, Callable[[], FigureTable]] = {
    "ranking": RankingTable,
    "breakdowns": Breakdowns,
    "pairs": PartnerStatistics,
    "against": OpponentStatistics,
    "days": DailyPoints,
}
ALL_TABLES = frozenset(TABLES)


def make_statistics(
    matches: Iterable[CatalogEntry], tables: Iterable[str] = ALL_TABLES
) -> list[RulesetStatistics]:
    """Return the statistics of these matches, one for each ruleset name.

    `tables` are names in TABLES. Streaks follow the order of the matches. Matches without
    entries do not count. If a match has finished rounds, it counts only for the players who took
    part in at least one of them.
    """
    by_ruleset: dict[str, RulesetStatistics] = {}
    for listed in matches:
        summaries = list(listed.match.summaries())
        if summaries:
            rules = listed.match.ruleset
            if rules.name not in by_ruleset:
                by_ruleset[rules.name] = RulesetStatistics(
                    rules.name, rules.translate(rules.title), tables
                )
            by_ruleset[rules.name].add(listed, summaries)
    for each in by_ruleset.values():
        each.finish()
    return list(by_ruleset.values())


class RulesetStatistics:
    """The statistics of the matches of one ruleset.

    `rounds` counts finished rounds. Of the unfinished matches, `unfinished_counted` have places
    and `unfinished_skipped` have none. `first_day` and `last_day` are "" if no day is known.
    `players` maps names to statistics.
    """

    def __init__(self, ruleset: str, title: str, tables: Iterable[str] = ALL_TABLES) -> None:
        self.ruleset = ruleset
        self.title = title
        self.matches = self.rounds = 0
        self.unfinished_counted = self.unfinished_skipped = 0
        self.first_day = self.last_day = ""
        self.tally_name = ""
        self.fewest_wins = False
        self.labels: dict[str, str] = {}
        self.shares: dict[str, str] = {}
        self.players: dict[str, PlayerStatistics] = {}
        self._tables = {name: made() for name, made in TABLES.items() if name in tables}
        self._by_folded_name: dict[str, PlayerStatistics] = {}
        self._rules: Ruleset | None = None

    def player(self, name: str) -> PlayerStatistics:
        """Return a player's statistics. Names that differ only in case belong to one player."""
        folded = name.casefold()
        player = self._by_folded_name.get(folded)
        if player is None:
            player = self._by_folded_name[folded] = self.players[name] = PlayerStatistics(name)
        return player

    def add(self, listed: CatalogEntry, summaries: Sequence[Summary]) -> None:
        """Add a match with its rounds."""
        match, day = listed.match, listed.day
        self._set_labels(match.ruleset)
        self.matches += 1
        if day:
            self.first_day = min(self.first_day or day, day)
            self.last_day = max(self.last_day, day)
        who = {name: self.player(name) for name in match.players}
        of = CountedMatch(
            match.ruleset, {name: each.name for name, each in who.items()}, day, listed.place
        )
        for summary in summaries:
            for row, numbers in summary["counts"].items():
                for name, number in numbers.items():
                    who[name].counts[row] = who[name].counts.get(row, 0) + number
        result = match_result(match, summaries)
        self._add_rounds(of, listed.name, result.outcomes, who)
        if not match.over:
            self.unfinished_counted += bool(result.places)
            self.unfinished_skipped += not result.places
        for name, player in who.items():
            _add_result(player, name, result, listed.name)
        for table in self._tables.values():
            table.add_match(of, result.places, result.points)

    def _set_labels(self, rules: Ruleset) -> None:
        """Set the labels from a ruleset. They replace those from earlier matches."""
        if rules is self._rules:
            return
        self._rules = rules
        self.tally_name = rules.translate(rules.tally["name"])
        self.fewest_wins = rules.match["wins"] == "fewest"
        rows = rules.sheet.statistics
        self.labels |= {row.name: row.label for row in rows}
        there = {ROUNDS, *self.labels}  # a row is missing if its verbs are disabled
        self.shares |= {row.name: row.of for row in rows if row.of in there}

    def _add_rounds(
        self,
        of: CountedMatch,
        match: str,
        outcomes: Sequence[tuple[Summary, RoundOutcome]],
        who: Mapping[str, PlayerStatistics],
    ) -> None:
        """Add the finished rounds of a match."""
        self.rounds += len(outcomes)
        tables = list(self._tables.values())
        for summary, outcome in outcomes:
            changes, decided = outcome.changes if outcome.scored else None, outcome.is_decided
            for name in outcome.present:
                player = who[name]
                player.detailed_rounds += outcome.has_details
                if decided:
                    player.add_round(outcome.sign(name))
                if changes is not None:
                    player.round_extremes.add(changes[name], match, summary["round"])
            for table in tables:
                table.add_round(of, summary, outcome)

    def finish(self) -> None:
        """Remove players who took part in no match, and sort players by wins, then by fewest
        matches."""
        there = [player for player in self.players.values() if player.matches_played]
        there.sort(key=lambda player: (-player.matches_won, player.matches_played))
        self.players = {player.name: player for player in there}

    def as_json(self) -> Json:
        """Return the statistics as JSON values, with the requested tables."""
        wins = any(player.rounds_won for player in self.players.values())
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "matches": self.matches,
            "rounds": self.rounds,
            "tally": self.tally_name,
            "fewest": self.fewest_wins,
            "unended": {"counted": self.unfinished_counted, "left_out": self.unfinished_skipped},
            "first": self.first_day,
            "last": self.last_day,
            "labels": self.labels,
            "shares": self.shares,
            "players": [
                player.as_json(self.labels, fewest=self.fewest_wins, wins=wins)
                for player in self.players.values()
            ],
            **{name: table.as_json(self.players) for name, table in self._tables.items()},
        }


def _add_result(player: PlayerStatistics, name: str, result: MatchResult, match: str) -> None:
    """Add the result of a match for a player. `name` is the player's name in that match."""
    player.points += result.points[name]
    if name not in result.rounds:
        return
    player.matches_played += 1
    player.rounds += result.rounds[name]
    player.scored_rounds += result.scored_rounds[name]
    player.round_points += result.round_points[name]
    player.begun_matches += bool(result.outcomes or result.places)
    if name in result.places:
        won = name in result.winners
        player.add_place(result.places[name], 1 if won else -1 if result.winners else 0)
        player.match_extremes.add(result.points[name], match)
    else:
        player.matches_unfinished += 1
