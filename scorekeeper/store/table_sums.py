"""Rows of a table that come to what those above them come to: sums that nobody has called so."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from scorekeeper.store.table_rows import Scores

    # How many rows above one it comes to: those of its match, and those of the table.
    Above = tuple[int, int]


def sums_among(rows: Sequence[Scores], wide: bool) -> tuple[set[int], set[int]]:
    """Which of these rows are sums for certain, and which may be sums or rounds, by their places.

    Certain are rows with neither a date nor a number where all others have one. Else a row may be a
    sum that ends its match, or the table; only `wide` ones, for many a player's points come to
    the sum of others. Who numbers a round says that it is none.
    """
    bare = {at for at, row in enumerate(rows) if not row.marked and _points_of(row)}
    above = _come_to(rows, wide, bare)
    if all(at in above for at in bare) and any(max(above[at]) > 1 for at in bare):
        sure = {at for at in bare if max(above[at]) > 1}
    else:
        sure, above = set(), _come_to(rows, wide, ())
    ends = {at for at in above.keys() - sure if wide and _may_end(rows, at, above[at], sure)}
    last = len(rows) - 1
    lost = bare == {last} and any(isinstance(row.points, Failure) for row in rows)
    return sure, ends | (bare - sure if sure else {last} if lost else set())


def repeats_among(rows: Sequence[Scores], wide: bool) -> tuple[set[int], set[int]]:
    """The same where the table has running totals: rows that say those above them once more, or
    rounds in which nobody got anything."""
    bare = {at for at, row in enumerate(rows) if not row.marked and _points_of(row)}
    idle = {at for at in bare if not any(_points_of(rows[at]).values())}
    if idle == bare and all(at > 1 for at in idle):
        return idle, set()
    return set(), {at for at in idle if wide and at and _ends_match(rows, at, ())}


def either() -> Failure:
    """The failure of a row that may be a sum or a round."""
    return Unreadable(
        tr("it may be a round, or the sum of those above it"),
        tr("take a sum out, or write {word} in front; number a round in a column {column}",
           word="Total", column="Nr"),
    )  # fmt: skip


def _points_of(row: Scores) -> Mapping[str, int]:
    return {} if isinstance(row.points, Failure) else row.points


def _may_end(rows: Sequence[Scores], at: int, above: Above, sure: Container[int]) -> bool:
    """Whether a row that comes to those above it stands where a sum would: at the end of what it
    sums up, or without a date at the end of a match."""
    of_match, of_all = above
    last = not rows[at].marked or _following(rows, at, sure) is None
    return _ends_match(rows, at, sure) and (of_match > 1 or (of_all > 1 and last))


def _ends_match(rows: Sequence[Scores], at: int, aside: Container[int]) -> bool:
    """Whether what follows a row is of another match, or nothing; rows `aside` are none."""
    following = _following(rows, at, aside)
    return following is None or following.match != rows[at].match


def _following(rows: Sequence[Scores], at: int, aside: Container[int]) -> Scores | None:
    return next((rows[n] for n in range(at + 1, len(rows)) if n not in aside), None)


def _come_to(rows: Sequence[Scores], wide: bool, aside: Container[int]) -> dict[int, Above]:
    """The rows that come to what those above them come to, of which the ones `aside` are none."""
    matches: dict[tuple[str, ...], _Sum] = {}
    everything = _Sum(wide)
    found: dict[int, Above] = {}
    for at, row in enumerate(rows):
        points = _points_of(row)
        of_match = matches.setdefault(row.match, _Sum(wide))
        above = of_match.rows_in(points), everything.rows_in(points)
        if any(above) and not row.round:
            found[at] = above
        if at not in aside:
            of_match.add(points)
            everything.add(points)
    return found


class _Sum:
    """What rows come to, and how many they are: all, or, where a row is one player's, by name."""

    def __init__(self, wide: bool) -> None:
        self._wide = wide
        self._sum: Counter[str] = Counter()
        self._rows: Counter[str] = Counter()

    def add(self, points: Mapping[str, int]) -> None:
        self._sum.update(points)
        self._rows.update(dict.fromkeys({"", *points} if points else (), 1))

    def rows_in(self, points: Mapping[str, int]) -> int:
        """How many rows come to these points; 0 where they come to others, or to nothing."""
        names = self._sum.keys() | points.keys() if self._wide else points.keys()
        if not any(points.values()) or any(self._sum[n] != points.get(n, 0) for n in names):
            return 0
        return self._rows[""] if self._wide else min(self._rows[name] for name in names)
