"""12.7 and 12.8 of the tournament rules of Doppelkopf: faults that only the table can enter, the
effects of a hand-over, and penalties that sum to zero."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Failure, Impossible, Match, load_ruleset
from tests.disputes import FOUR, Table, hands, refused

DEALING = pytest.mark.parametrize("what", ["dealing", "dealt"])


def begun(known: bool, *words: str) -> Table:
    return Table("revoke", known, words)


def redealt(table: Table) -> None:
    """Check that no player has won or lost points and that Dan deals again."""
    assert set(table.match.scores.values()) == {0}
    assert table.lines("penalties", "remedies") == []
    assert table.match.to_act[0] == "Ana"


# --- mixing, cutting, dealing


@DEALING
@pytest.mark.parametrize("who", FOUR)
def test_before_anybody_has_taken_up_their_cards(what: str, who: str, tmp_path: Path) -> None:
    table = begun(False).say(f"claim {who}: {what} Dan")
    redealt(table)
    table.stays(tmp_path)


@DEALING
def test_each_until_they_have(what: str) -> None:
    table = begun(False, "Ana: gesund")
    assert "Ana" in refused(table, f"claim Ana: {what} Dan")
    assert table.match.judge(f"claim Ben: {what} Dan").verdict == "legal"
    table.say("Ben: gesund", "Cleo: gesund")
    refused(table, f"claim Cleo: {what} Dan")
    table.say(f"claim Dan: {what} Dan")
    redealt(table)


@DEALING
def test_and_then_nobody(what: str) -> None:
    table = begun(False, "all: gesund")
    for who in FOUR:
        refused(table, f"claim {who}: {what} Dan")


def test_the_deal_is_not_counted() -> None:
    table = Table("revoke", False, [], match={"ends": "deals >= 1"}).say("claim Ana: dealing Dan")
    assert not table.match.over


# --- the wrong dealer


@hands
def test_the_wrong_dealer_until_the_second_card_lies(known: bool) -> None:
    table = begun(known, "all: gesund").to("Ana: AC")
    for who in ("Ana", "Ben", "Cleo"):
        assert table.match.judge(f"claim {who}: dealer Dan").verdict == "legal"
    table.say("claim Ben: dealer Dan")
    redealt(table)


@hands
def test_not_after_it(known: bool) -> None:
    table = begun(known, "all: gesund").to("Ben: 9D")
    for who in FOUR:
        why = refused(table, f"claim {who}: dealer Dan")
        second = f"{table.number('Ben: 9D')}, {table.match.rounds[0].entries[-1]}"
        assert f"it could be claimed only until the second card is played ({second})" in why


# --- a wrong number that is noticed once play has begun


@hands
def test_too_late_the_table_decides_and_how_is_said(known: bool) -> None:
    table = Table("across", known).before("Cleo: 9H")  # Cleo has no cards left
    for text in ("claim Ana: dealt Dan", "claim Ana: dealer Dan", "claim Ana: dealing Dan"):
        why = refused(table, text)
        assert (
            "the rules no longer set a consequence, so the table decides: void WHY, result …,"
            " penalty NAME: -1 WHY" in why
        )
    table.match.judge("void Cleo had eleven cards")
    table.match.judge("penalty Dan: -3 misdealt")
    table.match.judge("result contract=normal re=Ana+Cleo points=137")


@pytest.mark.parametrize("count", ["0", "2", "11", "9H 9C"])
def test_another_number_of_cards_than_play_has_left(count: str) -> None:
    table = Table("across", False).before("Cleo: 9H")
    with pytest.raises(Impossible) as raised:
        table.match.judge(f"hand Cleo: {count}")
    assert "according to the entries, Cleo holds 1 card" in raised.value.message
    assert "the table must decide: void WHY, result …, penalty NAME: -1 WHY" in raised.value.hint


# --- talk


@hands
@pytest.mark.parametrize("points", [1, 6, 12])
def test_talk_costs_up_to_twelve_and_is_nobodys_gain(
    points: int, known: bool, tmp_path: Path
) -> None:
    table = begun(known, "all: gesund").to("Dan: 9C").say(f"claim Ana: talk Ben -{points}")
    assert table.lines("") == [("remedies.talk", "Ben", -points, "12.7")]
    table.rest().comes_to(tmp_path, 1, -1 - points, 1, -1)


@hands
def test_or_nothing_but_a_warning(known: bool, tmp_path: Path) -> None:
    table = begun(known, "all: gesund").to("Dan: 9C").say("claim Ana: talk Ben")
    table.rest().comes_to(tmp_path, 1, -1, 1, -1)


@pytest.mark.parametrize("points", [13, 100])
def test_not_more(points: int) -> None:
    table = begun(False, "all: gesund").to("Dan: 9C")
    with pytest.raises(Failure):
        table.say(f"claim Ana: talk Ben -{points}")
    assert table.match.scores["Ben"] == 0


def test_who_incites_another_has_this_penalty_and_who_does_it_that_of_the_act(
    tmp_path: Path,
) -> None:
    table = begun(True, "all: gesund").to("Dan: 9C").say("claim Ana: talk Dan -5")
    table.claim("Ana", "Ben: 9D", "minor").rest()
    table.comes_to(tmp_path, 2, -4, 2, 0 - 5)


@hands
def test_talk_forfeits_no_claim_and_is_forfeited_by_no_card(known: bool) -> None:
    table = begun(known, "all: gesund").to("Ben: AS").say("claim Cleo: talk Ben -2")
    assert table.match.scores["Ben"] == -2
    if known:
        assert table.may("Ben: 9D") == ["Ana"]


# --- other acts that the referee cannot see


@hands
@pytest.mark.parametrize(
    ("weight", "scores"),
    [("none", (1, -1, 1, -1)), ("minor", (2, -4, 2, 0)), ("serious", (4, -12, 4, 4))],
)
def test_conduct_is_weighed_like_an_act(
    weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    table = begun(known, "all: gesund").to("Dan: 9C").say(f"claim Ana: conduct Ben {weight}")
    if weight != "serious":
        table.rest().say("end")
    table.comes_to(tmp_path, *scores)


@hands
@pytest.mark.parametrize(
    ("weight", "scores"),
    [("minor", (-1, -4, 6, -1)), ("harmless", (0, -4, 4, 0)), ("serious", (0, -12, 12, 0))],
)
def test_also_against_a_soloist(
    weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    table = Table("solo", known).to("Cleo: KD").say(f"claim Cleo: conduct Ben {weight}")
    if weight != "serious":
        table.rest().say("end")
    table.comes_to(tmp_path, *scores)


def test_who_is_on_the_culprits_side_may_not_claim_it() -> None:
    table = Table("solo", False).to("Cleo: KD")
    refused(table, "claim Ana: conduct Ben minor")
    refused(table, "claim Ben: conduct Ben minor")


# --- reasons why a claim is too late


@pytest.mark.parametrize(
    ("until", "then", "why"),
    [
        ("acts", "Dan: 9C", "they have played on since"),
        ("speaks", "Cleo: 9C", "it could be claimed only until the next act of any player"),
        ("trick", "Dan: 9C", "it could be claimed only until the end of this trick"),
    ],
)
def test_the_true_reason_is_said_in_each_window(until: str, then: str, why: str) -> None:
    """Ben's revoke is seen at once, and Dan claims it too late."""
    table = Table("revoke", True, remedies={"revoke": {"until": until}}, words=["all: gesund"])
    table.to("Ben: 9D").say("note so").to(then)
    told = refused(table, f"claim Dan: {table.number('Ben: 9D')}")
    assert f"{why} ({table.number(then)}, {then})" in told


