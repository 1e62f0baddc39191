"""Deals of Doppelkopf that obey the rules, from a seed: for tests and measurements."""

from __future__ import annotations

from functools import cache
from random import Random

from scorekeeper import load_ruleset
from scorekeeper.ruleset.orders import Order, compile_order

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
PACK = load_ruleset("doppelkopf").pack
ROWS = load_ruleset("doppelkopf").data["orders"]
ORDERS = {
    "gesund": "normal",
    "damensolo": "queens",
    "bubensolo": "jacks",
    "kreuzsolo": "clubs",
    "piksolo": "spades",
    "herzsolo": "hearts",
    "karosolo": "normal",
    "fleischlos": "none",
}


@cache
def order(wish: str) -> Order:
    """Return the order of cards if Ana declares this and the others have no reservation."""
    return compile_order(PACK, ROWS[ORDERS[wish]]["trumps"], "")


def deal(random: Random) -> list[list[int]]:
    """Deal four hands of twelve cards."""
    cards = [kind for kind in range(PACK.kind_count) for _ in range(PACK.copies)]
    random.shuffle(cards)
    return [cards[seat * 12 : seat * 12 + 12] for seat in range(4)]


def played(hands: list[list[int]], wish: str, random: Random) -> list[tuple[int, int]]:
    """Return a seat and a card for each play. Each player follows suit if possible, else plays at
    random."""
    table, rest = order(wish), [list(hand) for hand in hands]
    plays: list[tuple[int, int]] = []
    leader = 0
    for _ in range(12):
        led, best, winner = -1, -1, leader
        for step in range(4):
            seat = (leader + step) % 4
            follow = [kind for kind in rest[seat] if table.classes[kind] == led]
            kind = random.choice(follow or rest[seat])
            rest[seat].remove(kind)
            plays.append((seat, kind))
            if led < 0:
                led = table.classes[kind]
            if table.classes[kind] in (0, led) and table.strength[kind] > best:
                best, winner = table.strength[kind], seat
        leader = winner
    return plays


def entries(hands: list[list[int]], wish: str, random: Random, known: bool) -> list[str]:
    """Return the deal as entries, with or without the hands."""
    kinds = PACK.kinds
    texts = []
    if known:
        for name, hand in zip(NAMES, hands, strict=True):
            texts.append(f"hand {name}: {' '.join(kinds[kind] for kind in hand)}")
    texts.append(f"Ana: {wish}")
    texts.append("all: gesund")
    texts += [f"{NAMES[seat]}: {kinds[kind]}" for seat, kind in played(hands, wish, random)]
    return texts
