"""What players did across matches as one long table for other programs: a number in each row.

The columns are COLUMNS; `table` is `players`, `counts`, `breakdowns.NAME`, `pairs`, `against` or
`days`. A cell that a spreadsheet might take for a formula begins with an apostrophe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.render.export import cell
from scorekeeper.render.statistics_tables import (
    AGAINST,
    BREAKDOWNS,
    COUNTS,
    DAYS,
    PAIRS,
    PLAYERS,
    whole_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.types import Json

    Number = int | float | None
    Line = tuple[str, str, str, str, str, Number, Number]

COLUMNS: Mapping[str, str] = {
    "ruleset": "the ruleset's name",
    "table": "what is told: players, counts, breakdowns.NAME, pairs, against or days",
    "player": "whose number it is",
    "other": "with whom, or against whom; empty where it is one player's alone",
    "part": "a part of a breakdown, or a day (2026-11-20; empty where nobody knows it)",
    "figure": "which number it is",
    "value": "the number; empty where there is none",
    "of": "of how many it is a share; empty for what is none",
}


def render(every: Iterable[Json], tables: frozenset[str]) -> Iterator[str]:
    """The figures of each ruleset (`Figures.as_json`), as pieces of the text."""
    yield _row(COLUMNS)
    for data in every:
        yield "".join(_row((data["ruleset"], *line)) for line in _lines(data, tables))


def _row(values: Iterable[object]) -> str:
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(map(cell, values))
    return text.getvalue()


def _lines(data: Json, tables: frozenset[str]) -> Iterator[Line]:
    """The rows, without the ruleset's name."""
    for player in data["players"]:
        name = player["name"]
        if PLAYERS in tables:
            for figure, value, of in _figures(player):
                yield PLAYERS, name, "", "", figure, value, of
        if COUNTS in tables:
            for row, number in player["counts"].items():
                yield COUNTS, name, "", "", row, number, whole_of(data, player, row)
    for found in data["breakdowns"] if BREAKDOWNS in tables else ():
        table = f"{BREAKDOWNS}.{found['name']}"
        for player in found["players"]:
            for part, of in player["parts"].items():
                for figure, value, whole in _came_to(of):
                    yield table, player["name"], "", part, figure, value, whole
    for pair in data["pairs"] if PAIRS in tables else ():
        for figure, value, whole in _came_to(pair):
            yield PAIRS, pair["players"][0], pair["players"][1], "", figure, value, whole
    for row in data["against"] if AGAINST in tables else ():
        for figure in ("matches", "ahead", "behind", "even", "rounds", "points"):
            whole = row["matches"] if figure in ("ahead", "behind", "even") else None
            yield AGAINST, row["player"], row["other"], "", figure, row[figure], whole
    for day in data["days"] if DAYS in tables else ():
        for name, points in day["points"].items():
            yield DAYS, name, "", day["date"], "points", points, None


def _figures(player: Json) -> Iterator[tuple[str, Number, Number]]:
    """What one player did, each number by its name, and of how many it is a share."""
    ended, rounds = player["played"] - player["unfinished"], player["rounds_decided"]
    whole = {"won": ended, "unfinished": player["played"]}
    if player["round_share"] is not None:
        whole |= {"rounds_won": rounds, "rounds_lost": rounds}
    for figure in (
        *("played", "unfinished", "won", "rounds", "rounds_won", "rounds_lost"),
        *("points", "per_round", "per_match"),
    ):
        yield figure, player[figure], whole.get(figure)
    for place, often in player["places"].items():
        yield f"place_{place}", often, ended
    for which in ("best", "worst"):
        for span, found in player[which].items():
            yield f"{which}_{span}", found and found["points"], None
    for figure, value in player["streaks"].items():
        yield f"streak_{figure}", value, None


def _came_to(of: Json) -> Iterator[tuple[str, Number, Number]]:
    """Rounds that were played, those of them that were won, and what they were worth."""
    yield "rounds", of["rounds"], None
    yield "won", of["won"], of["decided"]
    yield "points", of["points"], None
    yield "per_round", of["per_round"], None
