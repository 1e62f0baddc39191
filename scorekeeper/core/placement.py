"""Decide whether the unseen cards can be placed so that a set of constraints is met.

A *world* is one placement of all unseen cards that fits all known facts: the number of cards in
each hand, the number of buried cards, and the known cards. A constraint limits how many cards of a
set are at a place. A *layout* states the known facts. `CountedLayout` counts the cards of each
hand, and `Provenance` traces cards that moved unseen.

If the limits only keep cards out of hands, Hall's condition answers the question (see `slack`). It
states that the cards barred from all hands of a group must fit elsewhere. For other limits, an
`AssignmentTable` is filled, with a row of cells for each group of cards and a cell for each
possible place. Constraints joined by *or* are tried one by one. The result is None, which means
open, if the work would exceed the entry's `Budget`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from scorekeeper.core.hands import Hands

    Bounds = dict[int, tuple[int, int]]
    """The minimum and the maximum that each cell may hold."""

    class Layout(Protocol):
        """The facts that are known for certain about the places of cards."""

        def can_keep(self, limits: Sequence[Limit]) -> bool | None:
            """Return whether some world meets these limits, or None if the answer requires a
            table."""

        def make_table(self, limits: Sequence[Limit]) -> AssignmentTable:
            """Return a table that can be filled if and only if some world meets these limits."""


MAX_CELLS = 5_000
"""The maximum number of table cells that are processed for one entry, in all tables together."""
STOCK, BURIED = -1, -2
"""Places that are not hands: the cards that were not dealt, and those buried unseen."""
NEVER_SHOWN = 1 << 20
"""The epoch of cards that have not been shown yet."""
SOURCE, SINK = 0, 1
"""The source and the sink of a network."""


# --- worlds


class Limit(NamedTuple):
    """A constraint: a `place` of the layout has `least` to `most` cards of the set `mask`."""

    place: object
    mask: int
    least: int
    most: int


class AnyLimit(NamedTuple):
    """Lists of constraints, of which at least one list must be met completely."""

    options: tuple[tuple[Constraint, ...], ...]


Constraint = Limit | AnyLimit


def is_possible(layout: Layout, constraints: Iterable[Constraint], budget: Budget) -> bool | None:
    """Return whether some world meets all constraints, or None if the budget is too small."""
    return _can_keep_all(layout, budget, [], list(constraints))


def _can_keep_all(
    layout: Layout, budget: Budget, limits: list[Limit], constraints: list[Constraint]
) -> bool | None:
    """Return whether some world meets all of these limits and constraints."""
    limits = limits + [each for each in constraints if isinstance(each, Limit)]
    choices = [each for each in constraints if isinstance(each, AnyLimit)]
    fits = layout.can_keep(limits)
    if fits is None:
        fits = layout.make_table(limits).can_be_filled(budget)
    if not (fits and choices):
        return fits
    first, *rest = choices
    return any_verdict(
        _can_keep_all(layout, budget, limits, [*way, *rest]) for way in _flat_options(first)
    )


def _flat_options(choice: AnyLimit) -> Iterator[tuple[Constraint, ...]]:
    """Yield the options of a choice, with those of the choices that are options themselves.

    Without this, long chains of nested choices would exceed the depth of recursion.
    """
    pending = list(reversed(choice.options))
    while pending:
        way = pending.pop()
        if len(way) == 1 and isinstance(way[0], AnyLimit):
            pending += reversed(way[0].options)
        else:
            yield way


class CardPlace(NamedTuple):
    """A group of cards that a limit counts.

    If `in_hand` is true, the group is the cards in the hand now. Known cards are left out if the
    seat has buried no cards, because their place is then certain. If `in_hand` is false, the group
    is all unseen cards that the seat has had, including those that it buried.
    """

    seat: int
    in_hand: bool


class CountedLayout:
    """The layout that counts the cards in each hand now. Its places are of type `CardPlace`."""

    __slots__ = ("hands",)

    def __init__(self, hands: Hands) -> None:
        self.hands = hands

    def can_keep(self, limits: Sequence[Limit]) -> bool | None:
        """Return whether some world meets these limits, or None if the answer requires a table.

        Limits that only keep cards out of hands are checked without a table. For any other limit,
        try the stricter limit that allows no card. If that can be met, so can the limit itself.
        """
        hands, barred, exact = self.hands, [0] * self.hands.seats, True
        for limit in limits:
            place = limit.place
            assert isinstance(place, CardPlace)
            if limit.most < max(0, limit.least):
                return False
            if limit.least > 0 or not (place.in_hand or not hands.buried_count[place.seat]):
                return None
            exact = exact and not limit.most
            barred[place.seat] |= limit.mask
        if slack(hands, barred, hands.unseen, hands.unknown_count) >= 0:
            return True
        return False if exact else None

    def make_table(self, limits: Sequence[Limit]) -> AssignmentTable:
        """Return a table with a row for each group of cards, and a cell for each place where they
        may be.

        An unseen card may be anywhere. If cards were buried from a hand, its known cards may be in
        the hand or among the buried cards.
        """
        hands, table = self.hands, AssignmentTable()
        masks = list(dict.fromkeys(limit.mask for limit in limits))
        of: list[list[tuple[int, int, bool, bool]]] = [[] for _ in range(hands.seats + 1)]
        for cell, cards, at, held, unseen in self._add_cells(table, masks):
            of[at].append((cell, cards, held, unseen))  # the last row is for cards in no hand
        for seat, cells in zip(range(-1, hands.seats), of[-1:] + of[:-1], strict=True):
            number = hands.unheld_count() if seat < 0 else hands.unknown_count[seat]
            if seat >= 0 and hands.buried_count[seat]:
                number, buried = hands.size(seat), hands.buried_count[seat]
                table.add_count([cell for cell, _, held, _ in cells if not held], buried, buried)
            table.add_count([cell for cell, _, held, _ in cells if held], number, number)
        for place, mask, least, most in limits:
            assert isinstance(place, CardPlace)
            meant = [
                cell
                for cell, cards, held, unseen in of[place.seat]
                if cards & mask and (held if place.in_hand else unseen)
            ]
            table.add_count(meant, least, most)
        return table

    def _add_cells(
        self, table: AssignmentTable, masks: list[int]
    ) -> Iterator[tuple[int, int, int, bool, bool]]:
        """Add the rows to the table, and yield a tuple for each cell.

        The tuple contains the cell's number, its cards, its seat (-1 if there is none) and two
        flags. The flags are true if the cell is for cards in a hand, and if its cards are unseen.
        """
        hands = self.hands
        buried = [seat for seat in range(hands.seats) if hands.buried_count[seat]]
        held = [(seat, True) for seat in range(-1, hands.seats)]
        rows = [(hands.unseen, held + [(seat, False) for seat in buried], True)]
        for seat in buried:
            not_buried = hands.not_buried[seat]
            rows.append((not_buried, [(seat, True)], False))
            rows.append(
                (
                    hands.pack.subtract(hands.known[seat], not_buried),
                    [(seat, True), (seat, False)],
                    False,
                )
            )
        for cards, places, unseen in rows:
            for part in split_by_masks(cards, masks):
                row = table.add_row(part.bit_count(), len(places))
                for cell, place in zip(row, places, strict=True):
                    yield cell, part, *place, unseen


def split_by_masks(cards: int, masks: list[int]) -> list[int]:
    """Return the cards split into parts, each wholly inside or wholly outside every mask."""
    parts = [cards] if cards else []
    for mask in masks:
        parts = [part for each in parts for part in (each & mask, each & ~mask) if part]
    return parts


def slack(hands: Hands, barred: Sequence[int], unseen: int, unknown: Sequence[int]) -> int:
    """Return how many unseen cards can be located before it becomes uncertain that the rest fit.

    Each seat has `unknown[seat]` of the unseen cards, and none of the set `barred[seat]`. A result
    below 0 means that the cards cannot be placed now. For any group of seats, the cards barred from
    all of them must fit with the other seats or among the cards that are in no hand. Each card that
    is located uses up at most one of those places. This is Hall's condition.
    """
    result, together = hands.pack.card_count, [(unseen.bit_count(), unseen)]
    for seat, cards in enumerate(barred):
        if not cards:
            continue
        wanted = unknown[seat]
        if hands.buried_count[seat]:
            wanted = _count_needed(hands, seat, cards)
            if wanted < 0:
                return -1
        if not wanted:
            continue
        for outside, common in together[:]:
            outside -= wanted
            common &= cards
            if common:
                result = min(result, outside - common.bit_count())
                together.append((outside, common))
    return result


def _count_needed(hands: Hands, seat: int, barred: int) -> int:
    """Return the minimum number of unseen cards in a hand from which cards were buried.

    Assume that as many of its known cards as possible are still in the hand. A result below 0 means
    that more known cards are barred than were buried.
    """
    known_cards = hands.known[seat]
    if (known_cards & barred).bit_count() > hands.buried_count[seat]:
        return -1
    size = hands.size(seat)
    return size - min(size, (known_cards & ~barred).bit_count())


# --- provenance: where cards went unseen
#
# `Hands` only counts cards. That is not enough once a card about which something is known moves
# unseen.
#
# A lot is a group of cards with the same history, such as the cards of a hand, of the stock, or of
# a gift. When cards leave a hand unseen, each of its lots is split into the part that stays and the
# part that leaves. Only the total number of cards that leave is known, for all lots of the hand
# together. Time is counted in epochs. An epoch ends when cards enter a hand or leave it unseen.
# Within an epoch, it is known which seat showed which card. The card was in one of the lots that
# the seat had at the time.


class HandSnapshot(NamedTuple):
    """The cards that a seat had at one moment.

    They consist of two parts. The first part is the cards of `lots`, a mask with a bit for each
    lot, that had not been shown by the end of `epoch`. The second part is the cards that the seat
    showed in that epoch, except the first `shown_before` of them.
    """

    seat: int
    lots: int
    epoch: int
    shown_before: int = NEVER_SHOWN

    def add_parts(self, parts: dict[int, int]) -> HandSnapshot:
        """Return a copy of the snapshot that also includes the lots split off from its lots."""
        return self._replace(lots=_add_parts(self.lots, parts))


class _LotRow(NamedTuple):
    """A table row with its cards, the epoch in which they were shown, and a cell for each lot."""

    cards: int
    shown: int
    cells: list[tuple[int, int]]


class Provenance:
    """The layout that traces groups of cards, called lots. Its places are of type `HandSnapshot`.

    `lots` holds the place and the first epoch of each lot. `totals` lists groups of lots, each with
    the total number of its cards, including cards shown later. `sightings` are further limits,
    which follow from cards that were seen. `shown` lists the kinds that a seat showed in an epoch,
    or that were turned up from the stock. `buried` are the parts of lots that had already been
    buried when tracing began.
    """

    __slots__ = (
        *("buried", "draws", "epoch", "lots", "moved_seats", "pack", "shown", "sightings"),
        *("supply", "totals"),
    )

    def __init__(self, hands: Hands) -> None:
        """Create the lots from the current hands."""
        self.pack = hands.pack
        self.epoch = 0
        self.lots: list[tuple[int, int]] = []  # the place and the first epoch of each lot
        self.totals: list[tuple[int, int]] = []
        self.sightings: list[Limit] = []
        self.shown: dict[tuple[int, int], list[int]] = {}
        self.supply = [hands.copies_in_play(kind) for kind in range(hands.pack.kind_count)]
        self.moved_seats: set[int] = set()  # places from or to which cards have moved unseen
        self.draws: dict[int, int] = {}  # the lots of each seat's latest draw, as a mask
        self._add_lot(STOCK, hands.unheld_count())
        for seat in range(hands.seats):
            self._add_lot(seat, hands.unknown_count[seat])
            self._add_known_lot(seat, hands.known[seat])
        buried = [
            (seat, number, BURIED) for seat, number in enumerate(hands.buried_count) if number
        ]
        self.buried = self.move(buried) if buried else {}
        for seat, _, _ in buried:
            self._note_all_seen(self.take_snapshot(seat), hands.not_buried[seat], hands.pack.copies)

    def copy(self) -> Provenance:
        """Return an independent copy of the lots."""
        other = Provenance.__new__(Provenance)
        other.pack, other.epoch = self.pack, self.epoch
        other.lots, other.totals, other.sightings = self.lots[:], self.totals[:], self.sightings[:]
        other.shown = {when: kinds[:] for when, kinds in self.shown.items()}
        other.supply, other.buried = self.supply[:], self.buried
        other.draws, other.moved_seats = self.draws.copy(), self.moved_seats.copy()
        return other

    # Events

    def show(self, place: int, kind: int) -> None:
        """Record that a card has left a hand openly, or was turned up from the stock."""
        self.shown.setdefault((place, self.epoch), []).append(kind)

    def add_seen(self, seat: int, cards: int) -> None:
        """Record that cards that everybody saw have entered a hand."""
        self.epoch += 1
        for kind in self.pack.kinds_in(cards):
            self.supply[kind] += 1
        self._add_known_lot(seat, cards)

    def move(self, moves: Iterable[tuple[int, int, int]]) -> dict[int, int]:
        """Record unseen moves of cards between places, all at the same time.

        Each item of `moves` is the place, the number of cards and the target place. For each
        lot, return a mask of the new lots that were split off from it.
        """
        parts: dict[int, int] = {}
        totals: list[tuple[int, int]] = []
        for place, number, to in moves:
            moved = 0
            for lot in self._lots_at(place, self.epoch):
                self.lots.append((to, self.epoch + 1))
                new = 1 << (len(self.lots) - 1)
                parts[lot] = parts.get(lot, 0) | new
                moved |= new
            totals.append((moved, number))
            self.moved_seats |= {place, to}
            if place == STOCK:
                self.draws[to] = moved
        self.totals = [(_add_parts(lots, parts), number) for lots, number in self.totals]
        self.totals += totals
        self.sightings = [
            limit._replace(place=_snapshot_of(limit).add_parts(parts)) for limit in self.sightings
        ]
        self.epoch += 1
        return parts

    def note_sighting(self, view: HandSnapshot, cards: int, least: int, most: int) -> None:
        """Record that a snapshot contains `least` to `most` cards of a set."""
        self.sightings.append(Limit(view, cards, least, most))

    def take_snapshot(self, seat: int) -> HandSnapshot:
        """Return a snapshot of the cards that the seat has now."""
        lots = sum([1 << lot for lot in self._lots_at(seat, self.epoch)])
        return HandSnapshot(seat, lots, self.epoch, len(self.shown.get((seat, self.epoch), ())))

    def take_draw_snapshot(self, seat: int) -> HandSnapshot:
        """Return the snapshot of a seat's latest draw, or of its hand if no draw is recorded."""
        lot = self.draws.get(seat)
        return self.take_snapshot(seat) if lot is None else HandSnapshot(seat, lot, self.epoch - 1)

    def take_initial_snapshot(self, seat: int, seen: bool, buried: bool) -> HandSnapshot:
        """Return the snapshot of a hand at the time the lots were created.

        If `seen` is true, include the known cards. If `buried` is true, include the cards that had
        been buried.
        """
        at = self._lots_at(seat, 0)
        lots = sum([1 << lot for lot in (at if seen else at[:1])])
        return HandSnapshot(seat, _add_parts(lots, self.buried) if buried else lots, -1)

    # Questions

    def can_keep(self, limits: Sequence[Limit]) -> bool | None:
        """Return None, because the answer always requires a table."""
        return None

    def make_table(self, limits: Sequence[Limit]) -> AssignmentTable:
        """Return a table with a row for each group of cards, and a cell for each lot that may
        contain them.

        Cards share a row if the same seat showed them in the same epoch, or if they were never
        shown. Cards that some limit treats differently are in different rows.
        """
        table, all_limits = AssignmentTable(), [*self.sightings, *limits]
        rows = list(self._add_rows(table, list(dict.fromkeys(limit.mask for limit in all_limits))))
        of: list[list[int]] = [[] for _ in self.lots]
        for row in rows:
            for lot, cell in row.cells:
                of[lot].append(cell)
        for limit in all_limits:
            view = _snapshot_of(limit)
            after = self.shown.get((view.seat, view.epoch), [])[view.shown_before :]
            seen = sum([limit.mask >> kind & 1 for kind in after])
            meant = [
                cell
                for row in rows
                if row.cards & limit.mask and row.shown > view.epoch
                for lot, cell in row.cells
                if view.lots >> lot & 1
            ]
            table.add_count(meant, limit.least - seen, limit.most - seen)
        for lots, number in self.totals:
            cells = [
                cell
                for lot, cells_of_lot in enumerate(of)
                if lots >> lot & 1
                for cell in cells_of_lot
            ]
            table.add_count(cells, number, number)
        return table

    def _add_rows(self, table: AssignmentTable, masks: list[int]) -> Iterator[_LotRow]:
        """Add the rows of a table and yield them."""
        left, pack = self.supply[:], self.pack
        for (place, epoch), kinds in self.shown.items():
            lots = self._lots_at(place, epoch)
            for part in split_by_masks(
                pack.combine_capped(0, sum({pack.bit[kind] for kind in kinds})), masks
            ):
                number = sum([part >> kind & 1 for kind in kinds])
                yield _LotRow(
                    part, epoch, list(zip(lots, table.add_row(number, len(lots)), strict=True))
                )
            for kind in kinds:
                left[kind] -= 1
        for part in split_by_masks(pack.first, masks):
            number = sum([left[kind] for kind in pack.kinds_in(part)])
            if number:
                yield _LotRow(
                    part, NEVER_SHOWN, list(enumerate(table.add_row(number, len(self.lots))))
                )

    # Helpers

    def _lots_at(self, place: int, epoch: int) -> list[int]:
        """Return the lots that were at a place in an epoch."""
        return [
            lot for lot, (where, since) in enumerate(self.lots) if where == place and since <= epoch
        ]

    def _add_lot(self, place: int, number: int) -> int:
        """Add a lot and return its bit."""
        self.lots.append((place, self.epoch))
        bit = 1 << (len(self.lots) - 1)
        self.totals.append((bit, number))
        return bit

    def _add_known_lot(self, seat: int, cards: int) -> None:
        """Add a lot of known cards."""
        if not cards:
            return
        lot = self._add_lot(seat, cards.bit_count())
        self._note_all_seen(HandSnapshot(seat, lot, self.epoch - 1), cards, 0)

    def _note_all_seen(self, view: HandSnapshot, cards: int, more: int) -> None:
        """Record that a snapshot contains these cards, and at most `more` further copies of each
        kind."""
        for kind in dict.fromkeys(self.pack.kinds_in(cards)):
            number = self.pack.count(cards, kind)
            self.note_sighting(view, self.pack.column[kind], number, number + more)


