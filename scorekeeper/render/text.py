"""A sheet, or any table, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.render.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.render.sheet import Grid, Sheet


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    aligns: Sequence[str] = (),
    totals: Iterable[Sequence[object]] = (),
) -> str:
    """A table, its columns `left` (without a word), `right` or `center`, `totals` below a rule;
    letters of double width count as two."""
    from tabulate import SEPARATING_LINE, tabulate

    cells = _cells(rows)
    sums = _cells(totals)
    if sums:
        cells += [SEPARATING_LINE, *sums]
    text = tabulate(
        cells,
        [plain(heading) for heading in headings],
        tablefmt="simple",
        disable_numparse=True,
        colalign=aligns if cells and aligns else None,
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def _cells(rows: Iterable[Sequence[object]]) -> list[list[str] | str]:
    return [[plain(str(cell)) for cell in row] for row in rows]


def render(sheet: Sheet) -> str:
    """The sheet as text, ending in a line break."""
    title = plain(sheet.title)
    parts = [title + "".join(f"\n{plain(word)}: {plain(text)}" for word, text in sheet.facts)]
    parts += [_grid(grid) for grid in sheet.grids]
    if sheet.footnotes:
        parts.append("\n".join(map(plain, sheet.footnotes)))
    return "\n\n".join(parts) + "\n"


def _grid(grid: Grid) -> str:
    headings = [column.label or "_" * column.width for column in grid.columns]
    text = table(headings, grid.rows, [column.align for column in grid.columns], grid.totals)
    return f"{plain(grid.caption)}\n{text}" if grid.caption else text
