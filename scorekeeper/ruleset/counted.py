"""What a ruleset says of its statistics: what is counted, what is told apart, what a match came to.

Nothing here reads a round: `play/counts.py` counts, `history` adds up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.parameters import Parameter, complete

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Row

ROUNDS = "rounds"  # what every share may be of, besides the rows
# What a row counts.
ENTRIES, ROLES, LINES, FACT = "entries", "roles", "lines", "fact"
TIMES, FOUND, FOULS, CHANGE = "times", "found", "fouls", "change"
# How a round is won.
BY_ROLES, BY_MOST, BY_FEWEST = "roles", "most", "fewest"
# What a match comes to that nobody ended.
STANDS, NOTHING = "stands", "nothing"
LAST = "last"  # of `[match] wins`

NAMED = Parameter("name", "only rounds in which this fact is their name (empty: any)", "")
GIVEN = Parameter("values", "only rounds in which a fact is one of these values", {})
STATISTIC: Mapping[str, Parameter] = {
    "label": Parameter("text", "the heading (without it: the row's name)", ""),
    "count": Parameter(
        "choice",
        "their entries, rounds in which they have a role, points of score lines or how many"
        " of these gave some, a fact's sum (of a list: how many), their acts that were proven"
        " illegal, fouls of theirs that the table told, or the sum of the rounds' scores",
        ENTRIES,
        (ENTRIES, ROLES, LINES, TIMES, FACT, FOUND, FOULS, CHANGE),
    ),
    "verbs": Parameter("texts", "`entries`: with these verbs", []),
    "values": Parameter(
        "texts",
        "`entries`: only with what follows the verb; `fact`: only these items of a list (empty:"
        " any)",
        [],
    ),
    "role": Parameter("name", "`roles`: which", ""),
    "lines": Parameter("texts", "`lines`, `times`: which score rows (empty: all)", []),
    "fact": Parameter("name", "`fact`: which, of those that begin with `player.`", ""),
    "clauses": Parameter(
        "texts", "`found`: only against these clauses, or clauses of these words (empty: any)", []
    ),
    "of": Parameter(
        "name", "another row of which it is a share, or `rounds`: of the rounds they played", ""
    ),
    "as": Parameter("texts", "only rounds in which they have one of these roles (empty: any)", []),
    "others": Parameter("texts", "only rounds in which one of these roles is another's", []),
    "named": NAMED,
    "given": GIVEN,
}
BREAKDOWN: Mapping[str, Parameter] = {
    "label": Parameter("text", "the heading (without it: the row's name)", ""),
    "by": Parameter(
        "name",
        "what rounds are told apart by: `roles`, or a fact; of a list each item is a part",
        BY_ROLES,
    ),
    "roles": Parameter("texts", "`roles`: which, in this order", []),
    "as": Parameter("texts", "only rounds in which they have one of these roles (empty: any)", []),
    "named": NAMED,
    "given": GIVEN,
    "success": Parameter(
        "name",
        "a fact of a player, a list: the parts that are in it went well (without it: those of a"
        " round that they won)",
        "",
    ),
}
HISTORY: Mapping[str, Parameter] = {
    "by": Parameter(
        "choice",
        "how a round is won: by a role, or by the most or the fewest of what it changed",
        BY_ROLES,
        (BY_ROLES, BY_MOST, BY_FEWEST),
    ),
    "won": Parameter("texts", "`roles`: those who win a round", ["winners"]),
    "lost": Parameter("texts", "`roles`: those who lose it", ["losers"]),
    "stopped": Parameter(
        "choice",
        "what a match comes to that nobody ended: what stands then, or nothing (without it:"
        " what stands, where a match has no end of its own and the last one in does not win)",
        "",
        (STANDS, NOTHING),
    ),
}
# What is counted in every game, unless its ruleset has a row of that name.
ALWAYS: Mapping[str, Row] = {
    "illegal": {"label": mark("illegal, proven"), "count": FOUND},
    "fouls": {"label": mark("fouls"), "count": FOULS},
}


class Statistic:
    """A row of `[statistics]`: what is counted for each player, over all rounds."""

    __slots__ = (
        "clauses",
        "count",
        "fact",
        "given",
        "label",
        "lines",
        "name",
        "named",
        "of",
        "others",
        "role",
        "roles",
        "values",
        "verbs",
    )

    def __init__(self, name: str, row: Row) -> None:
        self.name = name
        self.label: str = row["label"] or name
        self.count: str = row["count"]
        self.verbs = frozenset(row["verbs"])
        self.values = frozenset(row["values"])
        self.role: str = row["role"]
        self.lines = frozenset(row["lines"])
        self.fact: str = row["fact"]
        self.clauses = frozenset(row["clauses"])
        self.of: str = row["of"]
        self.roles = frozenset(row["as"])
        self.others = frozenset(row["others"])
        self.named: str = row["named"]
        self.given = _given(row)


class Breakdown:
    """A row of `[breakdowns]`: into what parts the rounds of each player are told apart, and which
    of them went well. A part is a role, or a value of a fact."""

    __slots__ = ("as_", "by", "given", "label", "name", "named", "roles", "success")

    def __init__(self, name: str, row: Row) -> None:
        self.name = name
        self.label: str = row["label"] or name
        self.by: str = row["by"]
        self.roles: tuple[str, ...] = tuple(row["roles"])
        self.as_ = frozenset(row["as"])
        self.named: str = row["named"]
        self.given = _given(row)
        self.success: str = row["success"]


class History(NamedTuple):
    """`[history]`: the roles that win a round and those that lose it, or (`by` is not `roles`) that
    the most or the fewest of what it changed does; and whether what stands when the table stops
    is what a match came to (`stopped`: `stands` or `nothing`). An `endless` match has no end of its
    own, so that its places are never more than those so far."""

    by: str
    won: tuple[str, ...]
    lost: tuple[str, ...]
    stopped: str
    endless: bool


def history_of(data: Row, match: Row) -> History:
    """The history of a ruleset whose data has been checked; `match` is its `[match]`, complete."""
    row = complete(data.get("history", {}), HISTORY)
    endless = str(match["ends"]).lower() == "false" and match["wins"] != LAST
    stopped = row["stopped"] or (STANDS if endless else NOTHING)
    return History(row["by"], tuple(row["won"]), tuple(row["lost"]), stopped, endless)


def _given(row: Row) -> dict[str, list[object]]:
    """The facts that a row asks for, each with the values that will do."""
    return {
        fact: values if isinstance(values, list) else [values]
        for fact, values in row["given"].items()
    }
