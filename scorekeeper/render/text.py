"""A sheet, or any table, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.columns import broken, columns, filled
from scorekeeper.render.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.render.sheet import Grid, Sheet

WIDTH = 80
LONG = 24
MOST = (None, LONG, 16, 12, 8)  # how wide a column may be; None: as wide as it comes


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
    heads = [plain(heading) for heading in headings]
    aligned = aligns if cells and aligns else None
    lines: list[str] = []
    # What players are called may be long: then columns are as wide as fit a terminal, and what is
    # wider goes on below.
    named = [*heads, *(row[0] for row in cells if row and not isinstance(row, str))]
    long = max(map(columns, named), default=0) > LONG
    for most in MOST if long else MOST[:1]:
        bounds = None if most is None or not cells else [most] * len(heads)
        text = tabulate(
            cells,
            heads if most is None else [_broken(head, most) for head in heads],
            tablefmt="simple",
            disable_numparse=True,
            colalign=aligned,
            maxcolwidths=bounds,
        )
        lines = [line.rstrip() for line in text.splitlines()]
        if max(map(columns, lines), default=0) <= WIDTH:
            break
    return "\n".join(lines)


def _broken(text: str, most: int) -> str:
    """A heading in lines that are no wider."""
    return "\n".join(filled(text.split(), most, "", " "))


def _cells(rows: Iterable[Sequence[object]]) -> list[list[str] | str]:
    return [[plain(str(cell)) for cell in row] for row in rows]


def render(sheet: Sheet) -> str:
    """The sheet as text, ending in a line break."""
    title = plain(sheet.title)
    facts = [plain(f"{word}: {text}") for word, text in sheet.facts]
    parts = ["\n".join([title, *(line for fact in facts for line in broken(fact, WIDTH, "  "))])]
    parts += [_grid(grid) for grid in sheet.grids]
    if sheet.footnotes:
        parts.append("\n".join(map(plain, sheet.footnotes)))
    return "\n\n".join(parts) + "\n"


def _grid(grid: Grid) -> str:
    headings = [column.label or "_" * column.width for column in grid.columns]
    text = table(headings, grid.rows, [column.align for column in grid.columns], grid.totals)
    return f"{plain(grid.caption)}\n{text}" if grid.caption else text
