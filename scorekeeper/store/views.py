"""The book's views: what its matches came to, for those who ask it in SQL (docs/views.md).

Five of them are for people. Each only says which types the columns have of another of the same
name after `_`, which SQLite makes of the JSON of the summaries. That one has a `likely`, which
SQLite alone knows: DuckDB asks SQLite for it then, where else it would read the JSON by its own
functions, which say something else. DuckDB also writes the SQL anew: so nothing is counted by
an asterisk, LIKE is a function, and IN has no query. `->>` is younger than some SQLite that there
is, and a view that cannot be parsed would make the book unreadable there.

Names of players are looked up, never put into a path: they may hold any character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.match.summary import VERSION
from scorekeeper.ruleset.reports import LAST, NOTHING, STANDS
from scorekeeper.ruleset.tables import MATCH as ENDING
from scorekeeper.ruleset.tables import TALLY

if TYPE_CHECKING:
    from collections.abc import Mapping

INTEGER, TEXT = "BIGINT", "TEXT"  # as both SQLite and DuckDB understand them

# A round of which it is kept what it came to, as this version makes it.
SUMMARIZED = (
    f"(kept_rounds.told <> '' AND json_extract(kept_rounds.summary, '$.version') = {VERSION})"
)


def _in(path: str) -> str:
    """What a summary says."""
    return f"json_extract(kept_rounds.summary, '$.{path}')"


def _fact(name: str) -> str:
    """Where a summary has a fact."""
    return f'facts."{name}"'


def _each(path: str, name: str) -> str:
    """The items of what a summary says, as a table."""
    return f"json_each(kept_rounds.summary, '$.{path}') AS {name}"


def _told(name: str) -> str:
    """How somebody in a match is told: by the aliases, unless two in it would be told alike; then
    as they are written."""
    return f"""coalesce((
        SELECT told.name FROM aliases AS told WHERE told.spelling = {name} AND NOT EXISTS (
            SELECT 1 FROM json_each(kept_matches.summary, '$.scores') AS one
            LEFT JOIN aliases AS theirs ON theirs.spelling = one.key
            GROUP BY lower(coalesce(theirs.name, one.key)) HAVING count(1) > 1
        )
    ), {name})"""


def _names(path: str, joint: str) -> str:
    """The names in a list of a summary, as they are told."""
    return f"(SELECT group_concat({_told('listed.value')}, '{joint}') FROM {_each(path, 'listed')})"


def _sat_out(who: str) -> str:
    """Whether somebody sat out in a round."""
    return f"EXISTS (SELECT 1 FROM {_each('sat_out', 'away')} WHERE away.value = {who})"


def _is(which: str, who: str) -> str:
    """Whether somebody is among those who took part in a round, have won or have lost it."""
    return f"EXISTS (SELECT 1 FROM {_each(which, 'listed')} WHERE listed.value = {who})"


def _of(path: str, who: str) -> str:
    """What a summary says of somebody."""
    return f"(SELECT found.value FROM {_each(path, 'found')} WHERE found.key = {who})"


def _listed(fact: str) -> str:
    """The words of a player's list."""
    return (
        f"coalesce((SELECT group_concat(said.value, ' ') FROM {_each(_fact(fact), 'listed')},"
        " json_each(listed.value) AS said WHERE listed.key = seat.key), '')"
    )


def _points(role: str) -> str:
    """The sum of a role's score lines."""
    return (
        f"(SELECT sum(json_extract(line.value, '$.points')) FROM {_each('lines', 'line')}"
        f" WHERE json_extract(line.value, '$.for') = {_in(f'roles.{role}.side')})"
    )


_GAIN, _LOSS = f"coalesce({_points('winners')}, 0)", f"(- {_points('losers')})"
# What the winners' rows come to; where one side is a single player, what it is to the other.
VALUE = f"""coalesce({_in("facts.value")}, nullif(CASE
    WHEN {_LOSS} IS NULL OR abs({_GAIN}) <= abs({_LOSS}) THEN {_GAIN} ELSE {_LOSS} END, 0))"""
SIDE = (
    f"(SELECT side.key FROM {_each('sides', 'side')}, json_each(side.value) AS one"
    " WHERE one.value = seat.key)"
)
WON = f"""CASE WHEN {_is("won", "seat.key")} THEN 1
    WHEN {_is("lost", "seat.key")} THEN 0 END"""


