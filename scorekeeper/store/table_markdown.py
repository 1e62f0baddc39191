"""A table in Markdown among the lines of a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Row: TypeAlias = tuple[int, list[str]]

_BAR = re.compile(r"(?<!\\)\|")  # what parts cells
_RULE = re.compile(r":?-+:?")  # each cell of the line below the headings
_MARKED = re.compile(r"(\*\*\*|\*\*|\*|___|__|_|`)(.+)\1")  # bold, italic, code


class Markdown(NamedTuple):
    """The rows of a table, each with its line from 1, and the lines with text around it."""

    rows: list[Row]
    around: list[int]


def markdown(path: str, text: str) -> Markdown | None:
    """The one table in a text in Markdown, told by the line of dashes below its headings; None
    where there is none. Raises Damaged for several, and for one that is too large."""
    lines = text.split("\n")
    rules = [at for at in range(1, len(lines)) if _is_rule(lines, at)]
    if not rules:
        return None
    if len(rules) > 1:
        said = tr("{path}, line {line}: {what}", path=shown(path, 200), line=rules[1],
                  what=tr("another table begins here"))  # fmt: skip
        raise Damaged(said, tr("leave one table in each file"))
    first, end = rules[0] - 1, rules[0] + 1
    while end < len(lines) and _BAR.search(lines[end]):
        end += 1
    rows: list[Row] = []
    for at in (first, *range(rules[0] + 1, end)):
        cells = _cells(lines[at])
        if len(cells) > untrusted.TABLE_COLUMNS:
            raise beyond(path, at + 1, len(cells))
        if any(cells):
            rows.append((at + 1, cells))
        if len(rows) > untrusted.TABLE_ROWS:
            raise beyond(path, at + 1)
    around = [at + 1 for at, line in enumerate(lines) if line.strip() and not first <= at < end]
    return Markdown(rows, around)


def _is_rule(lines: Sequence[str], at: int) -> bool:
    """Whether a line of dashes stands there, below as many headings."""
    line = lines[at].strip()
    if "|" not in line or not set(line) <= set("|:- \t"):
        return False
    cells = _cells(line)
    return all(map(_RULE.fullmatch, cells)) and len(cells) == len(_cells(lines[at - 1]))


def _cells(line: str) -> list[str]:
    """The cells of a line, without bars at its ends, and without what marks them as bold."""
    text = line.strip().removeprefix("|")
    cells = _BAR.split(text)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [_plain(cell.strip().replace("\\|", "|")) for cell in cells]


def _plain(cell: str) -> str:
    marked = _MARKED.fullmatch(cell)
    return marked[2].strip() if marked else cell


def beyond(path: str, line: int, found: int = 0) -> Damaged:
    """The failure of a table that is too large: with so many columns, or else with its rows."""
    what = tr("the table has more than {most} rows", most=untrusted.TABLE_ROWS)
    if found:
        what = tr("it has {found} columns; at most {most} can be read", found=found,
                  most=untrusted.TABLE_COLUMNS)  # fmt: skip
    return Damaged(tr("{path}, line {line}: {what}", path=shown(path, 200), line=line, what=what))
