"""Leagues: a table of players over many matches, by points, figures, wins, places or ratings.

Matches are added in chronological order. Only the totals of the players stay in memory.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import did_you_mean, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.history.ranking import Comparison, rank_keys, ranking_key, sum_figures
from scorekeeper.history.results import match_result
from scorekeeper.history.statistics import average

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.engine.figures import Ranking
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.history.results import MatchResult
    from scorekeeper.history.statistics import CatalogEntry
    from scorekeeper.match.view import MatchView

POINTS, AVERAGE, WINS, PLACES, RATING = "points", "average", "wins", "places", "rating"
MEASURES = (POINTS, AVERAGE, WINS, PLACES, RATING)
CLUB = ""
"""The value of `by` that selects the ruleset's own ranking."""
MATCH, ROUND = "match", "round"
EMPTY, UNFINISHED, UNCOUNTED = "empty", "unfinished", "uncounted"
# A rating is the mean of a player's skill minus this many standard deviations. The skill exceeds
# the rating with a probability of 99.9 %.
DEVIATIONS = 3


class LeagueRules(NamedTuple):
    """The rules of a league.

    `by` is the measure that decides the ranking: total `points`, their `average` per match or round
    (see `per`), the number of `wins`, the mean of the `places`, or a `rating`. It may also be the
    name of a figure of the ruleset, or `CLUB` for the ruleset's own ranking. Players with fewer
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
        """True if the ranking is decided by tally points, by awards, or by a figure."""
        return self.by not in (WINS, PLACES, RATING)

    @property
    def is_by_figures(self) -> bool:
        """True if the ruleset's figures decide the ranking."""
        return self.by not in MEASURES and not self.award


def make_league(matches: Iterable[CatalogEntry], terms: LeagueRules) -> League:
    """Return the league for these matches, which must be in chronological order.

    Raises Unreadable if their points cannot be compared, or if a rating is requested and openskill
    is not installed.
    """
    made = League(terms)
    for listed in matches:
        made.add(listed)
    made.finish()
    return made


