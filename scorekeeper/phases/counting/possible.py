"""How often a special point may have come, by where its cards are known to be. Part of counting.

A special point that counts the cards somebody had (`run(opponents.laid)`) is decided by the deal,
however much of it was played. Where a result tells of it, or play ends before the last card, the
cards that were laid, and those that are surely in a hand, say what it may be: each way to share out
the rest that the sizes of the hands allow is asked.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions import HEAP, KINDS, ExpressionError
from scorekeeper.core.expressions.parser import OWN
from scorekeeper.core.messages import tr
from scorekeeper.notation.notation import ends_early
from scorekeeper.phases.counting.specials import Special, everyone, found_at_end
from scorekeeper.ruleset.measures import whose_role
from scorekeeper.ruleset.subjects import Own

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.phases.counting.state import State
    from scorekeeper.ruleset.joint import Joint

MOST_WAYS = 1 << 14
"""So many ways to share out cards are asked, at most."""
_LAID = ".laid"
_CONTRACT = "contract."


def possible_numbers(rnd: Joint, special: Special) -> list[int] | None:
    """The numbers that it may come to, in order; None where that cannot be told: it hangs on more
    than the cards that one side had, or on more of them than can be tried."""
    parties = rnd.parties
    if parties is None or not parties.complete or special.to not in parties.names:
        return None
    if rnd.order_in_force() is None:
        return None
    heap = _heap(special)
    cards = _Shares.of(rnd, special, heap) if heap else None
    if cards is None:
        return None
    side = parties.names.index(special.to)
    read = rnd.reading(Own(parties.members(side), side))
    found: set[int] = set()
    try:
        for laid in cards.ways():

            def get(name: str, laid: int = laid) -> object:
                return laid if name == heap else read(name)

            found.add(int(special.count(get)) if special.when(get) else 0)
    except ExpressionError:
        return None
    return sorted(found) or None


def likely(rnd: Joint, special: Special) -> list[str]:
    """The numbers that a result may tell of it, where something is known of its cards."""
    numbers = possible_numbers(rnd, special) or ()
    return [str(number) for number in numbers if number >= special.fewest]


def known_number(rnd: Joint, special: Special) -> int | None:
    """The number that it comes to, or one that counts the same; None where that is not known."""
    numbers = possible_numbers(rnd, special)
    if numbers is None or not all(special.alike(rnd, numbers[0], each) for each in numbers):
        return None
    return numbers[0]


def find_at_end(rnd: Joint, state: State, specials: Iterable[Special]) -> bool:
    """Write down who has which special points of the whole deal. False where play has ended before
    the last card, and how often there is one that a result would tell is not known."""
    unplayed = any(rnd.hands.size(seat) for seat in rnd.seats)
    for special in specials:
        if unplayed and _is_dealt(special) and special.possible(rnd):
            number = known_number(rnd, special)
            if number is None:
                return False
            for own in everyone(rnd, special.to):
                state.give(special.name, own, number, own.seats)
            continue
        for name, own, times in found_at_end(rnd, [special]):
            state.give(name, own, times, own.seats)
    return True


def check_known(rnd: Joint, specials: Iterable[Special], form: str) -> None:
    """Play is to end before the last card. Raises Impossible where a special point of which a
    result (of that `form`) must tell is not known then."""
    for special in specials:
        if not _is_dealt(special) or not special.possible(rnd):
            continue
        if known_number(rnd, special) is None:
            name = rnd.rules.spoken(special.name)
            say = tr("{name}: not known, for not all cards have been seen", name=name)
            raise Impossible(say, ends_early(form))


def _is_dealt(special: Special) -> bool:
    """Whether a result tells of it, and it counts cards that somebody would have laid."""
    return special.told and any(name.endswith(_LAID) for name in _names(special))


def _names(special: Special) -> tuple[str, ...]:
    """What its expressions name; nothing where one is none, as a pinned ruleset may have it."""
    try:
        return (*special.count.names, *special.when.names)
    except ExpressionError:
        return ()


def _heap(special: Special) -> str:
    """The one name of cards that somebody laid on which it hangs; "" where it hangs on more."""
    kind, heaps = special.count.scope.kind, set[str]()
    for name in _names(special):
        if kind(name) == HEAP:
            heaps.add(name)
        elif kind(name) != KINDS and not name.startswith(_CONTRACT):
            return ""
    (heap, *more) = heaps or {""}
    return heap if heap.endswith(_LAID) and not more else ""


class _Shares:
    """The ways in which the cards that make a special point may be shared out: `sure` is what
    somebody laid or has yet to lay, of each of the `kinds` so many more copies (`free`) may be
    theirs or not; from `least` to `most` of them are.
    """

    __slots__ = ("free", "kinds", "least", "most", "rnd", "sure")

    def __init__(self, rnd: Joint) -> None:
        self.rnd = rnd
        self.sure = self.least = self.most = 0
        self.kinds: list[int] = []
        self.free: list[int] = []

    @classmethod
    def of(cls, rnd: Joint, special: Special, heap: str) -> _Shares | None:
        """Those of a special point that hangs on that heap; None where nothing bounds them."""
        role, pack, hands = heap.removesuffix(_LAID), rnd.rules.pack, rnd.hands
        try:
            seats = whose_role(rnd, special.to if role == OWN else role).seats
        except ExpressionError:
            return None
        kinds, begun = special.kinds(rnd), rnd.play_begun()
        if not kinds or rnd.may_pass():
            return None
        shares = cls(rnd)
        laid = rnd.reading(Own(seats))("recorded()")
        assert isinstance(laid, int)
        count, heirs = rnd.beside_tricks()
        shares.sure, unknown, open_cards, room = laid, 0, hands.unseen, 0
        for seat in seats:
            certain = hands.sure[seat]
            if hands.hidden[seat]:
                certain = hands.kept[seat]
            elif not begun and seat in heirs:
                certain, room = 0, room + count
            shares.sure = pack.total_of(shares.sure, certain)
            open_cards = pack.total_of(open_cards, pack.without(hands.sure[seat], certain))
            unknown += hands.size(seat) - certain.bit_count()
        for kind in kinds:
            free = pack.count(open_cards, kind)
            if free:
                shares.kinds.append(kind)
                shares.free.append(free)
        if sum(shares.free) == len(kinds) * pack.copies:
            return None
        elsewhere = open_cards.bit_count() - unknown + room
        if rnd.positioned:  # they may have laid what nobody has seen
            unknown = open_cards.bit_count()
        shares.least, shares.most = sum(shares.free) - elsewhere, unknown
        return shares if prod(free + 1 for free in shares.free) <= MOST_WAYS else None

    def ways(self) -> Iterator[int]:
        """The cards that are theirs, in each way."""
        pack = self.rnd.rules.pack
        for way in product(*(range(free + 1) for free in self.free)):
            if self.least <= sum(way) <= self.most:
                more = [kind for kind, n in zip(self.kinds, way, strict=True) for _ in range(n)]
                yield pack.total_of(self.sure, pack.of(more))
