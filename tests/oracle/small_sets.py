"""Small games in which several identical cards are led and answered together.

Each player follows with as many cards of the led class as possible. A player who has enough of them
plays a set of the led size if the hand has one, else the largest set of the hand.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.oracle.small_tricks import BACK, OBEYS, TRUMP, Careless, Shape
from tests.second.tractors import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from tests.oracle.worlds import Heap

    # The cards of a trick, with the seats that played them.
    Sets = list[tuple[int, list[str]]]

SETS = 0.6  # The chance that a player who can lead a set does so.


def largest(cards: Sequence[str]) -> int:
    """Return the size of the largest set among these cards."""
    return max(Counter(cards).values(), default=0)


class InSets(Careless):
    """A game in which sets are led and answered."""

    ruleset = "small-sets"
    codes = frozenset({"tricks.follow", "tricks.answer"})

    def options(self) -> dict[str, object]:
        """Return the options without triples if the pack has none."""
        return {} if self.shape.copies > 2 else {"shapes.triple": False}

    def trick(self, leader: int, checked: Callable[[], None]) -> int:
        """Play a trick. Return the winner's seat."""
        done: Sets = []
        for step in range(len(self.names)):
            seat = (leader + step) % len(self.names)
            self.beside(checked)
            while self.random.random() < BACK:
                self.take_back_set(seat, done, checked)
                self.beside(checked)
            cards = self.answer(seat, done[0][1]) if done else self.lead(seat)
            self.lay_set(seat, cards, done)
            done.append((seat, cards))
            checked()
        return self.winner(done)

    def lead(self, seat: int) -> list[str]:
        """Return a card or a set."""
        counts = Counter(self.hands[seat])
        sizes = list(range(2, max(counts.values()) + 1))
        size = self.random.choice(sizes) if sizes and self.random.random() < SETS else 1
        kinds = sorted(kind for kind, count in counts.items() if count >= size)
        return [self.random.choice(kinds)] * size

    def answer(self, seat: int, led: list[str]) -> list[str]:
        """Return as many cards as were led, mostly legal ones."""
        hand, size = self.hands[seat], len(led)
        if self.random.random() > OBEYS:
            return self.random.sample(hand, size)
        mine = [card for card in hand if card[1] == led[0][1]]
        if len(mine) <= size:
            others = [card for card in hand if card not in mine]
            return mine + self.random.sample(others, size - len(mine))
        best = min(size, largest(mine))
        kind = self.random.choice(sorted({card for card in mine if mine.count(card) >= best}))
        rest = mine.copy()
        for _ in range(best):
            rest.remove(kind)
        return [kind] * best + self.random.sample(rest, size - best)

    def take_back_set(self, seat: int, done: Sets, checked: Callable[[], None]) -> None:
        """Play as many cards as were led, and withdraw them."""
        cards = self.random.sample(self.hands[seat], len(done[0][1])) if done else self.lead(seat)
        number = self.enter(f"{self.names[seat]}: {' '.join(cards)} !withdrawn")
        self.worlds.held(seat, cards)
        self.judge_set(number, seat, cards, done)
        checked()

    def lay_set(self, seat: int, cards: list[str], done: Sets) -> None:
        """Play cards."""
        number = self.enter(f"{self.names[seat]}: {' '.join(cards)}")
        self.worlds.held(seat, cards)
        self.judge_set(number, seat, cards, done)
        self.worlds.moved(seat, None, cards)
        for card in cards:
            self.hands[seat].remove(card)

    def judge_set(self, number: int, seat: int, cards: list[str], done: Sets) -> None:
        """Ask whether a card of the class, or a larger set of it, is held back."""
        if done:
            led = done[0][1]
            of_class = self.suit(led[0][1])
            count = sum(card[1] == led[0][1] for card in cards)
            if count < len(led):
                self.ask(
                    (number, "tricks.follow"),
                    lambda world: (world[seat] & of_class).bit_count() > count,
                )
            elif len(led) > 1:
                self.ask(
                    (number, "tricks.answer"),
                    lambda world: self.holds_back(world[seat] & of_class, cards, led),
                )

    def holds_back(self, mine: Heap, cards: list[str], led: list[str]) -> bool:
        """Return whether a player with these cards of the class had to play other ones."""
        return min(len(led), largest(self.pack.cards(mine))) > largest(cards)

    def winner(self, done: Sets) -> int:
        """Return the winner's seat. Only sets of the led size win, and trumps beat the others."""
        led = done[0][1]
        sets = [(n, cards[0]) for n, (_, cards) in enumerate(done) if largest(cards) == len(led)]
        suits = {card[1] for _, card in sets}
        best = TRUMP if TRUMP in suits else led[0][1]
        rivals = [(self.shape.ranks.index(card[0]), n) for n, card in sets if card[1] == best]
        return done[min(rivals)[1]][0]


class InRuns(InSets):
    """A game that also has runs of pairs.

    A player answers a run with the longest run of the hand, then the longest that is left, then
    pairs.
    """

    ruleset = "small-runs"

    def __init__(self, shape: Shape, random: Random) -> None:
        self.order = Table(TRUMP, "2")
        self.order.stairs = {suit: [[rank + suit] for rank in shape.ranks] for suit in shape.suits}
        self.order.place = {
            rank + suit: (suit, step)
            for suit in shape.suits
            for step, rank in enumerate(shape.ranks)
        }
        self.known: dict[tuple[Heap, tuple[str, ...]], set[tuple[str, ...]]] = {}
        super().__init__(shape, random)

    def options(self) -> dict[str, object]:
        """Return the options of the ruleset unchanged."""
        return {}

    def lead(self, seat: int) -> list[str]:
        """Return a card, a pair, or a run of pairs."""
        leads = self.order.leads(self.hands[seat])
        longest = max(map(len, leads))
        long = [lead for lead in leads if len(lead) == longest]
        return list(self.random.choice(long if self.random.random() < SETS else leads))

    def answer(self, seat: int, led: list[str]) -> list[str]:
        """Return as many cards as were led, mostly legal ones."""
        if self.random.random() > OBEYS:
            return self.random.sample(self.hands[seat], len(led))
        return list(self.order.answer(self.hands[seat], tuple(led), self.random))

    def holds_back(self, mine: Heap, cards: list[str], led: list[str]) -> bool:
        """Return whether a player with these cards of the class had to play other ones."""
        key = mine, tuple(led)
        if key not in self.known:
            self.known[key] = self.order.answers(self.pack.cards(mine), tuple(led))
        return tuple(sorted(cards)) not in self.known[key]

    def winner(self, done: Sets) -> int:
        """Return the winner's seat."""
        return int(self.order.winner([(str(seat), tuple(cards)) for seat, cards in done]))
