"""A sheet as PDF, typeset by typst: what it tells goes there as data, never as markup.

The template (`printed.typ`) is told numbers, and texts that stand for themselves. Where no font
here has a letter, its number stands on paper in its place, and that is told.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import language, tr
from scorekeeper.core.text import plain, runs, shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.charts import drawn, shape
from scorekeeper.render.layout import fitted, spanned
from scorekeeper.render.sheet_model import CARRIED, kinds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from typst import Fonts, PDFStandard

    from scorekeeper.core.types import Json
    from scorekeeper.render.layout import Laid
    from scorekeeper.render.sheet_model import Grid, Sheet

    # Whether every letter of these texts can be printed.
    Prints = Callable[[Sequence[str]], bool]


# Liked best first; the last one is always there.
FONTS = (
    *("Noto Sans", "Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "DejaVu Sans"),
    *("Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "Noto Sans Symbols 2"),
    "Libertinus Serif",
)
# A profile of PDF that does not allow a letter without a glyph, asked of a document of texts alone.
STRICT: PDFStandard = "a-2b"
TRIAL = """#set document(title: "x", date: datetime(year: 2000, month: 1, day: 1))
#let asked = json(bytes(sys.inputs.asked))
#set text(font: asked.fonts, lang: asked.language)
#for text in asked.texts { par(text) }
"""
ISOLATED = "\u2068{}\u2069"
# What a row is besides what a grid says: carried over to this page, and totals.
OVER, SUMS = "over", "sums"
MOST_TOGETHER = 30  # rows of a table that stand on one page if they can
# What joins letters or says how one looks, and is nothing without them.
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
MOST_LETTERS, MOST_TEXTS = 8, 3
_T = TypeVar("_T")


class Printed(NamedTuple):
    """A sheet as the bytes of a PDF, and in one line which letters no font had ("": none)."""

    pages: bytes
    missing: str


def render(sheet: Sheet) -> Printed:
    """The sheet as PDF; the same on the same machine. Raises Unreadable where typst is not
    installed, Impossible where it fails."""
    typeset = _Typst()
    shown = _each(sheet, plain)
    texts = list(_texts(shown))
    letters = unprinted(texts, typeset.prints)
    made = _each(shown, replacing(letters))
    names = (column.who for grid in shown.grids for column in grid.columns)
    missing = told_missing(letters, names, texts) if letters else ""
    return Printed(typeset.pages(values(made, typeset.families)), missing)


class _Typst:
    """The typesetter, and the fonts that it finds here."""

    def __init__(self) -> None:
        try:
            import typst
        except ImportError:
            raise Unreadable(
                tr("a PDF needs {names}, which is not installed", names="typst"),
                tr("{command} in Scorekeeper's folder", command="pip install '.[pdf]'"),
            ) from None
        self.typst = typst
        self.fonts = _fonts()
        here = set(self.fonts.families())
        self.families = [family for family in FONTS if family in here]

    def prints(self, texts: Sequence[str]) -> bool:
        """Whether the fonts have every letter of these."""
        asked = {"texts": texts, "fonts": self.families, "language": spoken()}
        try:
            self._compiled(TRIAL.encode(), {"asked": _json(asked)}, [STRICT])
        except self.typst.TypstError:
            return False
        return True

    def pages(self, data: Json) -> bytes:
        """The sheet's pages. Raises Impossible."""
        try:
            return self._compiled(template(), {"sheet": _json(data)})
        except (self.typst.TypstError, OSError, ValueError) as error:
            reason = plain(str(getattr(error, "message", "") or error))[:200]
            raise Impossible(
                tr("the sheet cannot be made as PDF: {reason}", reason=reason), "--format html"
            ) from None

    def _compiled(
        self, source: bytes, inputs: dict[str, str], standards: Sequence[PDFStandard] = ()
    ) -> bytes:
        return self.typst.compile(
            source,
            sys_inputs=inputs,
            font_paths=self.fonts,
            pdf_standards=list(standards),
        )


@cache
def _fonts() -> Fonts:
    """The fonts of this machine: to look for them takes longer than to print."""
    import typst

    return typst.Fonts()


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def template() -> bytes:
    """The template, which is the same for every sheet."""
    from importlib.resources import files

    return files("scorekeeper.render").joinpath("printed.typ").read_bytes()


def spoken() -> str:
    """The language that is spoken, without where it is."""
    return re.split("[-_]", language())[0]


# --- what the template is told


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


# --- letters that no font here has


def unprinted(texts: Iterable[str], prints: Prints) -> list[str]:
    """The letters of these texts that cannot be printed."""
    words = {word for text in texts if not text.isascii() for word in text.split()}
    found: set[str] = set()
    for word in _failing(sorted(word for word in words if not word.isascii()), prints):
        letters = sorted({letter for letter in word if not letter.isascii()} - set(_JOINERS))
        # Letters that can be printed one by one may yet have no font that has them together.
        found.update(_failing(letters, prints) or letters)
    return sorted(found)


def _failing(texts: Sequence[str], prints: Prints) -> list[str]:
    """Those of the texts that cannot be printed, found by halves: mostly there are none."""
    if not texts or prints(texts):
        return []
    if len(texts) == 1:
        return list(texts)
    half = len(texts) // 2
    return _failing(texts[:half], prints) + _failing(texts[half:], prints)


def replacing(letters: Iterable[str]) -> Callable[[str], str]:
    """What puts letters' numbers in their place."""
    own = "".join(map(re.escape, letters))
    if not own:
        return lambda text: text
    found = re.compile(f"[{own}{_JOINERS}]*[{own}][{own}{_JOINERS}]*")

    def numbers(match: re.Match[str]) -> str:
        return f"[{' '.join(_number(each) for each in match[0] if each not in _JOINERS)}]"

    return lambda text: text if text.isascii() else found.sub(numbers, text)


def _number(letter: str) -> str:
    return f"U+{ord(letter):04X}"


def told_missing(letters: Sequence[str], names: Iterable[str], texts: Iterable[str]) -> str:
    """In one line which letters are not printed, where they stand, and what to do about it: in
    whose names if in names, else in which texts."""
    wanted = set(letters)
    where = [name for name in dict.fromkeys(names) if wanted & set(name)]
    left = wanted - set("".join(where))
    for text in sorted(set(texts), key=len):
        if left & set(text):
            where.append(text)
            left -= set(text)
    said = ", ".join(f"{letter} ({_number(letter)})" for letter in letters[:MOST_LETTERS])
    some = ", ".join(f"“{shown(text, 40)}”" for text in where[:MOST_TEXTS])
    return tr(
        "no font here has {letters} in {texts}: numbers are printed in their place; install a font"
        " that has them, or take --format html",
        letters=said + ("…" if len(letters) > MOST_LETTERS else ""),
        texts=some + ("…" if len(where) > MOST_TEXTS else ""),
    )


# --- every text of a sheet


def _each(value: _T, change: Callable[[str], str]) -> _T:
    """A value with each text in it changed."""
    made: object = value
    if isinstance(value, str):
        made = change(value)
    elif isinstance(value, tuple):
        parts = [_each(part, change) for part in value]
        made = type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    elif isinstance(value, list):
        made = [_each(part, change) for part in value]
    return cast("_T", made)


def _texts(value: object) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _texts(part)
