"""A search for a distribution of a whole pack in which certain acts obeyed their rules.

From the first trick on no card moves unseen. So an act that demands that a hand had no card of a
set demands it of all cards that the hand has shown since and still holds. A distribution is then a
matching of the unseen cards with the places in which they may be.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

NOBODY = ""


class Way(NamedTuple):
    """One way in which an act obeys its rule.

    The hand had none of the cards in `without`, had those in `having`, and had at most `most`
    cards of these kinds.
    """

    without: frozenset[str] = frozenset()
    having: tuple[str, ...] = ()
    most: tuple[tuple[str, int], ...] = ()


Caps = dict[tuple[str, str], int]
"""The largest number of cards of a kind that a place may hold."""


class Asked(NamedTuple):
    """An act that depends on a hand.

    It has the act's entry, the player, the number of cards that the hand had shown before, and
    the ways of which one must be true.
    """

    entry: int
    name: str
    shown: int
    ways: tuple[Way, ...]


class Whole:
    """The certain facts of a deal: the unseen cards, and the number of cards in each place.

    `known` has the possible places for each copy of a card that cannot be everywhere.
    """

    def __init__(self, cards: Iterable[str], room: Mapping[str, int]) -> None:
        self.unseen = list(cards)
        self.room = dict(room)
        self.known: dict[str, list[frozenset[str]]] = {}
        self.shown: dict[str, list[str]] = {name: [] for name in room}
        self.asked: list[Asked] = []
        assert len(self.unseen) == sum(self.room.values())

    def know(self, card: str, *places: str) -> None:
        """Note that a copy of a card is in one of these places."""
        self.known.setdefault(card, []).append(frozenset(places))

    def see(self, name: str, *cards: str) -> None:
        """Note that these cards were seen together in that hand and stay there."""
        for card in dict.fromkeys(cards):
            known = self.known.setdefault(card, [])
            for _ in range(cards.count(card) - known.count(frozenset([name]))):
                perhaps = next((each for each in known if name in each and len(each) > 1), None)
                if perhaps is not None:
                    known.remove(perhaps)
                known.append(frozenset([name]))

    def show(self, name: str, card: str) -> None:
        """Note that a card has left that hand in public.

        Of equal cards, remove the one about which more was known. The others leave more
        possibilities.
        """
        self.unseen.remove(card)
        self.room[name] -= 1
        mine = [places for places in self.known.get(card, ()) if name in places]
        if mine:
            self.known[card].remove(min(mine, key=len))
        self.shown[name].append(card)

    def ask(self, entry: int, name: str, ways: Sequence[Way]) -> Asked:
        """Note an act that depends on the hand as it is now."""
        found = Asked(entry, name, len(self.shown[name]), tuple(ways))
        self.asked.append(found)
        return found

    def may_be_kept(self, acts: Sequence[Asked]) -> bool:
        """Return whether a distribution exists in which all these acts obey their rules."""
        return any(
            self._fits(list(zip(acts, ways, strict=True)))
            for ways in product(*(act.ways for act in acts))
        )

    def may_be_broken(self, act: Asked) -> bool:
        """Return whether an act that demands none of a set is broken in some distribution."""
        ((without, _, _),) = act.ways
        since = self.shown[act.name][act.shown :]
        if not without.isdisjoint(since):
            return True
        held = [act._replace(ways=(Way(having=(card,)),)) for card in without & {*self.unseen}]
        return any(self.may_be_kept([each]) for each in held)

    def _fits(self, kept: list[tuple[Asked, Way]]) -> bool:
        """Return whether a distribution exists in which these acts obey their rules in these ways
        and all unseen cards find a place."""
        without: dict[str, set[str]] = {name: set() for name in self.room}
        having: dict[str, list[str]] = {name: [] for name in self.room}
        caps: Caps = {}
        for act, way in kept:
            since = self.shown[act.name][act.shown :]
            if not way.without.isdisjoint(since):
                return False
            without[act.name] |= way.without
            wanted = [card for card in way.having if card not in since]
            having[act.name] += [card for card in wanted if card not in having[act.name]]
            for card, most in way.most:
                left = most - since.count(card)
                if left < 0:
                    return False
                caps[card, act.name] = min(left, caps.get((card, act.name), left))
        return self._matches(without, having, caps)

    def _matches(
        self, without: Mapping[str, set[str]], having: Mapping[str, list[str]], caps: Caps
    ) -> bool:
        """Return whether all unseen cards find a place."""
        left, room = self.unseen.copy(), self.room.copy()
        known = {card: places.copy() for card, places in self.known.items()}
        for name, cards in having.items():
            for card in cards:
                if card not in left or card in without[name] or not room[name]:
                    return False
                mine = [places for places in known.get(card, ()) if name in places]
                if mine:  # As in `show`, use the equal card about which more is known.
                    known[card].remove(min(mine, key=len))
                elif left.count(card) <= len(known.get(card, ())):
                    return False
                left.remove(card)
                room[name] -= 1
        everywhere = frozenset(room)
        places = []
        for card in left:
            allowed = known[card].pop() if known.get(card) else everywhere
            places.append([n for n in room if n in allowed and room[n] and card not in without[n]])
        return flows(left, places, room, caps) if caps else matched(places, room)


def matched(places: Sequence[Sequence[str]], room: Mapping[str, int]) -> bool:
    """Return whether every card finds one of its places, each with limited room.

    Cards are placed one by one. A card that is in the way is moved to another place.
    """
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


def flows(
    cards: Sequence[str], places: Sequence[Sequence[str]], room: Mapping[str, int], caps: Caps
) -> bool:
    """Return whether every card finds a place if a place may hold only so many cards of some kinds.

    This is a maximum flow from the cards to the places, with a node for each kind in a place. It is
    found by one augmenting path after another.
    """
    left: dict[object, dict[object, int]] = {name: {} for name in room}
    for number, (card, names) in enumerate(zip(cards, places, strict=True)):
        left[number] = dict.fromkeys([(card, name) for name in names], 1)
        for name in names:
            through = left.setdefault((card, name), {name: caps.get((card, name), len(cards))})
            through.setdefault(number, 0)
            left[name].setdefault((card, name), 0)
    free = dict(room)

    def push(node: object, seen: set[object]) -> bool:
        if node in free and free[node] > 0:
            free[node] -= 1
            return True
        for other, rest in left[node].items():
            if rest and other not in seen:
                seen.add(other)
                if push(other, seen):
                    left[node][other] -= 1
                    left[other][node] += 1
                    return True
        return False

    return all(push(number, {number}) for number in range(len(cards)))


def none_of(cards: Collection[str]) -> list[Way]:
    """Return the one way to have none of a set, or no ways for an empty set."""
    return [Way(frozenset(cards))] if cards else []
