"""Claims while facts of the start are still being entered: they outlast the facts, although each
fact rebuilds the start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.disputes import DEALS, Table, hands, refused

FACTS = ["dealer Dan", "note they sit down again"]


@pytest.mark.parametrize("weight", ["none", "minor", "serious"])
@hands
def test_the_first_card_of_a_deal_is_claimed_once(known: bool, weight: str, tmp_path: Path) -> None:
    """Withdraw the first card, so that no act remains, and check that the decision stays."""
    table = Table("revoke", known, ()).say("Ana: QC !stands").claim("Ben", "Ana: QC", weight)
    assert table.faults == []
    assert "settled" in refused(table, f"claim Cleo: {table.number('Ana: QC')} minor")
    table.stays(tmp_path)


def test_what_is_told_before_the_first_word_waits_to_be_weighed(tmp_path: Path) -> None:
    table = Table("revoke", False, ()).say("claim Ana: conduct Ben", *FACTS)
    assert [fault["claimed"] for fault in table.faults] == [["Ana"]]
    table.stays(tmp_path)
    table.say("weigh 1 minor", "hand Cleo: 12")
    assert table.faults == []
    assert table.match.scores == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}
    table.stays(tmp_path)


def test_a_claim_from_the_deal_before_outlasts_hands_that_are_entered(tmp_path: Path) -> None:
    table = Table("last", False).rest()
    number = table.number("Ben: TC")
    hand = DEALS["revoke"]["hands"]["Ana"]
    table.say(f"hand Ana: {hand}", f"claim Ana: 1.{number}")
    table.say(f"hand Ben: {DEALS['revoke']['hands']['Ben']}")
    assert [fault["claimed"] for fault in table.faults] == [["Ana"]]
    table.say(f"weigh 1.{number} serious")
    assert table.match.scores == {"Ana": 4, "Ben": -12, "Cleo": 4, "Dan": 4}
    table.stays(tmp_path)
