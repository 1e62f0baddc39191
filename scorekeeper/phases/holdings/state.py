"""What was announced in a round. Part of holdings."""

from __future__ import annotations

from scorekeeper.core.types import NamedTuple


class Announced(NamedTuple):
    """A holding as it was announced: by which seat, the name of its row, and the kinds of its
    cards, sorted (empty: they were not shown); `held` are those that it could best have been by
    what was known of the hand (empty: nobody knows). `points` are what it was worth then (None:
    that could not be said)."""

    seat: int
    name: str
    cards: tuple[int, ...]
    held: tuple[int, ...] = ()
    points: int | None = None


class State:
    """One round's announcements, in their order."""

    __slots__ = ("announced",)

    def __init__(self) -> None:
        self.announced: list[Announced] = []

    def of(self, seat: int, name: str) -> list[Announced]:
        """What that player has announced of a row."""
        return [each for each in self.announced if each.seat == seat and each.name == name]

    def unshown(self, seat: int, name: str) -> Announced | None:
        """What they have announced of a row without showing its cards."""
        return next((each for each in self.of(seat, name) if not each.cards), None)

    def add(self, new: Announced) -> None:
        """Somebody announces that, or shows the cards of what they have announced."""
        earlier = self.unshown(new.seat, new.name)
        if new.cards and earlier is not None:
            place = self.announced.index(earlier)
            self.announced[place] = new._replace(points=earlier.points)
        else:
            self.announced.append(new)
