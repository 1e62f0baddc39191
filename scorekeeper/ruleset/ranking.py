"""The keys of `[ranking]` and `[figures]`, by which clubs rank players.

A figure is a number that each player collects over the deals, besides the scores and the tally.
This module only declares the keys. `engine/figures.py` compiles the rows, `match/figures.py`
computes them for a round, and `history/ranking.py` adds rounds up and compares tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

POINTS = "points"
"""The figure that every ruleset has: the changes of the tally."""

FIGURES, SAME = "figures", "same"
"""Two keys of a round's summary.

FIGURES has the figures. SAME has a number that is equal for all deals of the same cards.
"""

EVERYONE = "everyone"
"""A value of `for`: all players at the table, including players who sit out."""

RANKING: Mapping[str, Parameter] = {
    "by": Parameter(
        "name",
        "the figure that ranks players over several matches: a row of `[figures]`, or `points` for"
        " the tally",
        POINTS,
    ),
    "ties": Parameter("texts", "the figures that then decide between equal players, in order", []),
    "same": Parameter(
        "number",
        "a number that is equal for deals with the same cards, such as the number of a board;"
        " tables with the same number are compared (empty: none are)",
        "",
    ),
}
FIGURE: Mapping[str, Parameter] = {
    "label": Parameter("text", "the heading (default: the row's name)", ""),
    "for": Parameter(
        "name",
        "the players who get `points` for a deal: a role, `each` (who plays), or `everyone` (who"
        " sits out, too)",
        "",
    ),
    "but": Parameter(
        "name", "a role whose players do not get them; without such players no one does", ""
    ),
    "points": Parameter("number", "the number for a deal", ""),
    "when": Parameter("condition", "the deal counts only if this holds", "true"),
    "sum": Parameter(
        "int of",
        "the figure is a sum of others: for each of them, or `points`, by how much it is"
        " multiplied",
        {},
    ),
    "beaten": Parameter(
        "int", "the number for each worse result of the same deal at another table", 0
    ),
    "equal": Parameter("int", "the number for each equal result", 0),
    "steps": Parameter(
        "ints",
        "differences of points, in ascending order: each step that the difference from another"
        " table reaches is worth 1 to the better result, and -1 to the other",
        [],
    ),
    "share": Parameter(
        "bool", "for `beaten`: whether the share of the possible decides, in per cent", False
    ),
    "fewest": Parameter("bool", "whether the fewest are best", False),
}
