"""Names in a book or a record stay valid, whatever words the program adds later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Damaged, Match, Unreadable, load_ruleset, read_record, verify_record
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
from scorekeeper.store.rows import NewMatch, RulesetText
from tests.helpers import program

if TYPE_CHECKING:
    from pathlib import Path

PLAYERS = ["Tous", "全員", "note Ben", "Main"]
"""Names that a later version could read as words: `all` in two languages, a note, a hand."""
ENTRIES = [
    "talon 0",
    "trump D",
    "lead Tous",
    "hand Tous: 6C 7C",
    "hand 全員: 8C 9S",
    "hand note Ben: JC KS",
    "hand Main: 9C AS",
    "Tous: attack 6C",
    "全員: cover 6C 8C",
    "note Ben: pass",
    "Tous: pass",
    "Main: pass",
    "全員: attack 9S",
    "note Ben: cover 9S KS",
]


@pytest.fixture(autouse=True)
def own_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a book with a match whose players' names were not yet words of the program."""
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    rules = load_ruleset("durak")
    with Book(str(path)) as book:
        kept = RulesetText(rules.text_sha256, rules.text)
        book.create(NewMatch(rules.name, kept, PLAYERS, {}, ""))
    return path


def test_a_stored_match_opens_and_goes_on_though_its_names_are_words_now(own_book: Path) -> None:
    for entry in ENTRIES:
        answer = program("record", entry)
        assert answer.code == 0, (entry, answer.err)
    assert program("judge", "tous: pass").code == 0, "an exact name wins over all, as typed"
    assert program("amend", "14", "note Ben: take", "--yes").code == 0
    assert program("undo").code == 0
    for command in ("status", "legal", "score", "sheet", "export", "stats", "check-book"):
        assert program(command).code == 0, command
    with Book(str(own_book)) as book:
        assert [list(played.entries) for played in MatchRecorder(book, 1).full_match().rounds] == [
            ENTRIES
        ]


def test_a_record_opens_verifies_and_is_imported_though_its_names_are_words_now(
    tmp_path: Path,
) -> None:
    for entry in ENTRIES:
        assert program("record", entry).code == 0
    path = tmp_path / "old.toml"
    path.write_text(program("export").out, encoding="utf-8")
    assert read_record(path).rounds[0].entries == ENTRIES
    assert verify_record(path)["ok"]
    other = str(tmp_path / "other.sqlite")
    assert program("import", str(path), "--book", other).code == 0
    assert program("export", "--book", other).out == path.read_text(encoding="utf-8")


def test_a_name_before_a_colon_ends_with_its_entry_though_it_is_a_word_that_runs_on() -> None:
    for entry in ENTRIES[:-1]:
        assert program("record", entry).code == 0
    line = program("record", "note Ben: cover 9S KS, Main: attack 9C")
    assert line.code == 0, line.err
    assert "Main: attack 9C" in line.out


@pytest.mark.parametrize("name", ["Tous", "全員", "note Ben", "Main"])
def test_a_new_match_still_keeps_words_and_names_apart(name: str) -> None:
    with pytest.raises(Unreadable, match="cannot be a name"):
        Match(load_ruleset("durak"), ["Ana", name])
    assert program("new", "durak", "Ana", name).code == 2


@pytest.mark.parametrize("name", ["", "x" * 41, "A\x1bb", "A:b", "all", "A  b", "ana"])
def test_a_name_that_no_version_took_is_no_name_in_a_record(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.toml"
    written = "".join(f"\\u{ord(char):04x}" for char in name)
    path.write_text(f'format = 2\nruleset = "durak"\nplayers = ["Ana", "{written}"]\n')
    with pytest.raises(Damaged):
        read_record(path)
    assert not verify_record(path)["ok"]
