"""Claims in special cases: a round that ends early, one act that breaks two rules, amended entries,
and hands that the table has not seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Failure, Impossible, verify_record, write_record
from tests.disputes import Table, hands, refused

THREE = ["Ana", "Cleo", "Dan"]


# --- one act


def test_one_act_that_breaks_two_rules_is_one_fault() -> None:
    """Dan plays out of turn and does not follow clubs, although he has two; a claim covers both."""
    table = Table("revoke", True).to("Ana: AC").say("Dan: KS !stands")
    assert len(table.faults) == 1
    table.say("Ben: KC", "Cleo: 9C").claim("Ana", "Dan: KS", "minor")
    assert table.faults == []
    refused(table, f"claim Ana: {table.number('Dan: KS')} minor")
    assert table.match.scores == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": -3}


def test_a_card_that_lies_elsewhere_opens_none_whatever_else_was_wrong() -> None:
    for decision in ("stands", "withdrawn"):
        table = Table("revoke", True).to("Ana: AC").say(f"Dan: AS !{decision}")
        assert table.faults == []


def test_what_stands_by_the_tables_word_may_turn_out_wrong() -> None:
    table = Table("revoke", False).to("Ana: AC").say("Ben: 9D !stands")
    table.cards.pop(0)
    assert table.to("Ben: KC").may("Ben: 9D") == THREE


# --- ends of a round


RESULT = "result contract=normal re=Ana+Cleo points=136"


@pytest.mark.parametrize(
    ("weight", "scores", "first"),
    [("none", (1, -1, 1, -1), "Ben"), ("minor", (2, -4, 2, 0), "Ben"),
     ("serious", (4, -12, 4, 4), "Ana")],
)  # fmt: skip
def test_after_a_result(weight: str, scores: tuple[int, ...], first: str, tmp_path: Path) -> None:
    table = Table("revoke", False).to("Ben: KC").say(RESULT)
    assert table.may("Ben: 9D") == THREE
    table.claim("Ana", "Ben: 9D", weight)
    assert table.match.to_act[0] == first
    if weight == "none":
        table.say("end")
    table.comes_to(tmp_path, *scores)


@hands
def test_a_round_that_is_thrown_in_has_no_faults(known: bool) -> None:
    table = Table("revoke", known).to("Ben: 9D", "Dan: 9C").say("void coffee was spilt")
    assert table.faults == []
    refused(table, f"claim Ana: {table.number('Ben: 9D')} minor")


def test_the_last_deal_of_a_match_has_an_end_too(tmp_path: Path) -> None:
    """Wait for the entry `end`, because no player acts any more."""
    table = Table("last", False, match={"ends": "deals >= 1"}).rest()
    assert table.match.over
    assert table.may("Ben: TC") == ["Ana"]
    table.claim("Ana", "Ben: TC", "minor").comes_to(tmp_path, 2, -4, 2, 0)
    assert table.match.over


def test_and_a_serious_fault_in_it_takes_the_match_up_again(tmp_path: Path) -> None:
    table = Table("last", False, match={"ends": "deals >= 1"}).rest()
    table.claim("Ana", "Ben: TC", "serious").comes_to(tmp_path, 4, -12, 4, 4)
    assert not table.match.over
    assert table.match.to_act[0] == "Ana"


def test_a_claim_that_waits_is_weighed_after_the_last_card(tmp_path: Path) -> None:
    table = Table("revoke", False).to("Ben: KC").claim("Ana", "Ben: 9D").rest()
    number = table.number("Ben: 9D")
    table.say(f"weigh {number} minor").comes_to(tmp_path, 2, -4, 2, 0)
    table = Table("revoke", False).to("Ben: KC").claim("Ana", "Ben: 9D").rest().say("all: gesund")
    table.say(f"weigh 1.{number} minor").stays(tmp_path)
    assert table.match.scores == {"Ana": 2, "Ben": -4, "Cleo": 2, "Dan": 0}


def test_a_serious_fault_of_the_deal_before_throws_the_new_one_in() -> None:
    """Dan deals the earlier deal again, in which the fault happened."""
    table = Table("last", False).rest().say("Ben: gesund")
    table.say(f"claim Ana: 1.{table.number('Ben: TC')} serious")
    assert table.match.scores == {"Ana": 4, "Ben": -12, "Cleo": 4, "Dan": 4}
    assert table.match.to_act[0] == "Ana"


def test_all_gesund_is_a_word_of_those_it_speaks_for() -> None:
    table = Table("revoke", True, words=["Ana: gesund", "Ben: hochzeit !stands", "all: gesund"])
    assert table.may("Ben: hochzeit") == ["Ana"]


# --- amendments


def numbered() -> Table:
    """Return a table where Dan's card ahead of turn was rated as no fault and Ben's revoke as
    minor."""
    table = Table("revoke", True).to("Ana: AC").say("Dan: 9C !stands")
    table.say("Ben: 9D !stands", "Cleo: 9C")
    return table.claim("Ana", "Dan: 9C", "none").claim("Ana", "Ben: 9D", "minor")


@pytest.mark.parametrize(
    ("number", "texts", "before"),
    [(5, ["note a"], True), (6, ["note a", "Ana: AC"], False), (7, [], False), (8, [], False)],
)
def test_an_amendment_never_turns_a_claim_against_another_act(
    number: int, texts: list[str], before: bool
) -> None:
    """Require that claims are removed first, the latest first, if an amendment changes their
    numbers.

    Otherwise a claim's number would refer to a different act.
    """
    table = numbered()
    assert table.match.scores == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}
    with pytest.raises(Impossible) as failure:
        table.match.amended(1, number, *texts, before=before)
    assert "claim Ana: 8 minor" in failure.value.message
    assert "amend --remove 1.11" in failure.value.hint
    after = table.match.amended(1, 11)
    if number <= 7:
        with pytest.raises(Impossible, match="claim Ana: 7 none"):
            after.amended(1, number, *texts, before=before)
    after = after.amended(1, 10).amended(1, number, *texts, before=before)
    assert set(after.scores.values()) == {0}


def test_what_comes_after_it_may_be_amended_freely() -> None:
    table = numbered()
    for number, texts, before in ((9, [], False), (9, ["note a"], True), (12, ["note a"], True)):
        after = table.match.amended(1, number, *texts, before=before)
        assert after.scores == table.match.scores


def test_one_entry_for_another_moves_none() -> None:
    assert numbered().match.amended(1, 7, "note a").scores["Dan"] == 1


def test_claims_of_the_deal_before_are_looked_at_too() -> None:
    table = Table("last", False).rest().say("Ben: gesund")
    number = table.number("Ben: TC")
    table.say(f"claim Ana: 1.{number} minor")
    with pytest.raises(Impossible, match=f"claim Ana: 1.{number} minor”"):
        table.match.amended(1, 1, "note a", before=True)
    assert table.match.amended(2, 1, "note a", before=True).scores == table.match.scores


def test_a_claim_goes_with_what_it_was_about() -> None:
    table = Table("revoke", True).to("Dan: 9C").claim("Ana", "Ben: 9D", "minor")
    after = table.match.amended(1, table.number("Ben: 9D"), "Ben: KC")
    assert set(after.scores.values()) == {0}
    ((_, finding),) = after.rounds[0].findings
    assert "Ben: KC" in finding.reason  # no fault of Ben's KC is known


# --- the public view


def test_who_has_not_seen_the_hands_is_told_the_same(tmp_path: Path) -> None:
    table = Table("revoke", True).to("Dan: 9C").claim("Ana", "Ben: 9D", "minor").rest()
    table.comes_to(tmp_path, 2, -4, 2, 0)
    write_record(table.match, tmp_path / "deal.toml")
    found = verify_record(tmp_path / "deal.toml", hands_hidden=True)
    assert found["rounds"][0]["scores"] == {"Ana": 2, "Ben": -4, "Cleo": 2, "Dan": 0}
    assert table.match.public_copy().scores == table.match.scores


def test_also_where_an_entry_cannot_have_been_so() -> None:
    """Ben never had the card, so the table cannot have seen it. The numbers do not change."""
    table = Table("revoke", True).to("Ana: AC").say("Ben: QC !withdrawn").to("Dan: 9C")
    table.claim("Ana", "Ben: 9D", "minor")
    assert table.match.public_copy().scores == table.match.scores


def test_a_number_that_there_is_not() -> None:
    table = Table("revoke", False).to("Ben: KC")
    for text in ("claim Ana: 99 minor", "weigh 99 minor", "weigh 3 minor", "claim Ana: 7.3 minor"):
        with pytest.raises(Failure):
            table.say(text)
