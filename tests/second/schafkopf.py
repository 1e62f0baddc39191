"""Schafkopf, from the paragraphs of `rulesets/schafkopf.md` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.second.deals import Deals

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

NAMES = ["Ana", "Ben", "Cleo", "Dan"]  # Ana sits to the dealer's left
PACK = [rank + suit for suit in "CSHD" for rank in "ATKQJ987"]
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
SOLO = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}
CALLED = ["AC", "AS", "AD"]


def deal(random: Random, names: Sequence[str] = NAMES) -> dict[str, list[str]]:
    """Deal eight cards to each player, by name."""
    cards = PACK.copy()
    random.shuffle(cards)
    return {name: cards[8 * seat : 8 * seat + 8] for seat, name in enumerate(names)}


def trumps(contract: str) -> list[str]:
    """Return the trumps of a contract, strongest first (1.3 to 1.5)."""
    jacks = ["J" + suit for suit in "CSHD"]
    if contract == "wenz":
        return jacks
    suit = SOLO.get(contract, "H")
    return ["Q" + suit for suit in "CSHD"] + jacks + [rank + suit for rank in "ATK987"]


def card_class(card: str, contract: str) -> str:
    """Return `trump`, or the card's suit."""
    return "trump" if card in trumps(contract) else card[1]


def strength(card: str, contract: str) -> int:
    """Return the strength of a card within its class. A lower number is stronger."""
    if card in trumps(contract):
        return trumps(contract).index(card)
    return "ATKQ987".index(card[0])


def winner(trick: list[tuple[str, str]], contract: str) -> str:
    """Return the winner of a trick of (name, card) pairs (3.3)."""
    kinds = [card_class(card, contract) for _, card in trick]
    best = "trump" if "trump" in kinds else kinds[0]
    rivals = [pair for pair, kind in zip(trick, kinds, strict=True) if kind == best]
    return min(rivals, key=lambda pair: strength(pair[1], contract))[0]


def rank(contract: str, tout: bool) -> int:
    """Return the rank of a contract in the auction (2.2)."""
    if contract == "rufspiel":
        return 1
    return (2 if contract == "wenz" else 3) + 2 * tout


