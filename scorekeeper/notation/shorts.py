"""What may be typed short: a card without a word, a number, a result without its word.

Such a text is read here without a state, and is never kept: a phase says what it means as the round
stands (`Phase.readings`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.pairs import Pairs
from scorekeeper.notation.syntax import Cards, Syntax, clean
from scorekeeper.notation.verbs import Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.luck import Luck
    from scorekeeper.notation.syntax import Spelling

    Pair = tuple[str, str]


class OneCard(Cards):
    """A card alone."""

    form = "CARD"

    def __init__(self) -> None:
        super().__init__(1, 1)

    def fits(self, text: str, notation: Spelling) -> bool:
        tokens = notation.tokens(text)
        return len(tokens) == 1 and notation.is_card(tokens[0])


class Told(Syntax):
    """A number, `key=value` words, or the number and then these: pairs, the number's without a
    key."""

    form = "NUMBER KEY=VALUE…"
    names_players = True

    def __init__(self) -> None:
        self._pairs = Pairs()

    def fits(self, text: str, notation: Spelling) -> bool:
        first, _, rest = text.partition(" ")
        if _is_number(first):
            return not rest.strip() or "=" in rest.split()[0]
        return "=" in first

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        first, _, rest = text.partition(" ")
        if not _is_number(first):
            return self._pairs.read(text, notation)
        if len(first) > 6:
            raise Unreadable(tr("“{text}” is no number of a result", text=clean(first)[:20]))
        more = self._pairs.read(rest, notation) if rest.strip() else ()
        return (("", first), *more)

    def show(self, value: Sequence[Pair], notation: Spelling) -> str:
        return " ".join(f"{key}={said}" if key and said else key or said for key, said in value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[Pair, ...]]:
        return ((("", str(luck.randint(0, 240))),),)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


ONE_CARD = Verb("", OneCard(), "a card alone", turn=True, implicit=True, short=True)
TOLD = Verb("", Told(), "a number, or a result without its word", implicit=True, short=True)
