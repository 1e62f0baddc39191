"""Who plays against whom, by what everyone at the table knows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.ruleset.joint import Joint


def publicly_alone(rnd: Joint) -> int | None:
    """The seat that is publicly alone against the others; None: nobody is, or it is not public."""
    parties = rnd.parties
    if parties is None:
        return None
    from scorekeeper.core.sides import lone_seat

    return lone_seat(parties, rnd.cards_seen() if parties.by_cards else ())


def opponents(rnd: Joint, seat: int) -> list[int]:
    """Who is publicly on the other side than a seat, as far as that is public; where the sides are
    those of the seating, who is not on the seat's own."""
    if rnd.parties is None:
        return [other for other in rnd.seats if other not in rnd.side(seat)]
    sides = rnd.public_sides()
    own = sides.get(seat)
    return [other for other in rnd.seats if own is not None and sides.get(other, own) != own]
