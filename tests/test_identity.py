"""The identity of a match's rules: its rules, not its sheet, its languages or its title."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset, read_record, verify_record, write_record
from scorekeeper.engine.loading import check_text
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.helpers import program

THREE = ["Ana", "Ben", "Cleo"]
PAGES = {
    "rules": 'extends = "dudo"\nname = "ours"\n[tally]\nstart = 2\n',
    "de": '[sentences]\ndice = "Wuerfel"\n',
    "sheet": '[lines]\nlost = "lost a die"\n',
}


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a ruleset of three pages, and use an empty book."""
    folder = tmp_path / "rulesets" / "ours"
    folder.mkdir(parents=True)
    for page, text in PAGES.items():
        (folder / f"{page}.toml").write_text(text, "utf-8")
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path / "rulesets"))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    return folder


def rewrite(folder: Path, page: str, old: str, new: str) -> None:
    path = folder / f"{page}.toml"
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("page", "old", "new"),
    [
        ("de", "Wuerfel", "Würfel"),
        ("sheet", "lost a die", "a die"),
        ("rules", 'ours"\n', 'ours"\ntitle = "Ours"\n'),
    ],
)
def test_what_is_only_shown_does_not_change_the_rules(
    shelf: Path, page: str, old: str, new: str
) -> None:
    before = load_ruleset("ours")
    rewrite(shelf, page, old, new)
    after = load_ruleset("ours")
    assert before.sha256 == after.sha256
    assert before.text_sha256 != after.text_sha256
    rewrite(shelf, "rules", "start = 2", "start = 3")
    assert load_ruleset("ours").sha256 != after.sha256


def test_a_corrected_translation_does_not_say_that_the_rules_changed(
    shelf: Path, tmp_path: Path
) -> None:
    record = tmp_path / "match.toml"
    match = Match(load_ruleset("ours"), THREE)
    match.record("Ana: 1x2")
    write_record(match, record)
    assert "ruleset_text" not in record.read_text("utf-8")
    rewrite(shelf, "de", "Wuerfel", "Würfel")
    assert verify_record(record)["findings"] == []
    assert read_record(record).ruleset.text_sha256 != match.ruleset.text_sha256
    rewrite(shelf, "rules", "start = 2", "start = 3")
    assert [each["code"] for each in verify_record(record)["findings"]] == ["record.damaged"]


def test_a_match_in_a_book_prints_the_text_with_which_it_began(shelf: Path) -> None:
    book = Book("book.sqlite")
    begin_match(book, load_ruleset("ours"), THREE)
    rewrite(shelf, "sheet", "lost a die", "a die")
    begin_match(book, load_ruleset("ours"), THREE)
    labels = [
        program("rules", "explain", "scores.lost", "--match", str(number), "--format", "json").data
        for number in (1, 2)
    ]
    assert [row["row"]["label"] for row in labels] == ["lost a die", "a die"]


def test_an_import_finds_the_match_that_it_has_although_its_texts_were_corrected(
    shelf: Path, tmp_path: Path
) -> None:
    record = tmp_path / "match.toml"
    match = Match(load_ruleset("ours"), THREE)
    match.record("Ana: 1x2")
    write_record(match, record)
    assert program("import", str(record)).code == 0
    rewrite(shelf, "de", "Wuerfel", "Würfel")
    assert program("import", str(record), "--format", "json").data[0]["known"]


def test_a_text_in_a_record_is_known_by_the_hash_of_its_rules_or_of_itself() -> None:
    rules = load_ruleset("ours")
    for sha in (rules.sha256, rules.text_sha256, ""):
        assert check_text(rules.text, sha).sha256 == rules.sha256
