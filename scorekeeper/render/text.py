"""A sheet for terminals and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import plural, tr
from scorekeeper.core.text import broken, columns, filled, padded, plain, shortened
from scorekeeper.render.layout import MOST_NAME, NARROWEST, laid_out, listed, to_write
from scorekeeper.render.sheet_model import Column, Grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.render.sheet_model import Parts, Payments, Running, Sheet


# ---- below ---------------------------------------------------------------------------------------
#
# What is told below a sheet's table, for renderers that have letters only.

SPARKS = "▁▂▃▄▅▆▇█"
ROOM = 60


def known(points: Sequence[int | None]) -> list[int]:
    """The tallies of who was there."""
    return [point for point in points if point is not None]


def over_rounds(running: Running) -> str:
    """What a picture of the tallies shows."""
    rounds = [each for each in running.rounds if each]
    if running.days:
        begins, ends = running.days[1], running.days[-1]
        return tr("{label} from {first} to {last}", label=running.label, first=begins, last=ends)
    label, count = running.label, len(rounds)
    if running.word and count:
        first, last, word = rounds[0], rounds[-1], running.word
        if first == last:
            return tr("{label}: {round} {number}", label=label, round=word, number=last)
        return tr(
            "{label}: {round} {first} to {last}", label=label, round=word, first=first, last=last
        )
    return plural("{label} over {count} round", "{label} over {count} rounds", count, label=label)


def sparkline(points: Sequence[int | None], among: Sequence[int] = ()) -> str:
    """The numbers as a row of small bars, the least lowest, also of those that they stand among:
    equal ones are all of middle height, a blank stands where there is none."""
    every = [*known(points), *among]
    least, most = min(every, default=0), max(every, default=0)
    wide, high = most - least, len(SPARKS) - 1

    def bar(point: int) -> str:
        return SPARKS[(2 * high * (point - least) + wide) // (2 * wide) if wide else high // 2]

    return "".join(" " if point is None else bar(point) for point in points)


def lasts(running: Running) -> list[str]:
    """What each had at last; nothing for who was never there."""
    return ["".join(map(str, known(points)[-1:])) for points in running.points]


def running_tables(running: Running | None, room: int = ROOM) -> list[Grid]:
    """What each has, and how it went as a line of small bars in so many letters, all by one scale;
    none where there is nothing to show."""
    if running is None or len(running.rounds) < 2 or not any(map(known, running.points)):
        return []
    every = [point for points in running.points for point in known(points)]
    lines = [sparkline(_thinned(points, room), every).rstrip() for points in running.points]
    rows = [list(row) for row in zip(running.names, lasts(running), lines, strict=True)]
    heads = [Column("", "left"), Column("", "right"), Column("", "left")]
    return [Grid(over_rounds(running), heads, rows)]


def _thinned(points: Sequence[int | None], most: int) -> list[int | None]:
    """So many of the points at most, evenly apart, the first and the last among them."""
    if len(points) <= most:
        return list(points)
    return [points[at * (len(points) - 1) // (most - 1)] for at in range(most)]


def came_from() -> str:
    """What a picture of the parts shows."""
    return tr("What the scores came from")


def in_all() -> str:
    """What the parts come to."""
    return tr("all together")


def parts_tables(parts: Parts | None) -> list[Grid]:
    """What tallies were made of as a table, without what nobody has; none where all came from one
    thing."""
    if parts is None:
        return []
    heads = [Column("", "left"), *(Column(name, "right", who=name) for name in parts.names)]
    whole = [[row[at] for row in parts.points] for at, _ in enumerate(parts.labels)]
    told = zip(parts.labels, whole, strict=True)
    rows = [[label, *(str(each or "") for each in row)] for label, row in told if any(row)]
    sums = [in_all(), *(str(sum(row)) for row in parts.points)]
    return [Grid(came_from(), heads, rows, [sums])] if len(rows) > 1 else []


# ---- shorts --------------------------------------------------------------------------------------
#
# Names that are too long to stand above a narrow column, and what stands there in their place.

BESIDE = 16  # columns for what stands beside the players'
LEAST = 4
MOST_LINES = 3  # of a name in a heading
PAIRED = "+"


def shorts(sheet: Sheet, grids: Sequence[Grid], width: int) -> dict[str, str]:
    """Short forms for those that columns are for whose names would be torn above columns of which
    as many as there are stand in that width. What is short on the sheet already stays so."""
    whom = list(dict.fromkeys(column.who for grid in grids for column in grid.columns))
    names = [who for who in whom if who]
    many = max((sum(1 for each in grid.columns if each.who) for grid in grids), default=1)
    room = min(max((width - BESIDE) // max(many, 1) - 2, LEAST), MOST_NAME)
    signs = {meaning: sign for sign, meaning in sheet.legend}
    found: dict[str, str] = {}
    for name in names:
        if _torn(plain(name), room):
            found[name] = _short(name, room, names, {*signs, *found.values()}, signs)
    return found


def shorter(grid: Grid, short: Mapping[str, str]) -> Grid:
    """The table with these names short in its headings."""
    heads = [
        column._replace(label=column.label.replace(column.who, short[column.who]))
        if column.who in short
        else column
        for column in grid.columns
    ]
    return grid._replace(columns=heads)


def _torn(name: str, room: int) -> bool:
    words = name.split()
    lines = sum(1 for _ in filled(words, room, "", " "))
    return lines > MOST_LINES or any(columns(word) > room for word in words)


def _short(
    name: str, room: int, names: Sequence[str], taken: set[str], signs: Mapping[str, str]
) -> str:
    """What is short on the sheet already; the beginning of a name if nobody else's begins so; its
    beginning and its end; its number. Of a pair, what each is called for short."""
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
        if columns(both) > room and signed:  # a line may end where two are joined
            both = both.replace(PAIRED, f"{PAIRED} ")
        elif columns(both) > room:
            each = max((room + 1) // len(single) - 1, 2)
            both = PAIRED.join(_beginning(one, each) for one in text.split(PAIRED))
    if both not in taken and not _torn(both, room):
        return both
    return str(names.index(name) + 1)


def by_signs(name: str, signs: Mapping[str, str]) -> str:
    """A name, or several that are joined, each by its sign if it has one."""
    return signs.get(name) or PAIRED.join(signs.get(one, one) for one in name.split(PAIRED))


def explained(name: str, short: str, signs: Mapping[str, str]) -> bool:
    """Whether the signs tell who it is that is called so."""
    return short.replace(" ", "") == plain(by_signs(name, signs)).replace(" ", "")


def _beginning(text: str, room: int) -> str:
    """As much of a text as fits, whole words if that is half of it."""
    start = next((text[:at] for at in range(len(text), 0, -1) if columns(text[:at]) <= room), "")
    blank = start.rfind(" ")
    inside = text[len(start) : len(start) + 1].strip()
    return start[:blank] if inside and blank >= room // 2 else start.strip()


# ---- text ----------------------------------------------------------------------------------------
#
# A sheet, or any table, for a terminal.

WIDTH = 80
LONG = 24
MOST = (None, LONG, 16, 12, 8)  # how wide a column may be; None: as wide as it comes


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    aligns: Sequence[str] = (),
    totals: Iterable[Sequence[object]] = (),
) -> str:
    """A table, its columns `left` (without a word), `right` or `center`, `totals` below a rule;
    letters of double width count as two."""
    heads, cells, sums = [plain(heading) for heading in headings], _cells(rows), _cells(totals)
    # What players are called may be long: then columns are as wide as fit a terminal, and what is
    # wider goes on below.
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
    """The table, its columns as wide as they come, or so wide at most."""
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
    """A heading in lines that are no wider."""
    return "\n".join(filled(text.split(), most, "", " "))


def _cells(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    return [[plain(str(cell)) for cell in row] for row in rows]


def _wide(text: str) -> int:
    return max(map(columns, text.splitlines()), default=0)


def render(sheet: Sheet, width: int = WIDTH) -> str:
    """The sheet as text in lines of that width, from 40 on, ending in a line break."""
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
    """Words and what they are, each in one line if that fits, else broken where lists have their
    commas."""
    for word, text in facts:
        line = plain(f"{word}: {text}")
        yield from [line] if columns(line) <= width else listed(line.split(", "), width, "  ")


def _counts(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """What is worth what, as much in a line as fits."""
    told = [plain(f"{word}: {worth}") for word, worth in rows]
    return [f"  {line}" for line in listed(told, width - 2)] if told else []


def _broken_at(text: str, width: int) -> list[str]:
    """A text in lines; one that fits stays as it is."""
    text = plain(text)
    return [text] if columns(text) <= width else broken(text, width, "  ")


def _legend(legend: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Signs and what they mean, as many in a line as fit; what is long has lines of its own."""
    told = [plain(f"{sign} = {meaning}") for sign, meaning in legend]
    short = [line for line in told if columns(line) <= LONG]
    if short:
        yield from listed(short, width)
    for line in told:
        if columns(line) > LONG:
            yield from _broken_at(line, width)


