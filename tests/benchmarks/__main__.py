"""What users wait for, measured: `python -m tests.benchmarks`.

Prints each figure beside what it is to reach (DESIGN.md 11 has the table). Most are ratios to what
is measured in the same run, python-chess replaying SAN or a bare `python -c pass`: absolute times
are the machine's. Needs the extra `benchmarks`; leave the machine alone meanwhile.
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
    """Every benchmark with its rows."""
    for name in MODULES:
        module = import_module(f"tests.benchmarks.{name}")
        yield module, module.rows()


def chosen(wanted: list[str]) -> Iterator[tuple[ModuleType, list[Row]]]:
    """The rows whose name, or whose module's, has one of these in it; all, if there are none."""
    for module, rows in modules():
        whole = not wanted or any(word in module.__name__ for word in wanted)
        found = [row for row in rows if whole or any(word in row.name for word in wanted)]
        if found:
            yield module, found


def title(module: ModuleType) -> str:
    """The first line of what a module says of itself."""
    return (getdoc(module) or "").splitlines()[0]


def function_of(row: Row) -> object:
    """The function whose docstring says what is measured."""
    return row.measure.func if isinstance(row.measure, partial) else row.measure


def line(row: Row, run: Run) -> tuple[str, bool | None]:
    """A measured row as a line, and whether it reaches what it is to."""
    try:
        value, note = row.measure(run)
    except ModuleNotFoundError as missing:  # each library of the extra is there or not
        value, note = None, f"{missing.name} is not installed"
    if value is None:
        return f"  {row.name:<42}{'-':>10}  {'':<12}{'':<5}{note}", None
    met = row.is_met(value) if row.reach else None
    said = {True: "met", False: "NOT", None: ""}[met]
    figure = f"{value:,.2f}{row.unit}"
    return f"  {row.name:<42}{figure:>10}  {row.reach:<12}{said:<5}{note}".rstrip(), met


def main() -> None:
    """Measure, or say what would be."""
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
