"""Whether a distribution of a whole pack exists in which certain acts were kept.

No card moves unseen any more when the first trick begins, so an act that asks that a hand had no
card of a set asks it of all that the hand has shown since and still holds. Then a distribution is
a matching of the unseen cards with the places where they may lie, card by card.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

NOBODY = ""


class Way(NamedTuple):
    """One way in which an act is kept: none of these cards were in the hand, and these were."""

    without: frozenset[str]
    having: tuple[str, ...] = ()


class Asked(NamedTuple):
    """An act that hangs on a hand: its entry, whose hand, how many cards that had shown before,
    and the ways of which one must be so."""

    entry: int
    name: str
    shown: int
    ways: tuple[Way, ...]


class Whole:
    """What is certain of a deal: what nobody has seen, and how much lies where. `known` are the
    places of unseen cards that cannot be anywhere."""

    def __init__(self, cards: Iterable[str], room: Mapping[str, int]) -> None:
        self.unseen = list(cards)
        self.room = dict(room)
        self.known: dict[str, frozenset[str]] = {}
        self.shown: dict[str, list[str]] = {name: [] for name in room}
        self.asked: list[Asked] = []
        assert len(self.unseen) == sum(self.room.values())

    def show(self, name: str, card: str) -> None:
        """A card has left that hand, seen by all."""
        self.unseen.remove(card)
        self.room[name] -= 1
        self.known.pop(card, None)
        self.shown[name].append(card)

    def ask(self, entry: int, name: str, ways: Sequence[Way]) -> Asked:
        """An act hangs on that hand, before the act's own card is shown."""
        found = Asked(entry, name, len(self.shown[name]), tuple(ways))
        self.asked.append(found)
        return found

    def may_be_kept(self, acts: Sequence[Asked]) -> bool:
        """Whether all of these acts are kept in some distribution."""
        return any(
            self._fits(list(zip(acts, ways, strict=True)))
            for ways in product(*(act.ways for act in acts))
        )

    def _fits(self, kept: list[tuple[Asked, Way]]) -> bool:
        """Whether a distribution is left in which these acts are kept in these ways."""
        without: dict[str, set[str]] = {name: set() for name in self.room}
        having: dict[str, list[str]] = {name: [] for name in self.room}
        for act, way in kept:
            since = self.shown[act.name][act.shown :]
            if not way.without.isdisjoint(since):
                return False
            without[act.name] |= way.without
            wanted = [card for card in way.having if card not in since]
            having[act.name] += [card for card in wanted if card not in having[act.name]]
        return self._matches(without, having)

    def _matches(self, without: Mapping[str, set[str]], having: Mapping[str, list[str]]) -> bool:
        """Whether all unseen cards find a place."""
        left, room = self.unseen.copy(), self.room.copy()
        for name, cards in having.items():
            for card in cards:
                if card not in left or card in without[name] or not room[name]:
                    return False
                left.remove(card)
                room[name] -= 1
        everywhere = frozenset(room)
        places = [
            [
                name
                for name in self.known.get(card, everywhere)
                if room[name] and card not in without[name]
            ]
            for card in left
        ]
        return matched(places, room)


def matched(places: Sequence[Sequence[str]], room: Mapping[str, int]) -> bool:
    """Whether every card finds one of its places, each of which has so much room: cards are put
    one by one, and whoever is in the way is put elsewhere."""
    held: dict[str, list[int]] = {name: [] for name in room}

    def put(card: int, tried: set[str]) -> bool:
        for name in places[card]:
            if name in tried:
                continue
            tried.add(name)
            lying = held[name]
            if len(lying) < room[name]:
                lying.append(card)
                return True
            for index, other in enumerate(lying):
                if put(other, tried):
                    lying[index] = card
                    return True
        return False

    order = sorted(range(len(places)), key=lambda card: len(places[card]))
    return all(put(card, set()) for card in order)


def none_of(cards: Collection[str]) -> list[Way]:
    """The one way for who must have none of a set; of no set, nothing is asked."""
    return [Way(frozenset(cards))] if cards else []
