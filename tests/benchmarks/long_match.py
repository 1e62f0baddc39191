"""Matches of any length, recorded entry by entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper import load_ruleset
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match

if TYPE_CHECKING:
    from pathlib import Path

    from tests.benchmarks.shape import Run

ENTRIES = (10, 100, 1_000, 10_000, 100_000)  # Numbers of entries over which growth is measured.
PLAYERS = ["Ana", "Ben", "Cleo", "Dan"]
START = ["lead Ana", *(f"hand {name}: 5" for name in PLAYERS)]
BIDS = ["Ana: 3x4", "Ben: 4x4", "Cleo: 5x4", "Dan: dudo", "note all dice are back", "count 5"]
TOGETHER = 100  # Rounds that are recorded at once.


def recorded(path: Path, entries: int) -> None:
    """Record a book with one match of that many entries, whose last round has not begun yet."""
    texts = [*START, *BIDS]
    rounds = max(1, round(entries / len(texts)))
    with Book(path) as book, book.batch():
        desk = begin_match(book, load_ruleset("dudo"), PLAYERS)
        for first in range(0, rounds, TOGETHER):
            made = desk.record(texts * min(TOGETHER, rounds - first))
            assert made.failure is None
            assert not any(ruling.refused for ruling in made.rulings)


def book_of(run: Run, entries: int) -> Path:
    """Return the path of such a book, made once in a run."""
    path = run.folder / f"entries-{entries}.sqlite"
    run.once(path.name, lambda: recorded(path, entries))
    return path


def opened(path: Path) -> MatchRecorder:
    """Return a desk at the match that was recorded last."""
    book = Book(path)
    return MatchRecorder(book, book.match().id)
