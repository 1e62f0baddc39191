"""A ruleset's sheet and statistics: the keys in their tables, and their compiled rows.

The tables are `[sheet]`, `[statistics]`, `[breakdowns]` and `[history]`. A cell is a template such
as `{bid} by {bidder}`, which uses named facts about a round, a player or a side. When a ruleset is
loaded, these names are checked. Valid names are the general names below, roles, and facts that
phases report. This module reads no rounds. `match/summary.py` does the counting, and `history` adds
up the counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.tables import Parameter, with_defaults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scorekeeper.core.types import Row

    Get = Callable[[str], str]

ROUND, PLAYER, SIDE = "round", "player", "side"
MAX_STEPS = 50
MAX_WIDTH = 80
MAX_SIGN = 8  # maximum length of a sign (which replaces a word in cells), in characters

ROUNDS = "rounds"  # a value of `of`: the row is a share of the rounds played
# The values that a row can count.
ENTRIES, ROLES, LINES, FACT = "entries", "roles", "lines", "fact"
TIMES, FOUND, FOULS, CHANGE = "times", "found", "fouls", "change"
# The ways to win a round.
BY_ROLES, BY_MOST, BY_FEWEST = "roles", "most", "fewest"
# The possible results of a match that was stopped.
STANDS, NOTHING = "stands", "nothing"
LAST = "last"  # a value of `[match] wins`: the last player left wins

# --- the facts of every game

ROUND_FACTS: Mapping[str, str] = {
    "round": "the number of the round",
    "dealer": "the dealer, if the game has one",
    "leader": "the player who started",
    "sat_out": "the players who sat out",
    "changes": "the changes of all tallies",
    "lines": "the score rows that counted, with their points",
    "value": "the sum of the winners' score rows, without extra points for single players",
    "eliminated": "the players who went out of the match in this round",
    "result": "the outcome, if only the outcome was entered",
    "void": "the reason why the round is void",
    "fouls": "the players who cheated, and how",
    "penalties": "the players who were penalised, and why",
    "notes": "the notes",
    "decisions": "the illegal entries that the table let stand or withdrew",
}
SEAT_FACTS: Mapping[str, str] = {
    "name": "the name of the player or side",
    "tally": "the tally after the round",
    "change": "the round's score",
    "signed": "the round's score with its sign",
    "strokes": "the tally as tally marks, in fives",
}
TOTAL_FACTS: Mapping[str, str] = {
    **SEAT_FACTS,
    "place": "the place in the match, shared by equal tallies",
    "out": "the number in the order in which players went out of the match",
    "ranked": "the place by what the ruleset ranks by (`[ranking]`)",
}

# --- the keys of `[sheet]`

COLUMN: Mapping[str, Parameter] = {
    "per": Parameter(
        "choice", "one column, or one for each player or side", ROUND, (ROUND, PLAYER, SIDE)
    ),
    "label": Parameter("text", "the heading (default: the row's, player's or side's name)", ""),
    "say": Parameter(
        "lines", "templates; the first whose facts all have values is printed", natural=True
    ),
    "align": Parameter("choice", "the alignment in the cell", "", ("left", "right", "center")),
    "width": Parameter(
        "int", "the minimum width on paper, in characters (0: automatic)", 0, bounds=(0, MAX_WIDTH)
    ),
    "optional": Parameter("bool", "whether it is left out if it is empty in every round", False),
    "signs": Parameter(
        "sentences",
        "short signs that replace words of the sheet in its cells (words that the ruleset does"
        " not have are ignored)",
        {},
    ),
}
TOTAL: Mapping[str, Parameter] = {
    "per": Parameter("choice", "a cell for each player or side", PLAYER, (PLAYER, SIDE)),
    "label": Parameter("text", "the row's title (default: its name)", ""),
    "say": Parameter(
        "lines", "templates; the first whose facts all have values is printed", natural=True
    ),
    "under": Parameter("name", "the column under which it is printed (default: the first)", ""),
}
LADDER: Mapping[str, Parameter] = {
    "per": Parameter("choice", "a row for each player or side", SIDE, (PLAYER, SIDE)),
    "label": Parameter("text", "the table's title (default: the row's name)", ""),
    "of": Parameter("name", "the number that climbs: a fact of a player or side", "tally"),
    "from": Parameter("int", "the first step"),
    "to": Parameter("int", "the last step"),
}
SHEET: Mapping[str, Mapping[str, Parameter]] = {
    "columns": COLUMN,
    "totals": TOTAL,
    "ladders": LADDER,
}
# The sheet for a ruleset that has no `[sheet]` table.
DEFAULT_SHEET: Mapping[str, Mapping[str, Row]] = {
    "columns": {
        "round": {"label": N_("Round"), "say": "{round}"},
        "dealer": {"label": N_("Dealer"), "say": "{dealer}", "optional": True},
        "tally": {"per": PLAYER, "say": "{tally}"},
        "changes": {"label": N_("Change"), "say": [N_("void {void}"), "{changes}"]},
    },
    "totals": {
        "total": {"label": N_("Total"), "say": "{tally}"},
        "place": {"label": N_("Rank"), "say": "{place}"},
    },
}

# --- the keys of `[statistics]`, `[breakdowns]` and `[history]`

NAMED = Parameter("name", "only rounds in which this fact is the player's name (empty: any)", "")
GIVEN = Parameter("values", "only rounds in which a fact is one of these values", {})
STATISTIC: Mapping[str, Parameter] = {
    "label": Parameter("text", "the heading (default: the row's name)", ""),
    "count": Parameter(
        "choice",
        "what is counted for each player: their entries; rounds in which they have a role; points"
        " of score lines, or how many lines had points; a fact's sum (of a list: its length); acts"
        " proven illegal; fouls that the table entered; or the sum of the rounds' scores",
        ENTRIES,
        (ENTRIES, ROLES, LINES, TIMES, FACT, FOUND, FOULS, CHANGE),
    ),
    "verbs": Parameter("texts", "`entries`: the types of entries that are counted", []),
    "values": Parameter(
        "texts",
        "`entries`: only with these values after the word; `fact`: only these items of a list"
        " (empty: any)",
        [],
    ),
    "role": Parameter("name", "`roles`: the role", ""),
    "lines": Parameter("texts", "`lines`, `times`: the score rows (empty: all)", []),
    "fact": Parameter("name", "`fact`: the fact, whose name must begin with `player.`", ""),
    "clauses": Parameter(
        "texts",
        "`found`: only acts against these clauses, or against clauses with these words"
        " (empty: any)",
        [],
    ),
    "of": Parameter(
        "name", "the row of which it is a share, or `rounds` for a share of rounds played", ""
    ),
    "as": Parameter(
        "texts", "only rounds in which the player has one of these roles (empty: any)", []
    ),
    "others": Parameter("texts", "only rounds in which another player has one of these roles", []),
    "named": NAMED,
    "given": GIVEN,
}
BREAKDOWN: Mapping[str, Parameter] = {
    "label": Parameter("text", "the heading (default: the row's name)", ""),
    "by": Parameter(
        "name",
        "what splits the rounds: `roles`, or a fact; each item of a list is a part",
        BY_ROLES,
    ),
    "roles": Parameter("texts", "`roles`: the roles, in this order", []),
    "as": Parameter(
        "texts", "only rounds in which the player has one of these roles (empty: any)", []
    ),
    "named": NAMED,
    "given": GIVEN,
    "success": Parameter(
        "name",
        "a fact of a player that lists the successful parts (default: all parts of a round that"
        " the player won)",
        "",
    ),
}
HISTORY: Mapping[str, Parameter] = {
    "by": Parameter(
        "choice",
        "how a round is won: by a role, or by the most or the fewest points in it",
        BY_ROLES,
        (BY_ROLES, BY_MOST, BY_FEWEST),
    ),
    "won": Parameter("texts", "`roles`: the roles that win a round", ["winners"]),
    "lost": Parameter("texts", "`roles`: the roles that lose a round", ["losers"]),
    "stopped": Parameter(
        "choice",
        "the result of a match that the table stops early: the current tallies (`stands`), or"
        " `nothing` (default: `stands` if the rules never end a match and the last player left"
        " does not win, otherwise `nothing`)",
        "",
        (STANDS, NOTHING),
    ),
}
# Statistics for every game, unless the ruleset has a row with the same name.
COMMON_STATISTICS: Mapping[str, Row] = {
    "illegal": {"label": N_("proven illegal"), "count": FOUND},
    "fouls": {"label": N_("fouls"), "count": FOULS},
}


# --- compiling


class ReportRows:
    """The compiled rows for a ruleset's sheet and statistics."""

    __slots__ = ("breakdowns", "columns", "ladders", "statistics", "totals")

    def __init__(
        self,
        columns: list[SheetCells],
        totals: list[SheetCells],
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
    def round_word(self) -> str:
        """The word for a round on the sheet, or "" for the usual word."""
        labels = (cells.label for cells in self.columns if cells.names == {"round"})
        label = next(labels, "")
        return "" if label == tr("Round") else label


def compile_reports(
    data: Row, disabled: frozenset[str] = frozenset(), translate: Callable[[str], str] = tr
) -> ReportRows:
    """Compile the sheet and statistics for a ruleset whose data has been checked.

    Rows that count only entry types in `disabled` are left out. `translate` translates the
    ruleset's texts.
    """
    own = data.get("sheet")
    sheet = own or DEFAULT_SHEET

    def rows(
        table: Row, takes: Mapping[str, Parameter], tell: Callable[[str], str] = translate
    ) -> Iterator[tuple[str, Row]]:
        for name, row in table.items():
            full = dict(with_defaults(row, takes))
            full["label"] = tell(full["label"])
            if "say" in full:
                texts = [full["say"]] if isinstance(full["say"], str) else full["say"]
                full["say"] = [tell(text) for text in texts]
            yield name, full

    parts = {
        part: list(rows(sheet.get(part, {}), takes, translate if own else tr))
        for part, takes in SHEET.items()
    }
    counted = dict(rows(data.get("statistics", {}), STATISTIC))
    counted = {
        **counted,
        **{n: row for n, row in rows(COMMON_STATISTICS, STATISTIC, tr) if n not in counted},
    }
    statistics = [Statistic(*row) for row in counted.items()]
    return ReportRows(
        [SheetCells(*row) for row in parts["columns"]],
        [SheetCells(*row) for row in parts["totals"]],
        [Ladder(*row) for row in parts["ladders"]],
        [row for row in statistics if not row.verbs or row.verbs - disabled],
        [Breakdown(*row) for row in rows(data.get("breakdowns", {}), BREAKDOWN)],
    )


class HistoryRules(NamedTuple):
    """The compiled `[history]` table.

    `by` states how a round is won: by `roles` (then `won` and `lost` are those roles), or by the
    most or the fewest points. `stopped` is the result of a match that the table stops early:
    `stands` (the current scores) or `nothing`. The rules of an `endless` match define no end, so
    its rankings always remain provisional.
    """

    by: str
    won: tuple[str, ...]
    lost: tuple[str, ...]
    stopped: str
    endless: bool


def compile_history(data: Row, match: Row) -> HistoryRules:
    """Compile the history rules for a ruleset whose data has been checked.

    `match` is the complete `[match]` table.
    """
    row = with_defaults(data.get("history", {}), HISTORY)
    endless = str(match["ends"]).lower() == "false" and match["wins"] != LAST
    stopped = row["stopped"] or (STANDS if endless else NOTHING)
    return HistoryRules(row["by"], tuple(row["won"]), tuple(row["lost"]), stopped, endless)


# --- rows


class Template:
    """A text with `{name}` placeholders."""

    __slots__ = ("_parts", "names")

    def __init__(self, text: str) -> None:
        head, *rest = text.split("{")
        self._parts: list[tuple[str, str]] = [("", head)]
        for piece in rest:
            name, brace, tail = piece.partition("}")
            self._parts.append((name, tail) if brace else ("", "{" + piece))
        self.names = tuple(name for name, _ in self._parts if name)

    def fill(self, get: Get) -> str | None:
        """Return the text with its facts filled in, or None if one of them has no value."""
        filled = []
        for name, tail in self._parts:
            value = get(name) if name else ""
            if name and not value:
                return None
            filled.append(value + tail)
        return "".join(filled)


class SheetCells:
    """A compiled row of `[sheet.columns]` or `[sheet.totals]`."""

    __slots__ = ("_align", "label", "name", "optional", "per", "say", "signs", "under", "width")

    def __init__(self, name: str, row: Row) -> None:
        self.name = name
        self.per: str = row["per"]
        self.label: str = row["label"] or (
            "{name}" if "align" in row and self.is_per_seat else name
        )
        say = row["say"]
        self.say = [Template(text) for text in ([say] if isinstance(say, str) else say)]
        self._align: str = row.get("align", "")
        self.width: int = min(max(row.get("width", 0), 0), MAX_WIDTH)
        self.optional: bool = row.get("optional", False)
        self.signs: dict[str, str] = row.get("signs", {})
        self.under: str = row.get("under", "")

    @property
    def align(self) -> str:
        """The alignment set by the ruleset.

        By default, numbers are aligned to the right, and tally marks and texts to the left.
        """
        if self._align or "strokes" in self.names:
            return self._align or "left"
        return "right" if self.is_per_seat or self.names == {"round"} else "left"

    @property
    def is_per_seat(self) -> bool:
        """True if each player or side has a separate cell."""
        return self.per != ROUND

    @property
    def names(self) -> set[str]:
        """The names of the facts in its templates."""
        return {name for template in self.say for name in template.names}

    def fill(self, get: Get) -> str:
        """Fill in and return the first template for which all facts are known.

        Return "" if there is none.
        """
        for template in self.say:
            filled = template.fill(get)
            if filled is not None:
                return filled
        return ""


class Ladder:
    """A row of `[sheet.ladders]`: a number that each player or side has, and the steps that it can
    reach."""

    __slots__ = ("label", "name", "of", "per", "steps")

    def __init__(self, name: str, row: Row) -> None:
        self.name = name
        self.per: str = row["per"]
        self.label: str = row["label"] or name
        self.of: str = row["of"]
        down = -1 if row["to"] < row["from"] else 1
        self.steps = range(row["from"], row["to"] + down, down)


class Statistic:
    """A row of `[statistics]`: something that is counted for each player over all rounds."""

    __slots__ = (
        *("clauses", "count", "fact", "given", "label", "lines", "name", "named", "of"),
        *("others", "role", "roles", "values", "verbs"),
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
        self.given = _given_values(row)


class Breakdown:
    """A row of `[breakdowns]`, which groups each player's rounds and counts successes per group.

    A group is a role, or a value of a fact.
    """

    __slots__ = ("as_roles", "by", "given", "label", "name", "named", "roles", "success")

    def __init__(self, name: str, row: Row) -> None:
        self.name = name
        self.label: str = row["label"] or name
        self.by: str = row["by"]
        self.roles: tuple[str, ...] = tuple(row["roles"])
        self.as_roles = frozenset(row["as"])
        self.named: str = row["named"]
        self.given = _given_values(row)
        self.success: str = row["success"]


def _given_values(row: Row) -> dict[str, list[object]]:
    """Return the facts that a row requires, each with its permitted values."""
    return {
        fact: values if isinstance(values, list) else [values]
        for fact, values in row["given"].items()
    }


# --- translations

# Tables whose row names are shown to players.
SHOWN_NAMES = ("contracts", "options", "calls", "specials", "parties", "penalties", "holdings")
SHOWN_KEYS = ("label", "wanted", "say")


def list_untranslated(data: Row, code: str) -> list[str]:
    """Return the texts of a ruleset that players read and that a language does not translate.

    The texts are in the ruleset's order, without repetitions. For an unknown language, all texts
    are returned.
    """
    languages = data.get("languages", {})
    language = languages.get(code, {})
    known = {*language.get("sentences", {}), *language.get("words", {})}
    return [text for text in dict.fromkeys(_shown_texts(data)) if text not in known]


def _shown_texts(data: Row) -> Iterator[str]:
    yield data["title"]
    yield data["tally"]["name"]
    for table in SHOWN_NAMES:
        yield from data.get(table, {})
    for name, row in data.get("scores", {}).items():
        yield row.get("label") or name
    yield from _texts_of_rows({key: data[key] for key in data if key != "languages"})


def _texts_of_rows(table: Row) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _texts_of_rows(value)
        elif key in SHOWN_KEYS:
            texts = [value] if isinstance(value, str) else value
            yield from filter(_has_words, texts)


def _has_words(template: str) -> bool:
    """Return whether a text contains letters outside its placeholders."""
    pieces = ("}" + template).split("{")
    return any(letter.isalpha() for piece in pieces for letter in piece.partition("}")[2])
