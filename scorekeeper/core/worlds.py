"""Whether the cards that nobody has seen can be shared out so that all of what is asked holds.

A world is one way to share them out that fits all that is certain: how many cards each hand has,
how many were buried, what is surely where. What is asked are limits: so many cards of a set have
come to that hand. Where limits only keep cards out of hands, Hall's condition answers: for any
hands together, the cards that none of them may hold find room elsewhere. Else a table is filled
(`tables`): cards against the places where they may be. Where something is joined by *or*, each way
is tried. The answer is open where that takes more than the `Budget` of one entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.tables import Budget, Table, any_of
from scorekeeper.core.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from scorekeeper.core.hands import Hands

    class Layout(Protocol):
        """What is certain of where the cards are."""

        def fits(self, limits: Sequence[Limit]) -> bool | None:
            """Whether some world keeps these limits, if that is seen without a table."""

        def table(self, limits: Sequence[Limit]) -> Table:
            """The table that can be filled if one does."""


class Limit(NamedTuple):
    """Between `least` and `most` cards of the set `mask` are at a `place`, as the layout names
    them."""

    place: object
    mask: int
    least: int
    most: int


class Either(NamedTuple):
    """One of these holds: each a list of what holds together then."""

    ways: tuple[tuple[Asked, ...], ...]


Asked = Limit | Either


def possible(layout: Layout, asked: Iterable[Asked], budget: Budget) -> bool | None:
    """Whether there is a world in which all of this holds; None: that would cost too much."""
    return _all_of(layout, budget, [], list(asked))


def _all_of(layout: Layout, budget: Budget, limits: list[Limit], asked: list[Asked]) -> bool | None:
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
