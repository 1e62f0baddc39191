"""Whist, from rulesets/whist.md alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.second.tricks import Table

if TYPE_CHECKING:
    from random import Random


class Whist(Table):
    """Deals of Whist, one after another."""

    def deal(self, random: Random) -> dict[str, list[str]]:
        """Shuffle and deal. The dealer's last card makes trumps (1.3)."""
        hands = super().deal(random)
        self.trump = hands[self.dealer][-1][1]
        return hands

    def begin(self, hands: dict[str, list[str]], trump: str = "") -> None:
        """Begin a deal with these hands and trumps."""
        super().begin(hands)
        self.trump = trump

    def strength(self, card: str) -> int:
        """Return the strength of a card. Trumps beat all other suits (2.3)."""
        plain = 13 - self.ranks.index(card[0])
        return 13 + plain if card[1] == self.trump else super().strength(card)

    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""
        name, _, card = act.partition(": ")
        if self.done or name != self.turn:
            return "turn"
        if card not in self.hands[name]:
            return "hand"
        led = self.laid[0][1][1] if self.laid else card[1]
        return "2.2" if card[1] != led and self.has(name, led) else ""

    def legal(self) -> list[str]:
        """Return all acts that are allowed now."""
        acts = [f"{self.turn}: {card}" for card in self.hands[self.turn]]
        return [act for act in acts if not self.why_not(act)]

    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""
        if (broken := self.why_not(act)) and not stands:
            raise ValueError(f"{act}: {broken}")
        self.lay(*act.split(": "))
        if len(self.done_tricks) == 13:
            sums = [0, 0]
            for who, _ in self.done_tricks:
                sums[self.side(who)] += 1
            self.finish({name: max(0, sums[self.side(name)] - 6) for name in self.names})
            self.over = max(self.tallies.values()) >= 5
