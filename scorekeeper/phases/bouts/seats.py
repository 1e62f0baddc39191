"""Who attacks whom: the order of play, leader and defender, who may add how many attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint


def in_order(rnd: Joint, seat: int) -> list[int]:
    """All seats in playing order, this one first."""
    seats = rnd.seats
    place = seats.index(seat)
    return seats[place:] + seats[:place]


def next_in(rnd: Joint, st: State, seat: int, among: Collection[int] | None = None) -> int:
    """The next to the left who is still in (and among these); the seat itself if none is."""
    seats, out = rnd.seats, st.out
    place = seats.index(seat)
    for other in seats[place + 1 :] + seats[:place]:
        if other not in out and (among is None or other in among):
            return other
    return seat


def opponent(rnd: Joint, st: State, leader: int) -> int:
    """Whom a leader attacks: the next who is in and not on their side."""
    if not rnd.rules.sides["number"]:
        return next_in(rnd, st, leader)
    mates = rnd.side(leader)
    return next_in(rnd, st, leader, [seat for seat in rnd.seats if seat not in mates])


def sides(rnd: Joint) -> list[tuple[int, ...]]:
    """The sides that are fixed by the seating; none where each plays alone."""
    if not rnd.rules.sides["number"]:
        return []
    return list(dict.fromkeys(rnd.side(seat) for seat in rnd.seats))


def label(rnd: Joint, seats: Iterable[int]) -> str:
    """What a side is called."""
    return "+".join(rnd.names_of(seats))


# --- a bout


def open_bout(
    terms: Terms, rnd: Joint, st: State, leader: int, defender: int | None = None
) -> None:
    """A new bout: an empty table, its leader and its defender (None: whom the leader attacks)."""
    st.clear()
    st.leader = leader
    set_defender(terms, rnd, st, opponent(rnd, st, leader) if defender is None else defender)


def set_defender(terms: Terms, rnd: Joint, st: State, defender: int) -> None:
    """Somebody becomes the defender: their cards set the limit, and who may add changes."""
    st.defender = defender
    st.limit = most_attacks(terms, rnd, st, defender)
    st.attackers = _attackers(terms, rnd, st)
    st.certain = len(st.may_lead) < 2


def _attackers(terms: Terms, rnd: Joint, st: State) -> list[int]:
    """Who may attack in this bout, in playing order, the leader first."""
    who, defender, out = terms.adders, st.defender, st.out
    found = [s for s in in_order(rnd, st.leader) if s != defender and s not in out]
    if who == "leader":
        return [seat for seat in found if seat == st.leader]
    if who == "side":
        return [seat for seat in found if seat not in rnd.side(defender)]
    if who == "neighbours":
        order = [seat for seat in in_order(rnd, defender) if seat not in st.out]
        return [seat for seat in found if seat in (st.leader, order[1], order[-1])]
    return found


def most_attacks(terms: Terms, rnd: Joint, st: State, defender: int) -> int:
    """The most attacks that there may be on this defender, with the cards that they hold now."""
    most = terms.most(rnd, st)
    return min(most, rnd.hands.size(defender)) if terms.limited else most


def room(terms: Terms, rnd: Joint, st: State) -> int:
    """How many attacks may still be laid in this bout, by the counts."""
    limit = most_attacks(terms, rnd, st, st.defender) if terms.limit_now else st.limit
    return limit - len(st.attacks)


def room_at_once(terms: Terms, rnd: Joint, st: State) -> int:
    """How many attacks may be added at one time."""
    left = max(0, room(terms, rnd, st))
    return min(left, terms.at_once(rnd, st) or left)


def may_add(rnd: Joint, st: State) -> list[int]:
    """Who may still add, by the counts, and has not passed."""
    size, passed = rnd.hands.size, st.passed
    return [seat for seat in st.attackers if seat not in passed and size(seat)]


def may_anyone_add(rnd: Joint, st: State) -> bool:
    """Whether there is one of these."""
    hands, passed = rnd.hands, st.passed
    for seat in st.attackers:  # noqa: SIM110 - a loop is faster here, once for every act
        if seat not in passed and hands.size(seat):
            return True
    return False


def waiting(rnd: Joint, st: State) -> list[int]:
    """The seats that the game waits for, whose turn it is first."""
    if st.over:
        return []
    if not st.attacks:
        return st.may_lead or [st.leader]
    return [st.defender] if st.answering() else may_add(rnd, st)
