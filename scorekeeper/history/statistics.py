"""Statistics of players across matches, for each ruleset.

Matches are read one after another, in one pass over their rounds. Only totals stay in memory.
Optional tables, such as points by day, are added up round by round. This module knows no game and
replays none.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Protocol

from scorekeeper.core.types import NamedTuple
from scorekeeper.history.results import came_to, shares
from scorekeeper.match.summary import is_given, round_fact, shown
from scorekeeper.ruleset.reports import BY_ROLES, ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Json, Plain, Summary
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.history.results import Outcome, Result
    from scorekeeper.match.view import MatchView
    from scorekeeper.ruleset.reports import Breakdown

    Number = int | float
    # Points and their origin: the match, and its round (0 for the whole match).
    Mark = tuple[int, str, int]
    Two = tuple[str, str]  # in alphabetical order

PLAYER = "player."


class Listed(NamedTuple):
    """A match in a list, with its details.

    `name` is its number in the book, or its file. `started` is an ISO 8601 date or time, and
    `day` the local day on which it began; both are "" if unknown. `language` is the one in which
    its entries are typed. `identifier` is "" without one. `options` are the options of its
    ruleset.
    """

    match: MatchView
    name: str = ""
    started: str = ""
    place: str = ""
    title: str = ""
    note: str = ""
    language: str = ""
    identifier: str = ""
    options: Mapping[str, Plain] | None = None
    day: str = ""


# --- what one player has done


class Player:
    """The statistics of a player.

    Of the `matches_played`, `matches_unfinished` have no places. `matches_won` and `places`
    (from 1 for the best) are about the others. `begun_matches` have a finished round or have
    ended, and are the base of averages per match.

    `rounds` are the finished rounds they took part in, including void ones. `scored_rounds` are
    not void and have a score. `round_points` is the sum of their changes, for averages per
    round. `detailed_rounds` are not void, and more than their score is known. `decided_rounds`
    have a known winner. `points` are all changes of the tally, including penalties in void and
    unfinished rounds, without tallies that were set by hand.
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
        self.single = Extremes()  # of single rounds
        self.matches = Extremes()
        self.streak = Streak()
        self.round_streak = Streak()

    def add_round(self, sign: int) -> None:
        """Add a decided round: 1 if they won it, -1 if they lost it, else 0."""
        self.decided += 1
        self.rounds_won += sign > 0
        self.rounds_lost += sign < 0
        self.round_streak.add(sign)

    def add_place(self, place: int, sign: int) -> None:
        """Add a match with places: 1 if they won it, -1 if they lost it, 0 without a winner."""
        self.places[place] = self.places.get(place, 0) + 1
        self.won += sign > 0
        self.streak.add(sign)

    def as_json(self, rows: Iterable[str], *, fewest: bool, wins: bool) -> Json:
        """Return the statistics as JSON values, with these rows. Places are keys, so they are
        texts.

        `fewest` is true if few points are good, and `wins` if rounds of this game have winners.
        """
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


class Streak:
    """Wins and losses in a row: the longest of each, and the current streak.

    `current` is a number of wins, or a negative number of losses. A draw ends both.
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
    """The highest and the lowest points, the first of equal ones."""

    __slots__ = ("high", "low")

    def __init__(self) -> None:
        self.high: Mark | None = None
        self.low: Mark | None = None

    def add(self, points: int, match: str, number: int = 0) -> None:
        """Add points made in that match and round."""
        if self.high is None or points > self.high[0]:
            self.high = (points, match, number)
        if self.low is None or points < self.low[0]:
            self.low = (points, match, number)


def average(points: float, count: int) -> float | None:
    """Return points divided by a count, or None if the count is 0."""
    return points / count if count else None


# --- tables besides


class Counted(NamedTuple):
    """A match being counted: its ruleset, the listed name of each player, and its day or ""."""

    rules: Ruleset
    names: Mapping[str, str]
    day: str


class Table(Protocol):
    """A table of statistics."""

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Add a finished round of a match."""

    def add_match(self, of: Counted, places: Mapping[str, int], points: Mapping[str, int]) -> None:
        """Add a match after all of its rounds: its places, if any, and its points, by name."""

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return the rows of these players as JSON values."""
        ...


class Days(Table):
    """Points by day and player."""

    def __init__(self) -> None:
        self._days: dict[str, dict[str, int]] = {}

    def add_match(self, of: Counted, places: Mapping[str, int], points: Mapping[str, int]) -> None:
        """Add the points of a match to the day on which it began."""
        day = self._days.setdefault(of.day, {})
        for name, number in points.items():
            told = of.names[name]
            day[told] = day.get(told, 0) + number

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return rows `date points` in the order of the days, matches without a date first."""
        return [
            {
                "date": date,
                "points": {name: number for name, number in day.items() if name in players},
            }
            for date, day in sorted(self._days.items())
        ]


