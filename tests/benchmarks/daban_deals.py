"""Random deals of Da Ban that obey the rules, from a seed, for the measurements.

A deal belongs to a match that has begun. Trump is declared during the draw, or named by the kitty.
The master takes the kitty and buries cards, or leaves it. Players lead sets as often as not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper import Match
from tests.da_ban_reference import CODES, FOUR, strength, winner
from tests.random_play import rules_of

if TYPE_CHECKING:
    from random import Random

    from scorekeeper.core.types import Standing

CARDS, KITTY = 39, 6
LEVEL = "3"


def before() -> tuple[Match, Standing]:
    """Return a match before its second deal, in which Dan is master and nothing is owed."""
    match = Match(rules_of("da-ban"), FOUR)
    match.play_round(["master Ana", "trump H", "result points=125"])
    return match, match.standing


class Deal:
    """One deal of four players at level 3.

    `known` and `unseen` are the entries of a table that knows the hands and of one that does not.
    """

    def __init__(self, random: Random, master: str) -> None:
        self.random = random
        cards = CODES * 3
        random.shuffle(cards)
        self.hands = {
            name: cards[CARDS * seat : CARDS * seat + CARDS] for seat, name in enumerate(FOUR)
        }
        self.kitty = cards[-KITTY:]
        self.trump = ""
        self.master = master
        self.known: list[str] = []
        self.unseen: list[str] = []
        for name, hand in self.hands.items():
            self.known.append(f"hand {name}: {' '.join(hand)}")
        self._declare()
        self._take()
        self._play()

    def _enter(self, text: str, unseen: str = "") -> None:
        self.known.append(text)
        self.unseen.append(unseen or text)

    def _declare(self) -> None:
        """Let players play a card of the level if they like. The first names trump, the next needs
        more cards."""
        for name in self.random.sample(FOUR, 4):
            level = [card for card in self.hands[name] if card[0] == LEVEL]
            if level and self.random.random() < 0.3:
                self._enter(f"{name}: declare {level[0]}")
                self.trump = self.trump or level[0][1]

    def _take(self) -> None:
        """Turn up the kitty. If the master must take it, let the master bury six cards for it."""
        self._enter(f"kitty {' '.join(self.kitty)}")
        suits = [card[1] for card in self.kitty if card not in ("BJ", "LJ")]
        self.trump = self.trump or suits[0]
        if suits.count(self.trump) in (0, KITTY):
            self._enter(f"{self.master}: leave")
            return
        hand = self.hands[self.master]
        self._enter(f"{self.master}: take")
        hand += self.kitty
        self.random.shuffle(hand)
        buried, hand[:] = hand[:KITTY], hand[KITTY:]
        self._enter(f"{self.master}: bury {' '.join(buried)}", f"{self.master}: bury {KITTY}")

    def _play(self) -> None:
        leader = self.master
        while self.hands[leader]:
            laid: list[tuple[str, list[str]]] = []
            at = FOUR.index(leader)
            for name in (*FOUR[at:], *FOUR[:at]):
                cards = self._answer(name, laid[0][1]) if laid else self._lead(name)
                for card in cards:
                    self.hands[name].remove(card)
                laid.append((name, cards))
                self._enter(f"{name}: {' '.join(cards)}")
            leader = winner(laid, self.trump, LEVEL)

    def _lead(self, name: str) -> list[str]:
        """Lead a card, as often as not with one or both identical ones."""
        hand = self.hands[name]
        card = self.random.choice(hand)
        return [card] * self.random.randint(1, hand.count(card))

    def _answer(self, name: str, led: list[str]) -> list[str]:
        """Return as many cards of the led class as possible, then others."""
        group = strength(led[0], self.trump, LEVEL)[0]
        hand = self.random.sample(self.hands[name], len(self.hands[name]))
        hand.sort(key=lambda card: strength(card, self.trump, LEVEL)[0] != group)
        return hand[: len(led)]
