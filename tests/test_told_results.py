"""Deals entered by their result, where the result has to tell of a special point, and where cards
lie in no trick: the worked values of two rule texts, and what is refused."""

from __future__ import annotations

import pytest

from scorekeeper import Failure, Match, load_ruleset
from scorekeeper.ruleset.loading import check
from tests.helpers import match_of

THREE, FOUR = ["Ana", "Ben", "Cleo"], ["Ana", "Ben", "Cleo", "Dan"]

SKAT = [  # 7 of the text
    ("contract=hearts matadors=1 points=61", 20),
    ("contract=hearts matadors=1 points=60", -40),
    ("contract=clubs hand matadors=2 points=90", 60),
    ("contract=grand hand schneider matadors=4 points=90", 192),
    ("contract=spades bid=30 matadors=1 points=70", -66),
    ("contract=diamonds matadors=2 points=29", -72),
    ("contract=grand hand ouvert matadors=4 points=120", 264),
    ("contract=null points=0", 23),
    ("contract=null hand points=11 tricks=declarer:0", 35),
    ("contract=null ouvert points=0 tricks=declarer:1", -92),
]


@pytest.mark.parametrize(("told", "score"), SKAT)
def test_a_value_is_computed_from_what_is_told(told: str, score: int) -> None:
    match = match_of("skat", THREE)
    match.record(f"result declarer=Ben {told}")
    assert match.rounds[-1].scores == {"Ana": 0, "Ben": score, "Cleo": 0}


SCHAFKOPF = [  # 6 of the text
    ("contract=rufspiel AS player=Ben+Dan laufende=0 points=61", 10, 10),
    ("contract=rufspiel AS player=Ben+Dan laufende=2 points=60", -10, -10),
    ("contract=rufspiel AS player=Ben+Dan laufende=3 points=91", 50, 50),
    ("contract=rufspiel AS player=Ben+Dan laufende=3 points=90", 40, 40),
    ("contract=rufspiel AS player=Ben+Dan laufende=2 points=30", -20, -20),
    ("contract=wenz laufende=2 points=75", 210, -70),
    ("contract=clubs laufende=3 points=45", -240, 80),
    ("contract=clubs tout laufende=4 points=120", 540, -180),
    ("contract=clubs tout laufende=4 points=118", -540, 180),
]


@pytest.mark.parametrize(("told", "score", "partner"), SCHAFKOPF)
def test_a_partner_shares_what_is_told(told: str, score: int, partner: int) -> None:
    match = match_of("schafkopf", FOUR)
    match.record(f"result declarer=Ben {told}")
    scores = match.rounds[-1].scores
    assert scores is not None
    assert (scores["Ben"], scores["Dan"], sum(scores.values())) == (score, partner, 0)


REFUSED = [
    ("contract=hearts points=61", "the result must say how many matadors"),
    ("contract=hearts matadors=0 points=61", "matadors=0: from 1 to 11 are possible"),
    ("contract=grand matadors=5 points=61", "matadors=5: from 1 to 4 are possible"),
    ("contract=null matadors=1 points=0", "null knows no matadors"),
    ("contract=null hand points=10", "10 card points may lie in no trick"),
    ("contract=hearts matadors=1 points=22", "22 card points may lie in no trick"),
    ("contract=hearts matadors=1 points=23 tricks=declarer:0", "cannot have 23 card points"),
    ("contract=null bid=24 points=0", "null so is worth less than was bid"),
    ("contract=grand schneider matadors=1 points=90", "announced in hand games alone"),
    ("contract=grand ouvert matadors=1 points=90", "ouvert only with hand"),
    ("contract=null schneider points=0", "schneider may not be said with null"),
    ("contract=hearts matadors=1 points=61 specials=declarer:matadors", "no special point"),
]


@pytest.mark.parametrize(("told", "why"), REFUSED)
def test_a_result_guesses_nothing_and_meets_the_rules_of_what_it_tells(told: str, why: str) -> None:
    match = match_of("skat", THREE)
    with pytest.raises(Failure, match=why):
        match.record(f"result declarer=Ben {told}")
    assert not match.rounds or not match.rounds[-1].over


def test_the_points_of_cards_that_nobody_laid_are_the_declarers_at_the_end() -> None:
    match = match_of("skat", THREE)
    match.record("contract Ben: hearts hand")
    match.record("result matadors=2 points=20 tricks=declarer:0")
    assert match.rounds[-1].scores == {"Ana": 0, "Ben": -2 * 10 * 6, "Cleo": 0}


def test_a_contract_told_without_hand_has_taken_what_lay_there() -> None:
    match = match_of("skat", THREE)
    match.record("contract Ben: grand")
    assert match.to_act == ["Ben"]
    assert match.legal() == ["Ben: take"]
    match.record("Ben: take")
    match.record("Ben: bury 2")
    assert match.to_act == ["Ana"]


CHOICES = [  # the ruleset, the key, another value for it
    ("skat", "phases.auction.nobody", "next"),
    ("skat", "clauses.offered", False),
    ("skat", "phases.tricks.ends", "false"),
    ("skat", "let.schneider", "declarer.points <= 30 or opponents.points <= 30"),
    ("skat", "scores.lost.points", "-game_value if contract.hand else -2 * game_value"),
    ("skat", "match.ends", "rounds >= 12"),
    ("schafkopf", "phases.auction.nobody", "next"),
    ("schafkopf", "let.ran_away", "false"),
    ("schafkopf", "let.laufende_count", "0"),
    ("schafkopf", "contracts.wenz.is.base", 20),
    ("schafkopf", "match.ends", "rounds >= 16"),
]


@pytest.mark.parametrize(("name", "key", "value"), CHOICES)
def test_a_choice_of_the_text_is_a_key(name: str, key: str, value: object) -> None:
    assert Match(load_ruleset(name, **{key: value}), FOUR)


def test_whom_a_special_is_for_is_known() -> None:
    _, _, faults = check("skat", ["specials.matadors.for=each"])
    assert [(fault.key, fault.allowed) for fault in faults] == [
        ("specials.matadors.for", "declarer, opponents")
    ]
