"""What score rows give, once it is known who has which role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import limits
from scorekeeper.core.failures import Damaged
from scorekeeper.core.rulings import Line
from scorekeeper.core.suggest import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.expressions import Get
    from scorekeeper.ruleset.rows import ScoreRow

    Target = tuple[str, tuple[int, ...]]  # whom a row gives points: a label, and the seats
    Given = tuple[Line, Target]

EACH, SIDES = "each", "sides"
"""Whom a row may be for besides a role: every player, or every side, each for itself."""


def lines_of(
    rows: Iterable[ScoreRow],
    targets: Callable[[str], Sequence[Target]],
    reading: Callable[[Target], Get],
    counts: Callable[[ScoreRow, Get], bool],
) -> list[Given]:
    """The lines that score rows give, each with whom it is for: `targets` are those whom a word
    means (nobody, where a role has nobody), and `counts` says that a row counts. Raises Damaged for
    points that no tally can take."""
    lines: list[Given] = []
    given: dict[tuple[str, Target], int] = {}
    readings: dict[Target, Get] = {}
    for row in rows:
        for target in targets(row.to):
            get = readings.get(target)
            if get is None:
                get = readings[target] = reading(target)
            if not counts(row, get):
                continue
            points = row.fixed if row.fixed is not None else _points(row, target, given, get)
            if not points:
                continue
            given[row.name, target] = given.get((row.name, target), 0) + points
            lines.append((Line(row.code, target[0], points, row.cite), target))
            for against in targets(row.against):
                given[row.name, against] = given.get((row.name, against), 0) - points
                lines.append((Line(row.code, against[0], -points, row.cite), against))
    return lines


def _points(
    row: ScoreRow, target: Target, given: Mapping[tuple[str, Target], int], get: Get
) -> int:
    """What a row comes to, as a whole number; a factor is on what its rows have given so far."""
    if row.factor is not None:
        rows = row.of or [name for name, to in given if to == target]
        points = (row.factor(get) - 1) * sum(given.get((name, target), 0) for name in rows)
    else:
        assert row.points is not None
        points = row.points(get)
    if not abs(points) <= limits.POINTS or points != int(points):
        raise Damaged(f"{row.code} comes to {shown(points)} points")
    return int(points)