class League:
    """A league table over the matches that were added.

    `counted_matches` is the number of matches in the table, of which `unfinished_counted` are
    unfinished. `skipped_matches` maps a reason to the number of matches skipped for it. The reasons
    are `empty` (no entries), `unfinished`, and `uncounted` (the match's rules lack the figure that
    decides the ranking). `rulesets` maps a ruleset name to its title and its number of matches.
    `days` lists the days of counted matches in order. `tally_name` is the name of the points, and
    `fewest_wins` is true if low points or places are good. `is_comparable` is true if the points of
    all matches can be added up.

    `figure_labels` maps the figures of the rulesets to their labels. `unknown_deals` is the number
    of deals that count for points only, because no more than their score is known.
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
        self.ranking: Ranking | None = None
        self.unknown_deals = 0
        self.figure_labels: dict[str, str] = {}
        self._chains: set[tuple[str, ...]] = set()
        self._known_figures: set[str] = set()
        self._comparison = Comparison()
        self._compared_players: list[Mapping[str, LeagueAccount]] = []
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
            self._skip(why)
            return
        ranking = match.ruleset.ranking
        self._known_figures |= ranking.figures.keys()
        if self.terms.is_by_figures and self.terms.by not in (CLUB, *ranking.figures):
            self._skip(UNCOUNTED)
            return
        self._add_game(match.ruleset)
        self.counted_matches += 1
        self.unfinished_counted += not match.over
        if listed.day > (self.days[-1] if self.days else ""):
            self._begin_day(listed.day)
        accounts = {name: self._account_of(name) for name in result.rounds}
        for name, account in accounts.items():
            self._add_result(account, result, name)
        if not self.terms.award:
            self._add_figures(listed, summaries, accounts, result.points)
        if self._rater is not None:
            self._rate(self._rater, _teams(match, result), result)

    def _skip(self, why: str) -> None:
        """Count a match that is left out."""
        self.skipped_matches[why] = self.skipped_matches.get(why, 0) + 1

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

    def _add_figures(
        self,
        listed: CatalogEntry,
        summaries: Sequence[Summary],
        accounts: Mapping[str, LeagueAccount],
        points: Mapping[str, int],
    ) -> None:
        """Add the figures of a match. Comparisons of tables are added at the end of the day."""
        ranking = listed.match.ruleset.ranking
        if self.ranking is None or ranking.figures:
            self.ranking = ranking
        self._chains.add(ranking.chain)
        translate = listed.match.ruleset.translate
        for name, figure in ranking.figures.items():
            self.figure_labels[name] = translate(figure.label)
        sums = sum_figures(ranking, summaries, points)
        self.unknown_deals += sums.unknown
        for name, numbers in sums.numbers.items():
            for who, account in accounts.items():
                self._add_figure(account, name, numbers[who], 1)
        if ranking.comparing:
            rules, number = listed.match.ruleset, len(self._compared_players)
            self._comparison.add(rules, listed.day, listed.place, summaries, number)
            self._compared_players.append(accounts)

    def _add_figure(self, player: LeagueAccount, name: str, amount: int, possible: int) -> None:
        assert self.ranking is not None
        sign = -1 if self.ranking.prefers_fewest(name) else 1
        player.figure(name).add(amount, possible, self.terms.best, sign)

    def _compare_tables(self) -> None:
        """Compare the tables of the most recent day."""
        for each in self._comparison.settle():
            account = self._compared_players[each.match].get(each.name)
            if account is not None:
                self._add_figure(account, each.figure, each.amount, each.possible)
        self._compared_players.clear()

    @property
    def ambiguous_deals(self) -> int:
        """The number of deals that could not be compared, because players played them twice."""
        return self._comparison.ambiguous

    def finish(self) -> None:
        """Finish the table after the last match. Raises Unreadable for an unknown figure."""
        self._compare_tables()
        by, figures = self.terms.by, self._known_figures
        if self.terms.is_by_figures and by and by not in figures:
            known = (*MEASURES, *sorted(figures))
            raise Unreadable(
                tr("the players cannot be ranked by {by}", by=quote(by)),
                did_you_mean(by, known) or tr("choose one of {names}", names=", ".join(known)),
            )

    def _begin_day(self, day: str) -> None:
        """Begin the next day."""
        self._compare_tables()
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
            LeagueRow(now.get(key), then.get(key), self.value(player, self.by), player)
            for key, player in self._accounts.items()
        ]
        last = len(rows) + 1
        return sorted(rows, key=lambda row: (row.place or last, row.player.name.casefold()))

    def _rank(self, accounts: Mapping[str, LeagueAccount]) -> dict[str, int]:
        """Return the place of each player who has one. Players who tie share a place."""
        least, chain = max(self.terms.least, 1), self.chain
        return rank_keys(
            {
                key: self._ranking_key(player, chain)
                for key, player in accounts.items()
                if player.matches >= least
            }
        )

    def _ranking_key(self, player: LeagueAccount, chain: Sequence[str]) -> list[float | None]:
        """Return the numbers that rank a player, in order of priority. Greater ones are better."""
        if self.ranking is not None and self.terms.is_by_figures:
            return ranking_key(self.ranking, chain, lambda name: self.value(player, name))
        value = player.value(chain[0])
        return [-value if value is not None and self.fewest_wins else value]

    @property
    def chain(self) -> tuple[str, ...]:
        """The names of the values that decide the ranking, in order of priority.

        If the rules of all matches rank by the same figures, these figures decide. Otherwise, or
        if no player has a value, points decide.
        """
        by = self.terms.by
        if not self.terms.is_by_figures or by:
            return (by or POINTS,)
        chain = next(iter(self._chains)) if len(self._chains) == 1 else (POINTS,)
        has_values = any(self.value(each, chain[0]) is not None for each in self._accounts.values())
        return chain if has_values else (POINTS,)

    @property
    def by(self) -> str:
        """The name of the first value that decides the ranking."""
        return self.chain[0]

    @property
    def prefers_fewest(self) -> bool:
        """True if lower is better for the value that `by` names."""
        figure = None if self.ranking is None else self.ranking.figures.get(self.by)
        return self.fewest_wins if figure is None else figure.fewest

    @property
    def figures(self) -> list[str]:
        """The names of the figures for which at least one player has a value."""
        if self.ranking is None or (len(self._chains) > 1 and self.by not in self.ranking.figures):
            return []
        return [
            name
            for name in self.ranking.figures
            if any(self.value(each, name) is not None for each in self._accounts.values())
        ]

    @property
    def shown_figures(self) -> list[str]:
        """The names of the figures to show for each player, including points.

        The figure that decides the ranking is first. If no figure decides it, the list is empty.
        """
        if not self.terms.is_by_figures or not self.figures:
            return []
        names = [self.by, POINTS, *self.figures]
        return list(dict.fromkeys(names))

    @property
    def is_comparing(self) -> bool:
        """True if one of the figures compares tables."""
        ranking = self.ranking
        return ranking is not None and any(ranking.figures[name].compares for name in self.figures)

    def amount(self, player: LeagueAccount, name: str) -> int | None:
        """Return a player's total for a figure, or None if the player has none."""
        return player.figures[name].total if name in player.figures else None

    def possible(self, player: LeagueAccount, name: str) -> int | None:
        """Return a player's highest possible total, or None if the figure is not a share."""
        figure = None if self.ranking is None else self.ranking.figures.get(name)
        is_share = figure is not None and figure.is_share and name in player.figures
        return player.figures[name].divisor if is_share else None

    def value(self, player: LeagueAccount, name: str) -> float | None:
        """Return a player's number for a figure, or for another value of `by`."""
        figure = None if self.ranking is None else self.ranking.figures.get(name)
        if figure is None:
            return player.value(name)
        sums = player.figures.get(name)
        return None if sums is None else figure.value(sums.total, sums.divisor)

    # --- progress

    @property
    def progress_kind(self) -> str:
        """The kind of values in `progress`: `points`, `wins`, `rating`, or "" if points are not
        comparable."""
        if self.terms.by in (WINS, RATING):
            return self.terms.by
        return POINTS if self.is_comparable else ""

    @property
    def progress_figure(self) -> str:
        """The figure whose values `progress` returns, or "" for points, wins or the rating."""
        chosen = self.terms.by
        if self.ranking is None or not self.terms.is_by_figures:
            return ""
        name = chosen or self.ranking.by
        return name if name in self.ranking.figures else ""

    def _progress_value(self, player: LeagueAccount) -> int:
        name = self.progress_figure
        if name or self.terms.by in (CLUB, POINTS, WINS, RATING):
            return round(self.value(player, name or self.terms.by) or 0)
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
    `rating` is None before the first rated match. `figures` are the sums of the ruleset's figures.
    """

    __slots__ = (
        *("_deciding", "figures", "matches", "name", "places", "points"),
        *("round_points", "rating", "rounds", "scored_rounds", "wins"),
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.matches = self.rounds = self.scored_rounds = self.round_points = self.points = (
            self.wins
        ) = 0
        self.places: dict[int, int] = {}
        self.rating: Rating | None = None
        self._deciding = BestSum()
        self.figures: dict[str, BestSum] = {}

    def copy(self) -> LeagueAccount:
        """Return an independent copy."""
        made = LeagueAccount(self.name)
        for key in self.__slots__:
            setattr(made, key, getattr(self, key))
        made.places, made._deciding = dict(self.places), self._deciding.copy()
        made.figures = {name: sums.copy() for name, sums in self.figures.items()}
        return made

    def figure(self, name: str) -> BestSum:
        """Return the sum of a figure."""
        if name not in self.figures:
            self.figures[name] = BestSum()
        return self.figures[name]

    def add(self, number: int, divisor: int, best: int, sign: int) -> None:
        """Add the value of a match (see `BestSum.add`)."""
        self._deciding.add(number, divisor, best, sign)

    def value(self, by: str) -> float | None:
        """Return the value that decides the ranking, or None if there is none."""
        if by == RATING:
            return None if self.rating is None else self.rating.ordinal
        if by in (CLUB, POINTS, WINS):
            return self._deciding.total
        return average(self._deciding.total, self._deciding.divisor)

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


class BestSum:
    """A sum of numbers, or of only the best of them, with a divisor for the average."""

    __slots__ = ("_best", "divisor", "total")

    def __init__(self) -> None:
        self.total = self.divisor = 0
        self._best: list[tuple[float, int, int]] = []

    def copy(self) -> BestSum:
        """Return an independent copy."""
        made = BestSum()
        made.total, made.divisor, made._best = self.total, self.divisor, list(self._best)
        return made

    def add(self, number: int, divisor: int, best: int, sign: int) -> None:
        """Add a number. The average divides the sum of the numbers by the sum of the divisors.

        If `best` is above 0, only that many numbers are used. These are the highest if `sign` is
        +1, and the lowest if `sign` is -1.
        """
        self.total += number
        self.divisor += divisor
        if best:
            heappush(self._best, (sign * number / divisor, number, divisor))
            if len(self._best) > best:
                _, number, divisor = heappop(self._best)
                self.total -= number
                self.divisor -= divisor


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
