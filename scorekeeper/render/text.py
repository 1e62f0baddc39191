"""Text for a terminal: a sheet, or any table.

A table that is too wide for the terminal is made narrower without losing content. Long names in
headings are abbreviated, and the text of cells and headings continues on the lines below. If that
is not enough, the columns of players or sides and the columns of the round become separate tables.
Both repeat the first column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import display_width, make_printable, pad, shorten, wrap_parts, wrap_text
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.sheet_model import (
    CARRIED,
    FAULT,
    ROUND,
    SheetColumn,
    SheetTable,
    row_kinds,
    running_title,
    sources_title,
    sources_total,
    without_gaps,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.render.sheet_model import Payments, RunningTotals, ScoreSources, Sheet


WIDTH = 80
MIN_WIDTH = 40
LONG_TEXT = 24
MAX_COLUMN_WIDTHS = (None, LONG_TEXT, 16, 12, 8)  # column widths to try; None means unlimited
SPARKS = "▁▂▃▄▅▆▇█"
SPARKLINE_WIDTH = 60  # maximum number of bars in a sparkline
# Minimum and maximum width of an abbreviated name, in columns of the terminal.
MAX_NAME = 16  # maximum width of an abbreviation
MIN_NAME = 4
MAX_NAME_LINES = 3  # maximum number of lines of a name in a heading
OTHER_COLUMNS_WIDTH = 16  # width reserved for everything except the columns of players
PAIR_SIGN = "+"


def render(sheet: Sheet, width: int = WIDTH) -> str:
    """Render the sheet as text that ends with a line break. Lines have `width` columns (at least
    40)."""
    width = max(width, MIN_WIDTH)
    tables = [*sheet.tables, *source_tables(sheet.sources)]
    short = short_names(sheet, tables, width)
    texts, legend = [], list(sheet.legend)
    signs = {meaning: sign for sign, meaning in sheet.legend}
    for table in tables:
        text = _render_natural(table)
        if text and _block_width(text) > width:
            text = "\n\n".join(lay_out(with_short_names(table, short), width))
            there = [who for who in (each.owner for each in table.columns) if who in short]
            legend += [
                (short[who], who) for who in there if not is_explained(who, short[who], signs)
            ]
        caption = "\n".join(_wrap(table.caption, width)) if table.caption else ""
        texts.append("\n".join(filter(None, [caption, text])))
    many = len(sheet.tables)
    blocks = [
        [*_wrap(sheet.title, width), *(_fact_lines(sheet.facts, width))],
        *([text] for text in texts[:many]),
        _legend_lines(dict.fromkeys(legend), width),
        _running_lines(sheet.running_totals, width, signs),
        *([text] for text in texts[many:]),
        _payment_lines(sheet.payments, width) if sheet.payments else [],
        [line for note in sheet.footnotes for line in _wrap(note, width)],
        *([*_wrap(head, width), *_guide_lines(rows, width)] for head, rows in sheet.guide),
    ]
    return "\n\n".join(filter(None, map("\n".join, blocks))) + "\n"


def _fact_lines(facts: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Format each fact on one line. A fact that is too long continues on more lines, broken at its
    commas."""
    for word, text in facts:
        line = make_printable(f"{word}: {text}")
        yield from (
            [line] if display_width(line) <= width else wrap_list(line.split(", "), width, "  ")
        )


