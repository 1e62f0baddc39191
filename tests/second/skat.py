"""Skat, from the paragraphs of `rulesets/skat.md` alone."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from tests.second.deals import Deals

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

NAMES = ["Ana", "Ben", "Cleo"]  # forehand, middlehand, rearhand
PACK = [rank + suit for suit in "CSHD" for rank in "AKQJT987"]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
JACKS = ["JC", "JS", "JH", "JD"]
TRUMP = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}
BASE = {"clubs": 12, "spades": 11, "hearts": 10, "diamonds": 9, "grand": 24}
NULL = {
    frozenset[str](): 23,
    frozenset(["hand"]): 35,
    frozenset(["ouvert"]): 46,
    frozenset(["hand", "ouvert"]): 59,
}
IMPLIED = {"schwarz": ["schneider"], "ouvert": ["schwarz", "schneider"]}


def _steps() -> list[int]:
    """Return the possible values of a game: 2 to 18 times a suit, 2 to 11 times grand, the nulls
    (2.1)."""
    suits = {BASE[suit] * times for suit in TRUMP for times in range(2, 19)}
    return sorted(suits | {BASE["grand"] * times for times in range(2, 12)} | {*NULL.values()})


STEPS = _steps()


def deal(random: Random, names: Sequence[str] = NAMES) -> tuple[dict[str, list[str]], list[str]]:
    """Deal ten cards to each player by name, forehand first, and the skat."""
    cards = PACK.copy()
    random.shuffle(cards)
    hands = {name: cards[10 * seat : 10 * seat + 10] for seat, name in enumerate(names)}
    return hands, cards[30:]


def trumps(contract: str) -> list[str]:
    """Return the trumps of a contract, strongest first (1.3 to 1.5)."""
    if contract == "null":
        return []
    return JACKS + [rank + TRUMP[contract] for rank in "ATKQ987" if contract != "grand"]


def card_class(card: str, contract: str) -> str:
    """Return `trump`, or the card's suit."""
    return "trump" if card in trumps(contract) else card[1]


def strength(card: str, contract: str) -> int:
    """Return the strength of a card within its class. A lower number is stronger."""
    if card in trumps(contract):
        return trumps(contract).index(card)
    return ("AKQJT987" if contract == "null" else "ATKQ987").index(card[0])


def winner(trick: list[tuple[str, str]], contract: str) -> str:
    """Return the winner of a trick of (name, card) pairs (4.3)."""
    led = card_class(trick[0][1], contract)
    kinds = [card_class(card, contract) for _, card in trick]
    best = "trump" if "trump" in kinds else led
    rivals = [pair for pair, kind in zip(trick, kinds, strict=True) if kind == best]
    return min(rivals, key=lambda pair: strength(pair[1], contract))[0]


def matadors(cards: list[str], contract: str) -> int:
    """Return the length of the run of highest trumps all in `cards`, or all missing (5.2)."""
    run = 0
    for card in trumps(contract):
        if (card in cards) != ("JC" in cards):
            break
        run += 1
    return run


def implied(options: set[str]) -> set[str]:
    """Return the options of a suit or grand with those that they imply (3.4, 3.5)."""
    return options | {other for option in options for other in IMPLIED.get(option, [])}


