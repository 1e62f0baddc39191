"""The SQL views of a book (docs/views.md), with the columns of `history/columns.py`.

A view `x` casts the columns of a view `_x`, which reads the JSON of the stored summaries. DuckDB's
own JSON functions return other values, so SQLite must evaluate `_x`. The condition of `_x`
therefore contains `likely`, a function that only SQLite has.

DuckDB also rewrites the SQL, so no view uses `count(*)`, LIKE as an operator, or IN with a query.
Older versions of SQLite do not have `->>`, and a view that they cannot parse would make the whole
book unreadable. Player names may contain any character, so they are never part of a JSON path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.history.columns import FLAG, INTEGER, NUMBER, VIEWS
from scorekeeper.match.summary import VERSION
from scorekeeper.ruleset.reports import LAST, NOTHING, STANDS
from scorekeeper.ruleset.tables import MATCH as ENDING
from scorekeeper.ruleset.tables import TALLY

if TYPE_CHECKING:
    from collections.abc import Mapping

# --- expressions on the summary of a round

# True if the result of a round was stored in the format of the current version.
SUMMARIZED = f"""(kept_rounds.entries_json <> ''
    AND json_extract(kept_rounds.summary, '$.version') = {VERSION})"""


def _get(path: str) -> str:
    """Return SQL for a value in a summary."""
    return f"json_extract(kept_rounds.summary, '$.{path}')"


def _each(path: str, alias: str) -> str:
    """Return SQL for a table with the items of a list or an object in a summary."""
    return f"json_each(kept_rounds.summary, '$.{path}') AS {alias}"


def _fact(name: str) -> str:
    """Return the JSON path of a fact in a summary."""
    return f'facts."{name}"'


def _get_of(path: str, player: str) -> str:
    """Return SQL for a player's value in an object of a summary."""
    return f"(SELECT item.value FROM {_each(path, 'item')} WHERE item.key = {player})"


def _is_in(path: str, player: str) -> str:
    """Return an SQL condition that is true if a list in a summary contains a player."""
    return f"EXISTS (SELECT 1 FROM {_each(path, 'item')} WHERE item.value = {player})"


def _display_name(name: str) -> str:
    """Return SQL for the display name of a player.

    This is the alias, or the written name if two players in the match would have the same name.
    """
    return f"""coalesce((
        SELECT alias.name FROM aliases AS alias WHERE alias.spelling = {name} AND NOT EXISTS (
            SELECT 1 FROM json_each(kept_matches.summary, '$.scores') AS one
            LEFT JOIN aliases AS theirs ON theirs.spelling = one.key
            GROUP BY lower(coalesce(theirs.name, one.key)) HAVING count(1) > 1
        )
    ), {name})"""


def _display_names(path: str) -> str:
    """Return SQL for the display names in a list of a summary, separated by commas."""
    return f"""(SELECT group_concat({_display_name("item.value")}, ', ')
        FROM {_each(path, "item")})"""


def _words_of(fact: str) -> str:
    """Return SQL for the words of a fact for the player `seat`, separated by spaces."""
    return f"""coalesce((SELECT group_concat(word.value, ' ') FROM {_each(_fact(fact), "item")},
        json_each(item.value) AS word WHERE item.key = seat.key), '')"""


def _side_words(path: str) -> str:
    """Return SQL for the words that apply to the side of `seat`.

    The words are read from strings like `SIDE: WORD x2` and `SIDE WORD`. A word with a count is
    repeated that many times.
    """
    rest = "substr(item.value, length(side.key) + 3)"
    head = f"rtrim({rest}, '0123456789')"  # the text up to the x before a count
    times = f"CAST(substr({rest}, length({head}) + 1) AS INTEGER)"
    word = f"substr({head}, 1, length({head}) - 1)"
    repeated = f"rtrim(replace(hex(zeroblob({times})), '00', {word}), ' ')"
    return f"""coalesce((
        SELECT group_concat(CASE
            WHEN substr(item.value, 1, length(side.key) + 2) <> side.key || ': ' THEN item.value
            WHEN {head} <> {rest} AND substr({head}, -2) = ' x' THEN {repeated}
            ELSE {rest} END, ' ')
        FROM {_each("sides", "side")}, json_each(side.value) AS one, {_each(path, "item")}
        WHERE one.value = seat.key AND (
            item.value = side.key OR substr(item.value, 1, length(side.key) + 1) = side.key || ' '
            OR substr(item.value, 1, length(side.key) + 2) = side.key || ': ')
    ), '')"""


