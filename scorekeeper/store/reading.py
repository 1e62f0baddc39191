"""What a book's rows say. Each is compared with its checksum; what does not agree is `Damaged`."""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr
from scorekeeper.store import faults
from scorekeeper.store.checks import missing
from scorekeeper.store.protocol import MOST_ALIKE, Conflict, LogRow, MatchRow, RoundRow, Rules
from scorekeeper.store.tables import MatchValues, checksum, select

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Plain

_LARGEST = 2**63 - 1
_ONE_MATCH = f"{select('kept_matches')} WHERE id = ?"
_ONE_RULESET = f"{select('rulesets')} WHERE sha = ?"
_LOG = f"{select('log')} WHERE match = ? AND position >= ? ORDER BY position"
_ROUNDS = f"{select('kept_rounds')} WHERE match = ? AND number >= ? ORDER BY number"
_ROUNDS_OF = (
    f"{select('kept_rounds')} WHERE match IN (SELECT value FROM json_each(?))"
    " ORDER BY match, number"
)
_LAST_ROUND = (
    f"{select('kept_rounds')} WHERE match = ? AND first_position NOTNULL"
    " ORDER BY number DESC LIMIT 1"
)
_SOME_MATCHES = f"{select('kept_matches')} WHERE id > ? ORDER BY id LIMIT ?"
_BEGUN = "SELECT started FROM kept_matches ORDER BY id"
# One question for each way to be alike: to an OR of them the database goes through all that these
# players have played.
# A plus keeps a column out of the choice of an index: of one evening there are few.
_ALIKE = tuple(
    f"{select('kept_matches')} WHERE players = :players AND {how}"
    for how in (
        "fingerprint IS NULL",
        "started = :started AND +fingerprint = :fingerprint",
        f"fingerprint = :fingerprint AND +started != :started ORDER BY id LIMIT {MOST_ALIKE}",
        "started = nullif(:started, '') AND fingerprint != :fingerprint"
        f" ORDER BY id LIMIT {MOST_ALIKE}",
    )
)
_IDENTIFIED = f"{select('kept_matches')} WHERE identifier = ? ORDER BY id"
# Both are answered by the index of `touched`, and so are compared with the table's own answer.
_LAST_TOUCHED = "SELECT id, touched FROM kept_matches ORDER BY touched DESC LIMIT 1"
_COUNT = (
    "SELECT count(*) FROM kept_matches INDEXED BY sqlite_autoindex_kept_matches_1"
    " WHERE id > ? AND id <= ?"
)


def match_values(connection: sqlite3.Connection, path: str, match_id: int) -> MatchValues:
    """A match as it is kept. Raises Unreadable, with the ids there are, if it is not there."""
    known = abs(match_id) <= _LARGEST
    row = connection.execute(_ONE_MATCH, (match_id,)).fetchone() if known else None
    if row is None:
        raise missing([each.id for each in some_matches(connection, path)], match_id)
    return MatchValues._make(_vouched(path, row))


def some_matches(
    connection: sqlite3.Connection, path: str, after: int = 0, most: int | None = None
) -> list[MatchValues]:
    """Matches after a number as they are kept, the oldest first."""
    found = connection.execute(_SOME_MATCHES, (after, -1 if most is None else most)).fetchall()
    last = _LARGEST if most is None or len(found) < most else found[-1][0]
    if connection.execute(_COUNT, (after, last)).fetchone()[0] != len(found):
        raise faults.damaged(path)
    return [MatchValues._make(_vouched(path, row)) for row in found]


def alike(
    connection: sqlite3.Connection, path: str, players: str, started: str, fingerprint: str
) -> list[MatchValues]:
    """The matches that look like one, see `Store.alike`."""
    told = {"players": players, "started": started, "fingerprint": fingerprint}
    found = [row for question in _ALIKE for row in connection.execute(question, told)]
    return sorted(MatchValues._make(_vouched(path, row)) for row in found)


def identified(connection: sqlite3.Connection, path: str, identifier: str) -> list[MatchValues]:
    """The matches of that identifier, the oldest first."""
    found = connection.execute(_IDENTIFIED, (identifier,))
    return [MatchValues._make(_vouched(path, row)) for row in found]


def aliases(connection: sqlite3.Connection, path: str) -> dict[str, str]:
    """How spellings of names are told."""
    told: dict[str, str] = {}
    for row in connection.execute(f"{select('aliases')} ORDER BY spelling"):
        spelling, name = _vouched(path, row)
        told[spelling] = name
    return told


def last_touched(connection: sqlite3.Connection, path: str) -> int:
    """The match last created or recorded in. Raises Unreadable if there is none."""
    found = connection.execute(_LAST_TOUCHED).fetchone()
    if found is None:
        raise missing([each.id for each in some_matches(connection, path)], None)
    match_id, touched = found
    # The answer is an index's: the match itself must say the same.
    if match_values(connection, path, match_id).touched != touched:
        raise faults.damaged(path)
    return int(match_id)


def match_row(path: str, values: MatchValues) -> MatchRow:
    """A match as it is listed. Raises Damaged for what no match is listed as."""
    players, options = _loaded(path, values.players), _loaded(path, values.options)
    named = isinstance(players, list) and all(isinstance(name, str) for name in players)
    if not named or not isinstance(options, dict):
        raise faults.damaged_match(path, values.id)
    return MatchRow(
        values.id,
        values.ruleset,
        values.sha,
        players,
        options,
        values.started,
        values.place,
        values.entries,
        values.last,
        _loaded(path, values.summary),
        values.language,
        values.fingerprint,
        values.title,
        values.note,
        values.identifier,
    )


