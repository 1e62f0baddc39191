"""The columns of exported tables, with their types and meanings, and the rows of these tables.

The SQL views of a book are made from these columns. Raise `VERSION` when a column or a key of the
JSON export is removed or changes its meaning. To add a column at the end, or a key anywhere, leave
`VERSION` unchanged. Programs that read columns and keys by name keep working.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.history.results import match_result
from scorekeeper.match.summary import format_fact, round_fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, JsonValue, Summary
    from scorekeeper.history.statistics import CatalogEntry

    Cells = list[object]

VERSION = 1
INTEGER, NUMBER, FLAG, DATE = "integer", "number", "flag", "date"
MOMENT, TEXT, LIST = "moment", "text", "list"


class ColumnType(NamedTuple):
    """A type of column: its meaning, and the corresponding nullable types in pandas and in SQL
    (DuckDB)."""

    about: str
    pandas: str
    sql: str


TYPES: Mapping[str, ColumnType] = {
    INTEGER: ColumnType("a whole number, with a minus sign if it is negative", "Int64", "BIGINT"),
    NUMBER: ColumnType("a number that is whole or ends in .5", "Float64", "DOUBLE"),
    FLAG: ColumnType("1 for yes, 0 for no", "Int64", "TINYINT"),
    DATE: ColumnType("a day: 2026-11-20", "datetime64[s]", "DATE"),
    MOMENT: ColumnType(
        "a day or a moment, as it was entered: 2026-11-20T19:30:00Z", "string", "VARCHAR"
    ),
    TEXT: ColumnType("one line of text", "string", "VARCHAR"),
    LIST: ColumnType("words separated by spaces", "string", "VARCHAR"),
}


class ExportColumn(NamedTuple):
    """A column: its name in the heading, its type, and its meaning."""

    name: str
    type: str
    about: str


MATCH = (
    ExportColumn("match", INTEGER, "the match's number in the book"),
    ExportColumn("ruleset", TEXT, "the ruleset's name"),
    ExportColumn("started", MOMENT, "when the match began"),
    ExportColumn("place", TEXT, "where it was played"),
)
DAY = ExportColumn("date", DATE, "the day on which the match began, in local time")
ENTRIES = (
    *MATCH,
    ExportColumn("round", INTEGER, "the number of the round, from 1"),
    ExportColumn("number", INTEGER, "the number of the entry in its round, from 1"),
    ExportColumn("entry", TEXT, "the entry's canonical text"),
    ExportColumn("who", TEXT, "the player who acted, or `all`; empty if the table acted"),
    ExportColumn("word", TEXT, "the verb of the entry; empty if the entry is unreadable"),
    ExportColumn(
        "decision", TEXT, "the table's decision on an illegal entry: stands, withdrawn, or empty"
    ),
    ExportColumn(
        "verdict", TEXT, "legal, illegal or open, given all that is known; empty if unreadable"
    ),
    ExportColumn("codes", LIST, "the codes of its findings"),
    DAY,
)
SCORES = (
    *MATCH,
    ExportColumn("round", INTEGER, "the number of the round, from 1"),
    ExportColumn("player", TEXT, "the player's name"),
    ExportColumn(
        "seat", INTEGER, "the player's seat in this round, from 1 in the order of the names"
    ),
    ExportColumn("dealer", FLAG, "whether the player dealt; empty if no player deals"),
    ExportColumn("leader", FLAG, "whether the player started"),
    ExportColumn("sat_out", FLAG, "whether the player sat out"),
    ExportColumn("roles", LIST, "the player's roles in the round"),
    ExportColumn(
        "change", INTEGER, "the player's score in the round; empty if the round has no score"
    ),
    ExportColumn(
        "tally", INTEGER, "the player's tally after the round; empty while the round is in progress"
    ),
    ExportColumn(
        "void", FLAG, "whether the round is void, because it does not count or was dealt again"
    ),
    DAY,
    ExportColumn("over", FLAG, "whether the round is over"),
    ExportColumn("won", FLAG, "1 if the player won the round, 0 if they lost it, empty if neither"),
    ExportColumn("side", TEXT, "the side of the player"),
    ExportColumn("sides", TEXT, "all sides with their players, such as Ana+Ben"),
    ExportColumn("contract", TEXT, "the contract that was played"),
    ExportColumn("options", LIST, "the options announced with the contract"),
    ExportColumn("bid", TEXT, "the highest bid of the round"),
    ExportColumn("trump", TEXT, "the suit that was trump"),
    ExportColumn("level", TEXT, "the level that was played"),
    ExportColumn(
        "value", INTEGER, "the value of the round, without extra points for single players"
    ),
    ExportColumn("card_points", NUMBER, "the card points of the player or of their side"),
    ExportColumn("calls", LIST, "the calls that the player made"),
    ExportColumn("side_calls", LIST, "the calls made on the player's side"),
    ExportColumn(
        "specials",
        LIST,
        "the special points of the player's side, each repeated as often as it counted",
    ),
    ExportColumn("announced", TEXT, "the announcement that the player made about their hand"),
    ExportColumn("kept", LIST, "the calls of the player that have not failed"),
    ExportColumn("own_specials", LIST, "the special points that the player won personally"),
    ExportColumn(
        "tricks",
        INTEGER,
        "the number of tricks that the player won; empty if no tricks were played",
    ),
)
MATCHES = (
    *MATCH,
    ExportColumn("player", TEXT, "the player's name"),
    ExportColumn("seat", INTEGER, "the player's number among all players of the match, from 1"),
    DAY,
    ExportColumn("title", TEXT, "the match's title"),
    ExportColumn("over", FLAG, "whether the match is over"),
    ExportColumn("decided", FLAG, "whether the match has a result under its ruleset"),
    ExportColumn("match_rounds", INTEGER, "the number of finished rounds of the match"),
    ExportColumn(
        "rank",
        INTEGER,
        "the player's place in the result, from 1 for the best; empty without a result",
    ),
    ExportColumn("won", FLAG, "whether the player won the match; empty without a result"),
    ExportColumn("tally", INTEGER, "the player's tally on the sheet"),
    ExportColumn(
        "points", INTEGER, "the tally changes made by rounds, without tallies set by hand"
    ),
    ExportColumn("rounds", INTEGER, "the number of finished rounds in which the player took part"),
    ExportColumn("rounds_won", INTEGER, "the number of these rounds that the player won"),
    ExportColumn("rounds_lost", INTEGER, "the number of these rounds that the player lost"),
    ExportColumn("first_round", INTEGER, "the first round for which the player was at the table"),
    ExportColumn("last_round", INTEGER, "the last round for which the player was at the table"),
    ExportColumn("seated", FLAG, "whether the player is at the table now, or was at the end"),
)
TABLES: Mapping[str, Sequence[ExportColumn]] = {
    "csv": ENTRIES,
    "scores-csv": SCORES,
    "matches-csv": MATCHES,
}
ABOUT: Mapping[str, str] = {
    "csv": "one row for each entry, as it is now",
    "scores-csv": "one row for each round and each player at the table",
    "matches-csv": "one row for each match and each player who was ever at the table",
}


def _pick(columns: Sequence[ExportColumn], names: str) -> tuple[ExportColumn, ...]:
    """Return the columns with the given names, in that order. Spaces separate the names."""
    by_name = {column.name: column for column in columns}
    return tuple(by_name[name] for name in names.split())


_OF_MATCH = _pick(SCORES, "match ruleset started date place")
_OF_ROUND = _pick(SCORES, "round over void contract options bid trump level value")
# The columns of the SQL views of a book. They have the names and types of exported columns.
VIEWS: Mapping[str, Sequence[ExportColumn]] = {
    "entries": (*_OF_MATCH, *_pick(ENTRIES, "round number entry who word decision verdict codes")),
    "rounds": (
        *_OF_MATCH,
        *_OF_ROUND,
        ExportColumn("summarized", FLAG, "whether the result of the round is stored"),
        ExportColumn("dealer", TEXT, "the dealer's name; empty if no player deals"),
        ExportColumn("leader", TEXT, "the name of the player who started"),
        ExportColumn("sat_out", TEXT, "the names of the players who sat out, separated by commas"),
        ExportColumn("winners", TEXT, "the names of the players who won, separated by commas"),
    ),
    "scores": (
        *_OF_MATCH,
        *_OF_ROUND,
        *_pick(SCORES, "player seat dealer leader sat_out"),
        ExportColumn("played", FLAG, "whether the player took part in the round"),
        *_pick(SCORES, "roles change tally won side card_points calls side_calls specials"),
        *_pick(SCORES, "announced kept own_specials tricks"),
    ),
    "matches": (
        *_OF_MATCH,
        *_pick(MATCHES, "title"),
        ExportColumn("note", TEXT, "the note about the match"),
        ExportColumn("players", TEXT, "the names of all players, separated by commas"),
        ExportColumn("rounds", INTEGER, "the number of rounds, including an unfinished one"),
        ExportColumn(
            "rounds_missing", INTEGER, "the number of finished rounds without a stored result"
        ),
        *_pick(MATCHES, "over"),
        ExportColumn("entered", INTEGER, "the number of entries ever made, including undone ones"),
        ExportColumn("last", MOMENT, "the time of the latest entry"),
    ),
    "players": (
        *_OF_MATCH,
        *_pick(MATCHES, "player seat over decided won tally points rounds rounds_won rounds_lost"),
    ),
}


def schema() -> Json:
    """Return a description of the tables as JSON values, with the keys `version`, `types` and
    `tables`."""
    return {
        "version": VERSION,
        "types": {name: kind._asdict() for name, kind in TYPES.items()},
        "tables": {
            name: {"about": ABOUT[name], "columns": [column._asdict() for column in columns]}
            for name, columns in TABLES.items()
        },
    }


# --- rows of values in the order of the columns


def entry_rows(listed: CatalogEntry) -> Iterator[Cells]:
    """Yield a row for each entry of a match."""
    head = _head(listed)
    for summary, entries in listed.match.list_entries():
        for at, entry in enumerate(entries, 1):
            yield [*head, summary["round"], at, *entry[:5], " ".join(entry.codes), listed.day]


def score_rows(listed: CatalogEntry) -> Iterator[Cells]:
    """Yield a row for each player in each round of a match."""
    head = _head(listed)
    for summary in listed.match.summaries():
        played = _RoundColumns(summary, listed.day)
        for seat, name in enumerate(summary["before"], 1):
            yield [*head, summary["round"], name, seat, *played.cells(name)]


class _RoundColumns:
    """The cells of one round in the table of scores."""

    def __init__(self, summary: Summary, day: str) -> None:
        self._summary = summary
        self._facts: Json = summary["facts"]
        self._sides: Mapping[str, Sequence[str]] = summary["sides"]
        self._won, self._lost = summary["won"], summary["lost"]
        facts = ("contract", "options", "bid", "trump", "level")
        self._round = (day, int(summary["over"]))
        self._played = [format_fact(self._facts.get(name)) for name in facts]
        self._value = round_fact(summary, "value")
        self._who = ", ".join(_side_text(label, who) for label, who in self._sides.items())

    def cells(self, name: str) -> Cells:
        """Return a player's cells, from the column `dealer` on."""
        summary = self._summary
        side = next((label for label, who in self._sides.items() if name in who), None)
        roles = [role for role, who in summary["roles"].items() if name in who["players"]]
        return [
            None if summary["dealer"] is None else int(summary["dealer"] == name),
            int(summary["leader"] == name),
            int(name in summary["sat_out"]),
            " ".join(roles),
            (summary["changes"] or {}).get(name),
            (summary["tally"] or {}).get(name),
            int(summary["annulled"]),
            *self._round,
            1 if name in self._won else 0 if name in self._lost else None,
            side,
            self._who,
            *self._played,
            self._value,
            self._of("player.points", name, self._of("side.points", side, None)),
            " ".join(self._of("player.calls", name, ())),
            " ".join(words_of_side(self._facts.get("calls"), side)),
            " ".join(words_of_side(self._facts.get("specials"), side)),
            self._of("player.announced", name, None),
            " ".join(self._of("player.kept", name, ())),
            " ".join(self._of("player.specials", name, ())),
            self._of("player.tricks", name, None),
        ]

    def _of(self, fact: str, who: str | None, without: JsonValue) -> JsonValue:
        by_name = self._facts.get(fact) or {}
        return by_name.get(who, without)


