"""Who has lost: by the cards, or by the words of a `result`; and what goes to the next deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import seat_named
from scorekeeper.phases.bouts.keys import NAME, NOBODY
from scorekeeper.phases.bouts.seats import label
from scorekeeper.phases.bouts.terms import deals_played

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint

LOSER = "loser"


def decide(terms: Terms, rnd: Joint, st: State) -> bool:
    """Somebody is out: end the deal if one side alone has cards, or nobody. Gives whether it is
    over."""
    in_play = {rnd.side(seat) for seat in rnd.seats if seat not in st.out}
    if len(in_play) > 1:
        return False
    st.over = True
    nobody = terms.row["nobody"]
    if in_play:
        st.losers = in_play.pop()
    elif nobody != NOBODY:
        st.losers = rnd.side(st.defender if nobody == "defender" else st.leader)
    return True


# --- the words of a result


def conclude(terms: Terms, rnd: Joint, st: State, said: Mapping[str, str]) -> None:
    """End the deal by the words of a result. Raises Unreadable or Impossible as Phase.conclude."""
    if said == {NOBODY: ""}:
        _check_draw(rnd, st)
        st.over, st.losers = True, ()
        return
    if set(said) != {LOSER}:
        if terms.may_draw:
            form = tr("a result here is {loser}=NAME or {draw}", loser=LOSER, draw=NOBODY)
            raise Unreadable(form)
        raise Unreadable(tr("a result here is {loser}=NAME", loser=LOSER))
    seat = seat_named(rnd.names, said[LOSER])
    side = rnd.side(seat)
    if all(mate in st.out for mate in side):
        raise Impossible(tr("{name} is out and cannot have lost", name=rnd.names[seat]))
    if terms.row["nobody"] == NOBODY and all(_is_rid(rnd, st, mate) for mate in side):
        raise Impossible(tr("{name} has no cards left and cannot have lost", name=rnd.names[seat]))
    st.over, st.losers = True, side
    rnd.next_dealer = seat


def _is_rid(rnd: Joint, st: State, seat: int) -> bool:
    """Whether this player has no cards and can get none any more."""
    takes = seat == st.defender and st.open > 0
    return seat in st.out or not (takes or st.talon or rnd.hands.size(seat))


def _check_draw(rnd: Joint, st: State) -> None:
    """Raise Impossible where the defender alone has cards, and more than lie open."""
    others = [seat for seat in rnd.seats if seat != st.defender]
    if not st.attacks or not all(_is_rid(rnd, st, seat) for seat in others):
        return
    if rnd.hands.size(st.defender) > st.open:
        name = rnd.names[st.defender]
        raise Impossible(
            tr("{name} alone has cards, more than lie open, and must have lost", name=name)
        )


def confirms(rnd: Joint, st: State, said: Mapping[str, str]) -> bool:
    """Whether a result only says what a position has decided already."""
    if set(said) == {NOBODY}:
        return not st.losers
    return set(said) == {LOSER} and seat_named(rnd.names, said[LOSER]) in st.losers


def fields(terms: Terms, rnd: Joint) -> list[tuple[str, str, list[str]]]:
    """What a result takes, see Phase.fields."""
    found = [(LOSER, tr("who lost"), rnd.names_of(rnd.seats))]
    if terms.may_draw:
        found.append((NOBODY, tr("or, alone: nobody lost"), []))
    return found


# --- the next deal


def close(terms: Terms, rnd: Joint, st: State) -> None:
    """The deal is over, whichever way: its losers, who deals next, what is kept."""
    st.over = True
    rnd.next_leader = None
    deals = deals_played(rnd) + (not rnd.void)
    rnd.keep(NAME, {"deals": deals, "out": [] if rnd.void else list(st.out)})
    if rnd.void or not st.losers:
        rnd.deals_next = rnd.rules.deal["after_void"]
        return
    rnd.roles["losers"] = (label(rnd, st.losers), st.losers)
    if rnd.next_dealer is None:
        left = [seat for seat in st.losers if seat not in st.out]
        rnd.next_dealer = (left or list(st.losers))[0]
