"""Every statistic compared with the same question in SQL, over a small club's book."""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from scorekeeper.store.book import Book
from tests.club_book import fill
from tests.helpers import program
from tests.history_compare import asked, differences, everything, exported
from tests.history_rows import csv_rows, from_rounds, from_tables, from_views

if TYPE_CHECKING:
    from pathlib import Path

    from tests.history_compare import Answers

MATCHES = 30


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("club") / "book.sqlite"
    with Book(path) as book:
        fill(book, MATCHES)
    return path


@pytest.fixture(scope="module")
def said(path: Path) -> Answers:
    return everything(lambda *command: program(*command, "--book", str(path)).data)


def test_sql_finds_the_same_numbers(path: Path, said: Answers) -> None:
    answers = asked(from_rounds(path), sqlite3.connect(":memory:"))
    assert [*differences(said, answers)] == []
    counted = Counter(key[0] for key in answers if answers[key])
    assert sum(counted.values()) > 1500
    kinds = {
        "matches",
        "players",
        "places",
        "counts",
        "pairs",
        "against",
        "days",
        "leagues",
        "breakdowns",
    }
    assert {kind for kind, number in counted.items() if number > 10} >= kinds


@pytest.mark.parametrize("source", ["csv", "views"])
def test_other_places_say_the_same(path: Path, tmp_path: Path, said: Answers, source: str) -> None:
    if source == "views":
        filled = from_views(path)
    else:
        files = exported(lambda *command: program(*command, "--book", str(path)), tmp_path)
        scores, matches, entries = map(csv_rows, files)
        filled = from_tables(scores, matches, entries)
    answers = asked(filled, sqlite3.connect(":memory:"))
    assert [*differences(said, answers)] == []
    assert sum(map(bool, answers.values())) > 1500


def test_a_number_that_is_wrong_is_found(path: Path, said: Answers) -> None:
    answers = asked(from_rounds(path), sqlite3.connect(":memory:"))
    for end in ("streaks.won", "mean_place", "ahead", "rating.mu"):
        key = next(key for key, number in said.items() if key[-1] == end and number)
        for wrong in ({**said, key: 99}, {each: said[each] for each in said if each != key}):
            (found,) = differences(wrong, answers)
            assert found.startswith(" ".join(key))
