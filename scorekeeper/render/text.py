"""Text for a terminal: a sheet, or any table.

A table wider than the terminal is fitted without losing content. Long names in headings become
short, and cells and headings continue in further lines. If that is not enough, the table is split
into columns of players or sides and columns of the round. Both parts repeat the first column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import broken, columns, filled, padded, plain, shortened
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.sheet_model import (
    APART,
    CARRIED,
    ROUND,
    Column,
    Grid,
    came_from,
    in_all,
    kinds_of,
    known,
    over_rounds,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.render.sheet_model import Parts, Payments, Running, Sheet


WIDTH = 80
NARROWEST = 40
LONG = 24
MOST = (None, LONG, 16, 12, 8)  # widths of a column to try; None: unlimited
SPARKS = "▁▂▃▄▅▆▇█"
ROOM = 60  # letters of a line of small bars
# Short forms of names, in columns of the terminal.
MOST_NAME = 16  # the longest short form
LEAST_NAME = 4
MOST_LINES = 3  # lines of a name in a heading
BESIDE = 16  # columns for everything but the players
PAIRED = "+"


def render(sheet: Sheet, width: int = WIDTH) -> str:
    """Render the sheet in lines of that width, at least 40, with a line break at the end."""
    width = max(width, NARROWEST)
    grids = [*sheet.grids, *parts_tables(sheet.parts)]
    short = shorts(sheet, grids, width)
    texts, legend = [], list(sheet.legend)
    signs = {meaning: sign for sign, meaning in sheet.legend}
    for grid in grids:
        text = _natural(grid)
        if text and _wide(text) > width:
            text = "\n\n".join(laid_out(shorter(grid, short), width))
            there = [who for who in (each.who for each in grid.columns) if who in short]
            legend += [(short[who], who) for who in there if not explained(who, short[who], signs)]
        caption = "\n".join(_broken_at(grid.caption, width)) if grid.caption else ""
        texts.append("\n".join(filter(None, [caption, text])))
    many = len(sheet.grids)
    blocks = [
        [*_broken_at(sheet.title, width), *(_facts(sheet.facts, width))],
        *([text] for text in texts[:many]),
        _legend(dict.fromkeys(legend), width),
        _running(sheet.running, width, signs),
        *([text] for text in texts[many:]),
        _payments(sheet.payments, width) if sheet.payments else [],
        [line for note in sheet.footnotes for line in _broken_at(note, width)],
        *([*_broken_at(head, width), *_counts(rows, width)] for head, rows in sheet.guide),
    ]
    return "\n\n".join(filter(None, map("\n".join, blocks))) + "\n"


def _facts(facts: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Format each fact on one line, or broken at its commas if it is too long."""
    for word, text in facts:
        line = plain(f"{word}: {text}")
        yield from [line] if columns(line) <= width else listed(line.split(", "), width, "  ")


