"""A table that is wider than the paper, laid out so that it fits and nothing is lost.

Cells go on in further lines, headings too. Where that is not enough the table falls apart: what is
about players or sides first, then what is about the round, each beside the column by which a row
is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import columns, filled, padded, plain
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.paper import APART, CARRIED, ROUND, Column, Grid
from scorekeeper.render.shares import kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NARROWEST = 40
MOST_NAME = 16  # columns of what a name is shortened to


class Bounds(NamedTuple):
    """How narrow a column may become at most: for its longest word, its longest number, and its
    heading (names that stand there are short already); `unbroken`: whether no cell goes on in
    another line, `whole`: whether no number does; how many blanks stand between columns."""

    word: int
    number: int
    heading: int
    unbroken: bool
    whole: bool
    between: int


EASY = Bounds(12, 20, 10, False, True, 2)
WHOLE = EASY._replace(unbroken=True)
FIRST = (WHOLE, WHOLE._replace(between=1), EASY, EASY._replace(between=1))
TIGHT = Bounds(8, 12, 6, False, False, 1)


def laid_out(grid: Grid, width: int) -> list[str]:
    """The table as one or several texts in lines of that width."""
    grid = _plain(grid)
    return _fitting(grid, width, *FIRST) or [
        text
        for part in _apart(grid)
        for text in _fitting(part, width, *FIRST, TIGHT)
        or [_drawn(piece, width, TIGHT) for piece in _pieces(part, width)]
    ]


def _fitting(grid: Grid, width: int, *every: Bounds) -> list[str]:
    """The table by the first of these bounds by which it fits; empty where it fits by none."""
    return next(
        ([_drawn(grid, width, bounds)] for bounds in every if _widths(grid, width, bounds)), []
    )


def to_write(grid: Grid) -> Grid:
    """The table with lines to write on in headings of columns that are still empty."""
    empty = [not any(row[at] for row in grid.rows) for at, _ in enumerate(grid.columns)]
    heads = [
        column._replace(label=plain(column.label) or "_" * (column.width if blank else 0))
        for column, blank in zip(grid.columns, empty, strict=True)
    ]
    return grid._replace(columns=heads)


def _plain(grid: Grid) -> Grid:
    rows = [[plain(cell) for cell in row] for row in grid.rows]
    totals = [[plain(cell) for cell in row] for row in grid.totals]
    return to_write(grid)._replace(rows=rows, totals=totals)


# --- how wide


def _widths(grid: Grid, width: int, bounds: Bounds) -> list[int]:
    """How wide each column is, so that all fit; empty where they cannot."""
    rows = [["", *row[1:]] if over > 1 else row for row, over in _rows(grid)]
    cells = list(zip(*rows, strict=True)) or [()] * len(grid.columns)
    least = [
        max([_least_heading(column, bounds), *(_least(cell, bounds) for cell in below)])
        for column, below in zip(grid.columns, cells, strict=True)
    ]
    wanted = [
        max(columns(column.label), *map(columns, below), 1)
        for column, below in zip(grid.columns, cells, strict=True)
    ]
    room = width - bounds.between * (len(grid.columns) - 1)
    if sum(least) > room:
        return []
    most = max(wanted, default=0)
    while True:
        found = [max(low, min(high, most)) for low, high in zip(least, wanted, strict=True)]
        if sum(found) <= room:
            return found
        most -= 1


def _least(text: str, bounds: Bounds) -> int:
    """How narrow a cell may be."""
    if bounds.unbroken:
        return columns(text)
    longest = max(map(columns, text.split()), default=1)
    if any(map(str.isalpha, text)) or not any(map(str.isdigit, text)):
        return min(longest, bounds.word)
    return min(columns(text) if bounds.whole else longest, bounds.number)


def _least_heading(column: Column, bounds: Bounds) -> int:
    longest = max(map(columns, column.label.split()), default=1)
    return min(longest, MOST_NAME if column.who else bounds.heading)


# --- which columns stand together


def _apart(grid: Grid) -> Iterator[Grid]:
    """The table in two: what is about somebody, then what is about the round; the first column,
    by which a row is known, in both."""
    first = int(bool(grid.columns) and not grid.columns[0].who)
    about = [at for at, column in enumerate(grid.columns) if column.who and at >= first]
    rest = [at for at, column in enumerate(grid.columns) if not column.who and at >= first]
    if not about or not rest:
        yield grid
        return
    key = [0] * first
    rounds = [row for row, kind in zip(grid.rows, kinds_of(grid), strict=True) if kind == ROUND]
    if not first or len({row[0] for row in rounds}) < len(rounds):
        grid, key = _numbered(grid), [0, *(at + 1 for at in key)]
        about, rest = [at + 1 for at in about], [at + 1 for at in rest]
    yield _cut(grid, [*key, *about])
    yield _filled_in(_cut(grid, [*key, *rest])._replace(caption=""), len(key))


def _numbered(grid: Grid) -> Grid:
    """The table with the rows' numbers before it, where nothing else tells them apart."""
    rows = [[str(at), *row] for at, row in enumerate(grid.rows, 1)]
    totals = [["", *row] for row in grid.totals]
    return grid._replace(columns=[Column("", "right"), *grid.columns], rows=rows, totals=totals)


