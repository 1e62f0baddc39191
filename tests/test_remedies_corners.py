"""Claims at unusual moments: before the first act, among the facts of a start, after a result, and
after the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Impossible, Match, Unreadable, load_ruleset
from scorekeeper.core import untrusted
from tests.disputes import FOUR, RULES, Table, refused

if TYPE_CHECKING:
    from pathlib import Path

HAND = "hand Ana: AC AC TC TC AS AS TS TS AH AH KH KH"


def over() -> Table:
    """Return a table with a finished round in which Ana may still claim Ben's TC (3)."""
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
    assert [fault["text"] for fault in match.review_round(told).summary["faults"]] == ["talk Ben"]
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


# --- after the round


def test_conduct_told_after_a_result_makes_the_round_void(tmp_path: Path) -> None:
    table = Table("revoke", known=False, words=())
    table.say("result contract=normal re=Ana+Ben points=132", "claim Ana: conduct Ben serious")
    table.comes_to(tmp_path, 4, -12, 4, 4)


def test_a_round_that_a_result_closed_is_void_by_what_was_wrong(tmp_path: Path) -> None:
    table = Table("revoke", known=False).to("Ben: KC")
    table.say("result contract=normal re=Ana+Cleo points=132")
    table.claim("Ana", "Ben: 9D", "serious").comes_to(tmp_path, 4, -12, 4, 4)


def test_conduct_told_after_the_last_card_makes_the_round_void(tmp_path: Path) -> None:
    table = over().say("waive all", "claim Ana: conduct Ben serious")
    table.comes_to(tmp_path, 4, -12, 4, 4)


def test_conduct_told_after_a_solo_of_which_only_the_result_is_known(tmp_path: Path) -> None:
    table = Table("revoke", known=False, words=())
    table.say("result contract=damensolo re=Ana points=132", "claim Ana: conduct Ben serious")
    table.comes_to(tmp_path, 12, -12, 0, 0)
    owed = table.match.review_round(table.match.rounds[0]).summary["facts"]["player.solos_left"]
    assert owed["Ana"] == 0, "the solo is met"


def test_the_round_before_is_not_made_void_once_the_next_one_is_over() -> None:
    table = over().say("claim Ana: 3", "all: gesund", "result re=Ana+Ben points=132")
    with pytest.raises(Impossible, match="round 2 would have begun differently"):
        table.say("weigh 1.3 serious")
    (fault,) = table.faults
    assert "serious" in fault["waits"]
    table.say("weigh 1.3 minor")
    assert table.match.scores == {"Ana": 3, "Ben": -3, "Cleo": 1, "Dan": -1}


def test_nothing_is_told_after_the_end() -> None:
    table = over().say("end")
    assert "end" in refused(table, "claim Ana: talk Ben -6")
    assert "end" in refused(table, "claim Ana: conduct Ben minor")


# --- undecidable faults cannot be claimed


def test_points_that_no_choice_takes_off_are_not_claimed() -> None:
    table = Table("revoke", known=False)
    with pytest.raises(Impossible, match="no points may be deducted here"):
        table.say("claim Ana: conduct Ben -6")
    with pytest.raises(Impossible, match="at most 12 may be deducted"):
        table.say("claim Ana: talk Ben -13")
    assert not table.faults


def test_who_sits_out_has_no_penalty_that_waits_for_ever() -> None:
    table = Table("revoke", known=False, players=(*FOUR, "Eva"), words=())
    with pytest.raises(Impossible, match="Eva sits out"):
        table.say("claim Ana: conduct Eva minor")
    table.say("claim Ana: talk Eva -6")
    assert table.match.scores["Eva"] == -6


# --- claimants, and players who acted on


def test_who_claims_twice_has_claimed_once() -> None:
    table = Table("revoke", known=False).to("Ben: KC").claim("Ana", "Ben: 9D")
    table.claim("Cleo", "Ben: 9D").claim("Ana", "Ben: 9D")
    assert [fault["claimed"] for fault in table.faults] == [["Ana", "Cleo"]]


def test_a_concession_that_is_taken_back_forfeits_nothing() -> None:
    table = Table("solo", known=True).to("Cleo: AC").say("Cleo: concede !withdrawn")
    assert table.may("Cleo: AC") == ["Ana", "Ben", "Dan"]
    longer = {"revoke": {"until": "next-deal"}}
    for said, left in (("Cleo: concede !withdrawn", ["Cleo"]), ("Cleo: concede", [])):
        table = Table("solo", known=True, remedies=longer).to("Dan: 9S").say(said)
        assert table.may("Ben: JS") == left


def test_a_round_that_is_not_the_one_before_is_not_offered() -> None:
    table = Table("revoke", known=False).to("Ben: KC")
    with pytest.raises(Impossible, match=r"this round has no entry 2\.3") as failure:
        table.say("claim Ana: 2.3")
    assert "0.3" not in failure.value.hint


# --- a record from a stranger


def test_no_more_may_be_claimed_than_can_be_kept_in_view() -> None:
    table = Table("revoke", known=False)
    table.say(*["claim Ana: conduct Ben"] * untrusted.MAX_CLAIMABLE)
    with pytest.raises(Impossible, match="no more are possible"):
        table.say("claim Ana: conduct Ben")
    ruling = table.match.record("Ben: AC !stands")
    assert "so no player can claim" in ruling.settled[-1].reason
    table.say("weigh 2 none", "claim Ana: conduct Ben")
    assert len(table.faults) == untrusted.MAX_CLAIMABLE


def test_who_has_gone_on_in_the_round_before_is_told_so() -> None:
    table = over().say("claim Ana: 3", "dealer Cleo")
    assert "they have played on in round 1" in refused(table, "claim Cleo: 1.3")


# --- rulesets from strangers


def test_a_remedy_for_findings_that_there_cannot_be() -> None:
    with pytest.raises(Unreadable, match=r"remedies\.revoke\.on: no finding is “trick\.follow”"):
        load_ruleset(RULES, remedies={"revoke": {"on": ["trick.follow"]}})


def test_a_penalty_that_hangs_on_a_claim_is_not_entered_by_hand() -> None:
    rules = load_ruleset(RULES, penalties={"minor": {"culprit": "-1 - fault.since"}})
    match = Match(rules, FOUR)
    with pytest.raises(Impossible, match="cannot be computed: no fault has been claimed here"):
        match.record("penalty Ben: minor slow")
    assert match.scores == dict.fromkeys(FOUR, 0)


# --- the public view


def test_what_a_hand_has_shown_is_claimed_in_the_next_round_before_everyone() -> None:
    table = Table("revoke", known=True).to("Ben: 9D")
    number = table.number("Ben: 9D")
    table.say("result re=Ana+Cleo points=132", "dealer Cleo", f"claim Ana: 1.{number} minor")
    table.say("all: gesund")
    seen = table.match.public_copy()
    assert table.match.scores == {"Ana": 2, "Ben": -4, "Cleo": 2, "Dan": 0}
    # The players did not see the hand, but the referee has announced the fault.
    assert seen.scores == table.match.scores
    assert (seen.diverged_at, seen.state["phase"], seen.to_act) == (0, "tricks", ["Dan"])
    table.say("result re=Ana+Cleo points=132")
    assert table.match.public_copy().scores == table.match.scores
