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


def lines_of(
    rows: Iterable[ScoreRow],
    roles: Mapping[str, tuple[str, Sequence[int]]],
    reading: Callable[[str], Get],
    counts: Callable[[ScoreRow, Get], bool],
) -> list[Line]:
    """The lines that score rows give to roles (a label and its seats), where `counts` says that a
    row counts. Raises Damaged for points that no tally can take."""
    lines: list[Line] = []
    given: dict[tuple[str, str], int] = {}
    readings: dict[str, Get] = {}
    for row in rows:
        role = roles.get(row.to)
        if role is None or not role[1]:
            continue
        get = readings.get(row.to)
        if get is None:
            get = readings[row.to] = reading(row.to)
        if not counts(row, get):
            continue
        points = row.fixed if row.fixed is not None else _points(row, role[0], given, get)
        if points:
            given[row.name, role[0]] = given.get((row.name, role[0]), 0) + points
            lines.append(Line(row.code, role[0], points, row.cite))
            against = roles.get(row.against)
            if against is not None and against[1]:
                there = given.get((row.name, against[0]), 0)
                given[row.name, against[0]] = there - points
                lines.append(Line(row.code, against[0], -points, row.cite))
    return lines


def _points(row: ScoreRow, label: str, given: Mapping[tuple[str, str], int], get: Get) -> int:
    """What a row comes to, as a whole number; a factor is on what its rows have given so far."""
    if row.factor is not None:
        rows = row.of or [name for name, to in given if to == label]
        points = (row.factor(get) - 1) * sum(given.get((name, label), 0) for name in rows)
    else:
        assert row.points is not None
        points = row.points(get)
    if not abs(points) <= limits.POINTS or points != int(points):
        raise Damaged(f"{row.code} comes to {shown(points)} points")
    return int(points)
