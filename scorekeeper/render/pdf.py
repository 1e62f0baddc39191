"""A sheet as PDF, typeset by typst from data instead of markup.

The template (`printed.typ`) receives numbers and literal strings. A character that is missing from
every font is printed as its code point, and a warning lists it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import current_language, tr
from scorekeeper.core.text import make_printable, quote, split_by_direction
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.charts import aspect_ratio, draw_charts
from scorekeeper.render.layout import fit_sheet, label_span
from scorekeeper.render.sheet_model import CARRIED, row_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from typst import Fonts, PDFStandard

    from scorekeeper.core.types import Json
    from scorekeeper.render.layout import TableLayout
    from scorekeeper.render.sheet_model import Sheet, SheetTable

    # A function that returns whether every character of the given strings can be printed.
    CanPrint = Callable[[Sequence[str]], bool]


# The fonts in order of preference. The last one is built into typst.
FONTS = (
    *("Noto Sans", "Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "DejaVu Sans"),
    *("Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", "Noto Sans Symbols 2"),
    "Libertinus Serif",
)
# A PDF profile that forbids missing glyphs. It is used for trial documents that contain only text.
STRICT_PROFILE: PDFStandard = "a-2b"
TRIAL_SOURCE = """#set document(title: "x", date: datetime(year: 2000, month: 1, day: 1))
#let asked = json(bytes(sys.inputs.asked))
#set text(font: asked.fonts, lang: asked.language)
#for text in asked.texts { par(text) }
"""
ISOLATE = "\u2068{}\u2069"
# Kinds of rows in addition to the sheet's: tallies carried over to this page, and totals.
CARRIED_HERE, TOTALS = "over", "sums"
MAX_UNBROKEN_ROWS = 30  # a table of at most this many rows stays on one page if possible
# Joiners and variation selectors, which mean nothing on their own.
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
MAX_LETTERS, MAX_TEXTS = 8, 3
_T = TypeVar("_T")


class PdfResult(NamedTuple):
    """A PDF as bytes, and a one-line warning about characters that are missing from every font, or
    ""."""

    content: bytes
    warning: str


def render(sheet: Sheet) -> PdfResult:
    """Typeset the sheet as PDF. The result is reproducible on the same machine.

    Raises Unreadable if typst is not installed, and Impossible if it fails.
    """
    typeset = _Typesetter()
    shown = _map_texts(sheet, make_printable)
    texts = list(_iter_texts(shown))
    letters = find_unprintable(texts, typeset.can_print)
    made = _map_texts(shown, letter_replacer(letters))
    names = (column.owner for table in shown.tables for column in table.columns)
    missing = describe_missing(letters, names, texts) if letters else ""
    return PdfResult(typeset.make_pdf(template_values(made, typeset.families)), missing)


class _Typesetter:
    """The typesetter with the fonts of this machine."""

    def __init__(self) -> None:
        try:
            import typst
        except ImportError:
            raise Unreadable(
                tr("a PDF needs {names}, which is not installed", names="typst"),
                tr("run {command} in Scorekeeper's folder", command="pip install '.[pdf]'"),
            ) from None
        self.typst = typst
        self.fonts = _find_fonts()
        here = set(self.fonts.families())
        self.families = [family for family in FONTS if family in here]

    def can_print(self, texts: Sequence[str]) -> bool:
        """Return whether the fonts contain every character of these strings."""
        asked = {"texts": texts, "fonts": self.families, "language": language_code()}
        try:
            self._compile(TRIAL_SOURCE.encode(), {"asked": _to_json(asked)}, [STRICT_PROFILE])
        except self.typst.TypstError:
            return False
        return True

    def make_pdf(self, data: Json) -> bytes:
        """Make the PDF of the sheet. Raises Impossible if typst fails."""
        try:
            return self._compile(read_template(), {"sheet": _to_json(data)})
        except (self.typst.TypstError, OSError, ValueError) as error:
            reason = make_printable(str(getattr(error, "message", "") or error))[:200]
            raise Impossible(
                tr("the PDF cannot be made: {reason}", reason=reason), "--format html"
            ) from None

    def _compile(
        self, source: bytes, inputs: dict[str, str], standards: Sequence[PDFStandard] = ()
    ) -> bytes:
        """Compile a typst source with these inputs."""
        return self.typst.compile(
            source,
            sys_inputs=inputs,
            font_paths=self.fonts,
            pdf_standards=list(standards),
        )


@cache
def _find_fonts() -> Fonts:
    """Find the fonts of this machine. The result is cached, because this takes longer than
    typesetting."""
    import typst

    return typst.Fonts()


def _to_json(value: object) -> str:
    """Return the value as JSON text."""
    import json

    return json.dumps(value, ensure_ascii=False)


def read_template() -> bytes:
    """Read the template that all sheets use."""
    from importlib.resources import files

    return files("scorekeeper.render").joinpath("printed.typ").read_bytes()


def language_code() -> str:
    """Return the current language without its region."""
    return re.split("[-_]", current_language())[0]


# --- values for the template


def template_values(sheet: Sheet, families: Sequence[str]) -> Json:
    """Return the sheet and the font families to use as data for the template.

    Right-to-left parts of strings are isolated.
    """
    pictures = draw_charts(sheet)
    fit = fit_sheet(sheet, list(map(aspect_ratio, pictures)))
    paid = sheet.payments
    return {
        "fonts": families,
        "language": language_code(),
        "size": fit.size,
        "landscape": fit.landscape,
        "row-to-write": fit.writing_row,
        "title": _isolate(sheet.title),
        "facts": _isolate_rows(sheet.facts),
        "tables": [
            _table_values(table, laid, fit.breaks if at == 0 else ())
            for at, (table, laid) in enumerate(zip(sheet.tables, fit.tables, strict=True))
        ],
        "legend": _isolate_rows(sheet.legend),
        "how": "" if paid is None else _isolate(paid.basis),
        "pays": [] if paid is None else _isolate_rows(paid.rows),
        "notes": list(map(_isolate, sheet.footnotes)),
        "guide": [[_isolate(heading), _isolate_rows(rows)] for heading, rows in sheet.guide],
        "pictures": [
            {"svg": each, "ratio": aspect_ratio(each), "description": _describe_picture(each)}
            for each in pictures
        ],
    }


def _table_values(table: SheetTable, laid: TableLayout, breaks: Sequence[int]) -> Json:
    """Return a table as data for the template. Each of its parts begins a new page."""
    columns = [
        {
            "label": _isolate(column.label),
            "align": column.align,
            "width": width,
            "upright": laid.turned_height if column.owner else 0,
        }
        for column, width in zip(table.columns, laid.widths, strict=True)
    ]
    return {
        "caption": _isolate(table.caption),
        "columns": columns,
        "whole": len(table.rows) <= MAX_UNBROKEN_ROWS,
        "parts": list(_part_values(table, breaks)),
        "totals": [_row_values(table, row, TOTALS) for row in table.totals],
    }


def _part_values(table: SheetTable, breaks: Sequence[int]) -> Iterator[Json]:
    """Yield the rows of each page as data for the template."""
    kinds = row_kinds(table)
    starts = [0, *breaks]
    for start, end in zip(starts, [*breaks, len(table.rows)], strict=True):
        rows = [_row_values(table, table.rows[at], kinds[at]) for at in range(start, end)]
        if start and table.carried:
            rows.insert(0, _row_values(table, table.carried[start - 1], CARRIED_HERE))
        yield {"first": start == 0, "rows": rows}


def _row_values(table: SheetTable, cells: Sequence[str], kind: str) -> Json:
    """Return a row as data for the template, with the number of columns that its label spans."""
    labelled = kind in (CARRIED_HERE, TOTALS, CARRIED)
    return {
        "kind": kind,
        "cells": list(map(_isolate, cells)),
        "span": label_span(cells, table.columns) if labelled else 1,
    }


def _isolate(text: str) -> str:
    """Isolate the right-to-left parts of a string."""
    return "".join(
        ISOLATE.format(piece) if turned else piece for piece, turned in split_by_direction(text)
    )


def _isolate_rows(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Isolate the right-to-left parts of all cells."""
    return [list(map(_isolate, row)) for row in rows]


