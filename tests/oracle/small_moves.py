"""Small games in which cards move unseen: given away, buried, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.small_duties import Conditional
from tests.oracle.small_sets import InSets
from tests.oracle.small_tricks import Careless, Shape

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SEEN = 0.25  # The chance that cards that move are named.


class Giving(Careless):
    """A game in which each player gives one or two cards to the left before play."""

    ruleset = "small-giving"

    def __init__(self, shape: Shape, random: Random) -> None:
        self.given = random.randint(1, 2 if shape.cards * shape.players < 9 else 1)
        super().__init__(shape, random)

    def options(self) -> dict[str, object]:
        """Return the options with the number of cards that are given."""
        return {**super().options(), "phases.give.cards": self.given}

    def empty(self) -> int:
        """Return one place for each player. Given cards are there until all players have given."""
        return len(self.hands)

    def begin(self, checked: Callable[[], None]) -> None:
        """Let all players give cards."""
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
    """A game in which the last player takes the remaining cards and buries as many."""

    ruleset = "small-kitty"

    def options(self) -> dict[str, object]:
        """Return the options with the number of remaining cards."""
        shape = self.shape
        all_cards = len(shape.ranks) * len(shape.suits) * shape.copies
        return {**super().options(), "deal.kitty": all_cards - shape.players * shape.cards}

    def empty(self) -> int:
        """Return 1, for the place of the buried cards."""
        return 1

    def begin(self, checked: Callable[[], None]) -> None:
        """Take the kitty, and bury cards."""
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
    """A game in which each player draws a card after each trick, the winner first, while there are
    any."""

    ruleset = "small-stock"

    def trick(self, leader: int, checked: Callable[[], None]) -> int:
        """Play a trick, and draw cards after it. Return the winner's seat."""
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
    """A game with giving, and a condition on every played card. No condition asks about the dealt
    hand."""

    asks_dealt = 0


class ConditionalKitty(Conditional, Kitty):
    """A game with a kitty and such a condition."""

    asks_dealt = 0


class ConditionalStock(Conditional, Stock):
    """A game with a stock and such a condition."""

    asks_dealt = 0


class GivingSets(Giving, InSets):
    """A game with giving, in which sets are led and answered."""

    ruleset = "small-giving-sets"


class KittySets(Kitty, InSets):
    """A game with a kitty, in which sets are led and answered."""

    ruleset = "small-kitty-sets"
