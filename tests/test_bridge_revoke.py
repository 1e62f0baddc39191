"""Law 64B3 of bridge: an established revoke by dummy costs nothing, so nobody can claim it."""

from __future__ import annotations

import pytest

from scorekeeper import Illegal, Match, load_ruleset

FOUR = ["N", "E", "S", "W"]
HANDS = {
    "N": "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 3S",
    "E": "AS KS QS JS TS 9S 8S 7S 6S 5S 2C 3C 2D",
    "S": "2S 4S AC KC QC JC TC 9C 8C 7C 6C 5C 4C",
    "W": "AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2H",
}
BIDS = ["N: 1NT", "E: pass", "S: pass", "W: pass"]  # N declares, S is dummy, and E leads


def begun(*, known: bool, **options: object) -> Match:
    match = Match(load_ruleset("bridge", **options), FOUR)
    for name, cards in HANDS.items() if known else ():
        match.record(f"hand {name}: {cards}")
    for entry in BIDS:
        match.record(entry)
    return match


def revoked(match: Match, by: str, *, known: bool) -> int:
    """Play a trick of spades that S and N could follow; return the number of the revoke."""
    number = 0
    cards = {"E": "AS", "S": "4C" if by == "S" else "2S", "W": "3D", "N": "3H"}
    cards["N"] = "3H" if by == "N" else "3S"
    for name, card in cards.items():
        decision = " !stands" if known and name == by else ""
        match.record(f"{name}: {card}{decision}")
        number = len(match.rounds[-1].entries) if name == by else number
    return number


def claimable(match: Match) -> list[str]:
    """Return the players who may claim a fault now."""
    return [name for fault in match.state["faults"] for name in fault["may"]]


@pytest.mark.parametrize("by", ["S", "N"])
def test_a_revoke_is_put_right_before_its_side_plays_on(by: str) -> None:
    match = begun(known=True)
    number = revoked(match, by, known=True)
    assert claimable(match) == ["E", "W"]
    match.record(f"claim W: {number}")
    assert match.state["players"][by]["cards"] == 13
    assert match.to_act == [by]


def test_an_established_revoke_by_dummy_cannot_be_claimed() -> None:
    match = begun(known=True)
    number = revoked(match, "S", known=True)
    match.record("E: KS")
    assert claimable(match) == ["E", "W"]  # the culprit's side has not played on
    assert "can no longer be claimed" in str(match.record("S: 2S"))
    assert match.state["faults"] == []
    with pytest.raises(Illegal, match="under the rules, no player can claim it any more"):
        match.record(f"claim W: {number}")


def test_an_established_revoke_by_the_declarer_can_be_claimed() -> None:
    match = begun(known=True)
    number = revoked(match, "N", known=True)
    for entry in ("E: KS", "S: 4S", "W: 4D", "N: 3S", "E: QS"):
        match.record(entry)
    assert claimable(match) == ["E", "W"]
    assert match.record(f"claim E: {number}").verdict == "legal"


def test_a_revoke_by_dummy_that_is_proven_later_accuses_nobody() -> None:
    match = begun(known=False)
    revoked(match, "S", known=False)
    found = match.record("E: KS")
    assert found.verdict == "legal"
    shown = match.record("S: 2S")  # dummy had a spade
    assert "illegal" in [each.verdict for each in shown.settled]
    assert match.state["faults"] == []


def test_the_score_of_a_deal_with_a_revoke_by_dummy_is_final() -> None:
    match = begun(known=True)
    revoked(match, "S", known=True)
    notes = ""
    while len(match.rounds) == 1 and match.rounds[0].scores is None:
        plays = [text for text in match.legal() if text.split(": ")[1] in " ".join(HANDS.values())]
        notes += str(match.record(plays[0]))
    assert match.rounds[0].scores == {"N": -350, "E": 350, "S": -350, "W": 350}
    assert "provisional" not in notes
    assert match.state["faults"] == []


def test_a_table_may_choose_that_dummys_revoke_is_claimed_like_any_other() -> None:
    match = begun(known=True, **{"remedies.revoke.lapses": "false"})
    number = revoked(match, "S", known=True)
    for entry in ("E: KS", "S: 2S", "W: 4D", "N: 4H", "E: QS"):
        match.record(entry)
    assert claimable(match) == ["E", "W"]
    assert match.record(f"claim E: {number}").verdict == "legal"
