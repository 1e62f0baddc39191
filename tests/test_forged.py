"""Books into which another program has written.

The checksums are right, but the cached values make no sense or differ from the entries.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper.store.tables import COLUMNS, KEYS, checksum, select_query
from tests.helpers import Answer, program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[Any], Any]

DAMAGED, REFUSED = 3, 1
TELLING = (
    ("stats",),
    ("league", "--ruleset", "dudo"),
    ("export", "--all", "--format", "json"),
    ("export", "--all", "--format", "scores-csv"),
    ("export", "--all", "--format", "csv"),
    ("matches",),
    ("sheet", "--match", "1"),
    ("score", "--match", "1"),
    ("status", "--match", "1"),
    ("rulings", "--match", "1"),
    ("verify", "1"),
    ("check-book",),
)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    for _ in range(2):
        assert program("new", "dudo", "Ana", "Ben", "Cleo").code == 0
        said = (
            "Ana: 3x4",
            "Ben: 4x4",
            "Cleo: dudo",
            "count 3",
            "Ben: 2x6",
            "Cleo: dudo",
            "count 3",
        )
        assert program("record", *said).code == 0
    return path


def forge(path: Path, table: str, column: str, change: Change, at: str = "match = 1") -> None:
    """Change values in the rows of a table, and update the checksums to match."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for *row, _ in connection.execute(f"{select_query(table)} WHERE {at}").fetchall():
            said = dict(zip(COLUMNS[table], row, strict=True))
            made = change(json.loads(said[column]))
            said[column] = made if isinstance(made, bytes) else json.dumps(made)
            keys = KEYS[table].split(", ")
            where = " AND ".join(f"{key} = ?" for key in keys)
            query = f"UPDATE {table} SET {column} = ?, checksum = ? WHERE {where}"
            values = [said[column], checksum([*said.values()]), *(said[key] for key in keys)]
            connection.execute(query, values)


def with_(**changed: object) -> Change:
    return lambda said: {**said, **changed} if said is not None else None


def without(key: str) -> Change:
    return lambda said: {name: value for name, value in (said or {}).items() if name != key}


def told() -> list[Answer]:
    return [program(*command) for command in TELLING]


ROUNDS: list[tuple[str, Change]] = [
    ("summary", lambda _: {"version": 2, "round": 1}),
    ("summary", with_(before={"Zoe": 1, "Yan": 1, "Xi": 1})),
    ("summary", with_(won=["Zoe"])),
    ("summary", with_(present=[["Ana"]])),
    ("summary", with_(due=7)),
    ("summary", with_(counts={"bids": {"Ana": "many"}})),
    ("summary", with_(counts={"bids": {"Zoe": 1}})),
    ("summary", with_(counts={"bids": 7})),
    ("summary", with_(tally={"Ana": float("nan"), "Ben": 1, "Cleo": 1})),
    ("summary", with_(tally={"Ana": 10**400, "Ben": 1, "Cleo": 1})),
    ("summary", with_(changes={"Ana": "x", "Ben": 1, "Cleo": 1})),
    ("summary", with_(changes=[])),
    ("summary", with_(tally=None)),
    ("summary", with_(over=3)),
    ("summary", with_(roles={"winners": {}})),
    ("summary", with_(sides=[1])),
    ("summary", with_(lines=[{"points": 1}])),
    ("summary", with_(found=[[1, {}]])),
    ("summary", with_(found=[1])),
    ("summary", with_(facts={"bid": {"a": {"b": 1}}})),
    ("summary", with_(facts=None)),
    ("summary", with_(roster={"seats": ["Ana", "Ben", "Cleo"], "came": 5})),
    ("summary", with_(roster=[])),
    ("summary", without("facts")),
    ("summary", without("before")),
    ("entries_json", lambda _: [[1]]),
    ("entries_json", lambda _: 7),
    ("entries_json", lambda _: [["Ana: 3x4", "Ana", "bid", 1, 2, 3]]),
    ("entries_json", lambda _: b"[["),
    ("standing", lambda _: {}),
    ("standing", lambda _: 7),
    ("standing", with_(tally=[1])),
    ("standing", with_(tally="abc")),
    ("standing", with_(dealer=9)),
    ("standing", with_(leader=[])),
    ("standing", with_(roster={"seats": 5})),
]


@pytest.mark.parametrize(("column", "change"), ROUNDS)
def test_nonsense_about_rounds_is_told_with_its_match_and_mended(
    book: Path, column: str, change: Change
) -> None:
    before = told()
    forge(book, "kept_rounds", column, change)
    for now, command in zip(told(), TELLING, strict=True):
        assert now.code in (0, DAMAGED, REFUSED), (command, now.err, now.out)
        said = now.err + now.out
        if now.code != 0:
            assert ("match 1" in said, "scorekeeper rebuild" in said) == (True, True), command
    assert program("verify", "1").code == REFUSED
    assert program("check-book").code == DAMAGED
    mended = program("rebuild")
    assert (mended.code, "match 1: its stored summaries" in mended.err) == (0, True)
    assert [answer.out for answer in told()] == [answer.out for answer in before]


@pytest.mark.parametrize(
    "change",
    [
        lambda _: 7,
        lambda _: {"scores": [1]},
        with_(scores={"Ana": "x"}),
        with_(ahead=["Zoe"]),
        with_(left=[[]]),
        with_(since=5),
        with_(over=None),
    ],
)
def test_nonsense_in_the_list_of_matches_is_told_and_mended(book: Path, change: Change) -> None:
    before = told()
    forge(book, "kept_matches", "summary", change, "id = 1")
    for was, now, command in zip(before, told(), TELLING, strict=True):
        assert now.code in (0, DAMAGED, REFUSED), (command, now.err)
        assert now.code != 0 or now.out == was.out, command
    listed = program("matches")
    assert (listed.code, "match 1" in listed.err) == (DAMAGED, True)
    assert program("check-book").code == DAMAGED
    assert program("rebuild").code == 0
    assert [answer.out for answer in told()] == [answer.out for answer in before]


@pytest.mark.parametrize(
    "players", [[], ["Ana"], ["Ana", "Ben", "Cleo", "Zoe"], 7, {"a": 1}, [1, 2, 3], ["", "", ""]]
)
def test_other_players_never_let_a_command_fail(book: Path, players: object) -> None:
    forge(book, "kept_matches", "players", lambda _: players, "id = 1")
    for command in (*TELLING, ("check-book", "--save", str(book.parent)), ("rebuild",)):
        assert program(*command).code in (0, DAMAGED, REFUSED), command
    checked = program("check-book")
    assert "2 matches, " in checked.out


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("summary", with_(tally={"Ana": 5, "Ben": 50, "Cleo": 5})),
        ("entries_json", lambda _: [["Ana: 2x2", "Ana", "bid"]]),
    ],
)
def test_what_was_never_entered_is_found_by_playing_it_again(
    book: Path, column: str, change: Change
) -> None:
    assert program("verify", "1").code == 0
    forge(book, "kept_rounds", column, change, "match = 1 AND number = 2")
    answer = program("verify", "1")
    assert answer.code == REFUSED
    assert "round 2, the stored result of the round differs" in answer.out


def test_a_mistake_of_the_program_is_not_put_on_a_sound_book(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("scorekeeper.history.statistics.make_statistics", mistaken)
    with pytest.raises(KeyError, match="ours"):
        program("stats")
    forge(book, "kept_rounds", "summary", with_(won=["Zoe"]))
    assert program("stats").code == DAMAGED
