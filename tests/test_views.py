"""The book's SQL views: they return the same as the library."""

from __future__ import annotations

import re
import sqlite3
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.engine.loading import load_ruleset
from scorekeeper.history.columns import (
    ENTRIES,
    MATCHES,
    SCORES,
    VIEWS,
    entry_rows,
    match_rows,
    score_rows,
)
from scorekeeper.history.results import match_result
from scorekeeper.history.statistics import CatalogEntry
from scorekeeper.match.match import Match
from scorekeeper.store.arrivals import import_match
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from scorekeeper.store.round_cache import RoundCache
from scorekeeper.store.rows import day_of
from scorekeeper.store.tables import BOOK_VERSIONS
from scorekeeper.store.views import SQL, statements
from tests.helpers import SHIPPED, program
from tests.random_play import evening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scorekeeper.history.columns import ExportColumn

PAGE = Path(__file__).parent.parent / "docs" / "views.md"
DAY = "2026-11-20"
HOSTILE = ["O'Neil", 'say "x"', "$.a[0]", "<b>&amp"]


def asked(path: Path, query: str) -> list[dict[str, Any]]:
    """Return the rows of a query on a book that is opened read-only."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        found = connection.execute(query)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]
    finally:
        connection.close()


def same(
    path: Path,
    view: str,
    columns: Iterable[ExportColumn],
    rows: Callable[[CatalogEntry], Iterable[list[object]]],
    but: tuple[str, ...] = (),
) -> int:
    """Compare a view with the exported table, column by column, and return its number of rows."""
    names = [column.name for column in columns]
    with Book(path) as book:
        archive = RoundCache(book)
        wanted = [
            dict(zip(names, row, strict=True))
            for match in archive.all_matches()
            for row in rows(CatalogEntry(match, str(match.row.id), DAY, "inn", day=DAY))
        ]
    kept = asked(path, "SELECT match, round FROM rounds WHERE summarized")
    over = {(str(row["match"]), row["round"]) for row in kept}
    wanted = [row for row in wanted if "round" not in row or (row["match"], row["round"]) in over]
    found = asked(path, f"SELECT * FROM {view}")
    shared = [name for name in names if name in SQL[view] and name not in but]
    assert len(shared) > 10
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        says = {name: one[name] for name in shared if one[name] not in (None, "")}
        told = {name: other[name] for name in shared if other[name] not in (None, "")}
        assert says == told | {"match": one["match"]}
    return len(found)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a book with an evening of each shipped ruleset."""
    path = tmp_path_factory.mktemp("views") / "book.sqlite"
    with Book(path) as book:
        for seed, name in enumerate(SHIPPED):
            import_match(book, evening(name, seed).match, started=DAY, place="inn")
    return path


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


def played() -> None:
    """Record a match with an undo, an amendment, an insertion, and an unfinished round."""
    for command in (
        ("new", "dudo", "Ana", "Ben", "Cleo", "--date", DAY, "--place", "inn"),
        ("record", "Ana: 3x4", "Ben: 4x4", "Cleo: dudo", "count 3", "Ben: 2x6"),
        ("record", "Cleo: 3x6", "Ana: dudo", "count 3", "Ana: 2x2", "Ben: 3x2"),
        ("undo",),
        ("amend", "1.4", "count 2"),
        ("amend", "1.2", "note aloud", "--before"),
    ):
        answer = program(*command)
        assert answer.code == 0, answer.err


def test_scores_are_what_is_exported(path: Path) -> None:
    assert same(path, "scores", SCORES, score_rows) > 50


def test_entries_are_what_is_exported(path: Path) -> None:
    assert same(path, "entries", ENTRIES, entry_rows) > 500


def test_players_are_what_is_exported(path: Path) -> None:
    assert same(path, "players", MATCHES, match_rows, but=("title",)) > 20