def _snapshot_of(limit: Limit) -> HandSnapshot:
    assert isinstance(limit.place, HandSnapshot)
    return limit.place


def _add_parts(lots: int, parts: dict[int, int]) -> int:
    """Return the mask of these lots and of the lots that were split off from them."""
    for lot, new in parts.items():
        if lots >> lot & 1:
            lots |= new
    return lots


# --- assignment tables: numbers in cells, with row sums and bounds for sets of cells
#
# Each row is a group of equivalent cards, and its cells are the places where they may be. The table
# is a flow problem as long as any two counted sets of cells are nested or disjoint. A set that
# crosses another is checked afterwards, in the resulting flow. If its count is wrong there, each
# way to correct it is tried.


class Budget:
    """The number of table cells that may still be processed for all questions of one entry."""

    __slots__ = ("cells_left",)

    def __init__(self) -> None:
        self.cells_left = MAX_CELLS


class _Count(NamedTuple):
    """The condition that these cells (bits) hold `least` to `most` in total."""

    cells: int
    least: int
    most: int

    def total(self, amounts: list[int]) -> int:
        """Return the total of these cells, given the amount in each cell."""
        return sum([count for cell, count in enumerate(amounts) if self.cells >> cell & 1])

    def is_met(self, amounts: list[int]) -> bool:
        """Return whether the total is within the bounds."""
        return self.least <= self.total(amounts) <= self.most

    def split_bounds(self, amounts: list[int], bounds: Bounds) -> list[Bounds]:
        """Return two tighter sets of bounds in which to search for amounts that meet the condition.

        The bounds of one cell are split at its current amount, so no solution is lost. The list is
        empty if no amounts within these bounds meet the condition.
        """
        above = self.total(amounts) > self.most
        for cell, count in enumerate(amounts):
            low, high = bounds[cell]
            if self.cells >> cell & 1 and count != (low if above else high):
                cut = count if above else count + 1
                return [{**bounds, cell: (low, cut - 1)}, {**bounds, cell: (cut, high)}]
        return []


