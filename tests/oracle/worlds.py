"""All distributions of a small pack that agree with the certain facts, listed one by one.

A world holds the current places of the cards and the acts that were broken in it. Events drop the
worlds that do not agree. A card that moves unseen moves in every possible way. No conclusion relies
on a player obeying a rule.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    # Cards as bits. Each kind has one bit for each copy, and the lowest are set for the copies
    # present.
    Heap = int
    # A heap for each place, then a bit for each act that was broken.
    World = tuple[int, ...]

# An act of an entry that depends on a hand, as its number and the code of the rule.
Act = tuple[int, str]


class Small:
    """A pack of a few kinds of cards, each with the same number of copies."""

    def __init__(self, kinds: Sequence[str], copies: int) -> None:
        self.kinds = list(kinds)
        self.copies = copies
        self._first = {kind: number * copies for number, kind in enumerate(kinds)}
        self._parts: dict[tuple[Heap, int], list[tuple[Heap, Heap]]] = {}
        self._less: dict[tuple[Heap, Heap], Heap] = {}
        self._joined: dict[tuple[Heap, Heap], Heap] = {}

    def set_of(self, kinds: Iterable[str]) -> Heap:
        """Return a heap of all copies of these kinds."""
        each = (1 << self.copies) - 1
        return sum(each << self._first[kind] for kind in set(kinds))

    def count(self, heap: Heap, kind: str) -> int:
        """Return how many copies of a kind are in the heap."""
        return (heap & self.set_of([kind])).bit_count()

    def heap(self, cards: Iterable[str]) -> Heap:
        """Return a heap of these cards."""
        found = 0
        for card in cards:
            found = self.add(found, card)
        return found

    def add(self, heap: Heap, kind: str) -> Heap:
        """Return the heap with one more copy."""
        return heap | 1 << self._first[kind] + self.count(heap, kind)

    def remove(self, heap: Heap, kind: str) -> Heap:
        """Return the heap with one copy less."""
        return heap ^ 1 << self._first[kind] + self.count(heap, kind) - 1

    def cards(self, heap: Heap) -> list[str]:
        """Return the cards of the heap."""
        return [kind for kind in self.kinds for _ in range(self.count(heap, kind))]

    def deals(self, sizes: Sequence[int]) -> list[tuple[Heap, ...]]:
        """Return every distribution of the whole pack to places of these sizes."""
        return _deals(len(self.kinds), self.copies, tuple(sizes))

    def parts(self, heap: Heap, size: int) -> list[tuple[Heap, Heap]]:
        """Return every choice of that many cards as a pair: the rest, and the chosen cards."""
        found = self._parts.get((heap, size))
        if found is None:
            chosen = {self.heap(part) for part in combinations(self.cards(heap), size)}
            found = [(self.less(heap, part), part) for part in chosen]
            self._parts[heap, size] = found
        return found

    def less(self, heap: Heap, part: Heap) -> Heap:
        """Return the heap without the cards of `part`."""
        found = self._less.get((heap, part))
        if found is None:
            left = heap
            for card in self.cards(part):
                left = self.remove(left, card)
            found = self._less[heap, part] = left
        return found

    def joined(self, heap: Heap, other: Heap) -> Heap:
        """Return a heap with the cards of both."""
        found = self._joined.get((heap, other))
        if found is None:
            found = self._joined[heap, other] = self.heap(self.cards(heap) + self.cards(other))
        return found


@cache
def _deals(kinds: int, copies: int, sizes: tuple[int, ...]) -> list[tuple[Heap, ...]]:
    """Return the distributions of the last kinds to places with so much room."""
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
    """Yield the distributions of equal cards to places with so much room."""
    if len(sizes) == 1:
        if count <= sizes[0]:
            yield (count,)
        return
    for first in range(min(count, sizes[0]) + 1):
        for rest in _splits(count - first, sizes[1:]):
            yield (first, *rest)


class Worlds:
    """All worlds of one deal, reduced by events.

    Places are numbered: first the seats, then the places in which cards are unseen.
    """

    def __init__(self, pack: Small, sizes: Sequence[int]) -> None:
        self.pack = pack
        self.places = len(sizes)
        self.acts: list[Act] = []
        self.all: set[World] = {(*deal, 0) for deal in pack.deals(sizes)}

    def keep(self, fits: Callable[[World], bool]) -> None:
        """Drop the worlds that do not satisfy `fits`."""
        self.all = {world for world in self.all if fits(world)}
        assert self.all, "what happened fits no deal"

    def entered(self, place: int, cards: Sequence[str]) -> None:
        """Note that all cards of a place are seen."""
        heap = self.pack.heap(cards)
        self.keep(lambda world: world[place] == heap)

    def held(self, place: int, cards: Sequence[str]) -> None:
        """Note that some cards are seen in a place at the same time, and stay."""
        heap = self.pack.heap(cards)
        self.keep(lambda world: world[place] & heap == heap)

    def asked(self, act: Act, broken: Callable[[World], bool]) -> None:
        """Note an act that is broken in some worlds."""
        bit = 1 << len(self.acts)
        self.acts.append(act)
        self.all = {(*w[:-1], w[-1] | bit * broken(w)) for w in self.all}

    def moved(self, place: int, to: int | None, cards: Sequence[str]) -> None:
        """Move cards in public to another place, or to the table for good."""
        self.held(place, cards)
        part = self.pack.heap(cards)
        self.all = {
            self._with(world, place, self.pack.less(world[place], part), to, part)
            for world in self.all
        }

    def moved_unseen(self, place: int, to: int, size: int) -> None:
        """Move that many unseen cards to another place."""
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
        """Return the acts that are broken in every world."""
        bits = -1
        for world in self.all:
            bits &= world[-1]
        return self._of(bits)

    def open(self) -> set[Act]:
        """Return the acts that are broken in some worlds but not in all."""
        some = 0
        for world in self.all:
            some |= world[-1]
        return self._of(some) - self.proven()

    def may_be_kept(self, entries: Iterable[int]) -> bool:
        """Return whether none of the open acts of these entries is broken in some world."""
        wanted, still = set(entries), self.open()
        bits = 0
        for index, act in enumerate(self.acts):
            bits |= (act[0] in wanted and act in still) << index
        return any(not world[-1] & bits for world in self.all)

    def is_group(self, entries: Iterable[int]) -> bool:
        """Return whether one of these entries must be broken, and this is not known of fewer of
        them."""
        wanted = set(entries)
        fewer = (wanted - {entry} for entry in wanted)
        return not self.may_be_kept(wanted) and all(map(self.may_be_kept, fewer))
