"""Whole deals of every shipped trick game, with or without one forbidden play."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.oracle import revokes, revokes_in_sets

if TYPE_CHECKING:
    from tests.oracle.revokes import Deal

RULESETS = sorted([*revokes.GAMES, *revokes_in_sets.LEVELS])


def deal(ruleset: str, seed: int, revoke: bool) -> Deal:
    """Return a deal of a ruleset."""
    made = revokes.Dealer if ruleset in revokes.GAMES else revokes_in_sets.Dealer
    for attempt in range(1000):
        found = made(ruleset, Random(f"{ruleset} {seed} {attempt}"), revoke).play()
        if found is not None and bool(found.revoke) is revoke:
            return found
    raise AssertionError(f"{ruleset}: nobody could revoke")
