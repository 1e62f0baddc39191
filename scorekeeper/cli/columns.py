"""A few columns of text side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMBINING = "\u0300"  # letters before these are all of one width
_PUNCTUATION = frozenset("–—…‘’“”")
_BETWEEN = "  "


def columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a plain table. The library that knows how wide letters are is asked where some
    may be wide: to import it takes longer than all else that such a command does."""
    if any(_may_be_wide(cell) for row in (headings, *rows) for cell in row):
        from tabulate import tabulate

        return tabulate(rows, headings, "plain", disable_numparse=True).splitlines()
    cells = [[cell.strip() for cell in row] for row in rows]
    padded = [heading + _BETWEEN for heading in headings]
    widths = [max(map(len, column)) for column in zip(padded, *cells, strict=True)]
    return [
        _BETWEEN.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (headings, *cells)
    ]


def _may_be_wide(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return False
    plain = all(char < _COMBINING or char in _PUNCTUATION for char in text)
    return not (plain and text.isprintable())
