"""Pictures of an evening: well formed, harmless, reproducible, and without overlaps."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.render.charts import (
    CHART_STYLE,
    DARK_COLOURS,
    LIGHT_COLOURS,
    draw_lines,
    draw_sources,
    find_ticks,
    measure_text,
    shorten_to_fit,
    simplify_line,
    spread_labels,
    spread_positions,
)
from scorekeeper.render.sheet_model import RunningTotals, ScoreSources
from scorekeeper.render.text import sparkline

if TYPE_CHECKING:
    from collections.abc import Sequence

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gül", "Håkon", "Ida", "Jo"]
HOSTILE = ["</svg><script>alert(1)</script>", "\"' onload=x", "a\u202eb\x1b[2Jc", "&amp;<b>"]
ELEMENTS = {"svg", "title", "desc", "path", "line", "rect", "text"}


def evening(names: Sequence[str], rounds: int) -> RunningTotals:
    """Tallies that go up and down, with some that are equal."""
    points = [
        [(at * (who + 1) * 7) % (11 + who) - who for at in range(rounds + 1)]
        for who, _ in enumerate(names)
    ]
    return RunningTotals("points", names, range(rounds + 1), points)


def elements(svg: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter())


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in elements(svg) if each.tag == f"{SVG}text"]


def labels(svg: str) -> list[tuple[float, str]]:
    """Return each name with its distance from the top."""
    found = [
        (float(each.attrib["y"]), each.text or "")
        for each in elements(svg)
        if each.tag == f"{SVG}text" and each.get("class") == "ink" and not each.get("text-anchor")
    ]
    return sorted(found)


def told(svg: str, tag: str) -> str:
    return next(each.text or "" for each in elements(svg) if each.tag == f"{SVG}{tag}")


def pictures(names: Sequence[str]) -> list[str]:
    parts = ScoreSources(HOSTILE, names, [[who, -3, 0, 5 * who] for who, _ in enumerate(names)])
    return [draw_lines(evening(names, 12)), draw_sources(parts)]


@pytest.mark.parametrize("names", [NAMES[:2], NAMES, HOSTILE])
def test_a_picture_is_one_element_with_no_script_no_style_and_nothing_from_elsewhere(
    names: list[str],
) -> None:
    for svg in pictures(names):
        found = elements(svg)
        assert svg.startswith("<svg ")
        assert {each.tag.removeprefix(SVG) for each in found} <= ELEMENTS
        for each in found:
            assert not {"style", "href", "src", "id"} & each.attrib.keys()
            assert not [name for name in each.attrib if name.startswith("on")]
        assert not re.search(r"url\(|javascript:|\x1b|\u202e", svg)
        assert re.findall(r"https?://[^\"']*", svg) == ["http://www.w3.org/2000/svg"]


def test_a_picture_is_told_in_words() -> None:
    running = RunningTotals("points", ["Ana", "Ben"], [0, 1, 2], [[0, 3, 5], [0, -3, -5]])
    svg = draw_lines(running)
    assert told(svg, "title") == "points over 2 rounds"
    assert told(svg, "desc") == "At the end: Ana 5, Ben -5"
    assert elements(svg)[0].attrib["role"] == "img"
    parts = ScoreSources(["won", "fox", "never"], ["Ana", "Ben"], [[4, 1, 0], [-4, 0, 0]])
    assert told(draw_sources(parts), "desc") == "Ana 5: won 4, fox 1; Ben -4: won -4"
    assert "never" not in draw_sources(parts)


def test_the_same_evening_gives_the_same_bytes() -> None:
    assert pictures(NAMES) == pictures(NAMES)


def test_where_there_is_nothing_to_draw_there_is_no_picture() -> None:
    assert draw_lines(RunningTotals("points", [], [0, 1], [])) == ""
    assert draw_lines(RunningTotals("points", ["Ana"], [0], [[0]])) == ""
    assert draw_lines(RunningTotals("points", ["Ana"], [0, 1], [[None, None]])) == ""
    assert draw_sources(ScoreSources([], [], [])) == ""
    assert draw_sources(ScoreSources(["won", "fox"], ["Ana"], [[0, 0]])) == ""
    assert draw_sources(ScoreSources(["won", "fox"], ["Ana"], [[3, 0]])) == ""


@given(
    points=st.lists(
        st.lists(st.none() | st.integers(-300, 300), min_size=4, max_size=4),
        min_size=1,
        max_size=12,
    ),
    width=st.integers(0, 1400),
)
@settings(max_examples=25)
def test_labels_stand_one_below_the_other_beside_the_lines(
    points: list[list[int | None]], width: int
) -> None:
    names = [f"P{who}" for who, _ in enumerate(points)]
    svg = draw_lines(RunningTotals("points", names, [0, 1, 2, 3], points), width)
    here = [who for who, row in zip(names, points, strict=True) if set(row) != {None}]
    if not here:
        assert svg == ""
        return
    found = labels(svg)
    assert sorted(name for _, name in found) == sorted(here)
    places = [y for y, _ in found]
    assert all(below - above > 16.8 for above, below in pairwise(places))
    root = elements(svg)[0]
    assert min(places) > 0
    assert max(places) < float(root.attrib["height"])


def test_a_long_name_is_shortened_in_its_label_and_whole_in_the_words() -> None:
    wide, turned = "王小明" * 13, "אברהם בן דוד מירושלים ועוד שם ארוך"
    names = ["Maximiliane-Alexandra von der Lindenbusc", wide, turned, "Jo"]
    svg = draw_lines(evening(names, 9), 390)
    shown = [name for _, name in labels(svg)]
    assert "Jo" in shown
    assert sum("…" in name for name in shown) == 3
    assert all(name in told(svg, "desc") for name in names)
    assert max(map(measure_text, shown)) <= 0.3 * 390
    assert shorten_to_fit("ij", 1) == "ij"


def test_lines_that_are_equal_do_not_hide_one_another() -> None:
    running = RunningTotals("points", ["Ana", "Ben"], [0, 1, 2], [[0, 3, 5], [0, 3, 5]])
    first, second = (
        each.attrib["d"]
        for each in elements(draw_lines(running))
        if each.get("stroke-width") == "2"
    )
    assert first != second


def test_a_line_has_a_gap_where_somebody_was_away() -> None:
    away: list[int | None] = [0, 1, None, None, 4, 9]
    running = RunningTotals("points", ["Ana", "Ben"], range(6), [away, [0, 1, 2, 3, 4, 5]])
    paths = [
        each.attrib["d"]
        for each in elements(draw_lines(running))
        if each.get("stroke-width") == "2"
    ]
    assert [path.count("M") for path in paths] == [2, 1]


def test_a_long_evening_stays_a_short_text() -> None:
    names = NAMES[:8]
    points = [[at * who // 40 for at in range(501)] for who in range(8)]
    svg = draw_lines(RunningTotals("points", names, range(501), points))
    assert len(svg) < 30_000
    below = [text for text in texts(svg) if text.isdigit() and int(text) % 50 == 0]
    assert {"50", "500"} <= set(below)
    assert len(texts(svg)) < 50


def test_points_on_a_line_are_left_out_and_no_others() -> None:
    line = [(float(x), float(x)) for x in range(9)]
    assert simplify_line(line) == [line[0], line[-1]]
    corner = [(0.0, 0.0), (1.0, 0.0), (2.0, 5.0), (3.0, 5.0)]
    assert simplify_line(corner) == corner


def test_round_numbers_stand_at_an_axis() -> None:
    assert find_ticks(-11, 17, 6) == [-10, -5, 0, 5, 10, 15]
    assert find_ticks(0, 5, 6) == [0, 1, 2, 3, 4, 5]
    assert find_ticks(0, 1_000_000, 6) == [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]


def test_places_that_are_too_close_move_no_further_than_they_must() -> None:
    assert spread_labels([10, 50, 90], 20, 0, 100) == [10, 50, 90]
    assert spread_labels([50, 50], 20, 0, 100) == [40, 60]
    assert spread_labels([1, 0], 20, 0, 100) == [20, 0]
    assert spread_labels([99, 100], 20, 0, 100) == [80, 100]


def test_a_bar_goes_left_for_what_was_lost_and_says_what_it_comes_to() -> None:
    parts = ScoreSources(["won", "lost"], ["Ana", "Ben"], [[8, -3], [0, -8]])
    svg = draw_sources(parts)
    assert {"Ana", "Ben", "won", "lost", "8", "-3", "5", "-8"} <= set(texts(svg))
    bars = [each.attrib for each in elements(svg) if each.get("height") == "20"]
    won, lost, all_lost = (float(bar["x"]) for bar in bars)
    assert all_lost < lost < won


def test_what_counted_least_is_one_piece_of_a_bar_and_told_whole_below_it() -> None:
    labels = [f"part {at}" for at in range(12)]
    parts = ScoreSources(labels, ["Ana", "Ben"], [[*range(1, 13)], [0] * 12])
    svg = draw_sources(parts)
    bars = [each for each in elements(svg) if each.get("height") == "20"]
    assert len(bars) == 8
    shown = [text for text in texts(svg) if text.startswith(("part", "everything"))]
    kept, others = [f"part {at}" for at in range(5, 12)], [f"part {at}" for at in range(5)]
    assert shown == [*kept, "everything else", *others]
    at = texts(svg).index("part 0")
    assert texts(svg)[at : at + 4] == ["part 0", "1", "part 1", "2"]
    assert "78" in texts(svg)
    assert told(svg, "desc").startswith("Ana 78: part 0 1, part 1 2,")
    assert told(svg, "desc").endswith("; Ben 0")


def test_the_style_has_a_colour_for_each_day_and_night_and_follows_the_page() -> None:
    for colour in (*LIGHT_COLOURS, *DARK_COLOURS):
        assert colour in CHART_STYLE
    assert "var(--ink, " in CHART_STYLE
    assert "screen and (prefers-color-scheme: dark)" in CHART_STYLE
    assert all(_contrast(colour, "#ffffff") >= 3 for colour in LIGHT_COLOURS)
    assert all(_contrast(colour, "#171717") >= 4.5 for colour in DARK_COLOURS)


def _contrast(colour: str, other: str) -> float:
    """Return the contrast of a colour on another, from 1 to 21."""
    light, dark = sorted(map(_brightness, (colour, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("points", "line"),
    [
        ([0, 1, 2, 3, 4, 5, 6, 7], "▁▂▃▄▅▆▇█"),
        ([5, 5, 5], "▄▄▄"),
        ([-10, None, 10], "▁ █"),
        ([3], "▄"),
        ([None, None], "  "),
        ([], ""),
    ],
)
def test_a_line_of_small_bars(points: list[int | None], line: str) -> None:
    assert sparkline(points) == line


@pytest.mark.parametrize(
    ("first", "last", "most", "places"),
    [
        (1, 9, 3, [1, 5, 9]),
        (1, 9, 2, [1, 9]),
        (1, 4, 9, [1, 2, 3, 4]),
        (1, 9, 1, [9]),
        (1, 1, 9, [1]),
    ],
)
def test_the_first_day_and_the_last_are_said(
    first: int, last: int, most: int, places: list[int]
) -> None:
    assert spread_positions(first, last, most) == places
