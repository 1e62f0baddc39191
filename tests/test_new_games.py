"""Games added with newer clauses of the rule language: cases worked out by hand from their rule
texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Failure, Match, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).parent / "cases"
# The cases of a game, by file; a case may name another ruleset.
GAMES = {
    "belote": "belote",
    "euchre": "euchre",
    "hearts": "hearts",
    "schafkopf": "schafkopf",
    "skat": "skat",
    "spades": "spades",
    "whist": "whist",
}


# The program's own codes. They cite the phase's rules for turns, and possession.
OWN_CODES = ("turn", "verb", "tricks.held", "give.held", "hands.group")


def cases() -> Iterator[Any]:
    for stem, ruleset in GAMES.items():
        lines = (CASES / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            case = json.loads(line)
            yield pytest.param(case.get("ruleset", ruleset), case, id=f"{stem}-{number}")


def played(ruleset: str, case: dict[str, Any]) -> Match:
    """Return a match with the entries of a case recorded."""
    match = Match(load_ruleset(ruleset, **case.get("options", {})), case["players"])
    for entry in case["entries"]:
        match.record(entry)
    return match


@pytest.mark.parametrize(("ruleset", "case"), list(cases()))
def test_a_case_is_ruled_and_scored_as_worked_out(ruleset: str, case: dict[str, Any]) -> None:
    match = played(ruleset, case)
    if "last" in case:
        try:
            ruling = match.judge(case["last"])
        except Failure as failure:
            assert case["verdict"] == "illegal", failure
            return
        assert ruling.verdict == case["verdict"], (case["what"], ruling.text)
        found = [finding for finding in ruling.findings if finding.verdict == "illegal"]
        if found and not any(finding.code in OWN_CODES for finding in found):
            assert case["paragraph"] in {finding.cite for finding in found}, ruling.text
    if "scores" in case:
        assert match.rounds[-1].scores == case["scores"], case["what"]


def test_whom_the_table_names_leader_opens_only_with_what_they_hold() -> None:
    match = Match(load_ruleset("hearts"), ["Ana", "Ben", "Cleo", "Dan"])
    for entry in ("lead Ana", *(f"{name}: give 3" for name in match.players)):
        match.record(entry)
    assert match.record("Ana: AC").verdict == "open"
    for entry in ("Ben: 3C", "Cleo: 4C", "Dan: 5C"):
        match.record(entry)
    (proof,) = match.record("Ana: 2C").settled
    assert (proof.code, proof.verdict, proof.facts["entries"]) == (
        "tricks.opens",
        "illegal",
        [6, 10],
    )


def test_cards_are_given_to_whom_the_deal_says() -> None:
    """Cover named and unnamed receivers; another direction is refused with the paragraph."""
    match = Match(load_ruleset("hearts"), ["Ana", "Ben", "Cleo", "Dan"])
    (finding,) = match.judge("Ana: give 3 to Cleo").findings
    assert (finding.code, finding.cite) == ("give.given-to", "2.1")
    assert "Ana must give the cards to Ben in this round, not to Cleo" in finding.reason
    assert match.record("Ana: give 3 to Ben").verdict == "legal"
    assert match.record("Ben: give 3").verdict == "legal"


def test_a_match_of_so_many_deals_has_so_many() -> None:
    """Do not count a deal that is thrown in."""
    match = Match(load_ruleset("skat", match={"ends": "deals >= 3"}), ["Ana", "Ben", "Cleo"])
    for _ in range(3):
        assert not match.over
        match.record("void thrown in")
        match.record("contract Ana: 18 clubs")
        match.record("result 61 matadors=1")
    assert match.over