class Pairs(Table):
    """Rounds in which two players were on the same side, without void ones.

    Points are the sum for both players, or the points of their side where sides share a tally.
    """

    def __init__(self) -> None:
        self._rows: dict[Two, Sum] = {}

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Add a finished round, unless it is void."""
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
        """Return rows `players rounds decided won points per_round`, most rounds first."""
        rows = sorted(self._rows.items(), key=lambda row: (-row[1].rounds, row[0]))
        return [
            {"players": list(two), **row.as_json()}
            for two, row in rows
            if two[0] in players and two[1] in players
        ]


class Against(Table):
    """Comparisons of each two players who were not on the same side, without void rounds."""

    def __init__(self) -> None:
        self._rows: dict[Two, Compared] = {}
        self._sides: Iterable[Iterable[str]] = ()  # of the current match

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Add a finished round, unless it is void."""
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
        """Add the comparison of the places in a match."""
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
        """Return the pairs of players on the same side of the match, in both orders."""
        return {(one, other) for members in self._sides for one in members for other in members}

    def _row(self, one: str, other: str) -> tuple[Compared, int]:
        """Return the row of two players, and -1 if it is stored in the other order, else 1."""
        two = _two(one, other)
        if two not in self._rows:
            self._rows[two] = Compared()
        return self._rows[two], 1 if two[0] == one else -1

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return rows `player other matches ahead behind even rounds points`, each pair in both
        orders."""
        found = [
            {"player": two[turned], "other": two[not turned], **row.as_json(turned=turned)}
            for two, row in self._rows.items()
            for turned in (False, True)
            if two[0] in players and two[1] in players
        ]
        return sorted(found, key=lambda row: (row["player"], -row["matches"], row["other"]))


class Compared:
    """A comparison of two players.

    `ahead`, `behind` and `even` count matches with places of both, from the first player's view.
    `rounds` were played by both. `points` is the first player's lead in them.
    """

    __slots__ = ("ahead", "behind", "even", "points", "rounds")

    def __init__(self) -> None:
        self.ahead = self.behind = self.even = self.rounds = self.points = 0

    def as_json(self, *, turned: bool) -> Json:
        """Return `matches ahead behind even rounds points`, from the other's view if `turned`."""
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


def _two(one: str, other: str) -> Two:
    return (one, other) if one <= other else (other, one)


class Breakdowns(Table):
    """The breakdowns of a ruleset."""

    def __init__(self) -> None:
        self._rows: dict[str, Parts] = {}
        self._known: Ruleset | None = None
        self._now: list[Parts] = []

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Add a finished round, unless it is void."""
        if of.rules is not self._known:
            self._known = of.rules
            self._now = [self._of(row, of.rules) for row in of.rules.sheet.breakdowns]
        if not outcome.void:
            for parts in self._now:
                parts.add(of, summary, outcome)

    def _of(self, row: Breakdown, rules: Ruleset) -> Parts:
        """Return the counts of a row, which takes its texts from this ruleset."""
        parts = self._rows.setdefault(row.name, Parts(row, rules))
        parts.row, parts.rules = row, rules
        return parts

    def as_json(self, players: Container[str]) -> list[Json]:
        """Return the breakdowns in the ruleset's order."""
        return [parts.as_json(players) for parts in self._rows.values()]


