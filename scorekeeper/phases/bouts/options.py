"""What may be done now, as far as table and counts go; the clauses judge the rest."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from scorekeeper.notation import Entry
from scorekeeper.phases.bouts.seats import room
from scorekeeper.phases.bouts.verbs import (
    ATTACK,
    COVER,
    DRAW,
    PASS,
    TAKE,
    TRANSFER,
    TRUMP,
    TURNUP,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.luck import Luck
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint

MOST_SHOWN = 3  # the largest sets of cards that are listed one by one


def options(terms: Terms, rnd: Joint, st: State) -> Iterator[Entry]:
    """Acts that might be legal now, for everyone who might act."""
    if not st.attacks:
        if st.leader != st.defender:
            for seat in st.may_lead or [st.leader]:
                yield from _leads(terms, rnd, st, seat)
        return
    yield from _answers(rnd, st)
    for seat in st.attackers:
        fit = [k for k in _possible(rnd, st, seat) if st.ranks >> terms.rank[k] & 1]
        most = min(room(terms, rnd, st), rnd.hands.size(seat))
        yield from _attacks(seat, [fit], most, terms.at_once(rnd, st))
        yield Entry(PASS, seat, None)


def chance(terms: Terms, rnd: Joint, st: State, luck: Luck) -> Iterator[Entry]:
    """The card that shows trump, and what is drawn after a bout."""
    pack = rnd.rules.pack
    stock = pack.kinds_in(rnd.hands.unseen)
    if not st.trump and not rnd.acted:
        left = [kind for kind in stock if kind not in rnd.start.returned]
        shown = left if st.talon else pack.kinds_in(rnd.hands.sure[rnd.dealer])
        if shown and (st.talon or terms.row["shown"] == "dealer"):
            yield Entry(TURNUP, None, (luck.choice(shown),))
        else:
            yield Entry(TRUMP, None, luck.choice(pack.suits))
    for seat, drawn in st.drawn.items():
        unnamed = drawn.left - (drawn.last is not None)
        if unnamed > 0 and not drawn.shown:
            yield Entry(DRAW, seat, tuple(luck.sample(stock, unnamed)))


def _leads(terms: Terms, rnd: Joint, st: State, seat: int) -> Iterator[Entry]:
    hand = _possible(rnd, st, seat)
    ranks = range(len(terms.ranks))
    same = [[kind for kind in hand if terms.rank[kind] == rank] for rank in ranks]
    return _attacks(seat, same, room(terms, rnd, st), terms.at_once(rnd, st))


def _answers(rnd: Joint, st: State) -> Iterator[Entry]:
    defender = st.defender
    hand = _possible(rnd, st, defender)
    for lying in st.uncovered():
        for kind in hand:
            yield Entry(COVER, defender, (lying, kind))
    for kind in hand:
        yield Entry(TRANSFER, defender, (kind,))
    yield Entry(TAKE, defender, None)


def _attacks(seat: int, fit: list[list[int]], left: int, most: int) -> Iterator[Entry]:
    """Attacks with up to three cards of one of these groups, where there is room `left` and at
    most so many are laid at a time (0: any number); larger ones are given once, without cards."""
    larger = False
    for kinds in fit:
        largest = min(left, most or left, len(kinds))
        larger = larger or largest > MOST_SHOWN
        for number in range(1, min(MOST_SHOWN, largest) + 1):
            for chosen in combinations(kinds, number):
                yield Entry(ATTACK, seat, chosen)
    if larger:
        yield Entry(ATTACK, seat, ())


def _possible(rnd: Joint, st: State, seat: int) -> list[int]:
    """The cards that the seat may hold."""
    can_hold = rnd.hands.can_hold
    kinds = range(rnd.rules.pack.size)
    return [k for k in kinds if can_hold(seat, k) >= 0 and not st.put_back(seat, k)]
