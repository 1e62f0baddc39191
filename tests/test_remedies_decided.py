"""12.5 of the tournament rules of Doppelkopf: a fault after one side has won."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.disputes import Table, hands

ANY = pytest.mark.parametrize("weight", ["minor", "serious"])


def after_ben(known: bool) -> Table:
    """Return a table where re has 122 when Ben, last in trick 9, does not follow.

    Cleo may claim it once another card was played.
    """
    table = Table("decided", known).to("Ben: 9S", "Dan: AH" if known else "Ben: JD")
    assert "Cleo" in table.may("Ben: 9S")
    return table


@hands
@ANY
def test_every_trick_from_the_one_of_the_act_goes_to_the_others(
    weight: str, known: bool, tmp_path: Path
) -> None:
    """Kontra is left with 61 and so is under 90. Ben also has a minor penalty."""
    table = after_ben(known).claim("Cleo", "Ben: 9S", weight)
    assert table.match.rounds[0].over
    assert sorted(table.lines("scores", "specials")) == [
        ("scores.under-90", "kontra", -1, "6"),
        ("scores.under-90", "re", 1, "6"),
        ("scores.won", "kontra", -1, "6"),
        ("scores.won", "re", 1, "6"),
    ]
    assert {code for code, *_ in table.lines("penalties")} == {"penalties.minor"}
    table.comes_to(tmp_path, 3, -5, 3, -1)
    assert table.match.to_act[0] == "Ben"  # the deal counts, and the next player deals


@hands
def test_where_it_is_nothing_play_goes_on(known: bool, tmp_path: Path) -> None:
    table = after_ben(known).claim("Cleo", "Ben: 9S", "none").rest()
    table.comes_to(tmp_path, 1, -1, 1, -1)


def test_what_can_be_put_right_does_not_stop_the_deal() -> None:
    table = Table("decided", True).to("Ben: 9S").claim("Cleo", "Ben: 9S", "minor")
    assert not table.match.rounds[0].over
    assert table.match.to_act[0] == "Ben"
    assert table.match.scores == {"Ana": 1, "Ben": -3, "Cleo": 1, "Dan": 1}


@hands
@ANY
def test_also_by_the_side_that_has_won(weight: str, known: bool, tmp_path: Path) -> None:
    """Re is left with 122 of its 167, and so wins without a tier."""
    table = Table("own", known).to("Cleo: JS", "Dan: 9D" if known else "Cleo: KH")
    table.claim("Ben", "Cleo: JS", weight).comes_to(tmp_path, 2, 0, -2, 0)


@hands
@ANY
def test_decided_by_a_level_that_has_failed(weight: str, known: bool, tmp_path: Path) -> None:
    """Kontra has 100 against keine90 and cannot reach 120.

    The scores are won, re, keine90, and against the queens. Played out, kontra reached 129.
    """
    table = Table("failed", known).say("Ana: re keine90")
    if known:
        table.to("Dan: TH", "Ana: AS")
    else:
        table.rest()
    table.claim("Cleo", "Dan: TH", weight).comes_to(tmp_path, -4, 6, -4, 2)


@hands
@ANY
def test_decided_by_a_level_that_is_reached(weight: str, known: bool, tmp_path: Path) -> None:
    """Re has 154, enough for keine90, and kontra is left with 46 of 63.

    The scores are won, under 90 and 60, keine90, and re.
    """
    table = Table("reached", known).say("Ana: re keine90")
    table.to("Ben: KH", "Cleo: QS" if known else "Ben: TD")
    table.claim("Ana", "Ben: KH", weight).comes_to(tmp_path, 7, -9, 7, -5)


def test_played_out_it_would_have_been_more(tmp_path: Path) -> None:
    table = Table("failed", False).say("Ana: re keine90").rest().say("end")
    table.comes_to(tmp_path, -6, 6, -6, 6)


@hands
def test_without_the_level_nothing_was_decided(known: bool, tmp_path: Path) -> None:
    """Without the level 100 points win nothing, so a minor fault is treated as minor."""
    table = Table("failed", known)
    if known:
        table.to("Dan: TH").to("Ana: AS")
        table.claim("Cleo", "Dan: TH", "minor").rest()
    else:
        table.rest().claim("Cleo", "Dan: TH", "minor")
    table.comes_to(tmp_path, -1, 3, -1, -1)


@hands
def test_a_running_trick_does_not_count(known: bool, tmp_path: Path) -> None:
    """Re has 107, and the 15 points in the unfinished trick are certain to be re's as well."""
    table = (
        Table("running", known).to("Cleo: 9H")
        if known
        else Table("running", known).to("Ben: AH", "Ben: JD")
    )
    table.claim("Ana", "Ben: AH", "minor").rest()
    table.comes_to(tmp_path, 3, -5, 3, -1)


