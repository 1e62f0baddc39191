"""Claims at odd moments: before the first act, among the facts of a start, after a result, after the
end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.disputes import FOUR, RULES, Table

from scorekeeper import Match, load_ruleset

if TYPE_CHECKING:
    from pathlib import Path

HAND = "hand Ana: AC AC TC TC AS AS TS TS AH AH KH KH"


def over() -> Table:
    """A round that is over, in which Ben's TC (3) may still be claimed by Ana."""
    return Table("last", known=False).rest()


# --- before the first act


def test_a_claim_before_the_first_act_is_kept_when_facts_follow() -> None:
    match = Match(load_ruleset(RULES), FOUR)
    match.record("claim Ana: talk Ben -6")
    match.record(HAND)
    refused = match.judge("claim Cleo: 1")
    assert refused.refused
    assert "settled" in refused.text
    (told,) = match.rounds
    assert [fault["text"] for fault in match.told(told).summary["faults"]] == ["talk Ben"]
    assert match.scores["Ben"] == -6


def test_a_waiver_in_the_next_round_is_kept_when_facts_follow(tmp_path: Path) -> None:
    table = over().say("dealer Cleo", "waive Ana", HAND)
    assert not table.faults
    table.stays(tmp_path)


def test_a_claim_in_the_next_round_waits_when_facts_follow(tmp_path: Path) -> None:
    table = over().say("dealer Cleo", "claim Ana: 1.3", HAND)
    assert [fault["claimed"] for fault in table.faults] == [["Ana"]]
    table.say("weigh 1.3 minor", "hand Ben: 12")
    assert not table.faults
    assert table.match.scores == {"Ana": 2, "Ben": -4, "Cleo": 2, "Dan": 0}
    table.stays(tmp_path)
