"""How a bout ends: who takes, who draws how many, who is out, who leads the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.bouts.results import decide
from scorekeeper.phases.bouts.seats import (
    in_order,
    may_anyone_add,
    next_in,
    open_bout,
    opponent,
    room,
)
from scorekeeper.phases.bouts.state import Drawn, LastBout

if TYPE_CHECKING:
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint


def end_if_done(terms: Terms, rnd: Joint, st: State) -> None:
    """End the bout when nothing can or need come any more."""
    if st.over or (st.open and not st.taking):
        return
    ended_by_take = st.taking and terms.take_ends
    if ended_by_take or room(terms, rnd, st) <= 0 or not may_anyone_add(rnd, st):
        _end(terms, rnd, st)


def _end(terms: Terms, rnd: Joint, st: State) -> None:
    taken = st.taking or st.open > 0
    if taken:
        rnd.hands.take_seen(st.defender, rnd.rules.pack.of(st.lying()))
        st.drew.add(st.defender)
    st.ended += 1
    draws = _fill_up(terms, rnd, st)
    gone = [] if st.talon else _without_cards(rnd, st)
    st.out += gone
    st.last = LastBout(taken, st.defender, tuple(draws), st.talon, tuple(gone))
    if not gone or not decide(terms, rnd, st):
        open_bout(terms, rnd, st, *_next_bout(terms, rnd, st, taken))


def _without_cards(rnd: Joint, st: State) -> list[int]:
    """Who has no cards now and was in until now, in playing order."""
    order = in_order(rnd, st.leader)
    return [seat for seat in order if seat not in st.out and not rnd.hands.size(seat)]


# --- filling hands up


def _fill_up(terms: Terms, rnd: Joint, st: State) -> list[tuple[int, int]]:
    """Fill hands up, each completely before the next; gives who drew how many."""
    draws: list[tuple[int, int]] = []
    st.drawn = {}
    if not st.talon:
        return draws
    others = [s for s in in_order(rnd, st.leader) if s not in (st.leader, st.defender)]
    # After an attack that has come back the leader is the defender.
    leader = [] if st.leader == st.defender else [st.leader]
    fill = terms.fill(rnd, st)
    groups = {"leader": leader, "defender": [st.defender], "others": others}
    for group in terms.row["refill"]:
        for seat in groups[group]:
            number = min(fill - rnd.hands.size(seat), st.talon)
            if number > 0 and seat not in st.out:
                _draw(rnd, st, seat, number)
                draws.append((seat, number))
    return draws


def _draw(rnd: Joint, st: State, seat: int, number: int) -> None:
    """A player draws so many cards; the turned-up card is the last of the talon."""
    knowledge = rnd.hands
    last = st.turned if number == st.talon else None
    st.drawn[seat] = Drawn(number, knowledge.sure[seat], last)
    unseen = number - (last is not None)
    if unseen:
        knowledge.take_unseen(seat, unseen)
    if last is not None:
        knowledge.take_seen(seat, rnd.rules.pack.bit[last])
        st.turned = None
    st.talon -= number
    st.drew.add(seat)


# --- the next bout


def _next_bout(terms: Terms, rnd: Joint, st: State, taken: bool) -> tuple[int, int | None]:
    """Who leads the next bout; against whom, where that is not simply the next player."""
    if rnd.rules.sides["number"]:
        return _next_with_sides(terms, rnd, st, taken)
    if taken or st.defender in st.out:
        return next_in(rnd, st, st.defender), None
    return st.defender, None


def _next_with_sides(terms: Terms, rnd: Joint, st: State, taken: bool) -> tuple[int, int]:
    """Leader and defender of the next bout: each side keeps its own order. Where that gives
    somebody who is out (a whole side may be), the next who is in leads; where it gives partners
    (an attack had gone on to the leader's own side), the next of another side defends."""
    leader, defender = st.leader, st.defender
    if taken:
        heir = _next_of_side(rnd, st, leader)
        attacked = _next_of_side(rnd, st, defender)
    else:
        heir = defender
        if defender in st.out:
            mates = rnd.side(defender) if terms.row["heir"] == "side" else None
            heir = next_in(rnd, st, defender, mates)
        attacked = _next_of_side(rnd, st, defender if heir in rnd.side(leader) else leader)
    if heir in st.out:
        heir = next_in(rnd, st, heir)
    if attacked in st.out or attacked in rnd.side(heir):
        attacked = opponent(rnd, st, heir)
    return heir, attacked


def _next_of_side(rnd: Joint, st: State, seat: int) -> int:
    """The next of the seat's side who is in; the seat itself if nobody else is."""
    return next_in(rnd, st, seat, rnd.side(seat))