def _describe_picture(picture: str) -> str:
    """Return the title and the description of an SVG picture."""
    from html import unescape

    texts = re.findall(r"<(?:title|desc)>(.*?)</", picture, re.S)
    return unescape(": ".join(texts))


# --- letters that no font has


def find_unprintable(texts: Iterable[str], can_print: CanPrint) -> list[str]:
    """Return the characters of these strings that cannot be printed, sorted."""
    words = {word for text in texts if not text.isascii() for word in text.split()}
    missing: set[str] = set()
    for word in _find_failing(sorted(word for word in words if not word.isascii()), can_print):
        letters = sorted({letter for letter in word if not letter.isascii()} - set(_JOINERS))
        # Even if each character can be printed, no single font may contain all of them. In that
        # case, all characters of the word count as unprintable.
        missing.update(_find_failing(letters, can_print) or letters)
    return sorted(missing)


def _find_failing(texts: Sequence[str], can_print: CanPrint) -> list[str]:
    """Return the strings that cannot be printed. Bisection is fast because most strings can be
    printed."""
    if not texts or can_print(texts):
        return []
    if len(texts) == 1:
        return list(texts)
    half = len(texts) // 2
    return _find_failing(texts[:half], can_print) + _find_failing(texts[half:], can_print)


def letter_replacer(letters: Iterable[str]) -> Callable[[str], str]:
    """Return a function that replaces these characters with their code points."""
    own = "".join(map(re.escape, letters))
    if not own:
        return lambda text: text
    pattern = re.compile(f"[{own}{_JOINERS}]*[{own}][{own}{_JOINERS}]*")

    def numbers(match: re.Match[str]) -> str:
        return f"[{' '.join(_code_point(each) for each in match[0] if each not in _JOINERS)}]"

    return lambda text: text if text.isascii() else pattern.sub(numbers, text)


