"""12.3 of the tournament rules of Doppelkopf: the weight of a fault, and its consequences."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Failure, Unreadable
from tests.disputes import FOUR, Table, hands, refused

BY_BEN = {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}


def opened(known: bool, *said: str) -> Table:
    """Return a table where Ana may claim Ben's revoke of trick 1, after these calls.

    The revoke is proven by a later card, or by the entered hands.
    """
    return Table("revoke", known).say(*said).to("Dan: 9C" if known else "Ben: KC")


# --- none


@hands
def test_none_is_nought_and_the_act_stands(known: bool, tmp_path: Path) -> None:
    table = opened(known).claim("Ana", "Ben: 9D", "none")
    assert table.faults == []
    assert table.match.state["players"]["Ben"]["tricks"] >= 1  # won with a trump instead of a club
    table.rest()
    assert table.lines("penalties", "remedies") == []
    table.comes_to(tmp_path, 1, -1, 1, -1)


def test_none_also_where_it_could_be_put_right_still(tmp_path: Path) -> None:
    table = Table("revoke", True).to("Ben: 9D").claim("Dan", "Ben: 9D", "none")
    assert table.match.to_act[0] == "Cleo"
    table.rest().comes_to(tmp_path, 1, -1, 1, -1)


# --- minor


@hands
def test_minor_is_three_off_the_culprit_and_one_to_each_of_the_others(
    known: bool, tmp_path: Path
) -> None:
    table = opened(known).claim("Ana", "Ben: 9D", "minor")
    assert table.match.state["scores"] == BY_BEN
    assert table.faults == []
    table.rest()
    assert sorted(table.lines("penalties", "remedies")) == [
        ("penalties.minor", name, points, "12.3") for name, points in BY_BEN.items()
    ]
    table.comes_to(tmp_path, 2, -4, 2, 0)


@hands
def test_claimed_first_and_weighed_then(known: bool, tmp_path: Path) -> None:
    table = opened(known).claim("Ana", "Ben: 9D")
    (fault,) = table.faults
    assert fault["claimed"] == ["Ana"]
    assert fault["choices"]["minor"] == BY_BEN
    assert {name: points for name, points in fault["choices"]["none"].items() if points} == {}
    table.say(f"weigh {table.number('Ben: 9D')} minor").rest()
    table.comes_to(tmp_path, 2, -4, 2, 0)


@hands
@pytest.mark.parametrize("who", ["Cleo", "Dan"])
def test_a_card_is_put_right_if_nobody_has_played_since(who: str, known: bool) -> None:
    table = Table("revoke", known).to("Ben: 9D").claim(who, "Ben: 9D", "minor")
    state = table.match.state
    assert (state["scores"], state["to_act"][0]) == (BY_BEN, "Ben")
    assert state["table"] == [{"who": "Ana", "cards": "AC"}]
    assert state["players"]["Ben"]["cards"] == 12
    table.say("Ben: KC", "Cleo: 9C", "Dan: 9C")
    assert table.match.state["players"]["Ana"]["tricks"] == 1
    assert table.faults == []


@hands
def test_else_it_stands(known: bool, tmp_path: Path) -> None:
    table = Table("revoke", known).to("Cleo: 9C").claim("Dan", "Ben: 9D", "minor")
    state = table.match.state
    assert (state["scores"], state["to_act"][0]) == (BY_BEN, "Dan")
    assert {"who": "Ben", "cards": "9D"} in state["table"]
    table.rest().comes_to(tmp_path, 2, -4, 2, 0)


def test_a_card_that_was_taken_back_already_is_not_taken_back_again() -> None:
    table = Table("revoke", True).before("Ben: 9D").say("Ben: 9D !withdrawn", "Ben: KC")
    table.claim("Ana", "Ben: 9D", "minor")
    state = table.match.state
    assert (state["scores"], state["to_act"][0]) == (BY_BEN, "Cleo")
    assert {"who": "Ben", "cards": "KC"} in state["table"]


# --- a card ahead of its turn


@hands
def test_one_ahead_of_turn_is_put_right_if_nobody_has_played_since(known: bool) -> None:
    table = Table("revoke", known).to("Ana: AC").say("Cleo: 9C !stands")
    assert table.may("Cleo: 9C") == ["Ana", "Ben", "Dan"]
    table.claim("Dan", "Cleo: 9C", "minor")
    state = table.match.state
    assert state["scores"] == {"Ana": 1, "Ben": 1, "Cleo": -3, "Dan": 1}
    assert (state["to_act"][0], state["players"]["Cleo"]["cards"]) == ("Ben", 12)


@hands
def test_else_it_is_that_seats_card_when_its_turn_comes(known: bool) -> None:
    table = Table("revoke", known).to("Ana: AC").say("Cleo: 9C !stands", "Ben: KC")
    assert table.may("Cleo: 9C") == ["Ana", "Dan"]
    table.claim("Dan", "Cleo: 9C", "minor")
    state = table.match.state
    assert state["scores"] == {"Ana": 1, "Ben": 1, "Cleo": -3, "Dan": 1}
    assert (state["to_act"][0], state["players"]["Cleo"]["cards"]) == ("Dan", 11)
    table.say("Dan: 9C")
    assert table.match.state["players"]["Ana"]["tricks"] == 1


@hands
def test_a_lead_by_who_is_not_to_lead(known: bool) -> None:
    table = Table("revoke", known).say("Ben: AS !stands")
    assert table.may("Ben: AS") == ["Ana", "Cleo", "Dan"]
    table.claim("Ana", "Ben: AS", "minor")
    state = table.match.state
    assert (state["scores"], state["to_act"][0], state["table"]) == (BY_BEN, "Ana", [])


# --- a call


@hands
def test_a_late_call_is_taken_back(known: bool, tmp_path: Path) -> None:
    """Withdraw it even if another player has acted: Dan's kontra would have made it three."""
    table = Table("revoke", known).to("Ana: TS").say("Dan: kontra !stands").to("Ben: KC")
    assert table.may("Dan: kontra") == ["Ana", "Cleo"]
    table.claim("Cleo", "Dan: kontra", "minor").rest()
    table.comes_to(tmp_path, 2, 0, 2, -4)


