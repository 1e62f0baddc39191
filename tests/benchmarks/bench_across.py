"""Across matches: all statistics, leagues, tables for other programs, and backups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.bench_history import MOST_MEMORY, command, each, flat, linear, memory
from tests.benchmarks.large_book import matches_book
from tests.benchmarks.shape import SCOREKEEPER, Found, Row, Run, Spent, process

if TYPE_CHECKING:
    from pathlib import Path

    from tests.benchmarks.bench_history import Three


def beside_matches(run: Run, spent: Three) -> Found:
    """Return the time of a command in the large book against `matches` in the same book."""
    listed, took = command(run, "matches")[2].cpu, spent[2].cpu
    return Found(took / listed, f"{took:.2f} s against {listed:.2f} s")


def to_file(run: Run, name: str, *arguments: str) -> Three:
    """Return the costs of a command that writes a separate file for each of the books."""

    def write(matches: int) -> Spent:
        to = str(written(run, name, matches))
        return process([*SCOREKEEPER, *arguments, to], matches_book(run, matches), memory=True)

    return each(run, f"{name}, written", write)


def written(run: Run, name: str, matches: int) -> Path:
    """Return the path of that file."""
    return run.folder / f"{matches}-{name}"


def every_figure(run: Run) -> Three:
    """Return the costs of `stats` with all its tables, as JSON."""
    return to_file(run, "all.json", "stats", "--tables", "all", "--format", "json", "--to")


def every_figure_time(run: Run) -> Found:
    """Compare `stats --tables all --format json` with `matches`, both over 10,000 matches."""
    return beside_matches(run, every_figure(run))


def every_figure_flat(run: Run) -> Found:
    """Compare the memory of `stats --tables all --format json` over 10,000 matches with 1,000."""
    return flat(every_figure(run))


def page_time(run: Run) -> Found:
    """Compare `stats --format html`, with its pictures, with `matches` over the same 10,000
    matches."""
    return beside_matches(run, to_file(run, "stats.html", "stats", "--format", "html", "--to"))


def league(run: Run) -> Three:
    """Return the costs of `league --by rating` in these books."""
    return command(run, "league", "--by", "rating")


def league_time(run: Run) -> Found:
    """Compare `league --by rating` with `matches`, both over 10,000 matches."""
    return beside_matches(run, league(run))


def league_growth(run: Run) -> Found:
    """Compare the time for each match of `league --by rating` in a book of 10,000 with one of
    1,000."""
    return linear(run, league(run))


def league_memory(run: Run) -> Found:
    """Measure the peak memory of `league --by rating` over 10,000 matches."""
    return memory(run, league(run))


def table(run: Run) -> Three:
    """Return the costs of `export --all --format scores-csv` from these books."""
    return to_file(run, "scores.csv", "export", "--all", "--format", "scores-csv", "--to")


def table_growth(run: Run) -> Found:
    """Compare the time for each match of `export --all --format scores-csv` among 10,000 with
    1,000."""
    return linear(run, table(run))


def table_memory(run: Run) -> Found:
    """Measure the peak memory of `export --all --format scores-csv` over 10,000 matches."""
    return memory(run, table(run))


def lines(run: Run) -> Three:
    """Return the costs of `export --all --format jsonl` from these books."""
    return to_file(run, "all.jsonl", "export", "--all", "--format", "jsonl", "--to")


def lines_growth(run: Run) -> Found:
    """Compare the time for each match of `export --all --format jsonl` among 10,000 with 1,000."""
    return linear(run, lines(run))


def lines_memory(run: Run) -> Found:
    """Measure the peak memory of `export --all --format jsonl` over 10,000 matches."""
    return memory(run, lines(run))


def taken(run: Run) -> Three:
    """Return the costs of `import` of those JSON lines, each file into a new book."""
    lines(run)

    def import_(matches: int) -> Spent:
        file = str(written(run, "all.jsonl", matches))
        book = run.folder / f"taken-{matches}.sqlite"
        return process([*SCOREKEEPER, "import", file], book, memory=True)

    return each(run, "import of lines", import_)


def taken_growth(run: Run) -> Found:
    """Compare the time for each match of `import` of JSON lines among 10,000 with 1,000."""
    return linear(run, taken(run))


def taken_memory(run: Run) -> Found:
    """Measure the peak memory of `import` of JSON lines with 10,000 matches."""
    return memory(run, taken(run))


def backup(run: Run) -> Three:
    """Return the costs of `backup` of these books."""
    return to_file(run, "backup.sqlite", "backup")


def backup_time(run: Run) -> Found:
    """Compare `backup`, which checks every row, with `matches`, both over 10,000 matches."""
    return beside_matches(run, backup(run))


def backup_memory(run: Run) -> Found:
    """Measure the peak memory of `backup` of 10,000 matches."""
    return memory(run, backup(run))


def rows() -> list[Row]:
    """Return the rows across matches."""
    return [
        Row("stats, all tables, against matches", every_figure_time, most=5),
        Row("stats, all tables, memory, growth", every_figure_flat, most=1.2),
        Row("stats as a page against matches", page_time, most=5),
        Row("league by rating against matches", league_time),
        Row("league by rating, growth over matches", league_growth, most=1.2),
        Row("league by rating, memory", league_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("export, a row a score, growth", table_growth, most=1.2),
        Row("export, a row a score, memory", table_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("export, JSON lines, growth", lines_growth, most=1.2),
        Row("export, JSON lines, memory", lines_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("import, JSON lines, growth", taken_growth, most=1.2),
        Row("import, JSON lines, memory", taken_memory, most=MOST_MEMORY, unit=" MiB"),
        Row("backup against matches", backup_time, most=5),
        Row("backup, memory", backup_memory, most=MOST_MEMORY, unit=" MiB"),
    ]