def _code_point(letter: str) -> str:
    """Return the code point of a character, for example `U+0041`."""
    return f"U+{ord(letter):04X}"


def describe_missing(letters: Sequence[str], names: Iterable[str], texts: Iterable[str]) -> str:
    """Describe which characters cannot be printed, in which strings, and what the reader can do.

    Names are listed first. Another string is listed only if it contains a character that no listed
    string contains.
    """
    wanted = set(letters)
    where = [name for name in dict.fromkeys(names) if wanted & set(name)]
    left = wanted - set("".join(where))
    for text in sorted(set(texts), key=len):
        if left & set(text):
            where.append(text)
            left -= set(text)
    listed = ", ".join(f"{letter} ({_code_point(letter)})" for letter in letters[:MAX_LETTERS])
    places = ", ".join(f"“{quote(text, 40)}”" for text in where[:MAX_TEXTS])
    return tr(
        "no installed font contains {letters} from {texts}, so their code points are printed "
        "instead; install a font that contains them, or use --format html",
        letters=listed + ("…" if len(letters) > MAX_LETTERS else ""),
        texts=places + ("…" if len(where) > MAX_TEXTS else ""),
    )


# --- every text of a sheet


def _map_texts(value: _T, change: Callable[[str], str]) -> _T:
    """Return a copy of a value with a function applied to each string in it."""
    made: object = value
    if isinstance(value, str):
        made = change(value)
    elif isinstance(value, tuple):
        parts = [_map_texts(part, change) for part in value]
        made = type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    elif isinstance(value, list):
        made = [_map_texts(part, change) for part in value]
    return cast("_T", made)


def _iter_texts(value: object) -> Iterator[str]:
    """Yield every string in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _iter_texts(part)
