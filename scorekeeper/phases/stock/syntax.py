"""How a card that was drawn is read and written. Part of stock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark
from scorekeeper.notation.syntax import Cards

if TYPE_CHECKING:
    from scorekeeper.notation.syntax import Spelling

    Drawn = tuple[int, ...]


class DrawnSyntax(Cards):
    """The card that was drawn, or nothing where nobody saw it."""

    form = mark("CARD, or nothing")

    def __init__(self) -> None:
        super().__init__(0, 1)

    def show(self, value: Drawn, notation: Spelling) -> str:
        return super().show(value, notation) if value else ""

    def hidden(self, value: Drawn) -> Drawn:
        return ()
