"""Belote with unseen hands: the conclusions from a card that breaks a duty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Illegal, Match, load_ruleset, verify_record, write_record
from tests.helpers import program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.helpers import Answer

NAMES = ["Ana", "Ben", "Cleo", "Dan"]
# Ben holds JH, a trump; he neither follows clubs nor trumps Ana's ace.
BEFORE = ["turnup JH", "Ana: pass", "Ben: hearts", "Ana: AC"]
SEEN_LATER = """turnup 7S; Ana: pass; Ben: pass; Cleo: pass; Dan: pass; Ana: clubs
    Ana: 7H; Ben: TH; Cleo: 9H; Dan: 8H; Ben: QS; Cleo: TS; Dan: KS; Ana: 8S
    Cleo: JC; Dan: 9C; Ana: KC; Ben: 8C; Cleo: KH; Dan: QD; Ana: TD; Ben: 7D
    Cleo: AC; Dan: KD; Ana: JH; Ben: TC"""
LATER = [entry.strip() for entry in SEEN_LATER.replace("\n", ";").split(";")]


def match_with(*entries: str) -> Match:
    match = Match(load_ruleset("belote"), NAMES)
    for entry in (*BEFORE, *entries):
        match.record(entry)
    return match


def found(match: Match, path: Path) -> dict[str, str]:
    """Return the findings about the card 8D: the rules' codes with their verdicts."""
    write_record(match, path / "match.toml")
    findings = verify_record(path / "match.toml")["findings"]
    return {
        each["code"]: each["verdict"] for each in findings if each["entry"] == "Ben: 8D !stands"
    }


def test_who_may_have_the_suit_is_not_accused_of_having_kept_a_trump(tmp_path: Path) -> None:
    match = match_with()
    assert "Ben: 8D" not in match.legal
    assert "Ben: 8D" not in match.legal()  # he broke one of the two rules, whichever that is
    with pytest.raises(Illegal, match="broke one of the following rules"):
        match.record("Ben: 8D")
    ruling = match.record("Ben: 8D !stands")
    assert (ruling.verdict, ruling.settled) == ("illegal", ())
    assert found(match, tmp_path) == {
        "tricks.follow": "open",
        "tricks.trumping": "open",
        "hands.group": "illegal",
    }


def test_what_broke_one_of_two_rules_is_decided_like_what_broke_one(tmp_path: Path) -> None:
    book = ("--book", str(tmp_path / "book.db"))
    program("new", "belote", *NAMES, *book)
    # With Ana's jack and Ben's ten it is seen that Ben had a heart or a trump.
    told = program("record", *LATER, *book).out
    assert "to decide this: amend 22 'Ben: 7D !stands'" in told
    (row,) = group_in(program("rulings", "--format", "json", *book))
    assert (row["number"], row["decision"], row["settled_by"]) == (22, None, 26)
    assert any(action.endswith(" 1.22 'Ben: 7D !stands'") for action in row["actions"])
    program("amend", "22", "Ben: 7D !stands", *book)
    (row,) = group_in(program("rulings", "--format", "json", *book))
    assert (row["decision"], row["actions"]) == ("stands", [])


def group_in(answer: Answer) -> list[Any]:
    return [row for row in answer.data if row["code"] == "hands.group"]


def test_who_had_the_suit_has_broken_that_rule_alone(tmp_path: Path) -> None:
    match = match_with("Ben: 8D !stands", "Cleo: 7C", "Dan: 8C", "Ana: TD", "Ben: 9C !stands")
    assert found(match, tmp_path) == {"tricks.follow": "illegal"}


def test_who_is_known_to_have_had_no_card_of_the_suit_has_kept_a_trump() -> None:
    hand = "hand Ben: JH 8D 7D 9D TD KS QS JS"
    match = Match(load_ruleset("belote"), NAMES)
    for entry in ("turnup JH", "Ana: pass", "Ben: hearts", hand, "Ana: AC"):
        match.record(entry)
    ruling = match.judge("Ben: 8D")
    assert [finding.cite for finding in ruling.findings] == ["3.4"]


def test_the_pair_is_announced_with_its_first_card_until_the_next_is_laid() -> None:
    match = match_with("Ben: KH")
    assert match.judge("Ben: belote").verdict == "open"
    match.record("Cleo: 7C")
    ruling = match.judge("Ben: belote")
    assert (ruling.verdict, ruling.findings[0].cite) == ("illegal", "4.1")


def test_a_table_that_plays_no_announcements_says_so_by_one_key() -> None:
    match = Match(load_ruleset("belote", **{"let.first_trick": "false"}), NAMES)
    for entry in BEFORE:
        match.record(entry)
    ruling = match.judge("Ben: show 9H TH JH QH")
    assert (ruling.verdict, ruling.findings[0].cite) == ("illegal", "5.2")


def test_a_pair_that_was_shown_may_be_in_a_sequence_and_its_cards_in_no_second() -> None:
    match = Match(load_ruleset("belote"), NAMES)
    for entry in (*BEFORE[:-1], "Ana: show KH QH", "Ana: show AH KH QH"):
        match.record(entry)
    ruling = match.judge("Ana: show AH AC AD AS")
    assert (ruling.verdict, ruling.findings[0].cite) == ("illegal", "5.2")
