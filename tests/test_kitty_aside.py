"""A kitty that no player takes: it stays on the table and its cards may be entered. Keys that a
result may leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Impossible, Match, load_ruleset, verify_record, write_record

NAMES = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))


def table(*entries: str) -> Match:
    match = Match(load_ruleset("kitty-aside"), NAMES)
    for text in entries:
        match.record(text)
    return match


def refused(match: Match, text: str) -> str:
    with pytest.raises(Impossible) as caught:
        match.record(text)
    return str(caught.value)


def test_its_cards_are_told_where_it_lies_aside() -> None:
    match = table("Ana: bid club-solo", "kitty AC TC KC 9C")
    assert match.state["bindings"]["kitty"] == {
        "cards": ["AC", "TC", "KC", "9C"],
        "state": "left",
    }
    assert match.to_act == ["Ana"]
    assert "KC is out of play" in refused(match, "Ana: KC")
    assert "already been turned up" in refused(match, "kitty AC TC KC 9C")


@pytest.mark.parametrize("said", ["Ana: bid club-solo", "contract Ana: club-solo"])
def test_nobody_holds_what_was_told_of_it(said: str) -> None:
    match = table(said, "kitty AC TC KC 9C")
    assert "not all of these cards" in refused(match, "hand Cleo: AC KC QC JC 8S 7S JS")


def test_it_cannot_be_told_otherwise() -> None:
    assert "not 3" in refused(table("Ana: bid club-solo"), "kitty AC TC KC")
    assert "no 8C is there" in refused(table("Ana: bid club-solo", "8C"), "kitty 8C AC TC KC")
    assert "not known yet who gets" in refused(table(), "kitty AC TC KC 9C")


def test_one_that_is_taken_is_turned_up_and_taken_as_before() -> None:
    match = table("Ana: bid wenz", "Ben: pass", "Cleo: pass", "Dan: pass", "kitty AC TC KC 9C")
    match.record("Ana: take")
    assert match.state["players"]["Ana"]["cards"] == 11


def test_its_points_are_the_declarers_whether_told_or_not(tmp_path: Path) -> None:
    hands = [
        "hand Ana: QC QS QH QD JC JS JH",
        "hand Ben: AS TS KS 9S 8S 7S JD",
        "hand Cleo: AH TH KH 9H 8H 7H AD",
        "hand Dan: TD KD 9D 8D 7D 8C 7C",
    ]
    told: list[list[int]] = []
    for kitty in ([], ["kitty AC TC KC 9C"]):
        match = table(*hands, "Ana: bid club-solo", *kitty)
        while not match.rounds[-1].over:
            match.record(next(iter(match.legal)))
        told.append([match.scores[name] for name in NAMES])
        write_record(match, tmp_path / "aside.toml")
        assert verify_record(tmp_path / "aside.toml")["ok"]
    assert told[0] == told[1]
    assert told[0][0] > 0


def test_a_result_without_a_special_that_somebody_may_have_says_so() -> None:
    """Report that the jacks were counted for no player."""
    said = "result contract=wenz declarer=Ana player=Ana points=70"
    (note,) = table().judge(said).findings
    assert (note.code, note.verdict) == ("counting.specials", "legal")
    assert note.reason == (
        "the result does not mention jacks, so none of that is counted;"
        " to count jacks, enter “specials=player:jacks”"
    )
    assert not table().judge(f"{said} specials=player:jacks").findings
