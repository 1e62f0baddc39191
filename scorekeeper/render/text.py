"""A sheet, or any table, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.text import broken, columns, filled, padded, plain, shortened
from scorekeeper.render.below import lasts, parts_tables, running_tables
from scorekeeper.render.narrow import NARROWEST, laid_out, listed, to_write
from scorekeeper.render.shorts import by_signs, explained, shorter, shorts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.render.paper import Grid, Payments, Running, Sheet

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
