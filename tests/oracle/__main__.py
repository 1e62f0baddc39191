"""Compare the referee with every world of small packs: `python -m tests.oracle [NAME] [DEALS]`.

Print for each game how many deals differ, and in what, with the shortest example of each kind.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from pathlib import Path

from tests.oracle.games import GAMES, compared

os.environ["SCOREKEEPER_RULESETS"] = str(Path(__file__).parents[1] / "rulesets")


def main(wanted: str = "", deals: str = "100") -> None:
    """Play that many deals of each game with this text in its name."""
    for name in GAMES:
        if wanted not in name:
            continue
        start, often, shortest = time.perf_counter(), Counter[str](), dict[str, tuple[str, str]]()
        for seed in range(int(deals)):
            seen = set()
            for what, said in compared(name, seed):
                kind = what.partition(":")[0]
                seen.add(kind)
                course = "; ".join(said)
                if kind not in shortest or len(course) < len(shortest[kind][1]):
                    shortest[kind] = (what, course)
            often.update(seen or ["as can be proven"])
        spent = (time.perf_counter() - start) / int(deals)
        counts = "; ".join(f"{kind}: {count}" for kind, count in often.most_common())
        print(f"{name} ({1000 * spent:.0f} ms a deal): {counts}", flush=True)
        for what, course in shortest.values():
            print(f"    {what}\n        {course}")


if __name__ == "__main__":
    main(*sys.argv[1:])
