"""Displays of statistics across matches: text, Markdown, a page, a table for other programs."""

from __future__ import annotations

import csv
import io
import re
from itertools import combinations, permutations
from random import Random
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from scorekeeper.core.text import display_width
from scorekeeper.render import markdown, statistics, text
from scorekeeper.render.charts import Bar, draw_bars
from scorekeeper.render.statistics import TABLES, StatisticsQuery, build_sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORT = ["Ana", "Ben", "Cleo", "Dora"]
HOSTILE = [
    "Maximiliana Sophia Wilhelmina von Hohen",
    "王小明" * 13,
    "שרה כהן בת אברהם ממשפחת לוי הגדולה מאוד",
    "<b>|*_`[x](y)`",
    "@SUM(A1)",
    "-1+2",
    "GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG",
    "Ana Maria",
]
ROLES = {"soloist": "Solist", "declarers": "Re", "defenders": "Kontra"}


def made(names: Sequence[str], rows: int = 12, seed: int = 1, **changes: Any) -> dict[str, Any]:
    """Return made-up figures of some players in the shape of `RulesetStatistics.as_json`."""
    luck = Random(seed)

    def player(name: str) -> dict[str, Any]:
        played, rounds = luck.randint(2, 30), luck.randint(20, 400)
        won, points = luck.randint(0, played - 1), luck.randint(-500, 500)
        counts = {f"row{at}": luck.randint(0, 20) for at in range(rows)}
        return {
            "name": name,
            "played": played,
            "unfinished": 1,
            "won": won,
            "rounds": rounds,
            "places": {"1": won, "3": played - 1 - won},
            "counts": counts | {"row1": luck.randint(0, counts["row0"])},
            "points": points,
            "per_round": points / rounds,
            "per_match": points / played,
            "rounds_told": rounds,
            "rounds_decided": rounds,
            "rounds_won": rounds // 2,
            "rounds_lost": rounds - rounds // 2,
            "round_share": rounds // 2 / rounds,
            "best": {"round": {"points": 12, "match": "1", "round": 3},
                     "match": {"points": 40, "match": "1"}},
            "worst": {"round": {"points": -12, "match": "1", "round": 4}, "match": None},
            "streaks": {"won": 3, "lost": 2, "rounds_won": 7, "rounds_lost": 9, "current": -2},
        }  # fmt: skip

    def part() -> dict[str, Any]:
        rounds = luck.randint(1, 90)
        won, points = luck.randint(0, rounds), luck.randint(-99, 99)
        sums = {"rounds": rounds, "decided": rounds, "won": won, "points": points}
        return {**sums, "per_round": points / rounds}

    days = [
        {"date": day, "points": {name: luck.randint(-9, 9) for name in names}}
        for day in ("", *(f"2026-{month:02}-{month:02}" for month in range(1, 13)))
    ]
    parts = [{"name": name, "parts": {label: part() for label in ROLES.values()}} for name in names]
    two = list(combinations(names, 2))
    against = {"matches": 9, "ahead": 4, "behind": 3, "even": 2, "rounds": 80, "points": 17}
    return {
        "ruleset": "doppelkopf",
        "title": "Doppelkopf",
        "matches": 21,
        "rounds": 342,
        "tally": "points",
        "fewest": False,
        "unended": {"counted": 2, "left_out": 1},
        "first": "2026-01-03",
        "last": "2026-11-20",
        "labels": {f"row{at}": f"what a table counts {at}" for at in range(rows)},
        "shares": {"row1": "row0", "row2": "rounds"},
        "players": [player(name) for name in names],
        "ranking": [],
        "breakdowns": [
            {"name": "roles", "label": "By role", "parts": [*ROLES.values()], "players": parts}
        ],
        "pairs": [{"players": [*both], **part()} for both in two],
        "against": [
            {"player": one, "other": other, **against} for one, other in permutations(names, 2)
        ],
        "days": days,
        **changes,
    }


