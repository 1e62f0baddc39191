"""Games with a form: throws, points, what is refused, jokers, columns, the form on the sheet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper import Failure, Illegal, Match, load_ruleset
from scorekeeper.render.sheet import build_blank_sheet, build_sheet
from tests.helpers import match_of, program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TWO = ["Ana", "Ben"]
FACES = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
LOWER = ("three-kind", "four-kind", "full-house", "small", "large", "kniffel", "chance")
BOXES = (*FACES, *LOWER)
WORDS = {
    "three-kind": "three of a kind",
    "four-kind": "four of a kind",
    "full-house": "full house",
    "small": "small straight",
    "large": "large straight",
}
THROWS = list(combinations_with_replacement(range(1, 7), 5))
FIXED = {"full-house": 25, "small": 30, "large": 40, "kniffel": 50}


def refusal(match: Match, text: str) -> str:
    """Return the error for a text, which must fail, with what to type."""
    with pytest.raises(Failure) as caught:
        match.record(text)
    return str(caught.value)


def code(match: Match, text: str) -> tuple[str, str]:
    """Return the code and the paragraph of the rule that an entry breaks."""
    with pytest.raises(Illegal) as caught:
        match.record(text)
    (finding,) = caught.value.ruling.findings
    return finding.code, finding.cite


def points_of(box: str, dice: Sequence[int]) -> int | None:
    """Return the points of a throw in a box as a player counts them, or None if it does not fit."""
    counts = sorted(Counter(dice).values())
    runs = {"small": ({1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}), "large": ({1, 2, 3, 4, 5},)}
    runs["large"] += ({2, 3, 4, 5, 6},)
    if box in FACES:
        return sum(die for die in dice if die == FACES[box])
    fits = {
        "three-kind": counts[-1] >= 3,
        "four-kind": counts[-1] >= 4,
        "full-house": counts == [2, 3],
        "kniffel": counts == [5],
        "chance": True,
    }
    if not (fits[box] if box in fits else any(run <= set(dice) for run in runs[box])):
        return None
    return FIXED.get(box, sum(dice))


def entry_of(box: str, number: object) -> str:
    return f"{number} {WORDS.get(box, box)}"


# --- throws and points


@pytest.mark.parametrize("box", BOXES)
def test_every_throw_has_the_points_that_a_player_counts(box: str) -> None:
    match = match_of("kniffel", TWO)
    for dice in THROWS:
        text = entry_of(box, " ".join(map(str, dice)))
        points = points_of(box, dice)
        ruling = match.judge(text)
        if points is None:
            assert [each.code for each in ruling.findings] == ["boxes.fits"], text
        else:
            assert not ruling.findings, text
            match.record(text)
            assert match.state["bindings"]["points"]["Ana"] == points, text
            match.undo()


@pytest.mark.parametrize("box", BOXES)
def test_points_alone_are_those_that_some_throw_has(box: str) -> None:
    match = match_of("kniffel", TWO)
    possible = {points_of(box, dice) for dice in THROWS} | {0}
    for number in range(70):
        codes = [each.code for each in match.judge(entry_of(box, number)).findings]
        assert codes == ([] if number in possible else ["boxes.possible"]), (box, number)


def test_the_faces_may_be_joined_and_in_any_order() -> None:
    match = match_of("kniffel", TWO, "25525 full house", "Ben: 2 4 3 1 6 small straight")
    assert match.rounds[0].entries == [
        "Ana: 2 5 5 2 5 full house",
        "Ben: 2 4 3 1 6 small straight",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("55522 fu", "5 5 5 2 2 full house"),
        ("55522 fh", "5 5 5 2 2 full house"),
        ("28 c", "28 chance"),
        ("chance 28", "28 chance"),
        ("Ana: 24 six", "24 sixes"),
        ("30 klei", "30 small straight"),
        ("25 full", "25 full house"),
        ("50 yahtzee", "50 kniffel"),
        ("23 brelan", "23 three of a kind"),
        ("40 große straße", "40 large straight"),
        ("strike kn", "strike kniffel"),
        ("barre yams", "strike kniffel"),
        ("fill 28 chance", "28 chance"),
    ],
)
def test_boxes_may_be_shortened_and_named_in_any_language(typed: str, meant: str) -> None:
    match = match_of("kniffel", TWO, typed)
    assert match.rounds[0].entries == [f"Ana: {meant}"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Ana: 23 three", "“three” is not clear; type “three of a kind” or “threes”"),
        ("Ana: 28", "the box is missing; the boxes are ones, twos, threes"),
        ("Ana: 28 poker", "“poker” is not a box; the boxes are ones"),
        ("Ana: 5 5 5 2 full house", "a throw has 5 dice, not 4; type all dice, or the points"),
        ("Ana: 5 5 5 2 7 full house", "“7” is not a face; the faces are 1 to 6"),
        ("Ana: 55527 full house", "“7” is not a face"),
        ("Ana: 5 5 chance 5 2 2", "is not a throw and a box; type the dice or the points, then"),
        ("Ana: 28 chance chance", "“chance” is not a box"),
    ],
)
def test_what_is_no_throw_and_box_cannot_be_read(typed: str, said: str) -> None:
    match = match_of("kniffel", TWO)
    assert said in refusal(match, typed)


def test_dice_alone_are_answered_with_the_points_in_each_free_box() -> None:
    match = match_of("kniffel", TWO, "25 full house", "28 chance")
    said = refusal(match, "55522")
    assert said == (
        "the box is missing; add a box; the throw gets 19 in three of a kind, 19 in chance, 15 in"
        " fives or 4 in twos"
    )
    assert "25 in full house" in refusal(match_of("kniffel", TWO), "Ana: 55522")
    assert match.rounds[0].entries == ["Ana: 25 full house", "Ben: 28 chance"]


def test_dice_that_fit_no_free_box_are_answered_with_the_free_boxes() -> None:
    texts = [text for text in UPPER_63 + REST if text != "strike kniffel"]
    match = match_of("kniffel", TWO, *(text for text in texts for _ in TWO))
    said = refusal(match, "11223")
    assert said == "the box is missing; add a box, or strike one; free: kniffel"


# --- turns and boxes


def test_the_turn_passes_and_the_prompt_names_the_free_boxes() -> None:
    match = match_of("kniffel", [*TWO, "Cleo"], "28 chance")
    assert match.to_act == ["Ben"]
    match.record("20 chance")
    match.record("25 chance")
    assert match.to_act == ["Ana"]
    assert match.prompt.startswith("Ana fills box 2 of 13; free: ones, twos, threes")
    assert "chance" not in match.prompt
    assert "kniffel" in match.prompt


def test_another_player_cannot_fill_a_box() -> None:
    match = match_of("kniffel", TWO)
    assert refusal(match, "Ben: 28 chance").startswith(
        "Ben: 28 chance: illegal: it is not Ben's turn"
    )
    match = match_of("kniffel", TWO, "lead Ben", "28 chance")
    assert match.rounds[0].entries[-1] == "Ben: 28 chance"


@pytest.mark.parametrize("again", ["20 chance", "strike chance", "1 2 3 4 5 chance", "3 chance"])
def test_a_box_is_filled_once(again: str) -> None:
    match = match_of("kniffel", TWO, "28 chance", "20 chance")
    assert code(match, again) == ("boxes.once", "2.1")
    with pytest.raises(Illegal, match="Ana has already filled chance, with 28; free: ones, twos"):
        match.record(again)


def test_a_throw_that_does_not_fit_is_struck() -> None:
    match = match_of("kniffel", TWO)
    with pytest.raises(Illegal, match="1 2 3 4 6 does not fit kniffel; “strike kniffel” writes 0"):
        match.record("1 2 3 4 6 kniffel")
    match.record("strike kniffel")
    assert match.state["table"] == [{"who": "Ana", "box": "kniffel", "points": 0}]


def test_an_impossible_number_is_refused_with_what_is_possible() -> None:
    match = match_of("kniffel", TWO)
    assert code(match, "27 sixes") == ("boxes.possible", "2.6")
    with pytest.raises(Illegal, match="possible: 0, 6, 12, 18, 24 or 30"):
        match.record("27 sixes")
    with pytest.raises(Illegal, match="4 is not possible in three of a kind; possible: 0 or 5 to"):
        match.record("4 three of a kind")


def test_a_throw_that_the_table_lets_stand_gets_its_points() -> None:
    match = match_of("kniffel", TWO, "5 5 5 2 3 full house !stands", "27 sixes !stands")
    assert match.state["bindings"]["points"] == {"Ana": 25, "Ben": 27}


def test_an_entry_is_amended_and_undone(tmp_path: Path) -> None:
    book = str(tmp_path / "book.sqlite")
    program("new", "yams", *TWO, "--book", book)
    program("record", "28 chance", "55522 fh", "24 sixes", "--book", book)
    assert "undone: Ana: 24 sixes" in program("undo", "--book", book).out
    amended = program("amend", "1", "26 chance", "--book", book)
    assert amended.code == 0, amended.err
    status = program("status", "--book", book, "--format", "json").data
    assert status["bindings"]["points"] == {"Ana": 26, "Ben": 25}
    assert status["to_act"] == ["Ana"]


# --- the score


@given(st.integers(0, 10**9))
def test_a_game_of_throws_adds_up_as_on_paper(seed: int) -> None:
    """Fill the boxes in any order. A throw that does not fit is struck."""
    chance = Random(seed)
    match = match_of("kniffel", TWO)
    forms: dict[str, dict[str, int]] = {name: {} for name in TWO}
    orders = {name: chance.sample(BOXES, len(BOXES)) for name in TWO}
    for turn in range(13):
        for name in TWO:
            box = orders[name][turn]
            dice = chance.choice([each for each in THROWS if max(Counter(each).values()) < 5])
            points = points_of(box, dice)
            text = f"strike {WORDS.get(box, box)}"
            if points is not None:
                text = entry_of(box, " ".join(map(str, dice)))
            forms[name][box] = points or 0
            assert match.state["to_act"] == [name]
            match.record(text)
    upper = {name: sum(form[box] for box in FACES) for name, form in forms.items()}
    wanted = {name: sum(forms[name].values()) + (35 if upper[name] >= 63 else 0) for name in TWO}
    assert match.over
    assert match.scores == wanted
    lines = {(line["for"], line["code"]): line["points"] for line in summary_of(match)["lines"]}
    assert {name: lines.get((name, "scores.upper"), 0) for name in TWO} == upper


def summary_of(match: Match) -> Any:
    """Return the summary of the first round."""
    return next(iter(match.summaries()))


UPPER_63 = ["3 ones", "6 twos", "9 threes", "12 fours", "15 fives", "18 sixes"]
UPPER_62 = ["2 ones", *UPPER_63[1:]]
REST = [f"strike {WORDS.get(box, box)}" for box in LOWER]


def test_the_bonus_begins_at_63() -> None:
    entries = [text for pair in zip(UPPER_63 + REST, UPPER_62 + REST, strict=True) for text in pair]
    match = match_of("kniffel", TWO, *entries)
    assert match.scores == {"Ana": 98, "Ben": 62}
    assert match.winners == ["Ana"]


def test_several_games_are_one_match_and_the_first_turn_moves_on() -> None:
    game = [text for text in UPPER_63 + REST for _ in TWO]
    match = match_of("kniffel", TWO, *game, *game, **{"match.ends": "games >= 2"})
    assert [match.players[played.before["leader"]] for played in match.rounds] == ["Ana", "Ben"]
    assert match.over
    assert match.scores == {"Ana": 196, "Ben": 196}


# --- jokers


def with_kniffel(*entries: str, points: str = "50 kniffel", **options: object) -> Match:
    """Return a match in which Ana has filled the box, and Ben strikes one box after another."""
    match = match_of("kniffel", TWO, points, "strike chance", **options)
    strikes = iter(f"strike {WORDS.get(box, box)}" for box in BOXES)
    for text in entries:
        match.record(text)
        match.record(next(strikes))
    return match


def test_a_further_kniffel_gets_50_more_and_its_upper_box() -> None:
    match = with_kniffel("6 6 6 6 6 sixes")
    assert match.state["bindings"]["points"]["Ana"] == 50 + 30 + 50
    assert match.state["table"][1]["dice"] == [6, 6, 6, 6, 6]


@pytest.mark.parametrize(
    ("text", "points"), [("66666 full house", 25), ("66666 ss", 30), ("66666 ls", 40)]
)
def test_a_joker_fits_a_lower_box_once_its_upper_box_is_filled(text: str, points: int) -> None:
    match = with_kniffel()
    assert code(match, text) == ("boxes.forced", "3.2")
    with pytest.raises(Illegal, match=r"Ana cannot use the joker in .*; possible: sixes"):
        match.record(text)
    match = with_kniffel("18 sixes", text)
    assert match.state["bindings"]["points"]["Ana"] == 50 + 18 + points + 50


def test_a_joker_gets_0_in_an_upper_box_only_if_no_lower_box_is_free() -> None:
    match = with_kniffel("18 sixes")
    assert code(match, "66666 ones") == ("boxes.forced", "3.2")
    lower = [f"strike {WORDS.get(box, box)}" for box in LOWER if box != "kniffel"]
    match = with_kniffel("18 sixes", *lower, "66666 ones")
    assert match.state["bindings"]["points"]["Ana"] == 50 + 18 + 50


def test_a_struck_kniffel_makes_jokers_without_points() -> None:
    match = with_kniffel("18 sixes", "66666 large straight", points="strike kniffel")
    assert match.state["bindings"]["points"]["Ana"] == 18 + 40


def test_points_that_only_a_joker_has_are_one() -> None:
    match = with_kniffel("30 sixes")
    assert match.state["bindings"]["points"]["Ana"] == 50 + 30 + 50


def test_points_that_another_throw_may_have_are_a_joker_only_if_it_is_said() -> None:
    assert with_kniffel("25 full house").state["bindings"]["points"]["Ana"] == 75
    said = with_kniffel("18 sixes", "25 full house joker")
    assert said.state["bindings"]["points"]["Ana"] == 50 + 18 + 25 + 50


def test_a_joker_needs_the_box_and_five_of_a_kind() -> None:
    match = match_of("kniffel", TWO)
    assert code(match, "66666 sixes joker") == ("boxes.joker", "3.3")
    with pytest.raises(Illegal, match="Ana has no joker: kniffel is still free"):
        match.record("30 sixes joker")
    match = with_kniffel()
    assert code(match, "6 6 6 6 5 sixes joker") == ("boxes.joker", "3.3")
    assert code(match, "41 large straight joker") == ("boxes.possible", "2.6")


def test_a_joker_is_worth_100_in_yahtzee() -> None:
    match = match_of("yahtzee", TWO, "50 yahtzee", "28 chance", "66666 sixes")
    assert match.state["bindings"]["points"]["Ana"] == 50 + 30 + 100


def test_a_joker_may_be_free_and_worth_100() -> None:
    options: dict[str, Any] = {"phases.boxes.first": "", "phases.boxes.joker_points": 100}
    match = with_kniffel("66666 full house", **options)
    assert match.state["bindings"]["points"]["Ana"] == 50 + 25 + 100


def test_without_jokers_five_of_a_kind_is_a_throw_like_any_other() -> None:
    options = {"phases.boxes.joker": "", "phases.boxes.joker_points": 0}
    match = match_of("kniffel", TWO, "50 kniffel", "28 chance", **options)
    assert code(match, "66666 full house") == ("boxes.fits", "2.5")
    assert "“joker” is not a box" in refusal(match, "25 full house joker")


# --- columns


def test_columns_multiply_their_points() -> None:
    match = match_of("kniffel-triple", TWO, "28 chance triple", "28 chance double")
    assert match.state["bindings"]["points"] == {"Ana": 84, "Ben": 56}
    match.record("20 chance single")
    match.record("20 chance double !withdrawn")
    assert match.state["bindings"]["points"]["Ana"] == 104


def test_the_column_may_be_left_out_if_one_is_free() -> None:
    match = match_of("kniffel-triple", TWO)
    said = refusal(match, "28 chance")
    assert said.startswith(
        "the column is missing, and chance is free in several columns; add single, double"
    )
    for text in ("28 chance triple", "5 chance triple", "28 chance single", "5 chance single"):
        match.record(text)
    match.record("28 chance")
    assert match.state["table"][2]["column"] == "double"
    match.record("5 chance")
    assert code(match, "28 chance") == ("boxes.once", "2.1")


def test_each_column_has_its_own_bonus() -> None:
    match = match_of("kniffel-triple", TWO)
    for text in UPPER_63:
        match.record(f"{text} triple")
        match.record(f"strike {text.split()[1]} single")
    assert match.state["bindings"]["points"]["Ana"] == 3 * (63 + 35)


def test_a_column_may_have_an_order() -> None:
    options: dict[str, object] = {
        "phases.boxes.downward": ["single"],
        "phases.boxes.upward": ["double"],
        "phases.boxes.in-order": "house 43.1",
    }
    match = match_of("kniffel-triple", TWO, **options)
    assert code(match, "6 twos single") == ("boxes.in-order", "house 43.1")
    with pytest.raises(Illegal, match="Ana cannot fill kniffel in the column double before chance"):
        match.record("50 kniffel double")
    for text in ("3 ones single", "28 chance double", "6 twos single", "50 kniffel double"):
        match.record(text)
    match.record("12 fours triple")


# --- the form


def form_of(match: Match) -> dict[str, list[str]]:
    """Return the rows of the form on the sheet, by their labels."""
    table = build_sheet(match).tables[1]
    return {row[0]: list(row[1:]) for row in (*table.rows, *table.totals)}


def test_the_sheet_has_the_boxes_as_rows_and_the_players_as_columns() -> None:
    match = match_of("kniffel", TWO, "24 sixes", "strike kniffel", "25 full house", "28 chance")
    form = form_of(match)
    assert form["Sixes"] == ["24", ""]
    assert form["Kniffel (50)"] == ["", "–"]
    assert form["Full house (25)"] == ["25", ""]
    assert form["Upper boxes"] == ["24", "0"]
    assert form["Lower boxes"] == ["25", "28"]
    assert form["Further Kniffels"] == ["0", "0"]
    assert form["Total"] == ["49", "28"]


def test_the_form_adds_up_to_the_score() -> None:
    match = match_of("kniffel", TWO, *(text for text in UPPER_63 + REST for _ in TWO))
    form = form_of(match)
    assert form["Bonus"] == ["35", "35"]
    assert form["Total"] == list(map(str, match.scores.values()))


def test_several_columns_are_columns_of_the_form() -> None:
    match = match_of("kniffel-triple", TWO, "28 chance triple", "25 full house double")
    form = form_of(match)
    assert form["Chance"] == ["", "", "28", "", "", ""]
    assert form["Multiplied"] == ["0", "0", "84", "0", "50", "0"]
    assert form["Total"] == ["", "", "84", "", "", "50"]


def test_a_blank_sheet_has_an_empty_form() -> None:
    sheet = build_blank_sheet(load_ruleset("kniffel"), 3)
    assert len(sheet.tables[0].rows) == 1
    form = sheet.tables[1]
    assert [row[0] for row in form.rows][:6] == [name.capitalize() for name in FACES]
    assert form.rows[-1] == ["Total", "", "", ""]
    assert len(form.columns) == 4


def test_the_form_is_in_the_language_of_the_sheet(tmp_path: Path) -> None:
    book = str(tmp_path / "book.sqlite")
    program("new", "kniffel", *TWO, "--book", book)
    program("record", "40 große straße", "--book", book)
    sheet = program("sheet", "--book", book, "--language", "de").out
    assert "Große Straße (40)" in sheet
    assert "Oberer Teil" in sheet


# --- rulesets that make no sense


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"boxes.ones.needs": "count(thrown) > 5"}, "no throw can fill the box"),
        ({"boxes.ones.points": "worth(thrown) - 30"}, "a throw would get -25 points"),
        ({"boxes.ones.points": "rounds"}, "“rounds” is not about the throw"),
        ({"boxes.ones.section": "middle"}, "there is no section “middle”"),
        ({"bonuses.bonus.section": "middle"}, "there is no section “middle”"),
        ({"phases.boxes.first": "middle"}, "there is no section “middle”"),
        ({"phases.boxes.joker": "poker"}, "joker"),
        ({"phases.boxes.downward": ["left"]}, "there is no column “left”"),
        ({f"phases.boxes.columns.c{at}": 1 for at in range(13)}, "columns: more than 12"),
        (
            {f"boxes.b{at}": {"points": 1, "section": "upper"} for at in range(41)},
            "boxes: more than 40",
        ),
        ({"bonuses.bonus.when": "own.upper"}, "a number where a condition is wanted"),
    ],
)
def test_a_faulty_form_is_reported(options: dict[str, object], said: str) -> None:
    with pytest.raises(Failure, match=said):
        load_ruleset("kniffel", **options)
