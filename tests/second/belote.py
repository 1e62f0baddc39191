"""Belote, from rulesets/belote.md alone."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from tests.second.tricks import NAMES, Table

if TYPE_CHECKING:
    from random import Random

SUITS = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D"}
TRUMPS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
CARRES = {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}
RUNS = {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100}


def worth(cards: list[str]) -> int:
    """Return the points of an announcement, or 0 for cards that are none (5.1)."""
    ranks = {card[0] for card in cards}
    if len(cards) == 4 and len(ranks) == 1 and len(set(cards)) == 4:
        return CARRES.get(cards[0][0], 0)
    places = sorted(Table.ranks.index(card[0]) for card in cards)
    row = places == list(range(places[0], places[0] + len(places))) if places else False
    return RUNS.get(len(cards), 0) if row and len({card[1] for card in cards}) == 1 else 0


class Belote(Table):
    """Deals of Belote, one after another, without section 5 if the table does not play it."""

    ranks = "AKQJT987"

    def __init__(self, names: tuple[str, ...] = NAMES, announcements: bool = True) -> None:
        super().__init__(names)
        self.announcements = announcements
        self.waiting = 0

    def deal(self, random: Random) -> dict[str, list[str]]:
        """Deal five cards to each player and turn one up. The rest is dealt after the bidding
        (1.4)."""
        cards = self.pack
        random.shuffle(cards)
        self.begin({name: cards[seat * 5 :][:5] for seat, name in enumerate(self.names)}, cards[20])
        self.rest += cards[21:]
        return self.hands

    def begin(self, hands: dict[str, list[str]], turned: str = "") -> None:
        """Begin a deal with these hands and this turned-up card. Do not complete hands of eight
        cards."""
        super().begin(hands)
        self.turned = turned
        self.order = self.from_left()
        self.rest: list[str] = []
        self.passed = 0
        self.taker = self.trump = ""
        self.belote = ""
        self.latest = ("", "")
        self.shown: dict[str, list[list[str]]] = {name: [] for name in self.names}

    def strength(self, card: str) -> int:
        """Return the strength of a card. Trumps beat all, and each suit has its own order (1.2,
        1.3, 3.7)."""
        if card[1] == self.trump:
            return 20 - list(TRUMPS).index(card[0])
        return 8 - list(PLAIN).index(card[0]) if card[1] == self.laid[0][1][1] else 0

    @property
    def laying(self) -> bool:
        """True once a player has taken (2.4)."""
        return bool(self.taker)

    @property
    def complete(self) -> bool:
        """True if all players have all their cards (1.4)."""
        return bool(self.taker) or not self.rest

    def to_act(self) -> list[str]:
        """Return the players to act. The player of the last card may also announce `belote`."""
        return [] if self.done else [self.turn]

    def why_not(self, act: str) -> str:
        """Return the paragraph that an act breaks."""
        name, _, said = act.partition(": ")
        word, *cards = said.split()
        if self.done:
            return "turn"
        if said == "belote":
            return "" if self._may_say_belote(name) else "4.1"
        if name not in self.to_act():
            return "turn"
        if not self.taker:
            return self._why_not_take(said)
        if word == "show":
            return self._why_not_show(name, cards)
        return "act" if cards or word not in self.pack else self._why_not_lay(name, word)

    def _why_not_take(self, said: str) -> str:
        if said == "pass":
            return ""
        if said not in SUITS:
            return "2.4"
        turned = SUITS[said] == self.turned[1]
        if self.passed < 4:
            return "" if turned else "2.1"
        return "2.2" if turned else ""

    def _may_say_belote(self, name: str) -> bool:
        pair = {"K" + self.trump, "Q" + self.trump}
        if not self.taker or self.belote:
            return False
        held = pair & set(self.hands[name])
        who, card = self.latest
        first = who == name and card in pair and len(held) == 1
        return first or (name == self.turn and held == pair)

    def _why_not_show(self, name: str, cards: list[str]) -> str:
        if not self.announcements or self.done_tricks:
            return "5.2"
        if any(card not in self.hands[name] for card in cards):
            return "hand"
        if len(set(cards)) != len(cards) or not worth(cards):
            return "5.1"
        used = {card for each in self.shown[name] for card in each}
        return "5.2" if used & set(cards) else ""

    def _why_not_lay(self, name: str, card: str) -> str:
        hand = self.hands[name]
        if card not in hand:
            return "hand"
        if not self.laid:
            return ""
        led, trump = self.laid[0][1][1], self.trump
        top = max(self.strength(each) for _, each in self.laid)
        higher = [each for each in hand if each[1] == trump and self.strength(each) > top]
        if self.has(name, led):
            if card[1] != led:
                return "3.2"
            return "3.3" if led == trump and higher and card not in higher else ""
        if self.side(self.winning()) == self.side(name) or not self.has(name, trump):
            return ""
        if card[1] != trump:
            return "3.4"
        return "3.5" if higher and card not in higher else ""

    def legal(self) -> list[str]:
        """Return all acts that are allowed now."""
        said = ["pass", *SUITS, "belote"]
        acts = [f"{who}: belote" for who in self.names if who not in self.to_act()]
        for who in self.to_act():
            acts += [f"{who}: {each}" for each in (*said, *self.hands[who], *self._shows(who))]
        return [act for act in acts if not self.why_not(act)]

    def _shows(self, name: str) -> list[str]:
        if not self.announcements or self.done_tricks or not self.taker:
            return []
        return [
            f"show {' '.join(cards)}"
            for count in RUNS
            for cards in combinations(self.hands[name], count)
            if worth(list(cards))
        ]

    def play(self, act: str, stands: bool = False) -> None:
        """Do an act that is allowed. With `stands`, do one that is not allowed too."""
        if (broken := self.why_not(act)) and not stands:
            raise ValueError(f"{act}: {broken}")
        name, _, said = act.partition(": ")
        word, *cards = said.split()
        if said == "belote":
            self.belote = name
        elif word == "show":
            self.shown[name].append(cards)
        elif self.taker:
            self.latest = (name, said)
            self.lay(name, said)
            if len(self.done_tricks) == 8:
                self._write()
        else:
            self._say(name, said)

    def _say(self, name: str, said: str) -> None:
        self.turn = self.left(name)
        if said == "pass":
            self.passed += 1
            if self.passed == 8:
                self.finish(dict.fromkeys(self.names, 0))
            return
        self.taker, self.trump = name, SUITS[said]
        if self.rest:
            self.hands[name].append(self.turned)
            for each in self.from_left():
                count = 8 - len(self.hands[each])
                self.hands[each] += self.rest[:count]
                self.rest = self.rest[count:]
        self.turn = self.left(self.dealer)

    def _rank(self, name: str, cards: list[str]) -> tuple[int, int, int, int, int]:
        """Return the rank of an announcement among others (5.3)."""
        earlier = -self.order.index(name)
        if len({card[0] for card in cards}) == 1:
            return 1, -list(CARRES).index(cards[0][0]), 0, 0, earlier
        top = -min(self.ranks.index(card[0]) for card in cards)
        return 0, len(cards), top, int(cards[0][1] == self.trump), earlier

    def announced(self) -> list[int]:
        """Return the points of the announcements for each side (5.3)."""
        rows = [(self._rank(who, cards), who) for who in self.names for cards in self.shown[who]]
        sums = [0, 0]
        if rows:
            best = self.side(max(rows)[1])
            sums[best] = sum(
                worth(cards)
                for who in self.names
                if self.side(who) == best
                for cards in self.shown[who]
            )
        return sums

    def points(self) -> list[int]:
        """Return the card points of each side, including those of the last trick (6.1)."""
        sums, tricks = [0, 0], [0, 0]
        for who, cards in self.done_tricks:
            tricks[self.side(who)] += 1
            for card in cards:
                sums[self.side(who)] += (TRUMPS if card[1] == self.trump else PLAIN)[card[0]]
        last = self.side(self.done_tricks[-1][0])
        sums[last] += 100 if tricks[last] == 8 else 10
        return sums

    def _write(self) -> None:
        """Note the scores of the deal, and carry over pending points to the next (6.2 to 6.6)."""
        cards, announced = self.points(), self.announced()
        belote = [20 * int(bool(self.belote) and self.side(self.belote) == i) for i in (0, 1)]
        total = [cards[i] + announced[i] + belote[i] for i in (0, 1)]
        attack = self.side(self.taker)
        defence = 1 - attack
        waiting, self.waiting = self.waiting, 0
        if total[attack] > total[defence]:
            total[attack] += waiting
        elif total[attack] == total[defence]:
            self.waiting = waiting + total[attack] - belote[attack]
            total[attack] = belote[attack]
        else:
            total[attack] = belote[attack]
            total[defence] = sum(cards) + sum(announced) + belote[defence] + waiting
        self.finish({name: total[self.side(name)] for name in self.names})
        self.over = max(self.tallies.values()) >= 1001
