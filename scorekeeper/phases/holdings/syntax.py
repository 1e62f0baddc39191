"""How what is announced is read and written. Part of holdings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import Cards, Syntax, clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling


class Holding(NamedTuple):
    """What is announced: the name of its row ("": what its cards make), and the kinds of its cards
    (none: they are not shown)."""

    name: str
    cards: tuple[int, ...]


class NamedSyntax(Syntax):
    """A row's name, and perhaps its cards."""

    form = mark("HOLDING")
    cards = Cards()

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def fits(self, text: str, notation: Spelling) -> bool:
        return notation.opening(text)[0] in self.names

    def read(self, text: str, notation: Spelling) -> Holding:
        name, rest = notation.opening(text)
        if name not in self.names:
            known = [notation.say(each) for each in sorted(self.names)]
            found = tr("“{text}” is nothing that may be announced", text=clean(text))
            raise Unreadable(found, tr("what may be: {known}", known=", ".join(known)))
        return Holding(name, self.cards.read(rest, notation) if rest else ())

    def sample(self, luck: Luck, notation: Spelling) -> tuple[Holding, ...]:
        return (Holding(luck.choice(sorted(self.names)), ()),) if self.names else ()

    def show(self, value: Holding, notation: Spelling) -> str:
        cards = self.cards.show(value.cards, notation) if value.cards else ""
        return f"{notation.say(value.name)} {cards}".rstrip()


class ShownSyntax(Syntax):
    """The cards alone."""

    form = mark("CARD…")
    cards = Cards()

    def read(self, text: str, notation: Spelling) -> Holding:
        return Holding("", self.cards.read(text, notation))

    def sample(self, luck: Luck, notation: Spelling) -> tuple[Holding, ...]:
        return tuple(Holding("", cards) for cards in self.cards.sample(luck, notation))

    def show(self, value: Holding, notation: Spelling) -> str:
        return self.cards.show(value.cards, notation)
