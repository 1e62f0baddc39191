"""What the template of a printed sheet is told: numbers, and texts that stand for themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.messages import language
from scorekeeper.core.text import runs
from scorekeeper.render.fitting import fitted
from scorekeeper.render.paper import CARRIED
from scorekeeper.render.pictures import drawn, shape
from scorekeeper.render.shares import kinds_of, spanned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.render.paper import Grid, Sheet
    from scorekeeper.render.shares import Laid

ISOLATED = "\u2068{}\u2069"
# What a row is besides what a grid says: carried over to this page, and totals.
OVER, SUMS = "over", "sums"
MOST_TOGETHER = 30  # rows of a table that stand on one page if they can


def spoken() -> str:
    """The language that is spoken, without where it is."""
    return re.split("[-_]", language())[0]


def template() -> bytes:
    """The template, which is the same for every sheet."""
    from importlib.resources import files

    return files("scorekeeper.render").joinpath("printed.typ").read_bytes()


def values(sheet: Sheet, families: Sequence[str]) -> Json:
    """The sheet as the template reads it, in fonts of these families: texts whose own direction
    turns nothing around them."""
    pictures = drawn(sheet)
    fit = fitted(sheet, list(map(shape, pictures)))
    paid = sheet.payments
    return {
        "fonts": families,
        "language": spoken(),
        "size": fit.size,
        "lies": fit.lies,
        "row-to-write": fit.row_to_write,
        "title": _isolated(sheet.title),
        "facts": _isolated_all(sheet.facts),
        "tables": [
            _table(grid, table, fit.breaks if at == 0 else ())
            for at, (grid, table) in enumerate(zip(sheet.grids, fit.tables, strict=True))
        ],
        "legend": _isolated_all(sheet.legend),
        "how": "" if paid is None else _isolated(paid.how),
        "pays": [] if paid is None else _isolated_all(paid.rows),
        "notes": list(map(_isolated, sheet.footnotes)),
        "guide": [[_isolated(heading), _isolated_all(rows)] for heading, rows in sheet.guide],
        "pictures": [
            {"drawn": each, "shape": shape(each), "told": _told(each)} for each in pictures
        ],
    }


def _table(grid: Grid, laid: Laid, breaks: Sequence[int]) -> Json:
    """A table, its rows in parts of which each begins a page."""
    columns = [
        {
            "label": _isolated(column.label),
            "align": column.align,
            "width": width,
            "upright": laid.upright if column.who else 0,
        }
        for column, width in zip(grid.columns, laid.widths, strict=True)
    ]
    return {
        "caption": _isolated(grid.caption),
        "columns": columns,
        "whole": len(grid.rows) <= MOST_TOGETHER,
        "parts": list(_parts(grid, breaks)),
        "totals": [_row(grid, row, SUMS) for row in grid.totals],
    }


def _parts(grid: Grid, breaks: Sequence[int]) -> Iterator[Json]:
    kinds = kinds_of(grid)
    starts = [0, *breaks]
    for start, end in zip(starts, [*breaks, len(grid.rows)], strict=True):
        rows = [_row(grid, grid.rows[at], kinds[at]) for at in range(start, end)]
        if start and grid.carried:
            rows.insert(0, _row(grid, grid.carried[start - 1], OVER))
        yield {"first": start == 0, "rows": rows}


def _row(grid: Grid, cells: Sequence[str], kind: str) -> Json:
    """A row, and over how many columns its label stands."""
    labelled = kind in (OVER, SUMS, CARRIED)
    return {
        "kind": kind,
        "cells": list(map(_isolated, cells)),
        "span": spanned(cells, grid.columns) if labelled else 1,
    }


def _isolated(text: str) -> str:
    """A text read from the left, in which what is read from the right stands apart."""
    return "".join(ISOLATED.format(piece) if turned else piece for piece, turned in runs(text))


def _isolated_all(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(map(_isolated, row)) for row in rows]


def _told(picture: str) -> str:
    """What a picture shows, in words."""
    from html import unescape

    found = re.findall(r"<(?:title|desc)>(.*?)</", picture, re.S)
    return unescape(": ".join(found))
