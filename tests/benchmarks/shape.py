"""The common shape of benchmarks: a module has `rows()`, and each row measures one figure.

A figure is a ratio of two costs measured in one run. They are measured in turns, so that a slow
minute of the machine affects both. The least of several measurements counts. The docstring of a
row's function describes the figure.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ROOT = Path(__file__).parents[2]
SCOREKEEPER = (sys.executable, "-m", "scorekeeper")
NOTHING = (sys.executable, "-c", "pass")
CHESS_GAMES = 20
# Only the process itself knows its peak memory, because the figure of `wait` includes its parent's.
TELLING_MEMORY = """
import sys
from scorekeeper.cli import main
try:
    main()
finally:
    sys.stdout.flush()
    with open("/proc/self/status") as status:
        print(*(line for line in status if line.startswith("VmHWM")), file=sys.stderr)
"""


class Found(NamedTuple):
    """The result of a row, or None if it cannot be measured here. `note` adds details."""

    value: float | None
    note: str = ""


class Row(NamedTuple):
    """A line of the table, selected by its name. `least` or `most` is its goal."""

    name: str
    measure: Callable[[Run], Found]
    least: float | None = None
    most: float | None = None
    unit: str = ""

    @property
    def reach(self) -> str:
        """The goal as signs."""
        if self.least is None and self.most is None:
            return ""
        return f">= {self.least:g}" if self.least is not None else f"<= {self.most:g}{self.unit}"

    def is_met(self, value: float) -> bool:
        """Return whether the value meets the goal."""
        too_low = self.least is not None and value < self.least
        return not too_low and (self.most is None or value <= self.most)


class Spent(NamedTuple):
    """The cost of a process: processor and wall-clock seconds, and MiB of peak memory.

    The memory is 0 if it was not asked for or is unknown.
    """

    cpu: float
    wall: float
    memory: float
    out: str


class Run:
    """One run, whole or quick, with a folder for its files and the values that rows share."""

    def __init__(self, folder: str, quick: bool) -> None:
        self.folder = Path(folder)
        self.quick = quick
        self._made: dict[str, Any] = {}  # The type is that of its maker's result.

    def size(self, whole: int, quick: int) -> int:
        """Return the size for a whole run or for a quick one."""
        return quick if self.quick else whole

    def steps(self, *whole: int, quick: int) -> list[int]:
        """Return the sizes over which growth is measured: all of them, or only some for a quick
        run."""
        return list(whole[:quick] if self.quick else whole)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a value that several rows need, made by the first of them."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    def chess(self) -> float:
        """Return the moves per second that python-chess replays from SAN now."""
        from tests.benchmarks.chess_games import games, replayed  # This needs the extra.

        texts: list[list[str]] = self.once("chess", lambda: games(CHESS_GAMES))
        return sum(map(len, texts)) / replayed(texts)

    def beside_chess(self, blocks: Iterable[Callable[[], int]]) -> Found:
        """Return the plays per second of the quickest of these blocks against python-chess.

        Each block returns how many plays it has.
        """
        ours = theirs = 0.0
        for block in blocks:
            theirs = max(theirs, self.chess())
            with calm():
                start = time.process_time()
                plays = block()
                ours = max(ours, plays / (time.process_time() - start))
        return Found(ours / theirs, f"{ours:,.0f} against {theirs:,.0f} a second")


@contextmanager
def calm() -> Iterator[None]:
    """Keep the garbage collector on, but make it ignore all earlier objects."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def new_run(quick: bool) -> Iterator[Run]:
    """Run with a new run, and delete its files afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Run(folder, quick)


def spent(act: Callable[[], object]) -> float:
    """Return the processor seconds of an act."""
    start = time.process_time()
    act()
    return time.process_time() - start


def least(times: int, *acts: Callable[[], object]) -> list[float]:
    """Return the least processor seconds of each of these acts, done that many times in turns."""
    found = [float("inf")] * len(acts)
    for _ in range(times):
        for index, act in enumerate(acts):
            with calm():
                found[index] = min(found[index], spent(act))
    return found


def process(command: Sequence[str], book: Path | None = None, *, memory: bool = False) -> Spent:
    """Run a process and return its cost, including its start. It must not fail, but may report
    findings."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(ROOT)
    if book is not None:
        environment["SCOREKEEPER_BOOK"] = str(book)
    if memory:
        command = [sys.executable, "-c", TELLING_MEMORY, *command[len(SCOREKEEPER) :]]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as told:
        start = time.perf_counter()
        child = subprocess.Popen(command, env=environment, stdout=out, stderr=told)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        told.seek(0)
        said = told.read()
        assert child.returncode in (0, 1), said
        most = int(said.split("VmHWM:")[1].split()[0]) / 1024 if "VmHWM:" in said else 0.0
        return Spent(usage.ru_utime + usage.ru_stime, wall, most, out.read())


def least_cpu(times: int, *commands: tuple[Sequence[str], Path | None]) -> list[float]:
    """Return the least processor seconds of each of these processes, started that many times in
    turns."""
    found = [float("inf")] * len(commands)
    for _ in range(times):
        for index, (command, book) in enumerate(commands):
            found[index] = min(found[index], process(command, book).cpu)
    return found


def growth(sizes: Sequence[int], costs: Sequence[float], *, what: str = "") -> Found:
    """Return the highest cost of these sizes against that of the first size."""
    ratios = [cost / costs[0] for cost in costs]
    series = ", ".join(f"{size:,}: {each:.2f}" for size, each in zip(sizes, ratios, strict=True))
    return Found(max(ratios), f"{what}{series}")
