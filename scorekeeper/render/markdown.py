"""Markdown for a sheet or a table, with GitHub's table syntax. Text from outside is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import make_printable
from scorekeeper.render.text import running_tables, source_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.render.sheet_model import Sheet, SheetTable


ALIGNMENT_MARKS = {"left": ":--", "right": "--:", "center": ":-:"}
# Characters that have a special meaning within a line. Text from outside never begins a line.
_ESCAPES = {ord(char): f"\\{char}" for char in "\\`*_[]|~#$"}
_ESCAPES |= {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}


def render(sheet: Sheet) -> str:
    """Render the sheet as Markdown, with a line break at the end."""
    parts = [f"# {escape_markdown(sheet.title)}", _bullet_list(map(_fact_line, sheet.facts))]
    parts += [_render_sheet_table(table) for table in sheet.tables]
    parts.append(
        _bullet_list(
            f"{escape_markdown(sign)} = {escape_markdown(meaning)}"
            for sign, meaning in sheet.legend
        )
    )
    parts += [
        _render_sheet_table(table)
        for table in (*running_tables(sheet.running_totals), *source_tables(sheet.sources))
    ]
    if sheet.payments is not None:
        paid = [sheet.payments.basis, *sheet.payments.sentences]
        parts.append(_bullet_list(map(escape_markdown, filter(None, paid))))
    parts.append(_bullet_list(map(escape_markdown, sheet.footnotes)))
    for heading, rows in sheet.guide:
        parts += [f"## {escape_markdown(heading)}", _bullet_list(map(_fact_line, rows))]
    return "\n\n".join(filter(None, parts)) + "\n"


def _bullet_list(lines: Iterable[str]) -> str:
    """Return a bullet list, or "" if there are no lines."""
    return "\n".join(f"- {line}" for line in lines)


def _fact_line(fact: tuple[str, str]) -> str:
    """Format a fact as one line of Markdown."""
    word, text = fact
    return f"{escape_markdown(word)}: {escape_markdown(text)}"


def _render_sheet_table(table: SheetTable) -> str:
    """Render a table of the sheet with its caption."""
    headings = [column.label for column in table.columns]
    text = render_table(
        headings, table.rows, [column.align for column in table.columns], table.totals
    )
    return f"## {escape_markdown(table.caption)}\n\n{text}" if table.caption else text


def render_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    aligns: Sequence[str] = (),
    totals: Iterable[Sequence[object]] = (),
) -> str:
    """Render a table, with `totals` in bold. Columns are aligned `left`, `right` or `center`."""
    marks = [ALIGNMENT_MARKS[align] for align in aligns] or [ALIGNMENT_MARKS["left"]] * len(
        headings
    )
    lines = [_table_row([escape_markdown(heading) for heading in headings]), _table_row(marks)]
    lines += [_table_row([escape_markdown(str(cell)) for cell in row]) for row in rows]
    for row in totals:
        cells = [escape_markdown(str(cell)) for cell in row]
        lines.append(_table_row([f"**{cell}**" if cell.strip() else "" for cell in cells]))
    return "\n".join(lines)


def _table_row(cells: Sequence[str]) -> str:
    """Join the cells of a row."""
    return "| " + " | ".join(cells) + " |"


def escape_markdown(text: str) -> str:
    r"""Escape a string so that Markdown shows it unchanged.

    >>> escape_markdown("a*b")
    'a\\*b'
    """
    return make_printable(text).translate(_ESCAPES)