def _natural(grid: Grid) -> str:
    """The table as it comes."""
    headings = [column.label for column in to_write(grid).columns]
    aligns = [column.align for column in grid.columns]
    return _simple(headings, _cells(grid.rows), aligns, _cells(grid.totals)) if headings else ""


def _running(running: Running | None, width: int, signs: Mapping[str, str]) -> Iterator[str]:
    """What each has, and a line of small bars."""
    if running is None:
        return
    names = [plain(name) for name in running.names]
    if any(columns(name) > LONG for name in names):
        names = [shortened(plain(by_signs(name, signs)), LONG) for name in running.names]
    wide = max(map(columns, names), default=0)
    long = max(map(len, lasts(running)), default=0)
    for grid in running_tables(running, width - wide - long - 4):
        yield from _broken_at(grid.caption, width)
        for name, (_, last, line) in zip(names, grid.rows, strict=True):
            yield f"{padded(name, wide)}  {padded(last, long, right=True)}  {line}".rstrip()


def _payments(payments: Payments, width: int) -> Iterator[str]:
    yield from _broken_at(payments.how, width)
    for said in payments.said:
        yield from _broken_at(said, width)


# ---- markdown ------------------------------------------------------------------------------------
#
# A sheet, or any table, as Markdown (GitHub's tables). What is not ours is escaped.

