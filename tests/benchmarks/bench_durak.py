"""Entries of durak verified per second, hands known and hidden, beside python-chess replaying SAN.

Run by hand: python tests/benchmarks/bench_durak.py [DEALS]
Prints ratios measured in one run, and counts that do not depend on the machine. The deals are
random but legal; whole bouts stand in them, with passes and draws.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from scorekeeper import Match
from tests.benchmarks.chess_games import games, replayed
from tests.benchmarks.durak_deals import Deal
from tests.durak_tables import rules

RULESETS = ("durak-spades-transfer", "podkidnoy")
PLAYERS = 4
DEALS = 60
GAMES = 40
ROUNDS = 5


def deals(name: str, count: int) -> list[Deal]:
    """The same random deals in every run."""
    return [Deal(name, PLAYERS, Random(f"{name} {seed}")).play() for seed in range(count)]


def texts(deal: Deal, known: bool) -> list[str]:
    """A deal as it is written down; with hidden hands the table says who leads."""
    if known:
        return [*deal.facts, *deal.hands, *deal.acts]
    lead = deal.acts[0].partition(":")[0]
    return [*deal.facts, f"lead {lead}", *(act for act in deal.acts if ": draw " not in act)]


def verified(name: str, written: list[list[str]], read: bool) -> float:
    """Seconds that it takes to judge and apply all of these deals; the best of some runs.

    `read`: every text has been read before, as almost all have been in a long match."""
    best = float("inf")
    for _ in range(ROUNDS):
        match = Match(rules(name), Deal(name, PLAYERS, Random(0)).players)
        before = match.standing
        for entries in written if read else []:
            match.play_round(entries, before)
            match.rounds.clear()
        start = time.process_time()
        for entries in written:
            played = match.play_round(entries, before)
            assert played.over
            assert not any(finding.verdict == "illegal" for _, finding in played.findings)
            match.rounds.clear()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    chess_games = games(GAMES)
    moves = sum(map(len, chess_games))
    chess_rate = moves / min(replayed(chess_games) for _ in range(ROUNDS))
    print(f"python-chess: {moves} moves, {chess_rate:,.0f} a second")
    for name in RULESETS:
        played = deals(name, count)
        for read in (False, True):
            rates = {}
            for known in (True, False):
                written = [texts(deal, known) for deal in played]
                entries = sum(map(len, written))
                rates[known] = entries / verified(name, written, read)
                hands = "known" if known else "hidden"
                print(
                    f"{name}, hands {hands}, texts {'met before' if read else 'mostly new'}: "
                    f"{count} deals, {entries} entries, {rates[known]:,.0f} a second, "
                    f"{rates[known] / chess_rate:.2f} of python-chess"
                )
            print(f"{name}: time an entry, hidden to known: {rates[True] / rates[False]:.2f}")


if __name__ == "__main__":
    main()
