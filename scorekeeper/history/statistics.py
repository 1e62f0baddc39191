"""Figures: what players have done across matches, for each ruleset.

Matches are looked back on, each when it is its turn, in one pass over its rounds; nothing is kept
of a match but what is added up. Beside each player's own figures stand tables that are added up
round by round. Nothing here knows a game, or plays one again.
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
    # Points with where they were made: the match, and the round in it (0: all of it).
    Mark = tuple[int, str, int]
    Two = tuple[str, str]  # in the order of the alphabet

PLAYER = "player."


class Listed(NamedTuple):
    """A match and what is known of it besides: how it is called (its number in the book, or its
    file), when it began (ISO 8601, a date or with a time; empty: nobody knows) and where it was
    played, its title and a note; the language in which it is typed, its identifier if it has one,
    what was set of its ruleset; and the day on which its people began it (empty: nobody knows)."""

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


def average(points: float, count: int) -> float | None:
    """Points for each of so many; None where there are none."""
    return points / count if count else None


# --- tables besides


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


def _two(one: str, other: str) -> Two:
    return (one, other) if one <= other else (other, one)


class Breakdowns(Table):
    """The breakdowns of a ruleset."""

    def __init__(self) -> None:
        self._rows: dict[str, Parts] = {}
        self._known: Ruleset | None = None
        self._now: list[Parts] = []

    def add_round(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Take in a finished round, unless it is void."""
        if of.rules is not self._known:
            self._known = of.rules
            self._now = [self._of(row, of.rules) for row in of.rules.sheet.breakdowns]
        if not outcome.void:
            for parts in self._now:
                parts.add(of, summary, outcome)

    def _of(self, row: Breakdown, rules: Ruleset) -> Parts:
        """What was counted of that row, as this ruleset has it."""
        parts = self._rows.setdefault(row.name, Parts(row, rules))
        parts.row, parts.rules = row, rules
        return parts

    def as_json(self, players: Container[str]) -> list[Json]:
        """The breakdowns in the ruleset's order."""
        return [parts.as_json(players) for parts in self._rows.values()]


class Parts:
    """The rounds of one breakdown, by part and player. `row` says what the parts are; parts are
    kept as the summaries have them and told in the words of the ruleset that was given last."""

    def __init__(self, row: Breakdown, rules: Ruleset) -> None:
        self.row = row
        self.rules = rules
        self._parts: dict[str, dict[str, Sum]] = {}

    def add(self, of: Counted, summary: Summary, outcome: Outcome) -> None:
        """Take in a round that is not void."""
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
        """Which parts a round is to each of them, each once."""
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
        """What a part is called in the language that is spoken: a word of the game, or a text."""
        return self.rules.said(self.rules.spoken(part))

    def as_json(self, players: Container[str]) -> Json:
        """`name label parts players`: the parts in the ruleset's order of roles, else those of
        most rounds first."""
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
    """The values of a fact as texts, each once; none where there is nothing."""
    many = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(text for text in map(shown, many) if text))


def _told_apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Parts with what they are called; where two are called alike, as the rules call them."""
    told = list(labels.values())
    return {part: label if told.count(label) == 1 else part for part, label in labels.items()}


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


# --- all figures

# The tables that are made only when they are asked for, in the order in which they are told.
TABLES: Mapping[str, Callable[[], Table]] = {
    "breakdowns": Breakdowns,
    "pairs": Pairs,
    "against": Against,
    "days": Days,
}
ALL = frozenset(TABLES)


def figures(matches: Iterable[Listed], tables: Iterable[str] = ALL) -> list[Figures]:
    """The figures of all these matches, one for each ruleset by its name, with these of TABLES.

    Streaks are told in the order in which the matches come. Matches without an entry do not count,
    nor does one for who took part in no round of it while others finished one.
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

    def add(self, listed: Listed, summaries: Sequence[Summary]) -> None:
        """Take in a match, which has these rounds."""
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
