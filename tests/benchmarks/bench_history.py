"""History: statistics, exports and imports of many matches, each command as a whole process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.large_book import matches_book
from tests.benchmarks.shape import SCOREKEEPER, Found, Row, Run, Spent, process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SIZES, QUICK = (10, 1_000, 10_000), (10, 50, 250)
MOST_MEMORY = 100  # MiB

Three = tuple[Spent, Spent, Spent]  # One for each size.


def sizes(run: Run) -> tuple[int, int, int]:
    """Return the numbers of matches in a tiny book, a small one and a large one."""
    return QUICK if run.quick else SIZES


def each(run: Run, name: str, measure: Callable[[int], Spent]) -> Three:
    """Return the costs measured in each of these books, once in a run."""
    found: Three = run.once(name, lambda: tuple(map(measure, sizes(run))))
    return found


def command(run: Run, *arguments: str) -> Three:
    """Return the costs of a command in each of the books, the least of several measurements."""

    def measure(matches: int) -> Spent:
        book = matches_book(run, matches)
        times = range(run.size(3, 1))
        return min(process([*SCOREKEEPER, *arguments], book, memory=True) for _ in times)

    return each(run, " ".join(arguments), measure)


def linear(run: Run, spent: Three) -> Found:
    """Return the cost of an additional match in the large book against one in the small book.

    The cost of the command without any match is left out of both.
    """
    count = sizes(run)
    costs = [(spent[n].cpu - spent[n - 1].cpu) * 1000 / (count[n] - count[n - 1]) for n in (1, 2)]
    note = f"a match more {costs[0]:.2f} ms up to {count[1]:,}, {costs[1]:.2f} up to {count[2]:,}"
    return Found(costs[1] / costs[0], note)


def memory(run: Run, spent: Three) -> Found:
    """Return the peak memory of a command in the large book."""
    if not spent[2].memory:
        return Found(None, "nobody tells how much memory a process took")
    told = (f"{size:,}: {took.memory:.0f}" for size, took in zip(sizes(run), spent, strict=True))
    return Found(spent[2].memory, f"matches {', '.join(told)}")


def flat(spent: Three) -> Found:
    """Return the peak memory in the large book against the small one."""
    if not spent[2].memory:
        return Found(None, "nobody tells how much memory a process took")
    return Found(spent[2].memory / spent[1].memory)


def stats(run: Run) -> Three:
    """Return the costs of `stats` in these books."""
    return command(run, "stats")


def stats_time(run: Run) -> Found:
    """Compare `scorekeeper stats` with `scorekeeper matches`, both over 10,000 matches."""
    listed = command(run, "matches")[2].cpu
    counted = stats(run)[2].cpu
    return Found(counted / listed, f"{counted:.2f} s against {listed:.2f} s")


def stats_growth(run: Run) -> Found:
    """Compare the time for each match of `stats` in a book of 10,000 with one of 1,000."""
    return linear(run, stats(run))


def stats_memory(run: Run) -> Found:
    """Measure the peak memory of `stats` over 10,000 matches."""
    return memory(run, stats(run))


def stats_flat(run: Run) -> Found:
    """Compare the memory of `stats` over 10,000 matches with 1,000."""
    return flat(stats(run))


def exported(run: Run) -> Three:
    """Return the costs of `export --all` as records from each of the books."""

    def export(matches: int) -> Spent:
        to = [*SCOREKEEPER, "export", "--all", "--to", str(folder(run, matches))]
        return process(to, matches_book(run, matches), memory=True)

    return each(run, "records", export)


def folder(run: Run, matches: int) -> Path:
    """Return the folder with the records of that book."""
    return run.folder / f"exported-{matches}"


def export_growth(run: Run) -> Found:
    """Compare the time for each match of `export --all --to FOLDER` in a book of 10,000 with one of
    1,000."""
    return linear(run, exported(run))


def export_memory(run: Run) -> Found:
    """Measure the peak memory of `export --all --to FOLDER` over 10,000 matches."""
    return memory(run, exported(run))


def export_flat(run: Run) -> Found:
    """Compare the memory of `export --all --to FOLDER` over 10,000 matches with 1,000."""
    return flat(exported(run))


def json_memory(run: Run) -> Found:
    """Measure the peak memory of `export --all --format json` over 10,000 matches."""
    to = ("--to", str(run.folder / "all.json"))
    return memory(run, command(run, "export", "--all", "--format", "json", *to))


def imported(run: Run) -> Three:
    """Return the costs of `import` of the records from each of the books into a new one."""
    exported(run)

    def import_(matches: int) -> Spent:
        files = sorted(map(str, folder(run, matches).iterdir()))
        book = run.folder / f"imported-{matches}.sqlite"
        return process([*SCOREKEEPER, "import", *files], book, memory=True)

    return each(run, "import", import_)


def import_growth(run: Run) -> Found:
    """Compare the time for each record of `import` among 10,000 with 1,000."""
    return linear(run, imported(run))


def import_memory(run: Run) -> Found:
    """Measure the peak memory of `import` of 10,000 records."""
    return memory(run, imported(run))


def import_flat(run: Run) -> Found:
    """Compare the memory of `import` of 10,000 records with 1,000."""
    return flat(imported(run))


def rows() -> list[Row]:
    """Return the rows of history."""
    return [
        Row("stats against matches", stats_time, most=5),
        Row("stats, growth over matches", stats_growth, most=1.2),
        Row("stats, memory", stats_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("stats, memory, growth", stats_flat, most=1.2),
        Row("export --all, growth over matches", export_growth, most=1.2),
        Row("export --all, memory", export_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("export --all, memory, growth", export_flat, most=1.2),
        Row("export --all as JSON, memory", json_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("import, growth over records", import_growth, most=1.2),
        Row("import, memory", import_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("import, memory, growth", import_flat, most=1.2),
    ]
