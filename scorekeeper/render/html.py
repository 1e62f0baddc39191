"""HTML pages: the sheet as one page, and the parts that all pages share.

A page loads no files, runs no scripts, and prints on A4 and Letter. `SHEET_STYLE` styles the
content of an element of the class `sheet`, on any page that defines the colours. `PAGE_STYLE` is
for a page that contains only the sheet, on screens, on phones, in dark mode and on paper. Rules
that depend on the sheet's text (widths, sizes, orientation) are generated.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.messages import ENGLISH, current_language
from scorekeeper.core.text import JOINED_NAMES, escape_html, split_by_direction
from scorekeeper.render.charts import CHART_STYLE, aspect_ratio, draw_charts
from scorekeeper.render.layout import (
    BOLD_FACTOR,
    ROW_PADDING,
    MeasuredColumns,
    MeasuredText,
    PageFit,
    fit_screen,
    fit_sheet,
    label_span,
    text_width,
)
from scorekeeper.render.sheet_model import CARRIED, EMPTY, FAULT, ROUND, SUM, row_kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.render.layout import TableLayout
    from scorekeeper.render.sheet_model import Payments, Sheet, SheetTable


# On a narrow screen, each round is a block with the scores on one line and the rest below. Scores
# that do not fit continue on the next line.
MAX_SCORES_PER_LINE = 12
# The minimum widths in pixels of screens that show tables as tables. On narrower screens, each
# round is a block.
SCREEN_WIDTHS = (1000, 850, 700)
_DAY, _DAY_SPAN = re.compile(r"\b\d{4}-\d\d-\d\d\b"), r'<span class="day">\g<0></span>'
TOTALS = "sums"  # the kind of row for totals
# The width of the narrowest screen and the width of its column of round numbers, both in letter
# heights, and the scaling factor for scores that would not fit.
MIN_SCREEN_WIDTH, NUMBER_WIDTH, DENSE_FACTOR = 19.5, 2.3, 0.82
LONG_NAME = 9.0  # in letter heights; longer names are smaller on a phone
MANY_ROUNDS = 100  # from this many rounds on, the numbers of rounds are smaller on a phone
PAGE_RULE = "@page {{ size: {orientation}; margin: 10mm; }}\n"
HEAD = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
"""
PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #585858;
  --line: #c8c8c8; --rule: #7d7d7d; --head: #f0f0ee; --foot: #f7f7f4; }