def _role_points(role: str) -> str:
    """Return SQL for the total points in the score lines of a role."""
    return f"""(SELECT sum(json_extract(line.value, '$.points')) FROM {_each("lines", "line")}
        WHERE json_extract(line.value, '$.for') = {_get(f"roles.{role}.side")})"""


_GAIN, _LOSS = f"coalesce({_role_points('winners')}, 0)", f"(- {_role_points('losers')})"
_SIDE = f"""(SELECT side.key FROM {_each("sides", "side")}, json_each(side.value) AS one
    WHERE one.value = seat.key)"""

# --- expressions on a match and its rounds

_NUMBER = (
    "SELECT max(kept_rounds.number) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id"
)
_LOGGED = """SELECT CASE
        WHEN sum(CASE log.kind WHEN 'entry' THEN 1 WHEN 'undo' THEN -1 ELSE 0 END) > 0
        THEN max(log.round) END
    FROM log WHERE log.match = kept_matches.id"""
_SUMMARIES = f"""SELECT count(1) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND {SUMMARIZED}"""
_ROUNDS = f"coalesce(({_NUMBER}), ({_LOGGED}), 0)"
# True if a round is in progress, which means that the last stored round has no summary. If no round
# of a match is stored, its only round is in progress.
_UNFINISHED = f"""SELECT CASE WHEN ({_NUMBER}) IS NULL
    THEN kept_matches.summary IS NOT NULL AND ({_LOGGED}) IS NOT NULL
    ELSE EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
        AND kept_rounds.summary = 'null' AND kept_rounds.number = ({_NUMBER})) END"""
_PLAYERS = f"""(SELECT group_concat({_display_name("everybody.name")}, ', ') FROM (
    SELECT CASE typeof(item.key) WHEN 'text' THEN item.key ELSE item.value END AS name
    FROM json_each(coalesce(json_extract(kept_matches.summary, '$.scores'),
        kept_matches.players)) AS item) AS everybody)"""
_OVER = "coalesce(json_extract(kept_matches.summary, '$.over'), 0)"
_FINISHED = f"""kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND {SUMMARIZED} AND {_get("over")}"""
_WINS = f"coalesce(json_extract(rulesets.data, '$.match.wins'), '{ENDING['wins'].default}')"
_ENDS = f"coalesce(json_extract(rulesets.data, '$.match.ends'), '{ENDING['ends'].default}')"
_OUT = f"coalesce(json_extract(rulesets.data, '$.tally.out'), {1 if TALLY['out'].default else 0})"
_LEAST = f"coalesce(json_extract(rulesets.data, '$.tally.least'), {TALLY['least'].default})"
# True if the tallies count as a result although the match was stopped early.
_STOPPED_COUNTS = f"""CASE json_extract(rulesets.data, '$.history.stopped')
    WHEN '{STANDS}' THEN 1 WHEN '{NOTHING}' THEN 0
    ELSE lower({_ENDS}) IN ('0', 'false') AND {_WINS} <> '{LAST}' END"""
_DECIDED = f"({_OVER} OR (EXISTS (SELECT 1 FROM {_FINISHED}) AND {_STOPPED_COUNTS}))"


def _competes(player: str) -> str:
    """Return an SQL condition that is true if a player has a place in the result of a match.

    Such a player sits at the table at the end. If there is a finished round, the player must also
    have taken part in one.
    """
    return f"""(NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = {player})
        AND (NOT EXISTS (SELECT 1 FROM {_FINISHED})
            OR EXISTS (SELECT 1 FROM {_FINISHED} AND NOT {_is_in("sat_out", player)}
                AND EXISTS (SELECT 1 FROM {_each("before", "there")}
                    WHERE there.key = {player}))))"""


