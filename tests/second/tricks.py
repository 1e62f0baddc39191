"""The common base of trick games: seats, hands, and the trick on the table.

An act is written in full (`Ana: QC`). `why_not` returns the paragraph of the rule text that an act
breaks, and "" for an allowed act. The result is `turn` for a player who is not to act. It is `hand`
for a card that the player does not hold, and `act` for an act that is not possible now.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

NAMES = ("Ana", "Ben", "Cleo", "Dan")


class Table(ABC):
    """Four seats, the players' cards, and the tricks of one deal after another."""

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
        """Return the player that many seats to the left of a player."""
        return self.names[(self.names.index(name) + steps) % len(self.names)]

    def from_left(self) -> list[str]:
        """Return all players in turn, from the dealer's left."""
        return [self.left(self.dealer, steps) for steps in range(1, len(self.names) + 1)]

    def side(self, name: str) -> int:
        """Return a player's side, 0 or 1, in games that have sides."""
        return self.names.index(name) % 2

    def to_act(self) -> list[str]:
        """Return the players who may act now."""
        return [] if self.done else [self.turn]

    @abstractmethod
    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""

    @abstractmethod
    def legal(self) -> list[str]:
        """Return all acts that are allowed now."""

    @abstractmethod
    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""

    def likely(self, acts: list[str]) -> list[str]:
        """Return the allowed acts that a player is likely to choose."""
        return acts

    @property
    def laying(self) -> bool:
        """True while cards are played."""
        return True

    @property
    def complete(self) -> bool:
        """True if the hands are those of play."""
        return True

    def deal(self, random: Random) -> dict[str, list[str]]:
        """Shuffle, deal all cards, and begin."""
        cards = self.pack
        random.shuffle(cards)
        self.begin({name: cards[seat::4] for seat, name in enumerate(self.names)})
        return self.hands

    def begin(self, hands: dict[str, list[str]]) -> None:
        """Begin a deal with these hands."""
        self.hands = {name: list(cards) for name, cards in hands.items()}
        self.laid: list[tuple[str, str]] = []
        self.done_tricks: list[tuple[str, list[str]]] = []
        self.turn = self.left(self.dealer)
        self.done = False
        self.number += 1

    def suit(self, card: str) -> str:
        """Return the class that a card must follow."""
        return card[1]

    def strength(self, card: str) -> int:
        """Return the strength of a card in a trick, or 0 if it cannot win the trick."""
        same = self.suit(card) == self.suit(self.laid[0][1])
        return 13 - self.ranks.index(card[0]) if same else 0

    def winning(self) -> str:
        """Return the player who is winning the current trick."""
        return max(self.laid, key=lambda laid: self.strength(laid[1]))[0]

    def has(self, name: str, suit: str) -> bool:
        """Return whether a player holds a card of this suit."""
        return any(self.suit(card) == suit for card in self.hands[name])

    def played(self) -> list[str]:
        """Return the cards of the complete tricks."""
        return [card for _, cards in self.done_tricks for card in cards]

    def taken(self, name: str) -> list[str]:
        """Return the cards that a player has won."""
        return [card for who, cards in self.done_tricks if who == name for card in cards]

    def won(self, name: str) -> int:
        """Return how many tricks a player has won."""
        return sum(who == name for who, _ in self.done_tricks)

    def lay(self, name: str, card: str) -> None:
        """Play a card, and decide the winner once all four are on the table."""
        self.hands[name].remove(card)
        self.laid.append((name, card))
        self.turn = self.left(name)
        if len(self.laid) == 4:
            self.turn = self.winning()
            self.done_tricks.append((self.turn, [card for _, card in self.laid]))
            self.laid = []

    def finish(self, changes: dict[str, int]) -> None:
        """Note the scores of the deal. The next player to the left deals."""
        for name, change in changes.items():
            self.tallies[name] += change
        self.changes = changes
        self.done = True
        self.dealer = self.left(self.dealer)

    def scores(self) -> dict[str, int]:
        """Return every player's score in the finished deal."""
        return self.changes
