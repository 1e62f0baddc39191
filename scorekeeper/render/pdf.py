"""A sheet as PDF, typeset by typst: what it tells goes there as data, never as markup."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import plain
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.glyphs import replacing, told_missing, unprinted
from scorekeeper.render.printed import spoken, template, values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from typst import Fonts, PDFStandard

    from scorekeeper.core.types import Json
    from scorekeeper.render.paper import Sheet

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
