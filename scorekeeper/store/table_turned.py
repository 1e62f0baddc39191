"""A table in which players stand in rows and days in columns, turned round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.text import shown
from scorekeeper.store.table_columns import TRANSPOSE, name_of
from scorekeeper.store.table_dates import is_date
from scorekeeper.store.table_words import is_total

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.store.table_markdown import Row


class Column(int):
    """The number of a row that is a column in the file, from 1."""


def place(number: int) -> str:
    """Where a row stands in the file."""
    if isinstance(number, Column):
        return tr("column {column}", column=number)
    return tr("line {line}", line=number)


def places(numbers: Sequence[int]) -> str:
    """Where rows of a table stand."""
    told = ", ".join(map(str, numbers))
    if isinstance(numbers[0], Column):
        return plural("column {told}", "columns {told}", len(numbers), told=told)
    return plural("line {told}", "lines {told}", len(numbers), told=told)


def turned(path: str, rows: Sequence[Row]) -> list[Row] | None:
    """The rows of a table whose headings are days, turned round: headings that are players, and a
    row a day. None for any other. Raises Unreadable where that is not certain."""
    (line, first), *others = rows
    headings = [cell.strip() for cell in first]
    days = [at for at, text in enumerate(headings) if is_date(text)]
    if not days or days[0] == 0 or len(others) > untrusted.PLAYERS:
        return None
    odd = next((text for text in headings[1:] if not _is_day(text)), "")
    if odd and len(days) < 2:
        return None  # it has no headings
    if odd:
        raise Unreadable(
            tr("{path}, line {line}: {what}", path=shown(path, 200), line=line,
               what=tr("a row seems to be a player, a column a day, and “{heading}” is neither",
                       heading=shown(odd))),
            tr("take that column out, or {turn}", turn=tr(TRANSPOSE)),
        )  # fmt: skip
    players = _players(path, len(headings), others)
    made = [(line, ["date", *(name for name, _ in players)])]
    for at in range(1, len(headings)):
        cells = [headings[at], *(row[at] if at < len(row) else "" for _, row in players)]
        if any(cell.strip() for cell in cells):
            made.append((Column(at + 1), cells))
    return made


def _is_day(heading: str) -> bool:
    """Whether a heading may stand above what players got on a day, or in all."""
    return not heading or is_date(heading) or is_total(heading)


def _players(path: str, count: int, rows: Iterable[Row]) -> list[tuple[str, list[str]]]:
    """Each player with their row. Raises Unreadable for one without a name, or with another's, and
    for one with more cells than there are columns."""
    found: list[tuple[str, list[str]]] = []
    seen: set[str] = set()
    for line, row in rows:
        name, wrong = name_of(row[0]), ""
        if not name:
            wrong = tr("points without a name")
        elif name.casefold() in seen:
            wrong = tr("“{names}”: somebody is named twice", names=shown(name))
        elif any(cell.strip() for cell in row[count:]):
            wrong = tr("it has {found} cells, and there are {count} columns", found=len(row),
                       count=count)  # fmt: skip
        if wrong:
            said = tr("{path}, line {line}: {what}", path=shown(path, 200), line=line, what=wrong)
            raise Unreadable(said, tr("put that row right"))
        seen.add(name.casefold())
        found.append((name, row))
    return found
