"""Every distribution of a small pack that fits what is certain, kept one by one.

A world says how the cards lie now, and which of the acts so far were broken in it. What happens
drops the worlds that it does not fit; cards that nobody sees move in every way in which they can.
Nothing is concluded from anybody obeying a rule.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    # Cards as bits: each kind has as many as there are copies, and as many of its lowest are set
    # as lie there.
    Heap = int
    # A heap for each place, then a bit for each act that was broken.
    World = tuple[int, ...]

# What an entry did that hangs on a hand: its number, and the code of the rule.
Act = tuple[int, str]


class Small:
    """A pack of a few kinds of card, so many copies of each."""

    def __init__(self, kinds: Sequence[str], copies: int) -> None:
        self.kinds = list(kinds)
        self.copies = copies
        self._first = {kind: number * copies for number, kind in enumerate(kinds)}
        self._parts: dict[tuple[Heap, int], list[tuple[Heap, Heap]]] = {}
        self._less: dict[tuple[Heap, Heap], Heap] = {}
        self._joined: dict[tuple[Heap, Heap], Heap] = {}

    def set_of(self, kinds: Iterable[str]) -> Heap:
        """All copies of these kinds."""
        each = (1 << self.copies) - 1
        return sum(each << self._first[kind] for kind in set(kinds))

    def count(self, heap: Heap, kind: str) -> int:
        """How many copies of a kind lie there."""
        return (heap & self.set_of([kind])).bit_count()

    def heap(self, cards: Iterable[str]) -> Heap:
        """These cards."""
        found = 0
        for card in cards:
            found = self.add(found, card)
        return found

    def add(self, heap: Heap, kind: str) -> Heap:
        """One copy more."""
        return heap | 1 << self._first[kind] + self.count(heap, kind)

    def remove(self, heap: Heap, kind: str) -> Heap:
        """One copy less."""
        return heap ^ 1 << self._first[kind] + self.count(heap, kind) - 1

    def cards(self, heap: Heap) -> list[str]:
        """The cards that lie there."""
        return [kind for kind in self.kinds for _ in range(self.count(heap, kind))]

    def deals(self, sizes: Sequence[int]) -> list[tuple[Heap, ...]]:
        """Every way in which the whole pack lies in places of these sizes."""
        return _deals(len(self.kinds), self.copies, tuple(sizes))

    def parts(self, heap: Heap, size: int) -> list[tuple[Heap, Heap]]:
        """Every choice of so many of these cards: what is left, and what is chosen."""
        found = self._parts.get((heap, size))
        if found is None:
            chosen = {self.heap(part) for part in combinations(self.cards(heap), size)}
            found = [(self.less(heap, part), part) for part in chosen]
            self._parts[heap, size] = found
        return found

    def less(self, heap: Heap, part: Heap) -> Heap:
        """These cards without some of them."""
        found = self._less.get((heap, part))
        if found is None:
            left = heap
            for card in self.cards(part):
                left = self.remove(left, card)
            found = self._less[heap, part] = left
        return found

    def joined(self, heap: Heap, other: Heap) -> Heap:
        """All these cards."""
        found = self._joined.get((heap, other))
        if found is None:
            found = self._joined[heap, other] = self.heap(self.cards(heap) + self.cards(other))
        return found


@cache
def _deals(kinds: int, copies: int, sizes: tuple[int, ...]) -> list[tuple[Heap, ...]]:
    """The ways in which the last kinds lie in places that have so much room."""
    if not kinds:
        return [(0,) * len(sizes)]
    found = []
    for split in _splits(copies, sizes):
        room = tuple(size - part for size, part in zip(sizes, split, strict=True))
        mine = [(1 << part) - 1 << (kinds - 1) * copies for part in split]
        for rest in _deals(kinds - 1, copies, room):
            found.append(tuple(heap | own for heap, own in zip(rest, mine, strict=True)))
    return found


def _splits(count: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The ways in which equal cards lie in places that have so much room."""
    if len(sizes) == 1:
        if count <= sizes[0]:
            yield (count,)
        return
    for first in range(min(count, sizes[0]) + 1):
        for rest in _splits(count - first, sizes[1:]):
            yield (first, *rest)


class Worlds:
    """All worlds of one deal, narrowed by what happens. Places are numbered: the seats first, then
    those in which nobody sees the cards."""

    def __init__(self, pack: Small, sizes: Sequence[int]) -> None:
        self.pack = pack
        self.places = len(sizes)
        self.acts: list[Act] = []
        self.all: set[World] = {(*deal, 0) for deal in pack.deals(sizes)}

    def keep(self, fits: Callable[[World], bool]) -> None:
        """Drop the worlds that something does not fit."""
        self.all = {world for world in self.all if fits(world)}
        assert self.all, "what happened fits no deal"

    def entered(self, place: int, cards: Sequence[str]) -> None:
        """All cards of a place are seen."""
        heap = self.pack.heap(cards)
        self.keep(lambda world: world[place] == heap)

    def held(self, place: int, cards: Sequence[str]) -> None:
        """Some cards are seen there, at the same time, and stay."""
        heap = self.pack.heap(cards)
        self.keep(lambda world: world[place] & heap == heap)

    def asked(self, act: Act, broken: Callable[[World], bool]) -> None:
        """An act was done that is broken in some worlds."""
        bit = 1 << len(self.acts)
        self.acts.append(act)
        self.all = {(*w[:-1], w[-1] | bit * broken(w)) for w in self.all}

    def moved(self, place: int, to: int | None, cards: Sequence[str]) -> None:
        """Cards that all see go to another place, or lie on the table for good."""
        self.held(place, cards)
        part = self.pack.heap(cards)
        self.all = {
            self._with(world, place, self.pack.less(world[place], part), to, part)
            for world in self.all
        }

    def moved_unseen(self, place: int, to: int, size: int) -> None:
        """So many cards go to another place, and nobody sees which."""
        self.all = {
            self._with(world, place, left, to, part)
            for world in self.all
            for left, part in self.pack.parts(world[place], size)
        }

    def _with(self, world: World, place: int, left: Heap, to: int | None, part: Heap) -> World:
        heaps = list(world)
        heaps[place] = left
        if to is not None:
            heaps[to] = self.pack.joined(heaps[to], part)
        return tuple(heaps)

    # --- what is proven

    def _of(self, bits: int) -> set[Act]:
        return {act for index, act in enumerate(self.acts) if bits >> index & 1}

    def proven(self) -> set[Act]:
        """The acts that are broken in every world."""
        bits = -1
        for world in self.all:
            bits &= world[-1]
        return self._of(bits)

    def open(self) -> set[Act]:
        """The acts that are broken in some worlds and kept in others."""
        some = 0
        for world in self.all:
            some |= world[-1]
        return self._of(some) - self.proven()

    def may_be_kept(self, entries: Iterable[int]) -> bool:
        """Whether all that is open of these entries is kept in one of the worlds."""
        wanted, still = set(entries), self.open()
        bits = 0
        for index, act in enumerate(self.acts):
            bits |= (act[0] in wanted and act in still) << index
        return any(not world[-1] & bits for world in self.all)

    def is_group(self, entries: Iterable[int]) -> bool:
        """Whether one of these entries must be broken, and of no fewer of them that is known."""
        wanted = set(entries)
        fewer = (wanted - {entry} for entry in wanted)
        return not self.may_be_kept(wanted) and all(map(self.may_be_kept, fewer))
