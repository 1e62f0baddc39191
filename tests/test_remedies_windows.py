"""12.1 of the tournament rules of Doppelkopf: when a fault may be claimed, and until when."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Failure, Impossible
from tests.disputes import Table, hands, refused

THREE = ["Ana", "Cleo", "Dan"]
# The entry that opens the window of Ben's revoke, and the cards up to the claimants' last.
SEEN = {
    False: ("Ben: KC", ["Cleo: TC", "Dan: AC", "Ana: TC"]),  # when the card shows it
    True: ("Ben: 9D", ["Cleo: 9C", "Dan: 9C", "Ben: AS", "Cleo: 9S", "Dan: KS", "Ana: TS"]),
}


# --- opening of the window


def test_a_revoke_can_be_seen_when_its_player_lays_a_card_of_the_class() -> None:
    table = Table("revoke", known=False).before("Ben: KC")
    assert table.faults == []
    table.to("Ben: KC")
    (fault,) = table.faults
    assert fault["entry"] == table.number("Ben: 9D")
    assert (fault["text"], fault["who"]) == ("Ben: 9D", ["Ben"])
    assert table.may("Ben: 9D") == THREE


def test_or_shows_one() -> None:
    table = Table("revoke", known=False).to("Dan: 9C")
    assert table.faults == []
    table.say("holds Ben: KC")
    assert table.may("Ben: 9D") == THREE


def test_one_that_an_entered_hand_proves_when_the_referee_tells_it() -> None:
    table = Table("revoke", known=True).before("Ben: 9D")
    assert table.faults == []
    table.to("Ben: 9D")
    assert table.may("Ben: 9D") == THREE


def test_one_that_counting_proves_when_the_referee_tells_it() -> None:
    table = Table("counted", known=False).before("Cleo: AC")
    assert table.faults == []
    table.to("Cleo: AC")
    assert table.may("Ben: TC") == THREE
    table.to("Dan: QD")
    assert table.may("Ben: TC") == ["Ana", "Cleo"]
    table.to("Ana: AS")
    assert table.may("Ben: TC") == ["Cleo"]
    table.to("Cleo: QC")
    assert table.faults == []


@pytest.mark.parametrize("who", THREE)
def test_claims_before_that_are_allowed(who: str, tmp_path: Path) -> None:
    table = Table("revoke", known=False).to("Dan: 9C")
    table.claim(who, "Ben: 9D", "minor").rest()
    table.comes_to(tmp_path, 2, -4, 2, 0)


def test_even_at_once() -> None:
    table = Table("revoke", known=False).to("Ben: 9D").claim("Cleo", "Ben: 9D")
    (fault,) = table.faults
    assert fault["claimed"] == ["Cleo"]


# --- end of the window


@hands
def test_each_may_claim_until_their_own_next_card(known: bool) -> None:
    opens, cards = SEEN[known]
    table = Table("revoke", known).to(opens)
    left = list(THREE)
    for card in cards:
        who = card.partition(":")[0]
        assert table.may("Ben: 9D") == left
        table.to(card)
        left = [name for name in left if name != who]
        assert table.may("Ben: 9D") == left
    assert table.faults == []


@hands
@pytest.mark.parametrize("who", THREE)
def test_claimed_at_the_first_entry_of_the_window(who: str, known: bool, tmp_path: Path) -> None:
    table = Table("revoke", known).to("Ben: KC" if not known else "Dan: 9C")
    if known and who != "Ana":  # the player has already acted in this trick
        assert who in refused(table, f"claim {who}: {table.number('Ben: 9D')}")
        return
    table.claim(who, "Ben: 9D", "minor").rest()
    table.comes_to(tmp_path, 2, -4, 2, 0)


@hands
@pytest.mark.parametrize("who", THREE)
def test_and_at_the_last(who: str, known: bool) -> None:
    opens, cards = SEEN[known]
    own = next(card for card in cards if card.startswith(who))
    table = Table("revoke", known).to(opens).before(own)
    assert table.match.judge(f"claim {who}: {table.number('Ben: 9D')}").verdict == "legal"
    table.to(own)
    reason = refused(table, f"claim {who}: {table.number('Ben: 9D')}")
    assert own in reason  # the card by which the player forfeited the claim


@hands
def test_who_goes_on_has_forfeited_it_for_themselves_alone(known: bool, tmp_path: Path) -> None:
    opens, cards = SEEN[known]
    table = Table("revoke", known).to(opens).before(cards[-1])
    assert table.may("Ben: 9D") == ["Ana"]
    table.claim("Ana", "Ben: 9D", "minor").rest()
    table.comes_to(tmp_path, 2, -4, 2, 0)


@hands
def test_a_call_is_going_on_too(known: bool) -> None:
    table = Table("revoke", known).say("Ana: re", "Dan: kontra").to(SEEN[known][0])
    assert table.may("Ben: 9D") == THREE
    table.say("Dan: kontra")  # a repeated call counts once, but still is a call
    assert table.may("Ben: 9D") == ["Ana", "Cleo"]
    assert "kontra" in refused(table, f"claim Dan: {table.number('Ben: 9D')}")
    table.say("Ana: re")
    assert table.may("Ben: 9D") == ["Cleo"]


def test_a_reservation_is_going_on_too() -> None:
    table = Table("revoke", known=True, words=["Ana: gesund", "Ben: hochzeit !stands"])
    assert table.may("Ben: hochzeit") == THREE
    table.say("Cleo: gesund")
    assert table.may("Ben: hochzeit") == ["Ana", "Dan"]
    table.say("Dan: gesund")
    assert table.may("Ben: hochzeit") == ["Ana"]


def test_so_is_its_naming() -> None:
    words = ["Ana: vorbehalt", "Ben: gesund", "Cleo: vorbehalt", "Dan: gesund"]
    table = Table("revoke", known=True, words=words).say("Ana: hochzeit !stands")
    assert table.may("Ana: hochzeit") == ["Ben", "Cleo", "Dan"]
    table.say("Cleo: karosolo")
    assert table.may("Ana: hochzeit") == ["Ben", "Dan"]


@hands
@pytest.mark.parametrize(
    "text", ["note Dan: was that a club?", "note Dan says that something was wrong"]
)
def test_a_question_or_a_hint_is_none(text: str, known: bool) -> None:
    table = Table("revoke", known).to(SEEN[known][0])
    table.say(text)
    assert table.may("Ben: 9D") == THREE


def test_what_the_culprit_does_changes_nothing() -> None:
    table = Table("revoke", known=True).to("Dan: 9C").to("Ben: AS")
    assert table.may("Ben: 9D") == ["Ana"]


def test_the_window_stays_open_across_tricks(tmp_path: Path) -> None:
    table = Table("across", known=False).to("Ben: KC")
    assert table.may("Ben: 9D") == THREE
    for card, left in (
        ("Ana: QD", ["Cleo", "Dan"]),
        ("Ben: JC", ["Cleo", "Dan"]),
        ("Cleo: QH", ["Dan"]),
    ):
        assert table.to(card).may("Ben: 9D") == left
    table.claim("Dan", "Ben: 9D", "minor").rest()
    table.comes_to(tmp_path, 2, -4, 2, 0)


# --- after the last card


def over() -> Table:
    """Return a finished deal in which Ana may still claim a fault that shows in the last trick.

    Cleo, who had a card left, has played on.
    """
    table = Table("last", known=False).to("Ben: 9H")
    assert table.may("Ben: TC") == ["Ana", "Cleo"]
    table.before("Cleo: TS")
    assert "provisional" in table.match.record("Cleo: TS").text
    table.cards.clear()
    assert table.may("Ben: TC") == ["Ana"]
    return table


def test_after_the_last_card_it_is_open_still(tmp_path: Path) -> None:
    table = over().claim("Ana", "Ben: TC", "minor")
    table.comes_to(tmp_path, 2, -4, 2, 0)


def test_and_in_the_next_deal_until_their_own_first_word(tmp_path: Path) -> None:
    table = over().say("Ben: gesund", "Cleo: gesund", "Dan: gesund")
    number = table.number("Ben: TC")
    assert table.faults
    table.say(f"claim Ana: 1.{number} minor").stays(tmp_path)
    assert table.match.scores == {"Ana": 2, "Ben": -4, "Cleo": 2, "Dan": 0}
    assert table.match.to_act[0] == "Ana"
    assert table.faults == []


def test_what_a_serious_one_changes_is_the_same_then(tmp_path: Path) -> None:
    table = over()
    number = table.number("Ben: TC")
    table.say("Ben: gesund", f"claim Ana: 1.{number} serious").stays(tmp_path)
    assert table.match.scores == {"Ana": 4, "Ben": -12, "Cleo": 4, "Dan": 4}


def test_who_sits_out_the_next_deal_says_no_word_in_it(tmp_path: Path) -> None:
    """With five players Ana deals next and sits out, so her window stays open."""
    table = Table("last", False, players=("Ana", "Ben", "Cleo", "Dan", "Eva")).rest()
    table.say("all: gesund", "Ben: AS")
    assert [fault["may"] for fault in table.faults] == [["Ana"]]
    table.say(f"claim Ana: 1.{table.number('Ben: TC')} minor").stays(tmp_path)
    assert table.match.scores == {"Ana": 2, "Ben": -4, "Cleo": 2, "Dan": 0, "Eva": 0}


def test_and_who_has_gone_on_in_the_last_trick_may_not_then() -> None:
    table = over()
    number = table.number("Ben: TC")
    table.say("Ben: gesund")
    for who in ("Cleo", "Dan", "Ben"):
        assert who in refused(table, f"claim {who}: 1.{number} minor")


@pytest.mark.parametrize("words", [["Ben: gesund", "Cleo: gesund", "Dan: gesund", "Ana: gesund"],
                                   ["all: gesund"]])  # fmt: skip
def test_which_ends_it(words: list[str], tmp_path: Path) -> None:
    table = over()
    number = table.number("Ben: TC")
    table.say(*words)
    assert table.faults == []
    assert "Ana" in refused(table, f"claim Ana: 1.{number} minor")
    table.comes_to(tmp_path, 1, -1, 1, -1)


def test_or_until_the_end_is_said(tmp_path: Path) -> None:
    table = over()
    number = table.number("Ben: TC")
    table.say("end")
    assert table.faults == []
    with pytest.raises(Failure):
        table.say(f"claim Ana: 1.{number} minor")
    table.comes_to(tmp_path, 1, -1, 1, -1)


# --- unclaimed


@hands
def test_unclaimed_it_is_a_valid_act(known: bool, tmp_path: Path) -> None:
    table = Table("revoke", known).to(SEEN[known][1][-1])
    assert table.faults == []
    for who in THREE:
        refused(table, f"claim {who}: {table.number('Ben: 9D')} serious")
    table.rest().comes_to(tmp_path, 1, -1, 1, -1)
    assert table.lines("penalties") == []


@hands
def test_who_may_claim_may_say_that_they_do_not(known: bool, tmp_path: Path) -> None:
    table = Table("revoke", known).to(SEEN[known][0]).say("waive Dan")
    assert table.may("Ben: 9D") == ["Ana", "Cleo"]
    assert "waive Dan" in refused(table, f"claim Dan: {table.number('Ben: 9D')}")
    table.say("waive all")
    assert table.faults == []
    table.rest().comes_to(tmp_path, 1, -1, 1, -1)


@hands
def test_an_answer_of_partners_binds_both(known: bool) -> None:
    table = Table("revoke", known).to(SEEN[known][0]).say("waive Cleo + Ana")
    assert table.may("Ben: 9D") == ["Dan"]
    for who in ("Ana", "Cleo"):
        assert "waive Cleo + Ana" in refused(table, f"claim {who}: {table.number('Ben: 9D')}")


# --- claimable acts


def test_an_act_that_was_taken_back_has_still_happened(tmp_path: Path) -> None:
    table = Table("revoke", known=True).before("Ben: 9D").say("Ben: 9D !withdrawn")
    assert table.match.to_act == ["Ben"]
    assert table.may("Ben: 9D") == THREE
    table.say("Ben: KC")
    assert table.may("Ben: 9D") == THREE
    table.claim("Dan", "Ben: 9D", "minor")
    assert table.match.to_act == ["Cleo"]
    assert table.match.state["scores"] == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}


def test_so_has_one_that_nobody_could_prove_then() -> None:
    table = Table("revoke", known=False).before("Ben: 9D").say("Ben: 9D !withdrawn", "Ben: KC")
    table.claim("Dan", "Ben: 9D", "minor")
    assert table.match.to_act == ["Cleo"]
    assert table.match.state["scores"] == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}


def test_the_card_laid_instead_shows_it(tmp_path: Path) -> None:
    """Open the window for all claimants when a card of the class is played."""
    table = Table("revoke", known=False).before("Ben: 9D").say("Ben: 9D !withdrawn")
    assert table.faults == []
    table.say("Ben: KC")
    assert table.may("Ben: 9D") == THREE
    table.say("Cleo: 9C")
    assert table.may("Ben: 9D") == ["Ana", "Dan"]
    assert "Cleo: 9C" in refused(table, f"claim Cleo: {table.number('Ben: 9D')}")
    table.claim("Dan", "Ben: 9D", "serious").comes_to(tmp_path, 4, -12, 4, 4)


def test_or_a_later_one() -> None:
    """Forfeit nothing while the fault is hidden: the card played instead does not show it."""
    table = Table("revoke", known=False).before("Ben: 9D").say("Ben: 9D !withdrawn", "Ben: JS")
    assert table.say("Cleo: 9C", "Dan: 9C").faults == []
    assert table.say("holds Ben: KC").may("Ben: 9D") == THREE
    assert table.may("Ben: JS") == THREE


def test_one_card_laid_twice_is_two_acts() -> None:
    table = Table("revoke", known=False).before("Ben: 9D").say("Ben: 9D !withdrawn")
    table.say("Ben: 9D", "Cleo: 9C", "Dan: 9C", "holds Ben: KC")
    back, laid = (fault["entry"] for fault in table.faults)
    assert (back, laid) == (table.number("Ben: 9D"), table.number("Ben: 9D") + 1)
    table.say(f"claim Ana: {laid} minor", f"claim Ana: {back} none")
    assert table.match.scores == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}


def test_impossible_cards_are_errors_of_entry() -> None:
    table = Table("revoke", known=False).to("Dan: 9C")
    with pytest.raises(Impossible):
        table.say("Ben: 9C")  # a third copy
    table = Table("revoke", known=True).say("Ana: AC")
    assert table.match.judge("Ben: TC").refused  # only other players hold that card
    table.say("Ben: TC !stands")
    assert table.faults == []


@hands
def test_what_no_rule_forbids_opens_no_claim(known: bool) -> None:
    table = Table("revoke", known).to("Ben: AS")
    assert "Ben: AS" in refused(table, f"claim Ana: {table.number('Ben: AS')} minor")
    assert "Ana: AC" in refused(table, f"claim Ben: {table.number('Ana: AC')} minor")


def test_there_must_be_such_an_entry() -> None:
    table = Table("revoke", known=False).to("Ben: AS")
    for number in ("99", "0", "2.1", "1.99"):
        with pytest.raises(Failure):
            table.say(f"claim Ana: {number} minor")
