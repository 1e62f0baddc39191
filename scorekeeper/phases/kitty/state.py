"""The kitty as it lies there, or as it was buried. Part of kitty."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.ruleset.joint import Joint

TURNED, TAKEN, LEFT, BURIED = "turned", "taken", "left", "buried"


class State:
    """One round's kitty. `stage`: "" before it is turned up, then turned, and taken and buried, or
    left. `cards`: the kinds of its cards, none before it is turned. `buried`: what the master has
    laid down for it: the kinds, or how many where nobody saw them."""

    __slots__ = ("buried", "cards", "stage")

    def __init__(self) -> None:
        self.stage = ""
        self.cards: tuple[int, ...] = ()
        self.buried: tuple[int, ...] | int = 0

    @property
    def is_owed(self) -> bool:
        """Whether the master has still to do something about it."""
        return self.stage in (TURNED, TAKEN)


def trumps(rnd: Joint, state: State) -> int:
    """How many of its cards bear the trump suit."""
    suit = rnd.rules.pack.suit
    return sum(suit[kind] == rnd.shared.trump for kind in state.cards)
