"""What a rule says of an act, as a value: kept, broken, or what it needs of a hand.

Claims are one path for known and unseen hands: a clause never looks at a hand, it says what it
needs of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.plain import Facts


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


# What is asked of hands.
Question = Claim | AnyOf | AllOf
# What a clause says of an act; None: it is kept.
Outcome = Breach | Claim | AnyOf | AllOf | Unsure | None


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
