"""Leagues: a table of players over many matches, by points, wins, places or ratings.

Matches are added in chronological order. Only the totals of the players stay in memory.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.history.results import match_result
from scorekeeper.history.statistics import average

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.history.results import MatchResult
    from scorekeeper.history.statistics import CatalogEntry
    from scorekeeper.match.view import MatchView

POINTS, AVERAGE, WINS, PLACES, RATING = "points", "average", "wins", "places", "rating"
MATCH, ROUND = "match", "round"
EMPTY, UNFINISHED = "empty", "unfinished"
# A rating is this many standard deviations below the mean. The player's skill exceeds the rating
# with a probability of 99.9 %.
DEVIATIONS = 3


class LeagueRules(NamedTuple):
    """The rules of a league.

    `by` is the measure that decides the ranking: total `points`, their `average` per match or round
    (see `per`), the number of `wins`, the mean of the `places`, or a `rating`. Players with fewer
    than `least` matches have no place.

    If `best` is above 0, only that many of a player's best matches count. This is not possible with
    a rating. If there is an `award`, it lists the points that players receive for their places in a
    match, beginning with the winner. Places beyond the list earn nothing.
    """

    by: str = POINTS
    per: str = MATCH
    least: int = 1
    best: int = 0
    award: Sequence[int] = ()

    @property
    def is_by_points(self) -> bool:
        """True if points decide the ranking, whether they are tally points or awards."""
        return self.by in (POINTS, AVERAGE)


def make_league(matches: Iterable[CatalogEntry], terms: LeagueRules) -> League:
    """Return the league for these matches, which must be in chronological order.

    Raises Unreadable if their points cannot be compared, or if a rating is requested and openskill
    is not installed.
    """
    made = League(terms)
    for listed in matches:
        made.add(listed)
    return made


class League:
    """A league table over the matches that were added.

    `counted_matches` is the number of matches in the table, of which `unfinished_counted` are
    unfinished. `skipped_matches` maps a reason, `empty` (no entries) or `unfinished`, to the number
    of matches skipped for it. `rulesets` maps a ruleset name to its title and its number of
    matches. `days` lists the days of counted matches in order. `tally_name` is the name of the
    points, and `fewest_wins` is true if low values are good. `is_comparable` is true if the points
    of all matches can be added up.
    """

    def __init__(self, terms: LeagueRules) -> None:
        self.terms = terms
        self.counted_matches = self.unfinished_counted = 0
        self.skipped_matches: dict[str, int] = {}
        self.rulesets: dict[str, tuple[str, int]] = {}
        self.days: list[str] = []
        self.tally_name = ""
        self.fewest_wins = terms.by == PLACES
        self.is_comparable = True
        self._game: tuple[str, str, str] | None = None
        self._rater = Rater() if terms.by == RATING else None
        self._accounts: dict[str, LeagueAccount] = {}
        # the accounts of players who played on the most recent day, as they were before that day
        self._previous_accounts: dict[str, LeagueAccount] = {}
        self._progress: dict[str, list[tuple[int, int]]] = {}

    def add(self, listed: CatalogEntry) -> None:
        """Add another match, which must not be older than the previous one.

        Matches without a date must be added before all others. Raises Unreadable if the match's
        points cannot be compared with those of earlier matches.
        """
        match = listed.match
        summaries = list(match.summaries())
        result = match_result(match, summaries)
        if not result.places:
            why = UNFINISHED if summaries else EMPTY
            self.skipped_matches[why] = self.skipped_matches.get(why, 0) + 1
            return
        self._add_game(match.ruleset)
        self.counted_matches += 1
        self.unfinished_counted += not match.over
        if listed.day > (self.days[-1] if self.days else ""):
            self._begin_day(listed.day)
        for name in result.rounds:
            self._add_result(self._account_of(name), result, name)
        if self._rater is not None:
            self._rate(self._rater, _teams(match, result), result)

    def _add_game(self, rules: Ruleset) -> None:
        """Record the game and the ruleset of a match.

        The points of two matches are comparable if the matches have the same game, the same name
        for points and the same way to win. Raises Unreadable if the ranking depends on points that
        are not comparable.
        """
        wins, name = rules.match["wins"], rules.translate(rules.tally["name"])
        game = (rules.game, name, wins)
        if self._game is None:
            self._game, self.tally_name = game, name
            if self.terms.is_by_points and not self.terms.award:
                self.fewest_wins = wins == "fewest"
        elif game != self._game and not self.terms.award:
            if self.terms.is_by_points:
                one, other = next(iter(self.rulesets)), rules.name
                raise Unreadable(
                    tr("the points of {one} and {other} cannot be compared", one=one, other=other),
                    tr(
                        "choose one ruleset with {option}, or rank the players with one of "
                        "these options: {others}",
                        option=f"--ruleset {one}",
                        others="--award 3,2,1, --by wins, --by places, --by rating",
                    ),
                )
            self.is_comparable = False
        title, many = self.rulesets.get(rules.name, (rules.translate(rules.title), 0))
        self.rulesets[rules.name] = title, many + 1

    def _begin_day(self, day: str) -> None:
        """Begin the next day."""
        self._save_progress()
        self.days.append(day)
        self._previous_accounts.clear()

    def _save_progress(self) -> None:
        """Save the values of the players who played on the most recent day.

        The values from matches without a date are saved under the day -1.
        """
        for key in self._previous_accounts:
            number = self._progress_value(self._accounts[key])
            self._progress.setdefault(key, []).append((len(self.days) - 1, number))

    def _account_of(self, name: str) -> LeagueAccount:
        """Return a player's account. Names that differ only in case belong to one player."""
        key = name.casefold()
        account = self._accounts.setdefault(key, LeagueAccount(name))
        if key not in self._previous_accounts:
            self._previous_accounts[key] = account.copy()
        return account

    def _add_result(self, player: LeagueAccount, result: MatchResult, name: str) -> None:
        terms, place = self.terms, result.places.get(name)
        points, made = result.points[name], result.round_points[name]
        if terms.award:
            points = made = terms.award[place - 1] if place and place <= len(terms.award) else 0
        player.matches += 1
        player.rounds += result.rounds[name]
        player.scored_rounds += result.scored_rounds[name]
        player.round_points += made
        player.points += points
        player.wins += name in result.winners
        if place is not None:
            player.places[place] = player.places.get(place, 0) + 1
        number, of = (made, result.scored_rounds[name]) if terms.per == ROUND else (points, 1)
        if terms.by == WINS:
            number = int(name in result.winners)
        elif terms.by == PLACES:
            number, of = place or 0, int(place is not None)
        if of:
            player.add(number, of, terms.best, -1 if self.fewest_wins else 1)

    def _rate(self, rater: Rater, teams: Sequence[Sequence[str]], result: MatchResult) -> None:
        if len(teams) < 2:
            return
        players = [[self._account_of(name) for name in team] for team in teams]
        before = [[each.rating or rater.initial for each in team] for team in players]
        after = rater.rate(before, [result.places[team[0]] for team in teams])
        for team, ratings in zip(players, after, strict=True):
            for player, rating in zip(team, ratings, strict=True):
                player.rating = rating

    @property
    def initial_rating(self) -> Rating | None:
        """A player's rating before the first match, or None in a league without ratings."""
        return None if self._rater is None else self._rater.initial

    # --- the table

    @property
    def table(self) -> list[LeagueRow]:
        """The rows of the table, sorted by place. Players without a place are last.

        Players who share a place, or have none, are sorted by name.
        """
        now = self._rank(self._accounts)
        then: Mapping[str, int] = {}
        if len(self.days) > 1:
            then = self._rank({**self._accounts, **self._previous_accounts})
        rows = [
            LeagueRow(now.get(key), then.get(key), player.value(self.terms.by), player)
            for key, player in self._accounts.items()
        ]
        last = len(rows) + 1
        return sorted(rows, key=lambda row: (row.place or last, row.player.name.casefold()))

    def _rank(self, accounts: Mapping[str, LeagueAccount]) -> dict[str, int]:
        """Return the place of each player who has one. Players who tie share a place."""
        values = {
            key: value
            for key, player in accounts.items()
            if player.matches >= max(self.terms.least, 1)
            and (value := player.value(self.terms.by)) is not None
        }
        places: dict[float, int] = {}
        for at, value in enumerate(sorted(values.values(), reverse=not self.fewest_wins), 1):
            places.setdefault(value, at)
        return {key: places[value] for key, value in values.items()}

    # --- progress

    @property
    def progress_kind(self) -> str:
        """The kind of values in `progress`: `points`, `wins`, `rating`, or "" if points are not
        comparable."""
        if self.terms.by in (WINS, RATING):
            return self.terms.by
        return POINTS if self.is_comparable else ""

    def _progress_value(self, player: LeagueAccount) -> int:
        if self.terms.by in (POINTS, WINS, RATING):
            return round(player.value(self.terms.by) or 0)
        return player.points

    def progress(self, player: LeagueAccount) -> list[int | None]:
        """Return a player's rounded value after each of the `days`.

        Values before the player's first day are None.
        """
        noted = dict(self._progress.get(player.name.casefold(), ()))
        if player.name.casefold() in self._previous_accounts and self.days:
            noted[len(self.days) - 1] = self._progress_value(player)
        last, values = noted.get(-1), list[int | None]()
        for at in range(len(self.days)):
            last = noted.get(at, last)
            values.append(last)
        return values


