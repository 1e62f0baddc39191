"""The kitty as it lies there, or as it was buried. Part of kitty."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.ruleset.joint import Joint

TURNED, TAKEN, LEFT, BURIED = "turned", "taken", "left", "buried"


class State:
    """One round's kitty. `stage`: "" before it is turned up, then turned, and taken and buried, or
    left; one that nobody sees is there for the taking at once. `size`: how many cards may be taken;
    `cards`: their kinds, none as long as nobody has seen them. `buried`: what was laid down for
    it: the kinds, or how many where nobody saw them. `contract`: the one before it was named."""

    __slots__ = ("buried", "cards", "contract", "size", "stage")

    def __init__(self, size: int, contract: str) -> None:
        self.stage = ""
        self.size = size
        self.contract = contract
        self.cards: tuple[int, ...] = ()
        self.buried: tuple[int, ...] | int = 0

    @property
    def was_taken(self) -> bool:
        """Whether somebody has taken it."""
        return self.stage in (TAKEN, BURIED)

    @property
    def is_owed(self) -> bool:
        """Whether somebody has still to do something about it."""
        return self.stage in (TURNED, TAKEN)


def trumps(rnd: Joint, state: State) -> int:
    """How many of its cards bear the trump suit."""
    suit = rnd.rules.pack.suit
    return sum(suit[kind] == rnd.shared.trump for kind in state.cards)
