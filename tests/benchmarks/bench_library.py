"""What asking and taking back cost beside recording: `judge` and `undo` against `record`.

Run by hand: python tests/benchmarks/bench_library.py [SEEDS]
Plays random evenings of every shipped ruleset anew, judging each entry before it is recorded; then
undoes all of them to the start, and a match that was loaded from its entries likewise. Prints
ratios of one run; absolute times are the machine's.
"""

from __future__ import annotations

import gc
import sys
import time

from scorekeeper import Match
from tests.random_play import SHIPPED, evening

SEEDS = 12


class Times:
    """Seconds that were spent, by what was done."""

    def __init__(self) -> None:
        self.judge = self.record = self.undo = self.loaded = 0.0
        self.entries = 0

    def play(self, fresh: Match, texts: list[str]) -> Match:
        """Judge and record every entry, in turns."""
        for text in texts:
            start = time.process_time()
            fresh.judge(text)
            between = time.process_time()
            fresh.record(text)
            self.record += time.process_time() - between
            self.judge += between - start
        self.entries += len(texts)
        return fresh


def undone(match: Match) -> float:
    """Seconds that it takes to undo everything."""
    start = time.process_time()
    while match.rounds:
        match.undo()
    return time.process_time() - start


def measured(name: str, seeds: int) -> Times:
    """What some evenings of a ruleset took."""
    times = Times()
    for seed in range(seeds):
        played = evening(name, seed)
        texts = [said.known for said in played.all() if said.known]
        gc.collect()
        gc.freeze()  # else whoever measures pays now and then for all that was made before
        match = times.play(played.fresh(), texts)
        loaded = played.fresh()
        for each in match.rounds:
            loaded.play_round(each.entries)
        times.undo += undone(match)
        times.loaded += undone(loaded)
    return times


def main() -> None:
    """A line for each ruleset."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    print(f"{'':24}judge/record  undo/record  undo/record, loaded")
    for name in SHIPPED:
        times = measured(name, seeds)
        judge, undo = times.judge / times.record, times.undo / times.record
        loaded = times.loaded / times.record
        each = times.record / times.entries * 1e6
        print(f"{name:24}{judge:12.2f}{undo:13.2f}{loaded:21.2f}   ({times.entries} entries, "
              f"{each:.0f} us each)")  # fmt: skip


if __name__ == "__main__":
    main()