def _filled_in(grid: Grid, key: int) -> Grid:
    """The table without rows that say nothing here, unless all are still to be written."""
    every = list(zip(grid.rows, kinds_of(grid), strict=True))
    kept = [each for each in every if any(each[0][key:])] or every
    totals = [row for row in grid.totals if any(row[key:])]
    return grid._replace(
        rows=[row for row, _ in kept], kinds=[kind for _, kind in kept], totals=totals
    )


def _cut(grid: Grid, kept: Sequence[int]) -> Grid:
    """These columns of the table."""
    return grid._replace(
        columns=[grid.columns[at] for at in kept],
        rows=[[row[at] for at in kept] for row in grid.rows],
        totals=[[row[at] for at in kept] for row in grid.totals],
    )


def _pieces(grid: Grid, width: int) -> Iterator[Grid]:
    """The table in as many pieces as it needs, the first column in each."""
    kept: list[int] = [0]
    for at in range(1, len(grid.columns)):
        if len(kept) > 1 and not _widths(_cut(grid, [*kept, at]), width, TIGHT):
            yield _cut(grid, kept)
            kept = [0]
        kept.append(at)
    yield _cut(grid, kept)


# --- how it looks


def _drawn(grid: Grid, width: int, bounds: Bounds) -> str:
    """The table in lines of that width."""
    widths, between = _widths(grid, width, bounds), " " * bounds.between
    heads = [column.label for column in grid.columns]
    aligns = [column.align for column in grid.columns]
    rule = between.join("-" * wide for wide in widths)
    lines = [*_row(heads, widths, aligns, between, bottom=True), rule]
    for at, (row, over) in enumerate(_rows(grid)):
        if grid.rows and at == len(grid.rows):
            lines.append(rule)
        first = sum(widths[:over]) + bounds.between * (over - 1)
        align = aligns[0] if over == 1 else "left"
        cells, wide = [row[0], *row[over:]], [first, *widths[over:]]
        lines += _row(cells, wide, [align, *aligns[over:]], between)
    return "\n".join(lines)


def _rows(grid: Grid) -> Iterator[tuple[Sequence[str], int]]:
    """The rows and the totals, each with how many columns its first cell may take: what is no round
    is called so over what is empty beside it."""
    for row, kind in zip(grid.rows, kinds_of(grid), strict=True):
        yield row, _over(row) if kind in (APART, CARRIED) else 1
    for row in grid.totals:
        yield row, _over(row)


def _over(row: Sequence[str]) -> int:
    return next((at for at in range(1, len(row)) if row[at]), len(row))


def _row(
    cells: Sequence[str],
    widths: Sequence[int],
    aligns: Sequence[str],
    between: str,
    *,
    bottom: bool = False,
) -> Iterator[str]:
    """A row in as many lines as its fullest cell has."""
    told = [
        list(filled(cell.split(), width, "", " "))
        for cell, width in zip(cells, widths, strict=True)
    ]
    tall = max([1, *map(len, told)])
    for lines in told:
        blanks = [""] * (tall - len(lines))
        lines[:] = [*blanks, *lines] if bottom else [*lines, *blanks]
    for line in zip(*told, strict=True):
        placed = map(_placed, line, widths, aligns)
        yield between.join(placed).rstrip()


def _placed(text: str, width: int, align: str) -> str:
    if align == "center":
        text = " " * ((width - columns(text)) // 2) + text
    return padded(text, width, right=align == "right")


def listed(parts: Sequence[str], width: int, indent: str = "") -> list[str]:
    """Parts with commas between them, in lines of that width."""
    commas = [*(f"{part}," for part in parts[:-1]), *parts[-1:]]
    return list(filled(commas, width, indent, " "))
