"""Leagues: a table of players over many matches, by what is chosen to count, ratings among it.

Matches come one after another, in the order of their days; of none is anything kept but what its
players have come to. Nothing here knows a game.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.history.results import came_to
from scorekeeper.history.statistics import average

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.history.results import Result
    from scorekeeper.history.statistics import Listed
    from scorekeeper.match.view import MatchView

POINTS, AVERAGE, WINS, PLACES, RATING = "points", "average", "wins", "places", "rating"
MATCH, ROUND = "match", "round"
EMPTY, UNFINISHED = "empty", "unfinished"
SURE = 3  # deviations below the mean: somebody is as good as that with a chance of 99.9 %


class Terms(NamedTuple):
    """What counts.

    `by`: the `points` of all matches added up, their `average` for a match or for a round (`per`),
    the number of `wins`, the mean of the `places`, or a `rating`. Who took part in fewer than
    `least` matches has no place; of each only the `best` so many matches count (0: all; never with
    a rating). With an `award`, the points of a match are those for the place in it, the first for
    the best, nothing for places beyond.
    """

    by: str = POINTS
    per: str = MATCH
    least: int = 1
    best: int = 0
    award: Sequence[int] = ()

    @property
    def by_points(self) -> bool:
        """Whether points decide, of the tally or awarded."""
        return self.by in (POINTS, AVERAGE)


def league(matches: Iterable[Listed], terms: Terms) -> League:
    """The table over these matches, which come in the order of their days. Raises Unreadable for
    points that cannot be compared, and where a rating is asked for and openskill is not there."""
    made = League(terms)
    for listed in matches:
        made.add(listed)
    return made


class League:
    """The table over the matches that were added, and what it was made of.

    `counted` matches, `unfinished_counted` of them by what stood although nobody ended them;
    `left_out` leads from `empty` (nothing is recorded of it) or `unfinished` to how many;
    `rulesets` from a name to the title and how many; `days` are those on which something was
    played that counts, in order.
    `tally` is what stands on their sheets, and the fewest are good with `fewest`; `comparable`:
    their points can be added up.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.counted = self.unfinished_counted = 0
        self.left_out: dict[str, int] = {}
        self.rulesets: dict[str, tuple[str, int]] = {}
        self.days: list[str] = []
        self.tally = ""
        self.fewest = terms.by == PLACES
        self.comparable = True
        self._game: tuple[str, str, str] | None = None
        self._rater = Rater() if terms.by == RATING else None
        self._accounts: dict[str, Account] = {}
        self._before: dict[str, Account] = {}  # as they were before the last day they played on
        self._went: dict[str, list[tuple[int, int]]] = {}

    def add(self, listed: Listed) -> None:
        """Count one more match, of the day of the last one or of a later one; those without a date
        come before the first day. Raises Unreadable for points of games that cannot be
        compared."""
        match = listed.match
        summaries = list(match.summaries())
        result = came_to(match, summaries)
        if not result.places:
            why = UNFINISHED if summaries else EMPTY
            self.left_out[why] = self.left_out.get(why, 0) + 1
            return
        self._is_played_by(match.ruleset)
        self.counted += 1
        self.unfinished_counted += not match.over
        if listed.day > (self.days[-1] if self.days else ""):
            self._begin(listed.day)
        for name in result.rounds:
            self._count(self._account(name), result, name)
        if self._rater is not None:
            self._rate(self._rater, _teams(match, result), result)

    def _is_played_by(self, rules: Ruleset) -> None:
        """Take a match's game into account: those of one rule text have the same points."""
        wins, name = rules.match["wins"], rules.said(rules.tally["name"])
        game = (rules.rules_text, name, wins)
        if self._game is None:
            self._game, self.tally = game, name
            if self.terms.by_points and not self.terms.award:
                self.fewest = wins == "fewest"
        elif game != self._game and not self.terms.award:
            if self.terms.by_points:
                one, other = next(iter(self.rulesets)), rules.name
                raise Unreadable(
                    tr("points of {one} and of {other} are not comparable", one=one, other=other),
                    tr(
                        "choose by {option}, or count by {others}",
                        option=f"--ruleset {one}",
                        others="--award 3,2,1, --by wins, --by places, --by rating",
                    ),
                )
            self.comparable = False
        title, many = self.rulesets.get(rules.name, (rules.said(rules.title), 0))
        self.rulesets[rules.name] = title, many + 1

    def _begin(self, day: str) -> None:
        """What is added from now on belongs to another day."""
        self._note()
        self.days.append(day)
        self._before.clear()

    def _note(self) -> None:
        """Keep how far those came who played on the last day, or (-1) before the first."""
        for key in self._before:
            number = self._drawn(self._accounts[key])
            self._went.setdefault(key, []).append((len(self.days) - 1, number))

    def _account(self, name: str) -> Account:
        """A player's account; names that differ only in case are one player's."""
        key = name.casefold()
        found = self._accounts.setdefault(key, Account(name))
        if key not in self._before:
            self._before[key] = found.copy()
        return found

    def _count(self, player: Account, result: Result, name: str) -> None:
        terms, place = self.terms, result.places.get(name)
        points, made = result.points[name], result.made[name]
        if terms.award:
            points = made = terms.award[place - 1] if place and place <= len(terms.award) else 0
        player.matches += 1
        player.rounds += result.rounds[name]
        player.scored += result.scored[name]
        player.made += made
        player.points += points
        player.won += name in result.won
        if place is not None:
            player.places[place] = player.places.get(place, 0) + 1
        number, of = (made, result.scored[name]) if terms.per == ROUND else (points, 1)
        if terms.by == WINS:
            number = int(name in result.won)
        elif terms.by == PLACES:
            number, of = place or 0, int(place is not None)
        if of:
            player.count(number, of, terms.best, -1 if self.fewest else 1)

    def _rate(self, rater: Rater, teams: Sequence[Sequence[str]], result: Result) -> None:
        if len(teams) < 2:
            return
        players = [[self._account(name) for name in team] for team in teams]
        before = [[each.rating or rater.unknown for each in team] for team in players]
        after = rater.rated(before, [result.places[team[0]] for team in teams])
        for team, ratings in zip(players, after, strict=True):
            for player, rating in zip(team, ratings, strict=True):
                player.rating = rating

    @property
    def unknown(self) -> Rating | None:
        """With what a rating begins; None where nobody is rated."""
        return None if self._rater is None else self._rater.unknown

    # --- the table

    @property
    def table(self) -> list[Row]:
        """The players, the best first, those who are equal by name; then those without a place."""
        now = self._ranked(self._accounts)
        then: Mapping[str, int] = {}
        if len(self.days) > 1:
            then = self._ranked({**self._accounts, **self._before})
        rows = [
            Row(now.get(key), then.get(key), player.value(self.terms.by), player)
            for key, player in self._accounts.items()
        ]
        last = len(rows) + 1
        return sorted(rows, key=lambda row: (row.place or last, row.player.name.casefold()))

    def _ranked(self, accounts: Mapping[str, Account]) -> dict[str, int]:
        """The places of those who have one; who are equal share it, and the next one is as many
        places lower."""
        values = {
            key: value
            for key, player in accounts.items()
            if player.matches >= max(self.terms.least, 1)
            and (value := player.value(self.terms.by)) is not None
        }
        places: dict[float, int] = {}
        for at, value in enumerate(sorted(values.values(), reverse=not self.fewest), 1):
            places.setdefault(value, at)
        return {key: places[value] for key, value in values.items()}

    # --- how it went

    @property
    def draws(self) -> str:
        """What `went` tells of: `points`, `wins` or `rating`; empty where points say nothing."""
        if self.terms.by in (WINS, RATING):
            return self.terms.by
        return POINTS if self.comparable else ""

    def _drawn(self, player: Account) -> int:
        if self.terms.by in (POINTS, WINS, RATING):
            return round(player.value(self.terms.by) or 0)
        return player.points

    def went(self, player: Account) -> list[int | None]:
        """How far a player was after each of the `days`, in whole numbers; None before the first
        on which they played."""
        noted = dict(self._went.get(player.name.casefold(), ()))
        if player.name.casefold() in self._before and self.days:
            noted[len(self.days) - 1] = self._drawn(player)
        last, found = noted.get(-1), list[int | None]()
        for at in range(len(self.days)):
            last = noted.get(at, last)
            found.append(last)
        return found


