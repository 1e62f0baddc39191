"""Numbers in the cells of a table: rows that sum to so much, and sets of cells that hold between so
many and so many.

Cards of one kind are a row, the places where they may be are its cells. Whether the cells can be
filled is a question of flows as long as of any two counted sets one lies in the other or they lie
apart; a set that crosses another is looked at in what the flow has found, and if it is not right
there, each way to make it so is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.flow import END, START, Network
from scorekeeper.core.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    Bounds = dict[int, tuple[int, int]]
    """Of each cell, how much may be in it: at least, at most."""

MOST_CELLS = 5_000
"""How many cells the flows may have together that are looked for after one entry."""


class Budget:
    """How many more cells flows may have."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_CELLS


class _Count(NamedTuple):
    """Between `least` and `most` lie in these cells (a set of bits)."""

    cells: int
    least: int
    most: int

    def found(self, taken: list[int]) -> int:
        """How much does, if so much lies in each cell."""
        return sum([count for cell, count in enumerate(taken) if self.cells >> cell & 1])

    def holds(self, taken: list[int]) -> bool:
        """Whether that is so."""
        return self.least <= self.found(taken) <= self.most

    def ways(self, taken: list[int], bounds: Bounds) -> list[Bounds]:
        """How else that may be where it does not hold: the bounds of one cell, taken apart so that
        none of them leaves all as it is. Empty: it cannot hold within these bounds."""
        above = self.found(taken) > self.most
        for cell, count in enumerate(taken):
            low, high = bounds[cell]
            if self.cells >> cell & 1 and count != (low if above else high):
                cut = count if above else count + 1
                return [{**bounds, cell: (low, cut - 1)}, {**bounds, cell: (cut, high)}]
        return []


class Table:
    """A table that is to be filled: make its rows first, then say what its cells must hold."""

    __slots__ = (
        *("_bounds", "_cells_of", "_counts", "_crossing", "_inner", "_nested", "_row_of", "_rows"),
        "_void",
    )

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._cells_of: list[range] = []  # of each row
        self._row_of: list[int] = []  # of each cell
        self._bounds: Bounds = {}
        self._counts: list[tuple[list[int], int, int]] = []  # cells, at least, at most
        self._nested: list[_Count] = []
        self._crossing: list[_Count] = []
        self._inner: list[int] = []  # of each cell, the innermost count around it
        self._void = False

    def row(self, total: int, cells: int) -> range:
        """A new row of so many cells; their numbers."""
        first = len(self._row_of)
        found = range(first, first + cells)
        for cell in found:
            self._bounds[cell] = 0, total
            self._row_of.append(len(self._rows))
        self._rows.append(total)
        self._cells_of.append(found)
        return found

    def count(self, cells: Iterable[int], least: int, most: int) -> None:
        """These cells together hold between so much and so much."""
        each = [cell for cell in cells if self._bounds[cell][1]]
        self._void = self._void or most < max(0, least) or (least > 0 and not each)
        if most <= 0:
            self._clear(each)
            return
        rows = {self._row_of[cell] for cell in each}
        if len(rows) == 1 and least == self._rows[min(rows)]:  # then nothing of it lies elsewhere
            meant = set(each)
            self._clear(cell for cell in self._cells_of[min(rows)] if cell not in meant)
            return
        if least <= 0 and most >= sum([self._bounds[cell][1] for cell in each]):
            return
        self._counts.append((each, max(0, least), most))

    def _clear(self, cells: Iterable[int]) -> None:
        """Nothing lies in these cells."""
        for cell in cells:
            self._bounds[cell] = 0, 0

    def can_be_filled(self, budget: Budget) -> bool | None:
        """Whether it can; None: to find out would cost too much."""
        if self._void:
            return False
        for each, least, most in self._counts:
            cells = sum([1 << cell for cell in each if self._bounds[cell][1]])
            count = _Count(cells, least, most)
            nested = all(_are_nested(cells, other.cells) for other in self._nested)
            (self._nested if nested else self._crossing).append(count)
        self._nested.sort(key=lambda each: each.cells.bit_count(), reverse=True)
        self._inner = [-1] * len(self._row_of)
        for at, count in enumerate(self._nested):
            rest = count.cells
            while rest:
                cell = (rest & -rest).bit_length() - 1
                self._inner[cell] = at
                rest &= rest - 1
        return self._within(self._bounds, budget)

    def _within(self, bounds: Bounds, budget: Budget) -> bool | None:
        if budget.left < len(bounds):
            return None
        budget.left -= len(bounds)
        taken = self._flow(bounds)
        if taken is None:
            return False
        wrong = next((each for each in self._crossing if not each.holds(taken)), None)
        if wrong is None:
            return True
        return any_of(self._within(way, budget) for way in wrong.ways(taken, bounds))

    def _flow(self, bounds: Bounds) -> list[int] | None:
        """Numbers for all cells within these bounds that make every nested count right."""
        net = Network()
        rows = [net.node() for _ in self._rows]
        for node, total in zip(rows, self._rows, strict=True):
            net.arc(START, node, total, total)
        nodes = [net.node() for _ in self._nested]
        for at, count in enumerate(self._nested):
            outer = (n for n in range(at - 1, -1, -1) if not count.cells & ~self._nested[n].cells)
            around = next(outer, -1)
            net.arc(nodes[at], nodes[around] if around >= 0 else END, count.least, count.most)
        arcs = [
            net.arc(rows[row], nodes[inner] if inner >= 0 else END, *bounds[cell])
            if bounds[cell][1]
            else -1
            for cell, (row, inner) in enumerate(zip(self._row_of, self._inner, strict=True))
        ]
        return [net.taken(arc) if arc >= 0 else 0 for arc in arcs] if net.flows() else None


def any_of(found: Iterable[bool | None]) -> bool | None:
    """Whether one of these is true, looking no further than the first; None if one is open."""
    verdict: bool | None = False
    for each in found:
        if each:
            return True
        verdict = None if each is None else verdict
    return verdict


def _are_nested(one: int, other: int) -> bool:
    """Whether two sets lie apart, or one in the other."""
    return one & other in (0, one, other)