class Schafkopf:
    """One deal. `legal` lists the legal acts, `play` does one, and `scores` has the result."""

    def __init__(self, hands: dict[str, list[str]]) -> None:
        self.dealt = {name: hand.copy() for name, hand in hands.items()}
        self.hands = {name: hand.copy() for name, hand in hands.items()}
        self.names = list(hands)
        self.spoken = 0
        self.player = self.contract = self.called = ""
        self.tout = self.free = False  # `free`: the called ace is an ordinary card (3.7)
        self.void = self.over = False
        self.leader = self.names[0]
        self.trick: list[tuple[str, str]] = []
        self.tricks: list[tuple[str, list[str]]] = []

    # --- what may be done

    def turn(self) -> str:
        """Return the player to act, or "" when the deal is finished."""
        if self.over:
            return ""
        if self.spoken < 4:
            return self.names[self.spoken]
        return self.names[(self.names.index(self.leader) + len(self.trick)) % 4]

    def legal(self) -> list[str]:
        """Return the acts that are allowed now, as entries."""
        if self.over:
            return []
        acts = self._says() if self.spoken < 4 else self._cards(self.hands[self.turn()])
        return [f"{self.turn()}: {act}" for act in acts]

    def _says(self) -> list[str]:
        """Return the calls that are allowed (2.1 to 2.3)."""
        least = rank(self.contract, self.tout) if self.contract else 0
        hand = self.hands[self.turn()]
        says = ["pass"]
        for ace in CALLED:
            fellows = [card for card in hand if card_class(card, "rufspiel") == ace[1]]
            if least < 1 and fellows and ace not in fellows:
                says.append(f"rufspiel {ace}")
        for tout in (False, True):
            for contract in ("wenz", *SOLO):
                if rank(contract, tout) > least:
                    says.append(contract + " tout" * tout)
        return says

    def _cards(self, hand: list[str]) -> list[str]:
        """Return the cards that may be played (3.2 to 3.7)."""
        bound = self.called in hand and not self.free
        suit = [card for card in hand if card_class(card, self.contract) == self.called[1:]]
        if not self.trick:
            if bound and len(suit) < 4:
                return [card for card in hand if card not in suit or card == self.called]
            return list(hand)
        led = card_class(self.trick[0][1], self.contract)
        if bound and led == self.called[1]:
            return [self.called]
        follow = [card for card in hand if card_class(card, self.contract) == led]
        if follow:
            return follow
        kept = [card for card in hand if not bound or card != self.called]
        return kept or list(hand)

    # --- doing it

    def why_not_card(self, card: str) -> str:
        """Return the paragraph that playing a card breaks, or "" if no card is played now (3.2 to
        3.6)."""
        hand = self.hands[self.turn()] if not self.over else []
        if self.spoken < 4 or card in self._cards(hand):
            return ""
        if not self.trick:
            return "3.5"
        led = card_class(self.trick[0][1], self.contract)
        if self.called in hand and not self.free and led == self.called[1]:
            return "3.4"
        return "3.2" if any(card_class(each, self.contract) == led for each in hand) else "3.6"

    def play(self, entry: str, stands: bool = False) -> None:
        """Do the act of an entry, which must be legal except for a card that stands."""
        if not stands and entry not in self.legal():
            raise ValueError(f"{entry} is not legal now")
        who, _, act = entry.partition(": ")
        if self.spoken == 4:
            self._lay(who, act)
            return
        self.spoken += 1
        if act != "pass":
            self.player = who
            self.contract, *rest = act.split()
            self.tout = rest == ["tout"]
            self.called = rest[0] if self.contract == "rufspiel" else ""
        if self.spoken == 4 and not self.player:
            self.void = self.over = True

    def _lay(self, who: str, card: str) -> None:
        own = self.called in self.hands[who]
        if own and not self.trick and card != self.called:
            self.free |= card_class(card, self.contract) == self.called[1]
        self.hands[who].remove(card)
        self.trick.append((who, card))
        if len(self.trick) < 4:
            return
        self.leader = winner(self.trick, self.contract)
        self.tricks.append((self.leader, [card for _, card in self.trick]))
        self.trick = []
        self.over = len(self.tricks) == 8

    # --- what it came to

    def side(self) -> list[str]:
        """Return the declarer and, in a rufspiel, the player who was dealt the called ace (2.4)."""
        return [
            name for name in self.names if name == self.player or self.called in self.dealt[name]
        ]

    def points(self) -> int:
        """Return the card points of the declarer's side."""
        cards = [card for who, taken in self.tricks if who in self.side() for card in taken]
        return sum(POINTS.get(card[0], 0) for card in cards)

    def laufende(self) -> int:
        """Return the count of the run of highest trumps, or 0 if it is too short (4.3)."""
        held = [card for name in self.side() for card in self.dealt[name]]
        order = trumps(self.contract)
        run = 0
        while run < len(order) and (order[run] in held) == (order[0] in held):
            run += 1
        return run if run >= (2 if self.contract == "wenz" else 3) else 0

    def won(self) -> bool:
        """Return whether the declarer's side has won (4.1)."""
        if self.tout:
            return all(who == self.player for who, _ in self.tricks)
        return self.points() >= 61

    def value(self) -> int:
        """Return the value of the deal (4.4, 4.5)."""
        base = (10 if self.contract == "rufspiel" else 50) + 10 * self.laufende()
        if self.tout:
            return 2 * base
        tricks = sum(who in self.side() for who, _ in self.tricks)
        losers = 8 - tricks if self.won() else tricks
        schneider = not 30 < self.points() < 91
        return base + 10 * (schneider or losers == 0) + 10 * (losers == 0)

    def scores(self) -> dict[str, int]:
        """Return the score of every player (4.6), all 0 if nothing was played."""
        if self.void:
            return dict.fromkeys(self.names, 0)
        side = self.side()
        value = self.value() if self.won() else -self.value()
        mine = value if len(side) == 2 else 3 * value
        return {name: mine if name in side else -value for name in self.names}


class SchafkopfDeals(Deals):
    """Deals of Schafkopf, one after another."""

    ranks = "ATKQJ987"

    def __init__(self) -> None:
        super().__init__(tuple(NAMES))

    def begin_with(self, random: Random, names: list[str]) -> Schafkopf:
        """Shuffle and deal; the first sits to the dealer's left."""
        return Schafkopf(deal(random, names))

    def likely(self, acts: list[str]) -> list[str]:
        """Return all acts, with passes and rufspiel repeated because they are likely."""
        speaking = [act for act in acts if act.endswith(": pass")]
        called = [act for act in acts if ": rufspiel " in act]
        return acts + 12 * speaking + 12 * called
