"""How cards that are given are read and written. Part of give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import CardsOrCount, Syntax

if TYPE_CHECKING:
    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling

TO = "to"


class Gift(NamedTuple):
    """What is given: the kinds of card (none: some that are not listed), or how many where nobody
    saw them; and to which seat (-1: that was not said)."""

    cards: tuple[int, ...] | int
    to: int

    @property
    def number(self) -> int:
        """How many cards it is."""
        return self.cards if isinstance(self.cards, int) else len(self.cards)


class GiftSyntax(Syntax):
    """Cards, or only how many, and perhaps to whom."""

    names_players = True
    form = mark("CARD… or NUMBER, and perhaps to NAME")
    cards = CardsOrCount()

    def read(self, text: str, notation: Spelling) -> Gift:
        tokens = text.split()
        words = [notation.canonical(token) for token in tokens]
        to = -1
        if TO in words:
            cut = words.index(TO)
            if cut + 1 == len(tokens):
                raise Unreadable(tr("it is not said to whom"))
            to = notation.seat(" ".join(tokens[cut + 1 :]))
            text = " ".join(tokens[:cut])
        return Gift(self.cards.read(text, notation), to)

    def show(self, value: Gift, notation: Spelling) -> str:
        text = self.cards.show(value.cards, notation)
        return text if value.to < 0 else f"{text} {notation.say(TO)} {notation.names[value.to]}"

    def is_number(self, value: Gift) -> bool:
        return isinstance(value.cards, int)

    def sample(self, luck: Luck, notation: Spelling) -> tuple[Gift, ...]:
        seats = range(-1, len(notation.names))
        return tuple(Gift(cards, luck.choice(seats)) for cards in self.cards.sample(luck, notation))

    def hidden(self, value: Gift) -> Gift:
        return value._replace(cards=value.number)