@pytest.mark.parametrize("ends", ["false", "rounds >= 1"])
@pytest.mark.parametrize(
    "entries",
    [
        # the player who sat out has the best score
        ("score Ben: -3 / Cleo: -1 / Dan: -2 / Ana: -2",),
        ("score Ben: -3 / Cleo: -1 / Dan: -2 / Ana: -2", "quits Cleo"),
        ("score Ben+Cleo: +1 / Dan+Ana: +1",),  # all who played have equal scores
        ("quits Eva", "score Ben: -3 / Cleo: -1 / Dan: -2 / Ana: -2"),
        ("all: gesund",),  # no round is finished
        ("score Ben: -3 / Cleo: -1 / Dan: -2 / Ana: -2", "penalty Cleo: -3 late"),
    ],
)
def test_who_only_sits_there_has_not_won(book: Path, entries: Iterable[str], ends: str) -> None:
    chosen = ("--set", f"match.ends={ends}", "--set", "tally.zero_sum=false")
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva")
    assert program("new", "doppelkopf", *names, "--date", DAY, "--place", "inn", *chosen).code == 0
    for entry in entries:
        told = program("record", entry)
        assert told.code == 0 or ends != "false", told.err
    same(book, "players", MATCHES, match_rows, but=("title",))


def test_a_match_belongs_to_the_day_on_which_people_sat_there(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("new", "dudo", "Ana", "Ben")  # begins at the current time
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        with Book(book) as opened:
            started = opened.match().started
            evening = "2026-01-10T01:00:00" + started[19:]
            opened.describe(1, started=evening)
        assert day_of(evening) == "2026-01-09"
        assert asked(book, "SELECT DISTINCT date FROM matches") == [{"date": "2026-01-09"}]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_corrected_match_is_told_as_it_stands(book: Path) -> None:
    played()
    texts = [row["entry"] for row in asked(book, "SELECT * FROM entries WHERE round = 1")]
    assert texts == ["Ana: 3x4", "note aloud", "Ben: 4x4", "Cleo: dudo", "count 2"]
    (match,) = asked(book, "SELECT * FROM matches")
    assert (match["rounds"], match["rounds_missing"], match["over"]) == (3, 0, 0)
    assert [row["summarized"] for row in asked(book, "SELECT * FROM rounds")] == [1, 1, 0]


def test_the_first_round_of_a_match_goes_on_and_nothing_of_it_is_missing(book: Path) -> None:
    assert program("new", "dudo", "Ana", "Ben").code == 0
    assert asked(book, "SELECT rounds, rounds_missing FROM matches") == [
        {"rounds": 0, "rounds_missing": 0}
    ]
    assert program("record", "2x3").code == 0
    assert asked(book, "SELECT rounds, rounds_missing FROM matches") == [
        {"rounds": 1, "rounds_missing": 0}
    ]
    assert program("undo").code == 0
    assert asked(book, "SELECT rounds, rounds_missing FROM matches") == [
        {"rounds": 0, "rounds_missing": 0}
    ]


@pytest.mark.parametrize(
    ("ruleset", "players", "said"),
    [
        ("perudo-lives", "Ana Ben Cleo", ["result loser=Ana", "joins Yan for Cleo", "end"]),
        ("dudo", "Ana Ben", [*["result loser=Ana"] * 4, "joins Yan after Ben", "end"]),
        ("durak", "Ana Ben Cleo", ["result loser=Ben", "standing Cleo: 9"]),
        ("durak", "Ana Ben", ["penalty Ben: 5"]),
        ("durak", "Ana Ben", ["result loser=Ben", "penalty Ana: 2"]),
        ("durak", "Ana Ben", ["result loser=Ben", "joins C for Ana", "joins D for Ben", "end"]),
        ("hearts", "Ana Ben Cleo Dan", ["score Ana: 3", "joins Eva for Ana", "joins Fay for Ben"]),
    ],
)
def test_who_has_won_and_points_are_those_of_the_tables_whoever_comes_and_goes(
    tmp_path: Path, ruleset: str, players: str, said: list[str]
) -> None:
    path = tmp_path / "book.sqlite"
    with Book(path, create=True) as book:
        desk = begin_match(book, load_ruleset(ruleset), players.split())
        for text in said:
            assert desk.record([text]).failure is None
        kept = RoundCache(book).match(book.match(1))
    found = match_result(kept, list(kept.summaries()))
    decided = int(bool(found.places))
    assert asked(path, "SELECT player, decided, won, points FROM players") == [
        {
            "player": name,
            "decided": decided,
            "won": int(name in found.winners) if name in found.places else None,
            "points": found.points[name],
        }
        for name in kept.players
    ]


@pytest.mark.parametrize("started", ["not a date", "9999-99-99", "2026-02-30", "2026-02"])
def test_what_is_no_day_is_nobodys_date(tmp_path: Path, started: str) -> None:
    path = tmp_path / "book.sqlite"
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    match.play_round(["Ana: 3x4", "Ben: dudo", "count 2"])
    with Book(path) as book:
        import_match(book, match, started=started)
    assert asked(path, "SELECT DISTINCT started, date FROM scores") == [
        {"started": started, "date": None}
    ]
    assert day_of(started) == ""


def test_hostile_names_are_told_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    match = Match(load_ruleset("dudo"), HOSTILE)
    match.play_round([f"{HOSTILE[0]}: 3x4", f"{HOSTILE[1]}: dudo", "count 2"])
    with Book(path) as book:
        import_match(book, match, started=DAY, place="inn")
    same(path, "scores", SCORES, score_rows)
    assert [row["player"] for row in asked(path, "SELECT player FROM players")] == HOSTILE


def test_people_are_told_by_one_name_unless_two_would_have_it(book: Path) -> None:
    played()
    program("new", "dudo", "Anna", "Ben")
    program("record", "2x3", "Ben: dudo", "count 1")
    assert program("players", "merge", "Anna", "Ana").code == 0
    names = "SELECT DISTINCT player FROM scores ORDER BY player"
    assert [row["player"] for row in asked(book, names)] == ["Ana", "Ben", "Cleo"]
    program("new", "dudo", "Anna", "Ana")
    program("record", "2x3", "Ana: dudo", "count 1")
    told = asked(book, "SELECT player FROM scores WHERE match = 3")
    assert [row["player"] for row in told] == ["Anna", "Ana"]


def test_a_book_says_what_is_missing_until_it_is_filled(book: Path) -> None:
    played()
    wanted = {view: asked(book, f"SELECT * FROM {view}") for view in VIEWS}
    with Book(book) as opened, opened.database.writing() as connection:
        connection.execute("DELETE FROM kept_rounds WHERE summary <> 'null'")
    (match,) = asked(book, "SELECT rounds, rounds_missing FROM matches")
    assert match == {"rounds": 3, "rounds_missing": 2}
    assert asked(book, "SELECT * FROM scores") == []
    assert program("rebuild").code == 0
    assert {view: asked(book, f"SELECT * FROM {view}") for view in VIEWS} == wanted


def test_a_book_is_asked_while_others_record(book: Path) -> None:
    played()
    with Book(book) as opened, opened.batch() as writing:
        writing.execute("UPDATE kept_matches SET place = 'x'")
        assert asked(book, "SELECT place FROM matches") == [{"place": "inn"}]


def test_views_that_are_made_otherwise_are_made_anew_in_every_book() -> None:
    """Hold the definition of the views, which are stored in the book with the version of the
    summaries.

    If you change either, add a step to BOOKS, which recreates the views, and update the values
    here.
    """
    made = sha256("\n".join(statements()).encode()).hexdigest()[:16]
    assert (BOOK_VERSIONS.current, made) == (10, "18541aa86f662f6b")


# --- the page


def test_the_page_has_every_column_of_every_view() -> None:
    text = PAGE.read_text("utf-8")
    for name, columns in VIEWS.items():
        (told,) = re.findall(rf"^## `{name}`:.*?\n(.*?)(?=^## )", text, re.M | re.S)
        assert re.findall(r"^\| `(\w+)` \|", told, re.M) == [column.name for column in columns], (
            name
        )


@pytest.mark.parametrize("query", re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.S))
def test_every_query_of_the_page_finds_something(path: Path, query: str) -> None:
    assert asked(path, query)


def test_duckdb_reads_the_same_with_types(path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    scanner = pytest.importorskip("duckdb_extension_sqlite_scanner")
    (extension,) = Path(scanner.__file__).parent.glob("extensions/*/*.duckdb_extension")
    with duckdb.connect() as connection:
        connection.execute(f"LOAD '{extension}'; ATTACH '{path}' AS book (TYPE sqlite, READ_ONLY)")
        for view in VIEWS:
            told = connection.execute(f"SELECT * FROM book.{view}")
            names = [column[0] for column in told.description]
            found = [dict(zip(names, row, strict=True)) for row in told.fetchall()]
            assert found == asked(path, f"SELECT * FROM {view}"), view