def test_who_has_waived_it_is_told_so() -> None:
    table = Table("revoke", False).to("Ben: KC").say("waive Cleo")
    note = table.match.live_round.log.last_findings[-1].reason
    assert note.startswith("Cleo has waived the claim; Ana and Dan may still claim ")
    why = refused(table, f"claim Cleo: {table.number('Ben: 9D')}")
    assert f"they have waived it ({table.number('waive Cleo')}, waive Cleo)" in why


def test_when_the_match_has_ended_that_is_why() -> None:
    table = begun(False, "all: gesund").to("Dan: 9C").say("end")
    why = refused(table, "claim Ana: talk Ben -2")
    assert f"the match is over ({table.number('end')}, end)" in why


# --- a hand-over


@hands
def test_a_hand_over_forfeits_claims_from_before(known: bool, tmp_path: Path) -> None:
    table = Table("solo", known).to("Ben: JS" if known else "Ben: 9H")
    assert table.may("Ben: JS") == ["Cleo"]
    table.say("Cleo: concede")
    assert table.faults == []
    refused(table, f"claim Cleo: {table.number('Ben: JS')} minor")
    table.stays(tmp_path)


@hands
@pytest.mark.parametrize("who", ["Ana", "Ben", "Dan"])
@pytest.mark.parametrize(
    ("weight", "scores"), [("minor", (6, 6, -18, 6)), ("serious", (4, 4, -12, 4))]
)
def test_not_those_against_who_hands_over(
    who: str, weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    table = Table("solo", known).to("Cleo: AC" if known else "Cleo: TS").say("Cleo: concede")
    assert table.may("Cleo: AC") == ["Ana", "Ben", "Dan"]
    assert table.scores == {"Ana": 5, "Ben": 5, "Cleo": -15, "Dan": 5}
    table.claim(who, "Cleo: AC", weight)
    table.comes_to(tmp_path, *scores)


def test_they_are_open_until_each_goes_on_in_the_next_deal(tmp_path: Path) -> None:
    table = Table("solo", known=True).to("Cleo: AC").say("Cleo: concede", "Ana: gesund")
    assert table.match.state["faults"][0]["may"] == ["Ben", "Dan"]
    table.say(f"claim Dan: 1.{table.number('Cleo: AC')} minor")
    assert table.match.scores == {"Ana": 6, "Ben": 6, "Cleo": -18, "Dan": 6}
    table.stays(tmp_path)


@hands
@pytest.mark.parametrize("weight", ["minor", "serious"])
def test_who_had_lost_hands_over_nothing_more(known: bool, weight: str, tmp_path: Path) -> None:
    """Apply 12.5: the others get the tricks from the act on, with those conceded; she had won by
    then."""
    table = Table("ahead-own", known).to("Cleo: QH", "Dan: JS" if known else "Cleo: AC")
    table.say("Cleo: concede").claim("Ana", "Cleo: QH", weight)
    table.comes_to(tmp_path, 0, 0, 0, 0)


# --- 12.8


@pytest.mark.parametrize("weight", ["minor", "serious", "harmless"])
@pytest.mark.parametrize("deal", ["revoke", "solo", "silent"])
def test_penalties_by_weight_sum_to_zero_and_stand_in_rows_of_their_own(
    weight: str, deal: str
) -> None:
    table = Table(deal, True).to(
        {"revoke": "Dan: 9C", "solo": "Ben: JS", "silent": "Dan: KC"}[deal]
    )
    act = {"revoke": "Ben: 9D", "solo": "Ben: JS", "silent": "Dan: KC"}[deal]
    if weight == "harmless" and deal == "revoke":
        return
    table.claim(table.may(act)[0], act, weight)
    lines = table.lines(f"penalties.{weight}")
    assert sum(points for _, _, points, _ in lines) == 0
    assert len(table.lines("")) == len(lines) > 1


def test_talk_and_free_penalties_do_not() -> None:
    table = begun(True, "all: gesund").to("Dan: 9C").say("claim Ana: talk Ben -7")
    assert sum(table.match.scores.values()) == -7
    table.say("penalty Dan: -2 late at the table")
    assert sum(table.match.scores.values()) == -9


# --- once the deal is over


@hands
def test_what_is_told_after_the_last_card_makes_the_deal_void_too(
    known: bool, tmp_path: Path
) -> None:
    table = Table("revoke", known).rest().say("claim Ana: conduct Ben serious")
    table.comes_to(tmp_path, 4, -12, 4, 4)
    assert table.match.to_act[0] == "Ana"  # Dan deals again


def test_a_deal_told_by_its_result_too(tmp_path: Path) -> None:
    result = "result contract=normal re=Ana+Cleo points=132"
    table = begun(False, result).say("claim Ana: conduct Ben serious")
    table.comes_to(tmp_path, 4, -12, 4, 4)


@hands
def test_and_one_that_was_handed_over(known: bool, tmp_path: Path) -> None:
    table = Table("solo", known).to("Dan: AH").say("Cleo: concede", "Ana: kontra")
    table.say("Cleo: re !stands").claim("Ben", "Cleo: re", "serious")
    table.comes_to(tmp_path, 4, 4, -12, 4)


def test_after_the_wrong_dealer_who_was_to_deal_deals() -> None:
    match = Match(load_ruleset("doppelkopf-ddv"), list(FOUR))
    for text in ("dealer Cleo", "claim Ben: dealer Cleo"):
        match.record(text)
    assert match.rounds[0].scores == dict.fromkeys(FOUR, 0)
    assert match.current_round.names[match.current_round.seating.dealer] == "Dan"
    assert match.to_act == ["Ana"]


@hands
@pytest.mark.parametrize("calls", [[], ["Ben: kontra"], ["Ben: kontra", "Dan: keine90"]])
@pytest.mark.parametrize("note", [[], ["note the judge comes"]])
def test_with_calls_after_the_hand_over(
    known: bool, calls: list[str], note: list[str], tmp_path: Path
) -> None:
    table = Table("solo", known).to("Dan: AH").say("Cleo: concede", *calls, *note)
    table.say("claim Ana: conduct Cleo serious")
    levels = len(calls[1:])
    assert table.scores == dict(
        zip(FOUR, [4 + levels] * 2 + [-12 - 3 * levels] + [4 + levels], strict=True)
    )
    table.stays(tmp_path)


def test_after_a_deal_that_is_void_what_is_told_is_of_the_next(tmp_path: Path) -> None:
    """No fault of the void deal is rated any more."""
    table = begun(False, "all: gesund").to("Ben: 9D").say("void the cards fell down")
    table.say("claim Ana: conduct Ben")
    assert [(fault["round"], fault["claimed"]) for fault in table.faults] == [(2, ["Ana"])]
    table.say("note the judge comes", "weigh 1 minor", "claim Cleo: talk Dan -2")
    assert table.match.scores == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": -1}
    table.stays(tmp_path)
