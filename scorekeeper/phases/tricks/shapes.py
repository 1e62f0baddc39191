"""Shapes: what may be laid together, from one card to runs of sets. Part of tricks.

A set is so many identical cards; a run is several sets of as many cards each, each next below the
other in the order that holds. Cards of equal strength stand on one place of it, so they are no
neighbours. A `form` is what some cards come to: how many are alike, and how many such sets.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.orders import Order

    Form = tuple[int, int]

ROW: Mapping[str, Parameter] = {
    "alike": Parameter(
        "int", "how many identical cards a set has", 1, bounds=(1, untrusted.COPIES)
    ),
    "run": Parameter(
        "int",
        "how many sets at least, each next below the other in the order that holds (1: one set)",
        1,
        bounds=(1, untrusted.RANKS),
    ),
}
ONE: Form = (1, 1)
NONE: Form = (0, 0)  # of cards that do not hang together
ALONE = {"card": ONE}  # without rows, what is laid is one card


class Shapes:
    """The `[shapes]`, compiled: by name, how many cards are alike and how many sets there are at
    least; of these, `sets` are the single sets and `runs` the others. `most` is how many cards may
    be laid together, where nobody holds more than `longest`; `answered`: who has sets must answer
    with them (the clause says so)."""

    __slots__ = ("answered", "most", "rows", "runs", "sets")

    def __init__(self, rows: Mapping[str, Row], longest: int) -> None:
        found = {name: (int(row["alike"]), int(row["run"])) for name, row in rows.items()}
        self.rows: Mapping[str, Form] = found or ALONE
        self.answered = False
        self.sets = [alike for alike, run in self.rows.values() if run == 1]
        self.runs = [(alike, run) for alike, run in self.rows.values() if run > 1]
        self.most = max(
            alike if run == 1 else max(alike * run, longest) for alike, run in self.rows.values()
        )

    def allow(self, form: Form) -> bool:
        """Whether what has this form may be led."""
        return any(
            alike == form[0] and (run == form[1] == 1 or 1 < run <= form[1])
            for alike, run in self.rows.values()
        )

    def least_run(self, alike: int) -> int:
        """How many sets of so many cards make a run; 0 where there are no such runs."""
        return min(
            (run for each, run in self.rows.values() if each == alike and run > 1), default=0
        )


def read(order: Order, kinds: Sequence[int]) -> tuple[int, Form]:
    """The highest of some cards that hang together, and their form; the first of others, and
    `NONE`."""
    alike, different = kinds.count(kinds[0]), set(kinds)
    if len(different) == 1:
        return kinds[0], (alike, 1)
    if any(kinds.count(kind) != alike for kind in different):
        return kinds[0], NONE
    places = [
        (place, kind)
        for place, step in enumerate(order.ladder(order.classes[kinds[0]]))
        for kind in step
        if kind in different
    ]
    top, kind = places[0]
    if [place for place, _ in places] != list(range(top, top + len(different))):
        return kinds[0], NONE
    return kind, (alike, len(different))


def runs_in(steps: Sequence[Sequence[int]], sets: int) -> Iterator[tuple[int, ...]]:
    """The runs of so many sets, as one kind of each of so many places that follow one another."""
    for start in range(len(steps) - sets + 1):
        yield from product(*steps[start : start + sets])
