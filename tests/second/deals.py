"""Games written as single deals: each deal is a separate object, and they are played in turn."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

from tests.second.tricks import Table

if TYPE_CHECKING:
    from random import Random


class Deal(Protocol):
    """One deal of a game."""

    hands: dict[str, list[str]]
    void: bool
    over: bool

    def turn(self) -> str:
        """Return the player to act, or "" when the deal is finished."""

    def legal(self) -> list[str]:
        """Return the acts that are allowed now, as entries."""

    def why_not_card(self, card: str) -> str:
        """Return the paragraph that playing a card of the hand breaks, or "" if no card is played
        now."""

    def play(self, entry: str, stands: bool = False) -> None:
        """Do the act of an entry. With `stands`, play an illegal card too."""

    def scores(self) -> dict[str, int]:
        """Return the score of every player."""


class Deals(Table):
    """Deals of such a game, one after another."""

    game: Deal

    @abstractmethod
    def begin_with(self, random: Random, names: list[str]) -> Deal:
        """Shuffle and deal to these names, the first to the dealer's left."""

    def deal(self, random: Random) -> dict[str, list[str]]:
        """Shuffle, deal all cards, and begin."""
        self.game = self.begin_with(random, self.from_left())
        self.done = False
        self._look()
        return self.hands

    def _look(self) -> None:
        self.hands, self.turn = self.game.hands, self.game.turn()

    @property
    def laying(self) -> bool:
        """True while cards are played."""
        return any(self.game.why_not_card(card) for card in self.hands[self.turn])

    def legal(self) -> list[str]:
        """Return all acts that are allowed now."""
        return self.game.legal()

    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""
        name, _, said = act.partition(": ")
        if name != self.turn:
            return "turn"
        if act in self.game.legal():
            return ""
        if said not in self.pack:
            return "act"
        return (self.game.why_not_card(said) or "act") if said in self.hands[name] else "hand"

    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""
        self.game.play(act, stands)
        self._look()
        if self.game.over:
            dealer = self.dealer
            self.finish(self.game.scores())
            if self.game.void:
                self.dealer, self.number = dealer, self.number - 1
