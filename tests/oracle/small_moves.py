"""Small games in which cards move that nobody sees: given away, buried, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.small_duties import Conditional
from tests.oracle.small_sets import InSets
from tests.oracle.small_tricks import Careless, Shape

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SEEN = 0.25  # how often cards that move are said


class Giving(Careless):
    """Everyone gives one or two cards to the left before play."""

    ruleset = "small-giving"

    def __init__(self, shape: Shape, random: Random) -> None:
        self.given = random.randint(1, 2 if shape.cards * shape.players < 9 else 1)
        super().__init__(shape, random)

    def options(self) -> dict[str, object]:
        """How many cards are given."""
        return {**super().options(), "phases.give.cards": self.given}

    def empty(self) -> int:
        """What was given lies before whom it is for until all have given."""
        return len(self.hands)

    def begin(self, checked: Callable[[], None]) -> None:
        """All give."""
        super().begin(checked)
        count, gifts = len(self.hands), list[list[str]]()
        first = count + 1
        for seat, name in enumerate(self.names):
            gift = self.random.sample(self.hands[seat], self.given)
            gifts.append(gift)
            pile = first + (seat + 1) % count
            if self.random.random() < SEEN:
                self.enter(f"{name}: give {' '.join(gift)}")
                self.worlds.moved(seat, pile, gift)
            else:
                self.enter(f"{name}: give {self.given}")
                self.worlds.moved_unseen(seat, pile, self.given)
            for card in gift:
                self.hands[seat].remove(card)
        for seat in range(count):
            self.hands[seat] += gifts[seat - 1]
            self.worlds.moved_unseen(first + seat, seat, self.given)
        checked()


class Kitty(Careless):
    """The last player takes up what was left, and lays as many cards aside."""

    ruleset = "small-kitty"

    def options(self) -> dict[str, object]:
        """How many cards are left."""
        shape = self.shape
        all_cards = len(shape.ranks) * len(shape.suits) * shape.copies
        return {**super().options(), "deal.kitty": all_cards - shape.players * shape.cards}

    def empty(self) -> int:
        """What was laid aside."""
        return 1

    def begin(self, checked: Callable[[], None]) -> None:
        """The kitty is taken, and cards are buried."""
        super().begin(checked)
        dealer, count = len(self.hands) - 1, len(self.rest)
        self.enter(f"{self.names[dealer]}: take")
        self.worlds.moved_unseen(dealer + 1, dealer, count)
        self.hands[dealer] += self.rest
        checked()
        buried = self.random.sample(self.hands[dealer], count)
        if self.random.random() < SEEN:
            self.enter(f"{self.names[dealer]}: bury {' '.join(buried)}")
            self.worlds.moved(dealer, dealer + 2, buried)
        else:
            self.enter(f"{self.names[dealer]}: bury {count}")
            self.worlds.moved_unseen(dealer, dealer + 2, count)
        for card in buried:
            self.hands[dealer].remove(card)
        self.rest = []
        checked()


class Stock(Careless):
    """After each trick everyone draws a card, the winner first, as long as there are any."""

    ruleset = "small-stock"

    def trick(self, leader: int, checked: Callable[[], None]) -> int:
        """A trick, and what is drawn."""
        first, count = super().trick(leader, checked), len(self.names)
        for step in range(count if self.rest else 0):
            seat = (first + step) % count
            card = self.rest.pop()
            if self.random.random() < SEEN:
                self.enter(f"{self.names[seat]}: draw {card}")
                self.worlds.moved(count, seat, [card])
            else:
                self.enter(f"{self.names[seat]}: draw")
                self.worlds.moved_unseen(count, seat, 1)
            self.hands[seat].append(card)
            checked()
        return first


class ConditionalGiving(Conditional, Giving):
    """Giving, and a condition on every card that is laid; what was dealt, nobody asks."""

    asks_dealt = 0


class ConditionalKitty(Conditional, Kitty):
    """The same with a kitty."""

    asks_dealt = 0


class ConditionalStock(Conditional, Stock):
    """The same with a stock."""

    asks_dealt = 0


class GivingSets(Giving, InSets):
    """Giving, and sets that are led and answered."""

    ruleset = "small-giving-sets"


class KittySets(Kitty, InSets):
    """A kitty, and sets that are led and answered."""

    ruleset = "small-kitty-sets"
