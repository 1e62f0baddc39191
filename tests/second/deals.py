"""Games that are written as one deal, each deal an object of its own, played one after another."""

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
        """Whose turn it is; nobody's when the deal is over."""

    def legal(self) -> list[str]:
        """What may be done now, as entries."""

    def why_not_card(self, card: str) -> str:
        """The paragraph that laying a card of the hand breaks; empty where none is laid now."""

    def play(self, entry: str, stands: bool = False) -> None:
        """Do what the entry says; `stands`: a card that is not legal is laid all the same."""

    def scores(self) -> dict[str, int]:
        """What everyone scores."""


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
        """Whether cards are laid now."""
        return any(self.game.why_not_card(card) for card in self.hands[self.turn])

    def legal(self) -> list[str]:
        """Everything that is allowed now."""
        return self.game.legal()

    def why_not(self, act: str) -> str:
        """The paragraph that an act breaks."""
        name, _, said = act.partition(": ")
        if name != self.turn:
            return "turn"
        if act in self.game.legal():
            return ""
        if said not in self.pack:
            return "act"
        return (self.game.why_not_card(said) or "act") if said in self.hands[name] else "hand"

    def play(self, act: str, stands: bool = False) -> None:
        """Do what is allowed; `stands`: what is not is done all the same."""
        self.game.play(act, stands)
        self._look()
        if self.game.over:
            dealer = self.dealer
            self.finish(self.game.scores())
            if self.game.void:
                self.dealer, self.number = dealer, self.number - 1