class AssignmentTable:
    """A table of numbers to fill in. Add the rows first, then the conditions on their cells."""

    __slots__ = (
        *("_bounds", "_cells_of", "_counts", "_crossing_counts", "_innermost"),
        *("_is_impossible", "_nested_counts", "_row_of", "_rows"),
    )

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._cells_of: list[range] = []  # the cells of each row
        self._row_of: list[int] = []  # the row of each cell
        self._bounds: Bounds = {}
        # cells, with the minimum and maximum of their total
        self._counts: list[tuple[list[int], int, int]] = []
        self._nested_counts: list[_Count] = []
        self._crossing_counts: list[_Count] = []
        self._innermost: list[int] = []  # the innermost nested count that contains each cell
        self._is_impossible = False

    def add_row(self, total: int, cells: int) -> range:
        """Add a row whose cells add up to `total`, and return its cell numbers."""
        first = len(self._row_of)
        new_cells = range(first, first + cells)
        for cell in new_cells:
            self._bounds[cell] = 0, total
            self._row_of.append(len(self._rows))
        self._rows.append(total)
        self._cells_of.append(new_cells)
        return new_cells

    def add_count(self, cells: Iterable[int], least: int, most: int) -> None:
        """Add the condition that these cells together hold `least` to `most`."""
        each = [cell for cell in cells if self._bounds[cell][1]]
        self._is_impossible = (
            self._is_impossible or most < max(0, least) or (least > 0 and not each)
        )
        if most <= 0:
            self._clear(each)
            return
        rows = {self._row_of[cell] for cell in each}
        # These cells use up the whole row, so its other cells must be empty.
        if len(rows) == 1 and least == self._rows[min(rows)]:
            meant = set(each)
            self._clear(cell for cell in self._cells_of[min(rows)] if cell not in meant)
            return
        if least <= 0 and most >= sum([self._bounds[cell][1] for cell in each]):
            return
        self._counts.append((each, max(0, least), most))

    def _clear(self, cells: Iterable[int]) -> None:
        """Set these cells to 0."""
        for cell in cells:
            self._bounds[cell] = 0, 0

    def can_be_filled(self, budget: Budget) -> bool | None:
        """Return whether the table can be filled, or None if the budget is too small."""
        if self._is_impossible:
            return False
        for each, least, most in self._counts:
            cells = sum([1 << cell for cell in each if self._bounds[cell][1]])
            count = _Count(cells, least, most)
            nested = all(_are_nested(cells, other.cells) for other in self._nested_counts)
            (self._nested_counts if nested else self._crossing_counts).append(count)
        self._nested_counts.sort(key=lambda each: each.cells.bit_count(), reverse=True)
        self._innermost = [-1] * len(self._row_of)
        for at, count in enumerate(self._nested_counts):
            rest = count.cells
            while rest:
                cell = (rest & -rest).bit_length() - 1
                self._innermost[cell] = at
                rest &= rest - 1
        return self._solve(self._bounds, budget)

    def _solve(self, bounds: Bounds, budget: Budget) -> bool | None:
        if budget.cells_left < len(bounds):
            return None
        budget.cells_left -= len(bounds)
        amounts = self._find_flow(bounds)
        if amounts is None:
            return False
        wrong = next((each for each in self._crossing_counts if not each.is_met(amounts)), None)
        if wrong is None:
            return True
        return any_verdict(self._solve(way, budget) for way in wrong.split_bounds(amounts, bounds))

    def _find_flow(self, bounds: Bounds) -> list[int] | None:
        """Return an amount within the bounds for each cell, so that every nested count is met.
        Return None if this is impossible."""
        net = Network()
        rows = [net.add_node() for _ in self._rows]
        for node, total in zip(rows, self._rows, strict=True):
            net.add_arc(SOURCE, node, total, total)
        nodes = [net.add_node() for _ in self._nested_counts]
        for at, count in enumerate(self._nested_counts):
            outer = (
                n for n in range(at - 1, -1, -1) if not count.cells & ~self._nested_counts[n].cells
            )
            around = next(outer, -1)
            net.add_arc(nodes[at], nodes[around] if around >= 0 else SINK, count.least, count.most)
        arcs = [
            net.add_arc(rows[row], nodes[inner] if inner >= 0 else SINK, *bounds[cell])
            if bounds[cell][1]
            else -1
            for cell, (row, inner) in enumerate(zip(self._row_of, self._innermost, strict=True))
        ]
        return [net.get_flow(arc) if arc >= 0 else 0 for arc in arcs] if net.find_flow() else None