@hands
@pytest.mark.parametrize("weight", ["none", ""])
def test_or_stands_unclaimed_and_where_it_is_nothing(
    weight: str, known: bool, tmp_path: Path
) -> None:
    table = Table("revoke", known).to("Ana: TS").say("Dan: kontra !stands").to("Ben: KC")
    if weight:
        table.claim("Cleo", "Dan: kontra", weight)
    table.rest().say("end").comes_to(tmp_path, 3, -3, 3, -3)


@hands
def test_an_early_one_is_taken_back_too(known: bool) -> None:
    table = Table("found", known).to("Ana: KD").say("Cleo: re !stands").to("Cleo: TH")
    table.claim("Dan", "Cleo: re", "minor").to("Dan: QH")
    assert table.match.state["scores"] == {"Ana": 1, "Ben": 1, "Cleo": -3, "Dan": 1}
    assert table.match.judge("Cleo: re").verdict == "legal"  # at this point her call is in time


def test_so_is_one_for_the_wrong_side() -> None:
    table = Table("revoke", known=True).say("Ben: re !stands")
    assert table.may("Ben: re") == ["Ana", "Cleo", "Dan"]
    table.claim("Ana", "Ben: re", "minor")
    assert table.match.state["scores"] == BY_BEN
    table.say("Ben: kontra")


@hands
def test_a_serious_call(known: bool, tmp_path: Path) -> None:
    table = Table("revoke", known).to("Ana: TS").say("Dan: kontra !stands")
    table.claim("Ana", "Dan: kontra", "serious").comes_to(tmp_path, 4, 4, 4, -12)
    assert table.match.to_act[0] == "Ana"


# --- serious


@hands
def test_serious_is_not_played_and_costs_twelve(known: bool, tmp_path: Path) -> None:
    table = opened(known).claim("Ana", "Ben: 9D", "serious")
    assert table.match.state["over"] or table.match.rounds[0].over
    assert sorted(table.lines("")) == [
        ("penalties.serious", name, 4 if name != "Ben" else -12, "12.3") for name in FOUR
    ]
    table.comes_to(tmp_path, 4, -12, 4, 4)


