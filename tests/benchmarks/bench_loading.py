"""Loading: rulesets, once everything is imported, and the library itself."""

from __future__ import annotations

import sys

from tests.benchmarks.shape import NOTHING, Found, Row, Run, least_cpu, process
from tests.helpers import SHIPPED

# The first ruleset imports what loading needs, so it is not measured.
LOADING = """
import sys, time
from scorekeeper import load_ruleset
load_ruleset(sys.argv[1], tally={})
for name in sys.argv[2:]:
    start = time.process_time()
    load_ruleset(name)
    print(name, time.process_time() - start)
"""
IMPORTING = (sys.executable, "-c", "from scorekeeper import Match, load_ruleset")


def loaded(run: Run) -> dict[str, float]:
    """Return the least seconds that each ruleset took, each time in a new process."""
    names = SHIPPED[:: run.size(1, 6)]
    least = dict.fromkeys(names, float("inf"))
    for _ in range(run.size(5, 2)):
        out = process([sys.executable, "-c", LOADING, names[0], *names]).out
        for line in out.splitlines():
            name, seconds = line.split()
            least[name] = min(least[name], float(seconds))
    return least


def rulesets(run: Run) -> Found:
    """Compare loading a shipped ruleset by name, the slowest of all, with a whole `python -c pass`.

    The ruleset is checked and compiled.
    """
    found = loaded(run)
    (nothing,) = least_cpu(run.size(10, 4), (NOTHING, None))
    name = max(found, key=found.__getitem__)
    middle = sorted(found.values())[len(found) // 2]
    note = f"{name} {found[name] * 1000:.1f} ms; the median {middle * 1000:.1f} ms"
    return Found(found[name] / nothing, note)


def importing(run: Run) -> Found:
    """Compare importing `Match` and `load_ruleset` in a whole process with `python -c pass`."""
    ours, nothing = least_cpu(run.size(10, 4), (IMPORTING, None), (NOTHING, None))
    return Found(ours / nothing)


def rows() -> list[Row]:
    """Return the rows of loading."""
    return [
        Row("loading a ruleset against pass", rulesets),
        Row("importing the library against pass", importing),
    ]
