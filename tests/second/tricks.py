"""What games of tricks have in common: seats, hands, and the trick that lies on the table.

An act is written in full (`Ana: QC`). `why_not` names the paragraph of the rule text that an act
breaks, `turn` for who is not to act, `hand` for a card that they do not hold, `act` for what
cannot be said now; it is empty for what is allowed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

NAMES = ("Ana", "Ben", "Cleo", "Dan")


class Table(ABC):
    """Four seats, the cards in them, and the tricks of one deal after another."""

    ranks = "AKQJT98765432"

    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        self.names = names
        self.dealer = names[-1]
        self.number = 0
        self.tallies = dict.fromkeys(names, 0)
        self.over = False

    @property
    def pack(self) -> list[str]:
        """Every card once."""
        return [rank + suit for suit in "CSHD" for rank in self.ranks]

    def left(self, name: str, steps: int = 1) -> str:
        """Who sits so many seats to the left of somebody."""
        return self.names[(self.names.index(name) + steps) % len(self.names)]

    def from_left(self) -> list[str]:
        """Everybody in turn, from the dealer's left."""
        return [self.left(self.dealer, steps) for steps in range(1, len(self.names) + 1)]

    def side(self, name: str) -> int:
        """Which of the two sides somebody is on, in games that have them."""
        return self.names.index(name) % 2

    def to_act(self) -> list[str]:
        """Who may act now."""
        return [] if self.done else [self.turn]

    @abstractmethod
    def why_not(self, act: str) -> str:
        """The paragraph that an act breaks."""

    @abstractmethod
    def legal(self) -> list[str]:
        """Everything that is allowed now."""

    @abstractmethod
    def play(self, act: str, stands: bool = False) -> None:
        """Do what is allowed; `stands`: what is not is done all the same."""

    def likely(self, acts: list[str]) -> list[str]:
        """What somebody might well do, of what is allowed."""
        return acts

    @property
    def laying(self) -> bool:
        """Whether cards are laid now."""
        return True

    @property
    def complete(self) -> bool:
        """Whether the hands are those that are played."""
        return True

    def deal(self, random: Random) -> dict[str, list[str]]:
        """Shuffle, deal all cards, and begin."""
        cards = self.pack
        random.shuffle(cards)
        self.begin({name: cards[seat::4] for seat, name in enumerate(self.names)})
        return self.hands

    def begin(self, hands: dict[str, list[str]]) -> None:
        """A deal with these hands."""
        self.hands = {name: list(cards) for name, cards in hands.items()}
        self.laid: list[tuple[str, str]] = []
        self.done_tricks: list[tuple[str, list[str]]] = []
        self.turn = self.left(self.dealer)
        self.done = False
        self.number += 1

    def suit(self, card: str) -> str:
        """What a card has to follow."""
        return card[1]

    def strength(self, card: str) -> int:
        """How strong a card is in a trick; 0 for one that cannot win it."""
        same = self.suit(card) == self.suit(self.laid[0][1])
        return 13 - self.ranks.index(card[0]) if same else 0

    def winning(self) -> str:
        """Who is winning the trick as it lies."""
        return max(self.laid, key=lambda laid: self.strength(laid[1]))[0]

    def has(self, name: str, suit: str) -> bool:
        """Whether somebody holds a card of this suit."""
        return any(self.suit(card) == suit for card in self.hands[name])

    def played(self) -> list[str]:
        """The cards of the tricks that are complete."""
        return [card for _, cards in self.done_tricks for card in cards]

    def taken(self, name: str) -> list[str]:
        """The cards that somebody has won."""
        return [card for who, cards in self.done_tricks if who == name for card in cards]

    def won(self, name: str) -> int:
        """How many tricks somebody has won."""
        return sum(who == name for who, _ in self.done_tricks)

    def lay(self, name: str, card: str) -> None:
        """Lay a card, and see who wins once all four lie there."""
        self.hands[name].remove(card)
        self.laid.append((name, card))
        self.turn = self.left(name)
        if len(self.laid) == 4:
            self.turn = self.winning()
            self.done_tricks.append((self.turn, [card for _, card in self.laid]))
            self.laid = []

    def finish(self, changes: dict[str, int]) -> None:
        """Write the deal down; the next to the left deals."""
        for name, change in changes.items():
            self.tallies[name] += change
        self.changes = changes
        self.done = True
        self.dealer = self.left(self.dealer)

    def scores(self) -> dict[str, int]:
        """What the deal that is over brought everybody."""
        return self.changes
