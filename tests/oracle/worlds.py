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


class Small:
    """A pack of a few kinds of card, so many copies of each."""

    def __init__(self, kinds: Sequence[str], copies: int) -> None:
        self.kinds = list(kinds)
        self.copies = copies
        self._first = {kind: number * copies for number, kind in enumerate(kinds)}

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

    def parts(self, heap: Heap, size: int) -> set[Heap]:
        """Every choice of so many of these cards."""
        return {self.heap(chosen) for chosen in combinations(self.cards(heap), size)}


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
        self.acts: list[int] = []
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

    def asked(self, entry: int, broken: Callable[[World], bool]) -> None:
        """An act was done with that entry that is broken in some worlds."""
        bit = 1 << len(self.acts)
        self.acts.append(entry)
        self.all = {(*w[:-1], w[-1] | bit * broken(w)) for w in self.all}

    def moved(self, place: int, to: int | None, cards: Sequence[str]) -> None:
        """Cards that all see go to another place, or lie on the table for good."""
        self.held(place, cards)
        for card in cards:
            self.all = {self._with(world, place, to, card) for world in self.all}

    def _with(self, world: World, place: int, to: int | None, card: str) -> World:
        heaps = list(world)
        heaps[place] = self.pack.remove(heaps[place], card)
        if to is not None:
            heaps[to] = self.pack.add(heaps[to], card)
        return tuple(heaps)

    def moved_unseen(self, place: int, to: int, size: int) -> None:
        """So many cards go to another place, and nobody sees which."""
        found = set()
        for world in self.all:
            for part in self.pack.parts(world[place], size):
                heaps = list(world)
                for card in self.pack.cards(part):
                    heaps[place] = self.pack.remove(heaps[place], card)
                    heaps[to] = self.pack.add(heaps[to], card)
                found.add(tuple(heaps))
        self.all = found

    # --- what is proven

    def _entries(self, bits: int) -> set[int]:
        return {entry for index, entry in enumerate(self.acts) if bits >> index & 1}

    def proven(self) -> set[int]:
        """The entries of acts that are broken in every world."""
        bits = -1
        for world in self.all:
            bits &= world[-1]
        return self._entries(bits)

    def open(self) -> set[int]:
        """The entries of acts that are broken in some worlds and kept in others."""
        some = 0
        for world in self.all:
            some |= world[-1]
        return self._entries(some) - self.proven()

    def may_be_kept(self, entries: Iterable[int]) -> bool:
        """Whether all these acts are kept in one of the worlds."""
        wanted = set(entries)
        bits = sum(1 << index for index, entry in enumerate(self.acts) if entry in wanted)
        return any(not world[-1] & bits for world in self.all)

    def is_group(self, entries: Iterable[int]) -> bool:
        """Whether one of these acts must be broken, and of no fewer of them that is known."""
        wanted = set(entries)
        fewer = (wanted - {entry} for entry in wanted)
        return not self.may_be_kept(wanted) and all(map(self.may_be_kept, fewer))