ALL = StatisticsQuery()


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(
    ("names", "rows"), [(SHORT, 3), (HOSTILE, 25), ([*HOSTILE, *map(str, range(30))], 8)]
)
def test_no_line_of_text_is_wider_than_its_terminal(
    names: list[str], rows: int, width: int
) -> None:
    lines = text.render(build_sheet(made(names, rows), ALL), width).splitlines()
    assert max(map(display_width, lines)) <= width
    assert not any("\x1b" in line or "\u202e" in line for line in lines)


def test_a_text_tells_what_was_counted_and_what_was_left_out() -> None:
    data = made(["Ana", "Ben"], 3)
    lines = text.render(
        build_sheet(data, StatisticsQuery(selection=[("since", "2026")]))
    ).splitlines()
    assert lines[:3] == [
        "Doppelkopf: 21 matches, 342 rounds, 2026-01-03 to 2026-11-20",
        "since: 2026",
        "3 unfinished matches: 2 counted with their current score, 1 without places",
    ]
    ana = data["players"][0]
    ended, won, lost = ana["played"] - 1, ana["won"], ana["played"] - 1 - ana["won"]
    rows = [line.split() for line in lines if line.startswith("Ana ")]
    assert rows[0] == [
        *("Ana", str(ana["played"]), str(won), "of", str(ended), f"({round(100 * won / ended)}%)"),
        *(f"{won}-0-{lost}", str(ana["points"]), f"{ana['per_match']:.2f}", "40"),
    ]
    assert rows[2] == ["Ana", "3", "2", "-2", "7", "9"]


def test_a_count_that_is_a_share_says_of_how_many_and_what_nobody_did_is_left_out() -> None:
    data = made(["Ana", "Ben"], 3)
    for player, numbers in zip(data["players"], ((4, 3, 0), (0, 0, 0)), strict=True):
        player["counts"] = dict(zip(data["labels"], numbers, strict=True))
    (grid,) = build_sheet(data, StatisticsQuery(frozenset(["counts"]))).tables
    assert [row[1:] for row in grid.rows] == [["4", "0"], ["3 of 4 (75%)", "–"]]


def test_a_breakdown_has_two_rows_a_part_and_a_dash_for_who_had_none() -> None:
    data = made(["Ana", "Ben"])
    (found,) = data["breakdowns"]
    found["parts"] = ["Re"]
    won = {"rounds": 4, "decided": 4, "won": 3, "points": -7, "per_round": -1.75}
    found["players"] = [{"name": "Ana", "parts": {"Re": won}}, {"name": "Ben", "parts": {}}]
    (grid,) = build_sheet(data, StatisticsQuery(frozenset(["breakdowns"]))).tables
    assert grid.caption == "By role"
    assert grid.rows == [["Re", "3 of 4 (75%)", "–"], ["Re: points", "-7 (-1.75)", "–"]]


def test_who_was_asked_for_comes_first_and_is_in_every_pair() -> None:
    asked = StatisticsQuery(players=frozenset(["cleo"]))
    grids = {grid.caption: grid for grid in build_sheet(made(SHORT), asked).tables}
    order = ["Cleo", "Ana", "Ben", "Dora"]
    assert [row[0] for row in grids["Matches"].rows] == order
    assert [column.owner for column in grids["Event counts"].columns[1:]] == order
    assert sorted(row[0] for row in grids["On the same side"].rows) == [
        *("Ana+Cleo", "Ben+Cleo", "Cleo+Dora"),
    ]
    assert all(row[0].startswith("Cleo and ") for row in grids["Head to head"].rows)
    assert len(grids["Head to head"].rows) == 3


def test_sums_grow_over_the_days_from_what_nobody_knows_the_day_of() -> None:
    days = [("", 5), ("2026-01-01", -2), ("2026-02-01", 4)]
    told = [{"date": day, "points": {"Ana": points}} for day, points in days]
    data = made(["Ana", "Ben"], days=told)
    running = build_sheet(data, ALL).running_totals
    assert running is not None
    assert running.days == ["", "2026-01-01", "2026-02-01"]
    assert running.points == [[5, 3, 7], [0, 0, 0]]
    assert build_sheet(data | {"days": told[:1]}, ALL).running_totals is None
    assert "points from 2026-01-01 to 2026-02-01" in text.render(build_sheet(data, ALL))