def _guide_lines(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """List the items with their worth, as many on a line as fit."""
    items = [make_printable(f"{word}: {worth}") for word, worth in rows]
    return [f"  {line}" for line in wrap_list(items, width - 2)] if items else []


def _wrap(text: str, width: int) -> list[str]:
    """Wrap a string that is too long. A string that fits is unchanged."""
    text = make_printable(text)
    return [text] if display_width(text) <= width else wrap_text(text, width, "  ")


def _legend_lines(legend: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """List signs with their meanings, as many on a line as fit. Long meanings have their own
    lines."""
    items = [make_printable(f"{sign} = {meaning}") for sign, meaning in legend]
    short = [line for line in items if display_width(line) <= LONG_TEXT]
    if short:
        yield from wrap_list(short, width)
    for line in items:
        if display_width(line) > LONG_TEXT:
            yield from _wrap(line, width)


def _render_natural(table: SheetTable) -> str:
    """Render the table at its natural width."""
    headings = [column.label for column in with_writing_lines(table).columns]
    aligns = [column.align for column in table.columns]
    return (
        _tabulate(headings, _plain_cells(table.rows), aligns, _plain_cells(table.totals))
        if headings
        else ""
    )


def _running_lines(
    running: RunningTotals | None, width: int, signs: Mapping[str, str]
) -> Iterator[str]:
    """List the tallies, each with a sparkline."""
    if running is None:
        return
    names = [make_printable(name) for name in running.names]
    if any(display_width(name) > LONG_TEXT for name in names):
        names = [
            shorten(make_printable(replace_by_signs(name, signs)), LONG_TEXT)
            for name in running.names
        ]
    name_width = max(map(display_width, names), default=0)
    tally_width = max(map(len, last_tallies(running)), default=0)
    for table in running_tables(running, width - name_width - tally_width - 4):
        yield from _wrap(table.caption, width)
        for name, (_, last, line) in zip(names, table.rows, strict=True):
            shown = f"{pad(name, name_width)}  {pad(last, tally_width, right=True)}  {line}"
            yield shown.rstrip()


def _payment_lines(payments: Payments, width: int) -> Iterator[str]:
    """List the explanation of the payments, then the payments."""
    yield from _wrap(payments.basis, width)
    for sentence in payments.sentences:
        yield from _wrap(sentence, width)


# --- a table of natural width


def render_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    aligns: Sequence[str] = (),
    totals: Iterable[Sequence[object]] = (),
) -> str:
    """Render a table with `totals` below a line.

    Columns are aligned `left` (the default), `right` or `center`. A wide letter
    takes up two columns of the terminal.
    """
    heads, cells, sums = (
        [make_printable(heading) for heading in headings],
        _plain_cells(rows),
        _plain_cells(totals),
    )
    # If names are long, columns are narrowed to fit the terminal, and their text continues on the
    # lines below.
    named = [*heads, *(row[0] for row in [*cells, *sums] if row)]
    long = max(map(display_width, named), default=0) > LONG_TEXT
    text = ""
    for most in MAX_COLUMN_WIDTHS if long else MAX_COLUMN_WIDTHS[:1]:
        text = _tabulate(heads, cells, aligns, sums, most)
        if _block_width(text) <= WIDTH:
            break
    return text


def _tabulate(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    aligns: Sequence[str],
    totals: Sequence[Sequence[str]],
    max_width: int | None = None,
) -> str:
    """Render the table with columns of natural width, or of at most `max_width`."""
    from tabulate import SEPARATING_LINE, tabulate

    cells = [*rows, SEPARATING_LINE, *totals] if rows and totals else rows or totals
    text = tabulate(
        cells,
        heads if max_width is None else [_wrap_heading(head, max_width) for head in heads],
        tablefmt="simple",
        disable_numparse=True,
        colalign=aligns if cells and aligns else None,
        maxcolwidths=None if max_width is None or not cells else [max_width] * len(heads),
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def _wrap_heading(text: str, width: int) -> str:
    """Break a heading into lines of the given width."""
    return "\n".join(wrap_parts(text.split(), width, "", " "))


def _plain_cells(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    """Return the cells as text without control characters."""
    return [[make_printable(str(cell)) for cell in row] for row in rows]


def _block_width(text: str) -> int:
    """Return the width of the widest line."""
    return max(map(display_width, text.splitlines()), default=0)


# --- small bars and sources


def running_tables(running: RunningTotals | None, width: int = SPARKLINE_WIDTH) -> list[SheetTable]:
    """Return a table of the tallies with sparklines of at most `width` bars, all on one scale.

    The list is empty if there is nothing to show.
    """
    if running is None or len(running.rounds) < 2 or not any(map(without_gaps, running.points)):
        return []
    every = [point for points in running.points for point in without_gaps(points)]
    lines = [sparkline(_sample(points, width), every).rstrip() for points in running.points]
    rows = [list(row) for row in zip(running.names, last_tallies(running), lines, strict=True)]
    heads = [SheetColumn("", "left"), SheetColumn("", "right"), SheetColumn("", "left")]
    return [SheetTable(running_title(running), heads, rows)]


def sparkline(points: Sequence[int | None], scale: Sequence[int] = ()) -> str:
    """Return the numbers as a sparkline, or "" if there are none.

    The bars are scaled to the range of the numbers and of `scale`. If all of them are equal, the
    bars have medium height. A space marks a gap.

    >>> sparkline([0, 5, None, 10])
    '▁▅ █'
    """
    every = [*without_gaps(points), *scale]
    least, most = min(every, default=0), max(every, default=0)
    range_, high = most - least, len(SPARKS) - 1

    def bar(point: int) -> str:
        """Return the bar of a number."""
        return SPARKS[
            (2 * high * (point - least) + range_) // (2 * range_) if range_ else high // 2
        ]

    return "".join(" " if point is None else bar(point) for point in points)


def _sample(points: Sequence[int | None], max_count: int) -> list[int | None]:
    """Return at most `max_count` of the points, evenly spaced, including the first and the last."""
    if len(points) <= max_count:
        return list(points)
    return [points[at * (len(points) - 1) // (max_count - 1)] for at in range(max_count)]


def last_tallies(running: RunningTotals) -> list[str]:
    """Return each player's last tally, or "" for a player who was never present."""
    return ["".join(map(str, without_gaps(points)[-1:])) for points in running.points]


def source_tables(parts: ScoreSources | None) -> list[SheetTable]:
    """Return a table of the sources of the tallies, or an empty list if there are fewer than two
    sources."""
    if parts is None:
        return []
    heads = [
        SheetColumn("", "left"),
        *(SheetColumn(name, "right", owner=name) for name in parts.names),
    ]
    whole = [[row[at] for row in parts.points] for at, _ in enumerate(parts.labels)]
    sources = zip(parts.labels, whole, strict=True)
    rows = [[label, *(str(each or "") for each in row)] for label, row in sources if any(row)]
    sums = [sources_total(), *(str(sum(row)) for row in parts.points)]
    return [SheetTable(sources_title(), heads, rows, [sums])] if len(rows) > 1 else []


# --- a table wider than the terminal


class Bounds(NamedTuple):
    """Limits for narrowing a table, in columns of the terminal.

    Words, numbers and headings that are wider than `word`, `number` and `heading` may be broken.
    Names in headings have already been abbreviated. `whole_cells` and `whole_numbers` forbid
    breaking any cell or any number. `gap` is the space between columns.
    """

    word: int
    number: int
    heading: int
    whole_cells: bool
    whole_numbers: bool
    gap: int


EASY_BOUNDS = Bounds(12, 20, 10, False, True, 2)
WHOLE_BOUNDS = EASY_BOUNDS._replace(whole_cells=True)
PREFERRED_BOUNDS = (
    WHOLE_BOUNDS,
    WHOLE_BOUNDS._replace(gap=1),
    EASY_BOUNDS,
    EASY_BOUNDS._replace(gap=1),
)
TIGHT_BOUNDS = Bounds(8, 12, 6, False, False, 1)


def lay_out(table: SheetTable, width: int) -> list[str]:
    """Lay out the table as one or more blocks of text that fit the given width."""
    table = _plain_table(table)
    return _draw_first_fit(table, width, *PREFERRED_BOUNDS) or [
        text
        for part in _split_by_owner(table)
        for text in _draw_first_fit(part, width, *PREFERRED_BOUNDS, TIGHT_BOUNDS)
        or [_draw(piece, width, TIGHT_BOUNDS) for piece in _split_to_fit(part, width)]
    ]


def _draw_first_fit(table: SheetTable, width: int, *every: Bounds) -> list[str]:
    """Return the lines of the table, drawn with the first bounds that make it fit.

    Return an empty list if it does not fit with any of them.
    """
    return next(
        ([_draw(table, width, bounds)] for bounds in every if _column_widths(table, width, bounds)),
        [],
    )


def _plain_table(table: SheetTable) -> SheetTable:
    """Return the table without control characters and with lines for handwriting."""
    rows = [[make_printable(cell) for cell in row] for row in table.rows]
    totals = [[make_printable(cell) for cell in row] for row in table.totals]
    return with_writing_lines(table)._replace(rows=rows, totals=totals)


def with_writing_lines(table: SheetTable) -> SheetTable:
    """Return the table with lines for handwriting in the headings of empty columns."""
    empty = [not any(row[at] for row in table.rows) for at, _ in enumerate(table.columns)]
    heads = [
        column._replace(label=make_printable(column.label) or "_" * (column.width if blank else 0))
        for column, blank in zip(table.columns, empty, strict=True)
    ]
    return table._replace(columns=heads)


def wrap_list(parts: Sequence[str], width: int, indent: str = "") -> list[str]:
    """Join parts with commas, in lines of the given width."""
    commas = [*(f"{part}," for part in parts[:-1]), *parts[-1:]]
    return list(wrap_parts(commas, width, indent, " "))


# --- column widths


def _column_widths(table: SheetTable, width: int, bounds: Bounds) -> list[int]:
    """Return column widths at which the table fits, or an empty list."""
    rows = [["", *row[1:]] if span > 1 else row for row, span in _rows_with_spans(table)]
    cells = list(zip(*rows, strict=True)) or [()] * len(table.columns)
    least = [
        max(
            [_min_heading_width(column, bounds), *(_min_cell_width(cell, bounds) for cell in below)]
        )
        for column, below in zip(table.columns, cells, strict=True)
    ]
    wanted = [
        max(display_width(column.label), *map(display_width, below), 1)
        for column, below in zip(table.columns, cells, strict=True)
    ]
    room = width - bounds.gap * (len(table.columns) - 1)
    if sum(least) > room:
        return []
    most = max(wanted, default=0)
    while True:
        widths = [max(low, min(high, most)) for low, high in zip(least, wanted, strict=True)]
        if sum(widths) <= room:
            return widths
        most -= 1


def _min_cell_width(text: str, bounds: Bounds) -> int:
    """Return the minimum width of a cell."""
    if bounds.whole_cells:
        return display_width(text)
    longest = max(map(display_width, text.split()), default=1)
    if any(map(str.isalpha, text)) or not any(map(str.isdigit, text)):
        return min(longest, bounds.word)
    return min(display_width(text) if bounds.whole_numbers else longest, bounds.number)


def _min_heading_width(column: SheetColumn, bounds: Bounds) -> int:
    """Return the minimum width of a heading."""
    longest = max(map(display_width, column.label.split()), default=1)
    return min(longest, MAX_NAME if column.owner else bounds.heading)


# --- splitting


def _split_by_owner(table: SheetTable) -> Iterator[SheetTable]:
    """Split the table into the columns of players or sides and the columns of the round.

    Both parts have the first column, or row numbers if the first column does not identify the rows.
    """
    first = int(bool(table.columns) and not table.columns[0].owner)
    about = [at for at, column in enumerate(table.columns) if column.owner and at >= first]
    rest = [at for at, column in enumerate(table.columns) if not column.owner and at >= first]
    if not about or not rest:
        yield table
        return
    key = [0] * first
    rounds = [row for row, kind in zip(table.rows, row_kinds(table), strict=True) if kind == ROUND]
    if not first or len({row[0] for row in rounds}) < len(rounds):
        table, key = _with_row_numbers(table), [0, *(at + 1 for at in key)]
        about, rest = [at + 1 for at in about], [at + 1 for at in rest]
    yield table.select_columns([*key, *about])
    yield _without_empty_rows(table.select_columns([*key, *rest])._replace(caption=""), len(key))


def _with_row_numbers(table: SheetTable) -> SheetTable:
    """Add a first column with row numbers."""
    rows = [[str(at), *row] for at, row in enumerate(table.rows, 1)]
    totals = [["", *row] for row in table.totals]
    return table._replace(
        columns=[SheetColumn("", "right"), *table.columns], rows=rows, totals=totals
    )


def _without_empty_rows(table: SheetTable, key: int) -> SheetTable:
    """Drop empty rows, unless the whole table is for handwriting."""
    every = list(zip(table.rows, row_kinds(table), strict=True))
    filled = [each for each in every if any(each[0][key:])] or every
    totals = [row for row in table.totals if any(row[key:])]
    return table._replace(
        rows=[row for row, _ in filled], kinds=[kind for _, kind in filled], totals=totals
    )


def _split_to_fit(table: SheetTable, width: int) -> Iterator[SheetTable]:
    """Split the columns into as many tables as needed. Each repeats the first column."""
    chosen: list[int] = [0]
    for at in range(1, len(table.columns)):
        if len(chosen) > 1 and not _column_widths(
            table.select_columns([*chosen, at]), width, TIGHT_BOUNDS
        ):
            yield table.select_columns(chosen)
            chosen = [0]
        chosen.append(at)
    yield table.select_columns(chosen)


# --- drawing


def _draw(table: SheetTable, width: int, bounds: Bounds) -> str:
    """Draw the table within the given width."""
    widths, between = _column_widths(table, width, bounds), " " * bounds.gap
    heads = [column.label for column in table.columns]
    aligns = [column.align for column in table.columns]
    rule = between.join("-" * spans for spans in widths)
    lines = [*_row_lines(heads, widths, aligns, between, align_bottom=True), rule]
    for at, (row, span) in enumerate(_rows_with_spans(table)):
        if table.rows and at == len(table.rows):
            lines.append(rule)
        first = sum(widths[:span]) + bounds.gap * (span - 1)
        align = aligns[0] if span == 1 else "left"
        cells, spans = [row[0], *row[span:]], [first, *widths[span:]]
        lines += _row_lines(cells, spans, [align, *aligns[span:]], between)
    return "\n".join(lines)


def _rows_with_spans(table: SheetTable) -> Iterator[tuple[Sequence[str], int]]:
    """Yield the rows and totals, each with the number of columns that its first cell may span.

    Except in a row for a round, the first cell is a label that spans the empty columns after it.
    """
    for row, kind in zip(table.rows, row_kinds(table), strict=True):
        yield row, _label_span(row) if kind in (FAULT, CARRIED) else 1
    for row in table.totals:
        yield row, _label_span(row)


def _label_span(row: Sequence[str]) -> int:
    """Return how many columns the first cell may span."""
    return next((at for at in range(1, len(row)) if row[at]), len(row))


def _row_lines(
    cells: Sequence[str],
    widths: Sequence[int],
    aligns: Sequence[str],
    between: str,
    *,
    align_bottom: bool = False,
) -> Iterator[str]:
    """Yield the lines of a row. The tallest cell determines their number."""
    wrapped = [
        list(wrap_parts(cell.split(), width, "", " "))
        for cell, width in zip(cells, widths, strict=True)
    ]
    tall = max([1, *map(len, wrapped)])
    for lines in wrapped:
        blanks = [""] * (tall - len(lines))
        lines[:] = [*blanks, *lines] if align_bottom else [*lines, *blanks]
    for line in zip(*wrapped, strict=True):
        placed = map(_align, line, widths, aligns)
        yield between.join(placed).rstrip()


def _align(text: str, width: int, align: str) -> str:
    """Align a string within the given width."""
    if align == "center":
        text = " " * ((width - display_width(text)) // 2) + text
    return pad(text, width, right=align == "right")


# --- short names above narrow columns


def short_names(sheet: Sheet, tables: Sequence[SheetTable], width: int) -> dict[str, str]:
    """Return abbreviations for players and sides whose names do not fit above their columns.

    An abbreviation that the sheet already uses stays the same.
    """
    owners = list(dict.fromkeys(column.owner for table in tables for column in table.columns))
    names = [who for who in owners if who]
    many = max((sum(1 for each in table.columns if each.owner) for table in tables), default=1)
    room = min(max((width - OTHER_COLUMNS_WIDTH) // max(many, 1) - 2, MIN_NAME), MAX_NAME)
    signs = {meaning: sign for sign, meaning in sheet.legend}
    short: dict[str, str] = {}
    for name in names:
        if _is_torn(make_printable(name), room):
            short[name] = _shorten_name(name, room, names, {*signs, *short.values()}, signs)
    return short


def with_short_names(table: SheetTable, short: Mapping[str, str]) -> SheetTable:
    """Return the table with these abbreviations in its headings."""
    heads = [
        column._replace(label=column.label.replace(column.owner, short[column.owner]))
        if column.owner in short
        else column
        for column in table.columns
    ]
    return table._replace(columns=heads)


def _is_torn(name: str, room: int) -> bool:
    """Return whether a heading of the given width is too narrow for a name."""
    words = name.split()
    lines = sum(1 for _ in wrap_parts(words, room, "", " "))
    return lines > MAX_NAME_LINES or any(display_width(word) > room for word in words)


def _shorten_name(
    name: str, room: int, names: Sequence[str], taken: set[str], signs: Mapping[str, str]
) -> str:
    """Abbreviate a name to the given width.

    The first unique one of these forms is used: the sheet's sign for it, its beginning, its
    beginning and end, or its number. A pair combines the abbreviations of both names.
    """
    sign = signs.get(name, "")
    if sign and display_width(sign) <= room:
        return sign
    text, others = (
        make_printable(name),
        [make_printable(other).casefold() for other in names if other != name],
    )
    start = _shorten_to(text, room)
    if PAIR_SIGN not in text and not any(other.startswith(start.casefold()) for other in others):
        return start
    single = replace_by_signs(name, signs).split(PAIR_SIGN)
    both = shorten(text, room)
    if len(single) > 1:
        both = PAIR_SIGN.join(make_printable(one) for one in single)
        signed = not set(signs).isdisjoint(name.split(PAIR_SIGN))
        if display_width(both) > room and signed:  # a line may end between joined names
            both = both.replace(PAIR_SIGN, f"{PAIR_SIGN} ")
        elif display_width(both) > room:
            each = max((room + 1) // len(single) - 1, 2)
            both = PAIR_SIGN.join(_shorten_to(one, each) for one in text.split(PAIR_SIGN))
    if both not in taken and not _is_torn(both, room):
        return both
    return str(names.index(name) + 1)


def _shorten_to(text: str, room: int) -> str:
    """Return as much of the beginning of a string as fits. It ends with a whole word if that fills
    at least half of the width."""
    start = next(
        (text[:at] for at in range(len(text), 0, -1) if display_width(text[:at]) <= room), ""
    )
    blank = start.rfind(" ")
    inside = text[len(start) : len(start) + 1].strip()
    return start[:blank] if inside and blank >= room // 2 else start.strip()


def replace_by_signs(name: str, signs: Mapping[str, str]) -> str:
    """Replace a name, or each of several joined names, with its sign."""
    return signs.get(name) or PAIR_SIGN.join(signs.get(one, one) for one in name.split(PAIR_SIGN))


def is_explained(name: str, short: str, signs: Mapping[str, str]) -> bool:
    """Return whether the meanings of the signs already explain this abbreviation."""
    return short.replace(" ", "") == make_printable(replace_by_signs(name, signs)).replace(" ", "")