def _counts(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """List the worth of each item, with as many on a line as fit."""
    items = [plain(f"{word}: {worth}") for word, worth in rows]
    return [f"  {line}" for line in listed(items, width - 2)] if items else []


def _broken_at(text: str, width: int) -> list[str]:
    """Wrap a text that is too long. A text that fits is unchanged."""
    text = plain(text)
    return [text] if columns(text) <= width else broken(text, width, "  ")


def _legend(legend: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """List signs with their meanings, as many on a line as fit. Long ones have their own lines."""
    items = [plain(f"{sign} = {meaning}") for sign, meaning in legend]
    short = [line for line in items if columns(line) <= LONG]
    if short:
        yield from listed(short, width)
    for line in items:
        if columns(line) > LONG:
            yield from _broken_at(line, width)


def _natural(grid: Grid) -> str:
    """Render the table at its natural width."""
    headings = [column.label for column in to_write(grid).columns]
    aligns = [column.align for column in grid.columns]
    return _simple(headings, _cells(grid.rows), aligns, _cells(grid.totals)) if headings else ""


def _running(running: Running | None, width: int, signs: Mapping[str, str]) -> Iterator[str]:
    """List the tallies, each with a line of small bars."""
    if running is None:
        return
    names = [plain(name) for name in running.names]
    if any(columns(name) > LONG for name in names):
        names = [shortened(plain(by_signs(name, signs)), LONG) for name in running.names]
    name_width = max(map(columns, names), default=0)
    tally_width = max(map(len, lasts(running)), default=0)
    for grid in running_tables(running, width - name_width - tally_width - 4):
        yield from _broken_at(grid.caption, width)
        for name, (_, last, line) in zip(names, grid.rows, strict=True):
            shown = f"{padded(name, name_width)}  {padded(last, tally_width, right=True)}  {line}"
            yield shown.rstrip()


def _payments(payments: Payments, width: int) -> Iterator[str]:
    """List the explanation and the payments."""
    yield from _broken_at(payments.how, width)
    for sentence in payments.said:
        yield from _broken_at(sentence, width)


# --- a table as wide as it comes


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    aligns: Sequence[str] = (),
    totals: Iterable[Sequence[object]] = (),
) -> str:
    """Render a table with `totals` below a rule. Columns are `left` (the default), `right` or
    `center`.

    Letters of double width count as two.
    """
    heads, cells, sums = [plain(heading) for heading in headings], _cells(rows), _cells(totals)
    # With long names, columns are narrowed to fit the terminal, and their texts continue below.
    named = [*heads, *(row[0] for row in [*cells, *sums] if row)]
    long = max(map(columns, named), default=0) > LONG
    text = ""
    for most in MOST if long else MOST[:1]:
        text = _simple(heads, cells, aligns, sums, most)
        if _wide(text) <= WIDTH:
            break
    return text


def _simple(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    aligns: Sequence[str],
    totals: Sequence[Sequence[str]],
    most: int | None = None,
) -> str:
    """Render the table with columns of natural width, or of at most that width."""
    from tabulate import SEPARATING_LINE, tabulate

    cells = [*rows, SEPARATING_LINE, *totals] if rows and totals else rows or totals
    text = tabulate(
        cells,
        heads if most is None else [_broken(head, most) for head in heads],
        tablefmt="simple",
        disable_numparse=True,
        colalign=aligns if cells and aligns else None,
        maxcolwidths=None if most is None or not cells else [most] * len(heads),
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def _broken(text: str, most: int) -> str:
    """Break a heading into lines of that width."""
    return "\n".join(filled(text.split(), most, "", " "))


def _cells(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    """Return the cells as text without control characters."""
    return [[plain(str(cell)) for cell in row] for row in rows]


def _wide(text: str) -> int:
    """Return the width of the widest line."""
    return max(map(columns, text.splitlines()), default=0)


# --- what is told below a table in letters alone


def running_tables(running: Running | None, room: int = ROOM) -> list[Grid]:
    """Return a table of the tallies with a line of small bars each, all on one scale.

    The list is empty if there is nothing to show. A line has at most the given number of bars.
    """
    if running is None or len(running.rounds) < 2 or not any(map(known, running.points)):
        return []
    every = [point for points in running.points for point in known(points)]
    lines = [sparkline(_thinned(points, room), every).rstrip() for points in running.points]
    rows = [list(row) for row in zip(running.names, lasts(running), lines, strict=True)]
    heads = [Column("", "left"), Column("", "right"), Column("", "left")]
    return [Grid(over_rounds(running), heads, rows)]


def sparkline(points: Sequence[int | None], among: Sequence[int] = ()) -> str:
    """Return the numbers as a row of small bars, "" for none.

    The scale covers the numbers and the second sequence. Equal numbers are all of middle height,
    and a blank marks a gap.

    >>> sparkline([0, 5, None, 10])
    '▁▅ █'
    """
    every = [*known(points), *among]
    least, most = min(every, default=0), max(every, default=0)
    range_, high = most - least, len(SPARKS) - 1

    def bar(point: int) -> str:
        """Return the bar of a number."""
        return SPARKS[
            (2 * high * (point - least) + range_) // (2 * range_) if range_ else high // 2
        ]

    return "".join(" " if point is None else bar(point) for point in points)


def _thinned(points: Sequence[int | None], most: int) -> list[int | None]:
    """Return at most that many points, evenly spaced, including the first and the last."""
    if len(points) <= most:
        return list(points)
    return [points[at * (len(points) - 1) // (most - 1)] for at in range(most)]


def lasts(running: Running) -> list[str]:
    """Return each player's last tally, "" for a player who was never present."""
    return ["".join(map(str, known(points)[-1:])) for points in running.points]


def parts_tables(parts: Parts | None) -> list[Grid]:
    """Return a table of the sources of the tallies, or an empty list for fewer than two."""
    if parts is None:
        return []
    heads = [Column("", "left"), *(Column(name, "right", who=name) for name in parts.names)]
    whole = [[row[at] for row in parts.points] for at, _ in enumerate(parts.labels)]
    sources = zip(parts.labels, whole, strict=True)
    rows = [[label, *(str(each or "") for each in row)] for label, row in sources if any(row)]
    sums = [in_all(), *(str(sum(row)) for row in parts.points)]
    return [Grid(came_from(), heads, rows, [sums])] if len(rows) > 1 else []


# --- a table that is wider than the terminal


class Bounds(NamedTuple):
    """The limits to which columns may be narrowed, in columns of the terminal.

    The first three limit words, numbers and headings, whose names are short already. Two flags
    forbid breaking any cell, or any number. The last is the gap between columns.
    """

    word: int
    number: int
    heading: int
    unbroken: bool
    whole: bool
    between: int


EASY = Bounds(12, 20, 10, False, True, 2)
WHOLE = EASY._replace(unbroken=True)
FIRST = (WHOLE, WHOLE._replace(between=1), EASY, EASY._replace(between=1))
TIGHT = Bounds(8, 12, 6, False, False, 1)


def laid_out(grid: Grid, width: int) -> list[str]:
    """Lay out the table as one or several texts of that width."""
    grid = _plain(grid)
    return _fitting(grid, width, *FIRST) or [
        text
        for part in _apart(grid)
        for text in _fitting(part, width, *FIRST, TIGHT)
        or [_drawn(piece, width, TIGHT) for piece in _narrow_parts(part, width)]
    ]


def _fitting(grid: Grid, width: int, *every: Bounds) -> list[str]:
    """Draw the table by the first of these bounds that fits, or return an empty list."""
    return next(
        ([_drawn(grid, width, bounds)] for bounds in every if _widths(grid, width, bounds)), []
    )


def _plain(grid: Grid) -> Grid:
    """Return the table without control characters, and with lines to write on."""
    rows = [[plain(cell) for cell in row] for row in grid.rows]
    totals = [[plain(cell) for cell in row] for row in grid.totals]
    return to_write(grid)._replace(rows=rows, totals=totals)


def to_write(grid: Grid) -> Grid:
    """Return the table with lines to write on in the headings of empty columns."""
    empty = [not any(row[at] for row in grid.rows) for at, _ in enumerate(grid.columns)]
    heads = [
        column._replace(label=plain(column.label) or "_" * (column.width if blank else 0))
        for column, blank in zip(grid.columns, empty, strict=True)
    ]
    return grid._replace(columns=heads)


def listed(parts: Sequence[str], width: int, indent: str = "") -> list[str]:
    """Join parts with commas, in lines of that width."""
    commas = [*(f"{part}," for part in parts[:-1]), *parts[-1:]]
    return list(filled(commas, width, indent, " "))


# --- how wide its columns are


def _widths(grid: Grid, width: int, bounds: Bounds) -> list[int]:
    """Return the column widths with which the table fits, or an empty list."""
    rows = [["", *row[1:]] if span > 1 else row for row, span in _rows(grid)]
    cells = list(zip(*rows, strict=True)) or [()] * len(grid.columns)
    least = [
        max([_least_heading(column, bounds), *(_least(cell, bounds) for cell in below)])
        for column, below in zip(grid.columns, cells, strict=True)
    ]
    wanted = [
        max(columns(column.label), *map(columns, below), 1)
        for column, below in zip(grid.columns, cells, strict=True)
    ]
    room = width - bounds.between * (len(grid.columns) - 1)
    if sum(least) > room:
        return []
    most = max(wanted, default=0)
    while True:
        widths = [max(low, min(high, most)) for low, high in zip(least, wanted, strict=True)]
        if sum(widths) <= room:
            return widths
        most -= 1


def _least(text: str, bounds: Bounds) -> int:
    """Return the least width of a cell."""
    if bounds.unbroken:
        return columns(text)
    longest = max(map(columns, text.split()), default=1)
    if any(map(str.isalpha, text)) or not any(map(str.isdigit, text)):
        return min(longest, bounds.word)
    return min(columns(text) if bounds.whole else longest, bounds.number)


def _least_heading(column: Column, bounds: Bounds) -> int:
    """Return the least width of a heading."""
    longest = max(map(columns, column.label.split()), default=1)
    return min(longest, MOST_NAME if column.who else bounds.heading)


# --- which columns stand together


def _apart(grid: Grid) -> Iterator[Grid]:
    """Split the table into columns with an owner and columns of the round.

    Both parts have the first column, or the numbers of the rows if it does not identify them.
    """
    first = int(bool(grid.columns) and not grid.columns[0].who)
    about = [at for at, column in enumerate(grid.columns) if column.who and at >= first]
    rest = [at for at, column in enumerate(grid.columns) if not column.who and at >= first]
    if not about or not rest:
        yield grid
        return
    key = [0] * first
    rounds = [row for row, kind in zip(grid.rows, kinds_of(grid), strict=True) if kind == ROUND]
    if not first or len({row[0] for row in rounds}) < len(rounds):
        grid, key = _numbered(grid), [0, *(at + 1 for at in key)]
        about, rest = [at + 1 for at in about], [at + 1 for at in rest]
    yield grid.cut([*key, *about])
    yield _filled_in(grid.cut([*key, *rest])._replace(caption=""), len(key))


def _numbered(grid: Grid) -> Grid:
    """Add a first column with the numbers of the rows."""
    rows = [[str(at), *row] for at, row in enumerate(grid.rows, 1)]
    totals = [["", *row] for row in grid.totals]
    return grid._replace(columns=[Column("", "right"), *grid.columns], rows=rows, totals=totals)


def _filled_in(grid: Grid, key: int) -> Grid:
    """Drop empty rows, unless all are empty and to be written on."""
    every = list(zip(grid.rows, kinds_of(grid), strict=True))
    filled = [each for each in every if any(each[0][key:])] or every
    totals = [row for row in grid.totals if any(row[key:])]
    return grid._replace(
        rows=[row for row, _ in filled], kinds=[kind for _, kind in filled], totals=totals
    )


def _narrow_parts(grid: Grid, width: int) -> Iterator[Grid]:
    """Split the table into as many parts as needed, each with the first column."""
    chosen: list[int] = [0]
    for at in range(1, len(grid.columns)):
        if len(chosen) > 1 and not _widths(grid.cut([*chosen, at]), width, TIGHT):
            yield grid.cut(chosen)
            chosen = [0]
        chosen.append(at)
    yield grid.cut(chosen)


# --- how it looks


def _drawn(grid: Grid, width: int, bounds: Bounds) -> str:
    """Draw the table in lines of that width."""
    widths, between = _widths(grid, width, bounds), " " * bounds.between
    heads = [column.label for column in grid.columns]
    aligns = [column.align for column in grid.columns]
    rule = between.join("-" * spans for spans in widths)
    lines = [*_row(heads, widths, aligns, between, bottom=True), rule]
    for at, (row, span) in enumerate(_rows(grid)):
        if grid.rows and at == len(grid.rows):
            lines.append(rule)
        first = sum(widths[:span]) + bounds.between * (span - 1)
        align = aligns[0] if span == 1 else "left"
        cells, spans = [row[0], *row[span:]], [first, *widths[span:]]
        lines += _row(cells, spans, [align, *aligns[span:]], between)
    return "\n".join(lines)


def _rows(grid: Grid) -> Iterator[tuple[Sequence[str], int]]:
    """Yield the rows and totals with the number of columns that the first cell may span.

    Labels of rows that are no rounds span the empty columns after them.
    """
    for row, kind in zip(grid.rows, kinds_of(grid), strict=True):
        yield row, _over(row) if kind in (APART, CARRIED) else 1
    for row in grid.totals:
        yield row, _over(row)


def _over(row: Sequence[str]) -> int:
    """Return how many columns the first cell may span."""
    return next((at for at in range(1, len(row)) if row[at]), len(row))


def _row(
    cells: Sequence[str],
    widths: Sequence[int],
    aligns: Sequence[str],
    between: str,
    *,
    bottom: bool = False,
) -> Iterator[str]:
    """Yield the lines of a row, as many as its tallest cell has."""
    wrapped = [
        list(filled(cell.split(), width, "", " "))
        for cell, width in zip(cells, widths, strict=True)
    ]
    tall = max([1, *map(len, wrapped)])
    for lines in wrapped:
        blanks = [""] * (tall - len(lines))
        lines[:] = [*blanks, *lines] if bottom else [*lines, *blanks]
    for line in zip(*wrapped, strict=True):
        placed = map(_placed, line, widths, aligns)
        yield between.join(placed).rstrip()


def _placed(text: str, width: int, align: str) -> str:
    """Align a text within that width."""
    if align == "center":
        text = " " * ((width - columns(text)) // 2) + text
    return padded(text, width, right=align == "right")


# --- names that are too long to stand above a narrow column


def shorts(sheet: Sheet, grids: Sequence[Grid], width: int) -> dict[str, str]:
    """Return short forms for owners whose names would not fit above their columns.

    A form that the sheet already has stays the same.
    """
    whom = list(dict.fromkeys(column.who for grid in grids for column in grid.columns))
    names = [who for who in whom if who]
    many = max((sum(1 for each in grid.columns if each.who) for grid in grids), default=1)
    room = min(max((width - BESIDE) // max(many, 1) - 2, LEAST_NAME), MOST_NAME)
    signs = {meaning: sign for sign, meaning in sheet.legend}
    short: dict[str, str] = {}
    for name in names:
        if _torn(plain(name), room):
            short[name] = _short(name, room, names, {*signs, *short.values()}, signs)
    return short


def shorter(grid: Grid, short: Mapping[str, str]) -> Grid:
    """Return the table with these short names in its headings."""
    heads = [
        column._replace(label=column.label.replace(column.who, short[column.who]))
        if column.who in short
        else column
        for column in grid.columns
    ]
    return grid._replace(columns=heads)


def _torn(name: str, room: int) -> bool:
    """Return whether a name does not fit a heading of that width."""
    words = name.split()
    lines = sum(1 for _ in filled(words, room, "", " "))
    return lines > MOST_LINES or any(columns(word) > room for word in words)


def _short(
    name: str, room: int, names: Sequence[str], taken: set[str], signs: Mapping[str, str]
) -> str:
    """Shorten a name to that width.

    The first of these that is unique is used: a sign of the sheet, the beginning of the name, its
    beginning with its end, and its number. A pair combines the short forms of both names.
    """
    sign = signs.get(name, "")
    if sign and columns(sign) <= room:
        return sign
    text, others = plain(name), [plain(other).casefold() for other in names if other != name]
    start = _beginning(text, room)
    if PAIRED not in text and not any(other.startswith(start.casefold()) for other in others):
        return start
    single = by_signs(name, signs).split(PAIRED)
    both = shortened(text, room)
    if len(single) > 1:
        both = PAIRED.join(plain(one) for one in single)
        signed = not set(signs).isdisjoint(name.split(PAIRED))
        if columns(both) > room and signed:  # a line may end between joined names
            both = both.replace(PAIRED, f"{PAIRED} ")
        elif columns(both) > room:
            each = max((room + 1) // len(single) - 1, 2)
            both = PAIRED.join(_beginning(one, each) for one in text.split(PAIRED))
    if both not in taken and not _torn(both, room):
        return both
    return str(names.index(name) + 1)


def _beginning(text: str, room: int) -> str:
    """Return the beginning that fits, of whole words if they fill at least half of it."""
    start = next((text[:at] for at in range(len(text), 0, -1) if columns(text[:at]) <= room), "")
    blank = start.rfind(" ")
    inside = text[len(start) : len(start) + 1].strip()
    return start[:blank] if inside and blank >= room // 2 else start.strip()


def by_signs(name: str, signs: Mapping[str, str]) -> str:
    """Replace a name, or several joined names, by their signs."""
    return signs.get(name) or PAIRED.join(signs.get(one, one) for one in name.split(PAIRED))


def explained(name: str, short: str, signs: Mapping[str, str]) -> bool:
    """Return whether the signs already explain this short form."""
    return short.replace(" ", "") == plain(by_signs(name, signs)).replace(" ", "")
