"""Numbered formats of what is written down: rulesets, records and books.

Each format has one `Versions`: the number that is written now, and for every earlier number that
can still be read the step that makes what it says what the next number says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")


class Versions(Generic[T]):
    """The versions of one format: `current` is written, `first` and all after it are read.

    `steps[n]` takes what version n says, gives what version n + 1 says, and may change what it was
    given; they follow one another up to `current`.
    """

    __slots__ = ("current", "first", "steps")

    def __init__(self, current: int, steps: Mapping[int, Callable[[T], T]]) -> None:
        self.current = current
        self.first = current - len(steps)
        self.steps = steps
        assert sorted(steps) == [*range(self.first, current)]

    def check(self, what: str, found: int) -> None:
        """Raise Damaged unless `found` can be read; `what` is what has that version, for whoever
        reads the message."""
        numbers = {"version": found, "first": self.first, "current": self.current}
        if found > self.current:
            raise Damaged(
                tr(
                    "{what} was written by a newer scorekeeper (version {version}, known up to"
                    " {current})",
                    what=what,
                    **numbers,
                ),
                tr("update scorekeeper"),
            )
        if found < self.first:
            raise Damaged(
                tr(
                    "{what} was made by an early version of the program (version {version}, known"
                    " from {first} on)",
                    what=what,
                    **numbers,
                ),
                tr("export it with the program that wrote it"),
            )

    def upgrade(self, what: str, data: T, found: int) -> T:
        """What version `found` says, as the current version says it. Raises Damaged as `check`."""
        self.check(what, found)
        for number in range(found, self.current):
            data = self.steps[number](data)
        return data