def test_markdown_shows_names_as_they_are() -> None:
    page = markdown.render(build_sheet(made(HOSTILE), ALL))
    assert "&lt;b&gt;\\|\\*\\_\\`\\[x\\](y)\\`" in page
    tables = [line for line in page.splitlines() if line.startswith("|")]
    assert {line.count("|") - line.count("\\|") for line in tables} >= {len(HOSTILE) + 2}
    assert "<b>" not in page


def test_a_page_is_well_formed_and_loads_and_runs_nothing() -> None:
    page = statistics.as_html([made(SHORT), made(HOSTILE, 20)], ALL)
    body = re.sub(r"<(meta|wbr|col)([^>]*)>", r"<\1\2/>", page.partition("\n")[2])
    root = ElementTree.fromstring(body)
    assert len(list(root.iter("section"))) == 2
    assert len(list(root.iter("figure"))) == 6
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|img|link|iframe)|\b(src|href|style|on\w+)=", page)
    assert "&lt;b&gt;" in page
    empty = statistics.as_html([], ALL)
    assert "No matches found." in empty


def test_a_table_for_other_programs_reads_back_with_its_numbers() -> None:
    data = made(["Ana", "=1+1"])
    rows = list(csv.DictReader(io.StringIO(told_as_csv(data, frozenset(TABLES)))))
    assert list(rows[0]) == list(statistics.COLUMNS)
    assert {row["player"] for row in rows} == {"Ana", "'=1+1"}
    found = {tuple(row[key] for key in ("table", "player", "part", "figure")): row for row in rows}
    assert len(found) == len(rows)
    ana = data["players"][0]
    for figure in ("played", "rounds", "points", "per_round"):
        assert float(found["players", "Ana", "", figure]["value"]) == ana[figure]
    assert int(found["counts", "Ana", "", "row1"]["of"]) == ana["counts"]["row0"]
    assert int(found["counts", "Ana", "", "row2"]["of"]) == ana["rounds"]
    assert found["players", "Ana", "", "worst_match"]["value"] == ""
    part = data["breakdowns"][0]["players"][0]["parts"]["Re"]
    assert int(found["breakdowns.roles", "Ana", "Re", "won"]["value"]) == part["won"]
    assert int(found["breakdowns.roles", "Ana", "Re", "won"]["of"]) == part["rounds"]
    assert found["against", "Ana", "", "ahead"]["other"] == "'=1+1"
    assert found["days", "Ana", "2026-01-01", "points"]["table"] == "days"
    only = csv.DictReader(io.StringIO(told_as_csv(data, frozenset(["counts"]))))
    assert {row["table"] for row in only} == {"counts"}


def told_as_csv(data: dict[str, Any], tables: frozenset[str]) -> str:
    return "".join(statistics.as_csv([data], tables))


def test_bars_go_both_ways_and_say_their_numbers() -> None:
    bars = [Bar("Ana", -2, "-2.00"), Bar("<Ben>", 4, "4.00")]
    root = ElementTree.fromstring(draw_bars("points a round", bars))
    svg = "{http://www.w3.org/2000/svg}"
    (ana, ben) = root.iter(f"{svg}rect")
    assert float(ben.attrib["x"]) == pytest.approx(
        float(ana.attrib["x"]) + float(ana.attrib["width"]), abs=0.2
    )
    assert float(ben.attrib["width"]) == pytest.approx(2 * float(ana.attrib["width"]), rel=0.01)
    assert root.findtext(f"{svg}desc") == "Ana -2.00, <Ben> 4.00"
    assert draw_bars("points a round", bars[:1]) == ""
    assert draw_bars("points a round", [Bar("Ana", 0, "0"), Bar("Ben", 0, "0")]) == ""
