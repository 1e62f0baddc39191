"""The sources of the rows for `tests/history_questions.py`.

They are a book's cached rounds, its views, and the exported tables.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from typing import TYPE_CHECKING, Any, NamedTuple

from scorekeeper import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from pathlib import Path

# Columns of exported tables, with the facts that they hold.
FACTS = {
    "contract": "contract",
    "level": "level",
    "calls": "player.calls",
    "kept": "player.kept",
    "own_specials": "player.specials",
}
# The matches with a valid entry, if entries were only undone from the end.
STANDING = """SELECT match FROM log GROUP BY match
              HAVING sum(CASE kind WHEN 'entry' THEN 1 WHEN 'undo' THEN -1 ELSE 0 END) > 0"""
Cells = dict[str, Any]  # Of an exported table.


class Filled(NamedTuple):
    """The rows of the question tables, filled from a book."""

    matches: list[Sequence[object]]
    sat: list[Sequence[object]]
    played: list[Sequence[object]]
    held: list[Sequence[object]]
    items: list[Sequence[object]]
    acts: list[Sequence[object]]


def from_rounds(path: Path) -> Filled:
    """Return the rows from the book's cached matches and rounds, which are JSON."""
    filled = Filled([], [], [], [], [], [])
    book = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    sides: dict[int, dict[str, str]] = {}
    rounds = "SELECT match, number, summary, entries_json FROM kept_rounds ORDER BY match, number"
    for match, number, text, entries in book.execute(rounds):
        summary = json.loads(text)
        if summary is None:
            continue
        side = {name: label for label, who in summary["sides"].items() for name in who}
        sides[match] = side
        changes = summary["changes"] or {}
        for _, who, word, *decision in json.loads(entries):
            if who and decision[:1] != ["withdrawn"]:
                filled.acts.append((match, number, who, word))
        over, void = int(summary["over"]), int(summary["annulled"])
        for name, before in summary["before"].items():
            out = int(name in summary["sat_out"])
            filled.played.append(
                (match, number, over, void, name, side.get(name), before, changes.get(name), out)
            )
            facts = summary["facts"]
            for fact in FACTS.values():
                of = (
                    facts.get(fact) or {} if fact.startswith("player.") else {name: facts.get(fact)}
                )
                filled.items.extend((match, number, name, fact, i) for i in _items(of.get(name)))
        for role, who in summary["roles"].items():
            filled.held.extend((match, number, name, role) for name in who["players"])
    kept = f"""SELECT id, ruleset, substr(started, 1, 10), place, summary FROM kept_matches
               WHERE id IN ({STANDING}) ORDER BY id"""
    for match, ruleset, day, place, text in book.execute(kept):
        summary, side = json.loads(text), sides.get(match, {})
        filled.matches.append((match, ruleset, day, place or "", int(summary["over"])))
        scores = summary["scores"].items()
        filled.sat.extend((match, name, side.get(name), tally) for name, tally in scores)
    book.close()
    return filled


def from_tables(
    scores: Iterable[Cells],
    matches: Iterable[Cells],
    entries: Iterable[Cells],
    begun: Container[object] = (),
) -> Filled:
    """Return the rows from the tables of `export --format scores-csv`, `matches-csv` and `csv`.

    The views `scores`, `players` and `entries` will do too, with the matches that have entries
    but no row of scores.
    """
    filled = Filled([], [], [], [], [], [])
    for row in entries:
        if row["who"] and row["decision"] != "withdrawn":
            filled.acts.append((row["match"], row["round"], row["who"], row["word"]))
    sides: dict[object, dict[object, object]] = {}
    for row in scores:
        match, number, name, change = (row[key] for key in ("match", "round", "player", "change"))
        side = sides.setdefault(match, {})[name] = row["side"]
        before = None if row["tally"] is None else int(row["tally"]) - int(change or 0)
        about = (match, number, row["over"], row["void"], name, side, before)
        filled.played.append((*about, change, row["sat_out"]))
        roles = str(row["roles"] or "").split()
        filled.held.extend((match, number, name, role) for role in roles)
        for column, fact in FACTS.items():
            said = row[column]
            many = said.split() if fact.startswith("player.") and said else said
            filled.items.extend((match, number, name, fact, item) for item in _items(many))
    seen = set()
    for row in matches:
        match, name = row["match"], row["player"]
        if match in sides or match in begun:
            filled.sat.append((match, name, sides.get(match, {}).get(name), row["tally"]))
            if match not in seen:
                day, place = str(row["date"] or ""), row["place"] or ""
                filled.matches.append((match, row["ruleset"], day, place, row["over"]))
                seen.add(match)
    return filled


