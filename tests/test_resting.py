"""Entries that depend on an amended entry: claims, choices, penalties and the table's decisions.

They are named, and the table is asked until it has answered whether they still hold.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from scorekeeper.session.live import LiveMatch
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
from tests.helpers import Answer, program

if TYPE_CHECKING:
    from pathlib import Path

FOUR = ("Ana", "Ben", "Cleo", "Dan")
# Ben has not followed suit, and his later club proves it.
SHOWN = ["all: gesund", "Ana: AC", "Ben: 9D", "Cleo: 9C", "Dan: 9C", "Ben: KC"]
HOLDS = "does this entry still hold? "


@pytest.fixture(autouse=True)
def book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Use a separate book for each test."""
    path = tmp_path / "book.db"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    return path


def new(*entries: str, ruleset: str = "doppelkopf-ddv") -> None:
    assert program("new", ruleset, *FOUR).code == 0
    for entry in entries:
        answer = program("record", entry)
        assert answer.code == 0, (entry, answer.out)


def asked(answer: Answer) -> list[str]:
    """Return the questions and the commands that answer them."""
    lines = [line.strip() for line in answer.out.split("\n")]
    return [
        text
        for line, after in pairwise(lines)
        if line.startswith(HOLDS) or " no longer counts: " in line
        for text in (line, after)
    ]


NO_PROOF = [
    f"{HOLDS}1.7 claim Ana: 3 minor: entry 1.3 (Ben: 9D) is no longer proven illegal",
    "if it does, type amend 1.7 'claim Ana: 3 minor'; if not, type amend 1.7 --remove",
]


def test_a_claim_whose_proof_is_amended_away_is_named_and_asked_about() -> None:
    new(*SHOWN, "claim Ana: 3 minor")
    answer = program("amend", "1.6", "Ben: KS")
    assert answer.code == 0
    assert asked(answer) == NO_PROOF
    assert asked(program("status")) == NO_PROOF
    assert program("status", "--format", "json").data["resting"] == [
        {
            "round": 1,
            "number": 7,
            "entry": "claim Ana: 3 minor",
            "counts": True,
            "reason": "entry 1.3 (Ben: 9D) is no longer proven illegal",
        }
    ]


def test_status_asks_until_it_is_settled() -> None:
    new(*SHOWN, "claim Ana: 3 minor")
    program("amend", "1.6", "Ben: KS")
    program("record", "Cleo: 9S")
    assert asked(program("status")) == NO_PROOF
    assert program("amend", "1.7", "claim Ana: 3 minor").code == 0  # yes, it still holds
    assert asked(program("status")) == []
    assert program("score").out.startswith("round 1: no score yet")
    program("undo")
    assert asked(program("status")) == NO_PROOF
    assert program("amend", "1.7", "--remove").code == 0  # no, it is removed
    assert asked(program("status")) == []
    state = program("status", "--format", "json").data
    assert state["scores"] == dict.fromkeys(FOUR, 0)
    assert "resting" not in state


def test_a_change_that_is_taken_back_is_asked_about_no_more() -> None:
    new(*SHOWN, "claim Ana: 3 minor")
    program("amend", "1.6", "Ben: KS")
    program("undo")
    assert asked(program("status")) == []
    program("amend", "1.6", "Ben: KS")
    program("amend", "1.6", "Ben: KC", "--yes")  # the original entry again
    assert asked(program("status")) == []


def test_a_choice_is_named_beside_the_claim() -> None:
    new(*SHOWN, "claim Ana: 3", "weigh 3 minor")
    program("amend", "1.6", "Ben: KS")
    named = [text for text in asked(program("status")) if text.startswith(HOLDS)]
    assert [text.split(": entry 1.3 (")[0] for text in named] == [
        f"{HOLDS}1.7 claim Ana: 3",
        f"{HOLDS}1.8 weigh 3 minor",
    ]


def test_so_is_what_is_about_an_act_that_was_another_one() -> None:
    new(*SHOWN, "claim Ana: 3 minor")
    answer = program("amend", "1.3", "Ben: JD", "--yes")
    assert f"{HOLDS}1.7 claim Ana: 3 minor: entry 1.3 used to be Ben: 9D" in asked(answer)
    program("undo")
    program("amend", "1.6", "Ben: TC", "--yes")  # a different club proves it
    assert asked(program("status"))[0] == (
        f"{HOLDS}1.7 claim Ana: 3 minor: entry 1.6, which proved the fault, used to be Ben: KC"
    )


def test_what_does_not_count_any_more_is_asked_about_too() -> None:
    """No hand was entered, so the question does not mention one."""
    new(*SHOWN, "claim Ana: 3 minor")
    assert program("amend", "1.3", "Ben: TC", "--yes").code == 0
    status = program("status")
    assert asked(status) == [
        "1.7 claim Ana: 3 minor no longer counts: entry 1.3 used to be Ben: 9D",
        "correct it with amend 1.7 …, or remove it with amend 1.7 --remove",
    ]
    assert "hands that were entered" not in status.out


