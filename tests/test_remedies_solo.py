"""12.4 of the tournament rules of Doppelkopf: faults in a solo, by the soloist and by another
player, and the moment that makes the deal a solo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Failure
from tests.disputes import Table, hands

if TYPE_CHECKING:
    from scorekeeper.core.types import JsonValue

AGAIN = ["Ana: gesund", "Ben: gesund", "Cleo: damensolo", "Dan: gesund"]


def by_ben(known: bool, *said: str, **options: JsonValue) -> Table:
    """Return a table where Cleo plays the damensolo and may claim that Ben did not follow in trick
    2."""
    table = Table("solo", known, **options).say(*said).to("Ben: JS" if known else "Ben: 9H")
    assert table.may("Ben: JS") == ["Cleo"]
    return table


def by_cleo(known: bool, *said: str, **options: JsonValue) -> Table:
    """Return a table where Cleo plays the damensolo and the others may claim her revoke."""
    table = Table("solo", known, **options).say(*said).to("Cleo: AC" if known else "Cleo: TS")
    assert table.may("Cleo: AC") == ["Ana", "Ben", "Dan"]
    return table


def owes_it(table: Table) -> bool:
    """Return whether Cleo still owes her first solo, so that she leads to a compulsory one."""
    assert table.match.to_act[0] == "Ana", "the same dealer deals again"
    table.say(*AGAIN)
    return table.match.to_act[0] == "Cleo"


# --- by the soloist


@hands
@pytest.mark.parametrize(("weight", "scores"), [("none", (-1, -1, 3, -1)), ("minor", (0, 0, 0, 0))])
def test_after_minor_or_none_of_the_soloist_it_is_played_and_counts(
    weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    table = by_cleo(known)
    if known:
        table.to("Ben: JC")  # before this card the fault could be corrected
    table.claim("Dan" if known else "Ana", "Cleo: AC", weight).rest()
    table.comes_to(tmp_path, *scores)
    assert not owes_it(table)


@hands
def test_serious_of_the_soloist_is_void_and_still_owed(known: bool, tmp_path: Path) -> None:
    table = by_cleo(known).claim("Ana", "Cleo: AC", "serious")
    table.comes_to(tmp_path, 4, 4, -12, 4)
    assert owes_it(table)


@hands
def test_and_no_deal(known: bool) -> None:
    table = by_cleo(known, match={"ends": "deals >= 1"}).claim("Ana", "Cleo: AC", "serious")
    assert not table.match.over


@hands
def test_levels_against_the_soloist(known: bool, tmp_path: Path) -> None:
    table = by_cleo(known, "Ana: kontra keine60", "Cleo: re keine90")
    table.claim("Ana", "Cleo: AC", "serious").comes_to(tmp_path, 6, 6, -18, 6)


@hands
def test_harmless_is_no_weight_of_what_the_soloist_did(known: bool) -> None:
    table = by_cleo(known)
    with pytest.raises(Failure):
        table.claim("Ana", "Cleo: AC", "harmless")


# --- by another


@hands
@pytest.mark.parametrize(
    ("weight", "scores"),
    [("none", (-1, -1, 3, -1)), ("minor", (-1, -4, 6, -1)), ("harmless", (0, -4, 4, 0))],
)
def test_by_another_and_played(
    weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    """Rate a fault that could hurt the soloist as minor, with the points for them; share others."""
    table = Table("solo", known).before("Ben: JS").to("Ben: JS")
    if not known:
        table.to("Ben: 9H")
        table.claim("Cleo", "Ben: JS", weight).rest().comes_to(tmp_path, *scores)
        return
    table.claim("Cleo", "Ben: JS", weight)
    changes = table.match.scores
    assert list(changes.values()) == [
        now - was for now, was in zip(scores, (-1, -1, 3, -1), strict=True)
    ]


@hands
def test_serious_by_another_is_all_the_soloists(known: bool, tmp_path: Path) -> None:
    table = by_ben(known).claim("Cleo", "Ben: JS", "serious")
    table.comes_to(tmp_path, 0, -12, 12, 0)
    assert {code for code, *_ in table.lines("")} == {"penalties.serious"}


@hands
def test_the_solo_is_met(known: bool) -> None:
    assert not owes_it(by_ben(known).claim("Cleo", "Ben: JS", "serious"))


@hands
def test_and_the_deal_counts(known: bool) -> None:
    table = by_ben(known, match={"ends": "deals >= 1"}).claim("Cleo", "Ben: JS", "serious")
    assert table.match.over


@hands
@pytest.mark.parametrize(
    ("call", "levels"), [("Cleo: re", 0), ("Cleo: re keine90", 1), ("Cleo: re schwarz", 4)]
)
def test_three_more_for_each_level_of_the_soloist(
    call: str, levels: int, known: bool, tmp_path: Path
) -> None:
    table = by_ben(known, call, "Dan: kontra keine90").claim("Cleo", "Ben: JS", "serious")
    points = 12 + 3 * levels
    table.comes_to(tmp_path, 0, -points, points, 0)


def lust(weight: str) -> Table:
    words = ["Ana: gesund", "Ben: gesund", "Cleo: damensolo lust", "Dan: gesund"]
    table = Table("solo", False, words).say("Ana: AC", "Ben: AS")
    return table.claim("Cleo", "Ben: AS", weight)


def test_a_voluntary_solo_is_not_met_by_it_and_the_deal_moves_on(tmp_path: Path) -> None:
    table = lust("serious")
    table.comes_to(tmp_path, 0, -12, 12, 0)
    assert table.match.to_act[0] == "Ben"
    table.say("Ben: gesund", "Cleo: damensolo", "Dan: gesund", "Ana: gesund")
    assert table.match.to_act[0] == "Cleo"


# --- a silent hochzeit


@hands
@pytest.mark.parametrize(
    ("weight", "scores"), [("minor", (4, -4, 0, 0)), ("serious", (4, -12, 4, 4))]
)
def test_before_the_second_qc_lies_it_is_a_normal_game(
    weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    """Cover also a claim that is made when both QC are on the table."""
    table = Table("silent", known).to("Dan: 9S" if known else "Ben: 9S")
    table.claim("Ana", "Ben: 9C", weight)
    if weight == "serious":
        assert table.match.to_act[0] == "Ana"
    table.rest() if weight == "minor" else None
    table.comes_to(tmp_path, *scores)


@hands
def test_then_nothing_is_harmless(known: bool) -> None:
    table = Table("silent", known).to("Dan: 9S" if known else "Ben: 9S")
    with pytest.raises(Failure):
        table.claim("Ana", "Ben: 9C", "harmless")


@hands
@pytest.mark.parametrize(
    ("weight", "scores"),
    [("none", (3, -1, -1, -1)), ("minor", (6, -1, -1, -4)), ("harmless", (4, 0, 0, -4))],
)
def test_from_then_on_it_is_a_solo(
    weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    table = Table("silent", known).to("Ana: KS" if known else "Dan: QH")
    if known:  # Ana has already led to the next trick
        table = Table("silent", known).to("Dan: KC")
        table.claim("Ana", "Dan: KC", weight)
        natural = (3, -1, -1, -1)
        changes = [now - was for now, was in zip(scores, natural, strict=True)]
        assert list(table.match.scores.values()) == changes
        return
    table.claim("Ana", "Dan: KC", weight).rest().comes_to(tmp_path, *scores)


@hands
def test_serious_there_counts_as_a_deal_and_the_next_deals(known: bool, tmp_path: Path) -> None:
    table = Table("silent", known).to("Dan: KC" if known else "Dan: QH")
    table.claim("Ana", "Dan: KC", "serious").comes_to(tmp_path, 12, 0, 0, -12)
    assert table.match.to_act[0] == "Ben"  # not a compulsory solo, so the next player deals


@hands
def test_the_moment_is_the_second_qc(known: bool) -> None:
    """Compare a card out of turn just before it with a lead out of turn after its trick."""
    table = Table("silent", known).to("Dan: 9S", "Dan: 9C").say("Ben: AH !stands")
    assert table.may("Ben: AH") == ["Ana", "Cleo", "Dan"]
    table.claim("Cleo", "Ben: AH", "minor")
    assert table.match.scores == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}
    table = Table("silent", known).to("Dan: 9S", "Dan: 9C", "Ben: AH").say("Cleo: QH !stands")
    assert table.may("Cleo: QH") == ["Ana"]
    table.claim("Ana", "Cleo: QH", "minor")
    assert table.match.scores == {"Ana": 3, "Ben": 0, "Cleo": -3, "Dan": 0}


@hands
def test_serious_of_who_plays_it(known: bool, tmp_path: Path) -> None:
    table = Table("silent", known).to("Dan: TS").say("Ana: TD !stands")
    assert table.may("Ana: TD") == ["Ben", "Cleo", "Dan"]
    table.claim("Ben", "Ana: TD", "serious").comes_to(tmp_path, -12, 4, 4, 4)
    assert table.match.to_act[0] == "Ana"


# --- a hochzeit without a partner


def test_before_the_fourth_trick_it_is_a_normal_game(tmp_path: Path) -> None:
    table = Table("nobody", True).to("Dan: JC").claim("Ana", "Ben: TS", "minor").rest()
    table.comes_to(tmp_path, 4, -4, 0, 0)
    table = Table("nobody", False).to("Ben: JD").claim("Ana", "Ben: TS", "minor").rest()
    table.comes_to(tmp_path, 4, -4, 0, 0)


@hands
@pytest.mark.parametrize(
    ("weight", "scores"), [("minor", (3, 0, 0, -3)), ("harmless", (1, 1, 1, -3))]
)
def test_from_the_fourth_trick_it_is_a_solo(
    weight: str, scores: tuple[int, ...], known: bool
) -> None:
    table = Table("nobody", known).to("Dan: TD" if known else "Dan: 9C")
    table.claim("Ana", "Dan: TD", weight)
    assert tuple(table.match.scores.values()) == scores


@hands
def test_the_first_lead_after_the_third_trick(known: bool) -> None:
    table = Table("nobody", known).to("Ben: KS").say("Dan: 9S !stands")
    table.claim("Ana", "Dan: 9S", "minor")
    assert table.match.scores == {"Ana": 1, "Ben": 1, "Cleo": 1, "Dan": -3}
    table = Table("nobody", known).to("Dan: 9S").say("Ben: AH !stands")
    assert table.may("Ben: AH") == ["Ana"]
    table.claim("Ana", "Ben: AH", "minor")
    assert table.match.scores == {"Ana": 3, "Ben": -3, "Cleo": 0, "Dan": 0}


@hands
def test_serious_there(known: bool, tmp_path: Path) -> None:
    table = Table("nobody", known).to("Dan: TD" if known else "Dan: 9C")
    table.claim("Ana", "Dan: TD", "serious").comes_to(tmp_path, 12, 0, 0, -12)
    assert table.match.to_act[0] == "Ben"
