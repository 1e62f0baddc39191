"""What a live match shows of what happened, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.tuples import NamedTuple

if TYPE_CHECKING:
    from scorekeeper.core.rulings import Ruling


class Event(NamedTuple):
    """A line of what happened; kinds are those of `judging`."""

    kind: str
    text: str


class Pending(NamedTuple):
    """A refused entry that waits for the table: the line as it was typed from there on, the
    ruling, the entries after it."""

    line: str
    ruling: Ruling
    rest: list[str]
