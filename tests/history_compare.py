"""Every statistic and every league compared with the same question in SQL, over generated matches.

Run by hand: python -m tests.history_compare [MATCHES] [BOOK]
The questions (`tests/history_questions.py`) are asked of simple tables. These are filled from the
book's cached rounds, from its views, and from the exported CSV files, with DuckDB too if it is
installed. The program's JSON must have the same numbers. Only ratings come from openskill.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from itertools import groupby, islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorekeeper import load_ruleset
from scorekeeper.store.book import Book
from tests.club_book import fill
from tests.history_questions import PLACED, QUESTIONS, STEPS, TABLES
from tests.history_rows import (
    Filled,
    csv_rows,
    duckdb_rows,
    from_rounds,
    from_tables,
    from_views,
    rules_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

ROOT = Path(__file__).parent.parent
MOST_TOLD = 20
LEAGUES = ("points", "average", "wins", "places", "rating")
# The subject (a kind, a ruleset, a player …) and the name of the figure, with its value.
Answers = dict[tuple[str, ...], Any]


# --- asking


def asked(filled: Filled, connection: Any) -> Answers:  # a connection to SQLite, or to DuckDB
    """Return the answers in SQL."""
    for statement in TABLES.split(";"):
        connection.execute(statement)
    rows = [(table, row) for table in Filled._fields for row in getattr(filled, table)]
    names = dict.fromkeys(str(row[1]) for row in filled.matches)
    for table, all_rows in _by_table([*rows, *rules_rows(names)]).items():
        marks = ", ".join("?" * len(all_rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", all_rows)
    connection.execute("CREATE INDEX by_round ON held (match, round, player)")
    connection.execute("CREATE INDEX by_match ON played (match, round, player)")
    for statement in filter(str.strip, STEPS.split(";")):
        connection.execute(statement)
    answers: Answers = {}
    for kind, (about, statements) in QUESTIONS.items():
        for statement in statements:
            found = connection.execute(statement)
            columns = [column[0] for column in found.description]
            for row in found.fetchall():
                for column, value in islice(zip(columns, row, strict=True), about, None):
                    answers[(kind, *map(str, row[:about]), column)] = value
    return answers | rated(connection.execute(PLACED).fetchall())


def rated(placed: Iterable[tuple[str, int, str, str, int]]) -> Answers:
    """Return ratings by openskill alone, match by match, from rows of `ruleset match party player
    place`."""
    try:
        from openskill.models import PlackettLuce, PlackettLuceRating
    except ModuleNotFoundError:
        print("openskill is not installed")
        return {}
    model = PlackettLuce()
    ratings: dict[tuple[str, str], PlackettLuceRating] = {}
    for (ruleset, _), rows in groupby(placed, key=lambda row: row[:2]):
        teams: dict[str, list[str]] = {}
        places: dict[str, int] = {}
        for _, _, party, player, place in rows:
            teams.setdefault(party, []).append(player)
            places[party] = place
        before = [
            [ratings.get((ruleset, who)) or model.rating() for who in teams[t]] for t in teams
        ]
        after = model.rate(before, ranks=[places[team] for team in teams])
        for team, found in zip(teams.values(), after, strict=True):
            ratings.update({(ruleset, who): new for who, new in zip(team, found, strict=True)})
    answers: Answers = {}
    for (ruleset, who), now in ratings.items():
        figures = {"value": now.ordinal(), "rating": {"mu": now.mu, "sigma": now.sigma}}
        _add(answers, ("leagues", ruleset, "rating", who), figures)
    return answers


def _by_table(
    rows: Iterable[tuple[str, Sequence[object]]],
) -> dict[str, list[Sequence[object]]]:
    found: dict[str, list[Sequence[object]]] = {}
    for table, row in rows:
        found.setdefault(table, []).append(row)
    return found


# --- what the program says


def told(statistics: Iterable[dict[str, Any]]) -> Answers:
    """Return the answers of `stats --format json` by the same keys."""
    answers: Answers = {}
    for each in statistics:
        name = each["ruleset"]
        flat = {key: each[key] for key in ("matches", "rounds", "first", "last")}
        _add(answers, ("matches", name), {**flat, **each["unended"]})
        for player in each["players"]:
            who = player["name"]
            _add(answers, ("players", name, who), player)
            for kind, key in (("places", "times"), ("counts", "times")):
                for about, number in player[kind].items():
                    answers[kind, name, who, about, key] = number
        for row in each["pairs"]:
            _add(answers, ("pairs", name, *row.pop("players")), row)
        for row in each["against"]:
            _add(answers, ("against", name, row.pop("player"), row.pop("other")), row)
        for row in each["days"]:
            for who, points in row["points"].items():
                answers["days", name, row["date"], who, "points"] = points
        for breakdown in each["breakdowns"]:
            of = load_ruleset(name).sheet.breakdowns
            (roles,) = (row.roles for row in of if row.name == breakdown["name"])
            words = {load_ruleset(name).translate_word(role): role for role in roles}
            for row in breakdown["players"]:
                for part, counted in row["parts"].items():
                    about = ("breakdowns", name, breakdown["name"], words.get(part, part))
                    _add(answers, (*about, row["name"]), counted)
    return answers


def everything(ask: Callable[..., Any]) -> Answers:
    """Return all answers of the program. `ask` runs a command and reads its JSON."""
    said = ask("stats", "--format", "json", "--tables", "all")
    answers = told(said)
    for rules, by in product([each["ruleset"] for each in said], LEAGUES):
        league = ("league", "--format", "json", "--ruleset", rules, "--by", by)
        answers |= told_league(rules, ask(*league))
    return answers


def told_league(rules: str, league: dict[str, Any]) -> Answers:
    """Return the answers of `league --format json` for one ruleset by the same keys."""
    answers: Answers = {}
    for row in league["table"]:
        _add(answers, ("leagues", rules, league["by"], row["name"]), row)
    return answers


def _add(answers: Answers, about: tuple[str, ...], figures: dict[str, Any], path: str = "") -> None:
    for key, value in figures.items():
        if isinstance(value, dict) and key not in ("places", "counts"):
            _add(answers, about, value, f"{path}{key}.")
        elif not isinstance(value, dict):
            answers[(*about, path + key)] = value


def differences(ours: Answers, theirs: Answers) -> Iterator[str]:
    """Yield the questions asked in SQL on which the program gave a different answer.

    A missing answer counts as nothing.
    """
    asked_about = {_figure(key) for key in theirs}
    for key in sorted({*ours, *theirs}):
        if _figure(key) in asked_about:
            one, other = ours.get(key), theirs.get(key)
            if not _is_same(one, other):
                yield f"{' '.join(key)}: the program says {one}, SQL {other}"


def _figure(key: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kind of a figure, with the ruleset and row for counts and breakdowns.

    For leagues it is the criterion that decides.
    """
    kind, ruleset, *about, column = key
    if kind == "counts":
        return kind, ruleset, about[1]
    if kind == "leagues":
        return kind, about[0], column
    return (kind, ruleset, about[0]) if kind == "breakdowns" else (kind, column)


