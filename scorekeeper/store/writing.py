"""How a book's rows are written: each with the checksum of all that it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.store.checks import as_json, now
from scorekeeper.store.tables import COLUMNS, MatchValues, checksum, select

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from scorekeeper.store.protocol import LogRow, NewMatch, RoundRow, Rules

    Value: TypeAlias = int | str | None

_NEXT_TOUCH = "SELECT coalesce(max(touched), 0) + 1 FROM kept_matches"


def add_rules(connection: sqlite3.Connection, rules: Rules, data: str) -> None:
    """Store a ruleset, unless there is one of that SHA-256."""
    _insert(connection, "rulesets", [(rules.sha, rules.text, data)], "OR IGNORE")


def match_values(new: NewMatch) -> dict[str, Value]:
    """What a new match says of itself; the rest the schema has."""
    return {
        "ruleset": new.ruleset, "sha": new.rules.sha, "players": as_json(list(new.players)),
        "options": as_json(dict(new.options)), "started": new.started, "place": new.place,
        "language": new.language, "title": new.title, "note": new.note,
        "identifier": new.identifier, "last": now(),
    }  # fmt: skip


def add_match(connection: sqlite3.Connection, values: dict[str, Value]) -> MatchValues:
    """Store a new match, and give it as it is kept."""
    values = {**values, "touched": _next_touch(connection)}
    columns, places = ", ".join(values), ", ".join("?" * len(values))
    query = f"INSERT INTO kept_matches ({columns}) VALUES ({places})"
    cursor = connection.execute(query, (*values.values(),))
    found = connection.execute(f"{select('kept_matches')} WHERE id = ?", (cursor.lastrowid,))
    match = MatchValues._make(found.fetchone()[:-1])
    _seal(connection, match, {})
    return match


def change_match(connection: sqlite3.Connection, before: MatchValues, after: MatchValues) -> None:
    """Store what a match says now, where that is something else."""
    changed = {
        name: now for name, was, now in zip(after._fields, before, after, strict=True) if was != now
    }
    if changed:
        _seal(connection, after, changed)


def _seal(connection: sqlite3.Connection, match: MatchValues, changed: dict[str, Value]) -> None:
    columns = "".join(f"{name} = ?, " for name in changed)
    query = f"UPDATE kept_matches SET {columns}checksum = ? WHERE id = ?"
    connection.execute(query, (*changed.values(), checksum(match), match.id))


def touched(
    connection: sqlite3.Connection, match: MatchValues, rows: Sequence[LogRow]
) -> MatchValues:
    """A match after these rows of its log were written."""
    return match._replace(
        position=rows[-1].position,
        last=rows[-1].time,
        entries=match.entries + sum(row.kind == "entry" for row in rows),
        touched=_next_touch(connection),
        fingerprint=None,
    )


def _next_touch(connection: sqlite3.Connection) -> int:
    return int(connection.execute(_NEXT_TOUCH).fetchone()[0])


def add_log(connection: sqlite3.Connection, match_id: int, rows: Sequence[LogRow]) -> None:
    """Store rows of a match's log."""
    values = [
        (match_id, row.position, row.kind, row.round, row.number, row.text, row.decision, row.time,
         row.recorder)
        for row in rows
    ]  # fmt: skip
    _insert(connection, "log", values)


def round_values(match_id: int, row: RoundRow) -> tuple[Value, ...]:
    """A cached round as it is kept."""
    standing, summary = as_json(row.standing), as_json(row.summary)
    return match_id, row.number, row.first_position, standing, summary, row.told


def put_rounds(connection: sqlite3.Connection, rows: Sequence[tuple[Value, ...]]) -> None:
    """Cache rounds, in the place of those of the same number."""
    _insert(connection, "kept_rounds", rows, "OR REPLACE")


def drop_rounds(connection: sqlite3.Connection, match_id: int, first: int) -> None:
    """Forget the cached rounds of a match from that number on."""
    query = "DELETE FROM kept_rounds WHERE match = ? AND number >= ?"
    connection.execute(query, (match_id, first))


def erase(connection: sqlite3.Connection, match_id: int) -> None:
    """Erase a match, and then all that is kept of it."""
    connection.execute("PRAGMA defer_foreign_keys = ON")
    connection.execute("DELETE FROM kept_matches WHERE id = ?", (match_id,))
    for table in ("log", "kept_rounds"):
        connection.execute(f"DELETE FROM {table} WHERE match = ?", (match_id,))


def put_aliases(connection: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Store how spellings of names are told; as they are written where that is ""."""
    connection.executemany("DELETE FROM aliases WHERE spelling = ?", [(each,) for each in names])
    _insert(connection, "aliases", [pair for pair in names.items() if pair[1]])


def _insert(
    connection: sqlite3.Connection, table: str, rows: Sequence[Sequence[object]], how: str = ""
) -> None:
    columns = (*COLUMNS[table], "checksum")
    places = ", ".join("?" * len(columns))
    query = f"INSERT {how} INTO {table} ({', '.join(columns)}) VALUES ({places})"
    connection.executemany(query, [(*row, checksum(row)) for row in rows])


def put_mark(connection: sqlite3.Connection, match_id: int, position: int | None) -> None:
    """Mark a position of a match's log, or none, where the match is there."""
    connection.execute("DELETE FROM marks WHERE match = ?", (match_id,))
    if position is not None:
        connection.execute(
            "INSERT INTO marks SELECT id, ? FROM kept_matches WHERE id = ?", (position, match_id)
        )
