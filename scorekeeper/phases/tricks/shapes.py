"""The combinations of cards that may be led: single cards, sets, and runs of sets."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.orders import Order

    Form = tuple[int, int]

SHAPE: Mapping[str, Parameter] = {
    "alike": Parameter(
        "int", "the number of identical cards in a set", 1, bounds=(1, untrusted.MAX_COPIES)
    ),
    "run": Parameter(
        "int",
        (
            "the minimum number of sets in the run, which must be neighbours in the order (1 "
            "for a single set)"
        ),
        1,
        bounds=(1, untrusted.MAX_RANKS),
    ),
}
ONE: Form = (1, 1)
NONE: Form = (0, 0)  # the form of cards that are neither a set nor a run
SINGLE_CARD = {"card": ONE}  # used if `[shapes]` has no rows


class Shapes:
    """The combinations that may be led, compiled from `[shapes]`: single cards, sets and runs of
    sets.

    A set consists of identical cards. A run is several sets of the same size whose cards are
    neighbours in the order. Cards of equal strength share a position in the order, so they are not
    neighbours. A `Form` is a pair: the size of each set, and the number of sets.

    `rows` maps a name to the size of the sets and their minimum number. `set_sizes` are the sizes
    of single sets that may be led, and `runs` the forms of runs. `max_cards` is the maximum number
    of cards in a lead if no hand is longer than `longest`. `must_answer_sets` is true if a clause
    requires players to answer sets with sets. `throws` is true if several combinations of one class
    may be led together, which is called a throw.
    """

    __slots__ = ("max_cards", "must_answer_sets", "rows", "runs", "set_sizes", "throws")

    def __init__(self, rows: Mapping[str, Row], longest: int, *, throws: bool = False) -> None:
        forms = {name: (int(row["alike"]), int(row["run"])) for name, row in rows.items()}
        self.rows: Mapping[str, Form] = forms or SINGLE_CARD
        self.must_answer_sets = False
        self.set_sizes = [alike for alike, run in self.rows.values() if run == 1]
        self.runs = [(alike, run) for alike, run in self.rows.values() if run > 1]
        self.max_cards = max(
            alike if run == 1 else max(alike * run, longest) for alike, run in self.rows.values()
        )
        self.throws = throws
        if throws:
            self.max_cards = max(self.max_cards, longest)

    def may_lead(self, form: Form) -> bool:
        """Return whether cards of this form may be led."""
        return any(
            alike == form[0] and (run == form[1] == 1 or 1 < run <= form[1])
            for alike, run in self.rows.values()
        )

    def min_run(self, alike: int) -> int:
        """Return the minimum number of sets of this size in a run, or 0 if no run may be led."""
        return min(
            (run for each, run in self.rows.values() if each == alike and run > 1), default=0
        )

    def split_throw(self, order: Order, kinds: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the combinations of a throw, or [] if these cards are no throw.

        The longest runs come first, then sets from large to small.
        """
        if not self.throws or len({order.classes[kind] for kind in kinds}) != 1:
            return []
        steps, left = order.ladder(order.classes[kinds[0]]), Counter(kinds)
        parts: list[tuple[int, ...]] = []
        for alike, least in sorted(self.runs, reverse=True):
            while run := _longest_run(steps, left, alike, least):
                parts.append(tuple(kind for kind in run for _ in range(alike)))
                left -= Counter(parts[-1])
        for alike in sorted(self.set_sizes, reverse=True):
            for kind in (kind for step in steps for kind in step):
                for _ in range(left[kind] // alike):
                    parts.append((kind,) * alike)
                    left[kind] -= alike
        whole = len(parts) > 1 and not +left
        return sorted(parts, key=len, reverse=True) if whole else []


def _longest_run(
    steps: Sequence[Sequence[int]], cards: Counter[int], alike: int, least: int
) -> tuple[int, ...]:
    """Return the longest run of sets in the cards, or () if none has at least `least` sets."""
    held = [[kind for kind in step if cards[kind] >= alike] for step in steps]
    for sets in range(len(steps), least - 1, -1):
        for run in runs_in(held, sets):
            return run
    return ()


def highest_kind(order: Order, kinds: Sequence[int], forms: Sequence[Form]) -> int | None:
    """Return the highest kind of the first combination if these cards contain combinations of all
    these forms, or None. The cards must be of one class."""
    if len({order.classes[kind] for kind in kinds}) != 1:
        return None
    steps, left = order.ladder(order.classes[kinds[0]]), Counter(kinds)
    highest: int | None = None
    for alike, sets in forms:
        held = [[kind for kind in step if left[kind] >= alike] for step in steps]
        run = next(runs_in(held, sets), None)
        if run is None:
            return None
        highest = run[0] if highest is None else highest
        left -= Counter(kind for kind in run for _ in range(alike))
    return highest


def find_form(order: Order, kinds: Sequence[int]) -> tuple[int, Form]:
    """Return the highest kind and the form of a set or run. For other cards, return the first kind
    and `NONE`."""
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
    """Yield every run of `sets` neighbouring sets, with one kind from each position."""
    for start in range(len(steps) - sets + 1):
        yield from product(*steps[start : start + sets])
