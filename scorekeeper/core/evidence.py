"""Which sides are public: settled by what everyone at the table could see and hear.

That is less than what is proven, and other than that: nothing is counted, and no hand that the
referee was told of says anything; but what somebody has said of themselves does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.parties import DECLARING, NAMED, OTHERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.parties import Parties

    Sides = Mapping[int, int]  # of seats


def shown_sides(parties: Parties, seen: Sequence[int]) -> dict[int, int]:
    """The sides that the contract settles, or the cards that everyone has `seen` of each hand; of
    everybody, once every card that makes the declaring side has been seen."""
    if not parties.by_cards:
        known = ((seat, parties.known[seat]) for seat in parties.seats)
        return {seat: side for seat, side in known if side is not None}
    held = {seat: (seen[seat] & parties.mask).bit_count() for seat in parties.seats}
    sides = {seat: DECLARING for seat, number in held.items() if number}
    if parties.mode == NAMED and parties.declarer >= 0:
        sides[parties.declarer] = DECLARING
    if 0 < parties.copies <= sum(held.values()):
        return {seat: sides.get(seat, OTHERS) for seat in parties.seats}
    return sides


def lone_seat(parties: Parties, seen: Sequence[int]) -> int | None:
    """Who is publicly alone on the declaring side, by the contract or by the cards; None: nobody,
    or it is not public."""
    sides = shown_sides(parties, seen)
    declaring = [seat for seat, side in sides.items() if side == DECLARING]
    return declaring[0] if len(sides) == len(parties.seats) and len(declaring) == 1 else None


def public_sides(parties: Parties, shown: Sides, said: Sides) -> dict[int, int]:
    """The sides that are public by what was `shown` and what was `said`, and those that follow
    from them. What was shown is stronger; what cannot be so together says nothing."""
    if not parties.by_cards:
        return dict(shown)
    sides = _settled(parties, shown)
    return _settled(parties, {**said, **sides}) or sides


def _settled(parties: Parties, sides: Sides) -> dict[int, int]:
    """These sides and, as far as they settle them, those of the other seats: nobody else is on the
    declaring side when as many are as there are cards that make it, and somebody is. Empty: they
    cannot be so together."""
    most = parties.copies + (parties.mode == NAMED and parties.declarer >= 0)
    number = sum([side == DECLARING for side in sides.values()])
    left = [seat for seat in parties.seats if seat not in sides]
    if number > most or not (number or left):
        return {}
    found = dict(sides)
    if number == most:
        found.update(dict.fromkeys(left, OTHERS))
    elif not number and len(left) == 1:
        found[left[0]] = DECLARING
    return found
