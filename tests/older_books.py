"""Books as older versions of the schema had them, made of one of today."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from scorekeeper.store.tables import checksum, select

if TYPE_CHECKING:
    from pathlib import Path

LATER = ("title", "note", "identifier")


def fifth_book(path: Path) -> None:
    """The same book as the fifth schema had it: no views, and other names of two tables."""
    connection = sqlite3.connect(path, isolation_level=None)
    views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
    for (view,) in views:
        connection.execute(f"DROP VIEW {view}")
    rows = connection.execute(select("kept_rounds", but=["told"])).fetchall()
    connection.execute("ALTER TABLE kept_rounds DROP COLUMN told")
    for row in rows:
        connection.execute(
            "UPDATE kept_rounds SET checksum = ? WHERE match = ? AND number = ?",
            (checksum(row[:-1]), *row[:2]),
        )
    connection.execute("ALTER TABLE kept_matches RENAME TO matches")
    connection.execute("ALTER TABLE kept_rounds RENAME TO rounds")
    connection.execute("PRAGMA user_version = 5")
    connection.close()


def third_book(path: Path) -> None:
    """The same book as the third schema had it."""
    fifth_book(path)
    connection = sqlite3.connect(path, isolation_level=None)
    rows = connection.execute(select("kept_matches", but=LATER, called="matches")).fetchall()
    connection.execute("DROP INDEX matches_identified")
    for column in LATER:
        connection.execute(f"ALTER TABLE matches DROP COLUMN {column}")
    for row in rows:
        values = (checksum(row[:-1]), row[0])
        connection.execute("UPDATE matches SET checksum = ? WHERE id = ?", values)
    connection.execute("DROP TABLE aliases")
    connection.execute("DROP TABLE marks")
    connection.execute("DROP TRIGGER log_kept")
    connection.execute(
        "CREATE TRIGGER log_kept BEFORE DELETE ON log"
        " BEGIN SELECT RAISE(ABORT, 'the log is never erased'); END"
    )
    connection.execute("PRAGMA user_version = 3")
    connection.close()
