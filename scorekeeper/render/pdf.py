"""A sheet as PDF, typeset by typst from data, never from markup.

The template (`printed.typ`) receives numbers and literal texts. If no font has a letter, its code
number is printed instead, and a warning lists it.
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

    # Returns whether every letter of these texts can be printed.
    Prints = Callable[[Sequence[str]], bool]


# In order of preference. The last one is built into typst.
FONTS = (
    *("Noto Sans", "Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "DejaVu Sans"),
    *("Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "Noto Sans Symbols 2"),
    "Libertinus Serif",
)
# A PDF profile that forbids missing glyphs, applied to a document of texts alone.
STRICT: PDFStandard = "a-2b"
TRIAL = """#set document(title: "x", date: datetime(year: 2000, month: 1, day: 1))
#let asked = json(bytes(sys.inputs.asked))
#set text(font: asked.fonts, lang: asked.language)
#for text in asked.texts { par(text) }
"""
ISOLATED = "\u2068{}\u2069"
# Kinds of rows in addition to a table's own: tallies carried over to this page, and totals.
OVER, SUMS = "over", "sums"
MOST_TOGETHER = 30  # a table of up to this many rows stays on one page if possible
# Joiners and variation selectors, which mean nothing without their letters.
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
MOST_LETTERS, MOST_TEXTS = 8, 3
_T = TypeVar("_T")


class Printed(NamedTuple):
    """The bytes of a PDF, and a one-line warning about letters that no font has, or ""."""

    pages: bytes
    missing: str


def render(sheet: Sheet) -> Printed:
    """Typeset the sheet as PDF. The result is reproducible on the same machine.

    Raises Unreadable if typst is not installed, and Impossible if it fails.
    """
    typeset = _Typst()
    shown = _each(sheet, plain)
    texts = list(_texts(shown))
    letters = unprinted(texts, typeset.prints)
    made = _each(shown, replacing(letters))
    names = (column.who for grid in shown.grids for column in grid.columns)
    missing = told_missing(letters, names, texts) if letters else ""
    return Printed(typeset.pages(values(made, typeset.families)), missing)


class _Typst:
    """The typesetter with the fonts of this machine."""

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
        """Return whether the fonts have every letter of these texts."""
        asked = {"texts": texts, "fonts": self.families, "language": spoken()}
        try:
            self._compiled(TRIAL.encode(), {"asked": _json(asked)}, [STRICT])
        except self.typst.TypstError:
            return False
        return True

    def pages(self, data: Json) -> bytes:
        """Make the PDF of the sheet. Raises Impossible."""
        try:
            return self._compiled(template(), {"sheet": _json(data)})
        except (self.typst.TypstError, OSError, ValueError) as error:
            reason = plain(str(getattr(error, "message", "") or error))[:200]
            raise Impossible(
                tr("the PDF cannot be made: {reason}", reason=reason), "--format html"
            ) from None

    def _compiled(
        self, source: bytes, inputs: dict[str, str], standards: Sequence[PDFStandard] = ()
    ) -> bytes:
        """Compile a source with these inputs."""
        return self.typst.compile(
            source,
            sys_inputs=inputs,
            font_paths=self.fonts,
            pdf_standards=list(standards),
        )


@cache
def _fonts() -> Fonts:
    """Find the fonts of this machine, once, because that takes longer than typesetting."""
    import typst

    return typst.Fonts()


def _json(value: object) -> str:
    """Return the value as a JSON text."""
    import json

    return json.dumps(value, ensure_ascii=False)


def template() -> bytes:
    """Read the template, which is the same for every sheet."""
    from importlib.resources import files

    return files("scorekeeper.render").joinpath("printed.typ").read_bytes()


def spoken() -> str:
    """Return the current language without its region."""
    return re.split("[-_]", language())[0]


# --- what the template is told


def values(sheet: Sheet, families: Sequence[str]) -> Json:
    """Return the sheet as the template reads it, with these font families.

    Right-to-left parts of texts are isolated.
    """
    pictures = drawn(sheet)
    fit = fitted(sheet, list(map(shape, pictures)))
    paid = sheet.payments
    return {
        "fonts": families,
        "language": spoken(),
        "size": fit.size,
        "landscape": fit.lies,
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
            {"svg": each, "ratio": shape(each), "description": _told(each)} for each in pictures
        ],
    }


def _table(grid: Grid, laid: Laid, breaks: Sequence[int]) -> Json:
    """Return a table for the template. Each of its parts begins a page."""
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
    """Yield the rows of each page."""
    kinds = kinds_of(grid)
    starts = [0, *breaks]
    for start, end in zip(starts, [*breaks, len(grid.rows)], strict=True):
        rows = [_row(grid, grid.rows[at], kinds[at]) for at in range(start, end)]
        if start and grid.carried:
            rows.insert(0, _row(grid, grid.carried[start - 1], OVER))
        yield {"first": start == 0, "rows": rows}


def _row(grid: Grid, cells: Sequence[str], kind: str) -> Json:
    """Return a row and the number of columns that its label spans."""
    labelled = kind in (OVER, SUMS, CARRIED)
    return {
        "kind": kind,
        "cells": list(map(_isolated, cells)),
        "span": spanned(cells, grid.columns) if labelled else 1,
    }


def _isolated(text: str) -> str:
    """Isolate the right-to-left parts of a text."""
    return "".join(ISOLATED.format(piece) if turned else piece for piece, turned in runs(text))


def _isolated_all(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Isolate all cells."""
    return [list(map(_isolated, row)) for row in rows]


