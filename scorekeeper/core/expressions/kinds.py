"""What kinds of value there are, and what the names in an expression stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.expressions.parsing import tree

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Mapping

    # Of a round, and of what is asked about there; `core` knows neither.
    Reader = Callable[[Any, Any], Any]

NUMBER = "a number"
KINDS = "kinds of card"
HEAP = "a heap of cards"
HAND = "cards of a hand"
"""Cards of a hand that the referee may not see: only how many there are may be asked, and that
makes a claim."""

OWN = "own"  # whom an expression is asked of
EACH = "each"  # inside any(…), total(…) and their like: the player that is looked at
PLAYERS = "players()"  # the measure of them all


class Item:
    """How a measure is read of which several are read at once: `of` gives all, by their `key`."""

    __slots__ = ("key", "of")

    def __init__(self, of: Reader, key: object) -> None:
        self.of = of
        self.key = key

    def __call__(self, rnd: object, subject: object) -> object:
        return self.of(rnd, subject)[self.key]


class Scope:
    """What names may be used: `kind` tells of what kind of value a measure is (None: there is no
    such measure), `parts` are the texts of the expressions that have a name of their own, `known`
    lists the names, for messages. `reader` gives how a measure is read of a round, and whether it
    is the same whatever is asked about there (None: there are no rounds). `roles` are those of
    whom a measure may be asked as of a player, for messages."""

    __slots__ = ("kind", "known", "parts", "reader", "roles")

    def __init__(
        self,
        kind: Callable[[str], str | None],
        known: Callable[[], list[str]],
        parts: Mapping[str, str],
        reader: Callable[[str], tuple[Reader, bool]] | None = None,
        roles: Collection[str] = (),
    ) -> None:
        self.kind = kind
        self.known = known
        self.parts = parts
        self.reader = reader
        self.roles = roles

    def has(self, name: str) -> bool:
        """Return whether there is surely a measure, or a named expression, of that name."""
        return name in self.parts or (self.kind is not _number and self.kind(name) is not None)

    def tree(self, text: str) -> ast.expr:
        """Return the tree of a text in which these names may stand. Raises ExpressionError."""
        return tree(text, self.has)

    def part(self, name: str) -> ast.expr | None:
        """Return the tree of the expression that has that name, or None."""
        text = self.parts.get(name)
        return None if text is None else self.tree(text)


def _number(name: str) -> str:
    return NUMBER


def _nothing() -> list[str]:
    return []


ANYTHING = Scope(_number, _nothing, {})
"""Every name is a number: for texts that were checked before."""
