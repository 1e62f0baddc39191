"""Keys and values, as a round's result is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import Syntax, clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.notation.syntax import Spelling


class Pairs(Syntax):
    """`key=value` words; a value runs to the next ` key=`. A key may stand alone, and be
    called as the ruleset's languages call it."""

    names_players = True
    form = "KEY=VALUE…"

    def read(self, text: str, notation: Spelling) -> tuple[tuple[str, str], ...]:
        pairs: list[tuple[str, str]] = []
        for token in text.split():
            key, equals, value = map(clean, token.partition("="))
            if not key:
                raise Unreadable(
                    tr("“{token}” is no key=value", token=clean(token)), tr("no blank before the =")
                )
            if equals or not pairs:
                called = notation.canonical(key)
                key = called if called.isidentifier() else key
                if any(key == known for known, _ in pairs):
                    raise Unreadable(tr("“{key}” is said twice", key=key))
                pairs.append((key, value))
            else:
                pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {clean(token)}".strip())
        if not pairs:
            raise Unreadable(tr("what the result was must follow, as key=value"))
        named = notation.name_keys
        return tuple((key, self._full(said, notation) if key in named else _small(said, notation))
                     for key, said in pairs)  # fmt: skip

    def _full(self, said: str, notation: Spelling) -> str:
        """Players' names in full; what is no name is left to the rules to refuse."""
        try:
            return "+".join(notation.names[notation.seat(name.strip())] for name in said.split("+"))
        except Unreadable:
            return said

    def show(self, value: Iterable[tuple[str, str]], notation: Spelling) -> str:
        pairs = list(value)
        if len(pairs) == 1 and not pairs[0][1]:
            return pairs[0][0]
        return " ".join(map("=".join, pairs))


def _small(said: str, notation: Spelling) -> str:
    """The ruleset's own words in small letters, as it writes them."""
    parts = (part.split(":") for part in said.split("+"))
    return "+".join(":".join(_word(word, notation) for word in part) for part in parts)


def _word(said: str, notation: Spelling) -> str:
    folded = said.casefold()
    return folded if notation.canonical(said) == folded else said