def _told(picture: str) -> str:
    """Return the title and the description of an SVG picture."""
    from html import unescape

    texts = re.findall(r"<(?:title|desc)>(.*?)</", picture, re.S)
    return unescape(": ".join(texts))


# --- letters that no font here has


def unprinted(texts: Iterable[str], prints: Prints) -> list[str]:
    """Return the letters of these texts that cannot be printed, sorted."""
    words = {word for text in texts if not text.isascii() for word in text.split()}
    missing: set[str] = set()
    for word in _failing(sorted(word for word in words if not word.isascii()), prints):
        letters = sorted({letter for letter in word if not letter.isascii()} - set(_JOINERS))
        # Letters printable one by one may have no common font. Then all letters of the word count.
        missing.update(_failing(letters, prints) or letters)
    return sorted(missing)


def _failing(texts: Sequence[str], prints: Prints) -> list[str]:
    """Return the texts that cannot be printed. Halving is fast because most texts can."""
    if not texts or prints(texts):
        return []
    if len(texts) == 1:
        return list(texts)
    half = len(texts) // 2
    return _failing(texts[:half], prints) + _failing(texts[half:], prints)


def replacing(letters: Iterable[str]) -> Callable[[str], str]:
    """Return a function that replaces these letters by their code numbers."""
    own = "".join(map(re.escape, letters))
    if not own:
        return lambda text: text
    pattern = re.compile(f"[{own}{_JOINERS}]*[{own}][{own}{_JOINERS}]*")

    def numbers(match: re.Match[str]) -> str:
        return f"[{' '.join(_number(each) for each in match[0] if each not in _JOINERS)}]"

    return lambda text: text if text.isascii() else pattern.sub(numbers, text)


def _number(letter: str) -> str:
    """Return the code number of a letter, for example `U+0041`."""
    return f"U+{ord(letter):04X}"


def told_missing(letters: Sequence[str], names: Iterable[str], texts: Iterable[str]) -> str:
    """Describe the letters that are not printed, the texts that have them, and the remedy.

    Names come first. Other texts are listed for letters that no name has.
    """
    wanted = set(letters)
    where = [name for name in dict.fromkeys(names) if wanted & set(name)]
    left = wanted - set("".join(where))
    for text in sorted(set(texts), key=len):
        if left & set(text):
            where.append(text)
            left -= set(text)
    listed = ", ".join(f"{letter} ({_number(letter)})" for letter in letters[:MOST_LETTERS])
    places = ", ".join(f"“{shown(text, 40)}”" for text in where[:MOST_TEXTS])
    return tr(
        "no installed font has {letters} in {texts}, so code numbers are printed instead; install a"
        " font that has them, or use --format html",
        letters=listed + ("…" if len(letters) > MOST_LETTERS else ""),
        texts=places + ("…" if len(where) > MOST_TEXTS else ""),
    )


# --- every text of a sheet


def _each(value: _T, change: Callable[[str], str]) -> _T:
    """Return a value with each text in it changed."""
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
    """Yield every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _texts(part)
