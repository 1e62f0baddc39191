"""How wide a text will be when it is printed, reckoned without a font: in the letters' own height.

What is reckoned is rather too wide than too narrow, for nobody knows the reader's fonts.
"""

from __future__ import annotations

import re

from scorekeeper.render.plain import JOINED

_WIDTHS = {chr(code): 0.61 for code in range(32, 127)}
_WIDTHS |= dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ", 0.68)
_WIDTHS |= dict.fromkeys("acesvxyzk", 0.55)
_WIDTHS |= dict.fromkeys('ftr()[]/\\-"*', 0.4)
_WIDTHS |= dict.fromkeys("iljI.,:;|'! ’", 0.29)
_WIDTHS |= dict.fromkeys("mwMW@%&+=<>#", 0.88)
_OTHER, _DOUBLE = 0.62, 1.0
# Where a line may end: after a blank, and after what joins names.
_ENDS = re.compile(rf"(?<=\s)|{JOINED}")


def wide(text: str) -> float:
    """The width of a text in one line, as a multiple of the letters' height."""
    return sum(_WIDTHS.get(letter) or _width(letter) for letter in text)


def _width(letter: str) -> float:
    from unicodedata import combining, east_asian_width

    if combining(letter):
        return 0.0
    return _DOUBLE if east_asian_width(letter) in "WF" else _OTHER


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
