"""Chance, as those may ask for it who play at random. It comes in from outside, with its seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Luck(Protocol):
    """What is asked of chance; the standard library's `Random` has it."""

    def random(self) -> float:
        """A number from 0 to below 1."""

    def randint(self, least: int, most: int, /) -> int:
        """A whole number, both ends included."""

    def choice(self, found: Sequence[T], /) -> T:
        """One of several."""

    def sample(self, found: Sequence[T], number: int, /) -> list[T]:
        """So many of several, each once."""
