"""Who plays with the declarer and who against them, where the deal makes no sides. Part of
auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.ruleset.joint import Joint, Role

DECLARER, OPPONENTS = ROLES = ("declarer", "opponents")


def role_of(rnd: Joint, role: str) -> Role:
    """The declarer with who sits on their side, or all others."""
    own = rnd.side(rnd.shared.declarer)
    seats = tuple(seat for seat in rnd.seats if (seat in own) == (role == DECLARER))
    return "+".join(rnd.names_of(seats)), seats


def same_side(rnd: Joint, seat: int, other: int) -> bool | None:
    """Whether two players are on one side; None while nobody can tell."""
    if seat == other or rnd.parties is None:
        return other in rnd.side(seat) or seat == other
    one, two = rnd.parties.of(seat), rnd.parties.of(other)
    return None if one is None or two is None else one == two
