"""Deletion: `delete` erases whole matches after writing their records, and nothing else does."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import verify_record
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Callable

ENTRIES = ("lead Ana", "3x4", "Ben: dudo", "count 3")


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        program("new", "dudo", "Ana", "Ben")
    program("record", *ENTRIES, "--match", "2")
    return tmp_path / "book.sqlite"


def numbers() -> list[int]:
    return [row["match"] for row in program("matches", "--format", "json").data]


def test_a_match_goes_whole_and_its_record_stays(book: Path) -> None:
    record = program("export", "2").out
    answer = program("delete", "2", "--yes")
    saved = book.parent / "book-match-2.toml"
    assert (answer.code, answer.out) == (0, f"match 2 is deleted; its record is {saved}\n")
    assert saved.read_text("utf-8") == record
    assert verify_record(saved)["ok"]
    assert numbers() == [1, 3]
    connection = sqlite3.connect(book)
    for table in ("log", "kept_rounds"):
        query = f"SELECT count(*) FROM {table} WHERE match = 2"
        assert connection.execute(query).fetchone() == (0,)
    connection.close()
    assert program("check-book", "--book", str(book)).code == 0


def test_its_number_is_never_given_again_and_another_match_is_the_usual_one() -> None:
    program("delete", "3", "--yes")
    program("delete", "2", "--yes")
    assert "match 1: " in program("record", "note one is left").err
    assert program("new", "dudo", "Ana", "Ben").out.startswith("match 4: ")
    answer = program("status", "--match", "3")
    assert (answer.code, "there is no match 3" in answer.err) == (2, True)


def test_what_was_deleted_can_be_imported() -> None:
    program("new", "dudo", "Ana", "Cleo")  # No other match began in that second.
    program("record", "3x4", "Cleo: dudo", "count 3")
    record = program("export", "4").out
    program("delete", "4", "--yes", "--to", "gone.toml")
    assert "is now match 5" in program("import", "gone.toml").out
    assert program("export", "5").out == record


def test_nobody_is_asked_without_a_terminal() -> None:
    answer = program("delete", "2")
    assert answer.code == 2
    assert "nothing was deleted" in answer.err
    assert "try: --yes" in answer.err
    assert "2  2" in answer.err  # which one it is
    assert numbers() == [1, 2, 3]
    assert not Path("book-match-2.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("2", "9"), "there is no match 9"),
        (("2", "x"), "is not a match number"),
        (("2", "--to", "there.toml"), "is not overwritten"),
        (("1", "2", "--to", "two.toml"), "to write several records, name a folder"),
        (("2", "--to", "there.toml/in/it.toml"), "cannot be created"),
    ],
)
def test_if_anything_is_wrong_nothing_is_deleted(arguments: tuple[str, ...], told: str) -> None:
    Path("there.toml").write_text("mine", "utf-8")
    answer = program("delete", *arguments, "--yes")
    assert answer.code in (2, 3)
    assert told in answer.err
    assert numbers() == [1, 2, 3]
    assert Path("there.toml").read_text("utf-8") == "mine"


def test_one_may_go_into_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    answer = program("delete", "1", "--yes", "--to", f"{tmp_path}/new/")
    assert answer.code == 0
    assert (tmp_path / "new" / "match-1.toml").exists()


def test_several_go_together_into_a_folder() -> None:
    answer = program("delete", "1", "2", "1", "--yes", "--to", "old", "--format", "json")
    assert [row["match"] for row in answer.data] == [1, 2]
    assert sorted(path.name for path in Path("old").iterdir()) == ["match-1.toml", "match-2.toml"]
    assert numbers() == [3]


def spoil_log(book: Path) -> None:
    connection = sqlite3.connect(book)
    connection.execute("DROP TRIGGER log_unchanged")
    connection.execute("UPDATE log SET text = 'x' WHERE position = 2")
    connection.commit()
    connection.close()


def spoil_rounds(book: Path) -> None:
    connection = sqlite3.connect(book)
    connection.execute("UPDATE kept_rounds SET summary = 'x' WHERE match = 2")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "hint"),
    [(spoil_log, "check-book --save"), (spoil_rounds, "scorekeeper rebuild")],
)
def test_a_damaged_match_is_kept(book: Path, spoil: Callable[[Path], None], hint: str) -> None:
    spoil(book)
    answer = program("delete", "2", "--yes")
    assert answer.code == 3
    assert "cannot be exported, so it is not deleted" in answer.err
    assert hint in answer.err
    assert 2 in numbers()


def test_the_log_of_a_match_that_is_there_cannot_be_erased(book: Path) -> None:
    connection = sqlite3.connect(book)
    with pytest.raises(sqlite3.IntegrityError, match="never erased"):
        connection.execute("DELETE FROM log")
    connection.close()