@hands
def test_the_same_dealer_deals_again_and_the_deal_does_not_count(known: bool) -> None:
    table = Table("revoke", known, match={"ends": "deals >= 1"})
    table.to("Dan: 9C").claim("Ana", "Ben: 9D", "serious")
    assert not table.match.over
    assert table.match.to_act[0] == "Ana"  # the player left of Dan, who dealt
    table.say("all: gesund", "Ana: AC")
    assert len(table.match.rounds) == 2


CALLED = [("re", 0), ("re keine90", 1), ("re keine60", 2), ("re keine30", 3), ("re schwarz", 4)]


@pytest.mark.parametrize(("call", "levels"), CALLED)
def test_and_three_more_for_each_level_of_the_other_side(
    call: str, levels: int, tmp_path: Path
) -> None:
    """Count implied levels too: 15 and 5 up to 24 and 8."""
    table = opened(True, f"Ana: {call}").claim("Ana", "Ben: 9D", "serious")
    others = 4 + levels
    table.comes_to(tmp_path, others, -3 * others, others, others)


def test_levels_of_the_culprits_own_side_are_nothing(tmp_path: Path) -> None:
    table = opened(True, "Dan: kontra keine60").claim("Ana", "Ben: 9D", "serious")
    table.comes_to(tmp_path, 4, -12, 4, 4)


def test_levels_of_both_sides(tmp_path: Path) -> None:
    table = opened(True, "Dan: kontra keine60", "Cleo: re keine90")
    table.claim("Ana", "Ben: 9D", "serious").comes_to(tmp_path, 5, -15, 5, 5)


def late(known: bool, call: str) -> Table:
    """Return a table with re announced, a level called too late after trick 4, and Ben's revoke in
    trick 5."""
    table = Table("middle", known).say("Ana: re").before("Cleo: KD")
    table.before("Ben: KS") if not call else table.say(call).before("Ben: KS")
    return table.to("Ben: KS") if known else table.to("Dan: 9D", "Ben: JS")


@hands
@pytest.mark.parametrize(
    ("call", "levels"),
    [("", 0), ("Ana: keine90 !stands", 1), ("Ana: keine90 !withdrawn", 0),
     ("Ana: keine60 !stands", 2)],
)  # fmt: skip
def test_a_late_level_that_stood_counts_and_one_that_was_taken_back_does_not(
    call: str, levels: int, known: bool, tmp_path: Path
) -> None:
    table = late(known, call).claim("Ana", "Ben: KS", "serious")
    others = 4 + levels
    table.comes_to(tmp_path, others, -3 * others, others, others)


def test_a_level_that_a_claim_took_back_does_not_count(tmp_path: Path) -> None:
    table = Table("middle", True).say("Ana: re").before("Cleo: KD").say("Ana: keine90 !stands")
    table.claim("Ben", "Ana: keine90", "minor").to("Ben: KS").claim("Ana", "Ben: KS", "serious")
    table.comes_to(tmp_path, 4 - 3, -12 + 1, 4 + 1, 4 + 1)


def test_calls_after_the_act_do_not_count(tmp_path: Path) -> None:
    table = opened(True, "Ana: re").say("Cleo: re keine90")
    table.claim("Ana", "Ben: 9D", "serious").comes_to(tmp_path, 4, -12, 4, 4)


def test_nor_those_before_the_proof(tmp_path: Path) -> None:
    table = Table("revoke", False).say("Ana: re").before("Ben: KC").say("Ana: re keine90")
    table.to("Ben: KC").claim("Dan", "Ben: 9D", "serious").comes_to(tmp_path, 4, -12, 4, 4)


def test_while_the_side_is_unknown_and_levels_were_called_the_figure_waits(tmp_path: Path) -> None:
    """Wait until Ben's side is known: against kontra the penalty is 15, against re 12."""
    table = opened(False, "Ana: re keine90").claim("Dan", "Ben: 9D", "serious")
    assert table.scores is None
    table.say("holds Ana: QC", "holds Cleo: QC")
    table.comes_to(tmp_path, 5, -15, 5, 5)