def _among(value: str, condition: str) -> str:
    """Return SQL for an aggregate over the players (`other`) who fulfil a condition."""
    return f"""(SELECT {value} FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE {condition})"""


def _is_out(tally: str) -> str:
    """Return an SQL condition that is true if a player with this tally is out of the match."""
    return f"({_OUT} AND {tally} <= {_LEAST})"


def _sum_rounds(value: str) -> str:
    """Return SQL for the sum of a player's values over the rounds of a match.

    `value` is SQL for the value in one round, in which the player is `seat`.
    """
    return f"""coalesce((SELECT sum({value}) FROM kept_rounds
        CROSS JOIN {_each("before", "seat")}
        WHERE kept_rounds.match = kept_matches.id AND {SUMMARIZED} AND seat.key = person.key), 0)"""


_IS_AHEAD = """EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.ahead') AS one
    WHERE one.value = person.key)"""
# The stored list of winners counts only if everyone at the table has played.
_HAS_WON = f"""CASE WHEN NOT ({_DECIDED} AND {_competes("person.key")}) THEN NULL
    WHEN {_among("count(1)", f"NOT {_competes('other.key')}")} = 0 THEN {_IS_AHEAD}
    WHEN {_WINS} = '{LAST}' THEN NOT {_is_out("person.value")}
        AND {_among("count(1)", f"{_competes('other.key')} AND NOT {_is_out('other.value')}")} = 1
    WHEN {_among("min(other.value) = max(other.value)", _competes("other.key"))} THEN 0
    WHEN {_WINS} = 'fewest' THEN person.value = {_among("min(other.value)", _competes("other.key"))}
    ELSE person.value = {_among("max(other.value)", _competes("other.key"))} END"""
_CHANGE = f"{_get_of('tally', 'seat.key')} - {_get_of('before', 'seat.key')}"
# Penalties in the unfinished round. The score sheet shows them, but no round summary contains them.
_SINCE = """coalesce((SELECT since.value FROM json_each(kept_matches.summary, '$.since') AS since
    WHERE since.key = person.key), 0)"""

# --- the SQL of each column, by view and name

