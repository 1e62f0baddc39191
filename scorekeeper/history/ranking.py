"""Figures over the rounds of a match, and comparisons between tables, by which clubs rank players.

A comparison needs the same deal at several tables. Deals are the same if their matches are of the
same game, began on the same day at the same place, and have the same number for the deal
(`[ranking] same`). Results are compared between players who had the same seats in the same deal.

A player cannot play the same deal twice. If a name occurs twice among the results of a deal, they
must come from different deals with the same number, so none of them is compared.
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

    `numbers` has each player's number for each figure that needs no other match, and for POINTS.
    `unknown` is the number of deals of which only the score is known. They add nothing to figures
    other than the points.
    """

    numbers: Mapping[str, Mapping[str, int]]
    unknown: int


def sum_figures(
    ranking: Ranking, summaries: Iterable[Summary], points: Mapping[str, int]
) -> FigureSums:
    """Return the figures of a match. `points` has each player's change of tally in the match."""
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

    `figures` has each player's number for each figure of the match. If the ruleset ranks by a
    comparison of tables, the figures cannot rank players within one match. In that case, return
    their places in the match.
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
    """The result of a deal at one table, for a player or the players of a side.

    `match` is a number that identifies the match.
    """

    match: int
    ranking: Ranking
    names: Sequence[str]
    points: int


class Compared(NamedTuple):
    """A player's sum for a figure that compares tables, over the deals of a match.

    `possible` is the greatest sum that was possible. If a figure has no greatest sum, because it
    counts steps, `possible` is the number of comparisons.
    """

    match: int
    name: str
    figure: str
    amount: int
    possible: int


class Comparison:
    """A collection of the results of deals at several tables, and their comparison.

    `ambiguous` is the number of deals that could not be compared, because some player seems to have
    played them twice.
    """

    def __init__(self) -> None:
        self.ambiguous = 0
        # keyed by deal, then by the index in `_lines`
        self._deals: dict[tuple[object, ...], dict[int, list[TableResult]]] = {}

    def add(
        self, rules: Ruleset, day: str, place: str, summaries: Iterable[Summary], number: int
    ) -> None:
        """Add the rounds of a match. `number` identifies the match in the results of `settle`."""
        if not rules.ranking.comparing:
            return
        session = (rules.game, day, place.casefold())
        for summary in summaries:
            same, changes = summary.get(SAME), summary["changes"]
            if same is None or changes is None:
                continue
            lines = self._deals.setdefault((*session, same), {})
            for seats, names in enumerate(_lines(rules, summary)):
                if not names:  # the whole side sat out
                    continue
                result = TableResult(number, rules.ranking, names, changes[names[0]])
                lines.setdefault(seats, []).append(result)

    def settle(self) -> list[Compared]:
        """Compare all deals that were added, and remove them."""
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
    """Return the players of each side, or each player alone if the game has no sides.

    The players of a side are listed by seat, without players who sat out.
    """
    seated = list(summary["before"])
    sides = int(rules.sides["number"]) or len(seated)
    return [
        [name for name in seated[first::sides] if name not in summary["sat_out"]]
        for first in range(sides)
    ]


def _compare(
    mine: TableResult,
    results: Iterable[TableResult],
    found: dict[tuple[int, str, str], tuple[int, int]],
) -> None:
    """Compare a result with the other results in the same seats, and add the amounts to `found`."""
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

    A key is a list of numbers. Each number decides only if the numbers before it are equal. None is
    less than any number. A player whose first number is None has no place.
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
    """Return a player's key for `rank_keys`. A better player has a greater key.

    `value` returns the player's number for each figure in `chain`.
    """
    key = []
    for name in chain:
        number = value(name)
        key.append(-number if number is not None and ranking.prefers_fewest(name) else number)
    return key
