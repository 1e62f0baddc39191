"""Flows through a network of arcs, each of which takes at least and at most so much.

The textbook's circulation with lower bounds, by shortest paths that augment a flow. The networks
here are of a few hundred arcs.
"""

from __future__ import annotations

START, END = 0, 1
"""The nodes where all comes from, and goes to."""


class Network:
    """Arcs between nodes, which are numbers."""

    __slots__ = ("_arcs", "_least", "_left", "_to")

    def __init__(self) -> None:
        self._arcs: list[list[int]] = [[], []]  # of each node, those that begin there
        self._to: list[int] = []
        self._left: list[int] = []  # how much more an arc takes
        self._least: list[int] = []

    def node(self) -> int:
        """A new node."""
        self._arcs.append([])
        return len(self._arcs) - 1

    def arc(self, start: int, end: int, least: int, most: int) -> int:
        """A new arc, which takes from `least` to `most`; its number."""
        number = len(self._to)
        self._arcs[start].append(number)
        self._arcs[end].append(number + 1)
        self._to += (end, start)
        self._left += (most - least, 0)
        self._least += (least, least)
        return number

    def taken(self, arc: int) -> int:
        """How much an arc takes in the flow that was found."""
        return self._left[arc + 1] + self._least[arc]

    def flows(self) -> bool:
        """Find a flow in which every arc takes what it must and no more than it may; whether there
        is one. It is asked once."""
        source, sink, wanted = self.node(), self.node(), 0
        for arc in range(0, len(self._to), 2):
            least = self._least[arc]
            if least:
                wanted += least
                self.arc(source, self._to[arc], 0, least)
                self.arc(self._to[arc + 1], sink, 0, least)
        self.arc(END, START, 0, wanted + sum(self._left))
        while wanted:
            far = self._distances(source)
            if far[sink] < 0:
                return False
            at = [0] * len(self._arcs)  # of each node, which of its arcs is tried next
            while pushed := self._push(source, sink, wanted, far, at):
                wanted -= pushed
        return True

    def _distances(self, source: int) -> list[int]:
        """How many arcs with room left lead to each node; -1: none do."""
        far = [-1] * len(self._arcs)
        far[source] = 0
        reached = [source]
        for node in reached:
            for arc in self._arcs[node]:
                to = self._to[arc]
                if self._left[arc] and far[to] < 0:
                    far[to] = far[node] + 1
                    reached.append(to)
        return far

    def _push(self, node: int, sink: int, amount: int, far: list[int], at: list[int]) -> int:
        """Send up to that amount on from a node, each arc farther; how much has arrived."""
        if node == sink:
            return amount
        arcs = self._arcs[node]
        while at[node] < len(arcs):
            arc = arcs[at[node]]
            left, to = self._left[arc], self._to[arc]
            if left and far[to] == far[node] + 1:
                pushed = self._push(to, sink, min(amount, left), far, at)
                if pushed:
                    self._left[arc] -= pushed
                    self._left[arc ^ 1] += pushed
                    return pushed
            at[node] += 1
        return 0
