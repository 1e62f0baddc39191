"""The waiting times of users, measured: `python -m tests.benchmarks`.

Prints each figure with its goal (docs/figures.md has the table). Most figures are ratios to another
figure of the same run, python-chess replaying SAN or an empty `python -c pass`, because absolute
times depend on the machine. Needs the extra `benchmarks`. Leave the machine idle meanwhile.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.shape import Row, Run, new_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))


def modules() -> Iterator[tuple[ModuleType, list[Row]]]:
    """Yield every benchmark module with its rows."""
    for name in MODULES:
        module = import_module(f"tests.benchmarks.{name}")
        yield module, module.rows()


def chosen(wanted: list[str]) -> Iterator[tuple[ModuleType, list[Row]]]:
    """Yield the rows with one of these texts in their name or their module's name, or all rows."""
    for module, rows in modules():
        whole = not wanted or any(word in module.__name__ for word in wanted)
        found = [row for row in rows if whole or any(word in row.name for word in wanted)]
        if found:
            yield module, found


def title(module: ModuleType) -> str:
    """Return the first line of a module's docstring."""
    return (getdoc(module) or "").splitlines()[0]


def function_of(row: Row) -> object:
    """Return the function whose docstring describes the figure."""
    return row.measure.func if isinstance(row.measure, partial) else row.measure


def line(row: Row, run: Run) -> tuple[str, bool | None]:
    """Return the printed line of a measured row, and whether it meets its goal."""
    try:
        value, note = row.measure(run)
    except ModuleNotFoundError as missing:  # Each library of the extra may be missing.
        value, note = None, f"{missing.name} is not installed"
    if value is None:
        return f"  {row.name:<42}{'-':>10}  {'':<12}{'':<5}{note}", None
    met = row.is_met(value) if row.reach else None
    said = {True: "met", False: "NOT", None: ""}[met]
    figure = f"{value:,.2f}{row.unit}"
    return f"  {row.name:<42}{figure:>10}  {row.reach:<12}{said:<5}{note}".rstrip(), met


def main() -> None:
    """Measure the rows, or describe them."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small numbers, under two minutes")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME",
        help="rows or modules with this in their name; may be given again",
    )  # fmt: skip
    parser.add_argument("--explain", action="store_true", help="say what each row measures")
    options = parser.parse_args()
    results: list[bool | None] = []
    start = time.perf_counter()
    with new_run(options.quick) as run:
        for module, rows in chosen(options.only):
            print(title(module), flush=True)
            for row in rows:
                if options.explain:
                    print(f"  {row.name}: {' '.join((getdoc(function_of(row)) or '').split())}")
                    continue
                said, met = line(row, run)
                print(said, flush=True)
                results.append(met)
    if results:
        print(f"{len(results)} rows: {results.count(True)} met, {results.count(False)} not; "
              f"{time.perf_counter() - start:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
