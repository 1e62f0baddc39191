"""A second implementation of Da Ban's card order and scoring, written from the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.random_play import Said

RANKS, SUITS = "AKQJT98765432", "CSHD"
CODES = [rank + suit for suit in SUITS for rank in RANKS] + ["BJ", "LJ"]
WORTH = {"K": 10, "T": 10, "5": 5}
FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SIX = [*FOUR, "Eva", "Finn"]


def strength(card: str, trump: str, level: str) -> tuple[str, int]:
    """Return the class of a card ("trump" or its suit) and its strength within the class (1.5)."""
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
    """Return the player who wins the cards in this order (3.3, 1.6)."""
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
    """Return the card points (1.3)."""
    return sum(WORTH.get(card[0], 0) for card in cards if card not in ("BJ", "LJ"))


class Told:
    """The outcome of a deal that was played out, computed from its entries alone.

    It has the master, the cards that each player took (`taken`), and the cards that were laid
    aside.
    """

    def __init__(self, said: Iterable[Said], names: list[str], trump: str, level: str) -> None:
        self.taken = dict.fromkeys(names, 0)
        self.aside: list[str] = []
        self.laid: list[tuple[str, list[str]]] = []
        self.master = ""
        for entry in said:
            who, _, act = entry.known.partition(": ")
            word, *cards = act.split() or [""]
            if entry.known.startswith("kitty "):
                self.aside = entry.known.split()[1:]
            elif word in ("take", "leave"):
                self.master = who
            elif word == "bury":
                self.aside = cards
            elif word == "takeback":
                self.laid = [row for row in self.laid if row[0] != who]
            elif who in names and word in CODES:
                self._lay(who, [word, *cards], trump, level)
        self._win(trump, level)

    def _lay(self, who: str, cards: list[str], trump: str, level: str) -> None:
        if len(self.laid) == len(self.taken):
            self._win(trump, level)
        self.laid.append((who, cards))

    def _win(self, trump: str, level: str) -> None:
        """Gather the trick. Wait until the next lead, because a card may be withdrawn before it."""
        who = winner(self.laid, trump, level)
        self.taken[who] += sum(points(cards) for _, cards in self.laid)
        self.laid = []


def side(names: list[str], name: str) -> list[str]:
    """Return all players on that player's side."""
    return [other for at, other in enumerate(names) if (at - names.index(name)) % 2 == 0]
