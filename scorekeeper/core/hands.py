"""Claims about hands, and the facts that are known for certain about each hand.

A rule's clause never reads a hand. It returns a claim about the hand (`Claim`, `AnyOf`, `AllOf`),
so known and unseen hands are handled the same way. `Hands` decides a claim if the facts that are
certain so far allow it. `core/knowledge.py` updates these facts, and stores the claims that are
still open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Facts

NOT_IN_PLAY = -3
"""Verdict that the hand cannot have the cards, because too many copies are on the table or have
left play."""
IN_OTHER_HANDS = -2
"""Verdict that the hand cannot have the cards, because too many copies are known to be in other
hands."""
NOT_IN_HAND = -1
"""Verdict that the hand cannot have the cards, because of its size or its known cards."""
POSSIBLE = 0
"""Verdict that the hand may have the cards."""
CERTAIN = 1
"""Verdict that the hand certainly has the cards."""


# --- the answer of a rule to an act: obeyed, broken, or a claim about a hand


class Breach:
    """The result of a rule for an act that breaks it.

    `facts` fill the clause's message template. If `say` is not empty, it replaces the template.
    """

    __slots__ = ("facts", "say")

    def __init__(self, facts: Facts, say: str = "") -> None:
        self.facts = facts
        self.say = say


class Claim:
    """A statement that a hand now has between `least` and `most` cards of a set.

    `cards` is the set, as a mask on every plane. If the claim turns out to be false, `facts` and
    `say` are used as in `Breach`.
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


class _JointClaims:
    """Several claims, with `facts` and `say` as in `Claim`."""

    __slots__ = ("claims", "facts", "say")

    def __init__(
        self, claims: tuple[Question, ...], facts: Facts | None = None, say: str = ""
    ) -> None:
        self.claims = claims
        self.facts = facts or {}
        self.say = say


class AnyOf(_JointClaims):
    """A group of claims, simple or compound, of which at least one must hold."""

    __slots__ = ()


class AllOf(_JointClaims):
    """A group of claims, simple or compound, all of which must hold."""

    __slots__ = ()


class Unsure:
    """The result of a rule for an act that can never be judged.

    The verdict would depend on cards that were played before the recording began.
    """

    __slots__ = ("facts", "say")

    def __init__(self, facts: Facts | None = None, say: str = "") -> None:
        self.facts = facts or {}
        self.say = say


Question = Claim | AnyOf | AllOf
"""A question about hands."""
Outcome = Breach | Question | Unsure | None
"""The result of a clause for an act. None means that the act obeys the clause."""


# --- the cards of one round, as far as the referee may know


