"""Whether the cards that nobody has seen can be shared out so that all of what is asked holds.

A *world* is one way to share them out that fits all that is certain: how many cards each hand has,
how many were buried, what is surely where. What is asked are limits: so many cards of a set have
come to that place. A *layout* says what is certain: `Dealt` by counting hands, `Lots` by following
where cards have gone that nobody saw.

Where limits only keep cards out of hands, Hall's condition answers (`room`): for any hands
together, the cards that none of them may hold find room elsewhere. Else a `Table` is filled: cards
against the places where they may be. Where something is joined by *or*, each way is tried. The
answer is open where that takes more than the `Budget` of one entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from scorekeeper.core.hands import Hands

    Bounds = dict[int, tuple[int, int]]
    """Of each cell, how much may be in it: at least, at most."""

    class Layout(Protocol):
        """What is certain of where the cards are."""

        def fits(self, limits: Sequence[Limit]) -> bool | None:
            """Whether some world keeps these limits, if that is seen without a table."""

        def table(self, limits: Sequence[Limit]) -> Table:
            """The table that can be filled if one does."""


MOST_CELLS = 5_000
"""How many cells the flows may have together that are looked for after one entry."""
STOCK, BURIED = -1, -2
"""Places that are no hands: what nobody was given, and what was buried unseen."""
STAYS = 1 << 20
"""The epoch in which a card is shown that has not been shown yet."""
START, END = 0, 1
"""The nodes of a network where all comes from, and goes to."""


# --- worlds


class Limit(NamedTuple):
    """Between `least` and `most` cards of the set `mask` are at a `place`, as the layout names
    them."""

    place: object
    mask: int
    least: int
    most: int


class Either(NamedTuple):
    """One of these holds: each a list of what holds together then."""

    ways: tuple[tuple[Wanted, ...], ...]


Wanted = Limit | Either


def possible(layout: Layout, asked: Iterable[Wanted], budget: Budget) -> bool | None:
    """Whether there is a world in which all of this holds; None: that would cost too much."""
    return _all_of(layout, budget, [], list(asked))


def _all_of(
    layout: Layout, budget: Budget, limits: list[Limit], asked: list[Wanted]
) -> bool | None:
    """Whether all of these limits hold in some world, and all of what is asked."""
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
    """The hand of a seat as it is now, of the cards whose place nobody knows; or, if not `held`,
    those that were unseen of these, the ones included that were buried."""

    seat: int
    held: bool


class Dealt:
    """What is certain of hands as they are now: a layout whose places are `Place`."""

    __slots__ = ("hands",)

    def __init__(self, hands: Hands) -> None:
        self.hands = hands

    def fits(self, limits: Sequence[Limit]) -> bool | None:
        """Whether some world keeps these limits: where they only keep cards out of hands; where
        they allow some, it does if one keeps out all of those."""
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
        """Unseen cards may be anywhere, those of a hand of which cards were buried there or among
        these."""
        hands, table = self.hands, Table()
        masks = list(dict.fromkeys(limit.mask for limit in limits))
        of: list[list[tuple[int, int, bool, bool]]] = [[] for _ in range(hands.seats + 1)]
        for cell, cards, at, held, unseen in self._cells(table, masks):
            of[at].append((cell, cards, held, unseen))  # those of nobody stand last
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
        """Make the rows. Gives of each cell: its number, which cards they are, with which seat
        (-1: none), whether in hand, whether they are unseen ones."""
        hands = self.hands
        buried = [seat for seat in range(hands.seats) if hands.hidden[seat]]
        held = [(seat, True) for seat in range(-1, hands.seats)]
        rows = [(hands.unseen, held + [(seat, False) for seat in buried], True)]
        for seat in buried:
            kept = hands.kept[seat]
            rows.append((kept, [(seat, True)], False))
            rows.append(
                (hands.pack.beyond(hands.sure[seat], kept), [(seat, True), (seat, False)], False)
            )
        for cards, places, unseen in rows:
            for part in atoms(cards, masks):
                row = table.row(part.bit_count(), len(places))
                for cell, place in zip(row, places, strict=True):
                    yield cell, part, *place, unseen


def atoms(cards: int, masks: list[int]) -> list[int]:
    """The cards, taken apart into those that the same masks hold."""
    found = [cards] if cards else []
    for mask in masks:
        found = [part for each in found for part in (each & mask, each & ~mask) if part]
    return found


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


# --- lots: where cards have gone that nobody saw
#
# What `Hands` counts is not enough once cards of which something is known have changed places
# unseen.
#
# A lot are cards that came the same way: those of a hand, of the stock, of a gift. When cards leave
# a hand unseen, each of its lots is split into what stays and what goes; how many of them go is
# known of all its lots together. Time goes by in epochs: one ends when cards come to a hand or
# leave it unseen. Within one it is known who showed which card, of one of the lots that they had
# then.


class View(NamedTuple):
    """What a seat had at one moment: the cards of these `lots` (bits) that were not shown up to
    `epoch`, and what the seat showed in it after the first `gone` cards."""

    seat: int
    lots: int
    epoch: int
    gone: int = STAYS

    def split(self, parts: dict[int, int]) -> View:
        """The same when parts (bits) have been split off lots."""
        return self._replace(lots=_with_parts(self.lots, parts))


class _Row(NamedTuple):
    """A row of a table: which cards these are, when they were shown, each lot with its cell."""

    cards: int
    shown: int
    cells: list[tuple[int, int]]


class Lots:
    """The lots of one round: a layout whose places are views.

    Of each lot it is known where it is and since which epoch; `totals` are how many cards several
    lots have together, those that were shown later included; `known` is what was seen of them
    beside. `shown` are the kinds that a seat showed in an epoch, or that came to light of the
    stock; `buried` what had been split off for good when the lots were made.
    """

    __slots__ = (
        *("buried", "draws", "epoch", "known", "lots", "pack", "seats", "shown", "supply"),
        "totals",
    )

    def __init__(self, hands: Hands) -> None:
        """The lots of hands as they are."""
        self.pack = hands.pack
        self.epoch = 0
        self.lots: list[tuple[int, int]] = []  # place, since which epoch
        self.totals: list[tuple[int, int]] = []
        self.known: list[Limit] = []
        self.shown: dict[tuple[int, int], list[int]] = {}
        self.supply = [hands.in_play(kind) for kind in range(hands.pack.size)]
        self.seats: set[int] = set()  # whose cards have been moved
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
        """The same lots, to go on apart from these."""
        other = Lots.__new__(Lots)
        other.pack, other.epoch = self.pack, self.epoch
        other.lots, other.totals, other.known = self.lots[:], self.totals[:], self.known[:]
        other.shown = {when: kinds[:] for when, kinds in self.shown.items()}
        other.supply, other.buried = self.supply[:], self.buried
        other.draws, other.seats = self.draws.copy(), self.seats.copy()
        return other

    # What happens

    def show(self, place: int, kind: int) -> None:
        """A card leaves a hand, seen by all, or comes to light of the stock."""
        self.shown.setdefault((place, self.epoch), []).append(kind)

    def come(self, seat: int, cards: int) -> None:
        """Cards that everybody saw come into a hand."""
        self.epoch += 1
        for kind in self.pack.kinds_in(cards):
            self.supply[kind] += 1
        self._add_seen(seat, cards)

    def move(self, moves: Iterable[tuple[int, int, int]]) -> dict[int, int]:
        """So many cards leave a place unseen for another; several moves happen at once. Gives the
        parts (bits) that have been split off lots."""
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
        """That many cards of the set were seen to be there."""
        self.known.append(Limit(view, cards, least, most))

    def now(self, seat: int) -> View:
        """What a seat has now."""
        lots = sum([1 << lot for lot in self._at(seat, self.epoch)])
        return View(seat, lots, self.epoch, len(self.shown.get((seat, self.epoch), ())))

    def drawn(self, seat: int) -> View:
        """What a hand had of its last draw, or all of it if that was before the lots were made."""
        lot = self.draws.get(seat)
        return self.now(seat) if lot is None else View(seat, lot, self.epoch - 1)

    def at_first(self, seat: int, seen: bool, buried: bool) -> View:
        """What was in a hand when the lots were made: with the cards that were `seen`, or without;
        with those that had been `buried` unseen, or without."""
        at = self._at(seat, 0)
        lots = sum([1 << lot for lot in (at if seen else at[:1])])
        return View(seat, _with_parts(lots, self.buried) if buried else lots, -1)

    # What may be

    def fits(self, limits: Sequence[Limit]) -> bool | None:
        """Never seen without a table."""
        return None

    def table(self, limits: Sequence[Limit]) -> Table:
        """Cards of each kind, by when and by whom they were shown, against the lots."""
        table, asked = Table(), [*self.known, *limits]
        rows = list(self._rows(table, list(dict.fromkeys(limit.mask for limit in asked))))
        of: list[list[int]] = [[] for _ in self.lots]
        for row in rows:
            for lot, cell in row.cells:
                of[lot].append(cell)
        for limit in asked:
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
            cells = [cell for lot, found in enumerate(of) if lots >> lot & 1 for cell in found]
            table.count(cells, number, number)
        return table

    def _rows(self, table: Table, masks: list[int]) -> Iterator[_Row]:
        """Make the rows of a table."""
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

    # Inside

    def _at(self, place: int, epoch: int) -> list[int]:
        """The lots that were at a place in an epoch."""
        return [
            lot for lot, (where, since) in enumerate(self.lots) if where == place and since <= epoch
        ]

    def _add(self, place: int, number: int) -> int:
        """A new lot; its bit."""
        self.lots.append((place, self.epoch))
        bit = 1 << (len(self.lots) - 1)
        self.totals.append((bit, number))
        return bit

    def _add_seen(self, seat: int, cards: int) -> None:
        """A new lot of cards that are known."""
        if not cards:
            return
        lot = self._add(seat, cards.bit_count())
        self._see_all(View(seat, lot, self.epoch - 1), cards, 0)

    def _see_all(self, view: View, cards: int, more: int) -> None:
        """These cards were seen to be there, and perhaps up to so many more of each kind."""
        for kind in dict.fromkeys(self.pack.kinds_in(cards)):
            number = self.pack.count(cards, kind)
            self.see(view, self.pack.column[kind], number, number + more)


def _view(limit: Limit) -> View:
    assert isinstance(limit.place, View)
    return limit.place


def _with_parts(lots: int, parts: dict[int, int]) -> int:
    """Lots (bits) together with what has been split off them."""
    for lot, new in parts.items():
        if lots >> lot & 1:
            lots |= new
    return lots


# --- tables: numbers in cells, rows that sum to so much, sets of cells that hold so much
#
# Cards of one kind are a row, the places where they may be are its cells. Whether the cells can be
# filled is a question of flows as long as of any two counted sets one lies in the other or they lie
# apart; a set that crosses another is looked at in what the flow has found, and if it is not right
# there, each way to make it so is tried.


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


# --- flows


class Network:
    """Arcs between nodes, which are numbers; each arc takes at least and at most so much.

    The textbook's circulation with lower bounds, by shortest paths that augment a flow. The
    networks here are of a few hundred arcs.
    """

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