def rules(connection: sqlite3.Connection, path: str, sha: str) -> Rules:
    """A ruleset. Raises Damaged if the book has none such."""
    sha, text, data = _ruleset(connection, path, sha)
    return Rules(sha, text, _loaded(path, data))


def rules_text(connection: sqlite3.Connection, path: str, sha: str) -> str:
    """The text of a ruleset. Raises Damaged if the book has none such."""
    _, text, _ = _ruleset(connection, path, sha)
    return text


def _ruleset(connection: sqlite3.Connection, path: str, sha: str) -> tuple[str, str, str]:
    row = connection.execute(_ONE_RULESET, (sha,)).fetchone()
    if row is None:
        raise Damaged(
            tr("the book {path} has no ruleset {sha}", path=path, sha=sha), tr(faults.RESCUE)
        )
    sha, text, data = _vouched(path, row)
    return sha, text, data


def expect(connection: sqlite3.Connection, path: str, match: MatchValues, seen: int) -> None:
    """Raises Conflict if a match's log goes on after position `seen`, Damaged if it ends before."""
    if match.position > seen:
        rows = log_rows(connection, path, match.id, seen + 1, match.position)
        raise Conflict(rows, match.position)
    if match.position < seen:
        raise Damaged(
            tr(
                "match {match} ends at position {position}, not at {seen}",
                match=match.id,
                position=match.position,
                seen=seen,
            ),
            tr("the book {path} was changed by something else; open the match again", path=path),
        )


def log_rows(
    connection: sqlite3.Connection, path: str, match_id: int, first: int, last: int
) -> list[LogRow]:
    """The log from `first` on, which must be there up to `last`."""
    rows: list[LogRow] = []
    for row in connection.execute(_LOG, (match_id, first)):
        if checksum(row[:-1]) != row[-1] or row[1] != first + len(rows):
            raise faults.damaged(path)
        _, position, kind, number, entry, text, decision, moment, recorder, _ = row
        rows.append(LogRow(kind, number, entry, text, decision, recorder, moment, position))
    if len(rows) != max(0, last + 1 - first):
        raise faults.damaged(path)
    return rows


def rounds(connection: sqlite3.Connection, path: str, match_id: int, first: int) -> list[RoundRow]:
    """The cached rounds of a match in order, from a number on."""
    return _kept(connection, path, _ROUNDS, match_id, first)


def rounds_of(
    connection: sqlite3.Connection, path: str, match_ids: Sequence[int]
) -> dict[int, list[RoundRow]]:
    """The cached rounds of each of these matches in order."""
    found: dict[int, list[RoundRow]] = {match_id: [] for match_id in match_ids}
    try:
        for row in connection.execute(_ROUNDS_OF, (json.dumps(list(match_ids)),)):
            found[row[0]].append(_round(path, row))
    except sqlite3.OperationalError as error:
        if not faults.is_no_text(error):
            raise
        for match_id in match_ids:  # which of them it is
            rounds(connection, path, match_id, 1)
        raise
    return found


def begun(connection: sqlite3.Connection) -> list[str]:
    """When each match was begun, as it says."""
    return [started for (started,) in connection.execute(_BEGUN)]


def last_round(connection: sqlite3.Connection, path: str, match_id: int) -> RoundRow | None:
    """The last cached round of a match that one can go on from, None if there is none."""
    found = _kept(connection, path, _LAST_ROUND, match_id)
    return found[0] if found else None


def _kept(
    connection: sqlite3.Connection, path: str, query: str, match_id: int, *others: int
) -> list[RoundRow]:
    """Cached rounds of one match."""
    try:
        return [_round(path, row) for row in connection.execute(query, (match_id, *others))]
    except sqlite3.OperationalError as error:
        if not faults.is_no_text(error):
            raise
        raise faults.damaged_rounds(path, match_id) from error


def _round(path: str, row: Sequence[Plain]) -> RoundRow:
    match, number, first, standing, summary, told = row[:-1]
    if checksum(row[:-1]) != row[-1]:
        raise faults.damaged_round(path, match, number)
    if type(number) is int and isinstance(first, int | None) and isinstance(told, str):
        with suppress(TypeError, ValueError, RecursionError):
            return RoundRow(number, first, _plain(standing), _plain(summary), told)
    raise faults.damaged_round(path, match, number)


def _vouched(path: str, row: Sequence[Plain]) -> Sequence[Plain]:
    """A row without its checksum. Raises Damaged if that says otherwise."""
    if checksum(row[:-1]) != row[-1]:
        raise faults.damaged(path)
    return row[:-1]


def _no_number(text: str) -> Plain:
    """What some take for a number, and JSON does not."""
    raise ValueError(text)


_plain = json.JSONDecoder(parse_constant=_no_number).decode


def _loaded(path: str, text: str) -> Plain:
    try:
        return _plain(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise faults.damaged(path) from error


def is_marked(connection: sqlite3.Connection, match_id: int) -> bool:
    """Whether the last position of a match's log is marked."""
    query = """SELECT 1 FROM marks JOIN kept_matches ON kept_matches.id = marks.match
               WHERE marks.match = ? AND marks.position = kept_matches.position"""
    return connection.execute(query, (match_id,)).fetchone() is not None
