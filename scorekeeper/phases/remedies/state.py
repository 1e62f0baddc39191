"""What was wrong in a round, and what has become of it. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.types import Standing

# What has become of a fault that nobody may claim any more.
LAPSED, DECIDED, MOOT = "lapsed", "decided", "moot"


class Fault:
    """Something that was wrong: `remedy` is the row that answers it.

    `number` is the entry that it was done with, or, of what the table has told, that told it
    (`told`), and `text` is its text; `culprit` the seats to blame. `round` is 0, or the number of
    the round before, in which it happened: then `instead` leads from the word of each choice to
    the standing that this round would have begun with, and `voids` are those choices by which the
    round before is void. `opened` is the entry with which the window
    opened. `asked` may claim it, or might have; `gone` are those of them that may no more, with the
    number of the entry they went on or waived with. `claims`: who has claimed it. `weight` is the
    word of what was chosen, `points` what is taken off by the table's word. `ended` says what has
    become of it ("": it may still be claimed, or weighed); of what was decided, `by` is the number
    of the entry that did, `cited` the paragraph.
    """

    __slots__ = (
        *("asked", "by", "cited", "claims", "culprit", "ended", "gone", "instead", "number"),
        *("opened", "points", "remedy", "round", "text", "told", "voids", "weight"),
    )

    def __init__(
        self,
        remedy: str,
        number: int,
        text: str,
        culprit: Sequence[int],
        opened: int,
        asked: Sequence[int],
        told: bool = False,
    ) -> None:
        self.remedy = remedy
        self.number = number
        self.text = text
        self.culprit = tuple(culprit)
        self.opened = opened
        self.asked = tuple(asked)
        self.told = told
        self.gone: dict[int, int] = {}
        self.claims: list[int] = []
        self.weight = self.ended = self.cited = ""
        self.points = self.round = self.by = 0
        self.instead: Mapping[str, Standing] = {}
        self.voids: tuple[str, ...] = ()

    def copy(self) -> Fault:
        """The same fault, to go on apart from this one."""
        other = Fault(
            self.remedy, self.number, self.text, self.culprit, self.opened, self.asked, self.told
        )
        other.round, other.instead, other.voids = self.round, dict(self.instead), self.voids
        other.gone, other.claims = self.gone.copy(), self.claims[:]
        other.weight, other.points, other.ended = self.weight, self.points, self.ended
        other.by, other.cited = self.by, self.cited
        return other

    @property
    def at(self) -> str:
        """Where it is, as it is typed: `5`, or `1.47`."""
        return f"{self.round}.{self.number}" if self.round else str(self.number)

    @property
    def act(self) -> str:
        """The entry that was wrong, with its number."""
        return f"{self.at} ({self.text})"

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
    """A fault as the conditions of its consequences see it, beside the round as it was at the act.

    `since`: how many cards were laid since; `later`: the entries of those to later tricks, and
    `followed`: how many of these are the culprit's side's; `took`: whether the culprit won the
    trick it happened in; `tricks`: how many their side has won from that one on; `times`: how often
    the same had been decided against them; `stands`: whether the act was not taken back at once.
    """

    __slots__ = ("followed", "later", "since", "stands", "times", "took", "tricks")

    def __init__(
        self,
        since: int,
        later: Sequence[int],
        followed: int,
        took: bool,
        tricks: int,
        times: int,
        stands: bool,
    ) -> None:
        self.later = later
        self.since = since
        self.followed = followed
        self.took = took
        self.tricks = tricks
        self.times = times
        self.stands = stands


class State:
    """The `faults` of one round, in the order in which their windows opened.

    `seen` is how many of its entries were looked at, `wrongs` how many of the findings that
    refuse. `case` is the fault that is being looked at, in a round that is asked how it was.
    `barred`: the verbs that a seat may not use any more. `provisional`: it was told that the score
    is.
    """

    __slots__ = ("barred", "case", "faults", "provisional", "seen", "wrongs")

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.seen = self.wrongs = 0
        self.case: Case | None = None
        self.barred: dict[int, tuple[str, ...]] = {}
        self.provisional = False

    def open(self) -> list[Fault]:
        """Those that may still be claimed or weighed."""
        return [fault for fault in self.faults if not fault.ended]

    def at(self, number: int, earlier: int = 0) -> Fault | None:
        """What was wrong with that entry (of an `earlier` round, by its number): what may still be
        claimed or weighed first."""
        found = [each for each in self.faults if (each.number, each.round) == (number, earlier)]
        return next((fault for fault in found if not fault.ended), found[-1] if found else None)

    def waiting(self) -> list[Fault]:
        """Those that are claimed and wait to be weighed, in the order in which they happened."""
        return sorted((fault for fault in self.faults if fault.waits), key=_number)


def _number(fault: Fault) -> tuple[bool, int]:
    return not fault.round, fault.number
