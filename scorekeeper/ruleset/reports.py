"""What a ruleset says of its sheet and its statistics: the keys of `[sheet]`, `[statistics]`,
`[breakdowns]` and `[history]`, and their rows, compiled.

A cell is a template, `{bid} by {bidder}`, over named facts of a round, of a player or of a side.
The names are checked when the ruleset loads: the general ones below, the roles, and what the
phases report. Nothing here reads a round: `match/summary.py` counts, `history` adds up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.tables import Parameter, complete

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scorekeeper.core.types import Row

    Get = Callable[[str], str]

ROUND, PLAYER, SIDE = "round", "player", "side"
MOST_STEPS = 50
MOST_WIDTH = 80
MOST_SIGN = 8  # letters

ROUNDS = "rounds"  # what every share may be of, besides the rows
# What a row counts.
ENTRIES, ROLES, LINES, FACT = "entries", "roles", "lines", "fact"
TIMES, FOUND, FOULS, CHANGE = "times", "found", "fouls", "change"
# How a round is won.
BY_ROLES, BY_MOST, BY_FEWEST = "roles", "most", "fewest"
# What a match comes to that nobody ended.
STANDS, NOTHING = "stands", "nothing"
LAST = "last"  # of `[match] wins`

# --- the facts that there are in every game

ROUND_FACTS: Mapping[str, str] = {
    "round": "the number of the round",
    "dealer": "who dealt, where somebody deals",
    "leader": "who started",
    "sat_out": "who sat out",
    "changes": "whose tally changed, and by how much",
    "lines": "the score rows that counted, with their points",
    "value": "what the winners' rows come to, before what a single player gets besides",
    "eliminated": "who went out of the match in this round, their tally used up",
    "result": "the outcome, where the round was entered by it alone",
    "void": "why the round counts for nothing",
    "fouls": "who cheated, and how",
    "penalties": "who was penalised, and why",
    "notes": "what was noted",
    "decisions": "entries that the table let stand or took back",
}
SEAT_FACTS: Mapping[str, str] = {
    "name": "the name of the player or side",
    "tally": "what stands on the sheet after the round",
    "change": "the round's score",
    "signed": "the round's score with its sign",
    "strokes": "the tally as tally marks, in fives",
}
TOTAL_FACTS: Mapping[str, str] = {
    **SEAT_FACTS,
    "place": "the place in the match, shared when equal",
    "out": "the place in the order of going out of the match",
}

# --- the keys of the sheet

COLUMN: Mapping[str, Parameter] = {
    "per": Parameter(
        "choice", "one column, or one for each player or side", ROUND, (ROUND, PLAYER, SIDE)
    ),
    "label": Parameter("text", "the heading (without it: the row's name, or who it is for)", ""),
    "say": Parameter("lines", "templates: the first whose facts are all there is printed"),
    "align": Parameter("choice", "where it stands in its cell", "", ("left", "right", "center")),
    "width": Parameter(
        "int", "at least so many letters wide on paper (0: as it comes)", 0, bounds=(0, MOST_WIDTH)
    ),
    "optional": Parameter("bool", "left out when it is empty in every round", False),
    "signs": Parameter(
        "sentences",
        "for words that stand in its cells, the short signs written instead (each for one word of"
        " the sheet; words that the ruleset has not are passed over)",
        {},
    ),
}
TOTAL: Mapping[str, Parameter] = {
    "per": Parameter("choice", "a cell for each player or side", PLAYER, (PLAYER, SIDE)),
    "label": Parameter("text", "what the row is called (without it: its name)", ""),
    "say": Parameter("lines", "templates: the first whose facts are all there is printed"),
    "under": Parameter("name", "the column under which it stands (without it: the first)", ""),
}
LADDER: Mapping[str, Parameter] = {
    "per": Parameter("choice", "a row for each player or side", SIDE, (PLAYER, SIDE)),
    "label": Parameter("text", "what the table is called (without it: the row's name)", ""),
    "of": Parameter("name", "the number that climbs: a fact of a player or side", "tally"),
    "from": Parameter("int", "the first step"),
    "to": Parameter("int", "the last step"),
}
SHEET: Mapping[str, Mapping[str, Parameter]] = {
    "columns": COLUMN,
    "totals": TOTAL,
    "ladders": LADDER,
}
# What stands on the sheet of a ruleset that says nothing of it.
DEFAULT: Mapping[str, Mapping[str, Row]] = {
    "columns": {
        "round": {"label": mark("Round"), "say": "{round}"},
        "dealer": {"label": mark("Dealer"), "say": "{dealer}", "optional": True},
        "tally": {"per": PLAYER, "say": "{tally}"},
        "changes": {"label": mark("Change"), "say": [mark("void {void}"), "{changes}"]},
    },
    "totals": {
        "total": {"label": mark("Total"), "say": "{tally}"},
        "place": {"label": mark("Rank"), "say": "{place}"},
    },
}

# --- the keys of what is counted over many rounds

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


# --- all of it, compiled


class SheetRows:
    """All that a ruleset says of its sheet and its statistics."""

    __slots__ = ("breakdowns", "columns", "ladders", "statistics", "totals")

    def __init__(
        self,
        columns: list[Cells],
        totals: list[Cells],
        ladders: list[Ladder],
        statistics: list[Statistic],
        breakdowns: list[Breakdown],
    ) -> None:
        self.columns = columns
        self.totals = totals
        self.ladders = ladders
        self.statistics = statistics
        self.breakdowns = breakdowns

    @property
    def word(self) -> str:
        """What a round is called on the sheet; empty where it is just that."""
        labels = (cells.label for cells in self.columns if cells.names == {"round"})
        label = next(labels, "")
        return "" if label == tr("Round") else label


def compiled(
    data: Row, off: frozenset[str] = frozenset(), said: Callable[[str], str] = tr
) -> SheetRows:
    """The sheet and statistics rows of a ruleset whose data has been checked, but for those that
    count verbs which are turned off; `said` gives their texts in the language that is spoken."""
    own = data.get("sheet")
    sheet = own or DEFAULT

    def rows(
        table: Row, takes: Mapping[str, Parameter], tell: Callable[[str], str] = said
    ) -> Iterator[tuple[str, Row]]:
        for name, row in table.items():
            full = dict(complete(row, takes))
            full["label"] = tell(full["label"])
            if "say" in full:
                texts = [full["say"]] if isinstance(full["say"], str) else full["say"]
                full["say"] = [tell(text) for text in texts]
            yield name, full

    parts = {
        part: list(rows(sheet.get(part, {}), takes, said if own else tr))
        for part, takes in SHEET.items()
    }
    counted = dict(rows(data.get("statistics", {}), STATISTIC))
    counted = {**counted, **{n: row for n, row in rows(ALWAYS, STATISTIC, tr) if n not in counted}}
    statistics = [Statistic(*row) for row in counted.items()]
    return SheetRows(
        [Cells(*row) for row in parts["columns"]],
        [Cells(*row) for row in parts["totals"]],
        [Ladder(*row) for row in parts["ladders"]],
        [row for row in statistics if not row.verbs or row.verbs - off],
        [Breakdown(*row) for row in rows(data.get("breakdowns", {}), BREAKDOWN)],
    )


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


# --- a row each


class Template:
    """A text with `{name}` places."""

    __slots__ = ("_parts", "names")

    def __init__(self, text: str) -> None:
        head, *rest = text.split("{")
        self._parts: list[tuple[str, str]] = [("", head)]
        for piece in rest:
            name, brace, tail = piece.partition("}")
            self._parts.append((name, tail) if brace else ("", "{" + piece))
        self.names = tuple(name for name, _ in self._parts if name)

    def fill(self, get: Get) -> str | None:
        """The text with its facts, or None where one of them has no value."""
        filled = []
        for name, tail in self._parts:
            value = get(name) if name else ""
            if name and not value:
                return None
            filled.append(value + tail)
        return "".join(filled)


class Cells:
    """A row of `[sheet.columns]` or `[sheet.totals]`, ready to be filled."""

    __slots__ = ("_align", "label", "name", "optional", "per", "say", "signs", "under", "width")

    def __init__(self, name: str, row: Row) -> None:
        self.name = name
        self.per: str = row["per"]
        self.label: str = row["label"] or ("{name}" if "align" in row and self.seated else name)
        say = row["say"]
        self.say = [Template(text) for text in ([say] if isinstance(say, str) else say)]
        self._align: str = row.get("align", "")
        self.width: int = min(max(row.get("width", 0), 0), MOST_WIDTH)
        self.optional: bool = row.get("optional", False)
        self.signs: dict[str, str] = row.get("signs", {})
        self.under: str = row.get("under", "")

    @property
    def align(self) -> str:
        """Where it stands in its cell: what the ruleset says, else numbers at the right, marks,
        which begin at the left, and texts there."""
        if self._align or "strokes" in self.names:
            return self._align or "left"
        return "right" if self.seated or self.names == {"round"} else "left"

    @property
    def seated(self) -> bool:
        """Whether there is one for each player or side."""
        return self.per != ROUND

    @property
    def names(self) -> set[str]:
        """The facts that it may tell."""
        return {name for template in self.say for name in template.names}

    def text(self, get: Get) -> str:
        """The first template whose facts are all there; empty if there is none."""
        for template in self.say:
            filled = template.fill(get)
            if filled is not None:
                return filled
        return ""


class Ladder:
    """A row of `[sheet.ladders]`: the steps that a number climbs, for each player or side."""

    __slots__ = ("label", "name", "of", "per", "steps")

    def __init__(self, name: str, row: Row) -> None:
        self.name = name
        self.per: str = row["per"]
        self.label: str = row["label"] or name
        self.of: str = row["of"]
        down = -1 if row["to"] < row["from"] else 1
        self.steps = range(row["from"], row["to"] + down, down)


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


def _given(row: Row) -> dict[str, list[object]]:
    """The facts that a row asks for, each with the values that will do."""
    return {
        fact: values if isinstance(values, list) else [values]
        for fact, values in row["given"].items()
    }
