"""Durak: cards owed from the talon, drawn cards, and cards turned up or put back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from scorekeeper.core.errors import Impossible
from tests.durak_tables import begun, enter

if TYPE_CHECKING:
    from scorekeeper import Match

SHORT = """
turnup 9H; talon 3; lead X
hand X: 6; hand Y: 6; hand Z: 6
X: attack 6C 6S
cover 6C 7C; cover 6S 7S
X: attack 7D
cover 7D 8D
all: pass
"""


def owed(match: Match) -> list[tuple[str, str, int | None]]:
    return [(o["who"], o["what"], o.get("count")) for o in match.state["owed"]]


def test_the_turned_card_is_one_of_the_cards_drawn() -> None:
    match = begun("durak", "X Y Z", SHORT)
    assert owed(match) == [("Y", "draw", 3)]
    assert match.state["talon"] == 0
    assert match.state == json.loads(json.dumps(match.state))
    enter(match, "Y: draw JC QC")
    with pytest.raises(Impossible):
        match.judge("Y: draw KC")  # the third was the card that lay under the talon
    enter(match, "Y: draw 9H")
    assert owed(match) == []


def test_draws_owed_are_those_of_the_last_bout_in_its_order() -> None:
    match = begun("durak", "A B C D", "turnup 9H\nattack 6C\ncover 6C 7C\nall: pass")
    assert owed(match) == [("B", "draw", 1), ("A", "draw", 1)]
    enter(match, "attack 6S\ntake\nall: pass")
    assert owed(match) == [("B", "draw", 1)]
    enter(match, "attack 8S\nB: attack 8D\ncover 8S 9S; cover 8D 9D\nall: pass")
    assert owed(match) == [("A", "draw", 2), ("D", "draw", 1), ("B", "draw", 1)]


def test_a_card_that_he_held_before_is_not_one_that_he_drew() -> None:
    match = begun("durak", "X Y", "turnup 9H; hand X: 6C 6D 8C TC AC KC")
    enter(match, "attack 6C 6D\ntake\nX: pass")
    with pytest.raises(Impossible):
        match.judge("X: draw AC")
    enter(match, "X: draw JC")
    with pytest.raises(Impossible):
        match.judge("X: draw JC")
    assert owed(match) == [("X", "draw", 1)]


def test_what_was_turned_back_is_in_no_hand_before_somebody_draws() -> None:
    match = begun("durak-spades", "X Y", "turnup 9S; turnup 9H")
    with pytest.raises(Impossible):
        match.judge("X: attack 9S")
    assert "X: attack 9S" not in match.legal()
    enter(match, "attack 9C\ntake\nX: pass")
    assert "X: attack 9S" in match.legal()
    assert match.judge("X: attack 9S").verdict == "legal"
    # In the middle of a deal it may have been drawn long ago.
    match = begun("durak-spades", "X Y", "turnup 9S; turnup 9H; talon 2; hand X: 9S 6C")
    assert match.judge("X: attack 9S").verdict == "legal"
