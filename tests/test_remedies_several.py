"""12.6 of the tournament rules of Doppelkopf: two faults, and the order of their decisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Failure
from tests.disputes import Table, hands, refused


def both(known: bool) -> Table:
    """Return a table where Ben revoked in trick 1 and Dan in trick 2, before Ana plays on."""
    table = Table("two", known).to("Dan: 9H")
    if known:
        assert table.may("Ben: JC") == ["Ana"]
        assert table.may("Dan: 9H") == ["Ana", "Ben", "Cleo"]
    return table


def ben(table: Table, weight: str) -> str:
    return f"weigh {table.number('Ben: JC')} {weight}"


def dan(table: Table, weight: str) -> str:
    return f"weigh {table.number('Dan: 9H')} {weight}"


@hands
@pytest.mark.parametrize("order", [["Ben: JC", "Dan: 9H"], ["Dan: 9H", "Ben: JC"]])
def test_of_those_claimed_together_the_one_committed_first_is_dealt_with_first(
    order: list[str], known: bool, tmp_path: Path
) -> None:
    table = both(known)
    for text in order:
        table.claim("Ana", text)
    assert "Ben: JC" in refused(table, dan(table, "minor"))
    table.say(ben(table, "minor"), dan(table, "minor")).stays(tmp_path)
    assert table.match.scores == {"Ana": 2, "Ben": -2, "Cleo": 2, "Dan": -2}
    assert table.faults == []


@hands
def test_then_the_other(known: bool, tmp_path: Path) -> None:
    table = both(known).claim("Ana", "Ben: JC").claim("Ana", "Dan: 9H")
    table.say(ben(table, "none"), dan(table, "serious"))
    table.comes_to(tmp_path, 4, 4, 4, -12)


@hands
def test_a_minor_one_before_a_serious_one_is_charged_too(known: bool, tmp_path: Path) -> None:
    table = both(known).claim("Ana", "Ben: JC").claim("Ana", "Dan: 9H")
    table.say(ben(table, "minor"), dan(table, "serious"))
    table.comes_to(tmp_path, 5, 1, 5, -11)


@hands
def test_unless_it_was_serious(known: bool, tmp_path: Path) -> None:
    table = both(known).claim("Ana", "Ben: JC").claim("Ana", "Dan: 9H")
    table.say(ben(table, "serious"))
    assert table.faults == []
    with pytest.raises(Failure):
        table.say(dan(table, "serious"))
    table.comes_to(tmp_path, 4, -12, 4, 4)


@hands
def test_together_is_before_either_is_weighed(known: bool, tmp_path: Path) -> None:
    """Settle a fault first that was claimed and rated alone, even if it happened later."""
    table = both(known).claim("Ana", "Dan: 9H", "serious")
    table.comes_to(tmp_path, 4, 4, 4, -12)


@hands
def test_any_other_fault_stays_claimable_in_its_own_window(known: bool, tmp_path: Path) -> None:
    table = both(known).claim("Ana", "Dan: 9H", "minor")
    if known:
        assert table.may("Ben: JC") == ["Ana"]
    table.claim("Ana", "Ben: JC", "minor").stays(tmp_path)
    assert table.match.scores == {"Ana": 2, "Ben": -2, "Cleo": 2, "Dan": -2}


@hands
def test_a_claim_forfeits_nothing(known: bool) -> None:
    table = both(known).claim("Ana", "Dan: 9H")
    table.say(dan(table, "none"))
    if known:
        assert table.may("Ben: JC") == ["Ana"]
    assert table.match.judge(f"claim Ana: {table.number('Ben: JC')}").verdict == "legal"


def test_claimed_by_different_players(tmp_path: Path) -> None:
    """Cleo may claim Dan's fault, and Ana the earlier one of Ben."""
    table = both(True).claim("Cleo", "Dan: 9H").claim("Ana", "Ben: JC")
    assert "Ben: JC" in refused(table, dan(table, "minor"))
    table.say(ben(table, "minor"), dan(table, "minor")).stays(tmp_path)


def test_claimed_by_two(tmp_path: Path) -> None:
    table = both(True).claim("Cleo", "Dan: 9H").claim("Ana", "Dan: 9H")
    (fault,) = [fault for fault in table.faults if fault["claimed"]]
    assert sorted(fault["claimed"]) == ["Ana", "Cleo"]
    table.say(dan(table, "minor")).stays(tmp_path)
    assert table.match.scores == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": -3}


@hands
def test_the_culprit_of_one_may_claim_the_other(known: bool) -> None:
    table = both(known).claim("Ben", "Dan: 9H", "minor")
    assert table.match.scores == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": -3}


@hands
def test_after_a_claim_its_claimants_card_takes_it_back_from_nobody(known: bool) -> None:
    """Ana's card before the rating does not undo her claim."""
    table = both(known).claim("Ana", "Ben: JC").to("Ana: KC")
    (fault,) = [fault for fault in table.faults if fault["claimed"]]
    assert fault["text"].startswith("Ben: JC")
    table.say(ben(table, "minor"))
    assert table.match.scores == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}