def _sided(path: str) -> str:
    """What texts like `SIDE: WORD x2` and `SIDE WORD` say of a player's side; what they count
    several times comes so often."""
    what = "substr(said.value, length(side.key) + 3)"
    head = f"rtrim({what}, '0123456789')"  # with the x before a number
    times = f"CAST(substr({what}, length({head}) + 1) AS INTEGER)"
    word = f"substr({head}, 1, length({head}) - 1)"
    often = f"rtrim(replace(hex(zeroblob({times})), '00', {word}), ' ')"
    return f"""coalesce((
        SELECT group_concat(CASE
            WHEN substr(said.value, 1, length(side.key) + 2) <> side.key || ': ' THEN said.value
            WHEN {head} <> {what} AND substr({head}, -2) = ' x' THEN {often}
            ELSE {what} END, ' ')
        FROM {_each("sides", "side")}, json_each(side.value) AS one, {_each(path, "said")}
        WHERE one.value = seat.key AND (
            said.value = side.key OR substr(said.value, 1, length(side.key) + 1) = side.key || ' '
            OR substr(said.value, 1, length(side.key) + 2) = side.key || ': ')
    ), '')"""


MATCH = {
    "match": (INTEGER, "kept_matches.id"),
    "ruleset": (TEXT, "kept_matches.ruleset"),
    "started": (TEXT, "nullif(kept_matches.started, '')"),
    "date": (TEXT, "nullif(kept_matches.day, '')"),
    "place": (TEXT, "kept_matches.place"),
}
_KEPT = "SELECT max(kept_rounds.number) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id"
_LOGGED = """SELECT CASE
        WHEN sum(CASE log.kind WHEN 'entry' THEN 1 WHEN 'undo' THEN -1 ELSE 0 END) > 0
        THEN max(log.round) END
    FROM log WHERE log.match = kept_matches.id"""
_WHOLE = f"""SELECT count(1) FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND {SUMMARIZED}"""
# The last round that is kept goes on where it has no summary; where something is kept of the match
# and of no round, its only round does.
_GOES_ON = f"""SELECT CASE WHEN ({_KEPT}) IS NULL
    THEN kept_matches.summary IS NOT NULL AND ({_LOGGED}) IS NOT NULL
    ELSE EXISTS (SELECT 1 FROM kept_rounds WHERE kept_rounds.match = kept_matches.id
        AND kept_rounds.summary = 'null' AND kept_rounds.number = ({_KEPT})) END"""
_NAMES = f"""SELECT group_concat({_told("everybody.name")}, ', ') FROM (
    SELECT CASE typeof(listed.key) WHEN 'text' THEN listed.key ELSE listed.value END AS name
    FROM json_each(coalesce(json_extract(kept_matches.summary, '$.scores'),
        kept_matches.players)) AS listed) AS everybody"""
OVER = "coalesce(json_extract(kept_matches.summary, '$.over'), 0)"
# The rounds of a match of which it is kept what they came to, and that are finished.
_FINISHED = f"""kept_rounds WHERE kept_rounds.match = kept_matches.id
    AND {SUMMARIZED} AND {_in("over")}"""
_WINS = f"coalesce(json_extract(rulesets.data, '$.match.wins'), '{ENDING['wins'].default}')"
_ENDS = f"coalesce(json_extract(rulesets.data, '$.match.ends'), '{ENDING['ends'].default}')"
_OUT = f"coalesce(json_extract(rulesets.data, '$.tally.out'), {1 if TALLY['out'].default else 0})"
_LEAST = f"coalesce(json_extract(rulesets.data, '$.tally.least'), {TALLY['least'].default})"
# Whether what stands when the table stops is the result.
_STANDS = f"""CASE json_extract(rulesets.data, '$.history.stopped')
    WHEN '{STANDS}' THEN 1 WHEN '{NOTHING}' THEN 0
    ELSE lower({_ENDS}) IN ('0', 'false') AND {_WINS} <> '{LAST}' END"""
# Whether a match came to something: it is over, or what stands is the result.
DECIDED = f"({OVER} OR (EXISTS (SELECT 1 FROM {_FINISHED}) AND {_STANDS}))"


