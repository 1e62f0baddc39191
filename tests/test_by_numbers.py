"""Games by numbers: lines of numbers, one by one, sums, words, sides, the winner alone, places."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Failure, Illegal, Match, load_ruleset
from tests.helpers import match_of, program

THREE = ["Ana", "Ben", "Cleo"]
FOUR = [*THREE, "Dan"]


def refusal(match: Match, text: str) -> str:
    """Return the error for a text, which must fail, with what to type."""
    with pytest.raises(Failure) as caught:
        match.record(text)
    return str(caught.value)


def scores_of(match: Match, at: int) -> list[int]:
    """Return the scores of a round (from 0) in the order of the names."""
    scores = match.rounds[at].scores
    assert scores is not None
    return list(scores.values())


def code(match: Match, text: str) -> tuple[str, str]:
    """Return the code and the paragraph of the rule that an entry breaks."""
    with pytest.raises(Illegal) as caught:
        match.record(text)
    (finding,) = caught.value.ruling.findings
    return finding.code, finding.cite


# --- a line of numbers, and numbers one by one


def test_a_line_of_numbers_in_the_order_of_the_names_is_a_round() -> None:
    match = match_of("numbers", FOUR, "12 31 7 20", "-3 0 +8 5")
    assert [played.scores for played in match.rounds] == [
        {"Ana": 12, "Ben": 31, "Cleo": 7, "Dan": 20},
        {"Ana": -3, "Ben": 0, "Cleo": 8, "Dan": 5},
    ]
    assert match.scores == {"Ana": 9, "Ben": 31, "Cleo": 15, "Dan": 25}


def test_a_line_is_stored_as_one_entry_that_undo_takes_back() -> None:
    match = match_of("numbers", FOUR, "12 31 7 20")
    assert match.rounds[0].entries == ["12 31 7 20"]
    assert match.undo() == "12 31 7 20"
    assert match.scores == dict.fromkeys(FOUR, 0)


def test_numbers_one_by_one_in_any_order_are_the_same_round() -> None:
    match = match_of("numbers", THREE, "Ben: 31", "cleo: 7")
    assert match.to_act == ["Ana"]
    match.record("Ana: 12")
    assert match.rounds[0].scores == {"Ana": 12, "Ben": 31, "Cleo": 7}


def test_a_line_fills_in_who_has_no_number_yet() -> None:
    match = match_of("numbers", FOUR, "Ben: 31", "12 7 20")
    assert match.rounds[0].scores == {"Ana": 12, "Ben": 31, "Cleo": 7, "Dan": 20}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("12 31", "3 numbers are needed, not 2; type the numbers of Ana, Ben and Cleo"),
        ("12 31 7 20", "3 numbers are needed, not 4; type the numbers of Ana, Ben and Cleo"),
        ("12", "3 numbers are needed, not 1; type the numbers of Ana, Ben and Cleo"),
        ("12 31 x", "“x” is not a whole number; type whole numbers, separated by spaces"),
        ("12 31 7.5", "“7.5” is not a whole number; type whole numbers, separated by spaces"),
        ("Ana: 12 31", "“12 31” is not one number; type the numbers of all players without a name"),
    ],
)
def test_what_is_no_line_of_numbers_is_refused_as_a_whole(typed: str, said: str) -> None:
    match = match_of("numbers", THREE)
    assert refusal(match, typed).startswith(said)
    assert not match.rounds


def test_a_second_number_of_a_player_is_refused() -> None:
    match = match_of("numbers", THREE, "Ana: 12")
    said = refusal(match, "Ana: 13")
    assert said.startswith("Ana cannot be given a number now; to correct an entry, type “amend")


def test_a_number_that_was_mistyped_is_amended(tmp_path: Path) -> None:
    book = str(tmp_path / "book.sqlite")
    program("new", "numbers", *THREE, "--book", book)
    program("record", "12 31 7", "1 2 3", "--book", book)
    amended = program("amend", "1.1", "12 13 7", "--book", book)
    assert amended.code == 0, amended.err
    status = program("status", "--book", book, "--format", "json")
    assert status.data["scores"]["Ben"] == 15


def test_a_player_who_leaves_between_rounds_has_no_number_any_more() -> None:
    match = match_of("numbers", FOUR, "12 31 7 20", "quits Ben", "4 11 6")
    assert match.rounds[1].scores == {"Ana": 4, "Cleo": 11, "Dan": 6}
    assert "3 numbers are needed, not 4" in refusal(match, "1 2 3 4")
    match.record("joins Eve after Dan")
    match.record("1 2 3 4")
    assert match.rounds[2].scores == {"Ana": 1, "Cleo": 2, "Dan": 3, "Eve": 4}


def test_the_deal_moves_on_with_each_round() -> None:
    match = match_of("numbers", THREE, *["1 2 3"] * 4)
    dealers = [match.players[played.before["dealer"]] for played in match.rounds]
    assert dealers == ["Cleo", "Ana", "Ben", "Cleo"]


# --- numbers that are allowed, words, sums


@pytest.mark.parametrize("typed", ["-18 0 0", "0 141 0", "Ben: 141"])
def test_a_number_outside_what_is_allowed_is_refused_with_its_paragraph(typed: str) -> None:
    match = match_of("skyjo", THREE)
    assert code(match, typed) == ("numbers.allowed", "2.1")
    with pytest.raises(Illegal, match="the numbers are -17 to 140"):
        match.record(typed)


def test_numbers_in_steps_are_refused_between_the_steps() -> None:
    match = match_of("numbers", THREE, **{"phases.numbers.number": "0..100/5 200"})
    with pytest.raises(Illegal, match="cannot have 12; the numbers are 0 to 100 in steps of 5 or"):
        match.record("5 12 0")
    match.record("5 200 0")
    assert match.rounds[0].scores == {"Ana": 5, "Ben": 200, "Cleo": 0}


def test_the_table_may_let_a_number_stand() -> None:
    match = match_of("skyjo", THREE, "150 3 4 !stands")
    assert match.rounds[0].scores == {"Ana": 150, "Ben": 3, "Cleo": 4}


@pytest.mark.parametrize(
    ("line", "scores"),
    [
        ("23 4 closed 12", [23, 4, 12]),  # alone the lowest
        ("9 15 11 closed", [9, 15, 22]),  # not the lowest
        ("7 closed 7 20", [14, 7, 20]),  # not alone
        ("-3 closed -8 12", [-3, -8, 12]),  # nothing to double
    ],
)
def test_who_closes_and_is_not_alone_the_lowest_has_the_sum_twice(
    line: str, scores: list[int]
) -> None:
    match = match_of("skyjo", THREE, line)
    assert scores_of(match, 0) == scores


@pytest.mark.parametrize(
    "typed", ["12 closed 31 closed 7", "12 31 7 closed closed", "closed 1 2 3"]
)
def test_a_word_stands_once_after_a_number(typed: str) -> None:
    match = match_of("skyjo", THREE)
    with pytest.raises(Failure):
        match.record(typed)
    assert not match.rounds


def test_a_word_that_is_not_possible_is_refused_with_its_paragraph() -> None:
    match = match_of("skyjo", THREE, "Ana: 12 closed")
    assert code(match, "31 closed 7") == ("numbers.said", "1.4")
    assert code(match_of("rummy", THREE), "5 rummy 0 3") == ("numbers.said", "2.2")


def test_going_out_in_one_turn_doubles_what_the_others_have_left() -> None:
    match = match_of("rummy", THREE, "24 0 rummy 12", "0 31 17")
    assert [scores_of(match, at) for at in range(2)] == [[48, 0, 24], [0, 31, 17]]


def test_tricks_must_add_up_to_the_cards_of_the_round() -> None:
    match = match_of("wizard", THREE, "1 0 1")
    assert (
        match.prompt
        == "tricks: the numbers of Ana, Ben and Cleo, in this order; all numbers must add up to 1"
    )
    assert code(match, "1 1 0") == ("numbers.adds-up", "1.4")
    with pytest.raises(Illegal, match="add up to 0 instead of 1: 1 too few"):
        match.record("0 0 0")
    match.record("0 1 0")
    assert scores_of(match, 0) == [-10, -10, -10]


def test_a_number_after_which_the_sum_is_out_of_reach_is_refused() -> None:
    match = match_of("wizard", THREE, "1 0 1", "Ana: 1")
    with pytest.raises(Illegal, match="can no longer add up to 1"):
        match.record("Ben: 1")
    match.record("0 0")
    assert match.rounds[0].scores == {"Ana": 30, "Ben": 20, "Cleo": -10}


def test_a_number_that_stands_is_not_held_against_the_others() -> None:
    match = match_of("wizard", THREE, "1 0 1", "Ana: 5 !stands")
    match.record("0 0")
    assert match.rounds[0].over


def test_bids_are_at_most_the_cards_of_the_round_and_rounds_end_with_the_pack() -> None:
    match = match_of("wizard", ["Ana", "Ben", "Cleo", "Dan", "Eve", "Finn"])
    assert code(match, "2 0 0 0 0 0") == ("numbers.allowed", "1.3")
    for number in range(1, 11):
        assert not match.over
        match.record(f"{number} 0 0 0 0 0")
        match.record(f"{number} 0 0 0 0 0")
    assert match.over
    assert match.winners == ["Ana"]


def test_words_are_typed_and_shown_in_the_language_of_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.setenv("LANGUAGE", "de")
    program("new", "skyjo", *THREE, "--language", "de")
    assert "12 31 7 closed (12 31 7 zu)  [ok]" in program("record", "12 31 7 zu").out
    assert "auf dem Tisch: Ana: 12; Ben: 31; Cleo: 7 zu" in program("status").out


# --- sides, the winner alone, places


def test_a_side_has_one_number() -> None:
    match = match_of(
        "numbers",
        FOUR,
        **{
            "players.counts": [4],
            "sides.number": 2,
            "scores.points.for": "sides",
            "phases.numbers.who": "sides",
            "phases.numbers.sum": 162,
        },
    )
    assert match.prompt.startswith("the numbers of Ana+Cleo and Ben+Dan, in this order")
    match.record("100 62")
    match.record("Dan: 90")
    assert match.to_act == ["Ana", "Cleo"]
    match.record("72")
    assert match.scores == {"Ana": 172, "Ben": 152, "Cleo": 172, "Dan": 152}


def test_the_winner_alone_has_a_number() -> None:
    options = {"phases.numbers.who": "one", "scores.points.for": "winners"}
    match = match_of("numbers", THREE, "Ben: 45", **options)
    assert match.scores == {"Ana": 0, "Ben": 45, "Cleo": 0}
    assert "who made the entry “12”?" in refusal(match, "12")


def test_places_are_said_from_first_to_last() -> None:
    match = match_of("race", FOUR, "Ben Ana Dan", "cleo ana+dan ben")
    assert [played.scores for played in match.rounds] == [
        {"Ana": 2, "Ben": 3, "Cleo": 0, "Dan": 1},
        {"Ana": 2, "Ben": 0, "Cleo": 3, "Dan": 2},
    ]
    assert "the places of Ben and Dan are missing" in refusal(match, "Cleo Ana")
    assert "Ana is named twice" in refusal(match, "Ana Ben Ana Cleo")


def test_places_may_be_said_one_by_one() -> None:
    match = match_of("race", THREE, "Cleo: 1", "Ana: 2")
    assert code(match, "Ben: 4") == ("numbers.allowed", "1.2")
    match.record("Ben: 3")
    assert match.rounds[0].scores == {"Ana": 1, "Ben": 0, "Cleo": 2}


def test_names_of_several_words_have_places_too() -> None:
    match = match_of("race", ["Ana", "Ana Maria", "Ben"], "Ana Maria Ben Ana")
    assert match.scores == {"Ana": 0, "Ana Maria": 2, "Ben": 1}


# --- rulesets that make no sense


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"phases.numbers.number": "5..1"}, "does not count up"),
        ({"phases.numbers.number": "few"}, "is not a whole number"),
        ({"phases.numbers.number": "0..5", "phases.numbers.numbers.bid": "0..5"}, "cannot both"),
        ({"phases.numbers.who": "sides"}, "there are no sides"),
        ({"phases.numbers.who": "places", "phases.numbers.sum": 3}, "places are the numbers"),
        ({"phases.numbers.who": "one", "phases.numbers.sum": 3}, "only one player has a number"),
    ],
)
def test_a_faulty_phase_is_reported(options: dict[str, object], said: str) -> None:
    with pytest.raises(Failure, match=said):
        load_ruleset("numbers", **options)
