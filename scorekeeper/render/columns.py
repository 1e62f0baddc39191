"""Columns of text side by side, as the library for tables lays them out.

That library knows how wide every letter is; to import it takes longer than all else that a command
does which tells how a match stands. So it is asked only where a letter may be wide.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Cells = Sequence[Sequence[str]]

_COMBINING = "\u0300"  # letters before these are all of one width
_PUNCTUATION = frozenset("–—…‘’“”")
_BETWEEN = "  "
_SIGNS = {"left": "<", "right": ">", "center": "^"}


def columns(
    headings: Sequence[str],
    rows: Cells,
    aligns: Sequence[str] = (),
    totals: Cells = (),
    *,
    ruled: bool = False,
) -> list[str]:
    """The lines of a table, its columns `left` (without a word), `right` or `center`; `ruled` has a
    line below the headings, and one above the totals."""
    if not rows or not _is_even([headings, *rows, *totals]):
        return _by_library(headings, rows, aligns, totals, ruled)
    stripped = [[[cell.strip() for cell in row] for row in part] for part in (rows, totals)]
    padded = [heading + _BETWEEN for heading in headings]
    widths = [max(map(len, column)) for column in zip(padded, *chain(*stripped), strict=True)]
    signs = [_SIGNS[align] for align in aligns] + ["<"] * (len(headings) - len(aligns))
    forms = [f"{{:{sign}{width}}}" for sign, width in zip(signs, widths, strict=True)]
    line = _BETWEEN.join(forms)
    rule = [_BETWEEN.join("-" * width for width in widths)] if ruled else []
    above, below = ([line.format(*row) for row in part] for part in stripped)
    lines = [line.format(*headings), *rule, *above, *(rule if below else ()), *below]
    return [each.rstrip() for each in lines]


def _is_even(table: Cells) -> bool:
    """Whether all rows are of one length, and each letter surely of one width."""
    if len({len(row) for row in table}) > 1:
        return False
    return not any(map(_may_be_wide, chain(*table)))


def _may_be_wide(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return False
    narrow = all(char < _COMBINING or char in _PUNCTUATION for char in text)
    return not (narrow and text.isprintable())


def _by_library(
    headings: Sequence[str], rows: Cells, aligns: Sequence[str], totals: Cells, ruled: bool
) -> list[str]:
    from tabulate import SEPARATING_LINE, tabulate

    text = tabulate(
        [*rows, SEPARATING_LINE, *totals] if totals else [*rows],
        headings,
        tablefmt="simple" if ruled else "plain",
        disable_numparse=True,
        colalign=aligns if aligns and (rows or totals) else None,
    )
    return [line.rstrip() for line in text.splitlines()]
