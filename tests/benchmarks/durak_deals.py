"""Random deals of Durak, played by legal acts with all hands known, for the measurements.

The deals never change, so that figures can be compared. Tests use `tests/random_play.py` instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper import Match
from tests.durak_tables import PACK, rules

if TYPE_CHECKING:
    from random import Random

NAMES = ("Ana", "Ben", "Cid", "Dora", "Eve", "Fay")


class Deal:
    """One deal with all hands known. `facts` are its setup, `acts` its entries."""

    def __init__(self, name: str, players: int, random: Random) -> None:
        self.random = random
        self.players = list(NAMES[:players])
        cards = PACK[:]
        random.shuffle(cards)
        barred = rules(name).data["phases"]["bouts"].get("never_trump", [])
        while cards[6 * players - (players == 6)][1] in barred:
            random.shuffle(cards)
        self.turned = cards[6 * players - (players == 6)]
        hands = [cards[6 * seat : 6 * seat + 6] for seat in range(players)]
        rest = cards[6 * players :]
        self.talon = [*rest[1:], *rest[:1]]
        self.facts = [f"turnup {self.turned}"]
        self.hands = [
            f"hand {who}: {' '.join(hand)}" for who, hand in zip(self.players, hands, strict=True)
        ]
        self.acts: list[str] = []
        self.verdicts: list[str] = []
        self.match = Match(rules(name), self.players)
        for fact in (*self.facts, *self.hands):
            self.match.record(fact)

    @property
    def over(self) -> bool:
        """True if the deal is finished."""
        return self.match.rounds[-1].over

    def record(self, text: str) -> None:
        """Record an act, then the draws that are owed."""
        self.verdicts.append(self.match.record(text).verdict)
        self.acts.append(text)
        if self.over:
            return
        news = self.match.state["bindings"]["last_bout"]
        if news and not self.match.state["table"]:
            for who, number in news["draws"]:
                drawn, self.talon = self.talon[:number], self.talon[number:]
                unseen = [card for card in drawn if card != self.turned]
                if unseen:
                    self.verdicts.append(
                        self.match.record(f"{who}: draw {' '.join(unseen)}").verdict
                    )
                    self.acts.append(f"{who}: draw {' '.join(unseen)}")

    def choose(self) -> str:
        """Choose a legal act. Passes come late, so that bouts grow."""
        legal = [text for text in self.match.legal() if not text.endswith("…")]
        acts = [text for text in legal if not text.endswith((": pass", ": take"))]
        return self.random.choice(acts if acts and self.random.random() < 0.7 else legal)

    def play(self, most: int = 400) -> Deal:
        """Play to the end, or that many acts."""
        for _ in range(most):
            if self.over:
                break
            self.record(self.choose())
        return self