def _competes(who: str) -> str:
    """Whether somebody in a match has a place in it: they sit there at the end, and took part in a
    round, if there is one."""
    return f"""(NOT EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.left') AS gone
            WHERE gone.value = {who})
        AND (NOT EXISTS (SELECT 1 FROM {_FINISHED})
            OR EXISTS (SELECT 1 FROM {_FINISHED} AND NOT {_sat_out(who)}
                AND EXISTS (SELECT 1 FROM {_each("before", "there")} WHERE there.key = {who}))))"""


def _among(what: str, condition: str) -> str:
    """What is asked of all in a match of whom something holds."""
    return f"""(SELECT {what} FROM json_each(kept_matches.summary, '$.scores') AS other
        WHERE {condition})"""


def _out(tally: str) -> str:
    """Whether somebody with that tally is out of the match."""
    return f"({_OUT} AND {tally} <= {_LEAST})"


_AHEAD = """EXISTS (SELECT 1 FROM json_each(kept_matches.summary, '$.ahead') AS one
    WHERE one.value = person.key)"""
# Whether somebody has won; where others only sit there, whether they are ahead of those who played.
_HAS_WON = f"""CASE WHEN NOT ({DECIDED} AND {_competes("person.key")}) THEN NULL
    WHEN {_among("count(1)", f"NOT {_competes('other.key')}")} = 0 THEN {_AHEAD}
    WHEN {_WINS} = '{LAST}' THEN NOT {_out("person.value")}
        AND {_among("count(1)", f"{_competes('other.key')} AND NOT {_out('other.value')}")} = 1
    WHEN {_among("min(other.value) = max(other.value)", _competes("other.key"))} THEN 0
    WHEN {_WINS} = 'fewest' THEN person.value = {_among("min(other.value)", _competes("other.key"))}
    ELSE person.value = {_among("max(other.value)", _competes("other.key"))} END"""


def _summed(what: str) -> str:
    """A sum over the rounds of a match, of what is said of somebody's `seat` in them."""
    return f"""coalesce((SELECT sum({what}) FROM kept_rounds
        CROSS JOIN {_each("before", "seat")}
        WHERE kept_rounds.match = kept_matches.id AND {SUMMARIZED} AND seat.key = person.key), 0)"""


MATCHES = {
    **MATCH,
    "title": (TEXT, "nullif(kept_matches.title, '')"),
    "note": (TEXT, "nullif(kept_matches.note, '')"),
    "players": (TEXT, f"({_NAMES})"),
    "rounds": (INTEGER, f"coalesce(({_KEPT}), ({_LOGGED}), 0)"),
    "rounds_missing": (
        INTEGER,
        f"coalesce(({_KEPT}), ({_LOGGED}), 0) - ({_WHOLE}) - ({_GOES_ON})",
    ),
    "over": (INTEGER, OVER),
    "entered": (INTEGER, "kept_matches.entries"),
    "last": (TEXT, "kept_matches.last"),
}
_CHANGE = f"{_of('tally', 'seat.key')} - {_of('before', 'seat.key')}"
# What the round that goes on has changed on the sheet: penalties between rounds.
_SINCE = """coalesce((SELECT since.value FROM json_each(kept_matches.summary, '$.since') AS since
    WHERE since.key = person.key), 0)"""
