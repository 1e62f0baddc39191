"""What is told below a sheet's table, for renderers that have letters only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import plural, tr
from scorekeeper.render.paper import Column, Grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.render.paper import Parts, Running

SPARKS = "▁▂▃▄▅▆▇█"
ROOM = 60


def known(points: Sequence[int | None]) -> list[int]:
    """The tallies of who was there."""
    return [point for point in points if point is not None]


def over_rounds(running: Running) -> str:
    """What a picture of the tallies shows."""
    rounds = [each for each in running.rounds if each]
    if running.days:
        begins, ends = running.days[1], running.days[-1]
        return tr("{label} from {first} to {last}", label=running.label, first=begins, last=ends)
    label, count = running.label, len(rounds)
    if running.word and count:
        first, last, word = rounds[0], rounds[-1], running.word
        if first == last:
            return tr("{label}: {round} {number}", label=label, round=word, number=last)
        return tr(
            "{label}: {round} {first} to {last}", label=label, round=word, first=first, last=last
        )
    return plural("{label} over {count} round", "{label} over {count} rounds", count, label=label)


def sparkline(points: Sequence[int | None], among: Sequence[int] = ()) -> str:
    """The numbers as a row of small bars, the least lowest, also of those that they stand among:
    equal ones are all of middle height, a blank stands where there is none."""
    every = [*known(points), *among]
    least, most = min(every, default=0), max(every, default=0)
    wide, high = most - least, len(SPARKS) - 1

    def bar(point: int) -> str:
        return SPARKS[(2 * high * (point - least) + wide) // (2 * wide) if wide else high // 2]

    return "".join(" " if point is None else bar(point) for point in points)


def lasts(running: Running) -> list[str]:
    """What each had at last; nothing for who was never there."""
    return ["".join(map(str, known(points)[-1:])) for points in running.points]


def running_tables(running: Running | None, room: int = ROOM) -> list[Grid]:
    """What each has, and how it went as a line of small bars in so many letters, all by one scale;
    none where there is nothing to show."""
    if running is None or len(running.rounds) < 2 or not any(map(known, running.points)):
        return []
    every = [point for points in running.points for point in known(points)]
    lines = [sparkline(_thinned(points, room), every).rstrip() for points in running.points]
    rows = [list(row) for row in zip(running.names, lasts(running), lines, strict=True)]
    heads = [Column("", "left"), Column("", "right"), Column("", "left")]
    return [Grid(over_rounds(running), heads, rows)]


def _thinned(points: Sequence[int | None], most: int) -> list[int | None]:
    """So many of the points at most, evenly apart, the first and the last among them."""
    if len(points) <= most:
        return list(points)
    return [points[at * (len(points) - 1) // (most - 1)] for at in range(most)]


def came_from() -> str:
    """What a picture of the parts shows."""
    return tr("What the scores came from")


def in_all() -> str:
    """What the parts come to."""
    return tr("all together")


def parts_tables(parts: Parts | None) -> list[Grid]:
    """What tallies were made of as a table, without what nobody has; none where all came from one
    thing."""
    if parts is None:
        return []
    heads = [Column("", "left"), *(Column(name, "right", who=name) for name in parts.names)]
    whole = [[row[at] for row in parts.points] for at, _ in enumerate(parts.labels)]
    told = zip(parts.labels, whole, strict=True)
    rows = [[label, *(str(each or "") for each in row)] for label, row in told if any(row)]
    sums = [in_all(), *(str(sum(row)) for row in parts.points)]
    return [Grid(came_from(), heads, rows, [sums])] if len(rows) > 1 else []
