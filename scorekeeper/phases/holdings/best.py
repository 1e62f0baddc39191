"""What counts of that which was announced. Part of holdings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.orders import TRUMP
from scorekeeper.ruleset.who import mates_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.phases.holdings.rows import HoldingRow
    from scorekeeper.phases.holdings.state import Announced
    from scorekeeper.ruleset.joint import Joint

    Rows = Mapping[str, HoldingRow]


def counting(rnd: Joint, rows: Rows, announced: Sequence[Announced]) -> list[Announced]:
    """The announcements that count: of the rows of which only the best side's do, that side's."""
    rivals = [each for each in announced if rows[each.name].best]
    if not rivals:
        return list(announced)
    best = _best(rnd, rows, rivals)
    own = () if best is None else (best.seat, *mates_of(rnd, best.seat))
    return [each for each in announced if not rows[each.name].best or each.seat in own]


def undecided(rnd: Joint, rows: Rows, announced: Sequence[Announced]) -> list[Announced]:
    """Announcements of several sides of which nobody can say which is the best: none of them was
    shown. Empty where there are none."""
    rivals = [each for each in announced if rows[each.name].best]
    return _equals(rnd, rows, rivals) if rivals and _best(rnd, rows, rivals) is None else []


def _equals(rnd: Joint, rows: Rows, rivals: Sequence[Announced]) -> list[Announced]:
    """The rivals of the best row."""
    first = min(rows[each.name].place for each in rivals)
    return [each for each in rivals if rows[each.name].place == first]


def _best(rnd: Joint, rows: Rows, rivals: Sequence[Announced]) -> Announced | None:
    """The best of these; None where nobody can tell."""
    equals = _equals(rnd, rows, rivals)
    known = [each for each in equals if each.cards]
    if not known and all(each.held for each in equals):
        known = equals
    if known:
        return max(known, key=lambda each: _rank(rnd, rows, each))
    first = equals[0]
    mates = (first.seat, *mates_of(rnd, first.seat))
    return first if all(each.seat in mates for each in equals) else None


def _rank(rnd: Joint, rows: Rows, one: Announced) -> tuple[int, bool, int]:
    """How high it is, whether it is all trumps, and how early its player plays."""
    cards = one.cards or one.held
    way = rows[one.name].way_of(rnd, cards)
    order = rnd.order_in_force()
    trump = order is not None and all(order.classes[kind] == TRUMP for kind in cards)
    seats = rnd.seats
    late = (seats.index(one.seat) - seats.index(rnd.leader)) % len(seats)
    return (way.height if way is not None else 0), trump, -late