@hands
def test_nor_what_was_won_since(known: bool, tmp_path: Path) -> None:
    table = (
        Table("running", known).to("Cleo: 9H")
        if known
        else Table("running", known).to("Ben: AH", "Ben: JD")
    )
    table.claim("Ana", "Ben: AH", "serious").comes_to(tmp_path, 4, -12, 4, 4)


@hands
def test_a_level_of_its_own_that_is_not_reached_yet(known: bool, tmp_path: Path) -> None:
    """With 122 points a side that has called keine90 has not won yet."""
    table = Table("decided", known).say("Ana: re keine90")
    table.to("Ben: 9S", "Dan: AH" if known else "Ben: JD")
    table.claim("Cleo", "Ben: 9S", "serious").comes_to(tmp_path, 5, -15, 5, 5)


@hands
@pytest.mark.parametrize("weight", ["minor", "harmless", "serious"])
def test_in_a_solo_by_another(weight: str, known: bool, tmp_path: Path) -> None:
    """Leave the others with 70 points, under 90. The minor penalty is against a soloist."""
    table = Table("ahead", known).to("Ben: 9D", "Dan: 9H" if known else "Ben: 9C")
    table.claim("Cleo", "Ben: 9D", weight).comes_to(tmp_path, -2, -5, 9, -2)


@hands
@ANY
def test_in_a_solo_by_the_soloist(weight: str, known: bool, tmp_path: Path) -> None:
    """Cleo is left with 125, so she wins without a tier and pays three for her minor penalty."""
    table = Table("ahead-own", known).to("Ben: JC")
    table.to("Cleo: QH", "Dan: JS" if known else "Cleo: AC")
    table.claim("Ana", "Cleo: QH", weight).comes_to(tmp_path, 0, 0, 0, 0)


@hands
@pytest.mark.parametrize(
    ("weight", "scores"), [("minor", (2, 0, 2, -4)), ("serious", (4, 4, 4, -12))]
)
def test_a_call_always_allows_to_go_on(
    weight: str, scores: tuple[int, ...], known: bool, tmp_path: Path
) -> None:
    table = Table("decided", known).to("Dan: 9H").say("Dan: kontra !stands")
    table.claim("Ana", "Dan: kontra", weight)
    if weight == "minor":
        table.rest().say("end")
    table.comes_to(tmp_path, *scores)


@ANY
def test_while_nobody_knows_the_sides_the_weight_waits(weight: str, tmp_path: Path) -> None:
    """Claim it at once; whether a side had won depends on the sides, which are unknown."""
    table = Table("unknown", False).to("Ben: 9C", "Ben: JH")
    number = table.number("Ben: 9C")
    (fault,) = table.faults
    assert sorted(fault["waits"]) == ["minor", "serious"]
    ruling = table.match.record(f"claim Dan: {number} {weight}")
    assert f"holds Ana: CARD), then enter: weigh {number} {weight}" in ruling.text
    (fault,) = table.faults
    assert fault["claimed"] == ["Dan"]
    table.say("holds Ana: QC", "holds Cleo: QC", f"weigh {number} {weight}")
    table.comes_to(tmp_path, 5, -7, 5, -3)


def test_that_it_is_nothing_hangs_on_no_side(tmp_path: Path) -> None:
    table = Table("unknown", False).to("Ben: 9C", "Ben: JH").claim("Dan", "Ben: 9C", "none").rest()
    table.comes_to(tmp_path, 4, -4, 4, -4)


def test_who_knows_the_hands_need_not_wait(tmp_path: Path) -> None:
    table = Table("unknown", True).to("Ben: 9C", "Cleo: 9H").claim("Dan", "Ben: 9C", "minor")
    table.comes_to(tmp_path, 5, -7, 5, -3)
