"""Run by hand: `python -m tests.fuzz --seconds 600`, or repeat a failed input by its seed."""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from tests.fuzz.running import KINDS, Wrong, tried


def main() -> int:
    """Try one seed after the other, each for every kind, for that many seconds. Return 1 after a
    failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, help="the first one (default: by the clock)")
    parser.add_argument("--only", action="store_true", help="that seed alone")
    parser.add_argument("--kind", choices=KINDS, action="append", help="(default: all)")
    asked = parser.parse_args()
    seed = first = int(time.time()) if asked.seed is None else asked.seed
    ends, number, wrong = time.monotonic() + asked.seconds, 0, 0
    while (seed == first or not asked.only) and time.monotonic() < ends:
        for kind in asked.kind or KINDS:
            number += 1
            try:
                tried(kind, seed)
            except Wrong as error:
                wrong += 1
                traceback.print_exception(error.__cause__)
                print(f"{error}\n", file=sys.stderr)
        seed += 1
    print(f"{number} tried, seeds {first} to {seed - 1}; {wrong or 'none'} went wrong")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
