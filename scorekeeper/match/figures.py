"""The figures of a finished round, by which clubs rank players (see `engine/figures.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import ExpressionError
from scorekeeper.engine.measures import Owner
from scorekeeper.engine.rows import EACH
from scorekeeper.ruleset.ranking import EVERYONE, FIGURES, SAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.engine.figures import Figure, Ranking
    from scorekeeper.engine.round import Round

    ByPlayer = dict[str, int]


def summarize_figures(rnd: Round, changes: Sequence[int] | None, is_passed: bool) -> Json:
    """Return the part of a round's summary that the ruleset's ranking needs.

    The key `figures` maps each figure to each player's number, without zeros. It is None if the
    deal counts but only its score is known. The key `same` is a number that is equal for all deals
    of the same cards. It is None for a deal that is not compared. `is_passed` is true if the round
    is void by its own rules, because all players passed.
    """
    ranking = rnd.rules.ranking
    result: Json = {}
    if ranking.of_deals:
        result[FIGURES] = _figures(rnd, ranking.of_deals, changes)
    if ranking.comparing:
        counts = rnd.over and changes is not None and (is_passed or not rnd.void)
        result[SAME] = _same_number(rnd, ranking) if counts else None
    return result


def _figures(
    rnd: Round, figures: Iterable[Figure], changes: Sequence[int] | None
) -> dict[str, ByPlayer] | None:
    """Return the numbers of the players for each figure, or None if they are not known."""
    if not rnd.over or rnd.void:
        return {}
    if changes is None or rnd.unscored:
        return None
    try:
        each = {figure.name: _by_player(rnd, figure) for figure in figures}
    except ExpressionError:
        return None
    return {name: numbers for name, numbers in each.items() if numbers}


def _by_player(rnd: Round, figure: Figure) -> ByPlayer:
    """Return the number of each player for a figure, without zeros."""
    assert figure.points is not None
    numbers: ByPlayer = {}
    for seat in _seats(rnd, figure):
        get = rnd.cached_reading(Owner((seat,)))
        number = int(figure.points(get)) if figure.when(get) else 0
        if number:
            numbers[rnd.names[seat]] = number
    return numbers


def _seats(rnd: Round, figure: Figure) -> list[int]:
    """Return the seats of the players who may get points for a figure."""
    seats: Iterable[int] = rnd.seats
    if figure.to == EVERYONE:
        seats = range(len(rnd.names))
    elif figure.to != EACH:
        seats = rnd.roles[figure.to][1] if figure.to in rnd.roles else ()
    if not figure.but:
        return list(seats)
    without = rnd.roles[figure.but][1] if figure.but in rnd.roles else ()
    return [seat for seat in seats if seat not in without] if without else []


def _same_number(rnd: Round, ranking: Ranking) -> int | None:
    """Return the number that all deals of the same cards share, or None if it has no value."""
    assert ranking.same is not None
    try:
        return int(ranking.same.value_in(rnd))
    except ExpressionError:
        return None
