"""The library: the costs of judging and undoing against recording, in every shipped ruleset."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tests.benchmarks.shape import Found, Row, Run, calm, spent
from tests.helpers import SHIPPED
from tests.random_play import evening

if TYPE_CHECKING:
    from scorekeeper import Match


class Times(NamedTuple):
    """The seconds of a ruleset's evenings, by operation."""

    judge: float
    record: float
    undo: float
    loaded: float


def played(match: Match, texts: list[str]) -> tuple[float, float]:
    """Judge and record every entry in turns. Return the time for judging and for recording."""
    judged = recorded = 0.0
    for text in texts:
        start = time.process_time()
        match.judge(text)
        between = time.process_time()
        match.record(text)
        recorded += time.process_time() - between
        judged += between - start
    return judged, recorded


def undo_all(match: Match) -> None:
    """Undo all entries."""
    while match.rounds:
        match.undo()


def measured(name: str, seeds: int) -> Times:
    """Measure some random evenings of a ruleset."""
    found = []
    for seed in range(seeds):
        whole = evening(name, seed)
        match, loaded = whole.fresh(), whole.fresh()
        texts = [said.known for said in whole.all() if said.known]
        with calm():
            judged, recorded = played(match, texts)
            for each in match.rounds:
                loaded.play_round(each.entries)
            undone = spent(partial(undo_all, match))
            found.append(Times(judged, recorded, undone, spent(partial(undo_all, loaded))))
    return Times(*map(sum, zip(*found, strict=True)))


def all_times(run: Run) -> dict[str, Times]:
    """Return the times of every ruleset's evenings, measured once."""
    names = SHIPPED[:: run.size(1, 6)]
    found: dict[str, Times] = run.once(
        "library", lambda: {name: measured(name, run.size(6, 2)) for name in names}
    )
    return found


def worst(run: Run, what: str) -> Found:
    """Return the ruleset in which the operation costs most against recording."""
    ratios = {name: getattr(times, what) / times.record for name, times in all_times(run).items()}
    name = max(ratios, key=ratios.__getitem__)
    middle = sorted(ratios.values())[len(ratios) // 2]
    return Found(ratios[name], f"{name}; the median of {len(ratios)} rulesets {middle:.2f}")


def judge(run: Run) -> Found:
    """Compare `match.judge` with `match.record` in the worst of all shipped rulesets."""
    return worst(run, "judge")


def undo(run: Run) -> Found:
    """Compare `match.undo` with `match.record` in a match that was recorded entry by entry."""
    return worst(run, "undo")


def undo_loaded(run: Run) -> Found:
    """Compare `match.undo` with `match.record` in a loaded match, which rebuilds its snapshots."""
    return worst(run, "loaded")


def rows() -> list[Row]:
    """Return the rows of the library."""
    return [
        Row("judge against record", judge, most=3),
        Row("undo against record", undo, most=3),
        Row("undo against record, loaded match", undo_loaded, most=3),
    ]
