"""Euchre, from rulesets/euchre.md alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.second.tricks import Table

if TYPE_CHECKING:
    from random import Random

SUITS = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}
COLOUR = {"C": "S", "S": "C", "H": "D", "D": "H"}


class Euchre(Table):
    """Deals of Euchre, one after another."""

    ranks = "AKQJT9"

    def deal(self, random: Random) -> dict[str, list[str]]:
        """Deal five cards to each player, and turn one up (1.2)."""
        cards = self.pack
        random.shuffle(cards)
        self.begin({name: cards[seat * 5 :][:5] for seat, name in enumerate(self.names)}, cards[20])
        return self.hands

    def begin(self, hands: dict[str, list[str]], turned: str = "") -> None:
        """Begin a deal with these hands and this turned-up card."""
        super().begin(hands)
        self.turned = turned
        self.passed = 0
        self.maker = self.trump = self.out = ""
        self.picking = self.taken_up = False

    @property
    def laying(self) -> bool:
        """True once trump is made and the dealer has discarded a card (2.6)."""
        return bool(self.maker) and not self.picking

    def suit(self, card: str) -> str:
        """Return the suit of a card. The left bower is a trump (1.3)."""
        left = self.trump and card == "J" + COLOUR[self.trump]
        return self.trump if left else card[1]

    def strength(self, card: str) -> int:
        """Return a card's strength: bowers, other trumps, then the led suit (1.3, 1.4, 3.3)."""
        if self.suit(card) != self.trump:
            return super().strength(card)
        bower = card[0] == "J"
        return 40 + int(card[1] == self.trump) if bower else 20 + 6 - self.ranks.index(card[0])

    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""
        name, _, said = act.partition(": ")
        word, *rest = said.split()
        if self.done:
            return "turn"
        if name == self.out:
            return "2.5"
        if self.picking:
            return self._why_not_pick(name, word, rest)
        if name != self.turn:
            return "turn"
        if not self.maker:
            return self._why_not_name(word, rest)
        if rest or word not in self.pack:
            return "act"
        if word not in self.hands[name]:
            return "hand"
        led = self.suit(self.laid[0][1]) if self.laid else self.suit(word)
        return "3.2" if self.suit(word) != led and self.has(name, led) else ""

    def _why_not_pick(self, name: str, word: str, rest: list[str]) -> str:
        if name != self.dealer or (word == "take") == self.taken_up:
            return "2.6"
        if word == "take":
            return ""
        held = len(rest) == 1 and rest[0] in self.hands[name]
        return "" if word == "bury" and held else "2.6"

    def _why_not_name(self, word: str, rest: list[str]) -> str:
        if word == "pass":
            return ""
        if word not in SUITS or rest not in ([], ["alone"]):
            return "2.4"
        turned = SUITS[word] == self.turned[1]
        if self.passed < 4:
            return "" if turned else "2.1"
        return "2.2" if turned else ""

    def legal(self) -> list[str]:
        """Return all acts that are allowed now."""
        said = ["pass", "take", *SUITS, *(f"{suit} alone" for suit in SUITS)]
        acts = []
        for name in self.names:
            cards = self.hands[name]
            acts += [f"{name}: {act}" for act in (*said, *cards, *(f"bury {c}" for c in cards))]
        return [act for act in acts if not self.why_not(act)]

    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""
        if (broken := self.why_not(act)) and not stands:
            raise ValueError(f"{act}: {broken}")
        name, _, said = act.partition(": ")
        word, *rest = said.split()
        if word == "take":
            self.hands[name].append(self.turned)
            self.taken_up = True
        elif word == "bury":
            self.hands[name].remove(rest[0])
            self.picking = False
        elif self.maker:
            self._lay(name, word)
        else:
            self._say(name, word, rest)

    def _say(self, name: str, word: str, rest: list[str]) -> None:
        if word == "pass":
            self.passed += 1
            self.turn = self.left(name)
            if self.passed == 8:
                self.finish(dict.fromkeys(self.names, 0))
            return
        self.maker, self.trump = name, SUITS[word]
        self.out = self.left(name, 2) if rest else ""
        self.picking = self.passed < 4 and self.dealer != self.out
        self.turn = self._plays(self.left(self.dealer))

    def _plays(self, name: str) -> str:
        """Return this player, or the next one to the left of a player who sits out (3.1)."""
        return self.left(name) if name == self.out else name

    def _lay(self, name: str, card: str) -> None:
        self.hands[name].remove(card)
        self.laid.append((name, card))
        self.turn = self._plays(self.left(name))
        if len(self.laid) == (3 if self.out else 4):
            self.turn = self.winning()
            self.done_tricks.append((self.turn, [each for _, each in self.laid]))
            self.laid = []
        if len(self.done_tricks) == 5:
            self._settle()

    def _settle(self) -> None:
        """Note the scores of the deal (4.1 to 4.5)."""
        made = sum(self.side(who) == self.side(self.maker) for who, _ in self.done_tricks)
        if made < 3:
            winner, points = 1 - self.side(self.maker), 2
        else:
            march = 4 if self.out else 2
            winner, points = self.side(self.maker), march if made == 5 else 1
        self.finish({name: points * (self.side(name) == winner) for name in self.names})
        self.over = max(self.tallies.values()) >= 10
