"""Whom a row of a ruleset speaks of: who deals, who plays, whoever sits beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.tables import NEXT, SAME

if TYPE_CHECKING:
    from scorekeeper.ruleset.joint import Joint

MASTER, DECLARER, DEALER = "master", "declarer", "dealer"
ONE = (MASTER, DECLARER, DEALER)  # each of these words is one player


def seat_of(rnd: Joint, who: str) -> int:
    """The seat of the player that one of the words `ONE` means; -1 where there is none now."""
    found = {MASTER: rnd.shared.master, DECLARER: rnd.shared.declarer, DEALER: rnd.dealer}[who]
    return found if found in rnd.seats else -1


def mates_of(rnd: Joint, seat: int) -> tuple[int, ...]:
    """Those who are on a player's side, as far as that is proven, without the player."""
    side = rnd.side(seat)
    if rnd.parties is not None:
        own = rnd.parties.of(seat)
        side = () if own is None else rnd.parties.members(own)
    return tuple([mate for mate in side if mate != seat and mate in rnd.seats])


def dealt_again(rnd: Joint) -> bool:
    """Whether who dealt a round deals the next one too, where `next_dealer` names nobody: what has
    ended the round says it (`deals_next`), else the rules, of a round that is void."""
    word: str = rnd.deals_next or (rnd.rules.deal["after_void"] if rnd.void else NEXT)
    return word == SAME
