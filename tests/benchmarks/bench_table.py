"""From key press to answer at the live table, with many entries in the book.

Run by hand: python tests/benchmarks/bench_table.py [ENTRIES]
Prints medians of one run in milliseconds, in turn with a bare SQLite transaction on the same disk
(times are the machine's and the disk's), and counts that do not depend on the machine.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

from scorekeeper import load_ruleset
from scorekeeper.session import Board, Session
from scorekeeper.store.book import Book
from scorekeeper.store.desk import Desk, begin

ENTRIES = 10_000
TIMES = 200
PLAYERS = ["Ana", "Ben", "Cleo", "Dan"]
NAMES = (
    "a bare transaction",
    "stored play",
    "completion, the first key",
    "completion, the next",
    "hint while typing",
    "what the screen shows",
    "news, when there is none",
    "undo",
)
ROUND = ["Ana: 3x4", "Ben: 4x4", "Cleo: 5x4", "Dan: dudo", "note all dice are back"]


def counted(act: Callable[[], object]) -> int:
    """How many Python functions an act calls."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    act()
    sys.setprofile(None)
    return calls


def filled(path: str, entries: int) -> Board:
    """A match with so many entries, many rounds of them, at the live table."""
    with Book(path) as book, book.batch():
        desk = begin(book, load_ruleset("dudo"), PLAYERS)
        while entries > 0:
            hands = [f"hand {name}: 5" for name in PLAYERS]
            texts = ["lead Ana", *hands, *ROUND, "count 5"]
            refused = [r for r in desk.record(texts).rulings if r.refused]
            assert refused == []
            entries -= len(texts)
    return Session([Desk(Book(path), desk.id)]).board


def transaction(path: str) -> Callable[[], object]:
    """One small transaction that is flushed to the disk, and nothing else."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a, b);"
    )
    return lambda: connection.execute("INSERT INTO t VALUES (1, 'Ana: 3x4')")


def one(act: Callable[[], object], taken: list[float]) -> None:
    """Do it once and note the time in milliseconds."""
    start = time.perf_counter()
    act()
    taken.append(1000 * (time.perf_counter() - start))


def main() -> None:
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES
    taken: dict[str, list[float]] = {name: [] for name in NAMES}
    with tempfile.TemporaryDirectory() as folder:
        board = filled(os.path.join(folder, "book.sqlite"), entries)
        bare = transaction(os.path.join(folder, "bare.sqlite"))
        print(f"{board.desk.store.position(board.desk.id):,} entries in the book")
        board.enter("1x4")
        for _ in range(TIMES):
            one(bare, taken["a bare transaction"])
            one(lambda: board.enter("2x4"), taken["stored play"])
            one(lambda: board.complete("9x"), taken["completion, the first key"])
            one(lambda: board.complete("9x4"), taken["completion, the next"])
            one(lambda: board.hint("19x4"), taken["hint while typing"])
            one(board.screen, taken["what the screen shows"])
            one(board.news, taken["news, when there is none"])
            one(board.undo, taken["undo"])
        for name, times in taken.items():
            print(f"{name:<28}{median(times):8.3f} ms")
        print("function calls, which no machine changes:")
        print(f"  a stored play {counted(lambda: board.enter('2x4')):,}")
        print(f"  a completion {counted(lambda: board.complete('9x')):,}")


if __name__ == "__main__":
    main()
