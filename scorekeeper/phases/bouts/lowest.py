"""Whose the lowest trump was at the deal, as far as the cards that were seen tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Facts
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint

    Seen = Sequence[tuple[int, int]]  # cards, each with the seat that shows it


def lower_trump(terms: Terms, rnd: Joint, st: State, leader: int, seen: Seen) -> Facts | None:
    """The lowest trump that is known to have been in a hand since the deal, if it was another's
    and the leader surely had none as low. `seen` are the cards that are shown now."""
    lower = 0
    for kind in terms.trumps(st.trump):
        holder = _holder(rnd, st, leader, seen, kind)
        if holder == leader:
            return None
        if holder is not None:
            break
        if all(kind != shown for _, shown in seen):
            lower |= rnd.rules.pack.column[kind]
    else:
        return None
    if rnd.hands.bounds(leader, lower)[1]:
        return None
    card = rnd.rules.pack.kinds[kind]
    return {"holder": rnd.names[holder], "card": card, "leader": rnd.names[leader]}


def _holder(rnd: Joint, st: State, leader: int, seen: Seen, kind: int) -> int | None:
    """In whose hand a card is known to have been since the deal; None: it is not known."""
    if kind in st.shown:
        return st.shown[kind]
    column, sure = rnd.rules.pack.column[kind], rnd.hands.sure
    held = [(seat, kind) for seat in rnd.seats if sure[seat] & column]
    for seat, card in (*reversed(seen), *reversed(held)):
        if card == kind and (seat == leader or seat not in st.drew):
            return seat
    return None
