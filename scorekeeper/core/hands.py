"""Claims about hands as values, and the certain facts about every hand.

A clause never reads a hand. It returns what it needs of one (`Claim`, `AnyOf`, `AllOf`), so known
and unseen hands take the same path. `Hands` answers what is certain now. `core/knowledge.py`
changes it and keeps open claims.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Facts

IMPOSSIBLE = -3
"""Too many copies are on the table or have left play."""
NO_ELSEWHERE = -2
"""Too many copies are known to be in other hands."""
NO_HAND = -1
"""The known cards of the hand, or their number, rule the card out."""
POSSIBLE = 0
"""The card may be in the hand or not."""
YES = 1
"""The card is certainly in the hand."""


# --- the answer of a rule to an act: obeyed, broken, or a claim about a hand


class Breach:
    """The answer of a rule that an act breaks.

    `facts` fill the clause's sentence. `say` replaces that sentence, unless it is empty.
    """

    __slots__ = ("facts", "say")

    def __init__(self, facts: Facts, say: str = "") -> None:
        self.facts = facts
        self.say = say


class Claim:
    """The statement that a hand has between `least` and `most` cards of a set at this moment.

    `cards` is the set, a mask on every plane. `facts` and `say` are as in `Breach`, for a claim
    that turns out to be false.
    """

    __slots__ = ("cards", "facts", "least", "most", "say", "seat")

    def __init__(
        self,
        seat: int,
        cards: int,
        least: int,
        most: int,
        facts: Facts | None = None,
        say: str = "",
    ) -> None:
        self.seat = seat
        self.cards = cards
        self.least = least
        self.most = most
        self.facts = facts or {}
        self.say = say


class _Several:
    """Several claims, with `facts` and `say` as in `Claim`."""

    __slots__ = ("claims", "facts", "say")

    def __init__(
        self, claims: tuple[Question, ...], facts: Facts | None = None, say: str = ""
    ) -> None:
        self.claims = claims
        self.facts = facts or {}
        self.say = say


class AnyOf(_Several):
    """Claims, simple or compound, of which at least one must hold."""

    __slots__ = ()


class AllOf(_Several):
    """Claims, simple or compound, which must all hold."""

    __slots__ = ()


class Unsure:
    """The answer of a rule that nothing can decide.

    It depends on cards that were played before the recording began.
    """

    __slots__ = ("facts", "say")

    def __init__(self, facts: Facts | None = None, say: str = "") -> None:
        self.facts = facts or {}
        self.say = say


Question = Claim | AnyOf | AllOf
"""A question about hands."""
Outcome = Breach | Question | Unsure | None
"""The answer of a clause to an act. None means that the act obeys it."""


# --- the cards of one round, as far as the referee may know


class Hands:
    """The certain facts about all hands now, and the questions that can be asked about them.

    Seats and kinds of card are numbers, and a hand is an integer (see `Pack`). A set of cards is a
    mask on all planes: every copy of its kinds. Attributes may be read freely.

    Every copy of every card is in one of three places. It is in `known[seat]`, and so certainly
    in that hand. Or it is in `unseen`, and its place is unknown. Or it is gone: everybody saw
    it, and it is on the table or has left play. Of the unseen cards, `unknown_count[seat]` are
    in the hand of that seat. Unseen cards that are in no hand are in the stock, or have left
    play unseen. A hand that was entered has no unknown cards, so that known and unseen hands are
    one case.

    A player who buried cards unseen still has them in `known` and `unknown_count`. Their hand is
    all of these but `buried_count[seat]` cards. `not_buried[seat]` are the cards of `known` that
    were seen in the hand after the burying. `changed[seat]` is true if cards have come into the
    hand since the deal, or have left it for another hand.
    """

    __slots__ = ("hidden", "kept", "loose", "moved", "pack", "seats", "sure", "unseen")

    def __init__(self, pack: Pack, seats: int) -> None:
        """Start with all cards unseen and all hands empty."""
        self.pack = pack
        self.seats = seats
        self.unseen = pack.full
        self.sure = [0] * seats
        self.loose = [0] * seats
        self.hidden = [0] * seats
        self.kept = [0] * seats
        self.moved = [False] * seats

    def size(self, seat: int) -> int:
        """Return how many cards the hand has now."""
        return self.sure[seat].bit_count() + self.loose[seat] - self.hidden[seat]

    def sizes(self) -> list[int]:
        """Return how many cards each hand has now."""
        held = zip(self.sure, self.loose, self.hidden, strict=True)
        return [sure.bit_count() + loose - hidden for sure, loose, hidden in held]

    def is_known(self, seat: int) -> bool:
        """Return whether every card of the hand is known."""
        return not (self.loose[seat] or self.hidden[seat])

    def in_play(self, kind: int) -> int:
        """Return how many copies of the kind are not gone."""
        column = self.pack.column[kind]
        return sum([(cards & column).bit_count() for cards in (self.unseen, *self.sure)])

    def elsewhere(self) -> int:
        """Return how many unseen cards are in no hand."""
        return self.unseen.bit_count() - sum(self.loose)

    def can_hold(self, seat: int, kind: int, n: int = 1) -> int:
        """Return how certain it is that the hand has n copies (from 1) of the kind now.

        The result is CERTAIN, POSSIBLE, NOT_IN_HAND, IN_OTHER_HANDS or NOT_IN_PLAY. The hand may
        have the cards if it is POSSIBLE or above.
        """
        if n > 1 or self.hidden[seat]:
            return self._may_hold(seat, kind, n)
        column = self.pack.column[kind]
        if self.sure[seat] & column:
            return YES
        held = self.unseen & column
        loose = self.loose[seat]
        if held and loose:
            return YES if loose + held.bit_count() > self.unseen.bit_count() else POSSIBLE
        if not self.in_play(kind):
            return IMPOSSIBLE
        return NO_ELSEWHERE if loose else NO_HAND

    def _may_hold(self, seat: int, kind: int, n: int) -> int:
        pack = self.pack
        if n > self.in_play(kind):
            return IMPOSSIBLE
        sure = self.sure[seat]
        hidden = self.hidden[seat]
        loose = self.loose[seat]
        missing = n - pack.count(sure, kind)
        have = pack.count(self.kept[seat], kind) if hidden else n - missing
        if have >= n:
            return YES
        others = self.kept[seat].bit_count() - have if hidden else 0
        if loose < missing or (hidden and self.size(seat) < others + n):
            return NO_HAND
        unseen = self.unseen
        inside = pack.count(unseen, kind)
        if inside < missing:
            return NO_ELSEWHERE
        outside = unseen.bit_count() - inside
        return YES if max(0, loose - outside) - hidden >= missing else POSSIBLE

    def bounds(self, seat: int, mask: int) -> tuple[int, int]:
        """Return the least and the most cards of the set that the hand may have now."""
        sure = self.sure[seat]
        known = (sure & mask).bit_count()
        loose = self.loose[seat]
        hidden = self.hidden[seat]
        if not (loose or hidden):
            return known, known
        inside = (self.unseen & mask).bit_count()
        outside = self.unseen.bit_count() - inside
        low = known + loose - outside if loose > outside else known
        high = known + (loose if loose < inside else inside)
        if hidden:
            return self._in_hand(seat, self.kept[seat], mask, low, high)
        return low, high

    def _in_hand(self, seat: int, kept: int, mask: int, low: int, high: int) -> tuple[int, int]:
        """Narrow bounds for a hand from which cards were buried, given the cards that are not
        buried."""
        inside = (kept & mask).bit_count()
        rest = self.size(seat) - kept.bit_count()
        return max(0, inside, low - self.hidden[seat]), min(high, inside + rest)

    def answer(self, question: Question) -> bool | None:
        """Return the answer to a question as known now, or None while it is open."""
        if isinstance(question, Claim):
            bounds = self.bounds(question.seat, question.cards)
            return within(*bounds, question.least, question.most)
        return fold(map(self.answer, question.claims), isinstance(question, AnyOf))

    def beside(self, seat: int, kinds: Sequence[int], mask: int) -> tuple[int, int]:
        """Return the bounds for a set of cards in the hand after the given kinds have left it."""
        pack, unseen = self.pack, self.unseen
        sure, loose, hidden = self.sure[seat], self.loose[seat], self.hidden[seat]
        for kind in kinds:
            column = pack.column[kind]
            held = sure & column
            if held:
                sure ^= 1 << held.bit_length() - 1
            elif unseen & column and loose:
                unseen ^= 1 << (unseen & column).bit_length() - 1
                loose -= 1
        known = (sure & mask).bit_count()
        inside = (unseen & mask).bit_count()
        outside = unseen.bit_count() - inside
        low, high = known + max(0, loose - outside), known + min(loose, inside)
        if not hidden:
            return low, high
        laid = pack.of(kinds)
        least, most = self._in_hand(seat, pack.beyond(self.kept[seat], laid), mask, low, high)
        return least, max(0, min(most, sure.bit_count() + loose - hidden))

    def may_show(self, shown: Iterable[tuple[int, tuple[int, ...]]]) -> bool:
        """Return whether these seats may have all of these cards at the same time now.

        `shown` are pairs of a seat and kinds. Raises ValueError for more copies than are still
        in play.
        """
        pack, possible = self.pack, True
        every: list[int] = []
        new: list[int] = []
        for seat, kinds in shown:
            every += kinds
            for kind in set(kinds):
                possible = possible and self.can_hold(seat, kind, kinds.count(kind)) >= POSSIBLE
            unknown = [
                kind
                for kind in set(kinds)
                for _ in range(kinds.count(kind) - pack.count(self.sure[seat], kind))
            ]
            not_buried = self.kept[seat]
            there = not_buried.bit_count() + pack.beyond(pack.of(kinds), not_buried).bit_count()
            possible = possible and len(unknown) <= self.loose[seat] and there <= self.size(seat)
            new += unknown
        for kind in set(every):
            if every.count(kind) > self.in_play(kind):
                raise ValueError(f"{pack.kinds[kind]} has left play or lies on the table")
            possible = possible and new.count(kind) <= pack.count(self.unseen, kind)
        return possible


def within(low: int, high: int, least: int, most: int) -> bool | None:
    """Return whether a number between `low` and `high` is between `least` and `most`, or None if
    open."""
    if low > most or high < least:
        return False
    return True if low >= least and high <= most else None


def fold(verdicts: Iterable[bool | None], decisive: bool) -> bool | None:
    """Combine several verdicts into one.

    With `decisive` True, one True decides; with False, one False does. Otherwise an open verdict
    leaves the result open (None).
    """
    all_verdicts = list(verdicts)
    if decisive in all_verdicts:
        return decisive
    return None if None in all_verdicts else not decisive