class Hands:
    """The facts that are known for certain about all hands, with methods that query them.

    Seats and kinds of card are numbers, and a hand is an integer (see `Pack`). A set of cards is a
    mask on all planes, with every copy of its kinds. Attributes may be read freely.

    Every copy of every card is in one of three places. If it is in `known[seat]`, it is certainly
    in that hand. If it is in `unseen`, its place is unknown. Otherwise it is gone, which means that
    everybody saw it and that it is on the table or out of play. `unknown_count[seat]` is the number
    of unseen cards in the hand of that seat. Unseen cards that are in no hand are in the stock, or
    have left play unseen. A hand that was entered has no unknown cards, so known and unseen hands
    are handled the same way.

    Cards that a player buried unseen are still included in `known` and `unknown_count`. So the size
    of a hand is the number of its known and unknown cards, minus `buried_count[seat]`.
    `not_buried[seat]` are the known cards that were seen in the hand after cards had been buried.
    `changed[seat]` is true if the seat has given, received, drawn or buried cards since the deal.
    """

    __slots__ = (
        *("buried_count", "changed", "known", "not_buried", "pack", "seats"),
        *("unknown_count", "unseen"),
    )

    def __init__(self, pack: Pack, seats: int) -> None:
        """Start with all cards unseen and all hands empty."""
        self.pack = pack
        self.seats = seats
        self.unseen = pack.full
        self.known = [0] * seats
        self.unknown_count = [0] * seats
        self.buried_count = [0] * seats
        self.not_buried = [0] * seats
        self.changed = [False] * seats

    def size(self, seat: int) -> int:
        """Return how many cards the hand has now."""
        return self.known[seat].bit_count() + self.unknown_count[seat] - self.buried_count[seat]

    def sizes(self) -> list[int]:
        """Return how many cards each hand has now."""
        held = zip(self.known, self.unknown_count, self.buried_count, strict=True)
        return [known_cards.bit_count() + unknown - buried for known_cards, unknown, buried in held]

    def is_known(self, seat: int) -> bool:
        """Return whether every card of the hand is known."""
        return not (self.unknown_count[seat] or self.buried_count[seat])

    def copies_in_play(self, kind: int) -> int:
        """Return how many copies of the kind are unseen or known to be in a hand."""
        column = self.pack.column[kind]
        return sum([(cards & column).bit_count() for cards in (self.unseen, *self.known)])

    def unheld_count(self) -> int:
        """Return how many unseen cards are not in any hand."""
        return self.unseen.bit_count() - sum(self.unknown_count)

    def can_hold(self, seat: int, kind: int, n: int = 1) -> int:
        """Return how certain it is that the hand now has n copies of the kind (n is 1 or more).

        The result is CERTAIN, POSSIBLE, NOT_IN_HAND, IN_OTHER_HANDS or NOT_IN_PLAY. These constants
        are ordered, and the hand may have the cards if the result is at least POSSIBLE.
        """
        if n > 1 or self.buried_count[seat]:
            return self._can_hold_copies(seat, kind, n)
        column = self.pack.column[kind]
        if self.known[seat] & column:
            return CERTAIN
        held = self.unseen & column
        unknown = self.unknown_count[seat]
        if held and unknown:
            return CERTAIN if unknown + held.bit_count() > self.unseen.bit_count() else POSSIBLE
        if not self.copies_in_play(kind):
            return NOT_IN_PLAY
        return IN_OTHER_HANDS if unknown else NOT_IN_HAND

    def _can_hold_copies(self, seat: int, kind: int, n: int) -> int:
        pack = self.pack
        if n > self.copies_in_play(kind):
            return NOT_IN_PLAY
        known_cards = self.known[seat]
        buried = self.buried_count[seat]
        unknown = self.unknown_count[seat]
        missing = n - pack.count(known_cards, kind)
        have = pack.count(self.not_buried[seat], kind) if buried else n - missing
        if have >= n:
            return CERTAIN
        others = self.not_buried[seat].bit_count() - have if buried else 0
        if unknown < missing or (buried and self.size(seat) < others + n):
            return NOT_IN_HAND
        unseen = self.unseen
        inside = pack.count(unseen, kind)
        if inside < missing:
            return IN_OTHER_HANDS
        outside = unseen.bit_count() - inside
        return CERTAIN if max(0, unknown - outside) - buried >= missing else POSSIBLE

    def bounds(self, seat: int, mask: int) -> tuple[int, int]:
        """Return the minimum and maximum number of cards of the set that the hand may have now."""
        known_cards = self.known[seat]
        known = (known_cards & mask).bit_count()
        unknown = self.unknown_count[seat]
        buried = self.buried_count[seat]
        if not (unknown or buried):
            return known, known
        inside = (self.unseen & mask).bit_count()
        outside = self.unseen.bit_count() - inside
        low = known + unknown - outside if unknown > outside else known
        high = known + (unknown if unknown < inside else inside)
        if buried:
            return self._bounds_in_hand(seat, self.not_buried[seat], mask, low, high)
        return low, high

    def _bounds_in_hand(
        self, seat: int, not_buried: int, mask: int, low: int, high: int
    ) -> tuple[int, int]:
        """Narrow the bounds for a hand from which cards were buried.

        The cards in `not_buried` are certainly in the hand.
        """
        inside = (not_buried & mask).bit_count()
        rest = self.size(seat) - not_buried.bit_count()
        return max(0, inside, low - self.buried_count[seat]), min(high, inside + rest)

    def answer(self, question: Question) -> bool | None:
        """Return whether a claim is true, or None if the known facts do not decide it."""
        if isinstance(question, Claim):
            bounds = self.bounds(question.seat, question.cards)
            return compare_bounds(*bounds, question.least, question.most)
        return combine_verdicts(map(self.answer, question.claims), isinstance(question, AnyOf))

    def bounds_after(self, seat: int, kinds: Sequence[int], mask: int) -> tuple[int, int]:
        """Return the bounds for a set of cards in the hand after the given kinds have left it."""
        pack, unseen = self.pack, self.unseen
        known_cards, unknown, buried = (
            self.known[seat],
            self.unknown_count[seat],
            self.buried_count[seat],
        )
        for kind in kinds:
            column = pack.column[kind]
            held = known_cards & column
            if held:
                known_cards ^= 1 << held.bit_length() - 1
            elif unseen & column and unknown:
                unseen ^= 1 << (unseen & column).bit_length() - 1
                unknown -= 1
        known = (known_cards & mask).bit_count()
        inside = (unseen & mask).bit_count()
        outside = unseen.bit_count() - inside
        low, high = known + max(0, unknown - outside), known + min(unknown, inside)
        if not buried:
            return low, high
        laid = pack.hand_of(kinds)
        least, most = self._bounds_in_hand(
            seat, pack.subtract(self.not_buried[seat], laid), mask, low, high
        )
        return least, max(0, min(most, known_cards.bit_count() + unknown - buried))

    def can_show(self, shown: Iterable[tuple[int, tuple[int, ...]]]) -> bool:
        """Return whether it is possible that all these hands have these cards now.

        `shown` pairs each seat with the kinds of its cards. Raises ValueError if more copies are
        listed than are still in play.
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
                for _ in range(kinds.count(kind) - pack.count(self.known[seat], kind))
            ]
            not_buried = self.not_buried[seat]
            there = (
                not_buried.bit_count() + pack.subtract(pack.hand_of(kinds), not_buried).bit_count()
            )
            possible = (
                possible and len(unknown) <= self.unknown_count[seat] and there <= self.size(seat)
            )
            new += unknown
        for kind in set(every):
            if every.count(kind) > self.copies_in_play(kind):
                raise ValueError(f"{pack.kinds[kind]} is out of play or on the table")
            possible = possible and new.count(kind) <= pack.count(self.unseen, kind)
        return possible


def compare_bounds(low: int, high: int, least: int, most: int) -> bool | None:
    """Return whether a number is within limits, or None if that is not certain.

    The number is known to be between `low` and `high`. The limits are `least` and `most`.

    >>> compare_bounds(1, 2, 0, 3), compare_bounds(1, 2, 2, 3), compare_bounds(1, 2, 3, 4)
    (True, None, False)
    """
    if low > most or high < least:
        return False
    return True if low >= least and high <= most else None


def combine_verdicts(verdicts: Iterable[bool | None], decisive: bool) -> bool | None:
    """Combine several verdicts into one.

    If `decisive` is True, a single True decides the result; if it is False, a single False does.
    Otherwise the result is open (None) if any verdict is open.

    >>> combine_verdicts([True, None], True), combine_verdicts([True, None], False)
    (True, None)
    """
    all_verdicts = list(verdicts)
    if decisive in all_verdicts:
        return decisive
    return None if None in all_verdicts else not decisive
