"""Whether the cards that nobody has seen can be shared out so that all of what is asked holds.

A world is one way to share them out that fits all that is certain: how many cards each hand has,
how many were buried, what is surely where. What is asked are limits: so many cards of a set have
come to that hand. Where limits only keep cards out of hands, Hall's condition answers: for any
hands together, the cards that none of them may hold find room elsewhere. Where they count, a flow
does; where something is joined by *or*, or limits overlap and neither lies inside the other, each
way is tried, up to `MOST_TRIES` flows. Beyond that the answer is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.flow import END, START, Network
from scorekeeper.core.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scorekeeper.core.hands import Hands

    Bounds = dict[int, tuple[int, int]]
    """Of each cell, how many cards lie in it: at least, at most."""

MOST_TRIES = 100
"""How many flows are looked for before a question is left open."""


class Limit(NamedTuple):
    """Between `least` and `most` of the cards in `mask` whose place nobody knows are with `seat`:
    in the hand as it is now, or, where `held` is false, the unseen ones, those included that were
    buried."""

    seat: int
    mask: int
    least: int
    most: int
    held: bool


class Either(NamedTuple):
    """One of these holds: each a list of what holds together then."""

    ways: tuple[tuple[Asked, ...], ...]


Asked = Limit | Either


def room(hands: Hands, barred: Sequence[int], unseen: int, loose: Sequence[int]) -> int:
    """How many of these unseen cards can be located before the rest may not be shared out any more,
    `loose` to each seat, if none may hold what is `barred` to it; below 0: it cannot be now.

    For seats together, what is barred to all of them must find room with the others, or among the
    cards that are in no hand. A card that is located takes away one of that room at most.
    """
    found, together = hands.pack.total, [(unseen.bit_count(), unseen)]
    for seat, cards in enumerate(barred):
        if not cards:
            continue
        wanted = loose[seat]
        if hands.hidden[seat]:
            wanted = _wanted(hands, seat, cards)
            if wanted < 0:
                return -1
        if not wanted:
            continue
        for outside, common in together[:]:
            outside -= wanted
            common &= cards
            if common:
                found = min(found, outside - common.bit_count())
                together.append((outside, common))
    return found


def _wanted(hands: Hands, seat: int, barred: int) -> int:
    """How many unseen cards a hand must have at least, some of whose cards were buried: as many of
    those that are surely there as may be are in it still. Below 0: too few were buried."""
    sure = hands.sure[seat]
    if (sure & barred).bit_count() > hands.hidden[seat]:
        return -1
    size = hands.size(seat)
    return size - min(size, (sure & ~barred).bit_count())


def possible(hands: Hands, asked: Iterable[Asked]) -> bool | None:
    """Whether there is a world in which all of this holds; None: nobody has found out."""
    limits: list[Limit] = []
    choices: list[Either] = []
    for each in asked:
        if isinstance(each, Limit):
            limits.append(each)
        else:
            choices.append(each)
    return _Search(hands).all_of(limits, choices)


class _Search:
    """The search for a world; `tries` are how many more flows it may look for."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.tries = MOST_TRIES

    def all_of(self, limits: list[Limit], choices: list[Either]) -> bool | None:
        """Whether all of these limits hold in some world, and one way of each choice."""
        fits = self._fits(limits)
        if not (fits and choices):
            return fits
        first, *rest = choices
        return _any(self._one_way(limits, rest, way) for way in first.ways)

    def _one_way(
        self, limits: list[Limit], choices: list[Either], way: Iterable[Asked]
    ) -> bool | None:
        more = [each for each in way if isinstance(each, Limit)]
        deeper = [each for each in way if isinstance(each, Either)]
        return self.all_of(limits + more, deeper + choices)

    def _fits(self, limits: list[Limit]) -> bool | None:
        if any(each.most < max(0, each.least) for each in limits):
            return False
        hands = self.hands
        if all(each.most <= 0 and (each.held or not hands.hidden[each.seat]) for each in limits):
            barred = [0] * hands.seats
            for each in limits:
                barred[each.seat] |= each.mask
            return room(hands, barred, hands.unseen, hands.loose) >= 0
        cells = _Cells(hands, limits)
        return self._flows(cells, cells.bounds)

    def _flows(self, cells: _Cells, bounds: Bounds) -> bool | None:
        """Whether there is a flow through the cells within these bounds, and one that keeps the
        counts that could not be part of it."""
        if not self.tries:
            return None
        self.tries -= 1
        taken = cells.flow(bounds)
        if taken is None:
            return False
        broken = next((each for each in cells.crossing if not each.holds(taken)), None)
        if broken is None:
            return True
        return _any(self._flows(cells, way) for way in broken.ways(taken, bounds))


def _any(found: Iterable[bool | None]) -> bool | None:
    """Whether one of these is true, looking no further than the first; None if one is open."""
    verdict: bool | None = False
    for each in found:
        if each:
            return True
        verdict = None if each is None else verdict
    return verdict


