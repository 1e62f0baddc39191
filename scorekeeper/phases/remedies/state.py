"""What was wrong in a round, and what has become of it. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# What has become of a fault that nobody may claim any more.
LAPSED, DECIDED, MOOT = "lapsed", "decided", "moot"


class Fault:
    """Something that was wrong: `remedy` is the row that answers it.

    `number` is the entry that it was done with, or, of what the table has told, that told it
    (`told`); `culprit` the seats to blame. `opened` is the entry with which the window opened.
    `asked` may claim it, or might have; `gone` are those of them that may no more, with the
    number of the entry they went on or waived with. `claims`: who has claimed it, with the
    number of the entry. `weight` is the word of what was chosen, `points` what is taken off by
    the table's word. `ended` says what has become of it ("": it may still be claimed, or weighed);
    of what was decided, `by` is the number of the entry that did, `row` what follows.
    """

    __slots__ = (
        *("asked", "by", "claims", "culprit", "ended", "gone", "number", "opened", "points"),
        *("remedy", "row", "told", "weight"),
    )

    def __init__(
        self,
        remedy: str,
        number: int,
        culprit: Sequence[int],
        opened: int,
        asked: Sequence[int],
        told: bool = False,
    ) -> None:
        self.remedy = remedy
        self.number = number
        self.culprit = tuple(culprit)
        self.opened = opened
        self.asked = tuple(asked)
        self.told = told
        self.gone: dict[int, int] = {}
        self.claims: list[tuple[int, int]] = []
        self.weight = ""
        self.points = 0
        self.ended = self.row = ""
        self.by = 0

    def copy(self) -> Fault:
        """The same fault, to go on apart from this one."""
        other = Fault(self.remedy, self.number, self.culprit, self.opened, self.asked, self.told)
        other.gone, other.claims = self.gone.copy(), self.claims[:]
        other.weight, other.points, other.ended = self.weight, self.points, self.ended
        other.by, other.row = self.by, self.row
        return other

    @property
    def may(self) -> list[int]:
        """Who may still claim it."""
        if self.ended:
            return []
        return [seat for seat in self.asked if seat not in self.gone]

    @property
    def waits(self) -> bool:
        """Whether it is claimed, and nobody has weighed it."""
        return bool(self.claims) and not self.ended


class Case:
    """A fault as the conditions of its consequences see it, beside the round as it was at the act:
    `since`, how many cards were laid since; `followed`, how many of them by the culprit's side to
    later tricks; `took`, whether the culprit won the trick it happened in, `tricks`, how many their
    side has won from that one on; `times`, how often the same had been decided against them."""

    __slots__ = ("followed", "since", "times", "took", "tricks")

    def __init__(
        self, since: int = 0, followed: int = 0, took: bool = False, tricks: int = 0, times: int = 0
    ) -> None:
        self.since = since
        self.followed = followed
        self.took = took
        self.tricks = tricks
        self.times = times


class State:
    """The `faults` of one round, in the order in which their windows opened.

    `seen` is how many of its entries were looked at, `wrongs` how many of the findings that
    refuse. `case` is the fault that is being looked at, in a round that is asked how it was.
    `moved` are tricks that go to another when play is over: how many, whose, and to which seat.
    `barred`: the verbs that a seat may not use any more.
    """

    __slots__ = ("barred", "case", "faults", "moved", "seen", "wrongs")

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.seen = self.wrongs = 0
        self.case: Case | None = None
        self.moved: list[tuple[int, tuple[int, ...], int]] = []
        self.barred: dict[int, tuple[str, ...]] = {}

    def open(self) -> list[Fault]:
        """Those that may still be claimed or weighed."""
        return [fault for fault in self.faults if not fault.ended]

    def at(self, number: int) -> Fault | None:
        """What was wrong with that entry: what may still be claimed or weighed first."""
        found = [fault for fault in self.faults if fault.number == number]
        return next((fault for fault in found if not fault.ended), found[-1] if found else None)

    def waiting(self) -> list[Fault]:
        """Those that are claimed and wait to be weighed, in the order in which they happened."""
        return sorted((fault for fault in self.faults if fault.waits), key=_number)


def _number(fault: Fault) -> int:
    return fault.number
