"""Where cards have gone that nobody saw: what `Hands` counts is not enough once cards of which
something is known have changed places unseen.

A lot are cards that came the same way: those of a hand, of the stock, of a gift. When cards leave a
hand unseen, each of its lots is split into what stays and what goes; how many of them go is known
of all its lots together. Time goes by in epochs: one ends when cards come to a hand or leave it
unseen. Within one it is known who showed which card, of one of the lots that they had then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.tables import Table
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.core.worlds import Limit, atoms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.hands import Hands

STOCK, BURIED = -1, -2
"""Places that are no hands: what nobody was given, and what was buried unseen."""
STAYS = 1 << 20
"""The epoch in which a card is shown that has not been shown yet."""


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


class Lots:
    """The lots of one round: a layout (see `worlds`) whose places are views.

    Of each lot it is known where it is and since which epoch; `totals` are how many cards several
    lots have together, those that were shown later included; `contents` are the cards that some
    are made of, `known` is what was seen of others. `shown` are the kinds that a seat showed in an
    epoch, or that came to light of the stock; `buried` what had been split off for good when the
    lots were made.
    """

    __slots__ = (
        *("buried", "contents", "draws", "epoch", "known", "lots", "pack", "seats", "shown"),
        *("supply", "totals"),
    )

    def __init__(self, hands: Hands) -> None:
        """The lots of hands as they are."""
        self.pack = hands.pack
        self.epoch = 0
        self.lots: list[tuple[int, int]] = []  # place, since which epoch
        self.totals: list[tuple[int, int]] = []
        self.known: list[Limit] = []
        self.contents: list[tuple[View, int]] = []
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
            self.known += self._each_kind(self.now(seat), hands.kept[seat], hands.pack.copies)

    def copy(self) -> Lots:
        """The same lots, to go on apart from these."""
        other = Lots.__new__(Lots)
        other.pack, other.epoch = self.pack, self.epoch
        other.lots, other.totals, other.known = self.lots[:], self.totals[:], self.known[:]
        other.shown = {when: kinds[:] for when, kinds in self.shown.items()}
        other.supply, other.buried = self.supply[:], self.buried
        other.contents = self.contents[:]
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
        self.contents = [(view.split(parts), cards) for view, cards in self.contents]
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
        table, homes, asked = Table(), self._homes(), [*self.known, *limits]
        for view, cards in self.contents:
            away = [kind for kind in self.pack.kinds_in(cards) if kind not in homes]
            asked += self._each_kind(view, self.pack.of(away), 0)
        masks = [limit.mask for limit in asked]
        masks += [self._columns(k for k in homes if homes[k] == at) for at in {*homes.values()}]
        cells = self._cells(table, list(dict.fromkeys(masks)), homes)
        for lots, number in self.totals:
            table.count([cell for cell, _, lot, _ in cells if lots >> lot & 1], number, number)
        for limit in asked:
            view = _view(limit)
            after = self.shown.get((view.seat, view.epoch), [])[view.gone :]
            seen = sum([limit.mask >> kind & 1 for kind in after])
            meant = [
                cell
                for cell, cards, lot, shown in cells
                if cards & limit.mask and view.lots >> lot & 1 and shown > view.epoch
            ]
            table.count(meant, limit.least - seen, limit.most - seen)
        return table

    def _homes(self) -> dict[int, int]:
        """The lots (bits) of which all copies of a kind are, where it is known of all of them."""
        found: dict[int, int] = {}
        for view, cards in self.contents:
            for kind in self.pack.kinds_in(cards & self.pack.first):
                if self.pack.count(cards, kind) == self.supply[kind]:
                    found[kind] = view.lots
        return found

    def _columns(self, kinds: Iterable[int]) -> int:
        return sum([self.pack.column[kind] for kind in kinds])

    def _cells(
        self, table: Table, masks: list[int], homes: dict[int, int]
    ) -> list[tuple[int, int, int, int]]:
        """Make the rows. Gives of each cell: its number, which cards they are, of which lot, when
        they were shown."""
        left, pack = self.supply[:], self.pack
        rows: list[tuple[int, int, list[int], int]] = []  # cards, how many, lots, when shown
        for (place, epoch), kinds in self.shown.items():
            lots = self._at(place, epoch)
            for part in atoms(pack.joined(0, sum({pack.bit[kind] for kind in kinds})), masks):
                rows.append((part, sum([part >> kind & 1 for kind in kinds]), lots, epoch))
            for kind in kinds:
                left[kind] -= 1
        every = list(range(len(self.lots)))
        for part in atoms(pack.first, masks):
            number = sum([left[kind] for kind in pack.kinds_in(part)])
            if number:
                rows.append((part, number, every, STAYS))
        return [
            (cell, cards, lot, shown)
            for cards, number, lots, shown in rows
            for home in [homes.get((cards & -cards).bit_length() - 1, -1)]
            for there in [[lot for lot in lots if home >> lot & 1]]
            for cell, lot in zip(table.row(number, len(there)), there, strict=True)
        ]

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
        self.contents.append((View(seat, lot, self.epoch - 1), cards))

    def _each_kind(self, view: View, cards: int, more: int) -> list[Limit]:
        """These cards are there, and perhaps up to so many more of each kind."""
        pack = self.pack
        return [
            Limit(view, pack.column[kind], number, number + more)
            for kind in pack.kinds_in(cards & pack.first)
            for number in [pack.count(cards, kind)]
        ]


def _view(limit: Limit) -> View:
    assert isinstance(limit.place, View)
    return limit.place


def _with_parts(lots: int, parts: dict[int, int]) -> int:
    """Lots (bits) together with what has been split off them."""
    for lot, new in parts.items():
        if lots >> lot & 1:
            lots |= new
    return lots