def test_on_the_side_that_called_it_is_twelve(tmp_path: Path) -> None:
    table = opened(False, "Ana: re keine90").claim("Dan", "Ben: 9D", "serious")
    table.say("holds Ben: QC").comes_to(tmp_path, 4, -12, 4, 4)


def clear_by_calls() -> Table:
    """Return a table where Ana and Cleo called re, and Ana a level, so Ben and Dan are clearly
    kontra."""
    return opened(False, "Ana: re keine90", "Cleo: re").claim("Ana", "Ben: 9D", "serious")


def test_by_the_side_that_is_clear_by_calls_it_does_not_wait(tmp_path: Path) -> None:
    clear_by_calls().comes_to(tmp_path, 5, -15, 5, 5)


def test_a_side_that_shows_itself_otherwise_changes_the_figure(tmp_path: Path) -> None:
    table = clear_by_calls().say("holds Ben: QC")
    told = [finding.reason for _, finding in table.match.live_round.log.all_findings()]
    say = "Ben is not on the assumed side, so the penalty changes: "
    assert [text for text in told if text.startswith(say)]
    table.comes_to(tmp_path, 4, -12, 4, 4)


def test_one_that_is_proven_as_it_was_clear_changes_nothing(tmp_path: Path) -> None:
    table = clear_by_calls().say("holds Ana: QC", "holds Cleo: QC")
    assert len(table.match.rounds) == 1
    table.comes_to(tmp_path, 5, -15, 5, 5)
    table.say("holds Ben: QC")  # belongs to the next deal, because in this one all sides are proven
    assert len(table.match.rounds) == 2


def test_a_deal_that_waits_for_a_side_says_what_to_type() -> None:
    table = opened(False, "Ana: re keine90").claim("Dan", "Ben: 9D", "serious")
    why = table.match.rounds[0].unscored_reason
    assert why == (
        "a penalty depends on the side of Ben, which is not known yet; type holds NAME: CARD"
    )
    told = [finding.reason for _, finding in table.match.live_round.log.all_findings()]
    assert any("Ben's side is known (enter a card that shows" in text for text in told)


def test_without_levels_it_does_not_wait(tmp_path: Path) -> None:
    table = opened(False, "Ana: re", "Dan: kontra").claim("Dan", "Ben: 9D", "serious")
    table.comes_to(tmp_path, 4, -12, 4, 4)


# --- a player who sits out


@hands
@pytest.mark.parametrize(("weight", "each", "culprit"), [("minor", 1, -3), ("serious", 4, -12)])
def test_who_sits_out_gets_nothing(weight: str, each: int, culprit: int, known: bool) -> None:
    table = Table("revoke", known, players=(*FOUR, "Eva"))
    table.to("Dan: 9C").claim("Ana", "Ben: 9D", weight)
    expected = {"Ana": each, "Ben": culprit, "Cleo": each, "Dan": each, "Eva": 0}
    assert table.match.scores == expected


# --- weights that cannot be chosen


def test_there_are_only_these_weights() -> None:
    table = opened(False)
    with pytest.raises(Unreadable):
        table.claim("Ana", "Ben: 9D", "terrible")
    with pytest.raises(Failure):  # harmless is a weight against a soloist only
        table.claim("Ana", "Ben: 9D", "harmless")
    assert table.may("Ben: 9D") == ["Ana", "Cleo", "Dan"]


def test_what_is_weighed_is_settled() -> None:
    table = opened(False).claim("Ana", "Ben: 9D", "minor")
    assert "minor" in refused(table, f"claim Dan: {table.number('Ben: 9D')} serious")
    with pytest.raises(Failure):
        table.say(f"weigh {table.number('Ben: 9D')} serious")


def test_by_hand_it_is_the_same_table(tmp_path: Path) -> None:
    table = Table("revoke", False).to("Dan: 9C").say("penalty Ben: minor did not follow")
    table.rest().comes_to(tmp_path, 2, -4, 2, 0)