def _teams(match: MatchView, result: Result) -> list[list[str]]:
    """Who came in together: those of a side, where the seating makes sides and each of them has
    one place; else everybody alone."""
    seated = match.seated
    sides: dict[int, list[str]] = {}
    for seat, name in enumerate(seated):
        if name in result.places:
            side = match.ruleset.side_of(seat, len(seated))[0]
            sides.setdefault(side, []).append(name)
    if all(len({result.places[name] for name in side}) == 1 for side in sides.values()):
        return list(sides.values())
    return [[name] for name in result.places]


class Row(NamedTuple):
    """A row of the table: the place (None: too few matches, or nothing that decides), the one
    before the last day (None: they had none, or there was no day before it), what decides, and all
    else that the player has come to."""

    place: int | None
    before: int | None
    value: float | None
    player: Account


class Account:
    """What a player has come to: `matches` in which they took part, `rounds` that they played in
    these, `scored` ones that were not void, `made` the points of these, `points`, `places` with how
    often they came in there, matches `won`, and the `rating`, None while there is none."""

    __slots__ = (
        *("_best", "_of", "_total", "matches", "name", "places", "points"),
        *("made", "rating", "rounds", "scored", "won"),
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.matches = self.rounds = self.scored = self.made = self.points = self.won = 0
        self.places: dict[int, int] = {}
        self.rating: Rating | None = None
        self._total = self._of = 0
        self._best: list[tuple[float, int, int]] = []

    def copy(self) -> Account:
        """The same, that stays as it is."""
        made = Account(self.name)
        for key in self.__slots__:
            setattr(made, key, getattr(self, key))
        made.places, made._best = dict(self.places), list(self._best)
        return made

    def count(self, number: int, of: int, best: int, sign: int) -> None:
        """Take a number, of so many, into what decides; of all only the `best` so many, which are
        the highest if the sign is +1, the lowest if -1."""
        self._total += number
        self._of += of
        if best:
            heappush(self._best, (sign * number / of, number, of))
            if len(self._best) > best:
                _, number, of = heappop(self._best)
                self._total -= number
                self._of -= of

    def value(self, by: str) -> float | None:
        """What decides; None while there is nothing."""
        if by == RATING:
            return None if self.rating is None else self.rating.ordinal
        if by in (POINTS, WINS):
            return self._total
        return self._total / self._of if self._of else None

    @property
    def per_match(self) -> float | None:
        """Points for a match, on average."""
        return average(self.points, self.matches)

    @property
    def per_round(self) -> float | None:
        """Points for a round that was not void, on average."""
        return average(self.made, self.scored)

    @property
    def mean_place(self) -> float | None:
        """The place on average, of the matches in which they came in somewhere."""
        often = sum(self.places.values())
        return sum(place * many for place, many in self.places.items()) / often if often else None


class Rating(NamedTuple):
    """What is known of somebody's skill."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What players are ranked by: the skill that they have at least, almost surely."""
        return self.mu - SURE * self.sigma


class Rater:
    """What rates players by the places in which they came in. Raises Unreadable where openskill is
    not installed.

    The model is Weng and Lin's after Plackett and Luce, as openskill has it, with its own
    parameters: a player's skill is a normal distribution with the mean `mu` (25 before their first
    match) and the deviation `sigma` (25/3 then, less with every match).
    """

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise Unreadable(
                tr("a rating needs {names}, which is not installed", names="openskill"),
                tr("{command} in Scorekeeper's folder", command="pip install '.[rating]'"),
            ) from None
        self._model = PlackettLuce()
        self.unknown = Rating(self._model.mu, self._model.sigma)

    def rated(self, teams: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
        """What is known after a match between these teams, two at least, that came in at these
        places (1 the best, equal ones shared): a list of lists alike."""
        model = self._model
        before = [[model.rating(each.mu, each.sigma) for each in team] for team in teams]
        after = model.rate(before, ranks=[float(place) for place in places])
        return [[Rating(each.mu, each.sigma) for each in team] for team in after]
