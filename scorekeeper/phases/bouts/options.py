"""What may be done now, as far as table and counts go; the clauses judge the rest."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from scorekeeper.notation import Entry
from scorekeeper.phases.bouts.seats import room
from scorekeeper.phases.bouts.verbs import (
    ATTACK,
    COVER,
    COVERING,
    DRAW,
    PASS,
    TAKE,
    TRANSFER,
    TRUMP,
    TURNUP,
)
from scorekeeper.ruleset.phase import actor_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Luck
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint

TRIED = 100  # attacks with two cards; where there are more, one of them may do


def options(terms: Terms, rnd: Joint, st: State) -> Iterator[Entry]:
    """Acts that might be legal now, for everyone who might act."""
    if not st.attacks:
        if st.leader != st.defender:
            for seat in st.may_lead or [st.leader]:
                yield from _attacks(terms, rnd, st, seat)
        return
    yield from _answers(rnd, st)
    for seat in st.attackers:
        yield from _attacks(terms, rnd, st, seat)
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


def _answers(rnd: Joint, st: State) -> Iterator[Entry]:
    defender = st.defender
    hand = _possible(rnd, st, defender)
    for lying in st.uncovered():
        for kind in hand:
            yield Entry(COVER, defender, (lying, kind))
    for kind in hand:
        yield Entry(TRANSFER, defender, (kind,))
    yield Entry(TAKE, defender, None)


def readings(rnd: Joint, st: State, entry: Entry, seat: int | None) -> Iterator[Entry]:
    """What a card without a word may be, or one that covers without saying what: an attack; from
    the defender a cover of each attack that lies open, or a transfer of attacks of its rank."""
    (kind,) = entry.value
    if not st.attacks and entry.verb is not COVERING:
        yield Entry(ATTACK, st.leader if seat is None else seat, (kind,))
        return
    who = st.defender if seat is None else seat
    if who != st.defender and entry.verb is not COVERING:
        yield Entry(ATTACK, who, (kind,))
        return
    for lying in st.uncovered():
        yield Entry(COVER, who, (lying, kind))
    transfer = Entry(TRANSFER, who, (kind,))
    if entry.verb is not COVERING and not rnd.broken(transfer):
        yield transfer


def with_cards(terms: Terms, rnd: Joint, st: State, entry: Entry, luck: Luck) -> Entry | None:
    """An attack that leaves its cards open, with some; None where there are none to be laid."""
    seat = actor_of(entry)
    most = _most(terms, rnd, st, seat)
    found = [kinds for kinds in _groups(terms, rnd, st, seat) if min(most, len(kinds)) > 1]
    if not found:
        return None
    kinds = luck.choice(found)
    number = luck.randint(2, min(most, len(kinds)))
    return Entry(entry.verb, seat, tuple(sorted(luck.sample(kinds, number))))


def _attacks(terms: Terms, rnd: Joint, st: State, seat: int) -> Iterator[Entry]:
    """Attacks with one card each, and once with several, which are not listed."""
    several: list[tuple[int, ...]] = []
    most = _most(terms, rnd, st, seat)
    for kinds in _groups(terms, rnd, st, seat) if most else ():
        yield from (Entry(ATTACK, seat, (kind,)) for kind in kinds)
        several += combinations(kinds, 2) if most > 1 else ()
    tried = (Entry(ATTACK, seat, cards) for cards in several[:TRIED])
    if len(several) > TRIED or any(not rnd.broken(attack) for attack in tried):
        yield Entry(ATTACK, seat, ())


def _groups(terms: Terms, rnd: Joint, st: State, seat: int) -> list[list[int]]:
    """The cards that the seat may hold and attack with together: those of each rank, or, where
    attacks lie, all of the ranks that lie there."""
    hand = _possible(rnd, st, seat)
    if st.attacks:
        return [[kind for kind in hand if st.ranks >> terms.rank[kind] & 1]]
    ranks = range(len(terms.ranks))
    return [[kind for kind in hand if terms.rank[kind] == rank] for rank in ranks]


def _most(terms: Terms, rnd: Joint, st: State, seat: int) -> int:
    """How many cards the seat may attack with at a time."""
    left = min(room(terms, rnd, st), rnd.hands.size(seat))
    return min(left, terms.at_once(rnd, st) or left)


def _possible(rnd: Joint, st: State, seat: int) -> list[int]:
    """The cards that the seat may hold."""
    can_hold = rnd.hands.can_hold
    kinds = range(rnd.rules.pack.size)
    return [k for k in kinds if can_hold(seat, k) >= 0 and not st.put_back(seat, k)]
