"""Entries of Da Ban verified per second, hands known and unseen, beside python-chess replaying SAN.

Run by hand: python tests/benchmarks/bench_daban.py [DEALS]
Prints ratios of one run; absolute times are the machine's.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.chess_games import games, replayed
from tests.benchmarks.daban_deals import Deal, before

DEALS = 60
GAMES = 40
ROUNDS = 15


def deals(count: int, known: bool) -> list[list[str]]:
    """Random deals as they are written down; the same ones whether hands are given or not."""
    match, standing = before()
    master = match.players[standing["leader"]]
    made = [Deal(Random(f"da-ban {seed}"), master) for seed in range(count)]
    return [deal.known if known else deal.unseen for deal in made]


def verified(written: list[list[str]]) -> float:
    """Seconds that it takes to judge and apply all of these deals."""
    match, standing = before()
    start = time.process_time()
    for entries in written:
        match.rounds.clear()
        played = match.play_round(entries, standing)
        assert played.over
        assert not any(finding.verdict == "illegal" for _, finding in played.findings)
    return time.process_time() - start


def main() -> None:
    """Measure in turns, so that a slow minute of the machine hurts all alike."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    chess_games = games(GAMES)
    known, unseen = deals(count, known=True), deals(count, known=False)
    best = {"known": float("inf"), "unseen": float("inf"), "chess": float("inf")}
    for _ in range(ROUNDS):
        best["chess"] = min(best["chess"], replayed(chess_games))
        best["known"] = min(best["known"], verified(known))
        best["unseen"] = min(best["unseen"], verified(unseen))
    chess_rate = sum(map(len, chess_games)) / best["chess"]
    print(f"python-chess: {chess_rate:,.0f} moves a second")
    for name, written in (("known", known), ("unseen", unseen)):
        entries = sum(map(len, written))
        rate = entries / best[name]
        print(
            f"hands {name}: {count} deals, {entries} entries, {rate:,.0f} a second, "
            f"{rate / chess_rate:.2f} of python-chess"
        )
    print(f"a deal, unseen to known: {best['unseen'] / best['known']:.2f}")


if __name__ == "__main__":
    main()
