"""How wide a text will be, reckoned without a font: in the letters' own height.

Nobody knows the reader's fonts: what is reckoned is as wide as the widest of those that pages are
read in (DejaVu Sans and Verdana; Arial, Segoe UI and Roboto are narrower).
"""

from __future__ import annotations

import re

from scorekeeper.core.text import JOINED

_EQUAL = {
    "ijl'": 0.28,
    "I ,.": 0.32,
    "/:;\\|f-": 0.37,
    "()[]t!r": 0.42,
    '"*J`': 0.5,
    "szc": 0.55,
    "?L_k": 0.58,
    "vxy": 0.6,
    "FTaeo": 0.62,
    "EKPSY": 0.67,
    "ABVXZ": 0.69,
    "CRU": 0.74,
    "NHD": 0.77,
    "&GOQ": 0.79,
    "w#+<=>^~": 0.84,
    "M": 0.87,
    "%mW@": 0.99,
}
_WIDTHS = {chr(code): 0.64 for code in range(32, 127)}
_WIDTHS |= {letter: width for letters, width in _EQUAL.items() for letter in letters}
_WIDTHS |= {"’": 0.32, "‘": 0.32, "“": 0.52, "”": 0.52, "–": 0.5, "ß": 0.64}
_OTHER, _DOUBLE = 0.8, 1.0
# Where a line may end: after a blank, and after what joins names.
_ENDS = re.compile(rf"(?<=\s)|{JOINED}")


def wide(text: str) -> float:
    """The width of a text in one line, as a multiple of the letters' height."""
    return sum(_WIDTHS.get(letter) or _width(letter) for letter in text)


def _width(letter: str) -> float:
    from unicodedata import combining, east_asian_width, normalize

    if combining(letter):
        return 0.0
    if east_asian_width(letter) in "WF":
        return _DOUBLE
    return _WIDTHS.get(normalize("NFD", letter)[0], _OTHER)  # ä is as wide as a


class Text:
    """A text's width in one line, and the widths of the pieces within which no line ends."""

    __slots__ = ("pieces", "wide")

    def __init__(self, text: str, bold: float = 1.0) -> None:
        self.wide = wide(text) * bold
        self.pieces = [wide(piece) * bold for piece in _pieces(text)]

    @property
    def longest(self) -> float:
        """The width of the widest piece."""
        return max(self.pieces, default=0.0)

    def lines(self, room: float) -> int:
        """In how many lines the text stands; a piece that is wider than a line is broken."""
        if self.wide <= room:
            return 1
        room = max(room, 1.0)
        many, left = 1, room
        for piece in self.pieces:
            if piece > left:
                many, left = many + (left < room), room
                many += int((piece - 0.01) // room)
                piece -= int((piece - 0.01) // room) * room
            left -= piece
        return many


def _pieces(text: str) -> list[str]:
    """Texts between which a line may end: also between two letters of double width."""
    found = [piece for piece in _ENDS.split(text) if piece]
    return found if text.isascii() else [part for piece in found for part in _parts(piece)]


def _parts(piece: str) -> list[str]:
    from unicodedata import east_asian_width

    found = [""]
    for letter in piece:
        found[-1] += letter
        if east_asian_width(letter) in "WF":
            found.append("")
    return [part for part in found if part]