class Parts:
    """The rounds of one breakdown, by part and player.

    Parts are stored as in the summaries. Their labels come from the ruleset of the latest match.
    """

    def __init__(self, row: Breakdown, rules: Ruleset) -> None:
        self.row = row
        self.rules = rules
        self._parts: dict[str, dict[str, Sum]] = {}

    def add(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Add a round that is not void."""
        row, roles = self.row, summary["roles"]
        if not is_given(summary, row.given):
            return
        playing: Iterable[str] = outcome.present
        if row.as_:
            taken = {name for role in row.as_ if role in roles for name in roles[role]["players"]}
            playing = [name for name in playing if name in taken]
        if row.named:
            named = round_fact(summary, row.named)
            playing = [name for name in playing if name == named]
        changes, success = outcome.changes, row.success
        known = outcome.told if success else outcome.decided
        kept = (summary["facts"].get(success) or {}) if success else {}
        for name, parts in self._parts_of(summary, playing):
            went = _items(kept.get(name)) if success else ()
            points = None if changes is None else changes[name]
            for part in parts:
                rows = self._parts.setdefault(part, {})
                told = of.names[name]
                if told not in rows:
                    rows[told] = Sum()
                well = part in went if success else name in outcome.won
                rows[told].add(points, well if known else None)

    def _parts_of(
        self, summary: Summary, playing: Iterable[str]
    ) -> Iterable[tuple[str, Iterable[str]]]:
        """Return the parts of a round for each of these players, without duplicates."""
        row, roles = self.row, summary["roles"]
        if row.by == BY_ROLES:
            members = [(role, roles[role]["players"]) for role in row.roles if role in roles]
            return [(name, [role for role, who in members if name in who]) for name in playing]
        if row.by.startswith(PLAYER):
            facts = summary["facts"].get(row.by) or {}
            return [(name, _items(facts[name])) for name in playing if name in facts]
        items = _items(round_fact(summary, row.by))
        return [(name, items) for name in playing] if items else ()

    def _called(self, part: str) -> str:
        """Return the label of a part in the current language."""
        return self.rules.said(self.rules.spoken(part))

    def as_json(self, players: Container[str]) -> Json:
        """Return `name label parts players`.

        The parts are in the ruleset's order of roles, or else those with most rounds come first.
        """
        row, parts = self.row, self._parts
        if row.by == BY_ROLES:
            order = [role for role in row.roles if role in parts]
        else:
            rounds = {part: sum(each.rounds for each in parts[part].values()) for part in parts}
            order = sorted(parts, key=lambda part: (-rounds[part], part))
        labels = _told_apart({part: self._called(part) for part in order})
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
    """Return the values of a fact as texts, without duplicates and empty ones."""
    many = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(text for text in map(shown, many) if text))


def _told_apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of parts. If two are equal, the names in the rules replace them."""
    told = list(labels.values())
    return {part: label if told.count(label) == 1 else part for part, label in labels.items()}


class Sum:
    """A number of rounds, and of these the decided, won and scored ones, with the points."""

    __slots__ = ("decided", "points", "rounds", "scored", "won")

    def __init__(self) -> None:
        self.rounds = self.decided = self.won = self.points = self.scored = 0

    def add(self, points: int | None, won: bool | None) -> None:
        """Add a round. None means that it has no score, or that its winner is unknown."""
        self.rounds += 1
        if won is not None:
            self.decided += 1
            self.won += won
        if points is not None:
            self.points += points
            self.scored += 1

    def as_json(self) -> Json:
        """Return `rounds decided won points per_round`, the last one None without a score."""
        return {
            "rounds": self.rounds,
            "decided": self.decided,
            "won": self.won,
            "points": self.points,
            "per_round": average(self.points, self.scored),
        }


# --- all figures

# The optional tables, in the order of the output.
TABLES: Mapping[str, Callable[[], Table]] = {
    "breakdowns": Breakdowns,
    "pairs": Pairs,
    "against": Against,
    "days": Days,
}
ALL = frozenset(TABLES)


def figures(matches: Iterable[Listed], tables: Iterable[str] = ALL) -> list[Figures]:
    """Return the statistics of these matches, one for each name of a ruleset.

    `tables` are names of TABLES. Streaks follow the order of the matches. Matches without
    entries do not count. A match does not count for a player who took part in none of its rounds
    while other players finished one.
    """
    found: dict[str, Figures] = {}
    for listed in matches:
        summaries = list(listed.match.summaries())
        if summaries:
            rules = listed.match.ruleset
            if rules.name not in found:
                found[rules.name] = Figures(rules.name, rules.said(rules.title), tables)
            found[rules.name].add(listed, summaries)
    for each in found.values():
        each.done()
    return list(found.values())


class Figures:
    """The statistics of the matches of one ruleset.

    `rounds` are finished ones. Of the unfinished matches, `unfinished_counted` have places and
    `unfinished_skipped` have none. `first_day` and `last_day` are known days or "". `players` maps
    names to statistics.
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
        """Return a player's statistics. Names that differ only in case belong to one player."""
        folded = name.casefold()
        found = self._spelled.get(folded)
        if found is None:
            found = self._spelled[folded] = self.players[name] = Player(name)
        return found

    def add(self, listed: Listed, summaries: Sequence[Summary]) -> None:
        """Add a match with these rounds."""
        match, day = listed.match, listed.day
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
        """Set the labels from a ruleset. Those of the last match count."""
        if rules is self._rules:
            return
        self._rules = rules
        self.tally = rules.said(rules.tally["name"])
        self.fewest = rules.match["wins"] == "fewest"
        rows = rules.sheet.statistics
        self.labels |= {row.name: row.label for row in rows}
        there = {ROUNDS, *self.labels}  # a row may be disabled together with its verbs
        self.shares |= {row.name: row.of for row in rows if row.of in there}

    def _add_rounds(
        self,
        of: Counted,
        match: str,
        outcomes: Sequence[tuple[Summary, Outcome]],
        who: Mapping[str, Player],
    ) -> None:
        """Add the finished rounds of a match with that name."""
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
        """Remove players who took part in no match, and sort by wins, then by fewest matches."""
        there = [player for player in self.players.values() if player.played]
        there.sort(key=lambda player: (-player.won, player.played))
        self.players = {player.name: player for player in there}

    def as_json(self) -> Json:
        """Return the statistics as JSON values, with the requested tables."""
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


def _add_result(player: Player, name: str, result: Result, match: str) -> None:
    """Add the result of a match for the player with that name in it."""
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
