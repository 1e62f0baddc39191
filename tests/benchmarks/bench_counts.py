"""Counts: Python functions called for one deal of each game, the same on any machine."""

from __future__ import annotations

from functools import partial

from tests.benchmarks.shape import Found, Row, Run
from tests.counts import GAMES, PLAYED, counted_apart, deal_of


def calls(run: Run, game: str) -> Found:
    """Count the calls for each entry of a written deal, which `tests/test_counts.py` checks.

    The note has the calls of each stage.
    """
    found = counted_apart(game)
    entries = len(deal_of(game).rounds[0].entries)
    stages = ", ".join(f"{stage} {count:,}" for stage, count in found.items())
    return Found(sum(found[stage] for stage in PLAYED) / entries, stages)


def rows() -> list[Row]:
    """Return a row for each game."""
    return [Row(f"calls an entry, {game}", partial(calls, game=game)) for game in GAMES]
