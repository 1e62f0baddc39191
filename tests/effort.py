"""The number of random games per test: a few in the suite, more by hand.

`SCOREKEEPER_TEST_EFFORT=5` plays five times as many.
"""

from __future__ import annotations

import os

EFFORT = int(os.environ.get("SCOREKEEPER_TEST_EFFORT", "1"))


def tries(count: int) -> range:
    """Return the seeds of that many random games, multiplied by the requested effort."""
    return range(count * EFFORT)