def _teams(match: MatchView, result: MatchResult) -> list[list[str]]:
    """Return the players of a match as teams for a rating.

    The teams are the sides if the seating forms sides and all players of a side share a place.
    Otherwise, every player is a team.
    """
    seated = match.seated_players
    sides: dict[int, list[str]] = {}
    for seat, name in enumerate(seated):
        if name in result.places:
            side = match.ruleset.side_of(seat, len(seated))[0]
            sides.setdefault(side, []).append(name)
    if all(len({result.places[name] for name in side}) == 1 for side in sides.values()):
        return list(sides.values())
    return [[name] for name in result.places]


class LeagueRow(NamedTuple):
    """A row of the table: the place, the previous place, the deciding value and the account.

    `place` is None if the player has too few matches or no value. `previous_place` is the place
    before the most recent day, or None if the player had no place then.
    """

    place: int | None
    previous_place: int | None
    value: float | None
    player: LeagueAccount


class LeagueAccount:
    """A player's totals in a league.

    `matches` and `rounds` are the numbers of matches and rounds in which the player took part.
    `scored_rounds` is the number of these rounds with a score that were not void, and
    `round_points` is the total of their points. `points` is the total of all points. `places` maps
    a place to the number of times the player reached it. `wins` is the number of matches won.
    `rating` is None before the first rated match.
    """

    __slots__ = (
        *("_best", "_divisor", "_total", "matches", "name", "places", "points"),
        *("round_points", "rating", "rounds", "scored_rounds", "wins"),
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.matches = self.rounds = self.scored_rounds = self.round_points = self.points = (
            self.wins
        ) = 0
        self.places: dict[int, int] = {}
        self.rating: Rating | None = None
        self._total = self._divisor = 0
        self._best: list[tuple[float, int, int]] = []

    def copy(self) -> LeagueAccount:
        """Return an independent copy."""
        made = LeagueAccount(self.name)
        for key in self.__slots__:
            setattr(made, key, getattr(self, key))
        made.places, made._best = dict(self.places), list(self._best)
        return made

    def add(self, number: int, divisor: int, best: int, sign: int) -> None:
        """Add the value `number` of a match.

        For an average, the sum of the values is divided by the sum of the divisors. The divisor is
        1, or the number of scored rounds for an average per round.

        If `best` is above 0, only that many values are used. These are the highest if `sign` is +1,
        and the lowest if `sign` is -1.
        """
        self._total += number
        self._divisor += divisor
        if best:
            heappush(self._best, (sign * number / divisor, number, divisor))
            if len(self._best) > best:
                _, number, divisor = heappop(self._best)
                self._total -= number
                self._divisor -= divisor

    def value(self, by: str) -> float | None:
        """Return the value that decides the ranking, or None if there is none."""
        if by == RATING:
            return None if self.rating is None else self.rating.ordinal
        if by in (POINTS, WINS):
            return self._total
        return self._total / self._divisor if self._divisor else None

    @property
    def per_match(self) -> float | None:
        """The average number of points per match, or None if there is no match."""
        return average(self.points, self.matches)

    @property
    def per_round(self) -> float | None:
        """The average number of points per scored round, or None if there is no such round."""
        return average(self.round_points, self.scored_rounds)

    @property
    def mean_place(self) -> float | None:
        """The average of the player's places, or None if the player has no place in any match."""
        often = sum(self.places.values())
        return sum(place * many for place, many in self.places.items()) / often if often else None


class Rating(NamedTuple):
    """A player's skill, as a normal distribution with mean `mu` and standard deviation `sigma`."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """The number by which players are ranked. The player's skill very probably exceeds it."""
        return self.mu - DEVIATIONS * self.sigma


class Rater:
    """A calculator of ratings from places. Raises Unreadable if openskill is not installed.

    It uses openskill's Plackett-Luce model by Weng and Lin, with default parameters. A player's
    skill is a normal distribution. Before the first match, the mean is 25 and the standard
    deviation is 25/3. The deviation shrinks as matches are rated.
    """

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise Unreadable(
                tr("a rating needs {names}, which is not installed", names="openskill"),
                tr("run {command} in Scorekeeper's folder", command="pip install '.[rating]'"),
            ) from None
        self._model = PlackettLuce()
        self.initial = Rating(self._model.mu, self._model.sigma)

    def rate(self, teams: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
        """Return the ratings after a match between at least two teams, grouped like `teams`.

        `places` has one place for each team, from 1 for the best. Tied teams share a place.
        """
        model = self._model
        before = [[model.rating(each.mu, each.sigma) for each in team] for team in teams]
        after = model.rate(before, ranks=[float(place) for place in places])
        return [[Rating(each.mu, each.sigma) for each in team] for team in after]