class Skat:
    """One deal. `legal` lists the legal acts, `play` does one, and `scores` has the result."""

    def __init__(self, hands: dict[str, list[str]], skat: list[str]) -> None:
        self.hands = {name: hand.copy() for name, hand in hands.items()}
        self.skat = skat.copy()
        self.names = list(hands)
        self.bid = 0
        self.taken = self.buried = self.void = self.over = False
        self.declarer = self.contract = ""
        self.options: set[str] = set()
        self.trick: list[tuple[str, str]] = []
        self.tricks: list[tuple[str, list[str]]] = []
        # 2.2: middlehand bids and forehand hears; rearhand waits
        self.hears, self.bids = self.names[0], self.names[1]
        self.asked = self.last = False
        self.leader = self.names[0]
        self.run = 0

    # --- what may be done

    def turn(self) -> str:
        """Return the player to act, or "" when the deal is finished."""
        if self.over:
            return ""
        if not self.declarer:
            return self.hears if self.asked or self.last else self.bids
        if not self.contract:
            return self.declarer
        return self.names[(self.names.index(self.leader) + len(self.trick)) % 3]

    def legal(self) -> list[str]:
        """Return the acts that are allowed now, as entries."""
        if self.over:
            return []
        return [f"{self.turn()}: {act}" for act in self._acts()]

    def _acts(self) -> list[str]:
        if not self.declarer:
            if self.last:
                return ["bid 18", "pass"]
            if self.asked:
                return ["hold", "pass"]
            return [*(f"bid {step}" for step in STEPS if step > self.bid), "pass"]
        if self.taken and not self.buried:
            pairs = combinations(self.hands[self.declarer], 2)
            return [f"bury {one} {two}" for one, two in pairs]
        if not self.contract:
            return [*([] if self.taken else ["take"]), *self._names()]
        hand = self.hands[self.turn()]
        if self.trick:
            led = card_class(self.trick[0][1], self.contract)
            return [card for card in hand if card_class(card, self.contract) == led] or hand
        return list(hand)

    def _names(self) -> list[str]:
        """Return the contracts that may be named (3.2 to 3.6), each in its shortest form."""
        if self.taken:
            return [*BASE, *self._nulls(["", "ouvert"])]
        options = ["hand", "hand schneider", "hand schwarz", "hand ouvert"]
        names = [f"{contract} {option}" for contract in BASE for option in options]
        return names + self._nulls(["hand", "hand ouvert"])

    def _nulls(self, options: list[str]) -> list[str]:
        worth = {text: NULL[frozenset(text.split())] for text in options}
        return [f"null {text}".strip() for text in options if worth[text] >= self.bid]

    # --- doing it

    def why_not_card(self, card: str) -> str:
        """Return the paragraph that playing a card breaks, or "" if no card is played now (4.2)."""
        return "4.2" if self.contract and card not in self._acts() else ""

    def play(self, entry: str, stands: bool = False) -> None:
        """Do the act of an entry, which must be legal except for a card that stands."""
        who, _, act = entry.partition(": ")
        if not stands and (who != self.turn() or act not in self._acts()):
            raise ValueError(f"{entry} is not legal now")
        if not self.declarer:
            self._say(who, act)
        elif self.contract:
            self._lay(who, act)
        elif act == "take":
            self.taken = True
            self.hands[who] += self.skat
        elif act.startswith("bury "):
            self.skat = act.split()[1:]
            self.hands[who] = [card for card in self.hands[who] if card not in self.skat]
            self.buried = True
        else:
            self.contract, *options = act.split()
            self.options = set(options)
            if self.contract != "null":
                self.options = implied(self.options)
            self.run = matadors(self.hands[who] + self.skat, self.contract)

    def _say(self, who: str, act: str) -> None:
        """Apply one call of the auction (2.2 to 2.6)."""
        if act.startswith("bid "):
            self.bid = int(act[4:])
            self.asked = not self.last
            if self.last:
                self.declarer = who
        elif act == "hold":
            self.asked = False
        elif self.last:
            self.void = self.over = True
        else:
            stays = self.bids if who == self.hears else self.hears
            self.asked = False
            if self.names[2] not in (self.hears, self.bids):  # 2.3: rearhand's turn to bid
                self.hears, self.bids = stays, self.names[2]
            elif self.bid:
                self.declarer = stays
            else:
                self.hears, self.last = stays, True

    def _lay(self, who: str, card: str) -> None:
        self.hands[who].remove(card)
        self.trick.append((who, card))
        if len(self.trick) < 3:
            return
        self.leader = winner(self.trick, self.contract)
        self.tricks.append((self.leader, [card for _, card in self.trick]))
        self.trick = []
        caught = self.contract == "null" and self.leader == self.declarer  # 4.5
        self.over = caught or len(self.tricks) == 10

    # --- what it came to

    def points(self) -> int:
        """Return the declarer's card points, including those of the skat (5.1)."""
        cards = [card for who, taken in self.tricks if who == self.declarer for card in taken]
        return sum(POINTS.get(card[0], 0) for card in cards + self.skat)

    def won_tricks(self) -> int:
        """Return the number of tricks that the declarer has won."""
        return sum(who == self.declarer for who, _ in self.tricks)

    def value(self) -> int:
        """Return the value of the game before a check for overbidding (5.3 to 5.5)."""
        if self.contract == "null":
            return NULL[frozenset(self.options)]
        points, tricks = self.points(), self.won_tricks()
        schwarz = tricks in (0, 10) or "schwarz" in self.options
        schneider = not 30 < points < 90 or schwarz or "schneider" in self.options
        return BASE[self.contract] * (self.run + 1 + len(self.options) + schneider + schwarz)

    def made(self) -> bool:
        """Return whether the declarer made the named contract (5.1)."""
        if self.contract == "null":
            return self.won_tricks() == 0
        if "schwarz" in self.options:
            return self.won_tricks() == 10
        return self.points() >= (90 if "schneider" in self.options else 61)

    def scores(self) -> dict[str, int]:
        """Return the score of every player, all 0 if nothing was played."""
        scores = dict.fromkeys(self.names, 0)
        if not self.void:
            value, made = self.value(), self.made()
            if value < self.bid:  # 5.6
                base = BASE[self.contract]
                value, made = -(-self.bid // base) * base, False
            scores[self.declarer] = value if made else -2 * value
        return scores


class SkatDeals(Deals):
    """Deals of Skat for three, one after another."""

    ranks = "AKQJT987"

    def __init__(self) -> None:
        super().__init__(tuple(NAMES))

    def begin_with(self, random: Random, names: list[str]) -> Skat:
        """Shuffle and deal; forehand is the first."""
        return Skat(*deal(random, names))

    def likely(self, acts: list[str]) -> list[str]:
        """Return likely acts: only the lowest bids, and three times as many passes."""
        bids = [act for act in acts if ": bid " in act]
        if not bids:
            return acts
        return [*bids[:3], *(3 * [act for act in acts if act not in bids])]