PLAYERS = {
    **MATCH,
    "player": (TEXT, _told("person.key")),
    "seat": (INTEGER, _among("count(1)", "other.id <= person.id")),
    "over": (INTEGER, OVER),
    "decided": (INTEGER, f"{DECIDED} AND {_among('count(1)', _competes('other.key'))} > 0"),
    "won": (INTEGER, _HAS_WON),
    "tally": (INTEGER, "person.value"),
    "points": (INTEGER, f"{_summed(_CHANGE)} + {_SINCE}"),
    "rounds": (INTEGER, _summed(f"{_in('over')} AND {_is('present', 'seat.key')}")),
    "rounds_won": (INTEGER, _summed(_is("won", "seat.key"))),
    "rounds_lost": (INTEGER, _summed(_is("lost", "seat.key"))),
}
FACTS = ("contract", "options", "bid", "trump", "level")
ROUND = {
    "round": (INTEGER, "kept_rounds.number"),
    "over": (INTEGER, _in("over")),
    "void": (INTEGER, _in("annulled")),
    **{name: (TEXT, _in(f"facts.{name}")) for name in FACTS},
    "value": (INTEGER, VALUE),
}
ROUNDS = {
    **MATCH,
    **ROUND,
    "summarized": (INTEGER, f"coalesce({SUMMARIZED}, 0)"),
    "dealer": (TEXT, _told(_in("dealer"))),
    "leader": (TEXT, _told(_in("leader"))),
    "sat_out": (TEXT, _names("sat_out", ", ")),
    "winners": (
        TEXT,
        _names("won", ", "),
    ),
}
SCORES = {
    **MATCH,
    **ROUND,
    "player": (TEXT, _told("seat.key")),
    "seat": (
        INTEGER,
        f"(SELECT count(1) FROM {_each('before', 'other')} WHERE other.id <= seat.id)",
    ),
    "dealer": (INTEGER, f"{_in('dealer')} = seat.key"),
    "leader": (INTEGER, f"{_in('leader')} = seat.key"),
    "sat_out": (INTEGER, _sat_out("seat.key")),
    "played": (INTEGER, _is("present", "seat.key")),
    "roles": (
        TEXT,
        f"coalesce((SELECT group_concat(role.key, ' ') FROM {_each('roles', 'role')},"
        " json_each(role.value, '$.players') AS one WHERE one.value = seat.key), '')",
    ),
    "change": (INTEGER, _of("changes", "seat.key")),
    "tally": (INTEGER, _of("tally", "seat.key")),
    "won": (INTEGER, WON),
    "side": (TEXT, f"(SELECT {_told('own.side')} FROM (SELECT {SIDE} AS side) AS own)"),
    "card_points": (
        INTEGER,
        f"coalesce({_of(_fact('player.points'), 'seat.key')}, {_of(_fact('side.points'), SIDE)})",
    ),
    "calls": (TEXT, _listed("player.calls")),
    "side_calls": (TEXT, _sided("facts.calls")),
    "specials": (TEXT, _sided("facts.specials")),
    "announced": (TEXT, _of(_fact("player.announced"), "seat.key")),
    "kept": (TEXT, _listed("player.kept")),
    "own_specials": (TEXT, _listed("player.specials")),
    "tricks": (INTEGER, _of(_fact("player.tricks"), "seat.key")),
}


def _entry(field: int) -> str:
    return f"json_extract(entry.value, '$[{field}]')"


ENTRIES = {
    **MATCH,
    "round": (INTEGER, "kept_rounds.number"),
    "number": (INTEGER, "entry.key + 1"),
    "entry": (TEXT, _entry(0)),
    "who": (TEXT, f"CASE {_entry(1)} WHEN 'all' THEN 'all' ELSE {_told(_entry(1))} END"),
    "word": (TEXT, _entry(2)),
    "decision": (TEXT, f"coalesce({_entry(3)}, '')"),
    "verdict": (TEXT, f"coalesce({_entry(4)}, 'legal')"),
    "codes": (TEXT, f"coalesce({_entry(5)}, '')"),
}
_TABLE = "kept_matches JOIN kept_rounds ON kept_rounds.match = kept_matches.id"

# Each view's columns, and what it is made of.
VIEWS: Mapping[str, tuple[Mapping[str, tuple[str, str]], str]] = {
    "entries": (ENTRIES, f"{_TABLE} CROSS JOIN json_each(kept_rounds.told) AS entry"
                f" WHERE likely({SUMMARIZED})"),
    "rounds": (ROUNDS, f"{_TABLE} WHERE likely(1)"),
    "scores": (SCORES, f"{_TABLE} CROSS JOIN {_each('before', 'seat')} WHERE likely({SUMMARIZED})"),
    "matches": (MATCHES, "kept_matches WHERE likely(1)"),
    "players": (PLAYERS, "kept_matches JOIN rulesets ON rulesets.sha = kept_matches.sha"
                " CROSS JOIN json_each(kept_matches.summary, '$.scores') AS person"
                " WHERE likely(1)"),
}  # fmt: skip


def statements() -> list[str]:
    """What makes the views."""
    made: list[str] = []
    for name, (columns, table) in VIEWS.items():
        inner = ", ".join(f'{sql} AS "{column}"' for column, (_, sql) in columns.items())
        typed = ", ".join(
            f'CAST(_{name}."{column}" AS {kind}) AS "{column}"'
            for column, (kind, _) in columns.items()
        )
        made.append(f"CREATE VIEW _{name} AS SELECT {inner} FROM {table}")
        made.append(f"CREATE VIEW {name} AS SELECT {typed} FROM _{name}")
    return made
