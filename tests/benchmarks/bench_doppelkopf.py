"""Plays verified per second, hands known and unseen, beside python-chess replaying SAN.

Run by hand: python tests/benchmarks/bench_doppelkopf.py [DEALS]
Prints ratios of one run; absolute times are the machine's.
"""

from __future__ import annotations

import sys
import time
from random import Random

from scorekeeper import Match, load_ruleset
from scorekeeper.play.played import Played
from tests.benchmarks.chess_games import games, replayed
from tests.doppelkopf_deals import NAMES, deal, entries

DEALS = 10_000
PLAYS = 48
GAMES = 60
BLOCK = 250


def rounds(count: int, known: bool) -> list[list[str]]:
    """Generated deals; the same ones whether their hands are given or not."""
    found = []
    for seed in range(count):
        random = Random(seed)
        found.append(entries(deal(random), "gesund", random, known))
    return found


def verified(texts: list[list[str]]) -> float:
    """Seconds that it takes to judge and apply all of these rounds."""
    match = Match(load_ruleset("doppelkopf"), NAMES)
    first = match.standing
    start = time.process_time()
    for entries_of_round in texts:
        played: Played = match.play_round(entries_of_round, first)
        assert played.changes is not None
        assert not any(finding.verdict == "illegal" for _, finding in played.findings)
        match.rounds.clear()
    return time.process_time() - start


def main() -> None:
    """Measure in turns, so that a slow minute of the machine hurts all alike."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    known, unseen, chess_games = rounds(count, True), rounds(count, False), games(GAMES)
    moves = sum(map(len, chess_games))
    times = [0.0, 0.0, 0.0]
    turns = 0
    verified(known[:20])
    for first in range(0, count, BLOCK):
        times[0] += verified(known[first : first + BLOCK])
        times[1] += verified(unseen[first : first + BLOCK])
        times[2] += replayed(chess_games)
        turns += 1
    rates = [count * PLAYS / times[0], count * PLAYS / times[1], turns * moves / times[2]]
    print(f"{count} deals: {rates[0]:,.0f} plays/s known, {rates[1]:,.0f} plays/s unseen; ", end="")
    print(f"python-chess {rates[2]:,.0f} moves/s")
    print(f"known, against python-chess: {rates[0] / rates[2]:.2f}")
    print(f"unseen, time against known:  {rates[0] / rates[1]:.2f}")


if __name__ == "__main__":
    main()
