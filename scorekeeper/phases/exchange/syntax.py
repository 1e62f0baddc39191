"""How an exchange is read and written. Part of exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import Cards, Syntax, clean, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling

    Part = tuple[int, ...] | int


class Swap(NamedTuple):
    """What is exchanged: the kinds of card that are `given` and `taken` (none: some that are not
    listed), or how many where nobody saw them, the same number for both; and with which seat."""

    given: Part
    taken: Part
    seat: int

    @property
    def is_open(self) -> bool:
        """Whether it stands for a choice of cards that is not written out."""
        return self.given == ()


def count(part: Part) -> int:
    """How many cards one half of a swap is."""
    return part if isinstance(part, int) else len(part)


class SwapSyntax(Syntax):
    """Cards for cards with somebody, or only how many."""

    names_players = True
    form = mark("CARD… for CARD… with NAME, or NUMBER with NAME")

    def read(self, text: str, notation: Spelling) -> Swap:
        tokens = text.split()
        words = [notation.canonical(token) for token in tokens]
        if "with" not in words:
            raise Unreadable(
                tr("it is not said with whom"), tr("the form is “{form}”", form=tr(self.form))
            )
        cut = words.index("with")
        seat = notation.seat(" ".join(tokens[cut + 1 :]))
        if cut == 1 and tokens[0].isascii() and tokens[0].isdigit():
            number = whole(tokens[0], 1, 99)
            return Swap(number, number, seat)
        if "for" not in words[:cut]:
            raise Unreadable(tr("“{text}” does not say what for what", text=clean(text)))
        middle = words.index("for")
        cards = Cards(1, 60)
        given = cards.read(" ".join(tokens[:middle]), notation)
        taken = cards.read(" ".join(tokens[middle + 1 : cut]), notation)
        return Swap(given, taken, seat)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Swap]:
        cards = Cards(1, 3)
        seat = luck.randint(0, len(notation.names) - 1)
        (given,), (taken,) = cards.sample(luck, notation), cards.sample(luck, notation)
        return (Swap(given, taken, seat),)

    def show(self, value: Swap, notation: Spelling) -> str:
        name, with_ = notation.names[value.seat], notation.say("with")
        if isinstance(value.given, int):
            return f"{value.given} {with_} {name}"
        cards = Cards()
        given, taken = cards.show(value.given, notation), cards.show(value.taken, notation)
        return f"{given} {notation.say('for')} {taken} {with_} {name}"
