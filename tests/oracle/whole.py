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
    """One way in which an act is kept: none of these cards were in the hand, these were, and of
    these kinds at most so many."""

    without: frozenset[str] = frozenset()
    having: tuple[str, ...] = ()
    most: tuple[tuple[str, int], ...] = ()


Caps = dict[tuple[str, str], int]
"""How many cards of a kind may lie in a place."""


class Asked(NamedTuple):
    """An act that hangs on a hand: its entry, whose hand, how many cards that had shown before,
    and the ways of which one must be so."""

    entry: int
    name: str
    shown: int
    ways: tuple[Way, ...]


class Whole:
    """What is certain of a deal: what nobody has seen, and how much lies where. `known`: for a card
    that cannot lie anywhere the places in which it may, for each such copy."""

    def __init__(self, cards: Iterable[str], room: Mapping[str, int]) -> None:
        self.unseen = list(cards)
        self.room = dict(room)
        self.known: dict[str, list[frozenset[str]]] = {}
        self.shown: dict[str, list[str]] = {name: [] for name in room}
        self.asked: list[Asked] = []
        assert len(self.unseen) == sum(self.room.values())

    def know(self, card: str, *places: str) -> None:
        """A copy of a card lies in one of these places."""
        self.known.setdefault(card, []).append(frozenset(places))

    def see(self, name: str, *cards: str) -> None:
        """These cards were seen in that hand together, and stay there."""
        for card in dict.fromkeys(cards):
            known = self.known.setdefault(card, [])
            for _ in range(cards.count(card) - known.count(frozenset([name]))):
                perhaps = next((each for each in known if name in each and len(each) > 1), None)
                if perhaps is not None:
                    known.remove(perhaps)
                known.append(frozenset([name]))

    def show(self, name: str, card: str) -> None:
        """A card has left that hand, seen by all. Of equal cards it is as well the one of which
        more was known: of the others more is possible."""
        self.unseen.remove(card)
        self.room[name] -= 1
        mine = [places for places in self.known.get(card, ()) if name in places]
        if mine:
            self.known[card].remove(min(mine, key=len))
        self.shown[name].append(card)

    def ask(self, entry: int, name: str, ways: Sequence[Way]) -> Asked:
        """An act hangs on that hand as it is now."""
        found = Asked(entry, name, len(self.shown[name]), tuple(ways))
        self.asked.append(found)
        return found

    def may_be_kept(self, acts: Sequence[Asked]) -> bool:
        """Whether all of these acts are kept in some distribution."""
        return any(
            self._fits(list(zip(acts, ways, strict=True)))
            for ways in product(*(act.ways for act in acts))
        )

    def may_be_broken(self, act: Asked) -> bool:
        """Whether an act that asks for none of a set is broken in some distribution."""
        ((without, _, _),) = act.ways
        since = self.shown[act.name][act.shown :]
        if not without.isdisjoint(since):
            return True
        held = [act._replace(ways=(Way(having=(card,)),)) for card in without & {*self.unseen}]
        return any(self.may_be_kept([each]) for each in held)

    def _fits(self, kept: list[tuple[Asked, Way]]) -> bool:
        """Whether a distribution is left in which these acts are kept in these ways."""
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
        """Whether all unseen cards find a place."""
        left, room = self.unseen.copy(), self.room.copy()
        known = {card: places.copy() for card, places in self.known.items()}
        for name, cards in having.items():
            for card in cards:
                if card not in left or card in without[name] or not room[name]:
                    return False
                mine = [places for places in known.get(card, ()) if name in places]
                if mine:  # as in `show`: of equal cards the one of which more is known
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


def flows(
    cards: Sequence[str], places: Sequence[Sequence[str]], room: Mapping[str, int], caps: Caps
) -> bool:
    """The same where of some kinds only so many may lie in a place: a flow from the cards through
    kinds in places to the places, pushed on one by one."""
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
    """The one way for who must have none of a set; of no set, nothing is asked."""
    return [Way(frozenset(cards))] if cards else []