RULES = {"left": ":--", "right": "--:", "center": ":-:"}
# What begins something in the middle of a line; a text from outside never begins one.
_ESCAPES = {ord(char): f"\\{char}" for char in "\\`*_[]|~#$"}
_ESCAPES |= {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: no tags, links, emphasis or table bars."""
    return plain(text).translate(_ESCAPES)


def markdown_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[object]],
    aligns: Sequence[str] = (),
    totals: Iterable[Sequence[object]] = (),
) -> str:
    """A table, its columns `left` (without a word), `right` or `center`, `totals` in bold."""
    marks = [RULES[align] for align in aligns] or [RULES["left"]] * len(headings)
    lines = [_row([escaped(heading) for heading in headings]), _row(marks)]
    lines += [_row([escaped(str(cell)) for cell in row]) for row in rows]
    for row in totals:
        cells = [escaped(str(cell)) for cell in row]
        lines.append(_row([f"**{cell}**" if cell.strip() else "" for cell in cells]))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def markdown_render(sheet: Sheet) -> str:
    """The sheet as Markdown, ending in a line break."""
    parts = [f"# {escaped(sheet.title)}", _list(map(_told, sheet.facts))]
    parts += [_grid(grid) for grid in sheet.grids]
    parts.append(_list(f"{escaped(sign)} = {escaped(said)}" for sign, said in sheet.legend))
    parts += [_grid(grid) for grid in (*running_tables(sheet.running), *parts_tables(sheet.parts))]
    if sheet.payments is not None:
        paid = [sheet.payments.how, *sheet.payments.said]
        parts.append(_list(map(escaped, filter(None, paid))))
    parts.append(_list(map(escaped, sheet.footnotes)))
    for heading, rows in sheet.guide:
        parts += [f"## {escaped(heading)}", _list(map(_told, rows))]
    return "\n\n".join(filter(None, parts)) + "\n"


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _told(fact: tuple[str, str]) -> str:
    word, text = fact
    return f"{escaped(word)}: {escaped(text)}"


def _grid(grid: Grid) -> str:
    headings = [column.label for column in grid.columns]
    text = markdown_table(
        headings, grid.rows, [column.align for column in grid.columns], grid.totals
    )
    return f"## {escaped(grid.caption)}\n\n{text}" if grid.caption else text
