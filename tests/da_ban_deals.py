"""Whole deals for the tests, and a second telling of what beats what, written from the rules."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.inside import bound

if TYPE_CHECKING:
    from scorekeeper import Match

RANKS, SUITS = "AKQJT98765432", "CSHD"
CODES = [rank + suit for suit in SUITS for rank in RANKS] + ["BJ", "LJ"]
WORTH = {"K": 10, "T": 10, "5": 5}
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SIX = [*FOUR, "Eva", "Finn"]
KITTY = 6


def strength(card: str, trump: str, level: str) -> tuple[str, int]:
    """The class of a card ("trump" or its suit) and how strong it is within it (1.5)."""
    if card in ("BJ", "LJ"):
        return "trump", 100 if card == "BJ" else 99
    rank, suit = card[0], card[1]
    if rank == level:
        return "trump", 98 if suit == trump else 97
    if rank == "2":
        return "trump", 96 if suit == trump else 95
    plain = 13 - RANKS.index(rank)
    return ("trump", plain) if suit == trump else (suit, plain)


def winner(laid: list[tuple[str, list[str]]], trump: str, level: str) -> str:
    """Who wins what was laid in this order (3.3, 1.6)."""
    who, cards = laid[0]
    led, best = strength(cards[0], trump, level)
    over = led == "trump"
    for name, shown in laid[1:]:
        group, found = strength(shown[0], trump, level)
        if len(set(shown)) > 1 or len(shown) != len(cards) or group not in ("trump", led):
            continue
        ruffs = group == "trump" and not over
        if ruffs or (over == (group == "trump") and found > best):
            who, best, over = name, found, group == "trump"
    return who


def points(cards: list[str]) -> int:
    """The card points (1.3)."""
    return sum(WORTH.get(card[0], 0) for card in cards if card not in ("BJ", "LJ"))


class Deal:
    """A deal that is played through a match, card by card; every entry is legal, but for so many
    of the plays as `revokes` says (a chance). Those that are none stand, and their numbers are in
    `revoked`."""

    def __init__(
        self,
        match: Match,
        seed: int,
        *,
        shown: bool,
        unseen_bury: bool = False,
        revokes: float = 0,
    ) -> None:
        self.match = match
        self.names = match.players
        self.random = Random(seed)
        cards = CODES * 3
        self.random.shuffle(cards)
        size = (len(cards) - KITTY) // len(self.names)
        self.hands = {n: cards[i * size : (i + 1) * size] for i, n in enumerate(self.names)}
        self.kitty = cards[size * len(self.names) :]
        self.shown = shown
        self.unseen_bury = unseen_bury
        self.taken = dict.fromkeys(self.names, 0)
        self.aside: list[str] = []
        self.entries: list[str] = []
        self.revokes = revokes
        self.revoked: list[int] = []

    def say(self, text: str, broken: bool = False) -> None:
        """Record an entry, which must be allowed, or is a revoke."""
        if broken:
            self.revoked.append(len(self.entries) + 1)
            text += " !stands"
        verdict = self.match.record(text).verdict
        assert verdict != ("legal" if broken else "illegal"), text
        self.entries.append(text)

    def play(self, first: str = "", tricks: int = 99) -> None:
        """The whole deal, or only so many tricks of it; `first`: the trump of a first deal."""
        if self.shown:
            for name in self.names:
                self.say(f"hand {name}: {' '.join(self.hands[name])}")
        if first:
            self.say(f"trump {first}")
            self.say(f"master {self.random.choice(self.names)}")
        self.level = str(bound(self.match.now)["level"])
        if not first:
            self._declare()
            self._exchange()
        self._kitty()
        leader = self.master
        while self.hands[leader] and tricks:
            leader = self._trick(leader)
            tricks -= 1

    @property
    def master(self) -> str:
        return str(bound(self.match.live)["master"])

    @property
    def trump(self) -> str:
        return str(bound(self.match.live)["trump"])

    def _declare(self) -> None:
        for name in self.names:
            level = [card for card in self.hands[name] if card[0] == self.level]
            if level and self.random.random() < 0.7:
                card = self.random.choice(level)
                self.say(f"{name}: declare {' '.join([card] * level.count(card))}")

    def _exchange(self) -> None:
        owed = [item for item in self.match.state["owed"] if item["what"] == "exchange"]
        for item in owed:
            giver, master = item["who"], item["to"]
            known = "trump" in bound(self.match.live)
            trumps = sorted(
                (self._key(card, known) for card in self.hands[giver] if self._asked(card, known)),
                reverse=True,
            )
            best = [card for _, card in trumps[: item["cards"]]]
            worst = sorted(self.hands[master], key=lambda card: self._key(card, known))[: len(best)]
            if best:
                self.say(f"{master}: exchange {' '.join(worst)} for {' '.join(best)} with {giver}")
                for card in best:
                    self.hands[giver].remove(card)
                for card in worst:
                    self.hands[master].remove(card)
                self.hands[giver] += worst
                self.hands[master] += best

    def _key(self, card: str, known: bool) -> tuple[tuple[bool, int], str]:
        group, found = strength(card, self.trump if known else "-", self.level)
        return (group == "trump", found), card

    def _asked(self, card: str, known: bool) -> bool:
        return self._key(card, known)[0][0]

    def _kitty(self) -> None:
        self.say(f"kitty {' '.join(self.kitty)}")
        suits = [card[1] for card in self.kitty if card not in ("BJ", "LJ")]
        master, count = self.master, suits.count(self.trump)
        if count in (0, KITTY):
            self.say(f"{master}: leave")
            self.aside = self.kitty
            return
        self.say(f"{master}: take")
        hand = self.hands[master]
        hand += self.kitty
        self.aside = self.random.sample(hand, KITTY)
        for card in self.aside:
            hand.remove(card)
        if self.unseen_bury:
            self.say(f"{master}: bury {KITTY}")
        else:
            self.say(f"{master}: bury {' '.join(self.aside)}")

    def _trick(self, leader: str) -> str:
        start = self.names.index(leader)
        order = self.names[start:] + self.names[:start]
        if self.random.random() < 0.2:
            rest = order[1:]
            self.random.shuffle(rest)
            order = [leader, *rest]
        laid: list[tuple[str, list[str]]] = []
        for name in order:
            cards = self._choose(name, laid)
            self.say(f"{name}: {' '.join(cards)}", self._broken(name, cards, laid))
            for card in cards:
                self.hands[name].remove(card)
            laid.append((name, cards))
        won = winner(laid, self.trump, self.level)
        self.taken[won] += sum(points(cards) for _, cards in laid)
        return won

    def _choose(self, name: str, laid: list[tuple[str, list[str]]]) -> list[str]:
        hand = self.hands[name]
        if not laid:
            card = self.random.choice(hand)
            return [card] * self.random.randint(1, hand.count(card))
        led = strength(laid[0][1][0], self.trump, self.level)[0]
        size = len(laid[0][1])
        if self.random.random() < self.revokes:
            return self.random.sample(hand, size)
        follows = [c for c in hand if strength(c, self.trump, self.level)[0] == led]
        sets = [c for c in sorted(set(follows)) if follows.count(c) >= size]
        if sets and self.random.random() < 0.6:
            return [self.random.choice(sets)] * size
        if len(follows) >= size:
            return self.random.sample(follows, size)
        others = [c for c in hand if c not in follows]
        return follows + self.random.sample(others, size - len(follows))

    def _broken(self, name: str, cards: list[str], laid: list[tuple[str, list[str]]]) -> bool:
        """Whether these cards do not follow what was led, as far as the hand could."""
        lead = laid[0][1][0] if laid else cards[0]
        led = strength(lead, self.trump, self.level)[0]
        shown, held = (
            sum(strength(card, self.trump, self.level)[0] == led for card in part)
            for part in (cards, self.hands[name])
        )
        return shown < min(len(cards), held)

    def side(self, name: str) -> list[str]:
        """Everyone on that player's side."""
        return [n for i, n in enumerate(self.names) if (i - self.names.index(name)) % 2 == 0]
