"""Recording: one play in a new process, one in a session, and both in a large book."""

from __future__ import annotations

import itertools
import sqlite3
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.benchmarks.large_book import matches_book
from tests.benchmarks.long_match import ENTRIES, book_of, opened
from tests.benchmarks.shape import (
    NOTHING,
    SCOREKEEPER,
    Found,
    Row,
    Run,
    growth,
    least_cpu,
    process,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from scorekeeper.store.recorder import MatchRecorder

MATCHES = (10, 100, 1_000, 10_000)
PLAYS = 60
RECORD = (*SCOREKEEPER, "record", "note once more")
STATUS = (*SCOREKEEPER, "status")
TYPER = (sys.executable, "-c", "import typer")
LISTING = """
import sys
sys.argv = ["scorekeeper", "record", "1x2"]
from scorekeeper.cli import main
try:
    main()
except SystemExit:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def runs(run: Run) -> int:
    """Return how many times each process is started."""
    return run.size(25, 7)


def imported() -> list[str]:
    """Return the modules that `record` imports."""
    run = subprocess.run(
        [sys.executable, "-c", LISTING], capture_output=True, text=True, check=True
    )
    return run.stderr.splitlines()[-1].split()


def one_play(run: Run) -> Found:
    """Compare `scorekeeper record` of one entry as a whole process with `python -c pass`."""
    book = book_of(run, ENTRIES[0])
    process(RECORD, book)
    record, nothing = least_cpu(runs(run), (RECORD, book), (NOTHING, None))
    names = imported()
    ours = sum(name.startswith("scorekeeper") for name in names)
    return Found(record / nothing, f"{len(names)} modules are imported, {ours} of them ours")


def typer(run: Run) -> Found:
    """Compare importing Typer alone as a whole process with `python -c pass`.

    No command can be quicker than that.
    """
    alone, nothing = least_cpu(runs(run), (TYPER, None), (NOTHING, None))
    return Found(alone / nothing)


def process_growth(
    run: Run, books: list[Path], sizes: list[int], command: Sequence[str] = RECORD
) -> Found:
    """Compare the time of a command as a process in these books with the first book."""
    for book in books:
        process(command, book)
    return growth(sizes, least_cpu(runs(run), *((command, book) for book in books)))


def over_entries(run: Run) -> Found:
    """Compare one recorded play as a whole process in a match of 100,000 stored entries with one of
    ten."""
    sizes = run.steps(*ENTRIES, quick=4)
    return process_growth(run, [book_of(run, size) for size in sizes], sizes)


def status_over_entries(run: Run) -> Found:
    """Compare `scorekeeper status` in a match of 100,000 stored entries with one of ten."""
    sizes = run.steps(*ENTRIES, quick=4)
    return process_growth(run, [book_of(run, size) for size in sizes], sizes, STATUS)


def over_matches(run: Run) -> Found:
    """Compare one recorded play as a whole process in a book of 10,000 matches with one of ten."""
    sizes = run.steps(*MATCHES, quick=2)
    return process_growth(run, [matches_book(run, size) for size in sizes], sizes)


def medians(clock: Callable[[], float], *acts: Callable[[], object]) -> list[float]:
    """Return the median milliseconds of each of these acts by this clock, measured in turns."""
    found: list[list[float]] = [[] for _ in acts]
    for _ in range(PLAYS):
        for act, times in zip(acts, found, strict=True):
            start = clock()
            act()
            times.append(clock() - start)
    return [statistics.median(times) * 1000 for times in found]


def play(desk: MatchRecorder) -> Callable[[], object]:
    """Return the next bid, each time a higher one."""
    numbers = itertools.count(1)
    return lambda: desk.record([f"{next(numbers)}x5"])


def bare(path: Path) -> Callable[[], object]:
    """Return a function that writes one small transaction to disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a, b);"
    )
    return lambda: connection.execute("INSERT INTO t VALUES (1, 'Ana: 3x4')")


def in_session(run: Run) -> Found:
    """Measure the processor time of one play in a session, judged and stored durably.

    The note has the time of the disk by the clock.
    """
    desk = opened(book_of(run, 1_000))
    (stored,) = medians(time.process_time, play(desk))
    undo(desk)
    transaction = bare(run.folder / "bare.sqlite")
    clocked, alone = medians(time.perf_counter, play(desk), transaction)
    undo(desk)
    return Found(stored, f"by the clock {clocked:.2f} ms, a bare transaction {alone:.2f} ms")


def undo(desk: MatchRecorder) -> None:
    """Undo these plays."""
    for _ in range(PLAYS):
        desk.undo()


def in_session_over_entries(run: Run) -> Found:
    """Compare the processor time of a play in a match of 100,000 stored entries with one of ten."""
    sizes = run.steps(*ENTRIES, quick=4)
    desks = [opened(book_of(run, size)) for size in sizes]
    costs = medians(time.process_time, *map(play, desks))
    for desk in desks:
        undo(desk)
    return growth(sizes, costs)


def rows() -> list[Row]:
    """Return the rows of recording."""
    return [
        Row("record, one process against pass", one_play, most=7),
        Row("importing Typer alone against pass", typer),
        Row("record, growth over entries", over_entries, most=1.2),
        Row("record, growth over matches", over_matches, most=1.2),
        Row("status, growth over entries", status_over_entries, most=1.2),
        Row("stored play in a session", in_session, most=1, unit=" ms"),
        Row("stored play, growth over entries", in_session_over_entries, most=1.2),
    ]
