"""Format versions of rulesets, records and books.

Each format has one `Versions` object. It holds the number of the current version. For every earlier
version that can still be read, it also holds a step that converts data to the next version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")


class Versions(Generic[T]):
    """The versions of one format. Version `current` is written; `first` to `current` can be read.

    `steps[n]` converts data of version n to version n + 1. It may modify its argument. There is a
    step for every version from `first` to `current` - 1.

    >>> versions = Versions(2, {1: lambda text: text.upper()})
    >>> versions.upgrade("the record", "ana: qc", 1)
    'ANA: QC'
    """

    __slots__ = ("current", "first", "steps")

    def __init__(self, current: int, steps: Mapping[int, Callable[[T], T]]) -> None:
        self.current = current
        self.first = current - len(steps)
        self.steps = steps
        assert sorted(steps) == [*range(self.first, current)]

    def check(self, name: str, version: int) -> None:
        """Raise Damaged unless the version can be read. The message calls the data `name`."""
        numbers = {"version": version, "first": self.first, "current": self.current}
        if version > self.current:
            raise Damaged(
                tr(
                    "{what} was written by a newer scorekeeper (its format version is "
                    "{version}, but this program only reads versions up to {current})",
                    what=name,
                    **numbers,
                ),
                tr("update scorekeeper"),
            )
        if version < self.first:
            raise Damaged(
                tr(
                    "{what} was written by an early version of scorekeeper (its format "
                    "version is {version}, but this program only reads versions from {first} "
                    "on)",
                    what=name,
                    **numbers,
                ),
                tr("export it with the version of scorekeeper that wrote it"),
            )

    def upgrade(self, name: str, data: T, version: int) -> T:
        """Return data converted from version `version` to the current one. Raises Damaged like
        `check`."""
        self.check(name, version)
        for number in range(version, self.current):
            data = self.steps[number](data)
        return data
