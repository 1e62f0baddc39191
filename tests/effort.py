"""How often what is tried on random games is tried: some games here, more by hand.

`SCOREKEEPER_TEST_EFFORT=5` tries five times as many.
"""

from __future__ import annotations

import os

EFFORT = int(os.environ.get("SCOREKEEPER_TEST_EFFORT", "1"))


def tries(count: int) -> range:
    """The seeds of so many random games, times the effort that was asked for."""
    return range(count * EFFORT)
