"""What players did across matches as one page of HTML: nothing is loaded, nothing runs, and it
prints on A4 and Letter. On a phone each row of a table is a block of its own."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from scorekeeper.core.messages import language, tr
from scorekeeper.render.html import escaped, head_of, isolated, mixed
from scorekeeper.render.letters import Text
from scorekeeper.render.looks import CHART_STYLE
from scorekeeper.render.shares import BOLD
from scorekeeper.render.sheet_style import BROAD_STYLE, PAGE_STYLE
from scorekeeper.render.statistics_charts import drawn
from scorekeeper.render.statistics_tables import in_order, sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.render.paper import Column, Grid
    from scorekeeper.render.statistics_tables import Asked

# In the letters' height: how wide a table is at most, what stands around a cell, and which words
# may be broken. What is wider goes on in another table.
ROOM, AROUND, LONG = 62.0, 1.0, 10.0

STYLE = """
.sheet { margin: 0 0 2rem; }
.sheet h2 { margin: 0 0 .4rem; font-size: 1.3rem; }
.sheet caption { padding-top: .5em; }
.sheet tbody th { font-weight: 400; min-width: 6em; }
.sheet td { overflow-wrap: normal; }
.sheet thead th { overflow-wrap: break-word; }
.sheet thead .name { overflow-wrap: anywhere; min-width: 4em; }
.sheet .own th, .sheet .own td, .sheet .own { font-weight: 700; }
.sheet table { width: auto; }
.sheet .beside { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.sheet .beside .scroll { max-width: 100%; }
.sheet figure { max-width: 33rem; }
@media screen and (max-width: 699.98px) {
  .sheet .beside, .sheet table, .sheet caption, .sheet tbody { display: block; }
  .sheet thead { display: none; }
  .sheet tbody tr { display: flex; flex-wrap: wrap; gap: 0 1em; padding: .3em 0;
    border-bottom: 1px solid var(--line); }
  .sheet tbody th, .sheet tbody td { border: 0; padding: 0; min-width: 0; text-align: left;
    overflow-wrap: anywhere; }
  .sheet tbody th { flex: 1 0 100%; font-weight: 600; }
  .sheet td::before { content: attr(data-of) " "; color: var(--faint); font-weight: 400; }
}
@media print {
  .sheet { font-size: 8.5pt; }
  .sheet h2 { break-after: avoid; font-size: 12pt; }
  .sheet .drawn { flex-wrap: wrap; break-inside: auto; }
  .sheet figure { flex: 0 1 250pt; }
}
@page { size: portrait; margin: 10mm; }
"""


def render(every: Sequence[Json], asked: Asked) -> str:
    """The figures of each ruleset (`Figures.as_json`) as a page."""
    heading = tr("Statistics")
    head = head_of(heading, PAGE_STYLE + BROAD_STYLE + CHART_STYLE + STYLE, language())
    sections = "".join(_section(data, asked) for data in every)
    nothing = "" if every else f"<p>{escaped(tr('there is no match to tell of'))}</p>\n"
    body = f"<h1>{escaped(heading)}</h1>\n{nothing}{sections}"
    return f"{head}<main>\n{body}</main>\n</body>\n</html>\n"


def _section(data: Json, asked: Asked) -> str:
    """What is told of one ruleset: what players did, the pictures, what has a column for each."""
    made = sheet(data, asked)
    first = list(takewhile(lambda grid: not any(each.who for each in grid.columns), made.grids))
    pictures = drawn(data, in_order(data["players"], asked), made.running)
    figures = "".join(f"<figure>{each}</figure>\n" for each in pictures)
    shown = f'<div class="drawn">\n{figures}</div>\n' if figures else ""
    facts = "".join(
        f"<div><dt>{isolated(word)}</dt><dd>{isolated(text)}</dd></div>\n"
        for word, text in made.facts
    )
    told = f'<dl class="facts">\n{facts}</dl>\n' if facts else ""
    rest = made.grids[len(first) :]
    inner = told + _beside(first, asked) + shown + _beside(rest, asked)
    return f'<section class="sheet">\n<h2>{isolated(made.title)}</h2>\n{inner}</section>\n'


def _beside(grids: Sequence[Grid], asked: Asked) -> str:
    """Tables, as many beside one another as fit."""
    tables = "".join(_table(part, asked) for grid in grids for part in _pieces(grid))
    return f'<div class="beside">\n{tables}</div>\n' if tables else ""


def _pieces(grid: Grid) -> Iterator[Grid]:
    """The table, or its columns in several, the first in each, so that none is too wide."""
    widths = [
        min(max(Text(text, BOLD).longest for text in column), LONG) + AROUND
        for column in zip([each.label for each in grid.columns], *grid.rows, strict=True)
    ]
    kept, left = [0], ROOM - widths[0]
    for at in range(1, len(widths)):
        if len(kept) > 1 and widths[at] > left:
            yield _cut(grid, kept)
            kept, left = [0], ROOM - widths[0]
        kept.append(at)
        left -= widths[at]
    yield _cut(grid, kept)


def _cut(grid: Grid, kept: Sequence[int]) -> Grid:
    rows = [[row[at] for at in kept] for row in grid.rows]
    return grid._replace(columns=[grid.columns[at] for at in kept], rows=rows)


def _table(grid: Grid, asked: Asked) -> str:
    heads = "".join(_heading(column, asked) for column in grid.columns)
    rows = "".join(_row(grid, row, asked) for row in grid.rows)
    return (
        f'<div class="scroll"><table>\n<caption>{isolated(grid.caption)}</caption>\n'
        f"<thead>\n<tr>{heads}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _heading(column: Column, asked: Asked) -> str:
    marks = f"{column.align}{' name' if column.who else ''}{_own(column, asked)}"
    return f'<th scope="col" class="{marks}">{isolated(column.label)}</th>'


def _row(grid: Grid, row: Sequence[str], asked: Asked) -> str:
    """A row; each cell says what it is, for where it stands without its heading."""
    cells = "".join(
        f'<td class="right{_own(column, asked)}" data-of="{escaped(column.label)}">'
        f"{mixed(cell)}</td>"
        for column, cell in zip(grid.columns[1:], row[1:], strict=True)
    )
    own = ' class="own"' if asked.is_first(row[0]) else ""
    return f'<tr{own}><th scope="row">{mixed(row[0])}</th>{cells}</tr>\n'


def _own(column: Column, asked: Asked) -> str:
    return " own" if column.who and asked.is_first(column.who) else ""
