"""House rules of Doppelkopf, from rulesets/house.md (21 to 25) and doppelkopf.md alone.

Normal games without calls, silent hochzeiten, and poverty.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from tests.second.tricks import NAMES, Table

if TYPE_CHECKING:
    from random import Random

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
TRUMPS = ["TH", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D"]
FOX, QUEEN, TEN = "AD", "QC", "TH"


class House(NamedTuple):
    """The house rules of a table.

    `ten` has the tricks in which the second heart ten wins, numbered from the last (1).
    """

    ten: range = range(0)
    ranks: str = "ATKQJ9"
    bock: bool = False
    poverty: bool = False
    swines: bool = False


class Doppelkopf(Table):
    """Deals of Doppelkopf, one after another."""

    house = House()

    def __init__(self, names: tuple[str, ...] = NAMES) -> None:
        super().__init__(names)
        self.ranks = self.house.ranks
        self.bock = 0

    @property
    def pack(self) -> list[str]:
        """Every card twice (1.1)."""
        return super().pack * 2

    def deal(self, random: Random) -> dict[str, list[str]]:
        """Deal, if necessary several times, until a player has cards to which the house rule
        applies."""
        wanted = random.random() < 0.7
        dealer, number = self.dealer, self.number
        while True:
            super().deal(random)
            if not wanted or any(map(self._has_what_it_takes, self.names)):
                return self.hands
            self.dealer, self.number = dealer, number

    def _has_what_it_takes(self, name: str) -> bool:
        if self.house.poverty:
            return self.is_poor(name)
        return self.hands[name].count(FOX) == 2 if self.house.swines else True

    def begin(self, hands: dict[str, list[str]]) -> None:
        """Begin a deal with these hands, before any player has spoken (3.1)."""
        super().begin(hands)
        self.re = [name for name in self.names if QUEEN in hands[name]]
        self.forehand = self.turn
        self.to_speak = self.from_left()
        self.poor, self.asked, self.partner = "", list[str](), ""
        self.offered: list[str] = []
        self.swine = ""
        self.played_by: dict[str, int] = dict.fromkeys(self.names, 0)
        self.size = len(hands[self.turn])

    # --- cards

    def is_trump(self, card: str) -> bool:
        """Return whether a card is a trump in a normal game (2)."""
        return card in TRUMPS

    def is_poor(self, name: str) -> bool:
        """Return whether a player has three trumps or fewer (22.1)."""
        return sum(map(self.is_trump, self.hands[name])) <= 3

    def suit(self, card: str) -> str:
        """Return the class that a card must follow."""
        return "trump" if self.is_trump(card) else card[1]

    def strength(self, card: str) -> int:
        """Return the strength of a card in a trick, or 0 if it cannot win the trick."""
        if self.is_trump(card):
            top = self.swine and card == FOX
            return 100 if top else 60 - TRUMPS.index(card)
        led = self.suit(self.laid[0][1])
        return 10 - self.ranks.index(card[0]) if card[1] == led else 0

    def winning(self) -> str:
        """Return the winner: the first of equal cards, but of two heart tens perhaps the second
        (24)."""
        tens = [name for name, card in self.laid if card == TEN]
        best = super().winning()
        to_go = self.size - len(self.done_tricks)
        if len(tens) == 2 and best == tens[0] and to_go in self.house.ten:
            return tens[1]
        return best

    # --- who may do what

    @property
    def laying(self) -> bool:
        """True while cards are played."""
        return not (self.to_speak or self.offering)

    @property
    def offering(self) -> bool:
        """True while cards still move between the poor player and a partner (22.2 to 22.4)."""
        return bool(self.poor) and not (self.partner and not self.offered)

    def to_act(self) -> list[str]:
        """Return the players who may act now."""
        if self.done:
            return []
        if self.to_speak:
            return self.to_speak[:1]
        if not self.offering:
            return [self.turn]
        if self.partner:
            return [self.partner]
        return self.asked[:1] if self.offered else [self.poor]

    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""
        name, _, said = act.partition(": ")
        word, *cards = said.split()
        if word == "schweine":
            return self._why_not_swines(name)
        if name not in self.to_act():
            return "turn"
        if word in ("gesund", "armut"):
            poor = word == "gesund" or self.is_poor(name)
            return ("" if poor else "house 22.1") if self.to_speak else "act"
        if word == "give":
            return self._why_not_give(name, cards)
        if word in ("take", "pass"):
            return "" if self.offering and self.offered and not self.partner else "act"
        if not self.laying:
            return "act"
        return self._why_not_lay(name, word)

    def _why_not_lay(self, name: str, card: str) -> str:
        if card not in self.hands[name]:
            return "hand"
        led = self.suit(self.laid[0][1]) if self.laid else self.suit(card)
        return "2" if self.suit(card) != led and self.has(name, led) else ""

    def _why_not_swines(self, name: str) -> str:
        if self.to_speak or self.played_by[name]:
            return "house 23.2"
        return "" if self.hands[name].count(FOX) == 2 and not self.swine else "house 23.1"

    def _why_not_give(self, name: str, cards: list[str]) -> str:
        if not self.offering or (self.offered and not self.partner):
            return "act"
        if any(cards.count(card) > self.hands[name].count(card) for card in cards):
            return "hand"
        kept = sum(map(self.is_trump, self.hands[name])) - sum(map(self.is_trump, cards))
        return "house 22.2" if len(cards) != 3 or (name == self.poor and kept) else ""

    def legal(self) -> list[str]:
        """Return all acts that are allowed now in these deals."""
        found = []
        for name in self.to_act():
            acts = dict.fromkeys(self.hands[name])
            if self.to_speak:
                acts = dict.fromkeys(("gesund", *(["armut"] if self.house.poverty else [])))
            elif self.offering and (self.partner or not self.offered):
                gifts = combinations(sorted(self.hands[name]), 3)
                acts = dict.fromkeys(f"give {' '.join(gift)}" for gift in gifts)
            elif self.offering:
                acts = dict.fromkeys(("take", "pass"))
            found += [f"{name}: {act}" for act in acts]
        if self.house.swines and not self.done:
            found += [f"{name}: schweine" for name in self.names]
        return [act for act in found if not self.why_not(act)]

    # --- what happens

    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""
        if (broken := self.why_not(act)) and not stands:
            raise ValueError(f"{act}: {broken}")
        name, _, said = act.partition(": ")
        word, *cards = said.split()
        if word == "schweine":
            self.swine = name
        elif word in ("gesund", "armut"):
            self.to_speak.remove(name)
            self.poor = self.poor or (name if word == "armut" else "")
        elif word == "give":
            self._give(name, cards)
        elif word == "take":
            self.partner, self.asked = name, []
            self.hands[name] += self.offered
            self.re = [self.poor, name]
        elif word == "pass":
            self.asked.remove(name)
            if not self.asked:
                self._annul()
        else:
            self.played_by[name] += 1
            self.lay(name, word)
            if len(self.done_tricks) == self.size:
                self.finish(self._counted())

    def _give(self, name: str, cards: list[str]) -> None:
        for card in cards:
            self.hands[name].remove(card)
        if name == self.poor:
            self.offered = cards
            self.asked = [self.left(name, steps) for steps in (1, 2, 3)]
        else:
            self.hands[self.poor] += cards
            self.offered = []

    def _annul(self) -> None:
        """Annul the deal, because no player has taken the cards. The same dealer deals again
        (22.5)."""
        dealer = self.dealer
        self.finish(dict.fromkeys(self.names, 0))
        self.dealer = dealer

    # --- what it is worth

    def _counted(self) -> dict[str, int]:
        """Return the scores of a deal (5 to 8), doubled in a bock deal (21.3)."""
        points = sum(POINTS[card[0]] for name in self.re for card in self.taken(name))
        re_won = points >= 121
        losers = 240 - points if re_won else points
        value = 1 + sum(losers < edge for edge in (90, 60, 30, 1))
        value = value if re_won else -value - 1
        value += self._specials()
        factor = 2 if self.bock else 1
        self.bock += 4 * self._events(points) - (1 if self.bock else 0)
        share = 3 if len(self.re) == 1 else 1
        return {
            name: factor * value * share if name in self.re else -factor * value
            for name in self.names
        }

    def _events(self, points: int) -> int:
        """Return how many events of the deal make bock (21.1)."""
        hearts = any(
            all(card[1] == "H" and not self.is_trump(card) for card in cards)
            for _, cards in self.done_tricks
        )
        return (points == 120) + hearts if self.house.bock else 0

    def _specials(self) -> int:
        """Return the special points of re minus those of kontra (7)."""
        total, leader = 0, self.forehand
        for number, (winner, cards) in enumerate(self.done_tricks, 1):
            sign = 1 if winner in self.re else -1
            seats = [self.left(leader, step) for step in range(4)]
            if sum(POINTS[card[0]] for card in cards) > 40:
                total += sign
            for seat, card in zip(seats, cards, strict=True):
                theirs = (seat in self.re) != (winner in self.re)
                if card == FOX and theirs and not self.swine:
                    total += sign
            if number == self.size and cards[seats.index(winner)] == "JC":
                total += sign
            leader = winner
        return total


class SecondTen(Doppelkopf):
    """The second heart ten beats the first (24.1)."""

    house = House(ten=range(1, 13))


class SecondTenNotLast(Doppelkopf):
    """The second heart ten beats the first except in the last trick (24.2)."""

    house = House(ten=range(2, 13))


class WithoutNines(Doppelkopf):
    """Doppelkopf without nines (25)."""

    house = House(ranks="ATKQJ")


class Bock(Doppelkopf):
    """Doppelkopf with bock deals (21)."""

    house = House(bock=True)


class Poverty(Doppelkopf):
    """Doppelkopf with poverty (22)."""

    house = House(poverty=True)


class Swines(Doppelkopf):
    """Doppelkopf with swines (23)."""

    house = House(swines=True)
