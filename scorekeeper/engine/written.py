"""What of the joint between a phase and a round is about its entries: writing them down, what was
found with them, how the round was before one of them, and what if it had not been.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Facts
    from scorekeeper.engine.state import Decisions
    from scorekeeper.notation import Entry

R = TypeVar("R", bound="Written")


class Written(Protocol):
    """The entries of a round, as a phase sees them. To be written: `decisions`."""

    decisions: Decisions

    def earlier_entry(self, verbs: Iterable[str]) -> str:
        """The text of this round's first entry of one of these verbs ("" if there is none)."""

    def entries(self) -> Sequence[Entry]:
        """This round's entries in order, the one that is happening included."""

    def facts_noted(self) -> Iterable[Facts]:
        """The facts of every finding in this round so far."""

    def actors(self, number: int) -> Sequence[int]:
        """The seats whose act that entry is; several, where it speaks for everyone."""

    def note_on(self, number: int) -> None:
        """Put what is to be noted to an earlier entry, not to the one that is happening."""

    def wrong(self, start: int) -> Sequence[tuple[int, int, Finding]]:
        """What was found to be against a rule that refuses, in the order in which it was found,
        from `start` on: the number of the entry that showed it, of the entry that it is on, and
        the finding."""

    def is_doubted(self, number: int) -> bool:
        """Whether that entry was taken back, and by the hands cannot have been as it was said."""

    def open_on(self, number: int) -> Sequence[Finding]:
        """What is open of that entry."""

    def at(self: R, number: int, taken: Collection[int] = ()) -> R:
        """Another round, as this one was after so many of its entries, these `taken` back; what
        was decided since is not in it, but for what that has taken back."""

    def retake(self, taken: Collection[int] = (), last: int = 0) -> None:
        """Play this round again from its entries up to the one that is happening, those `taken`
        back: what they showed has been seen, and nothing came of them. With `last` the one that
        is happening happens too, and entry `last` after it."""

    def award(self, seat: int) -> None:
        """All that is still out goes to that seat's side, and play is over."""
