"""From a finished round to the lines of its score. Floor 5.

A row gives points, or a factor on rows above it, to a role (who won, lost, was the soloist) and,
with `against`, the same with the other sign to another. A role's points count for each of its
players. Lines always sum to the score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.failures import Damaged
from scorekeeper.rulings import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from scorekeeper.round import Round


def score(rnd: Round) -> tuple[list[Line], list[int]] | None:
    """The lines of a finished round and the change of each player's tally, by seat.

    None while the round goes on, and for a round whose score would need what was not seen. A
    void round has no lines but those of what happened beside play (penalties, fouls).
    """
    if not rnd.over or not (rnd.scored or rnd.void):
        return None
    seats = dict(reversed(rnd.roles.values()))
    changes = _summed(rnd, rnd.lines, seats)
    if rnd.void:
        return list(rnd.lines), changes
    rows = _rows(rnd)
    given = _summed(rnd, rows, seats)
    _check(rnd, rows, given)
    return rnd.lines + rows, [
        change + points for change, points in zip(changes, given, strict=True)
    ]


def _summed(rnd: Round, lines: list[Line], seats: Mapping[str, tuple[int, ...]]) -> list[int]:
    """What the lines come to for each seat; a role's points count for each of its players."""
    changes = [0] * len(rnd.names)
    for line in lines:
        for seat in seats.get(line.to) or map(rnd.names.index, line.to.split("+")):
            changes[seat] += int(line.points)
    return changes


def _rows(rnd: Round) -> list[Line]:
    lines: list[Line] = []
    given: dict[tuple[str, str], float] = {}
    readings: dict[str, Callable[[str], Any]] = {}
    for row in rnd.rules.scores:
        role = rnd.roles.get(row.to)
        if role is None or not role[1]:
            continue
        get = readings.get(row.to)
        if get is None:
            get = readings[row.to] = rnd.settled_reading(row.to)
        if not (row.always or row.when(get)):
            continue
        if row.fixed is not None:
            points: float = row.fixed
        elif row.factor is not None:
            rows = row.of or [name for name, label in given if label == role[0]]
            base = sum(given.get((name, role[0]), 0) for name in rows)
            points = (row.factor(get) - 1) * base
        else:
            assert row.points is not None
            points = row.points(get)
        if points:
            given[row.name, role[0]] = given.get((row.name, role[0]), 0) + points
            lines.append(Line(row.code, role[0], points, row.cite))
            against = rnd.roles.get(row.against)
            if against is not None and against[1]:
                there = given.get((row.name, against[0]), 0)
                given[row.name, against[0]] = there - points
                lines.append(Line(row.code, against[0], -points, row.cite))
    return lines


def _check(rnd: Round, rows: list[Line], given: list[int]) -> None:
    """The sums that a ruleset promises of its score rows. Raises Damaged when they are not so."""
    tally = rnd.rules.tally
    if tally["zero_sum"] and sum(given):
        raise Damaged(f"the rows of round {rnd.number} do not sum to zero: {rows}")
    if tally["parity"] and len({given[seat] % 2 for seat in rnd.seats}) > 1:
        raise Damaged(f"the rows of round {rnd.number} are odd for some, even for others: {rows}")