def words_of_side(texts: Iterable[str] | None, side: str | None) -> Iterator[str]:
    """Yield the words that a fact lists for a side, each repeated according to its count.

    The fact is a list of strings in the form `SIDE: word x2` or `SIDE word`.
    """
    for text in texts or ():
        who, colon, what = text.partition(": ")
        words = what.split(" ") if colon else text.split(" ")
        if side == (who if colon else words[0]):
            times = words[-1][1:] if words[-1][:1] == "x" else ""
            yield from words[:-1] * int(times) if times.isdecimal() else words


def _side_text(label: str, players: Sequence[str]) -> str:
    names = "+".join(players)
    return names if label == names else f"{label}: {names}"


def match_rows(listed: CatalogEntry) -> Iterator[Cells]:
    """Yield a row for each player who has ever taken part in a match."""
    match, head = listed.match, _head(listed)
    summaries = list(match.summaries())
    result = match_result(match, summaries)
    rounds = [outcome for _, outcome in result.outcomes]
    known = [listed.day, listed.title, int(match.over), int(bool(result.places)), len(rounds)]
    seated = match.seated_players
    for seat, (name, tally) in enumerate(match.scores.items(), 1):
        there = [summary["round"] for summary in summaries if name in summary["before"]]
        yield [
            *head, name, seat, *known,
            result.places.get(name),
            int(name in result.winners) if name in result.places else None,
            tally,
            result.points[name],
            result.rounds.get(name, 0),
            sum(name in each.won for each in rounds),
            sum(name in each.lost for each in rounds),
            there[0] if there else None,
            there[-1] if there else None,
            int(name in seated),
        ]  # fmt: skip


def _head(listed: CatalogEntry) -> Cells:
    return [listed.name, listed.match.ruleset.name, listed.started, listed.place]