body { margin: 1.5rem auto; max-width: 68.5rem; padding: 0 1rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.35 system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e3; --paper: #171717; --faint: #aaaaa6; --line: #484848; --rule: #8c8c88;
    --head: #262626; --foot: #202020; }
}
@media screen and (max-width: 699.98px) {
  body { margin: .75rem auto; padding: 0 .75rem; font-size: .9375rem; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #333; --line: #999;
    --rule: #333; --head: #eee; --foot: #f5f5f5; }
  body { margin: 0; max-width: none; padding: 0; }
}
"""

BROAD_STYLE = """
.sheet, .sheet * { box-sizing: border-box; }
.sheet h1 { margin: 0 0 .4rem; font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
.sheet h2 { margin: .6rem 0 .1rem; font-size: 1em; overflow-wrap: anywhere; }
.sheet dl { display: flex; flex-wrap: wrap; gap: .1rem 1.6em; margin: 0 0 .7rem; }
.sheet dl div { display: flex; gap: .4em; min-width: 0; }
.sheet dt { color: var(--faint); overflow-wrap: anywhere; }
.sheet .facts dt { flex: none; }
.sheet dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.sheet .signs div { flex-wrap: wrap; max-width: 100%; }
.sheet .signs dt { flex: none; max-width: 100%; color: var(--ink); font-weight: 600; }
.sheet .guide section { display: flex; gap: .8em; }
.sheet .guide h2 { flex: 0 0 9.5em; margin: 0; }
.sheet .guide dl { flex: 1 1 0; min-width: 0; margin-bottom: .3rem; }
.sheet .scroll { overflow-x: auto; margin: 0 0 .9rem; padding: 0 1px; }
.sheet table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums;
  line-height: 1.25; }
.sheet caption { padding: .2em 0; text-align: left; font-weight: 600; overflow-wrap: anywhere; }
.sheet th, .sheet td { padding: .2em .4em; border: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: anywhere; unicode-bidi: isolate; }
.sheet thead th { background: var(--head); border-bottom: 2px solid var(--rule);
  vertical-align: bottom; }
.sheet tfoot td { font-weight: 600; background: var(--foot); }
.sheet tfoot tr:first-child td { border-top: 2px solid var(--rule); }
.sheet .first, .sheet .more { overflow-wrap: break-word; }
.sheet td.score { overflow-wrap: normal; }
.sheet th.score { min-width: 3.5em; }
.sheet .right { text-align: right; }
.sheet .center { text-align: center; }
.sheet .apart td, .sheet .carried td { font-style: italic; }
.sheet .carried td, .sheet .sum td { background: var(--foot); }
.sheet .over, .sheet .standing { display: none; }
.sheet .empty td { height: 2rem; }
.sheet .notes { margin: 0 0 .7rem; padding: 0; columns: 17em; column-gap: 2em; }
.sheet .notes li { margin-left: 1.6em; }
.sheet li { overflow-wrap: anywhere; }
.sheet .day { white-space: nowrap; }
.sheet .pays { margin: 0 0 .7rem; padding: 0; list-style: none; display: flex; flex-wrap: wrap;
  gap: .1rem 1.6em; font-variant-numeric: tabular-nums; }
.sheet .pays b { padding-left: .4em; }
.sheet .how { margin: 0; }
.sheet .drawn { display: flex; flex-wrap: wrap; gap: 1rem; margin: 0 0 .9rem; }
.sheet figure { flex: 1 1 26rem; min-width: 0; margin: 0; }
.sheet figure svg { display: block; width: 100%; height: auto; max-width: 45rem; }
@media print {
  .sheet h1 { margin: 0 0 4pt; font-size: 15pt; }
  .sheet dl, .sheet .notes, .sheet .how, .sheet .pays, .sheet .guide { font-size: .88em; }
  .sheet .guide dl { margin-bottom: 2pt; font-size: 1em; }
  .sheet dl, .sheet .notes, .sheet .pays, .sheet .drawn, .sheet .scroll { margin-bottom: 6pt; }
  .sheet .scroll { overflow: visible; }
  .sheet thead { display: table-header-group; }
  .sheet tfoot { display: table-row-group; }
  .sheet .over { display: table-row; }
  .sheet .page { break-before: page; }
  .sheet tr, .sheet li, .sheet dl div, .sheet figure, .sheet .ladder { break-inside: avoid; }
  .sheet tfoot, .sheet tfoot tr { break-before: avoid; }
  .sheet h1, .sheet h2, .sheet caption, .sheet .how { break-after: avoid; }
  .sheet .drawn { flex-wrap: nowrap; gap: 8pt; break-inside: avoid; }
  .sheet figure { flex: 1 1 0; max-width: 330pt; }
  .sheet figure:only-child, .sheet figure:only-child svg { max-width: none; }
  .sheet thead th, .sheet tfoot td, .sheet .carried td {
    print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
# The style of a rotated heading, used inside a media query.
UPRIGHT_STYLE = (
    "{ display: inline-block; writing-mode: vertical-rl; transform: rotate(180deg); "
    "text-orientation: sideways; text-align: left; max-height: 12em; line-height: 1.25; }"
)
_NARROW = """
  .sheet table.standing { display: table; margin: 0 0 .9rem; }
  .sheet table.standing td { font-size: 1.05em; }
  .sheet table.standing td + td { font-weight: 600; }
  .sheet table.standing td:first-child { min-width: 5.5em; }
  .sheet .guide section { display: block; margin-bottom: .5rem; }
  .sheet .standing th, .sheet .standing .right { overflow-wrap: normal; }
  .sheet .rounds, .sheet .rounds thead, .sheet .rounds tbody { display: block; width: 100%; }
  .sheet .rounds colgroup, .sheet .rounds tfoot, .sheet .rounds .over { display: none; }
  .sheet .rounds tr { display: flex; flex-wrap: wrap; border: solid var(--line);
    border-width: 0 0 1px; padding: .15em 0; }
  .sheet .rounds th, .sheet .rounds td { border: 0; padding: .1em .2em; min-width: 0; }
  .sheet .rounds thead tr { background: var(--head); border-bottom: 2px solid var(--rule); }
  .sheet .rounds thead .first bdi { display: none; }
  .sheet .ladder, .sheet .ladder thead, .sheet .ladder tbody, .sheet .ladder caption {
    display: block; }
  .sheet .ladder colgroup { display: none; }
  .sheet .ladder tr { display: flex; flex-wrap: wrap; }
  .sheet .ladder th, .sheet .ladder td { flex: 1 1 0; min-width: 0; padding: .15em 0;
    font-size: .8em; text-align: center; overflow-wrap: normal; }
  .sheet .ladder thead th:first-child { display: none; }
  .sheet .ladder td:first-child { flex: 1 0 100%; padding: .2em; font-size: 1em; text-align: left;
    overflow-wrap: break-word; }
  .sheet .long thead .up { font-size: .75em; }
  .sheet .rounds .first { order: 0; flex: 0 0 2.2em; }
  .sheet .hundreds .first { flex-basis: 3.14em; font-size: .7em; }
  .sheet .rounds .score { order: 1; text-align: right; font-weight: 600; }
  .sheet .rounds .labelled .first { flex: 1 0 100%; font-size: .875em; }
  .sheet .rounds .labelled .first:empty { display: none; }
  .sheet .rounds .labelled .begins, .sheet .rounds .begins ~ .begins { margin-left: 2.2em; }
  .sheet .rounds .more { order: 2; flex: 0 1 auto; padding-right: .7em; text-align: left;
    font-size: .875em; }
  .sheet .rounds .more:empty, .sheet .rounds thead .more { display: none; }
  .sheet .rounds [data-of]::before { content: attr(data-of) " "; color: var(--faint); }
  .sheet .rounds .empty .score { border-left: 1px solid var(--line); }
"""
_NARROW += "".join(
    f"  .sheet .n{many} .score {{ flex: 0 0 calc((100% - 2.3em) / {many}); }}\n"
    f"  .sheet .n{many}.unnumbered .score {{ flex-basis: calc(99.9% / {many}); }}\n"
    for many in range(1, MAX_SCORES_PER_LINE + 1)
)
_NARROW += "  .sheet .unnumbered .begins ~ .begins { margin: 0; }\n"
_NARROWEST = """@media screen and (max-width: 389.98px) {
  .sheet table.standing { font-size: .85em; }
  .sheet .dense tr { font-size: .82em; }
  .sheet .dense .more { font-size: 1em; }
  .sheet .dense thead .up { font-size: .9em; }
}
"""


def narrow_style(below: int | None) -> str:
    """Return the style for screens narrower than `below` pixels, or for any screen if `below` is
    None."""
    narrower = f" and (max-width: {below - 0.02:g}px)" if below else ""
    return f"@media screen{narrower} {{{_NARROW}}}\n{_NARROWEST}"


# The style for a sheet within another page. It must fit any sheet, because the text is not known.
SHEET_STYLE = BROAD_STYLE + narrow_style(SCREEN_WIDTHS[-1])


def render(sheet: Sheet) -> str:
    """Render the sheet as a page."""
    pictures = draw_charts(sheet)
    fit = fit_sheet(sheet, list(map(aspect_ratio, pictures)))
    style = (
        PAGE_STYLE + BROAD_STYLE + (CHART_STYLE if pictures else "") + _generate_style(sheet, fit)
    )
    head = page_head(sheet.title, style, current_language())
    inner = f"{render_inner(sheet, fit.breaks)}{render_figures(pictures)}"
    body = f"<h1>{isolate(sheet.title)}</h1>\n{inner}"
    return f'{head}<main class="sheet">\n{body}</main>\n</body>\n</html>\n'


def render_inner(sheet: Sheet, breaks: Sequence[int] = (), width: float = 0.0) -> str:
    """Render everything below the title, for an element of the class `sheet` on a page with
    SHEET_STYLE.

    `breaks` are the rows of the first table that begin a new page on paper. If the first table is
    wider than `width` (in letter heights), it appears twice. The first copy has the class `few` and
    shows only the scores.
    """
    parts = [render_facts(sheet.facts), _render_standing(sheet.tables[0]) if sheet.tables else ""]
    if (
        width
        and sheet.tables
        and MeasuredColumns(sheet.tables[0]).lay_out(width, turned=False) is None
    ):
        parts.append(_render_table(_scores_only(sheet.tables[0]), 0, (), "scroll few"))
    parts += [
        _render_table(table, at, breaks if at == 0 else ()) for at, table in enumerate(sheet.tables)
    ]
    parts += [
        _render_pairs(sheet.legend, "signs"),
        _render_payments(sheet.payments),
        render_notes(sheet.footnotes),
    ]
    if sheet.guide:
        sections = "".join(
            f"<section>\n{_render_heading(heading)}{_render_pairs(pairs, 'signs')}</section>\n"
            for heading, pairs in sheet.guide
        )
        parts.append(f'<div class="guide">\n{sections}</div>\n')
    return "".join(parts)


# --- around the table


def render_facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Render the facts at the top of a page."""
    return _render_pairs(pairs, "facts")


def _render_pairs(pairs: Sequence[tuple[str, str]], css_class: str) -> str:
    """Render words with their descriptions as a list of the given class."""
    if not pairs:
        return ""
    rows = (
        f"<div><dt>{isolate(word)}</dt><dd>{isolate(text)}</dd></div>\n" for word, text in pairs
    )
    return f'<dl class="{css_class}">\n{"".join(rows)}</dl>\n'


def _render_heading(text: str) -> str:
    """Render a heading, or return "" if it has no text."""
    return f"<h2>{isolate(text)}</h2>\n" if text else ""


def render_notes(texts: Sequence[str]) -> str:
    """Render footnotes."""
    if not texts:
        return ""
    rows = "".join(f"<li>{isolate_runs(note)}</li>\n" for note in texts)
    return f'<ul class="notes">\n{rows}</ul>\n'


def _render_payments(payments: Payments | None) -> str:
    """Render the payments with an explanation."""
    if payments is None:
        return ""
    rows = "".join(
        f"<li>{isolate(payer)} → {isolate(payee)} <b>{escape_html(amount)}</b></li>\n"
        for payer, payee, amount in payments.rows
    )
    paid = f'<ul class="pays">\n{rows}</ul>\n' if rows else ""
    return f'<p class="how">{isolate(payments.basis)}</p>\n{paid}'


def _render_standing(table: SheetTable) -> str:
    """Render the totals with a row for each player or side. A phone shows them first."""
    seats = [at for at, column in enumerate(table.columns) if column.owner]
    totals = [row for row in table.totals if any(row[at] for at in seats)]
    if not totals:
        return ""
    labels = [
        next((cell for at, cell in enumerate(row) if cell and at not in seats), "")
        for row in totals
    ]
    heads = "".join(f'<th scope="col" class="right">{isolate(label)}</th>' for label in labels)
    rows = ""
    for who in dict.fromkeys(table.columns[at].owner for at in seats):
        own = [at for at in seats if table.columns[at].owner == who]
        texts = [" ".join(filter(None, (row[at] for at in own))) for row in totals]
        cells = "".join(f'<td class="right">{isolate_runs(text)}</td>' for text in texts)
        rows += f"<tr><td>{isolate_names(who)}</td>{cells}</tr>\n"
    return (
        f'<table class="standing">\n<thead>\n<tr><td></td>{heads}</tr>\n</thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n"
    )


def render_figures(pictures: Sequence[str]) -> str:
    """Render pictures, in one row if they fit."""
    if not pictures:
        return ""
    drawings = "".join(f"<figure>{picture}</figure>\n" for picture in pictures)
    return f'<div class="drawn">\n{drawings}</div>\n'


# --- the tables


def _render_table(
    table: SheetTable, number: int, breaks: Sequence[int], box: str = "scroll"
) -> str:
    """Render a table. `number` is its number on the page, from 0."""
    cells = _CellMarkup(table)
    caption = f"<caption>{isolate(table.caption)}</caption>\n" if table.caption else ""
    headings = "".join(map(cells.render_heading, range(len(table.columns))))
    totals = "".join(cells.render_row(row, TOTALS) for row in table.totals)
    foot = f"<tfoot>\n{totals}</tfoot>\n" if totals else ""
    names = (
        f"g{number} rounds n{cells.scores_per_line}"
        if cells.scores_per_line
        else f"g{number} ladder"
    )
    if cells.scores_per_line and cells.number_column < 0:
        names += " unnumbered"
    if any(text_width(column.label) > LONG_NAME for column in table.columns if column.owner):
        names += " long"
    if cells.is_dense:
        names += " dense"
    if len(table.rows) >= MANY_ROUNDS:
        names += " hundreds"
    if table.is_form or (number == 0 and not cells.scores_per_line):
        names = f"g{number}"
    columns = "<col>" * len(table.columns)
    return (
        f'<div class="{box}"><table class="{names}">\n{caption}<colgroup>{columns}</colgroup>\n'
        f"<thead>\n<tr>{headings}</tr>\n</thead>\n{_render_bodies(table, cells, breaks)}{foot}"
        "</table></div>\n"
    )


def _render_bodies(table: SheetTable, cells: _CellMarkup, breaks: Sequence[int]) -> str:
    """Render the rows with a table body for each page. On paper, later pages begin with the tallies
    carried over."""
    kinds = row_kinds(table)
    shown = {FAULT: "apart", CARRIED: "carried", EMPTY: "empty", SUM: "sum", ROUND: ""}
    parts = []
    for start, end in zip([0, *breaks], [*breaks, len(table.rows)], strict=True):
        rows = "".join(
            cells.render_row(table.rows[at], shown[kinds[at]]) for at in range(start, end)
        )
        if start and table.carried:
            rows = cells.render_row(table.carried[start - 1], "", carried=True) + rows
        parts.append(f"{_open_tag('tbody', 'page' if start else '')}\n{rows}</tbody>\n")
    return "".join(parts)


class _CellMarkup:
    """The markup of a table's cells, with the labels that replace the headings on a phone."""

    def __init__(self, table: SheetTable) -> None:
        self.columns = columns = table.columns
        owners = len({column.owner for column in columns if column.owner})
        seated = [at for at, column in enumerate(columns) if column.owner]
        others = [at for at, column in enumerate(columns) if not column.owner]
        # The round number, if there is one, precedes the scores.
        rounds = [
            row for row, kind in zip(table.rows, row_kinds(table), strict=True) if kind == ROUND
        ]
        numbered = all(row[at].isdigit() for row in rounds for at in others[:1])
        self.number_column = others[0] if others and numbered else -1
        numbers = (
            cell for row in (*table.rows, *table.carried) for cell in map(row.__getitem__, seated)
        )
        widest = max((MeasuredText(number, BOLD_FACTOR).longest for number in numbers), default=0.0)
        self.scores_per_line, self.is_dense = _scores_in_a_line(owners, widest, numbered)
        # The columns that begin a new line of scores.
        self.line_starts = set(seated[:: self.scores_per_line or 1])

    def css_classes(self, at: int) -> str:
        """Return the classes of a cell in the given column."""
        column = self.columns[at]
        if not self.scores_per_line:
            return column.align
        if column.owner:
            return f"{column.align} score{' begins' if at in self.line_starts else ''}"
        return f"{column.align} {'first' if at == self.number_column else 'more'}"

    def render_row(self, row: Sequence[str], kind: str, *, carried: bool = False) -> str:
        """Render a row. `carried` marks tallies carried over to a new page."""
        span = label_span(row, self.columns) if carried or kind in (TOTALS, "carried") else 1
        cells = "".join(
            f'<td class="{self.css_classes(at)}"{self._data_label(at, cell)}>'
            f"{isolate_runs(cell)}</td>"
            for at, cell in enumerate(row)
            if at >= span or span == 1
        )
        if span > 1:
            marks = self.css_classes(0).replace(self.columns[0].align, "left")
            cells = f'<td class="{marks}" colspan="{span}">{isolate_runs(row[0])}</td>{cells}'
        labelled = self.number_column >= 0 and not row[self.number_column].isdigit()
        names = ("over carried" if carried else kind, "labelled" if labelled else "")
        return f"{_open_tag('tr', ' '.join(filter(None, names)))}{cells}</tr>\n"

    def _data_label(self, at: int, cell: str) -> str:
        """Return the attribute with the column heading that a phone shows in the cell, or ""."""
        column = self.columns[at]
        if (
            not self.scores_per_line
            or column.owner
            or at == self.number_column
            or not (cell and column.label)
        ):
            return ""
        return f' data-of="{escape_html(column.label)}"'

    def render_heading(self, at: int) -> str:
        """Render the heading of a column."""
        column = self.columns[at]
        upright = ' class="up"' if column.owner else ""
        label = (
            f"<span{upright}>{isolate_names(column.label)}</span>"
            if upright
            else isolate(column.label)
        )
        return f'<th scope="col" class="{self.css_classes(at)}">{label}</th>'


def _scores_in_a_line(owners: int, widest: float, numbered: bool) -> tuple[int, bool]:
    """Return how many scores fit on a line of the narrowest screen, and whether they need small
    letters.

    The scores are divided evenly among the lines, and no number is broken.
    """
    dense = MIN_SCREEN_WIDTH / DENSE_FACTOR
    room = dense - NUMBER_WIDTH if numbered else dense
    most = max(1, min(owners, MAX_SCORES_PER_LINE, int(room / (widest + ROW_PADDING))))
    lines = -(-owners // most)
    scores = -(-owners // lines) if lines else 0
    usual = MIN_SCREEN_WIDTH - NUMBER_WIDTH if numbered else MIN_SCREEN_WIDTH
    return scores, scores * (widest + ROW_PADDING) > usual


def _open_tag(element: str, names: str) -> str:
    """Return an opening tag with the given classes."""
    return f'<{element} class="{names}">' if names else f"<{element}>"


def _scores_only(table: SheetTable) -> SheetTable:
    """Return the table with only its first column and the scores."""
    return table.select_columns(
        [at for at, column in enumerate(table.columns) if column.owner or not at]
    )


# --- generated style


def _generate_style(sheet: Sheet, fit: PageFit) -> str:
    """Generate the part of the style that depends on the sheet's text."""
    orientation = "landscape" if fit.landscape else "portrait"
    parts = [PAGE_RULE.format(orientation=orientation)]
    most: int | None = None  # screens at least this wide already have style rules
    for least in SCREEN_WIDTHS:
        laid = fit_screen(sheet, least)
        if laid is None:
            break
        size, tables = laid
        broad = "".join(_width_rules(at, table) for at, table in enumerate(tables))
        narrower = f" and (max-width: {most - 0.02:g}px)" if most else ""
        parts.append(f"@media screen and (min-width: {least}px){narrower} {{\n")
        parts.append(f".sheet table {{ font-size: {size:g}px; }}\n{broad}}}\n")
        most = least
    parts.append(narrow_style(most))
    paper = "".join(_width_rules(at, table) for at, table in enumerate(fit.tables))
    if fit.writing_row:
        paper += f".sheet .empty td {{ height: {fit.writing_row:.1f}pt; }}\n"
    if fit.picture_scale < 1:
        paper += f".sheet .drawn {{ width: {100 * fit.picture_scale:.1f}%; }}\n"
    parts.append(f"@media print {{\n.sheet {{ font-size: {fit.size:g}pt; }}\n{paper}}}\n")
    return "".join(parts)


def _width_rules(number: int, table: TableLayout) -> str:
    """Return the rules that set the widths of a table's columns as percentages of the table."""
    whole = sum(table.widths)
    parts = [f".sheet .g{number} {{ table-layout: fixed; }}\n"]
    parts += [
        f".sheet .g{number} col:nth-child({at + 1}) {{ width: {100 * width / whole:.2f}%; }}\n"
        for at, width in enumerate(table.widths)
    ]
    if table.turned_height:
        parts.append(f".sheet .g{number} .up {UPRIGHT_STYLE}\n")
    return "".join(parts)


# --- parts of every page


def page_head(title: str, style: str, code: str = ENGLISH) -> str:
    """Return the document up to the start of its body, with title, style and language."""
    return HEAD.format(
        language=code, title=escape_html(title), style=style, policy=content_policy(style)
    )


def content_policy(style: str) -> str:
    """Return a content security policy that allows only the page's own style."""
    from base64 import b64encode
    from hashlib import sha256

    digest = b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def isolate(text: str) -> str:
    """Isolate a string so that its direction does not affect its surroundings. Dates stay on one
    line."""
    return f"<bdi>{_DAY.sub(_DAY_SPAN, escape_html(text))}</bdi>"


def isolate_names(names: str) -> str:
    """Isolate joined names as one unit. A line may break between the names."""
    return f"<bdi>{'<wbr>'.join(map(escape_html, re.split(JOINED_NAMES, names)))}</bdi>"


def isolate_runs(text: str) -> str:
    """Isolate the right-to-left parts of a string, such as names. A line may break between joined
    names."""
    return "<wbr>".join(map(_isolate_runs, re.split(JOINED_NAMES, text)))


def _isolate_runs(text: str) -> str:
    """Isolate the right-to-left parts of a string."""
    return "".join(
        isolate(piece) if turned else escape_html(piece)
        for piece, turned in split_by_direction(text)
    )
