"""What was announced in a round. Part of holdings."""

from __future__ import annotations

from scorekeeper.core.tuples import NamedTuple


class Announced(NamedTuple):
    """A holding as it was announced: by which seat, the name of its row, and the kinds of its
    cards, sorted (empty: they were not shown); `held` are those that it could best have been by
    what was known of the hand (empty: nobody knows)."""

    seat: int
    name: str
    cards: tuple[int, ...]
    held: tuple[int, ...] = ()


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

    def add(self, seat: int, name: str, cards: tuple[int, ...], held: tuple[int, ...] = ()) -> None:
        """Somebody announces that, or shows the cards of what they have announced."""
        earlier, new = self.unshown(seat, name), Announced(seat, name, tuple(sorted(cards)), held)
        if cards and earlier is not None:
            self.announced[self.announced.index(earlier)] = new
        else:
            self.announced.append(new)
