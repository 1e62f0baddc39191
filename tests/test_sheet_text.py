"""Sheets as text: no line is wider than the terminal, and no content is lost."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.core.text import display_width
from scorekeeper.render import markdown, text
from scorekeeper.render.sheet import build_blank_sheet, build_sheet
from scorekeeper.render.sheet_model import (
    Payments,
    RunningTotals,
    ScoreSources,
    Sheet,
    SheetColumn,
    SheetTable,
)
from tests.helpers import SHIPPED, program
from tests.random_play import Evening as Played
from tests.random_play import rules_of
from tests.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LETTERS = "abMW éß王小אבה"
NAME = st.text(LETTERS, min_size=1, max_size=40).map(lambda name: " ".join(name.split()) or "x")
WORD = st.text("abcdef 王-:+", max_size=24).map(str.strip)
NUMBER = st.integers(-500, 500).map(str)
SIGNED = st.integers(-500, 500).map(lambda number: f"{number} ({number:+})")


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Draw a sheet of 2 to 8 players, with columns before and after theirs and all parts below."""
    names = draw(st.lists(NAME, min_size=2, max_size=8, unique_by=str.casefold))
    before, after = draw(st.integers(1, 4)), draw(st.integers(0, 4))
    cell = draw(st.sampled_from([NUMBER, SIGNED]))
    heads = [
        *(SheetColumn(draw(WORD) or "x", "left") for _ in range(before)),
        *(SheetColumn(name, "right", owner=name) for name in names),
        *(SheetColumn(draw(WORD) or "x", "center") for _ in range(after)),
    ]
    rows = [
        [
            str(number),
            *(draw(WORD) for _ in range(before - 1)),
            *(draw(cell) for _ in names),
            *(draw(WORD) for _ in range(after)),
        ]
        for number in range(1, draw(st.integers(1, 4)) + 1)
    ]
    total = ["Total", *[""] * (before - 1), *(draw(NUMBER) for _ in names), *[""] * after]
    points = [[draw(st.none() | st.integers(-99, 99)) for _ in range(9)] for _ in names]
    labels = [draw(WORD) for _ in range(3)]
    return Sheet(
        draw(WORD),
        [("Players", ", ".join(names))],
        [SheetTable("", heads, rows, [total])],
        [draw(WORD)],
        [("R", draw(WORD))],
        RunningTotals("points", names, range(9), points),
        ScoreSources(labels, names, [[draw(st.integers(-9, 9)) for _ in labels] for _ in names]),
        Payments("", [(names[0], names[1], "1.20")], [f"{names[0]} pays {names[1]} 1.20"]),
        [("What counts", [(draw(WORD), draw(WORD))])],
    )


def widest(shown: str) -> int:
    return max(map(display_width, shown.splitlines()))


def letters(shown: str) -> str:
    return re.sub(r"\s", "", shown)


@given(made=sheets(), width=st.integers(40, 200))
@settings(max_examples=40)
def test_no_line_is_wider_than_the_width(made: Sheet, width: int) -> None:
    shown = text.render(made, width)
    assert widest(shown) <= width
    told = letters(shown)
    _, players = made.facts[0]
    assert all(letters(name) in told for name in players.split(", "))
    assert shown.endswith("\n")


@pytest.mark.parametrize("name", [each for each in SHIPPED if "-" not in each])
def test_the_sheet_of_each_game_fits_80_columns(name: str) -> None:
    match = Played(name, 1, full=True, wrong=0, result=0.7).play(2, 300).match
    assert widest(text.render(build_sheet(match))) <= 80
    assert widest(text.render(build_sheet(match), 40)) <= 40
    assert widest(text.render(build_blank_sheet(rules_of(name), len(match.players), rows=2))) <= 80


def table(heads: Sequence[str], *rows: Sequence[str], totals: Sequence[Sequence[str]] = ()) -> str:
    """Return a table as text at 60 columns; headings with a star belong to a player."""
    made = [
        SheetColumn(head.strip("*"), "right" if "*" in head else "left", owner=head.strip("*"))
        if "*" in head
        else SheetColumn(head, "left")
        for head in heads
    ]
    return text.render(Sheet("T", [], [SheetTable("", made, rows, totals)]), 60).removeprefix(
        "T\n\n"
    )


