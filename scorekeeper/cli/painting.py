"""Text in the colours of its cards, broken into lines: what the live table's screen is made of."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from scorekeeper.core.columns import broken, columns
from scorekeeper.core.messages import tr
from scorekeeper.core.suggest import visible
from scorekeeper.session import judging as kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prompt_toolkit.formatted_text import StyleAndTextTuples

    from scorekeeper.notation import Notation
    from scorekeeper.session import Field, Screen

WORDS = re.compile(r"([^\s,:;()“”]+)")
LEAST = 20  # columns below which lines are not broken any shorter
MOST_KEPT = 2000

Line = list[tuple[str, str]]


STYLE = {
    "title": "reverse bold",
    "keys": "reverse",
    "key": "reverse bold",
    "turn": "bold",
    "head": "underline",
    "waits": "bold",
    "dim": "#888888",
    kinds.FINE: "",
    kinds.PLAIN: "#888888",
    kinds.NOTED: "#5f87ff",
    kinds.UNPROVEN: "#d7af00",
    kinds.WARNED: "#d7af00",
    kinds.REFUSED: "bold #ff5f5f",
    kinds.FAILED: "bold #ff5f5f",
    kinds.NEWS: "bold #00afaf",
    "suit-c": "bold #00af5f",
    "suit-s": "bold #5f87ff",
    "suit-h": "bold #ff5f5f",
    "suit-d": "bold #ffaf00",
    "prompt": "bold",
}


class Painter:
    """Paints in the cards of one match. A text that was painted is kept: the same lines are
    shown at every key press."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self._kept: dict[tuple[str, str, int], list[Line]] = {}

    def lines(self, text: str, style: str, width: int) -> list[Line]:
        """The text in lines of that width, broken at blanks, further ones indented."""
        key = (text, style, width)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            indent = " " * (len(text) - len(text.lstrip()) + 2)
            pieces = _broken(visible(text), max(LEAST, width - 1), indent) or [""]
            found = self._kept[key] = [self.coloured(piece, style) for piece in pieces]
        return found

    def coloured(self, text: str, style: str) -> Line:
        """The text with its cards in the colours of their suits."""
        parts: Line = []
        for index, piece in enumerate(WORDS.split(visible(text))):
            kind = self.notation.lexicon.cards.find(piece.lower()) if index % 2 else None
            if kind is not None and piece.isupper():
                suit = self.notation.pack.suit[kind].lower()
                parts.append((f"{style} class:suit-{suit}" if suit else style, piece))
            elif piece:
                parts.append((style, piece))
        return parts

    def table(self, screen: Screen, width: int) -> StyleAndTextTuples:
        """The table as it stands: whose turn, who sits there, what lies there."""
        painted = [*self.lines(screen.turn, "class:turn", width), *self._players(screen)]
        if screen.table:
            painted += self.lines(
                tr("on the table: {cards}", cards="   ".join(screen.table)), "", width
            )
        for text in screen.claims:
            painted += self.lines(text, f"class:{kinds.WARNED}", width)
        if screen.facts:
            painted += self.lines(" · ".join(screen.facts), "class:dim", width)
        return joined(painted)

    def _players(self, screen: Screen) -> list[Line]:
        texts = [
            [head, *(row.cells[column] for row in screen.rows)]
            for column, head in enumerate(screen.headings)
        ]
        widths = [max(map(len, column)) for column in texts]
        name = max(columns(row.name) for row in screen.rows)
        painted: list[Line] = [[("class:head", f"  {'':<{name}}{_row(screen.headings, widths)}")]]
        for row in screen.rows:
            mark, style = (">", "class:waits") if row.waits else (" ", "")
            cells = self.coloured(_row(row.cells, widths), style)
            pad = " " * (name - columns(row.name))
            painted.append([(style, f"{mark} {row.name}{pad}"), *cells])
        return painted

    def form(self, fields: Sequence[Field], answers: Sequence[str], at: int) -> list[Line]:
        """A form's answers, the field that is asked in bold."""
        width = max(len(field.key) for field in fields)
        return [
            [
                (
                    "class:waits" if index == at else "",
                    visible(f"{field.key:>{width}}: {answers[index]}"),
                )
            ]
            for index, field in enumerate(fields)
        ]


def _broken(text: str, width: int, indent: str) -> list[str]:
    if text.isascii():
        return wrap(text, width, subsequent_indent=indent)
    return broken(text, width, indent)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def joined(lines: Sequence[Line]) -> StyleAndTextTuples:
    """Lines as one text."""
    text: StyleAndTextTuples = []
    for line in lines:
        text += [*line, ("", "\n")]
    return text[:-1]


def bar(keys: Sequence[tuple[str, str]], width: int) -> StyleAndTextTuples:
    """Keys and what they do, as a line of that width; closer together where it would be longer."""
    wide = sum(len(key) + len(label) + 3 for key, label in keys) <= width
    text: StyleAndTextTuples = []
    for key, label in keys:
        text += [("class:key", f" {key}" if wide or text else key)]
        text += [("class:keys", f" {label} " if wide else f" {label}")]
    return text
