"""Columns of a plain table are those of the library that knows how wide letters are."""

from __future__ import annotations

import sys
from random import Random

import pytest
from tabulate import tabulate

from scorekeeper.cli.columns import columns

NARROW = "ab c1-–,:ö.9e“é "
WIDE = NARROW + "漢e\u0301\u200b😀א"


@pytest.mark.parametrize("letters", [NARROW, WIDE])
@pytest.mark.parametrize("seed", range(50))
def test_columns_are_the_librarys(letters: str, seed: int) -> None:
    random = Random(seed)

    def text() -> str:
        return "".join(random.choices(letters, k=random.randrange(10)))

    headings = ["", *(text().strip() for _ in range(random.randint(1, 6)))]
    rows = [[f"Ben{text()}", *(text() for _ in headings[1:])] for _ in range(random.randint(1, 6))]
    library = tabulate(rows, headings, "plain", disable_numparse=True)
    told = [line.rstrip() for line in columns(headings, rows)]
    assert told == [line.rstrip() for line in library.splitlines()]


def test_what_is_narrow_does_not_import_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tabulate", None)
    assert columns(["", "points"], [["Zoë", "–"]]) == ["     points", "Zoë  –"]
