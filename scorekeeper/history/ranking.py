"""Figures over the rounds of a match, and comparisons between tables, by which clubs rank players.

A comparison needs the same deal at several tables. Deals are the same if their matches are of the
same game, began on the same day at the same place, and have the same number for the deal
(`[ranking] same`). There the results of the players in the same seats are compared.

A player cannot play the same deal twice. If a name occurs twice among the results of a deal, these
are different deals with the same number, and none of them is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.history.results import places
from scorekeeper.ruleset.ranking import FIGURES, POINTS, SAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.engine.figures import Ranking
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.view import MatchView


class FigureSums(NamedTuple):
    """The figures of one match.

    `numbers` maps the points, and each figure that is known from the match alone, to the numbers of
    the players. `unknown` is the number of deals that count for points only, because no more than
    their score is known.
    """

    numbers: Mapping[str, Mapping[str, int]]
    unknown: int


def sum_figures(
    ranking: Ranking, summaries: Iterable[Summary], points: Mapping[str, int]
) -> FigureSums:
    """Return the figures of a match. `points` are the changes of the players' tallies in it."""
    unknown = 0
    sums = {figure.name: dict.fromkeys(points, 0) for figure in ranking.of_deals}
    for summary in summaries if sums else ():
        figures = summary.get(FIGURES)
        if figures is None:
            unknown += summary["changes"] is not None
            continue
        for name, by_player in figures.items():
            for who, number in by_player.items():
                sums[name][who] += number
    numbers: dict[str, Mapping[str, int]] = {POINTS: points, **sums}
    for figure in ranking.of_match:
        if figure.terms:
            numbers[figure.name] = {
                who: sum(factor * numbers[term][who] for term, factor in figure.terms.items())
                for who in points
            }
    return FigureSums(numbers, unknown)


def rank_players(
    match: MatchView, summaries: Sequence[Summary], figures: Mapping[str, Mapping[str, int]]
) -> dict[str, int]:
    """Return the places of the players at the table by the ruleset's ranking, from 1.

    `figures` are those of the match. If its ruleset ranks by a comparison of tables, the places are
    those of the match.
    """
    ranking, seated = match.ruleset.ranking, match.seated_players
    chain = [name for name in ranking.chain if name in figures]
    if not chain or chain[0] != ranking.by:
        return places(match, summaries)

    def key(name: str) -> list[float | None]:
        return ranking_key(ranking, chain, lambda figure: figures[figure][name])

    return rank_keys({name: key(name) for name in seated})


# --- comparisons


class TableResult(NamedTuple):
    """The result of a deal at one table, for the players in some seats.

    `match` is a number that identifies the match.
    """

    match: int
    ranking: Ranking
    names: Sequence[str]
    points: int


class Compared(NamedTuple):
    """The amount of a player for a figure in a match, and the most that was possible.

    For a figure without a most, `possible` is the number of comparisons.
    """

    match: int
    name: str
    figure: str
    amount: int
    possible: int


class Comparison:
    """The results of deals at several tables, until they are compared.

    `ambiguous` is the number of deals that could not be compared, because a player would have
    played them twice.
    """

    def __init__(self) -> None:
        self.ambiguous = 0
        # by deal, then by the place of the seats
        self._deals: dict[tuple[object, ...], dict[int, list[TableResult]]] = {}

    def add(
        self, rules: Ruleset, day: str, place: str, summaries: Iterable[Summary], number: int
    ) -> None:
        """Add the rounds of a match, which `number` identifies in the results of `settle`."""
        if not rules.ranking.comparing:
            return
        session = (rules.game, day, place.casefold())
        for summary in summaries:
            same, changes = summary.get(SAME), summary["changes"]
            if same is None or changes is None:
                continue
            lines = self._deals.setdefault((*session, same), {})
            for seats, names in enumerate(_lines(rules, summary)):
                result = TableResult(number, rules.ranking, names, changes[names[0]])
                lines.setdefault(seats, []).append(result)

    def settle(self) -> list[Compared]:
        """Compare all deals, and forget them."""
        found: dict[tuple[int, str, str], tuple[int, int]] = {}
        for lines in self._deals.values():
            names = [
                name.casefold()
                for results in lines.values()
                for result in results
                for name in result.names
            ]
            if len(names) > len({*names}):
                self.ambiguous += 1
                continue
            for results in lines.values():
                for result in results:
                    _compare(result, results, found)
        self._deals.clear()
        return [Compared(*key, *numbers) for key, numbers in found.items()]


def _lines(rules: Ruleset, summary: Summary) -> list[list[str]]:
    """Return the players of a deal by the place of their seats: by side, or else by seat."""
    seated = list(summary["before"])
    sides = int(rules.sides["number"]) or len(seated)
    lines = [
        [name for name in seated[first::sides] if name not in summary["sat_out"]]
        for first in range(sides)
    ]
    return [line for line in lines if line]


def _compare(
    mine: TableResult,
    results: Iterable[TableResult],
    found: dict[tuple[int, str, str], tuple[int, int]],
) -> None:
    """Add the amounts for a result against the others in the same seats."""
    others = [other for other in results if other is not mine]
    if not others:
        return
    sign = -1 if mine.ranking.fewest_points else 1
    for figure in mine.ranking.comparing:
        amount = sum(figure.compare(sign * (mine.points - other.points)) for other in others)
        possible = len(others) * (figure.beaten or 1)
        for name in mine.names:
            key = (mine.match, name, figure.name)
            before = found.get(key, (0, 0))
            found[key] = (before[0] + amount, before[1] + possible)


# --- places


def rank_keys(keys: Mapping[str, Sequence[float | None]]) -> dict[str, int]:
    """Return the places of the players, from 1 for the greatest key. Equal keys share a place.

    A key is a list of numbers, the first of which decides. A missing number is less than any other,
    and without the first one a player has no place.
    """
    numbers = {
        name: tuple((each is not None, each or 0) for each in key)
        for name, key in keys.items()
        if key[0] is not None
    }
    places: dict[object, int] = {}
    for place, key in enumerate(sorted(numbers.values(), reverse=True), 1):
        places.setdefault(key, place)
    return {name: places[key] for name, key in numbers.items()}


def ranking_key(
    ranking: Ranking, chain: Iterable[str], value: Callable[[str], float | None]
) -> list[float | None]:
    """Return a key for `rank_keys`, which is greater for a better player.

    `value` returns the player's number for each figure in `chain`.
    """
    key = []
    for name in chain:
        number = value(name)
        key.append(-number if number is not None and ranking.prefers_fewest(name) else number)
    return key