EMPTY = Sheet("T", [], [])
PAID = Payments("At 0.10 a point:", [("Ben", "Ana", "0.40")], ["Ben pays Ana 0.40"])


def below(made: Sheet) -> str:
    """Return the part of a sheet below its title."""
    return text.render(made, 60).removeprefix("T\n\n")


def test_what_fits_stays_as_it_comes() -> None:
    shown = table(["Round", "*Ana"], ["1", "5"], totals=[["Total", "5"]])
    assert (
        shown == "Round      Ana\n-------  -----\n1            5\n-------  -----\nTotal        5\n"
    )


def test_a_table_that_is_too_wide_goes_on_in_further_lines() -> None:
    long = "one two three four five six seven eight nine ten"
    assert table(["Round", "Why", "Then", "*Ana"], ["1", long, long, "5"]) == (
        """\
Round  Why                      Then                     Ana
-----  -----------------------  -----------------------  ---
1      one two three four five  one two three four five    5
       six seven eight nine     six seven eight nine
       ten                      ten
"""
    )


def test_what_cannot_stand_beside_the_scores_stands_below_them() -> None:
    heads = ["Deal", "Dealer", "Contract", "Bidding", "*Ana", "*Ben", "*Cleo", "*Dan"]
    sums = ["-10 (-10)", "10 (+10)", "-10 (-10)", "10 (+10)"]
    first = ["1", "Ana", "bubensolo", "eighteen", *sums]
    second = ["2", "", "", "", *sums]
    total = ["Rank so far", "", "", "", "1", "2", "3", "4"]
    assert table(heads, first, second, totals=[total]) == (
        """\
Deal               Ana       Ben       Cleo       Dan
-----------  ---------  --------  ---------  --------
1            -10 (-10)  10 (+10)  -10 (-10)  10 (+10)
2            -10 (-10)  10 (+10)  -10 (-10)  10 (+10)
-----------  ---------  --------  ---------  --------
Rank so far          1         2          3         4

Deal  Dealer  Contract   Bidding
----  ------  ---------  --------
1     Ana     bubensolo  eighteen
"""
    )


def test_rows_that_nothing_tells_apart_are_numbered_where_the_table_falls_apart() -> None:
    row = ["Ana", "eighteen or more", "seventeen", "-1000 (-1000)", "1000 (+1000)", "1000 (0)"]
    shown = table(["Master", "Bidding", "Contract", "*Ana", "*Ben", "*Jo"], row, row)
    assert shown == (
        """\
   Master            Ana           Ben        Jo
-  ------  -------------  ------------  --------
1  Ana     -1000 (-1000)  1000 (+1000)  1000 (0)
2  Ana     -1000 (-1000)  1000 (+1000)  1000 (0)

   Master  Bidding           Contract
-  ------  ----------------  ---------
1  Ana     eighteen or more  seventeen
2  Ana     eighteen or more  seventeen
"""
    )


def test_a_long_name_is_short_above_its_column_and_told_once() -> None:
    names = ["Maximiliane-Alexandra", "Maximiliane-Berta", "Jo", "Anna Maria Luise Elisabeth"]
    shown = table(["Deal", *(f"*{name}" for name in names)], ["1", "1", "2", "3", "4"])
    assert shown == (
        """\
Deal  Maxi…ndra  Maxi…erta  Jo  Anna
----  ---------  ---------  --  ----
1             1          2   3     4

Maxi…ndra = Maximiliane-Alexandra
Maxi…erta = Maximiliane-Berta
Anna = Anna Maria Luise Elisabeth
"""
    )


def test_of_a_pair_each_is_short() -> None:
    pairs = ["*Maximiliane-Alexandra+Jo Anne", "*Benedict-Bartholomew+Cleopatra"]
    shown = table(["Deal", *pairs, "Trump"], ["1", "1", "2", "clubs"])
    assert shown.splitlines()[0] == "Deal  Maximil+Jo Anne  Benedic+Cleopat  Trump"


