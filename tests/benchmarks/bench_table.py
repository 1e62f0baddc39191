"""The live table: from key press to answer, with 10,000 entries in the book."""

from __future__ import annotations

import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from scorekeeper.session.live import LiveMatch, Session
from tests.benchmarks.long_match import book_of, opened
from tests.benchmarks.shape import Found, Row, Run
from tests.counts import calls

if TYPE_CHECKING:
    from collections.abc import Callable

ENTRIES = 10_000
TIMES = 100


def board(run: Run) -> LiveMatch:
    """Return the match at the live table, with a round begun."""
    found: LiveMatch = run.once("board", lambda: _begun(run))
    return found


def _begun(run: Run) -> LiveMatch:
    board = Session([opened(book_of(run, run.size(ENTRIES, ENTRIES // 10)))]).current
    board.enter("1x4")
    return board


def taken(
    run: Run, *acts: Callable[[LiveMatch], object], before: Callable[[LiveMatch], object]
) -> Found:
    """Return the processor milliseconds of some acts together, the median of many measurements.

    Before each measurement another act is done that is not measured.
    """
    live = board(run)
    times = []
    for _ in range(run.size(TIMES, TIMES // 4)):
        before(live)
        start = time.process_time()
        for act in acts:
            act(live)
        times.append(1000 * (time.process_time() - start))
    before(live)
    count = sum(calls(partial(act, live)) for act in acts)
    return Found(median(times), f"{count:,} calls")


def bid_again(live: LiveMatch) -> None:
    """Enter a bid and undo it, so that no cached value is left from the last time."""
    live.enter("2x4")
    live.undo()


def nothing(live: LiveMatch) -> None:
    """Do nothing."""


def completion(run: Run) -> Found:
    """Measure completing a bid at the first key after an entry."""
    return taken(run, lambda live: live.complete("9x"), before=bid_again)


def next_completion(run: Run) -> Found:
    """Measure completing a bid at the next key."""
    return taken(run, lambda live: live.complete("9x4"), before=nothing)


def hint(run: Run) -> Found:
    """Measure the hint for a bid at the first key after an entry."""
    return taken(run, lambda live: live.hint("19x4"), before=bid_again)


def screen(run: Run) -> Found:
    """Measure drawing the screen after an entry."""
    return taken(run, lambda live: live.screen(), before=bid_again)


def news(run: Run) -> Found:
    """Measure the check for news when there is none."""
    return taken(run, lambda live: live.check_news(), before=nothing)


def stored_and_undone(run: Run) -> Found:
    """Measure a bid that is entered, stored and shown, then undone."""
    return taken(run, lambda live: live.enter("2x4"), lambda live: live.undo(), before=nothing)


def rows() -> list[Row]:
    """Return the rows of the live table, all of Dudo. `bench_legal` has the worst cases of all
    games."""
    return [
        Row("live: completion, the first key", completion, most=20, unit=" ms"),
        Row("live: completion, the next key", next_completion, most=20, unit=" ms"),
        Row("live: hint", hint, most=20, unit=" ms"),
        Row("live: screen", screen, unit=" ms"),
        Row("live: news, when there is none", news, unit=" ms"),
        Row("live: a bid entered and undone", stored_and_undone, unit=" ms"),
    ]
