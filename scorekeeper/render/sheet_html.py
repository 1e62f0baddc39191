"""A sheet as one page of HTML: nothing is loaded, nothing runs, and it prints on A4 and Letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import language
from scorekeeper.render.fitting import Fitted, fitted, on_screen
from scorekeeper.render.html import escaped, head_of, isolated, joined, mixed
from scorekeeper.render.letters import Text, wide
from scorekeeper.render.looks import CHART_STYLE
from scorekeeper.render.paper import APART, CARRIED, EMPTY, ROUND
from scorekeeper.render.pictures import drawn, shape
from scorekeeper.render.shares import AROUND, BOLD, Measured, kinds_of, spanned
from scorekeeper.render.sheet_style import (
    BROAD_STYLE,
    MOST_SCORES,
    PAGE_STYLE,
    SCREENS,
    UPRIGHT,
    narrow_style,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.render.paper import Grid, Payments, Sheet
    from scorekeeper.render.shares import Laid

SUMS = "sums"  # a row of totals
# In the letters' height: how wide the narrowest screen is, a round's number on it; and how much
# smaller its letters are where scores would not fit.
NARROWEST, NUMBER, DENSE = 19.5, 2.3, 0.82
LONG = 9.0  # how wide a name is, in the letters' height, that is written small on a phone
HUNDRED = 100  # rounds: their numbers are written smaller on a phone
PAGE = "@page {{ size: {lies}; margin: 10mm; }}\n"


def render(sheet: Sheet) -> str:
    """The sheet as a page."""
    pictures = drawn(sheet)
    fit = fitted(sheet, list(map(shape, pictures)))
    style = PAGE_STYLE + BROAD_STYLE + (CHART_STYLE if pictures else "") + _generated(sheet, fit)
    head = head_of(sheet.title, style, language())
    body = f"<h1>{isolated(sheet.title)}</h1>\n{inner(sheet, fit.breaks)}{_drawn(pictures)}"
    return f'{head}<main class="sheet">\n{body}</main>\n</body>\n</html>\n'


def inner(sheet: Sheet, breaks: Sequence[int] = (), room: float = 0.0) -> str:
    """What stands below the title, to be put into an element of the class `sheet` on a page that
    has SHEET_STYLE; on paper a page begins before the rows `breaks` of the first table. With a
    `room`, in the letters' height, a first table that is wider stands there twice: in a box of the
    class `few` with the scores alone, and after that whole."""
    parts = [_facts(sheet.facts), _standing(sheet.grids[0]) if sheet.grids else ""]
    if room and sheet.grids and Measured(sheet.grids[0]).laid(room, turned=False) is None:
        parts.append(_grid(_few(sheet.grids[0]), 0, (), "scroll few"))
    parts += [_grid(grid, at, breaks if at == 0 else ()) for at, grid in enumerate(sheet.grids)]
    parts += [_pairs(sheet.legend, "signs"), _payments(sheet.payments), _notes(sheet.footnotes)]
    if sheet.guide:
        told = "".join(
            f"<section>\n{_heading(heading)}{_pairs(pairs, 'signs')}</section>\n"
            for heading, pairs in sheet.guide
        )
        parts.append(f'<div class="guide">\n{told}</div>\n')
    return "".join(parts)


# --- around the table


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    return _pairs(facts, "facts")


def _pairs(pairs: Sequence[tuple[str, str]], what: str) -> str:
    """Words with what is said of each."""
    if not pairs:
        return ""
    rows = (
        f"<div><dt>{isolated(word)}</dt><dd>{isolated(text)}</dd></div>\n" for word, text in pairs
    )
    return f'<dl class="{what}">\n{"".join(rows)}</dl>\n'


def _heading(text: str) -> str:
    return f"<h2>{isolated(text)}</h2>\n" if text else ""


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    rows = "".join(f"<li>{mixed(note)}</li>\n" for note in notes)
    return f'<ul class="notes">\n{rows}</ul>\n'


def _payments(payments: Payments | None) -> str:
    if payments is None:
        return ""
    rows = "".join(
        f"<li>{isolated(payer)} → {isolated(payee)} <b>{escaped(amount)}</b></li>\n"
        for payer, payee, amount in payments.rows
    )
    paid = f'<ul class="pays">\n{rows}</ul>\n' if rows else ""
    return f'<p class="how">{isolated(payments.how)}</p>\n{paid}'


def _standing(grid: Grid) -> str:
    """The totals of each player or side, a row for each: what a phone shows first."""
    seats = [at for at, column in enumerate(grid.columns) if column.who]
    totals = [row for row in grid.totals if any(row[at] for at in seats)]
    if not totals:
        return ""
    labels = [
        next((cell for at, cell in enumerate(row) if cell and at not in seats), "")
        for row in totals
    ]
    heads = "".join(f'<th scope="col" class="right">{isolated(label)}</th>' for label in labels)
    rows = ""
    for who in dict.fromkeys(grid.columns[at].who for at in seats):
        own = [at for at in seats if grid.columns[at].who == who]
        texts = [" ".join(filter(None, (row[at] for at in own))) for row in totals]
        cells = "".join(f'<td class="right">{mixed(text)}</td>' for text in texts)
        rows += f"<tr><td>{joined(who)}</td>{cells}</tr>\n"
    return (
        f'<table class="standing">\n<thead>\n<tr><td></td>{heads}</tr>\n</thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n"
    )


# --- pictures


def _drawn(pictures: Sequence[str]) -> str:
    if not pictures:
        return ""
    figures = "".join(f"<figure>{picture}</figure>\n" for picture in pictures)
    return f'<div class="drawn">\n{figures}</div>\n'


# --- the tables


class _Cells:
    """How the cells of a table are marked: which are scores, and what each is called where it
    stands without its heading."""

    def __init__(self, grid: Grid) -> None:
        self.columns = columns = grid.columns
        whom = len({column.who for column in columns if column.who})
        seated = [at for at, column in enumerate(columns) if column.who]
        others = [at for at, column in enumerate(columns) if not column.who]
        # A round's number stands before the scores, where there is one.
        rounds = [row for row, kind in zip(grid.rows, kinds_of(grid), strict=True) if kind == ROUND]
        numbered = all(row[at].isdigit() for row in rounds for at in others[:1])
        self.first = others[0] if others and numbered else -1
        numbers = (
            cell for row in (*grid.rows, *grid.carried) for cell in map(row.__getitem__, seated)
        )
        widest = max((Text(number, BOLD).longest for number in numbers), default=0.0)
        self.scores, self.dense = _in_a_line(whom, widest, numbered)
        # What begins a line of scores.
        self.lines = set(seated[:: self.scores or 1])

    def marks(self, at: int) -> str:
        """The classes of a cell in that column."""
        column = self.columns[at]
        if not self.scores:
            return column.align
        if column.who:
            return f"{column.align} score{' begins' if at in self.lines else ''}"
        return f"{column.align} {'first' if at == self.first else 'more'}"

    def row(self, row: Sequence[str], kind: str, *, page: bool = False) -> str:
        """A row of the table; `page`: what is carried over to another page."""
        over = spanned(row, self.columns) if page or kind in (SUMS, "carried") else 1
        cells = "".join(
            f'<td class="{self.marks(at)}"{self._said(at, cell)}>{mixed(cell)}</td>'
            for at, cell in enumerate(row)
            if at >= over or over == 1
        )
        if over > 1:
            marks = self.marks(0).replace(self.columns[0].align, "left")
            cells = f'<td class="{marks}" colspan="{over}">{mixed(row[0])}</td>{cells}'
        labelled = self.first >= 0 and not row[self.first].isdigit()
        names = ("over carried" if page else kind, "labelled" if labelled else "")
        return f"{_opened('tr', ' '.join(filter(None, names)))}{cells}</tr>\n"

    def _said(self, at: int, cell: str) -> str:
        column = self.columns[at]
        if not self.scores or column.who or at == self.first or not (cell and column.label):
            return ""
        return f' data-of="{escaped(column.label)}"'

    def heading(self, at: int) -> str:
        column = self.columns[at]
        upright = ' class="up"' if column.who else ""
        label = (
            f"<span{upright}>{joined(column.label)}</span>" if upright else isolated(column.label)
        )
        return f'<th scope="col" class="{self.marks(at)}">{label}</th>'


def _in_a_line(whom: int, widest: float, numbered: bool) -> tuple[int, bool]:
    """How many scores stand in a line of the narrowest screen, the lines even, so that no number
    is broken; and whether they are written smaller for it."""
    dense = NARROWEST / DENSE
    room = dense - NUMBER if numbered else dense
    most = max(1, min(whom, MOST_SCORES, int(room / (widest + AROUND))))
    lines = -(-whom // most)
    scores = -(-whom // lines) if lines else 0
    usual = NARROWEST - NUMBER if numbered else NARROWEST
    return scores, scores * (widest + AROUND) > usual


def _opened(element: str, names: str) -> str:
    return f'<{element} class="{names}">' if names else f"<{element}>"


def _few(grid: Grid) -> Grid:
    """The scores alone, with the round that they are of."""
    kept = [at for at, column in enumerate(grid.columns) if column.who or not at]
    rows, totals, carried = (
        [[row[at] for at in kept] for row in part]
        for part in (grid.rows, grid.totals, grid.carried)
    )
    columns = [grid.columns[at] for at in kept]
    return grid._replace(columns=columns, rows=rows, totals=totals, carried=carried)


def _grid(grid: Grid, number: int, breaks: Sequence[int], box: str = "scroll") -> str:
    cells = _Cells(grid)
    caption = f"<caption>{isolated(grid.caption)}</caption>\n" if grid.caption else ""
    headings = "".join(map(cells.heading, range(len(grid.columns))))
    totals = "".join(cells.row(row, SUMS) for row in grid.totals)
    foot = f"<tfoot>\n{totals}</tfoot>\n" if totals else ""
    names = f"g{number} rounds n{cells.scores}" if cells.scores else f"g{number} ladder"
    if cells.scores and cells.first < 0:
        names += " unnumbered"
    if any(wide(column.label) > LONG for column in grid.columns if column.who):
        names += " long"
    if cells.dense:
        names += " dense"
    if len(grid.rows) >= HUNDRED:
        names += " hundreds"
    if number == 0 and not cells.scores:
        names = "g0"
    columns = "<col>" * len(grid.columns)
    return (
        f'<div class="{box}"><table class="{names}">\n{caption}<colgroup>{columns}</colgroup>\n'
        f"<thead>\n<tr>{headings}</tr>\n</thead>\n{_bodies(grid, cells, breaks)}{foot}"
        "</table></div>\n"
    )


def _bodies(grid: Grid, cells: _Cells, breaks: Sequence[int]) -> str:
    """The rows, those of a page together; what is carried over to another page begins it."""
    kinds = kinds_of(grid)
    shown = {APART: "apart", CARRIED: "carried", EMPTY: "empty", ROUND: ""}
    parts = []
    for start, end in zip([0, *breaks], [*breaks, len(grid.rows)], strict=True):
        rows = "".join(cells.row(grid.rows[at], shown[kinds[at]]) for at in range(start, end))
        if start and grid.carried:
            rows = cells.row(grid.carried[start - 1], "", page=True) + rows
        parts.append(f"{_opened('tbody', 'page' if start else '')}\n{rows}</tbody>\n")
    return "".join(parts)


# --- what is generated for a sheet


def _generated(sheet: Sheet, fit: Fitted) -> str:
    """The part of the style that depends on the sheet's texts."""
    lies = "landscape" if fit.lies else "portrait"
    parts = [PAGE.format(lies=lies)]
    most: int | None = None  # what is no narrower is laid out
    for least in SCREENS:
        laid = on_screen(sheet, least)
        if laid is None:
            break
        size, tables = laid
        broad = "".join(_widths(at, table) for at, table in enumerate(tables))
        narrower = f" and (max-width: {most - 0.02:g}px)" if most else ""
        parts.append(f"@media screen and (min-width: {least}px){narrower} {{\n")
        parts.append(f".sheet table {{ font-size: {size:g}px; }}\n{broad}}}\n")
        most = least
    parts.append(narrow_style(most))
    paper = "".join(_widths(at, table) for at, table in enumerate(fit.tables))
    if fit.row_to_write:
        paper += f".sheet .empty td {{ height: {fit.row_to_write:.1f}pt; }}\n"
    if fit.pictures < 1:
        paper += f".sheet .drawn {{ width: {100 * fit.pictures:.1f}%; }}\n"
    parts.append(f"@media print {{\n.sheet {{ font-size: {fit.size:g}pt; }}\n{paper}}}\n")
    return "".join(parts)


def _widths(number: int, table: Laid) -> str:
    """The columns of a table as shares of its width."""
    whole = sum(table.widths)
    parts = [f".sheet .g{number} {{ table-layout: fixed; }}\n"]
    parts += [
        f".sheet .g{number} col:nth-child({at + 1}) {{ width: {100 * width / whole:.2f}%; }}\n"
        for at, width in enumerate(table.widths)
    ]
    if table.upright:
        parts.append(f".sheet .g{number} .up {UPRIGHT}\n")
    return "".join(parts)
