"""Books of many short matches, made by recording. A larger book begins as a smaller one's copy."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from scorekeeper.store.book import Book
from tests.benchmarks.books import fill

if TYPE_CHECKING:
    from pathlib import Path

    from tests.benchmarks.shape import Run

STEP = 10


def matches_book(run: Run, matches: int) -> Path:
    """Return the path of a book of that many matches of one round, made once in a run."""
    path = run.folder / f"matches-{matches}.sqlite"
    run.once(path.name, lambda: _made(run, path, matches))
    return path


def _made(run: Run, path: Path, matches: int) -> None:
    there = matches // STEP if matches > STEP else 0
    if there:
        shutil.copy(matches_book(run, there), path)
    with Book(path) as book:
        fill(book, matches - there, first=there)