def any_verdict(verdicts: Iterable[bool | None]) -> bool | None:
    """Return whether any verdict is true, or None if none is true and one is open.

    Stop at the first true verdict.
    """
    verdict: bool | None = False
    for each in verdicts:
        if each:
            return True
        verdict = None if each is None else verdict
    return verdict


def _are_nested(one: int, other: int) -> bool:
    """Return whether two sets are disjoint, or one contains the other."""
    return one & other in (0, one, other)


# --- flows


class Network:
    """A network of arcs between numbered nodes, each arc with a lower and an upper bound.

    The algorithm is the textbook circulation with lower bounds, by shortest augmenting paths.
    The networks here have a few hundred arcs.
    """

    __slots__ = ("_arcs", "_capacity_left", "_heads", "_min_flow")

    def __init__(self) -> None:
        self._arcs: list[list[int]] = [[], []]  # the arcs that begin at each node
        self._heads: list[int] = []
        self._capacity_left: list[int] = []  # how much more flow each arc can carry
        self._min_flow: list[int] = []

    def add_node(self) -> int:
        """Add a node and return its number."""
        self._arcs.append([])
        return len(self._arcs) - 1

    def add_arc(self, start: int, end: int, least: int, most: int) -> int:
        """Add an arc that carries `least` to `most`, and return its number."""
        number = len(self._heads)
        self._arcs[start].append(number)
        self._arcs[end].append(number + 1)
        self._heads += (end, start)
        self._capacity_left += (most - least, 0)
        self._min_flow += (least, least)
        return number

    def get_flow(self, arc: int) -> int:
        """Return the amount on an arc in the flow that `find_flow` found."""
        return self._capacity_left[arc + 1] + self._min_flow[arc]

    def find_flow(self) -> bool:
        """Find a flow within every arc's bounds, and return whether one exists. Call this only
        once."""
        source, sink, wanted = self.add_node(), self.add_node(), 0
        for arc in range(0, len(self._heads), 2):
            least = self._min_flow[arc]
            if least:
                wanted += least
                self.add_arc(source, self._heads[arc], 0, least)
                self.add_arc(self._heads[arc + 1], sink, 0, least)
        self.add_arc(SINK, SOURCE, 0, wanted + sum(self._capacity_left))
        while wanted:
            far = self._distances(source)
            if far[sink] < 0:
                return False
            at = [0] * len(self._arcs)  # the next arc to try at each node
            while pushed := self._push(source, sink, wanted, far, at):
                wanted -= pushed
        return True

    def _distances(self, source: int) -> list[int]:
        """Return the number of arcs on the shortest path to each node, or -1 if it is unreachable.

        A path uses only arcs with free capacity.
        """
        far = [-1] * len(self._arcs)
        far[source] = 0
        reached = [source]
        for node in reached:
            for arc in self._arcs[node]:
                to = self._heads[arc]
                if self._capacity_left[arc] and far[to] < 0:
                    far[to] = far[node] + 1
                    reached.append(to)
        return far

    def _push(self, node: int, sink: int, amount: int, far: list[int], at: list[int]) -> int:
        """Send up to `amount` from a node towards the sink, and return the amount that arrived."""
        if node == sink:
            return amount
        arcs = self._arcs[node]
        while at[node] < len(arcs):
            arc = arcs[at[node]]
            left, to = self._capacity_left[arc], self._heads[arc]
            if left and far[to] == far[node] + 1:
                pushed = self._push(to, sink, min(amount, left), far, at)
                if pushed:
                    self._capacity_left[arc] -= pushed
                    self._capacity_left[arc ^ 1] += pushed
                    return pushed
            at[node] += 1
        return 0
