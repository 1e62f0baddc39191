"""Deals that the benchmarks play: the same ones in every run."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from tests.benchmarks.durak_deals import Deal
from tests.doppelkopf_deals import NAMES as PLAYERS
from tests.doppelkopf_deals import deal, entries
from tests.random_play import Evening

SEATS = 4
NAME = re.compile("|".join(PLAYERS))
TRIES = 10  # for each deal that is wanted


def doppelkopf(seed: int, hands: int = SEATS, turn: int = 0) -> list[str]:
    """A normal game, the hands of so many players given; the first acts, or who sits so many
    seats further on."""
    random = Random(seed)
    texts = entries(deal(random), "gesund", random, True)
    if turn % SEATS:
        others = dict(zip(PLAYERS, PLAYERS[turn % SEATS :] + PLAYERS, strict=False))
        texts = [NAME.sub(lambda found: others[found[0]], text) for text in texts]
    return [*texts[:hands], *texts[SEATS:]]


@cache
def durak(name: str, seed: int) -> Deal:
    """A deal of durak with whole bouts in it."""
    return Deal(name, SEATS, Random(f"{name} {seed}")).play()


def durak_texts(name: str, seed: int, known: bool) -> list[str]:
    """It as it is written down; with hidden hands the table says who leads."""
    found = durak(name, seed)
    if known:
        return [*found.facts, *found.hands, *found.acts]
    lead = found.acts[0].partition(":")[0]
    return [*found.facts, f"lead {lead}", *(act for act in found.acts if ": draw " not in act)]


@cache
def random_deals(name: str, count: int, players: int = SEATS) -> list[list[str]]:
    """First rounds of random evenings that came to a score, entry by entry."""
    found: list[list[str]] = []
    for seed in range(1, 2 * count * TRIES, 2):  # of an odd seed the rounds are whole deals
        evening = Evening(name, seed, players=players, wrong=0, result=0).play(1)
        played = evening.match.rounds
        if played and played[0].scores is not None and len(played[0].entries) > players:
            found.append(played[0].entries)
        if len(found) == count:
            break
    return found
