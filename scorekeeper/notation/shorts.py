"""What may be typed short: a card without a word, a number, a result without its word.

Such a text is read here without a state, and is never kept: a phase says what it means as the round
stands (`Phase.readings`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.notation.pairs import Pairs
from scorekeeper.notation.syntax import Cards, Syntax, whole
from scorekeeper.notation.verbs import Verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation.syntax import Spelling

    Pair = tuple[str, str]

MOST_NUMBER = 99999


class OneCard(Cards):
    """A card alone."""

    form = "CARD"

    def __init__(self) -> None:
        super().__init__(1, 1)

    def fits(self, text: str, notation: Spelling) -> bool:
        tokens = notation.tokens(text)
        return len(tokens) == 1 and notation.is_card(tokens[0])


class ResultPairs(Pairs):
    """A result without its word; a number may stand among its words."""

    def fits(self, text: str, notation: Spelling) -> bool:
        return "=" in text.partition(" ")[0]

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        words = text.split()
        numbers = [at for at, word in enumerate(words) if _is_number(word)]
        # Where a value goes on, or begins, a number may be part of it.
        if len(numbers) == 1 and _is_whole(words[numbers[0] - 1], notation):
            number = str(whole(words.pop(numbers[0]), 0, MOST_NUMBER))
            return (("", number), *super().read(" ".join(words), notation))
        return super().read(text, notation)

    def show(self, value: Iterable[Pair], notation: Spelling) -> str:
        return _shown(value)


class NumberFirst(Syntax):
    """A number, or one and then `key=value` words: pairs, the number's without a key."""

    form = "NUMBER KEY=VALUE…"
    names_players = True

    def fits(self, text: str, notation: Spelling) -> bool:
        first, _, rest = text.partition(" ")
        return _is_number(first) and "=" in f"{rest.strip()} =".split()[0]

    def read(self, text: str, notation: Spelling) -> tuple[Pair, ...]:
        first, _, rest = text.partition(" ")
        number = str(whole(first, 0, MOST_NUMBER))
        return (("", number), *(Pairs().read(rest, notation) if rest.strip() else ()))

    def show(self, value: Sequence[Pair], notation: Spelling) -> str:
        return _shown(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[Pair, ...]]:
        return ((("", str(luck.randint(0, 240))),),)


class NumberBefore(NumberFirst):
    """A number and then `key=value` words."""

    def fits(self, text: str, notation: Spelling) -> bool:
        return "=" in text and super().fits(text, notation)


def _is_whole(word: str, notation: Spelling) -> bool:
    """Whether a `key=value` word is one that nothing belongs to any more: players' names."""
    key, _, said = word.partition("=")
    called = notation.canonical(key)
    if (called if called.isidentifier() else key) not in notation.name_keys:
        return False
    try:
        for name in said.split("+"):
            notation.seat(name)
    except Unreadable:
        return False
    return True


def _shown(pairs: Iterable[Pair]) -> str:
    return " ".join(f"{key}={said}" if key else said for key, said in pairs)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


ONE_CARD = Verb("", OneCard(), "a card alone", turn=True, implicit=True, short=True)
NUMBER = Verb("", NumberFirst(), "a number alone, or before a result", implicit=True, short=True)
NUMBERED = Verb("", NumberBefore(), "a number before a result", implicit=True, short=True)
RESULT = Verb("", ResultPairs(), "a result without its word", implicit=True, short=True)
