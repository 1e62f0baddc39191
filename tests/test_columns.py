"""Columns of a table are those of the library that knows how wide letters are."""

from __future__ import annotations

import sys
from random import Random

import pytest
from tabulate import SEPARATING_LINE, tabulate

from scorekeeper.render.columns import columns

NARROW = "ab c1-–,:ö.9e“é{} "
WIDE = NARROW + "漢e\u0301\u200b😀א"
ALIGNS = ("left", "right", "center")


@pytest.mark.parametrize("letters", [NARROW, WIDE])
@pytest.mark.parametrize("ruled", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_columns_are_the_librarys(letters: str, ruled: bool, seed: int) -> None:
    random = Random(seed)

    def text() -> str:
        return "".join(random.choices(letters, k=random.randrange(10)))

    def some(rows: int) -> list[list[str]]:
        return [[f"Ben{text()}", *(text() for _ in headings[1:])] for _ in range(rows)]

    headings = ["", *(text().strip() for _ in range(random.randint(1, 6)))]
    rows, totals = some(random.randint(1, 6)), some(random.choice((0, 0, 1, 2)) if ruled else 0)
    aligns = random.choices(ALIGNS, k=random.randint(0, len(headings)))
    library = tabulate(
        [*rows, SEPARATING_LINE, *totals] if totals else rows,
        headings,
        "simple" if ruled else "plain",
        disable_numparse=True,
        colalign=aligns or None,
    )
    told = columns(headings, rows, aligns, totals, ruled=ruled)
    assert told == [line.rstrip() for line in library.splitlines()]


@pytest.mark.parametrize("rows", [[], [["Ben"]]])
def test_a_table_without_rows_or_with_gaps_is_the_librarys(rows: list[list[str]]) -> None:
    library = tabulate(rows, ["", "points"], "simple", disable_numparse=True)
    told = columns(["", "points"], rows, ruled=True)
    assert told == [line.rstrip() for line in library.splitlines()]


def test_what_is_narrow_does_not_import_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tabulate", None)
    assert columns(["", "points"], [["Zoë", "–"]]) == ["     points", "Zoë  –"]
