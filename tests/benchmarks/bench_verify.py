"""Verifying files, everything from opening them to the report."""

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
EVENING = 12  # deals
BLOCK = 480  # plays of it are about what a block takes, whatever a file holds
FILES = 10_000
TIMES = 3


def written(run: Run, deals_a_file: int) -> list[Path]:
    """Records of evenings of so many deals, every deal another one."""
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
    """The same, written once."""
    found: list[Path] = run.once(f"records of {deals_a_file}", lambda: written(run, deals_a_file))
    return found


def verified(files: list[Path], plays: int) -> int:
    """Verify these files, each with so many plays; gives how many that were."""
    for file in files:
        assert verify_record(file)["ok"]
    return plays * len(files)


def blocks(files: list[Path], plays: int) -> Iterator[Callable[[], int]]:
    """The files in blocks of as many plays; the first is there to warm up."""
    size = max(1, BLOCK * 10 // plays)
    verified(files[:size], plays)
    for first in range(size, len(files), size):
        yield partial(verified, files[first : first + size], plays)


def evenings(run: Run) -> Found:
    """Plays a second of `verify_record` over Doppelkopf evenings of twelve deals a file, no file
    read twice, against python-chess replaying SAN."""
    return run.beside_chess(blocks(records(run, EVENING), EVENING * PLAYS))


def single_deals(run: Run) -> Found:
    """The same with one deal a file."""
    return run.beside_chess(blocks(records(run, 1), PLAYS))


def whole_command(run: Run, deals_a_file: int) -> Found:
    """Plays a second of the command over all of the files in one process."""
    files = records(run, deals_a_file)
    plays = len(files) * deals_a_file * PLAYS
    command = [*SCOREKEEPER, "verify", *one_process(), *map(str, files)]
    chess = max(run.chess() for _ in range(TIMES))
    ours = max(plays / process(command).cpu for _ in range(TIMES))
    return Found(ours / chess, f"{len(files):,} files, {ours:,.0f} against {chess:,.0f} a second")


def evenings_command(run: Run) -> Found:
    """`scorekeeper verify` over evenings of twelve deals a file, its start included, in one
    process: plays a processor second against python-chess."""
    return whole_command(run, EVENING)


def single_deals_command(run: Run) -> Found:
    """The same with one deal a file."""
    return whole_command(run, 1)


def has_jobs() -> bool:
    """Whether `verify` can be told how many processes to use."""
    return "--jobs" in process([*SCOREKEEPER, "verify", "--help"]).out


def one_process() -> list[str]:
    """What tells `verify` to use one process."""
    return ["--jobs", "1"] if has_jobs() else []


def all_cores(run: Run) -> Found:
    """`scorekeeper verify` over 10,000 files of one deal with one process, by the clock, against
    the same with as many processes as it chooses."""
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
    """The memory that `verify` takes at most over all files of one deal, in one process, against a
    tenth of them."""
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
    """What an entry of a record costs `verify_record` in one match of 100,000 entries, against the
    shorter one where it costs least."""
    sizes = run.steps(*ENTRIES, quick=4)
    costs = []
    for size in sizes:
        file = run.folder / f"entries-{size}.toml"
        file.write_text(opened(book_of(run, size)).record_text(), "utf-8")
        (cost,) = least(TIMES, partial(verify_record, file))
        costs.append(cost / size)
    return Found(costs[-1] / min(costs[:-1]), growth(sizes, costs).note)


def rows() -> list[Row]:
    """The rows of files."""
    return [
        Row("verify, evenings of twelve deals", evenings, least=3),
        Row("verify, a deal a file", single_deals, least=1.5),
        Row("verify, evenings, whole command", evenings_command),
        Row("verify, a deal a file, whole command", single_deals_command),
        Row("verify, all cores against one", all_cores, least=1.8),
        Row("verify, growth over entries of a match", over_entries, most=1.2),
        Row("verify, memory against a tenth", memory, most=1.2),
    ]
