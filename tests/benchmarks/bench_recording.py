"""Recording: one play as a whole process, one play in a session, and both in a long match.

Run by hand: python tests/benchmarks/bench_recording.py
Prints ratios measured in one run, and what does not depend on the machine: modules imported.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scorekeeper import load_ruleset
from scorekeeper.store.book import Book
from scorekeeper.store.desk import Desk, begin
from scorekeeper.store.protocol import LogRow, RoundRow

RUNS = 25
LONG = 100_000
PLAYERS = ["Ana", "Ben", "Cleo", "Dan"]


def process_time(command: list[str], environment: dict[str, str]) -> float:
    """Processor seconds of a whole process, its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True,
                   stderr=subprocess.DEVNULL)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def filled(book: Book, entries: int) -> Desk:
    """A match with so many stored entries, a round of three each, and a live one."""
    desk = begin(book, load_ruleset("dudo"), PLAYERS)
    rounds = entries // 3
    rows = [
        LogRow("entry", number, index, text)
        for number in range(1, rounds + 1)
        for index, text in enumerate(("Ana: 2x3", "note so", "result gainer=Ana"), 1)
    ]
    desk.record(["result gainer=Ana"])
    standing = dict(desk.match.standing)
    desk.undo()
    cached = [RoundRow(rounds + 1, 3 + len(rows), standing)]
    rows.append(LogRow("entry", rounds + 1, 1, "note live"))
    book.append(desk.id, 2, rows, finished=cached)
    return Desk(book, desk.id)


def plays(desk: Desk, count: int = 60) -> list[float]:
    """Seconds of each of so many bids, stored durably, then taken back."""
    times = []
    for number in range(count):
        start = time.perf_counter()
        desk.record([f"{number + 1}x5"])
        times.append(time.perf_counter() - start)
    return times


def imported() -> list[str]:
    """The modules that `record` imports."""
    code = """
import sys
sys.argv = ["scorekeeper", "record", "1x2"]
from scorekeeper.cli import main
try:
    main()
except SystemExit:
    print(*sorted(sys.modules), file=sys.stderr)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stderr.splitlines()[-1].split()


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["SCOREKEEPER_BOOK"] = os.environ["SCOREKEEPER_BOOK"] = str(folder / "few.sqlite")
    with Book(str(folder / "few.sqlite")) as few, Book(str(folder / "many.sqlite")) as many:
        short, long = filled(few, 9), filled(many, LONG)
        times = [plays(short), plays(long)]
    medians = [statistics.median(found) * 1000 for found in times]
    print(f"a play in a session, stored: {medians[0]:.2f} ms into 10 entries, {medians[1]:.2f} ms "
          f"into {LONG}: ratio {medians[1] / medians[0]:.2f}")  # fmt: skip
    record = [sys.executable, "-m", "scorekeeper", "record", "note once more"]
    nothing = [sys.executable, "-c", "pass"]
    process_time(record, environment)
    figures: dict[str, list[float]] = {"pass": [], "few": [], "many": []}
    other = {**environment, "SCOREKEEPER_BOOK": str(folder / "many.sqlite")}
    for _ in range(RUNS):
        figures["pass"].append(process_time(nothing, environment))
        figures["few"].append(process_time(record, environment))
        figures["many"].append(process_time(record, other))
    least = {name: min(found) for name, found in figures.items()}
    middle = {name: statistics.median(found) for name, found in figures.items()}
    print(f"record, whole process, against python -c pass: {middle['few'] / middle['pass']:.1f} "
          f"(medians), {least['few'] / least['pass']:.1f} (least of {RUNS})")  # fmt: skip
    print(f"record into {LONG} entries against 10: {middle['many'] / middle['few']:.2f} (medians), "
          f"{least['many'] / least['few']:.2f} (least)")  # fmt: skip
    names = imported()
    ours = [name for name in names if name.startswith("scorekeeper")]
    print(f"record imports {len(names)} modules, {len(ours)} of them ours")


if __name__ == "__main__":
    main()
