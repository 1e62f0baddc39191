"""Verification of files, everything from opening them to the report."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from scorekeeper import Match, load_ruleset, verify_record, write_record
from tests.benchmarks import deals
from tests.benchmarks.long_match import ENTRIES, book_of, opened
from tests.benchmarks.shape import SCOREKEEPER, Found, Row, Run, growth, least, process
from tests.doppelkopf_deals import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PLAYS = 48
EVENING = 12  # Deals.
BLOCK = 480  # A block has about this many plays, for files of any size.
FILES = 10_000
TIMES = 3


def written(run: Run, deals_a_file: int) -> list[Path]:
    """Write records of evenings of that many deals, every deal a new one."""
    folder = run.folder / f"records-{deals_a_file}"
    folder.mkdir()
    rules = load_ruleset("doppelkopf")
    files = []
    for number in range(run.size(4_800, 240) // deals_a_file):
        match = Match(rules, NAMES)
        for turn in range(deals_a_file):
            match.play_round(deals.doppelkopf(number * deals_a_file + turn, turn=turn))
        files.append(folder / f"{number:05}.toml")
        write_record(match, files[-1])
    return files


def records(run: Run, deals_a_file: int) -> list[Path]:
    """Return such records, which are written only once in a run."""
    found: list[Path] = run.once(f"records of {deals_a_file}", lambda: written(run, deals_a_file))
    return found


def verified(files: list[Path], plays: int) -> int:
    """Verify these files, each with that many plays. Return the number of plays."""
    for file in files:
        assert verify_record(file)["ok"]
    return plays * len(files)


def blocks(files: list[Path], plays: int) -> Iterator[Callable[[], int]]:
    """Yield the files in blocks with the same number of plays. The first block only warms up."""
    size = max(1, BLOCK * 10 // plays)
    verified(files[:size], plays)
    for first in range(size, len(files), size):
        yield partial(verified, files[first : first + size], plays)


def evenings(run: Run) -> Found:
    """Compare plays per second of `verify_record` with python-chess replaying SAN.

    The files are evenings of Doppelkopf with twelve deals each, and no file is read twice.
    """
    return run.beside_chess(blocks(records(run, EVENING), EVENING * PLAYS))


def single_deals(run: Run) -> Found:
    """Compare plays per second of `verify_record` over files of one deal with python-chess."""
    return run.beside_chess(blocks(records(run, 1), PLAYS))


def whole_command(run: Run, deals_a_file: int) -> Found:
    """Compare plays per second of the command over all files in one process with python-chess."""
    files = records(run, deals_a_file)
    plays = len(files) * deals_a_file * PLAYS
    command = [*SCOREKEEPER, "verify", *one_process(), *map(str, files)]
    chess = max(run.chess() for _ in range(TIMES))
    ours = max(plays / process(command).cpu for _ in range(TIMES))
    return Found(ours / chess, f"{len(files):,} files, {ours:,.0f} against {chess:,.0f} a second")


def evenings_command(run: Run) -> Found:
    """Compare `scorekeeper verify` over evenings of twelve deals in one process with python-chess.

    It counts plays per processor second, including the start of the process.
    """
    return whole_command(run, EVENING)


def single_deals_command(run: Run) -> Found:
    """Compare `scorekeeper verify` over files of one deal in one process with python-chess."""
    return whole_command(run, 1)


def has_jobs() -> bool:
    """Return whether `verify` has an option for the number of processes."""
    return "--jobs" in process([*SCOREKEEPER, "verify", "--help"]).out


def one_process() -> list[str]:
    """Return the options with which `verify` uses one process."""
    return ["--jobs", "1"] if has_jobs() else []


def all_cores(run: Run) -> Found:
    """Compare `scorekeeper verify` over 10,000 files in one process with its own choice of
    processes.

    Each file has one deal. The times are by the clock.
    """
    if not has_jobs():
        return Found(None, "verify has no --jobs")
    cores = len(os.sched_getaffinity(0))
    if cores == 1:
        return Found(None, "one core")
    files = records(run, 1)
    wanted = run.size(FILES, 1_000)
    command = [*SCOREKEEPER, "verify", *[str(file) for file in files * (wanted // len(files) + 1)]]
    command = command[: len(SCOREKEEPER) + 1 + wanted]
    took = [[process([*command, *jobs]) for jobs in (["--jobs", "1"], [])] for _ in range(TIMES)]
    said = {each.out for both in took for each in both}
    assert len(said) == 1, "the answer depends on how many processes there are"
    one, all_ = (min(each, key=lambda spent: spent.wall) for each in zip(*took, strict=True))
    note = f"{wanted:,} files on {cores} cores, {wanted / all_.wall:,.0f} a second"
    more = f"{all_.cpu / one.cpu:.2f} times the processor time"
    return Found(one.wall / all_.wall, f"{note}, {more}")


def memory(run: Run) -> Found:
    """Compare the peak memory of `verify` over all files of one deal with a tenth of them.

    It runs in one process.
    """
    files = [str(file) for file in records(run, 1)]
    command = [*SCOREKEEPER, "verify", *one_process()]
    few, many = (
        process([*command, *some], memory=True).memory
        for some in (files[: len(files) // 10], files)
    )
    if not few:
        return Found(None, "nobody tells how much memory a process took")
    return Found(many / few, f"{few:.0f} MiB and {many:.0f} MiB for {len(files):,} files")


def over_entries(run: Run) -> Found:
    """Compare the cost of an entry in `verify_record` in a long match with that in shorter ones.

    The long match has 100,000 entries, and the cheapest shorter match counts.
    """
    sizes = run.steps(*ENTRIES, quick=4)
    costs = []
    for size in sizes:
        file = run.folder / f"entries-{size}.toml"
        file.write_text(opened(book_of(run, size)).record_text(), "utf-8")
        (cost,) = least(TIMES, partial(verify_record, file))
        costs.append(cost / size)
    return Found(costs[-1] / min(costs[:-1]), growth(sizes, costs).note)


def rows() -> list[Row]:
    """Return the rows of verification."""
    return [
        Row("verify, evenings of twelve deals", evenings, least=3),
        Row("verify, a deal a file", single_deals, least=1.5),
        Row("verify, evenings, whole command", evenings_command),
        Row("verify, a deal a file, whole command", single_deals_command),
        Row("verify, all cores against one", all_cores, least=1.8),
        Row("verify, growth over entries of a match", over_entries, most=1.2),
        Row("verify, memory against a tenth", memory, most=1.2),
    ]