def _is_same(one: Any, other: Any) -> bool:  # numbers, or texts
    if one is None or other is None:
        return not one and not other
    if isinstance(one, float) or isinstance(other, float):
        return bool(abs(one - other) < 1e-6)  # leagues round there
    return str(one) == str(other)


def program(book: Path, *arguments: str) -> str:
    """Return the output of a command about a book."""
    command = [sys.executable, "-m", "scorekeeper", *arguments, "--book", str(book)]
    environment = {**os.environ, "SCOREKEEPER_SETTINGS": os.devnull, "LANGUAGE": "en"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def exported(ask: Callable[..., Any], folder: Path) -> list[Path]:
    """Return the tables of scores, matches and entries as CSV. `ask` runs a command."""
    files = [folder / f"{form}.csv" for form in ("scores-csv", "matches-csv", "csv")]
    for file in files:
        ask("export", "--all", "--format", file.stem, "--to", str(file))
    return files


def sources(book: Path, folder: Path) -> Iterator[tuple[str, Answers]]:
    """Yield the answers in SQL from each source of a book's rows."""
    yield "the book, in SQLite", asked(from_rounds(book), sqlite3.connect(":memory:"))
    yield "its views, in SQLite", asked(from_views(book), sqlite3.connect(":memory:"))
    files = exported(partial(program, book), folder)
    scores, matches, entries = map(csv_rows, files)
    filled = from_tables(scores, matches, entries)
    yield "CSV, in SQLite", asked(filled, sqlite3.connect(":memory:"))
    try:
        import duckdb
    except ModuleNotFoundError:
        print("duckdb is not installed")
        return
    scores, matches, entries = map(duckdb_rows, files)
    filled = from_tables(scores, matches, entries)
    yield "CSV, in DuckDB", asked(filled, duckdb.connect())


def main() -> int:
    """Compare all figures, and print how many were compared."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(folder) / "club.sqlite"
        if not path.exists():
            with Book(path) as book:
                fill(book, matches)
        ours = everything(lambda *command: json.loads(program(path, *command)))
        start = time.perf_counter()
        for source, theirs in sources(path, Path(folder)):
            found = [*differences(ours, theirs)]
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in Counter(k[0] for k in theirs).items())
            print(f"{source}: {len(theirs):,} numbers ({kinds}), {len(found)} differ")
            print(*found[:MOST_TOLD], sep="\n", end="\n" if found else "")
            wrong += len(found)
        print(f"{time.perf_counter() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