_MATCH = {
    "match": "kept_matches.id",
    "ruleset": "kept_matches.ruleset",
    "started": "nullif(kept_matches.started, '')",
    "date": "nullif(kept_matches.day, '')",
    "place": "kept_matches.place",
}
_ROUND = {
    "round": "kept_rounds.number",
    "over": _get("over"),
    "void": _get("annulled"),
    **{name: _get(f"facts.{name}") for name in ("contract", "options", "bid", "trump", "level")},
    # The points that the winners gain or the losers lose, whichever is less. The two differ if one
    # side is a single player.
    "value": f"""coalesce({_get("facts.value")}, nullif(CASE
        WHEN {_LOSS} IS NULL OR abs({_GAIN}) <= abs({_LOSS}) THEN {_GAIN} ELSE {_LOSS} END, 0))""",
}
_ENTRY = [f"json_extract(entry.value, '$[{field}]')" for field in range(6)]
SQL: Mapping[str, Mapping[str, str]] = {
    "entries": {
        **_MATCH,
        "round": "kept_rounds.number",
        "number": "entry.key + 1",
        "entry": _ENTRY[0],
        "who": f"CASE {_ENTRY[1]} WHEN 'all' THEN 'all' ELSE {_display_name(_ENTRY[1])} END",
        "word": _ENTRY[2],
        "decision": f"coalesce({_ENTRY[3]}, '')",
        "verdict": f"coalesce({_ENTRY[4]}, 'legal')",
        "codes": f"coalesce({_ENTRY[5]}, '')",
    },
    "rounds": {
        **_MATCH,
        **_ROUND,
        "summarized": f"coalesce({SUMMARIZED}, 0)",
        "dealer": _display_name(_get("dealer")),
        "leader": _display_name(_get("leader")),
        "sat_out": _display_names("sat_out"),
        "winners": _display_names("won"),
    },
    "scores": {
        **_MATCH,
        **_ROUND,
        "player": _display_name("seat.key"),
        "seat": f"(SELECT count(1) FROM {_each('before', 'other')} WHERE other.id <= seat.id)",
        "dealer": f"{_get('dealer')} = seat.key",
        "leader": f"{_get('leader')} = seat.key",
        "sat_out": _is_in("sat_out", "seat.key"),
        "played": _is_in("present", "seat.key"),
        "roles": f"""coalesce((SELECT group_concat(role.key, ' ') FROM {_each("roles", "role")},
            json_each(role.value, '$.players') AS one WHERE one.value = seat.key), '')""",
        "change": _get_of("changes", "seat.key"),
        "tally": _get_of("tally", "seat.key"),
        "won": f"""CASE WHEN {_is_in("won", "seat.key")} THEN 1
            WHEN {_is_in("lost", "seat.key")} THEN 0 END""",
        "side": f"(SELECT {_display_name('own.side')} FROM (SELECT {_SIDE} AS side) AS own)",
        "card_points": f"""coalesce({_get_of(_fact("player.points"), "seat.key")},
            {_get_of(_fact("side.points"), _SIDE)})""",
        "calls": _words_of("player.calls"),
        "side_calls": _side_words("facts.calls"),
        "specials": _side_words("facts.specials"),
        "announced": _get_of(_fact("player.announced"), "seat.key"),
        "kept": _words_of("player.kept"),
        "own_specials": _words_of("player.specials"),
        "tricks": _get_of(_fact("player.tricks"), "seat.key"),
    },
    "matches": {
        **_MATCH,
        "title": "nullif(kept_matches.title, '')",
        "note": "nullif(kept_matches.note, '')",
        "players": _PLAYERS,
        "rounds": _ROUNDS,
        "rounds_missing": f"{_ROUNDS} - ({_SUMMARIES}) - ({_UNFINISHED})",
        "over": _OVER,
        "entered": "kept_matches.entries",
        "last": "kept_matches.last_time",
    },
    "players": {
        **_MATCH,
        "player": _display_name("person.key"),
        "seat": _among("count(1)", "other.id <= person.id"),
        "over": _OVER,
        "decided": f"{_DECIDED} AND {_among('count(1)', _competes('other.key'))} > 0",
        "won": _HAS_WON,
        "tally": "person.value",
        "points": f"{_sum_rounds(_CHANGE)} + {_SINCE}",
        "rounds": _sum_rounds(f"{_get('over')} AND {_is_in('present', 'seat.key')}"),
        "rounds_won": _sum_rounds(_is_in("won", "seat.key")),
        "rounds_lost": _sum_rounds(_is_in("lost", "seat.key")),
    },
}
_TABLE = "kept_matches JOIN kept_rounds ON kept_rounds.match = kept_matches.id"
_FROM = {
    "entries": f"""{_TABLE} CROSS JOIN json_each(kept_rounds.entries_json) AS entry
        WHERE likely({SUMMARIZED})""",
    "rounds": f"{_TABLE} WHERE likely(1)",
    "scores": f"{_TABLE} CROSS JOIN {_each('before', 'seat')} WHERE likely({SUMMARIZED})",
    "matches": "kept_matches WHERE likely(1)",
    "players": """kept_matches JOIN rulesets ON rulesets.ruleset_sha = kept_matches.ruleset_sha
        CROSS JOIN json_each(kept_matches.summary, '$.scores') AS person WHERE likely(1)""",
}


def statements() -> list[str]:
    """Return the statements that create the views, in the order in which to execute them."""
    created: list[str] = []
    for view, columns in VIEWS.items():
        inner = ", ".join(f'{SQL[view][column.name]} AS "{column.name}"' for column in columns)
        # Both SQLite and DuckDB have these types.
        types = {INTEGER: "BIGINT", FLAG: "BIGINT", NUMBER: "NUMERIC"}
        kinds = {column.name: types.get(column.type, "TEXT")
                 for column in columns}  # fmt: skip
        typed = ", ".join(f'CAST(_{view}."{name}" AS {kinds[name]}) AS "{name}"' for name in kinds)
        created.append(f"CREATE VIEW _{view} AS SELECT {inner} FROM {_FROM[view]}")
        created.append(f"CREATE VIEW {view} AS SELECT {typed} FROM _{view}")
    return created
