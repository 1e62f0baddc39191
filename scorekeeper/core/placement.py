"""Decide whether the unseen cards can be placed so that a set of constraints holds.

A *world* is one placement of all unseen cards that fits everything certain: the number of cards
in each hand, the number of buried ones, and the known cards. A constraint limits how many cards of
a set have come to a place. A *layout* says what is certain. `CountedLayout` counts the cards of
each hand, and `Provenance` follows cards that moved unseen.

If the limits only keep cards out of hands, Hall's condition answers (`slack`). For any hands
together, the cards that none of them may hold must fit elsewhere. Otherwise an `AssignmentTable`
is filled, with cards against the places where they may be. Of constraints joined by *or*, each is
tried. The answer is open if that would exceed the `Budget` of one entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from scorekeeper.core.hands import Hands

    Bounds = dict[int, tuple[int, int]]
    """The least and the most that each cell may hold."""

    class Layout(Protocol):
        """The certain facts about the places of cards."""

        def fits(self, limits: Sequence[Limit]) -> bool | None:
            """Return whether some world meets these limits, or None if a table must decide."""

        def table(self, limits: Sequence[Limit]) -> Table:
            """Return the table that can be filled if some world meets these limits."""


MOST_CELLS = 5_000
"""The total number of cells in all flows after one entry."""
STOCK, BURIED = -1, -2
"""Places that are not hands: the cards that were not dealt, and those buried unseen."""
STAYS = 1 << 20
"""The epoch of cards that have not been shown yet."""
START, END = 0, 1
"""The source and the sink of a network."""


# --- worlds


class Limit(NamedTuple):
    """The limit that `least` to `most` cards of the set `mask` are at a `place` of the layout."""

    place: object
    mask: int
    least: int
    most: int


class Either(NamedTuple):
    """The constraint that at least one of several lists of constraints holds as a whole."""

    ways: tuple[tuple[Wanted, ...], ...]


Wanted = Limit | Either


def possible(layout: Layout, asked: Iterable[Wanted], budget: Budget) -> bool | None:
    """Return whether some world meets all constraints, or None if the budget is too small."""
    return _all_of(layout, budget, [], list(asked))


def _all_of(
    layout: Layout, budget: Budget, limits: list[Limit], asked: list[Wanted]
) -> bool | None:
    """Return whether some world meets all of these limits and constraints."""
    limits = limits + [each for each in asked if isinstance(each, Limit)]
    choices = [each for each in asked if isinstance(each, Either)]
    fits = layout.fits(limits)
    if fits is None:
        fits = layout.table(limits).can_be_filled(budget)
    if not (fits and choices):
        return fits
    first, *rest = choices
    return any_of(_all_of(layout, budget, limits, [*way, *rest]) for way in first.ways)


class Place(NamedTuple):
    """The unknown cards of a hand as it is now, or the unseen cards that a seat has had.

    The second set, with `in_hand` False, includes the cards that the seat buried.
    """

    seat: int
    held: bool


class Dealt:
    """The layout that counts the cards of the hands as they are now. Its places are `CardPlace`."""

    __slots__ = ("hands",)

    def __init__(self, hands: Hands) -> None:
        self.hands = hands

    def fits(self, limits: Sequence[Limit]) -> bool | None:
        """Return whether some world meets these limits, or None if only a table can decide.

        Without a table, limits are decided that only keep cards out of hands. A limit that
        allows some cards is met if a stricter one is met that allows none.
        """
        hands, barred, exact = self.hands, [0] * self.hands.seats, True
        for limit in limits:
            place = limit.place
            assert isinstance(place, Place)
            if limit.most < max(0, limit.least):
                return False
            if limit.least > 0 or not (place.held or not hands.hidden[place.seat]):
                return None
            exact = exact and not limit.most
            barred[place.seat] |= limit.mask
        if room(hands, barred, hands.unseen, hands.loose) >= 0:
            return True
        return False if exact else None

    def table(self, limits: Sequence[Limit]) -> Table:
        """Return the table of unseen cards against hands, in which an unseen card may be anywhere.

        Cards of a hand from which cards were buried may be in that hand or among the buried ones.
        """
        hands, table = self.hands, Table()
        masks = list(dict.fromkeys(limit.mask for limit in limits))
        of: list[list[tuple[int, int, bool, bool]]] = [[] for _ in range(hands.seats + 1)]
        for cell, cards, at, held, unseen in self._cells(table, masks):
            of[at].append((cell, cards, held, unseen))  # the row of no seat is the last
        for seat, cells in zip(range(-1, hands.seats), of[-1:] + of[:-1], strict=True):
            number = hands.elsewhere() if seat < 0 else hands.loose[seat]
            if seat >= 0 and hands.hidden[seat]:
                number, hidden = hands.size(seat), hands.hidden[seat]
                table.count([cell for cell, _, held, _ in cells if not held], hidden, hidden)
            table.count([cell for cell, _, held, _ in cells if held], number, number)
        for place, mask, least, most in limits:
            assert isinstance(place, Place)
            meant = [
                cell
                for cell, cards, held, unseen in of[place.seat]
                if cards & mask and (held if place.held else unseen)
            ]
            table.count(meant, least, most)
        return table

    def _cells(self, table: Table, masks: list[int]) -> Iterator[tuple[int, int, int, bool, bool]]:
        """Add the rows, and yield each cell: its number, its cards, seat (-1: none), in hand,
        unseen."""
        hands = self.hands
        buried = [seat for seat in range(hands.seats) if hands.hidden[seat]]
        held = [(seat, True) for seat in range(-1, hands.seats)]
        rows = [(hands.unseen, held + [(seat, False) for seat in buried], True)]
        for seat in buried:
            not_buried = hands.kept[seat]
            rows.append((not_buried, [(seat, True)], False))
            rows.append(
                (
                    hands.pack.beyond(hands.sure[seat], not_buried),
                    [(seat, True), (seat, False)],
                    False,
                )
            )
        for cards, places, unseen in rows:
            for part in atoms(cards, masks):
                row = table.row(part.bit_count(), len(places))
                for cell, place in zip(row, places, strict=True):
                    yield cell, part, *place, unseen


def atoms(cards: int, masks: list[int]) -> list[int]:
    """Return the cards split into parts, each of which is inside or outside every mask."""
    parts = [cards] if cards else []
    for mask in masks:
        parts = [part for each in parts for part in (each & mask, each & ~mask) if part]
    return parts


def room(hands: Hands, barred: Sequence[int], unseen: int, loose: Sequence[int]) -> int:
    """Return how many unseen cards can be located before the rest may stop being placeable.

    Each seat gets `loose` of these cards, and none that is `barred` to it. A result below 0
    means that the cards cannot be placed now. For any seats together, the cards barred to all of
    them must fit with the other seats or among the cards that are in no hand. Each card that is
    located takes at most one of those places. This is Hall's condition.
    """
    result, together = hands.pack.total, [(unseen.bit_count(), unseen)]
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
                result = min(result, outside - common.bit_count())
                together.append((outside, common))
    return result


def _wanted(hands: Hands, seat: int, barred: int) -> int:
    """Return how many unseen cards a hand must at least have after cards of it were buried.

    As many of its known cards as possible are taken to be still in it. A result below 0 means that
    fewer cards were buried than are barred.
    """
    sure = hands.sure[seat]
    if (sure & barred).bit_count() > hands.hidden[seat]:
        return -1
    size = hands.size(seat)
    return size - min(size, (sure & ~barred).bit_count())


# --- provenance: where cards went unseen  `Hands` counts cards, which is not enough once a card
# about which something is known moves unseen.  A lot is a number of cards that came the same way:
# the cards of a hand, of the stock, or of a gift. When cards leave a hand unseen, each of its lots
# is split into the part that stays and the part that leaves. Only the total that leaves is known,
# for all lots of the hand together. Time is counted in epochs. An epoch ends when cards come into a
# hand or leave it unseen. Within an epoch it is known which seat showed which card, out of one of
# the lots that it had then.


class View(NamedTuple):
    """The cards that a seat had at one moment.

    They are the cards of its `lots` (bits) not shown up to `epoch`, and the cards that the seat
    showed in that epoch after its first `shown_before` ones.
    """

    seat: int
    lots: int
    epoch: int
    gone: int = STAYS

    def split(self, parts: dict[int, int]) -> View:
        """Return the same snapshot after parts (bits) have been split off lots."""
        return self._replace(lots=_with_parts(self.lots, parts))


class _Row(NamedTuple):
    """A row of a table: its cards, the epoch in which they were shown, and a cell for each lot."""

    cards: int
    shown: int
    cells: list[tuple[int, int]]


class Lots:
    """The lots of one round, as a layout whose places are `HandSnapshot`.

    `lots` has for each lot its place and its first epoch. `totals` are the numbers of cards that
    several lots have together, including cards shown later. `sightings` are further limits that
    were seen. `shown` are the kinds that a seat showed in an epoch, or that were turned up from
    the stock. `buried` are the parts that had been split off for good when the lots were made.
    """

    __slots__ = (
        *("buried", "draws", "epoch", "known", "lots", "pack", "seats", "shown", "supply"),
        "totals",
    )

    def __init__(self, hands: Hands) -> None:
        """Make the lots of the hands as they are now."""
        self.pack = hands.pack
        self.epoch = 0
        self.lots: list[tuple[int, int]] = []  # place, first epoch
        self.totals: list[tuple[int, int]] = []
        self.known: list[Limit] = []
        self.shown: dict[tuple[int, int], list[int]] = {}
        self.supply = [hands.in_play(kind) for kind in range(hands.pack.size)]
        self.seats: set[int] = set()  # seats from or to which cards have moved
        self.draws: dict[int, int] = {}  # the lots (bits) of each seat's last draw
        self._add(STOCK, hands.elsewhere())
        for seat in range(hands.seats):
            self._add(seat, hands.loose[seat])
            self._add_seen(seat, hands.sure[seat])
        buried = [(seat, number, BURIED) for seat, number in enumerate(hands.hidden) if number]
        self.buried = self.move(buried) if buried else {}
        for seat, _, _ in buried:
            self._see_all(self.now(seat), hands.kept[seat], hands.pack.copies)

    def copy(self) -> Lots:
        """Return an independent copy of the lots."""
        other = Lots.__new__(Lots)
        other.pack, other.epoch = self.pack, self.epoch
        other.lots, other.totals, other.known = self.lots[:], self.totals[:], self.known[:]
        other.shown = {when: kinds[:] for when, kinds in self.shown.items()}
        other.supply, other.buried = self.supply[:], self.buried
        other.draws, other.seats = self.draws.copy(), self.seats.copy()
        return other

    # Events

    def show(self, place: int, kind: int) -> None:
        """Note that a card has left a hand for all to see, or was turned up from the stock."""
        self.shown.setdefault((place, self.epoch), []).append(kind)

    def come(self, seat: int, cards: int) -> None:
        """Add cards that everybody saw come into a hand."""
        self.epoch += 1
        for kind in self.pack.kinds_in(cards):
            self.supply[kind] += 1
        self._add_seen(seat, cards)

    def move(self, moves: Iterable[tuple[int, int, int]]) -> dict[int, int]:
        """Move numbers of cards from place to place unseen, all at once.

        `moves` are triples of place, number and target place. Returns the parts (bits) that were
        split off each lot.
        """
        parts: dict[int, int] = {}
        totals: list[tuple[int, int]] = []
        for place, number, to in moves:
            moved = 0
            for lot in self._at(place, self.epoch):
                self.lots.append((to, self.epoch + 1))
                new = 1 << (len(self.lots) - 1)
                parts[lot] = parts.get(lot, 0) | new
                moved |= new
            totals.append((moved, number))
            self.seats |= {place, to}
            if place == STOCK:
                self.draws[to] = moved
        self.totals = [(_with_parts(lots, parts), number) for lots, number in self.totals]
        self.totals += totals
        self.known = [limit._replace(place=_view(limit).split(parts)) for limit in self.known]
        self.epoch += 1
        return parts

    def see(self, view: View, cards: int, least: int, most: int) -> None:
        """Note that `least` to `most` cards of a set were seen in a snapshot."""
        self.known.append(Limit(view, cards, least, most))

    def now(self, seat: int) -> View:
        """Return the snapshot of a seat's cards now."""
        lots = sum([1 << lot for lot in self._at(seat, self.epoch)])
        return View(seat, lots, self.epoch, len(self.shown.get((seat, self.epoch), ())))

    def drawn(self, seat: int) -> View:
        """Return the snapshot of a seat's last draw, or of its whole hand if the draw was not
        recorded."""
        lot = self.draws.get(seat)
        return self.now(seat) if lot is None else View(seat, lot, self.epoch - 1)

    def at_first(self, seat: int, seen: bool, buried: bool) -> View:
        """Return the snapshot of a hand when the lots were made.

        `seen` includes the known cards, and `buried` the cards that had been buried.
        """
        at = self._at(seat, 0)
        lots = sum([1 << lot for lot in (at if seen else at[:1])])
        return View(seat, _with_parts(lots, self.buried) if buried else lots, -1)

    # Questions

    def fits(self, limits: Sequence[Limit]) -> bool | None:
        """Return None, because only a table can decide."""
        return None

    def table(self, limits: Sequence[Limit]) -> Table:
        """Return the table of cards by kind, epoch and seat that showed them, against the lots."""
        table, all_limits = Table(), [*self.known, *limits]
        rows = list(self._rows(table, list(dict.fromkeys(limit.mask for limit in all_limits))))
        of: list[list[int]] = [[] for _ in self.lots]
        for row in rows:
            for lot, cell in row.cells:
                of[lot].append(cell)
        for limit in all_limits:
            view = _view(limit)
            after = self.shown.get((view.seat, view.epoch), [])[view.gone :]
            seen = sum([limit.mask >> kind & 1 for kind in after])
            meant = [
                cell
                for row in rows
                if row.cards & limit.mask and row.shown > view.epoch
                for lot, cell in row.cells
                if view.lots >> lot & 1
            ]
            table.count(meant, limit.least - seen, limit.most - seen)
        for lots, number in self.totals:
            cells = [
                cell
                for lot, cells_of_lot in enumerate(of)
                if lots >> lot & 1
                for cell in cells_of_lot
            ]
            table.count(cells, number, number)
        return table

    def _rows(self, table: Table, masks: list[int]) -> Iterator[_Row]:
        """Add the rows of a table and yield them."""
        left, pack = self.supply[:], self.pack
        for (place, epoch), kinds in self.shown.items():
            lots = self._at(place, epoch)
            for part in atoms(pack.joined(0, sum({pack.bit[kind] for kind in kinds})), masks):
                number = sum([part >> kind & 1 for kind in kinds])
                yield _Row(part, epoch, list(zip(lots, table.row(number, len(lots)), strict=True)))
            for kind in kinds:
                left[kind] -= 1
        for part in atoms(pack.first, masks):
            number = sum([left[kind] for kind in pack.kinds_in(part)])
            if number:
                yield _Row(part, STAYS, list(enumerate(table.row(number, len(self.lots)))))

    # Helpers

    def _at(self, place: int, epoch: int) -> list[int]:
        """Return the lots that were at a place in an epoch."""
        return [
            lot for lot, (where, since) in enumerate(self.lots) if where == place and since <= epoch
        ]

    def _add(self, place: int, number: int) -> int:
        """Add a lot and return its bit."""
        self.lots.append((place, self.epoch))
        bit = 1 << (len(self.lots) - 1)
        self.totals.append((bit, number))
        return bit

    def _add_seen(self, seat: int, cards: int) -> None:
        """Add a lot of known cards."""
        if not cards:
            return
        lot = self._add(seat, cards.bit_count())
        self._see_all(View(seat, lot, self.epoch - 1), cards, 0)

    def _see_all(self, view: View, cards: int, more: int) -> None:
        """Note that these cards were seen in a snapshot, and at most `more` others of each kind."""
        for kind in dict.fromkeys(self.pack.kinds_in(cards)):
            number = self.pack.count(cards, kind)
            self.see(view, self.pack.column[kind], number, number + more)


