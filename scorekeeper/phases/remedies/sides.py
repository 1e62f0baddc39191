"""Who is with whom. Part of remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.ruleset.joint import Joint


def mates(rnd: Joint, seat: int) -> tuple[int, ...]:
    """The seats that are proven to be on that seat's side, itself among them."""
    parties = rnd.parties
    if parties is None:
        return rnd.side(seat)
    side = parties.of(seat)
    return (seat,) if side is None else parties.members(side)
