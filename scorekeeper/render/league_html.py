"""A league's table as one page of HTML: nothing is loaded, nothing runs, and it prints on A4 and
Letter. On a phone the place, the player and what decides stand in a line, the rest of it beneath.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import language
from scorekeeper.render.html import escaped, head_of, isolated, mixed
from scorekeeper.render.league import sheet
from scorekeeper.render.looks import CHART_STYLE
from scorekeeper.render.pictures import drawn
from scorekeeper.render.sheet_style import BROAD_STYLE, PAGE_STYLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.history.league import League
    from scorekeeper.render.league import Season
    from scorekeeper.render.paper import Grid, Sheet

STYLE = """
.sheet table { margin: 0; }
.sheet th, .sheet td { overflow-wrap: normal; }
.sheet .player { min-width: 7em; overflow-wrap: anywhere; }
.sheet td.value { font-weight: 600; }
.sheet figure svg { max-width: 36rem; }
@media screen and (max-width: 779.98px) {
  .sheet table, .sheet tbody { display: block; }
  .sheet thead { display: none; }
  .sheet tr { display: flex; flex-wrap: wrap; gap: 0 .8em; padding: .3em 0 .3em 2.8em;
    border-bottom: 1px solid var(--line); }
  .sheet td { border: 0; padding: 0; }
  .sheet td.place { order: 0; flex: 0 0 2em; margin-left: -2.8em; }
  .sheet td.player { order: 1; flex: 1 1 calc(100% - 7em); min-width: 0; font-weight: 600; }
  .sheet td.value { order: 2; }
  .sheet tr::after { order: 3; flex: 0 0 100%; content: ""; }
  .sheet td.more { order: 4; font-size: .875em; overflow-wrap: anywhere; }
  .sheet td.more:empty { display: none; }
  .sheet td.more::before { content: attr(data-of) " "; color: var(--faint); }
}
@media print {
  .sheet { font-size: 9.5pt; }
}
@page { size: portrait; margin: 10mm; }
"""


def render(league: League, season: Season) -> str:
    """The table as a page."""
    made = sheet(league, season)
    head = head_of(made.title, PAGE_STYLE + BROAD_STYLE + CHART_STYLE + STYLE, language())
    tables = "".join(map(_table, made.grids))
    body = f"<h1>{isolated(made.title)}</h1>\n{_facts(made)}{tables}{_below(made)}"
    return f'{head}<main class="sheet">\n{body}</main>\n</body>\n</html>\n'


def _facts(made: Sheet) -> str:
    rows = "".join(
        f"<div><dt>{isolated(word)}</dt><dd>{isolated(text)}</dd></div>\n"
        for word, text in made.facts
    )
    return f'<dl class="facts">\n{rows}</dl>\n'


def _below(made: Sheet) -> str:
    """The notes, and the picture."""
    notes = "".join(f"<li>{mixed(note)}</li>\n" for note in made.footnotes)
    figures = "".join(f"<figure>{picture}</figure>\n" for picture in drawn(made))
    shown = f'<div class="drawn">\n{figures}</div>\n' if figures else ""
    return f'<ul class="notes">\n{notes}</ul>\n{shown}'


def _table(grid: Grid) -> str:
    kinds = _kinds(grid)
    heads = "".join(
        f'<th scope="col" class="{column.align} {kind}">{isolated(column.label)}</th>'
        for column, kind in zip(grid.columns, kinds, strict=True)
    )
    rows = "".join(_row(grid, kinds, row) for row in grid.rows)
    return (
        f'<div class="scroll"><table>\n<thead>\n<tr>{heads}</tr>\n</thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _kinds(grid: Grid) -> list[str]:
    """What each column is: the player's is the one at the left, what decides stands behind it."""
    player = next(at for at, column in enumerate(grid.columns) if column.align == "left")
    named = {0: "place", player: "player", player + 1: "value"}
    return [named.get(at, "more") for at in range(len(grid.columns))]


def _row(grid: Grid, kinds: Sequence[str], row: Sequence[str]) -> str:
    """A row; each cell says what it is, for where it stands without its heading."""
    cells = "".join(
        f'<td class="{column.align} {kind}" data-of="{escaped(column.label)}">{mixed(cell)}</td>'
        for column, kind, cell in zip(grid.columns, kinds, row, strict=True)
    )
    return f"<tr>{cells}</tr>\n"
