"""What kinds of value there are, and what the names in an expression stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NUMBER = "a number"
KINDS = "kinds of card"
HEAP = "a heap of cards"
HAND = "cards of a hand"
"""Cards of a hand that the referee may not see: only how many there are may be asked, and that
makes a claim."""

EACH = "each"  # inside any(…), total(…) and their like: the player that is looked at


class Scope:
    """What names may be used: `kind` tells of what kind of value a measure is (None: there is no
    such measure), `parts` are the texts of the expressions that have a name of their own, `known`
    lists the names, for messages."""

    __slots__ = ("kind", "known", "parts")

    def __init__(
        self,
        kind: Callable[[str], str | None],
        known: Callable[[], list[str]],
        parts: Mapping[str, str],
    ) -> None:
        self.kind = kind
        self.known = known
        self.parts = parts


def _number(name: str) -> str:
    return NUMBER


def _nothing() -> list[str]:
    return []


ANYTHING = Scope(_number, _nothing, {})
"""Every name is a number: for texts that were checked before."""