def _items(value: object) -> list[str]:
    """Return the items of a fact as texts."""
    many = value if isinstance(value, list) else [value]
    return [str(item) for item in many if item not in (None, "")]


def from_views(path: Path) -> Filled:
    """Return the rows from the book's views."""
    book = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    book.row_factory = sqlite3.Row
    begun = {row[0] for row in book.execute(STANDING)}
    views = (book.execute(f"SELECT * FROM {name}") for name in ("scores", "players", "entries"))
    scores, players, entries = (map(dict, rows) for rows in views)
    filled = from_tables(scores, players, entries, begun)
    book.close()
    return filled


def csv_rows(path: Path) -> Iterator[Cells]:
    """Yield the rows of a CSV file. Text of a whole number becomes an int, an empty cell None."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            yield {
                key: int(text) if re.fullmatch(r"-?\d+", text) else text or None
                for key, text in row.items()
            }


def duckdb_rows(path: Path) -> Iterator[Cells]:
    """Yield the rows as DuckDB reads them, with its types."""
    import duckdb

    # DuckDB needs another library to fetch a time with a zone, and no question uses that column.
    query = "SELECT * EXCLUDE (started) FROM read_csv($1, sample_size = -1)"
    found = duckdb.connect().execute(query, [str(path)])
    columns = [column[0] for column in found.description]
    for row in found.fetchall():
        yield dict(zip(columns, row, strict=True))


def rules_rows(names: Iterable[str]) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield the rulesets' rows for the tables of these names."""
    for name in names:
        rules = load_ruleset(name)
        history, sides = rules.history, rules.sides
        fixed, shared = int(bool(sides["number"])), int(bool(sides["number"] and sides["shared"]))
        out_at = None if rules.eliminated_at == float("-inf") else rules.eliminated_at
        wins = str(rules.match["wins"])
        yield "rules", (name, wins, out_at, history.stopped, history.by, shared, fixed)
        for sign, roles in ((1, history.won), (-1, history.lost)):
            for role in roles:
                yield "winning", (name, role, sign)
        for row in rules.sheet.statistics:
            if row.count == "roles" and not (row.others or row.given or row.named):
                yield "counted", (name, row.name, row.role)
                for role in row.roles:
                    yield "alone", (name, row.name, role)
            if row.count == "entries" and not (row.values or row.given or row.named):
                for table, texts in (
                    ("verbs", row.verbs),
                    ("alone", row.roles),
                    ("others", row.others),
                ):
                    for text in texts:
                        yield table, (name, row.name, text)
            if (
                row.count == "fact"
                and row.fact in FACTS.values()
                and not (row.roles or row.given or row.named)
            ):
                for wanted in row.values or [None]:
                    yield "listed", (name, row.name, row.fact, wanted)
        for parts in rules.sheet.breakdowns:
            if (
                parts.by in FACTS.values()
                and len(parts.as_roles) < 2
                and not (parts.given or parts.named)
            ):
                only = next(iter(parts.as_roles), None)
                yield "by_fact", (name, parts.name, parts.by, only, parts.success or None)
            if parts.by == "roles" and not (
                parts.as_roles or parts.given or parts.named or parts.success
            ):
                for role in parts.roles:
                    yield "parts", (name, parts.name, role)
