"""Markdown (with GitHub's tables) for a sheet or any table. Outside text is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import plain
from scorekeeper.render.text import parts_tables, running_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.render.sheet_model import Grid, Sheet


RULES = {"left": ":--", "right": "--:", "center": ":-:"}
# Characters with a meaning within a line. No outside text is at the beginning of a line.
_ESCAPES = {ord(char): f"\\{char}" for char in "\\`*_[]|~#$"}
_ESCAPES |= {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}


def render(sheet: Sheet) -> str:
    """Render the sheet as Markdown, with a line break at the end."""
    parts = [f"# {escaped(sheet.title)}", _list(map(_told, sheet.facts))]
    parts += [_grid(grid) for grid in sheet.grids]
    parts.append(_list(f"{escaped(sign)} = {escaped(meaning)}" for sign, meaning in sheet.legend))
    parts += [_grid(grid) for grid in (*running_tables(sheet.running), *parts_tables(sheet.parts))]
    if sheet.payments is not None:
        paid = [sheet.payments.how, *sheet.payments.said]
        parts.append(_list(map(escaped, filter(None, paid))))
    parts.append(_list(map(escaped, sheet.footnotes)))
    for heading, rows in sheet.guide:
        parts += [f"## {escaped(heading)}", _list(map(_told, rows))]
    return "\n\n".join(filter(None, parts)) + "\n"


def _list(lines: Iterable[str]) -> str:
    """Return a bullet list, "" without lines."""
    return "\n".join(f"- {line}" for line in lines)


def _told(fact: tuple[str, str]) -> str:
    """Format a fact."""
    word, text = fact
    return f"{escaped(word)}: {escaped(text)}"


def _grid(grid: Grid) -> str:
    """Render a table of the sheet with its caption."""
    headings = [column.label for column in grid.columns]
    text = table(headings, grid.rows, [column.align for column in grid.columns], grid.totals)
    return f"## {escaped(grid.caption)}\n\n{text}" if grid.caption else text


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    aligns: Sequence[str] = (),
    totals: Iterable[Sequence[object]] = (),
) -> str:
    """Render a table, with `totals` in bold. Columns are `left`, `right` or `center`."""
    marks = [RULES[align] for align in aligns] or [RULES["left"]] * len(headings)
    lines = [_row([escaped(heading) for heading in headings]), _row(marks)]
    lines += [_row([escaped(str(cell)) for cell in row]) for row in rows]
    for row in totals:
        cells = [escaped(str(cell)) for cell in row]
        lines.append(_row([f"**{cell}**" if cell.strip() else "" for cell in cells]))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    """Join the cells of a row."""
    return "| " + " | ".join(cells) + " |"


def escaped(text: str) -> str:
    r"""Escape a text so that Markdown shows it unchanged.

    >>> escaped("a*b")
    'a\\*b'
    """
    return plain(text).translate(_ESCAPES)
