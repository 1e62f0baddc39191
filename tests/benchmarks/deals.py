"""Deals that the benchmarks play, the same ones in every run."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from tests.benchmarks.daban_deals import Deal as DaBan
from tests.benchmarks.daban_deals import before
from tests.benchmarks.dudo_matches import Evening
from tests.benchmarks.durak_deals import Deal
from tests.doppelkopf_deals import NAMES as PLAYERS
from tests.doppelkopf_deals import deal, entries

SEATS = 4
DURAK = "durak-spades-transfer"
NAME = re.compile("|".join(PLAYERS))


def doppelkopf(seed: int, hands: int = SEATS, turn: int = 0) -> list[str]:
    """Return a normal game with the hands of that many players given.

    The first player acts first, or the player that many seats further on.
    """
    random = Random(seed)
    texts = entries(deal(random), "gesund", random, True)
    if turn % SEATS:
        others = dict(zip(PLAYERS, PLAYERS[turn % SEATS :] + PLAYERS, strict=False))
        texts = [NAME.sub(lambda found: others[found[0]], text) for text in texts]
    return [*texts[:hands], *texts[SEATS:]]


@cache
def _durak(seed: int) -> Deal:
    return Deal(DURAK, SEATS, Random(f"{DURAK} {seed}")).play()


def durak(seed: int, known: bool) -> list[str]:
    """Return a deal of Durak with whole bouts. With hidden hands the table enters who leads."""
    found = _durak(seed)
    if known:
        return [*found.facts, *found.hands, *found.acts]
    lead = found.acts[0].partition(":")[0]
    return [*found.facts, f"lead {lead}", *(act for act in found.acts if ": draw " not in act)]


@cache
def da_ban(seed: int, known: bool) -> list[str]:
    """Return a deal of the match from `daban_deals.before`."""
    match, standing = before()
    made = DaBan(Random(f"da-ban {seed}"), match.players[standing["leader"]])
    return made.known if known else made.unseen


@cache
def dudo(seed: int, players: int = SEATS, most: int | None = None) -> list[list[str]]:
    """Return a whole match round by round, or its first rounds."""
    return Evening(Random(f"dudo {seed}"), dudo_names(players), most).rounds


def dudo_names(players: int) -> list[str]:
    """Return that many names."""
    return [f"P{number}" for number in range(1, players + 1)]
