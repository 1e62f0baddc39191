"""What of the joint between a phase and a round is about who comes, goes or moves before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Coming(Protocol):
    """Who sits at the table, as a phase may change it before anything else of a round is said.
    Players are named, for who sits where is what changes. Each raises Unreadable or Impossible for
    what cannot be; what the ruleset cannot seat is in conflict until it can."""

    def somebody_comes(self, name: str, instead: bool, other: str) -> None:
        """Somebody sits down to the left of another, or `instead` of them."""

    def somebody_goes(self, name: str) -> None:
        """Somebody leaves the table; what stands on the sheet for them stays."""

    def all_move(self, names: Sequence[str]) -> None:
        """Those at the table sit down in this order."""
