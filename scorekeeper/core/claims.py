"""What a rule needs of a hand at one moment, as values: one path for known and unseen hands."""

from __future__ import annotations

from typing import Any


class Claim:
    """What a rule needs of a hand at this moment: of the cards in `cards` (a set of kinds on
    every plane), `seat` holds at least `least` and at most `most`."""

    __slots__ = ("cards", "facts", "least", "most", "seat")

    def __init__(
        self, seat: int, cards: int, least: int, most: int, facts: dict[str, Any] | None = None
    ) -> None:
        self.seat = seat
        self.cards = cards
        self.least = least
        self.most = most
        self.facts = facts or {}


class AnyOf:
    """Claims of which one must hold."""

    __slots__ = ("claims", "facts")

    def __init__(self, claims: tuple[Claim, ...], facts: dict[str, Any] | None = None) -> None:
        self.claims = claims
        self.facts = facts or {}


class AllOf:
    """Claims which must all hold."""

    __slots__ = ("claims", "facts")

    def __init__(self, claims: tuple[Claim, ...], facts: dict[str, Any] | None = None) -> None:
        self.claims = claims
        self.facts = facts or {}


class Unsure:
    """What a rule says of an entry that nothing can decide: it asks about cards that had been
    played before the recording began."""

    __slots__ = ("facts",)

    def __init__(self, facts: dict[str, Any] | None = None) -> None:
        self.facts = facts or {}