def test_a_penalty_by_hand_is_named_where_it_may_rest_on_the_proof() -> None:
    for ruleset in ("doppelkopf-ddv", "doppelkopf"):
        penalty = "penalty Ben: minor no club" if ruleset != "doppelkopf" else "penalty Ben: -3"
        new(*SHOWN, penalty, "penalty Cleo: -1 late", ruleset=ruleset)
        answer = program("amend", "1.6", "Ben: KS")
        said = "entry 1.3 (Ben: 9D) is no longer proven illegal"
        assert asked(answer)[0] == f"{HOLDS}1.7 {penalty}: {said}"
        assert len(asked(program("status"))) == 2


def test_what_the_table_decided_is_named_where_nothing_is_against_it_now() -> None:
    hand = "hand Ben: KC 9D QD JD AS KS TS AH KH 9H TD KD"
    new(hand, "all: gesund", "Ana: AC", "Ben: 9D !stands")
    program("amend", "1.3", "Ana: TD")
    assert asked(program("status")) == [
        f"{HOLDS}1.4 Ben: 9D !stands: the entry no longer breaks a rule",
        "if it does, type amend 1.4 'Ben: 9D !stands'; if not, type amend 1.4 --remove",
    ]


def test_what_comes_to_other_points_is_named() -> None:
    """Compute the penalty from the levels called at the time of the act."""
    calls = ["Ana: re", "Ana: keine90", "Cleo: re"]
    new(SHOWN[0], *calls, *SHOWN[1:], "claim Ana: 6 serious")
    program("amend", "1.3", "Ana: re")
    (said, _) = asked(program("status"))
    assert said.startswith(f"{HOLDS}1.10 claim Ana: 6 serious: the points used to be Ben -15; ")
    assert said.endswith(" and are now Ben -12; Ana, Cleo and Dan +4 each")


def test_a_claim_in_the_next_round_is_named() -> None:
    new(*SHOWN, "result re=Ana+Cleo points=130", "dealer Cleo", "claim Cleo: 1.3 minor")
    program("amend", "1.6", "Ben: KS", "--yes")
    (said, _) = asked(program("status"))
    assert said.startswith("2.2 claim Cleo: 1.3 minor no longer counts: entry 1.3")


def test_what_rests_on_something_else_is_not_named() -> None:
    new(*SHOWN, "claim Ana: 3 minor", "claim Cleo: talk Dan -2", "Cleo: 9S")
    for at, text in (("1.9", "Cleo: TS"), ("1.4", "Cleo: TC"), ("1.1", "all: gesund")):
        assert asked(program("amend", at, text)) == []
    assert asked(program("amend", "1.9", "--before", "note late")) == []
    assert asked(program("status")) == []


def test_where_rounds_are_gone_it_is_asked_where_it_stands_now() -> None:
    new("score Ana: +3", "score Ben: +3", "dealer Dan", *SHOWN, "claim Ana: 4 minor")
    assert program("amend", "1.1", "--remove", "--yes").code == 0
    assert asked(program("status")) == []
    program("amend", "2.7", "Ben: KS")
    (said, typed) = asked(program("status"))
    assert said == f"{HOLDS}2.8 claim Ana: 4 minor: entry 2.4 (Ben: 9D) is no longer proven illegal"
    program("amend", "1.1", "--remove", "--yes")
    (said, typed) = asked(program("status"))
    assert said.startswith(f"{HOLDS}1.8 claim Ana: 4 minor: ")
    assert (
        typed == "if it does, type amend 1.8 'claim Ana: 4 minor'; if not, type amend 1.8 --remove"
    )


def test_no_card_of_a_hand_is_told() -> None:
    hand = "hand Ben: KC 9D QD JD AS KS TS AH KH 9H TD KD"
    new(hand, "all: gesund", "Ana: AC", "Ben: 9D !stands", "claim Ana: 4 minor")
    program("amend", "1.1", hand.replace("KC", "9C"), "--yes")
    program("amend", "1.1", hand.replace("KC", "QH"), "--yes")
    status = program("status").out
    assert HOLDS in status
    assert not {"KC", "QD", "AS", "TD"} & set(status.replace(";", " ").split())


def test_the_live_table_tells_it(book: Path) -> None:
    new(*SHOWN, "claim Ana: 3 minor")
    with Book(book) as opened:
        board = LiveMatch(MatchRecorder(opened, 1))
        assert board.amend("amend 1.6 Ben: KS") == ""
        told = [event.text.strip() for event in board.log.events]
        assert all(text in told for text in NO_PROOF)
