"""Pairs and tractors, from the rule text of Sheng Ji with tractors alone.

It decides legal leads, legal answers and the winner. Cards are their codes.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

RANKS, SUITS = "AKQJT98765432", "CSHD"
CODES = [rank + suit for suit in SUITS for rank in RANKS] + ["BJ", "LJ"]
Cards = tuple[str, ...]


class Table:
    """The order of the cards in one deal (1.5). Trump and level decide which are neighbours."""

    def __init__(self, trump: str, level: str) -> None:
        self.trump, self.level = trump, level
        ranks = [rank for rank in RANKS if rank != level]
        others = [level + suit for suit in SUITS if suit != trump]
        self.stairs: dict[str, list[list[str]]] = {
            suit: [[rank + suit] for rank in ranks] for suit in SUITS
        }
        self.stairs["trump"] = [["BJ"], ["LJ"], [level + trump], others, *self.stairs.pop(trump)]
        self.place = {
            card: (name, step)
            for name, stair in self.stairs.items()
            for step, cards in enumerate(stair)
            for card in cards
        }

    def group(self, card: str) -> str:
        return self.place[card][0]

    def runs(self, pairs: Iterable[str], size: int) -> Iterator[Cards]:
        """Yield the tractors of that many pairs among these cards (1.7)."""
        held = set(pairs)
        for stair in self.stairs.values():
            for at in range(len(stair) - size + 1):
                steps = [
                    [card for card in cards if card in held] for cards in stair[at : at + size]
                ]
                yield from product(*steps)

    def is_lead(self, cards: Cards) -> bool:
        """Return whether these cards may be led (3.1)."""
        counts = Counter(cards)
        if len(cards) <= 2:
            return len(counts) == 1
        pairs = [card for card, count in counts.items() if count == 2]
        return 2 * len(pairs) == len(cards) and any(self.runs(pairs, len(pairs)))

    def leads(self, hand: Iterable[str]) -> list[Cards]:
        """Return all legal leads of a hand."""
        counts = Counter(hand)
        pairs = [card for card, count in counts.items() if count == 2]
        found: list[Cards] = [(card,) for card in counts]
        found += [(card, card) for card in pairs]
        for size in range(2, len(pairs) + 1):
            found += [twice(run) for run in self.runs(pairs, size)]
        return found

    # --- answers (3.2 to 3.6)

    def answers(self, hand: list[str], led: Cards) -> set[Cards]:
        """Return all legal answers to a lead, by following the rule text in every possible way."""
        group, size = self.group(led[0]), len(led)
        mine = [card for card in hand if self.group(card) == group]
        if len(mine) <= size:
            rest = [card for card in hand if self.group(card) != group]
            return {tuple(sorted([*mine, *more])) for more in combinations(rest, size - len(mine))}
        found: set[Cards] = set()
        pairs = [card for card, count in Counter(mine).items() if count == 2]
        for laid in self._laid(pairs, size // 2) if size > 1 else [()]:
            rest = list((Counter(mine) - Counter(laid)).elements())
            for more in combinations(rest, size - len(laid)):
                found.add(tuple(sorted([*laid, *more])))
        return found

    def _laid(self, pairs: list[str], need: int) -> Iterator[Cards]:
        """Yield the pairs that are played: the longest tractor, again the longest, then pairs."""
        longest = max((n for n in range(2, need + 1) if any(self.runs(pairs, n))), default=0)
        if not longest:
            yield from map(twice, combinations(pairs, min(need, len(pairs))))
            return
        for run in self.runs(pairs, longest):
            left = [card for card in pairs if card not in run]
            for more in self._laid(left, need - longest):
                yield (*twice(run), *more)

    def rank(self, cards: Cards, led: Cards) -> tuple[int, ...]:
        """Return how well an answer follows. A higher rank is better.

        It counts the cards of the class, then the tractors into which they divide, longest
        first, then pairs.
        """
        group = self.group(led[0])
        mine = [card for card in cards if self.group(card) == group]
        if len(mine) < len(led) or len(led) == 1:
            return (len(mine),)
        pairs = [card for card, count in Counter(mine).items() if count == 2]
        return (len(mine), *self._best(pairs, len(led) // 2), len(pairs))

    def _best(self, pairs: list[str], need: int) -> tuple[int, ...]:
        ways = []
        for size in range(2, need + 1):
            for run in self.runs(pairs, size):
                left = [card for card in pairs if card not in run]
                ways.append((size, *self._best(left, need - size)[:-1]))
        best = max(ways, default=())
        return (*best, *[0] * (need - len(best)), 0)

    def answer(self, hand: list[str], led: Cards, random: Random) -> Cards:
        """Return a random legal answer."""
        group, size = self.group(led[0]), len(led)
        mine = [card for card in hand if self.group(card) == group]
        rest = [card for card in hand if self.group(card) != group]
        if len(mine) <= size:
            return (*mine, *random.sample(rest, size - len(mine)))
        pairs = [card for card, count in Counter(mine).items() if count == 2]
        random.shuffle(pairs)
        laid = random.choice([*self._laid(pairs, size // 2)]) if size > 1 else ()
        rest = list((Counter(mine) - Counter(laid)).elements())
        return (*laid, *random.sample(rest, size - len(laid)))

    # --- who wins (3.7, 3.3, 1.6)

    def winner(self, laid: list[tuple[str, Cards]]) -> str:
        who, led = laid[0]
        best = self._height(led, led)
        for name, cards in laid[1:]:
            height = self._height(cards, led)
            if height > best:
                who, best = name, height
        return who

    def _height(self, cards: Cards, led: Cards) -> tuple[int, int]:
        groups = {self.group(card) for card in cards}
        shape = self.is_lead(cards) and len(set(cards)) == len(set(led))
        if len(groups) > 1 or not shape or not groups & {"trump", self.group(led[0])}:
            return (-1, 0)
        return (groups == {"trump"}, -min(self.place[card][1] for card in cards))


def twice(cards: Iterable[str]) -> Cards:
    return tuple(card for card in cards for _ in range(2))
