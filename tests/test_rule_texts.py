"""Rule texts and their rows: which rows implement a paragraph, and which paragraphs have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import load_ruleset
from scorekeeper.ruleset import citations
from scorekeeper.ruleset.citations import FOR_PEOPLE
from tests.helpers import SHIPPED, program

RULES = """
name = "mine"
title = "Mine"
rules = "mine"
players = { counts = [2] }
pack = { ranks = "A K Q J T 9" }
deal = { dealt = true, cards = 6 }
tally = { name = "points", cite = "1.2" }
[orders]
plain = { trumps = [], cite = "1.1" }
[phases.tricks]
order = "plain"
cite = "2"
follow = { cite = "2.1", also = "2.2" }
counted = "3"
[scores]
tricks = { for = "each", points = "own.tricks", cite = "3" }
"""
TEXT = f"""
# Mine

## 1. Cards
1.1 Six ranks. 1.2 Points are counted.
1.3 Shuffle well. {FOR_PEOPLE}

## 2. Play
The winner leads.
2.1 Follow suit.
2.2 Whoever cannot plays any card.
2.3 The loser pays.

## 3. Score
A point for each trick.
"""


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a ruleset whose rows cite most paragraphs of its text."""
    (tmp_path / "mine.toml").write_text(RULES, "utf-8")
    (tmp_path / "mine.md").write_text(TEXT, "utf-8")
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))


def test_a_paragraph_is_explained_with_the_rows_that_cite_it() -> None:
    said = program("rules", "explain", "2.2", "--ruleset", "mine").out.splitlines()
    assert said[0] == "mine 2.2 Whoever cannot plays any card."
    assert said[1].startswith("    tricks.follow: ")
    data = program("rules", "explain", "1.1", "--ruleset", "mine", "--format", "json").data
    assert [row["code"] for row in data["rows"]] == ["orders.plain"]


def test_the_text_is_shown_with_the_rows_under_each_paragraph() -> None:
    lines = program("rules", "show", "mine", "--text").out.splitlines()
    at = lines.index("1.2 Points are counted.")
    assert lines[at + 1] == "    tally: name = points"
    at = lines.index("1.3 Shuffle well.")
    assert lines[at + 1] == ""
    at = lines.index("2.3 The loser pays.")
    assert lines[at + 1] == "    no row cites this paragraph"


def test_the_text_as_json_and_in_no_other_format() -> None:
    data = program("rules", "show", "mine", "--text", "--format", "json").data
    assert {row["paragraph"]: row["implemented"] for row in data} == {
        **dict.fromkeys(("1", "1.1", "1.2", "1.3", "2", "2.1", "2.2", "3"), True),
        "2.3": False,
    }
    assert program("rules", "show", "mine", "--text", "--format", "html").code == 2


def test_check_counts_paragraphs_with_neither_a_row_nor_a_mark() -> None:
    said = program("rules", "check", "mine").out
    assert (
        "1 paragraph of the rule text has neither a row nor the mark <!-- for people -->: 2.3"
        in said
    )
    assert program("rules", "check", "mine", "--format", "json").data["without_rows"] == ["2.3"]


def test_a_further_paragraph_that_does_not_exist_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RULES.replace("2.2", "2.9"), "utf-8")
    assert "cites a paragraph" in program("rules", "check", "mine").out


@pytest.mark.parametrize(
    ("cite", "hint"),
    [
        ("4", "; 4 counts only as a heading “## 4. TITLE”; found 4"),
        ("4.1", "; 4.1 counts only below a heading “## 4. TITLE”; found 4.1"),
        ("2.9", "cites a paragraph that the rule text does not have; found 2.9"),
    ],
)
def test_a_number_without_its_heading_is_told(tmp_path: Path, cite: str, hint: str) -> None:
    path = tmp_path / "mine.md"
    path.write_text(f"{TEXT}\n4 No heading.\n4.1 None either.\n", "utf-8")
    rules = RULES.replace('cite = "1.1"', f'cite = "{cite}"')
    (tmp_path / "mine.toml").write_text(rules, "utf-8")
    assert hint in program("rules", "check", "mine").out


def test_every_paragraph_of_a_shipped_text_has_a_row_or_a_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SCOREKEEPER_RULESETS")
    cited: set[str] = set()
    for name in SHIPPED:
        rules = load_ruleset(name)
        cited.update(citations.citing_rows(rules.data, rules.rules_text))
    texts = {place.rpartition(" ")[0] for place in cited}
    found = {text: citations.find_unimplemented(text, cited, None) for text in texts}
    assert {text: bare for text, bare in found.items() if bare} == {}