def test_of_a_pair_each_is_short_as_elsewhere_on_the_sheet() -> None:
    pairs = ["Maximiliane-Alexandra+Jo", "Benedict-Bartholomew+Cleopatra-Antonia"]
    heads = [
        SheetColumn("Deal", "left"),
        *(SheetColumn(pair, "right", owner=pair) for pair in pairs),
    ]
    short = {"Max.": "Maximiliane-Alexandra", "Ben.": "Benedict-Bartholomew"}
    short["Cleo."] = "Cleopatra-Antonia"
    made = EMPTY._replace(
        tables=[SheetTable("", heads, [["1", "2", "3"]])], legend=[*short.items()]
    )
    assert below(made).splitlines()[0] == "Deal  Max.+Jo  Ben.+Cleo."


def test_each_has_a_line_of_small_bars_by_one_scale() -> None:
    running = RunningTotals("points", ["Ana", "Ben"], [0, 1, 2], [[0, 5, 10], [0, None, -10]])
    assert (
        below(EMPTY._replace(running_totals=running))
        == "points over 2 rounds\nAna   10  ▅▆█\nBen  -10  ▅ ▁\n"
    )
    alone = RunningTotals("points", ["Ana"], [0], [[0]])
    assert text.render(Sheet("T", [], [], running_totals=alone)) == "T\n"


def test_a_long_evening_is_a_line_with_its_first_and_its_last() -> None:
    running = RunningTotals("points", ["Ana"], range(301), [range(301)])
    line = below(EMPTY._replace(running_totals=running)).splitlines()[1]
    assert display_width(line) == 60
    assert line.startswith("Ana  300  ▁")
    assert line.endswith("█")


def test_parts_payments_legend_and_guide_stand_below() -> None:
    parts = ScoreSources(["won", "fox"], ["Ana", "Ben"], [[4, 1], [-4, 0]])
    assert below(EMPTY._replace(sources=parts)) == (
        """\
Sources of the scores
         Ana    Ben
-----  -----  -----
won        4     -4
fox        1
-----  -----  -----
total      5     -4
"""
    )
    assert below(EMPTY._replace(payments=PAID)) == "At 0.10 a point:\nBen pays Ana 0.40\n"
    assert below(EMPTY._replace(legend=[("R", "re"), ("K", "kontra")])) == "R = re, K = kontra\n"
    guide = [("What counts", [("won", "1"), ("fox", "1")])]
    assert below(EMPTY._replace(guide=guide)) == "What counts\n  won: 1, fox: 1\n"


def test_markdown_has_the_same() -> None:
    made = Sheet(
        "T",
        [],
        [],
        [],
        [("R", "re"), ("<b>", "*x*")],
        RunningTotals("points", ["Ana"], [0, 1], [[0, 5]]),
        ScoreSources(["won", "fox"], ["Ana|x"], [[4, 1]]),
        PAID,
        [("What counts", [("won", "1")])],
    )
    assert markdown.render(made) == (
        """\
# T

- R = re
- &lt;b&gt; = \\*x\\*

## points over 1 round

|  |  |  |
| :-- | --: | :-- |
| Ana | 5 | ▁█ |

## Sources of the scores

|  | Ana\\|x |
| :-- | --: |
| won | 4 |
| fox | 1 |
| **total** | **5** |

- At 0.10 a point:
- Ben pays Ana 0.40

## What counts

- won: 1
"""
    )


# --- the commands


@pytest.fixture
def long_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record a match in a separate book, and return its players' long names."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.setenv("SCOREKEEPER_SETTINGS", os.devnull)
    names = ["Maximiliane-Alexandra von der Lindenbusc", "Anna Maria Franziska", "Jo", "王小明"]
    assert program("new", "dudo", *names).code == 0
    assert program("record", "result loser=Jo").code == 0
    return names


def test_players_stand_whole_in_the_list_of_matches(long_names: list[str]) -> None:
    lines = program("matches").out.splitlines()
    assert max(map(display_width, lines)) <= 80
    assert len(lines) == 2
    assert all(any(name in line for line in lines) for name in long_names)


def test_a_sheet_that_is_no_terminals_is_80_columns_wide(long_names: list[str]) -> None:
    assert 60 < widest(program("sheet").out) <= 80


def test_a_sheet_is_as_wide_as_its_terminal(long_names: list[str]) -> None:
    with Terminal("sheet", env={"COLUMNS": ""}, rows=60, columns=64) as shown:
        shown.end()
        _, *lines = shown.printed.splitlines()  # the first line is a message, not part of the sheet
    assert max(map(display_width, lines)) <= 64
    assert "dice over 1 round" in lines
