"""What a rule asks of hands, as values, and what is certain of every hand.

A clause never looks at a hand: it says what it needs of one (`Claim`, `AnyOf`, `AllOf`). So known
and unseen hands are one path. `Hands` answers what is certain now; `knowledge` changes it, and
keeps what is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Facts

IMPOSSIBLE = -3
"""Too many copies lie on the table or have left play."""
NO_ELSEWHERE = -2
"""Too many copies are known to be in other hands."""
NO_HAND = -1
"""What is known of the hand itself, or how many cards it has, rules the card out."""
POSSIBLE = 0
"""The card may be in the hand or not."""
YES = 1
"""The card is surely in the hand."""


# --- what a rule says of an act: kept, broken, or what it needs of a hand


class Breach:
    """The act breaks the rule. `facts` are what the clause's sentence is made of; `say` is another
    sentence for this case ("": the clause's own)."""

    __slots__ = ("facts", "say")

    def __init__(self, facts: Facts, say: str = "") -> None:
        self.facts = facts
        self.say = say


class Claim:
    """What a rule needs of a hand at this moment: of the cards in `cards` (a set of kinds on
    every plane), `seat` holds at least `least` and at most `most`. Facts and `say` as a breach
    has them, for when it turns out to be one."""

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
    """Several claims, with facts and `say` as a claim has them."""

    __slots__ = ("claims", "facts", "say")

    def __init__(
        self, claims: tuple[Question, ...], facts: Facts | None = None, say: str = ""
    ) -> None:
        self.claims = claims
        self.facts = facts or {}
        self.say = say


class AnyOf(_Several):
    """Claims, or joined ones, of which one must hold."""

    __slots__ = ()


class AllOf(_Several):
    """Claims, or joined ones, which must all hold."""

    __slots__ = ()


class Unsure:
    """What a rule says of an entry that nothing can decide: it asks about cards that had been
    played before the recording began."""

    __slots__ = ("facts", "say")

    def __init__(self, facts: Facts | None = None, say: str = "") -> None:
        self.facts = facts or {}
        self.say = say


Question = Claim | AnyOf | AllOf
"""What is asked of hands."""
Outcome = Breach | Question | Unsure | None
"""What a clause says of an act; None: it is kept."""


# --- where the cards of one round lie, as far as the referee may know


class Hands:
    """What is certain of all hands now, and the questions that can be asked of them.

    Seats and kinds of card are numbers, a hand is an integer (see `Pack`). A set of cards is a
    mask on all planes: every copy of its kinds. The attributes may be read freely.

    Every copy of every card is in one of three places: `sure[seat]` (it is surely in that hand),
    `unseen` (nobody has located it), or it is gone: everybody saw it, and it lies on the table or
    has left play. Of the unseen cards, `loose[seat]` are in the hand of that seat, nobody knows
    which; unseen cards that are in no hand lie in the stock or have left play unseen. A hand that
    was entered is one without loose cards: known and unseen hands are one case.

    Somebody who buried cards unseen keeps them in `sure` and `loose`: their hand is all of these
    but `hidden[seat]` cards, nobody knows which; `kept[seat]` are those of `sure` that were seen in
    the hand since, and so not buried. `moved[seat]`: cards have come into the hand, or left it for
    another, since the deal.
    """

    __slots__ = ("hidden", "kept", "loose", "moved", "pack", "seats", "sure", "unseen")

    def __init__(self, pack: Pack, seats: int) -> None:
        """All cards unseen, all hands empty."""
        self.pack = pack
        self.seats = seats
        self.unseen = pack.full
        self.sure = [0] * seats
        self.loose = [0] * seats
        self.hidden = [0] * seats
        self.kept = [0] * seats
        self.moved = [False] * seats

    def size(self, seat: int) -> int:
        """How many cards the hand has now."""
        return self.sure[seat].bit_count() + self.loose[seat] - self.hidden[seat]

    def sizes(self) -> list[int]:
        """How many cards each hand has now."""
        held = zip(self.sure, self.loose, self.hidden, strict=True)
        return [sure.bit_count() + loose - hidden for sure, loose, hidden in held]

    def is_known(self, seat: int) -> bool:
        """Whether every card of the hand is known."""
        return not (self.loose[seat] or self.hidden[seat])

    def in_play(self, kind: int) -> int:
        """How many copies of the kind are not gone."""
        column = self.pack.column[kind]
        return sum([(cards & column).bit_count() for cards in (self.unseen, *self.sure)])

    def elsewhere(self) -> int:
        """How many unseen cards are in nobody's hand."""
        return self.unseen.bit_count() - sum(self.loose)

    def can_hold(self, seat: int, kind: int, n: int = 1) -> int:
        """Whether n copies (from 1) of the kind may be in the hand now.

        One of YES, POSSIBLE, NO_HAND, NO_ELSEWHERE, IMPOSSIBLE; not below POSSIBLE: they may.
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
        """How many cards of the set are in the hand now: at least, at most."""
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
        """How many cards of a set are in a hand of which so many are there or buried, if these are
        `kept`."""
        inside = (kept & mask).bit_count()
        rest = self.size(seat) - kept.bit_count()
        return max(0, inside, low - self.hidden[seat]), min(high, inside + rest)

    def answer(self, question: Question) -> bool | None:
        """What the answer to a question is now; None is open."""
        if isinstance(question, Claim):
            bounds = self.bounds(question.seat, question.cards)
            return within(*bounds, question.least, question.most)
        return fold(map(self.answer, question.claims), isinstance(question, AnyOf))

    def beside(self, seat: int, kinds: Sequence[int], mask: int) -> tuple[int, int]:
        """How many cards of the set are in the hand beside these, if these are: at least, at
        most."""
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
        """Whether these seats may hold all of these cards at the same time now.

        Raises ValueError for more copies than are still in play.
        """
        pack, found = self.pack, True
        every: list[int] = []
        new: list[int] = []
        for seat, kinds in shown:
            every += kinds
            for kind in set(kinds):
                found = found and self.can_hold(seat, kind, kinds.count(kind)) >= POSSIBLE
            unknown = [
                kind
                for kind in set(kinds)
                for _ in range(kinds.count(kind) - pack.count(self.sure[seat], kind))
            ]
            kept = self.kept[seat]
            there = kept.bit_count() + pack.beyond(pack.of(kinds), kept).bit_count()
            found = found and len(unknown) <= self.loose[seat] and there <= self.size(seat)
            new += unknown
        for kind in set(every):
            if every.count(kind) > self.in_play(kind):
                raise ValueError(f"{pack.kinds[kind]} has left play or lies on the table")
            found = found and new.count(kind) <= pack.count(self.unseen, kind)
        return found


def within(low: int, high: int, least: int, most: int) -> bool | None:
    """Whether a number that is between `low` and `high` is between `least` and `most`: True,
    False, or None where it is open."""
    if low > most or high < least:
        return False
    return True if low >= least and high <= most else None


def fold(verdicts: Iterable[bool | None], decisive: bool) -> bool | None:
    """Several verdicts as one: `decisive` if one is (any of them True, or False for all of them),
    open if one is, else the other."""
    found = list(verdicts)
    if decisive in found:
        return decisive
    return None if None in found else not decisive