def _view(limit: Limit) -> View:
    assert isinstance(limit.place, View)
    return limit.place


def _with_parts(lots: int, parts: dict[int, int]) -> int:
    """Return lots (bits) with the parts that have been split off them."""
    for lot, new in parts.items():
        if lots >> lot & 1:
            lots |= new
    return lots


# --- assignment tables: numbers in cells, with row sums and bounds for sets of cells  Cards of one
# kind are a row, and the places where they may be are its cells. The table is a flow problem as
# long as any two counted sets of cells are nested or disjoint. A set that crosses another is
# checked in the flow that results. If its count is wrong there, each way to correct it is tried.


class Budget:
    """The number of cells that flows may still use, for all questions of one entry."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MOST_CELLS


class _Count(NamedTuple):
    """The condition that these cells (bits) hold `least` to `most` in total."""

    cells: int
    least: int
    most: int

    def found(self, taken: list[int]) -> int:
        """Return the total of these cells, given the amount in each cell."""
        return sum([count for cell, count in enumerate(taken) if self.cells >> cell & 1])

    def holds(self, taken: list[int]) -> bool:
        """Return whether the total is within the bounds."""
        return self.least <= self.found(taken) <= self.most

    def ways(self, taken: list[int], bounds: Bounds) -> list[Bounds]:
        """Return tighter bounds that together allow every correction of a wrong total.

        Each differs in one cell, and excludes the current amounts. An empty list means that no
        amounts within these bounds meet the condition.
        """
        above = self.found(taken) > self.most
        for cell, count in enumerate(taken):
            low, high = bounds[cell]
            if self.cells >> cell & 1 and count != (low if above else high):
                cut = count if above else count + 1
                return [{**bounds, cell: (low, cut - 1)}, {**bounds, cell: (cut, high)}]
        return []


class Table:
    """A table to be filled. Add its rows first, then the conditions on its cells."""

    __slots__ = (
        *("_bounds", "_cells_of", "_counts", "_crossing", "_inner", "_nested", "_row_of", "_rows"),
        "_void",
    )

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._cells_of: list[range] = []  # the cells of each row
        self._row_of: list[int] = []  # the row of each cell
        self._bounds: Bounds = {}
        self._counts: list[tuple[list[int], int, int]] = []  # cells, at least, at most
        self._nested: list[_Count] = []
        self._crossing: list[_Count] = []
        self._inner: list[int] = []  # the innermost count around each cell
        self._void = False

    def row(self, total: int, cells: int) -> range:
        """Add a row whose cells sum to `total`, and return the numbers of its cells."""
        first = len(self._row_of)
        new_cells = range(first, first + cells)
        for cell in new_cells:
            self._bounds[cell] = 0, total
            self._row_of.append(len(self._rows))
        self._rows.append(total)
        self._cells_of.append(new_cells)
        return new_cells

    def count(self, cells: Iterable[int], least: int, most: int) -> None:
        """Add the condition that these cells together hold `least` to `most`."""
        each = [cell for cell in cells if self._bounds[cell][1]]
        self._void = self._void or most < max(0, least) or (least > 0 and not each)
        if most <= 0:
            self._clear(each)
            return
        rows = {self._row_of[cell] for cell in each}
        # then the other cells of the row are empty
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
        amounts = self._flow(bounds)
        if amounts is None:
            return False
        wrong = next((each for each in self._crossing if not each.holds(amounts)), None)
        if wrong is None:
            return True
        return any_of(self._within(way, budget) for way in wrong.ways(amounts, bounds))

    def _flow(self, bounds: Bounds) -> list[int] | None:
        """Return amounts for all cells that meet every nested count within the bounds, or None."""
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
    """Return whether some verdict is true, or None if one is open. Stops at the first true one."""
    verdict: bool | None = False
    for each in found:
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

    This is the textbook circulation with lower bounds, found by shortest augmenting paths. The
    networks here have a few hundred arcs.
    """

    __slots__ = ("_arcs", "_least", "_left", "_to")

    def __init__(self) -> None:
        self._arcs: list[list[int]] = [[], []]  # the arcs that begin at each node
        self._to: list[int] = []
        self._left: list[int] = []  # how much more each arc may take
        self._least: list[int] = []

    def node(self) -> int:
        """Add a node and return its number."""
        self._arcs.append([])
        return len(self._arcs) - 1

    def arc(self, start: int, end: int, least: int, most: int) -> int:
        """Add an arc that takes from `least` to `most`, and return its number."""
        number = len(self._to)
        self._arcs[start].append(number)
        self._arcs[end].append(number + 1)
        self._to += (end, start)
        self._left += (most - least, 0)
        self._least += (least, least)
        return number

    def taken(self, arc: int) -> int:
        """Return the amount on an arc in the flow of `find_flow`."""
        return self._left[arc + 1] + self._least[arc]

    def flows(self) -> bool:
        """Find a flow within the bounds of every arc, and return whether there is one. Call it
        once."""
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
            at = [0] * len(self._arcs)  # the arc of each node that is tried next
            while pushed := self._push(source, sink, wanted, far, at):
                wanted -= pushed
        return True

    def _distances(self, source: int) -> list[int]:
        """Return the number of arcs with free capacity to each node, or -1 if none lead there."""
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
        """Send up to `amount` from a node towards the sink, and return how much arrived."""
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