class _Count(NamedTuple):
    """Between `least` and `most` cards lie in these cells (a set of bits)."""

    cells: int
    least: int
    most: int

    def found(self, taken: list[int]) -> int:
        """How many do, if so many lie in each cell."""
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


class _Cells:
    """The cards whose place nobody knows, as many alike as can be, against the places where they
    may be: in each cell a number, between two bounds. `nested` are counts of which any two lie
    apart or one in the other: these are one flow; `crossing` do not fit among them.
    """

    def __init__(self, hands: Hands, limits: Sequence[Limit]) -> None:
        self.supply: list[int] = []
        self.bounds: Bounds = {}
        self.of_atom: list[int] = []  # of each cell, which cards
        self._cards: list[int] = []  # the same as a set
        self._places: list[tuple[int, bool, bool]] = []  # seat, in hand, among the unseen cards
        masks = list(dict.fromkeys(limit.mask for limit in limits))
        self._make(hands, masks)
        self.nested: list[_Count] = []
        self.crossing: list[_Count] = []
        for seat in range(-1, hands.seats):
            self._count_places(hands, seat)
        counts = dict.fromkeys(self._count(limit) for limit in limits)
        for count in sorted(counts, key=lambda each: each.cells.bit_count()):
            self._place(count)

    def _make(self, hands: Hands, masks: list[int]) -> None:
        """Make the cells: unseen cards may be anywhere, those of a hand of which cards were buried
        there or among these."""
        seats = [seat for seat in range(hands.seats) if hands.loose[seat] or hands.hidden[seat]]
        buried = [seat for seat in seats if hands.hidden[seat]]
        places = [(seat, True) for seat in (-1, *seats)] + [(seat, False) for seat in buried]
        for cards in _atoms(hands.unseen, masks):
            self._row(cards, [(*place, True) for place in places])
        for seat in buried:
            for cards in _atoms(hands.sure[seat], masks):
                self._row(cards, [(seat, True, False), (seat, False, False)])

    def _row(self, cards: int, places: list[tuple[int, bool, bool]]) -> None:
        number = cards.bit_count()
        for place in places:
            self.bounds[len(self.of_atom)] = 0, number
            self.of_atom.append(len(self.supply))
            self._cards.append(cards)
            self._places.append(place)
        self.supply.append(number)

    def _count_places(self, hands: Hands, seat: int) -> None:
        """How many cards a seat has in hand, and has buried; -1: those in no hand."""
        kept = hands.elsewhere() if seat < 0 else hands.loose[seat]
        if seat >= 0 and hands.hidden[seat]:
            kept = hands.size(seat)
            self._add(hands.hidden[seat], lambda place: place[:2] == (seat, False))
        self._add(kept, lambda place: place[:2] == (seat, True))

    def _add(self, number: int, which: Callable[[tuple[int, bool, bool]], bool]) -> None:
        cells = sum([1 << cell for cell, place in enumerate(self._places) if which(place)])
        if cells or number:
            self.nested.append(_Count(cells, number, number))

    def _count(self, limit: Limit) -> _Count:
        cells = 0
        for cell, (seat, in_hand, unseen) in enumerate(self._places):
            meant = in_hand if limit.held else unseen
            if seat == limit.seat and meant and self._cards[cell] & limit.mask:
                cells |= 1 << cell
        return _Count(cells, max(0, limit.least), limit.most)

    def _place(self, count: _Count) -> None:
        """Put a count among the nested ones, if it lies apart from each, or one in the other."""
        apart = (0, count.cells)
        if any(each.cells & count.cells not in (*apart, each.cells) for each in self.nested):
            self.crossing.append(count)
        else:
            self.nested.append(count)

    def flow(self, bounds: Bounds) -> list[int] | None:
        """Numbers for all cells within these bounds that make every nested count right."""
        net = Network()
        atoms = [net.node() for _ in self.supply]
        for node, number in zip(atoms, self.supply, strict=True):
            net.arc(START, node, number, number)
        order = sorted(self.nested, key=lambda each: each.cells.bit_count(), reverse=True)
        nodes = [net.node() for _ in order]
        leaf = [END] * len(self.of_atom)
        for at, (node, count) in enumerate(zip(nodes, order, strict=True)):
            outer = (n for n in range(at - 1, -1, -1) if count.cells & ~order[n].cells == 0)
            above = next(outer, None)
            net.arc(node, END if above is None else nodes[above], count.least, count.most)
            for cell in range(len(leaf)):
                if count.cells >> cell & 1:
                    leaf[cell] = node
        arcs = [
            net.arc(atoms[self.of_atom[cell]], node, *bounds[cell])
            for cell, node in enumerate(leaf)
        ]
        return [net.taken(arc) for arc in arcs] if net.flows() else None


def _atoms(cards: int, masks: list[int]) -> list[int]:
    """The cards, taken apart into those that the same masks hold."""
    found = [cards] if cards else []
    for mask in masks:
        found = [part for each in found for part in (each & mask, each & ~mask) if part]
    return found
