"""Entries of Dudo verified per second, beside python-chess replaying SAN.

Run by hand: python tests/benchmarks/bench_dudo.py [MATCHES]
Prints ratios of one run; absolute times are the machine's.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from scorekeeper import Match
from tests.benchmarks.chess_games import games, replayed
from tests.benchmarks.dudo_matches import NAMES, Evening
from tests.random_play import rules_of

MATCHES = 60
GAMES = 40
ROUNDS = 15


def verified(matches: list[list[list[str]]]) -> float:
    """Seconds that it takes to judge and apply all of these matches, from five dice each to the
    last player with one. The rounds are those of one match that begins anew."""
    match = Match(rules_of("dudo"), NAMES)
    first = match.standing
    start = time.process_time()
    for rounds in matches:
        match.rounds.clear()
        standing = first
        for entries in rounds:
            played = match.play_round(entries, standing)
            assert played.over
            assert not any(finding.verdict == "illegal" for _, finding in played.findings)
            standing = match.standing
        assert match.over
    return time.process_time() - start


def main() -> None:
    """Measure in turns, so that a slow minute of the machine hurts all alike."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    chess_games = games(GAMES)
    matches = [Evening(Random(f"dudo {seed}")).rounds for seed in range(count)]
    rounds = sum(map(len, matches))
    entries = sum(len(texts) for each in matches for texts in each)
    chess, best = float("inf"), float("inf")
    for _ in range(ROUNDS):
        chess = min(chess, replayed(chess_games))
        best = min(best, verified(matches))
    chess_rate, rate = sum(map(len, chess_games)) / chess, entries / best
    print(f"python-chess: {chess_rate:,.0f} moves a second")
    print(
        f"{count} matches, {rounds} rounds, {entries} entries: {rate:,.0f} a second, "
        f"{rate / chess_rate:.2f} of python-chess"
    )


if __name__ == "__main__":
    main()
