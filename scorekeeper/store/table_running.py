"""Running totals in a table, told as the points of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.table_turned import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.store.table_rows import Scores

# Where totals that run on begin anew: with each match, or never.
MATCH, TABLE = "match", "table"


class _Run(NamedTuple):
    """What totals stand at: by name, and whose are not known since a row that cannot be read: its
    line, by name; by nobody's for all who are not named."""

    totals: dict[str, int]
    lost: dict[str, int]


def differences(rows: Iterable[Scores], running: str) -> Iterator[Scores]:
    """The same rows in their order, each with what it adds to the totals before it; refused is
    what rests on a row that cannot be read."""
    runs: dict[tuple[str, ...], _Run] = {}
    for row in rows:
        key = row.match if running == MATCH else ()
        run = runs.setdefault(key, _Run({}, {}))
        if isinstance(row.points, Failure):
            run.lost.clear()
            run.lost[""] = row.line
            yield row
            continue
        everybody = run.lost.get("", 0)
        rests = max((run.lost.get(name, everybody) for name in row.points), default=0)
        points = {name: total - run.totals.get(name, 0) for name, total in row.points.items()}
        run.totals.update(row.points)
        if run.lost:
            run.lost.update(dict.fromkeys(row.points, 0))
        yield row._replace(points=_resting(rests) if rests else points)


def _resting(line: int) -> Failure:
    return Unreadable(
        tr("its points are what the totals grew by since {place}, which cannot be read",
           place=place(line)),
        tr("put {place} right", place=place(line)),
    )  # fmt: skip
