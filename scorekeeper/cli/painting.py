"""Text in the colours of its cards, broken into lines: what the live table's screen is made of."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.text import broken, columns, filled, padded, shortened, visible
from scorekeeper.session import judging
from scorekeeper.session.events import HEADING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prompt_toolkit.formatted_text import StyleAndTextTuples

    from scorekeeper.notation import Notation
    from scorekeeper.session import Field, Screen

WORDS = re.compile(r"([^\s,:;()“”]+)")
LEAST_NAME, SHORT_NAME = 8, 16  # columns of a name where there is little room
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
    HEADING: "bold underline",
    judging.FINE: "",
    judging.PLAIN: "#888888",
    judging.NOTED: "#5f87ff",
    judging.UNPROVEN: "#d7af00",
    judging.WARNED: "#d7af00",
    judging.REFUSED: "bold #ff5f5f",
    judging.FAILED: "bold #ff5f5f",
    judging.NEWS: "bold #00afaf",
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

    def table(self, screen: Screen, width: int, most: int) -> list[Line]:
        """The table as it stands: whose turn, what lies there, the players, how it stands; closer
        together, and then with shorter names, where that would be more than so many lines."""
        players = self._players(screen, width)
        lines = self._told(screen, players, screen.facts, width)
        if len(lines) > most:
            facts = [" · ".join(screen.facts)] if screen.facts else []
            lines = self._told(screen, players, facts, width)
        if len(lines) > most:
            close = _with_short_names(screen)
            facts = [" · ".join(close.facts)] if close.facts else []
            lines = self._told(close, self._players_close(screen, width), facts, width)
        return lines

    def _told(
        self, screen: Screen, players: list[Line], facts: Sequence[str], width: int
    ) -> list[Line]:
        lines = [*self.lines(screen.turn, "class:turn", width)]
        if screen.table:
            lies = tr("on the table: {cards}", cards="   ".join(screen.table))
            lines += self.lines(lies, "", width)
        lines += players
        for text in screen.claims:
            lines += self.lines(text, f"class:{judging.WARNED}", width)
        for text in facts:
            lines += self.lines(text, "class:dim", width)
        return lines

    def _players(self, screen: Screen, width: int) -> list[Line]:
        """A line each, under headings; a name that leaves no room for the rest is shortened."""
        texts = [
            [head, *(row.cells[column] for row in screen.rows)]
            for column, head in enumerate(screen.headings)
        ]
        widths = [max(map(columns, map(visible, column))) for column in texts]
        names = [visible(row.name) for row in screen.rows]
        room = max(LEAST_NAME, width - 3 - sum(widths) - 2 * len(widths))
        name = min(room, max(map(columns, names), default=0))
        painted: list[Line] = [[("class:head", f"  {'':<{name}}{_row(screen.headings, widths)}")]]
        for row, text in zip(screen.rows, names, strict=True):
            mark, style = (">", "class:waits") if row.waits else (" ", "")
            cells = self.coloured(_row(row.cells, widths), style)
            painted.append([(style, f"{mark} {padded(shortened(text, name), name)}"), *cells])
        return painted

    def _players_close(self, screen: Screen, width: int) -> list[Line]:
        """Several in a line, each with their cells; what these are stands before."""
        told = [f"{', '.join(screen.headings)}:"]
        for row in screen.rows:
            cells = "/".join(cell or "–" for cell in row.cells)
            name = shortened(visible(row.name), SHORT_NAME)
            told.append(f"{'>' if row.waits else ' '}{name} {cells}")
        return [self.coloured(line, "") for line in filled(told, width - 1, "  ", "  ")]

    def form(
        self, fields: Sequence[Field], answers: Sequence[str], at: int, width: int
    ) -> list[Line]:
        """A form's answers, the field that is asked in bold."""
        key = max(columns(visible(field.key)) for field in fields)
        lines: list[Line] = []
        for index, field in enumerate(fields):
            style = "class:waits" if index == at else ""
            text = f"{padded(visible(field.key), key, right=True)}: {answers[index]}"
            lines += self.lines(text, style, width)
        return lines


def _with_short_names(screen: Screen) -> Screen:
    """The same with names that fit, in sentences too."""
    names = sorted((row.name for row in screen.rows), key=len, reverse=True)
    short = {name: shortened(name, SHORT_NAME) for name in names if columns(name) > SHORT_NAME}

    def said(text: str) -> str:
        for name, shorter in short.items():
            text = text.replace(name, shorter)
        return text

    return screen._replace(
        turn=said(screen.turn),
        table=[*map(said, screen.table)],
        claims=[*map(said, screen.claims)],
        facts=[*map(said, screen.facts)],
    )


def _broken(text: str, width: int, indent: str) -> list[str]:
    if columns(text) <= width:
        return [text]
    if text.isascii():
        return wrap(text, width, subsequent_indent=indent)
    return broken(text, width, indent)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(
        "  " + padded(visible(cell), width, right=True)
        for cell, width in zip(cells, widths, strict=True)
    )


def joined(lines: Sequence[Line]) -> StyleAndTextTuples:
    """Lines as one text."""
    text: StyleAndTextTuples = []
    for line in lines:
        text += [*line, ("", "\n")]
    return text[:-1]


def bar(keys: Sequence[tuple[str, str]], width: int, less: Sequence[str]) -> StyleAndTextTuples:
    """Keys and what they do, as a line of that width: closer together where it would be longer,
    and without some, `less` important ones first, where it would be longer still."""
    shown = list(keys)
    for gone in less:
        if sum(columns(key) + columns(label) + 2 for key, label in shown) - 1 > width:
            shown = [(key, label) for key, label in shown if key != gone]
    wide = sum(columns(key) + columns(label) + 3 for key, label in shown) <= width
    text: StyleAndTextTuples = []
    for key, label in shown:
        text += [("class:key", f" {key}" if wide or text else key)]
        text += [("class:keys", f" {label} " if wide else f" {label}")]
    return text
