"""Dudo, paragraph by paragraph of rulesets/dudo.md, and a whole game from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scorekeeper import (
    Illegal,
    Impossible,
    Match,
    Unreadable,
    load_ruleset,
    read_record,
    verify_record,
    write_record,
)
from scorekeeper.cli.show import status_lines
from tests.helpers import match_of, program
from tests.inside import bound

RECORDS = Path(__file__).parent / "records"
THREE = ["Ana", "Ben", "Cleo"]
SEED = ["J1", "J2", "J3", "J4"]
CHAIN = ["J1: 5x4", "J2: 6x4", "J3: 7x2", "J4: 4x1", "J1: 5x1"]


def three(*entries: str, **options: object) -> Match:
    return match_of("dudo", THREE, *entries, **options)


def codes(match: Match, text: str) -> list[str]:
    return [finding.code for finding in match.judge(text).findings]


def refused(match: Match, text: str) -> str:
    with pytest.raises(Illegal) as caught:
        match.record(text)
    return caught.value.ruling.findings[0].code


# --- 7: the seed's round


def test_the_round_of_the_rule_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "dudo", *SEED).code == 0
    said = program("record", "5 cuadras", "6 cuadras", "7 tontos", "4 ases", "5 ases")
    assert said.code == 0
    assert [line for line in said.out.splitlines() if line.endswith("[ok]")] == [
        f"{entry}  [ok]" for entry in CHAIN
    ]
    wrong = program("record", "10x4")
    assert wrong.code == 1
    assert "J2: 10x4  [illegal]" in wrong.out
    assert "6x1, 11x2, 11x3, 11x4, 11x5, 11x6" in wrong.out
    assert "(bids.from-aces, 2.3)" in wrong.out
    said = program("record", "11x4", "J3: dudo", "count 9")
    assert said.code == 0
    assert "to act: J2" in said.out
    state = program("status", "--format", "json").data
    assert state["scores"] == {"J1": 5, "J2": 4, "J3": 5, "J4": 5}
    assert state["to_act"] == ["J2"]
    explained = program("score", "--explain", "1")
    assert "J2 -1" in explained.out
    assert "3.1" in explained.out


def test_the_other_chain_of_the_rule_text_is_legal() -> None:
    match = match_of("dudo", SEED)
    for bid in ("4x3", "2x1", "5x3", "3x1", "7x3"):
        assert match.record(bid).verdict == "legal"


def test_a_refusal_says_the_paragraph_and_the_least_raises() -> None:
    match = match_of("dudo", SEED, *CHAIN)
    ruling = match.judge("J2: 10x4")
    (finding,) = ruling.findings
    assert (finding.code, finding.cite, finding.verdict) == ("bids.from-aces", "2.3", "illegal")
    assert finding.facts["legal"] == ["6x1", "11x2", "11x3", "11x4", "11x5", "11x6"]
    for text in finding.facts["legal"]:
        assert match.judge(f"J2: {text}").verdict == "legal"


def test_the_record_that_was_written_by_hand() -> None:
    report = verify_record(RECORDS / "dudo_seed.toml")
    assert report["ok"]
    assert report["findings"] == []
    assert report["scores"] == {"J1": 0, "J2": 0, "J3": 1, "J4": 0}
    assert report["rounds"][4]["scores"] == {"J1": -5, "J2": 0, "J3": -1, "J4": 0}


# --- a whole game

GAME = """
Ana: direction left, Ana: 3x4, Ben: 3x5
Cleo: calzo
dice Ana: 5 5 2 3 4; dice Ben: 1 2 3 4 6; dice Cleo: 2 2 3 4 6   # exactly 3, but at five already
Cleo: 4x2, Ana: dudo, count 3                 # Cleo 4
Cleo: 6x2
foul Ben: looked under Ana's cup              # in mid-round: Ben 4
result loser=Ben                              # Ben 3
result loser=Ben                              # Ben 2
Ben: direction right; Ben: 2x6; Ana: 3x6; Cleo: dudo; count 4      # Cleo 3
result loser=Ben                              # Ben 1: a choice is due
Ben: open
Ben: 1x6; Ana: 2x1
foul Cleo: peeked                             # played again open; Cleo 2
Cleo: 1x2; Ben: dudo
dice Ana: 2 2 2 2 2, dice Ben: 6, dice Cleo: 4 4                  # five: Ben is out
Ana: 3x3, Cleo: dudo, count 1                 # Ana 4; Cleo 2
result loser=Cleo                             # Cleo 1
Cleo: closed; Cleo: 2x5; Ana: calzo; count 4  # Ana 3
sudden-death
Ana: 1x6; Cleo: calzo; count 1                # Cleo 2
Cleo: 1x2; Ana: dudo; count 1                 # Ana out, Cleo wins
"""


@pytest.fixture(scope="module")
def game() -> Match:
    match = match_of("dudo", THREE)
    for line in GAME.strip().splitlines():
        for text in match.notation.split_line(line):
            assert match.record(text).verdict == "legal", text
    return match


def test_a_whole_game_to_the_last_die(game: Match) -> None:
    assert game.over
    assert game.winners == ["Cleo"]
    assert game.scores == {"Ana": 0, "Ben": 0, "Cleo": 2}
    assert [played.scores for played in game.rounds] == [
        {"Ana": ana, "Ben": ben, "Cleo": cleo}
        for ana, ben, cleo in (
            (0, 0, 0),  # a calzo at five dice
            (0, 0, -1),
            (0, -1, 0),  # the foul
            (0, -1, 0),
            (0, -1, 0),
            (0, 0, -1),
            (0, -1, 0),
            (0, 0, -1),  # the open round, and a foul in it
            (0, -1, 0),  # again, open; Ben is out
            (-1, 0, 0),
            (0, 0, -1),
            (-1, 0, 0),  # the closed round
            (-2, 0, 1),  # sudden death took two of Ana's three dice
            (-1, 0, 0),
        )
    ]


def test_the_game_comes_back_from_its_record(game: Match, tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    write_record(game, first)
    report = verify_record(first)
    assert (report["ok"], report["findings"]) == (True, [])
    again = read_record(first)
    assert [p.entries for p in again.rounds] == [p.entries for p in game.rounds]
    assert [p.scores for p in again.rounds] == [p.scores for p in game.rounds]
    write_record(again, second)
    assert second.read_bytes() == first.read_bytes()


def test_the_game_through_the_book(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one.sqlite"), str(tmp_path / "two.sqlite")
    first, second = str(tmp_path / "first.toml"), str(tmp_path / "second.toml")
    assert program("new", "dudo", *THREE, "--book", one).code == 0
    assert program("record", "--book", one, stdin=GAME).code == 0
    assert program("export", "--book", one, "--to", first).code == 0
    assert program("verify", first).code == 0
    assert program("import", first, "--book", two).code == 0
    assert program("export", "--book", two, "--to", second).code == 0
    assert Path(second).read_bytes() == Path(first).read_bytes()
    assert "Cleo won" in program("status", "--book", two).out
    again = program("import", first, "--book", two)
    assert "already" in again.out
    assert len(program("matches", "--book", two, "--format", "json").data) == 1


# --- 1: setup


def test_1_1_any_number_from_two() -> None:
    with pytest.raises(Impossible):
        match_of("dudo", ["Ana"])
    match = match_of("dudo", [f"P{number}" for number in range(150)])
    assert match.state["players"]["P149"]["dice"] == 5


def test_1_1_nobody_ever_has_more_than_five_or_fewer_than_none() -> None:
    match = three("penalty Ana: 3 a present", "penalty Ben: -9 all of them")
    assert match.state["players"]["Ana"]["dice"] == 5
    assert match.state["players"]["Ben"]["dice"] == 0
    assert match.to_act == ["Ana"]


@pytest.mark.parametrize(
    "typed", ["5x3", "5 trenes", "5 TRENES", "5 tren", "5 3", "5 x 3", "5×3", "5X3"]
)
def test_1_2_ways_to_type_a_bid(typed: str) -> None:
    assert three().judge(f"Ana: {typed}").entry == "Ana: 5x3"


def test_1_3_without_a_word_the_first_named_starts_to_the_left() -> None:
    match = three()
    assert match.to_act == ["Ana"]
    match.record("2x3")
    assert match.to_act == ["Ben"]
    assert three("lead Cleo").to_act == ["Cleo"]
    assert three(match={"leader": 3}).to_act == ["Cleo"]
    right = three("2x3", match={"direction": "right"})
    assert right.to_act == ["Cleo"]


def test_1_3_the_starter_names_the_direction_before_his_first_bid() -> None:
    match = three("direction right", "2x3")
    assert match.to_act == ["Cleo"]
    assert refused(match, "Cleo: direction left") == "bids.direction-first"
    assert refused(match, "Ana: direction left") == "turn"
    match = three("Ana: direction right", "result loser=Ben", "Ben: 2x3")
    assert match.to_act == ["Ana"]  # it stayed
    match = three("direction right", "result loser=Ben", "Ben: direction left", "Ben: 2x3")
    assert match.to_act == ["Cleo"]


def test_1_3_the_keys_of_the_direction() -> None:
    first = {"bids": {"turns": "first"}}
    match = three("direction right", "result loser=Ben", phases=first)
    assert codes(match, "Ben: direction left") == ["bids.direction-first"]
    match = three(phases={"bids": {"turns": "never"}})
    assert codes(match, "Ana: direction left") == ["bids.direction-first"]
    assert not [text for text in match.legal() if "direction" in text]
    match = three("direction right", "result loser=Ben", "2x3", phases={"bids": {"keeps": False}})
    assert match.to_act == ["Cleo"]


def test_1_4_whoever_lost_or_gained_starts() -> None:
    assert three("2x3", "Ben: dudo", "count 2").to_act == ["Ben"]
    assert three("2x3", "Ben: dudo", "count 1").to_act == ["Ana"]
    assert three("2x3", "Ben: calzo", "count 2").to_act == ["Ben"]
    assert three("2x3", "Ben: calzo", "count 3").to_act == ["Ben"]


@pytest.mark.parametrize(("direction", "starter"), [("left", "Cleo"), ("right", "Ana")])
def test_1_4_for_one_who_is_out_the_next_in_the_direction_starts(
    direction: str, starter: str
) -> None:
    match = three("hand Ben: 1", f"direction {direction}", "result loser=Ben")
    assert match.scores["Ben"] == 0
    assert match.to_act == [starter]


def test_1_4_a_table_may_let_the_winner_of_the_call_start() -> None:
    rows = {"doubted-well": {"starts": "caller"}}
    assert three("2x3", "Ben: dudo", "count 1", outcomes=rows).to_act == ["Ben"]


# --- 2: bids


@pytest.mark.parametrize(
    ("previous", "least"),
    [
        ("5x3", ["3x1", "6x2", "6x3", "5x4", "5x5", "5x6"]),
        ("6x6", ["3x1", "7x2", "7x3", "7x4", "7x5", "7x6"]),
        ("3x1", ["4x1", "7x2", "7x3", "7x4", "7x5", "7x6"]),
        ("1x2", ["1x1", "2x2", "1x3", "1x4", "1x5", "1x6"]),
    ],
)
def test_2_3_the_least_raises(previous: str, least: list[str]) -> None:
    match = three(f"Ana: {previous} !stands")
    assert match.judge("Ben: 0x2").findings[0].facts["legal"] == least
    for text in least:
        count, face = text.split("x")
        assert match.judge(f"Ben: {text}").verdict == "legal"
        assert match.judge(f"Ben: {int(count) - 1}x{face}").verdict == "illegal"


def test_2_2_the_opening_bid() -> None:
    assert codes(three(), "Ana: 1x1") == ["bids.opening-face"]
    assert codes(three(), "Ana: 0x3") == ["bids.at-least-one"]
    assert three().judge("Ana: 1x2").verdict == "legal"


def test_2_3_the_turn_goes_round() -> None:
    match = three("Ana: 2x3")
    finding = match.judge("Cleo: 3x3").findings[0]
    assert (finding.code, finding.facts["to_act"]) == ("turn", ["Ben"])
    match.record("Cleo: 3x3 !stands")
    assert match.to_act == ["Ana"]


def test_2_3_a_table_may_have_exactly_the_half() -> None:
    half = {"to-aces": {"most": "ceil(previous.count / 2)"}}
    match = three("Ana: 5x3", clauses=half)
    assert match.judge("Ben: 3x1").verdict == "legal"
    finding = match.judge("Ben: 4x1").findings[0]
    assert "at most 3" in finding.reason
    assert match.judge("Ben: 2x1").findings[0].facts["legal"][0] == "3x1"


def test_2_4_more_than_the_dice_on_the_table_is_a_bluff() -> None:
    match = three()
    ruling = match.judge("Ana: 16x3")
    assert ruling.verdict == "legal"
    assert [(f.code, f.severity, f.cite) for f in ruling.findings] == [
        ("bids.bluff", "note", "2.4")
    ]
    assert not match.judge("Ana: 15x3").findings
    barred = three(clauses={"bluff": {"word": "barred", "say": "too many"}})
    assert codes(barred, "Ana: 16x3") == ["bids.bluff"]
    assert barred.judge("Ana: 16x3").verdict == "illegal"


def test_2_4_nought_is_illegal_even_where_nought_stands() -> None:
    match = three("Ana: 0x3 !stands")
    assert "bids.at-least-one" in codes(match, "Ben: 0x1")
    assert match.judge("Ben: 1x1").verdict == "legal"


@pytest.mark.parametrize("text", ["10000x3", "5x7", "5x0", "5 dogs", "x3", "5x", "-1x3", "5x3x2"])
def test_2_4_what_is_no_bid(text: str) -> None:
    with pytest.raises(Unreadable):
        three().judge(f"Ana: {text}")


def test_2_4_a_huge_bid_is_answered_at_once() -> None:
    match = three("Ana: 9999x1 !stands")
    assert match.judge("Ben: 1x2").findings[-1].facts["legal"] == [
        "10000x1",
        *(f"19999x{face}" for face in range(2, 7)),
    ]


# --- 3: calls


def test_3_1_and_3_2() -> None:
    for call, count, scores in (
        ("dudo", 2, (4, 5, 5)),
        ("dudo", 3, (5, 4, 5)),
        ("dudo", 4, (5, 4, 5)),
        ("calzo", 2, (5, 4, 5)),
        ("calzo", 3, (5, 5, 5)),
        ("calzo", 4, (5, 4, 5)),
    ):
        match = three("Ana: 3x4", f"Ben: {call}", f"count {count}")
        assert tuple(match.scores.values()) == scores, (call, count)
    assert three("hand Ben: 3", "3x4", "Ben: calzo", "count 3").scores["Ben"] == 4


def test_3_2_at_five_the_caller_still_starts_or_the_bidder() -> None:
    assert three("3x4", "Ben: calzo", "count 3").to_act == ["Ben"]
    rows = {
        "at-five": {
            "call": "exact",
            "when": "matching == bid.count and caller.tally == 5",
            "who": "caller",
            "as": "gainer",
            "starts": "bidder",
            "cite": "3.2",
            "before": "exactly-so",
        }
    }
    assert three("3x4", "Ben: calzo", "count 3", outcomes=rows).to_act == ["Ana"]


def test_3_3_who_may_call() -> None:
    match = three()
    assert codes(match, "Ana: dudo") == ["bids.on-a-bid"]
    assert codes(match, "Ben: calzo") == ["bids.on-a-bid"]
    match.record("Ana: 3x4")
    assert codes(match, "Ana: dudo") == ["bids.caller-doubt"]
    assert codes(match, "Cleo: dudo") == ["bids.caller-doubt"]
    assert codes(match, "Cleo: calzo") == ["bids.caller-exact"]
    assert match.judge("Ben: calzo").verdict == "legal"
    others = three("Ana: 3x4", phases={"bids": {"caller": {"exact": {"who": "others"}}}})
    assert others.judge("Cleo: calzo").verdict == "legal"
    assert codes(others, "Ana: calzo") == ["bids.caller-exact"]
    assert codes(others, "Cleo: dudo") == ["bids.caller-doubt"]


def test_3_3_a_call_without_a_name_is_of_who_alone_may_make_it() -> None:
    assert three("3x4").judge("dudo").entry == "Ben: dudo"
    with pytest.raises(Unreadable):
        three("3x4", phases={"bids": {"caller": {"exact": {"who": "others"}}}}).judge("calzo")


def test_3_3_nobody_who_is_out_can_act_whatever_the_table_says() -> None:
    match = three("hand Cleo: 0", "Ana: 3x4")
    assert match.judge("Cleo: calzo").verdict == "illegal"
    for text in ("Cleo: calzo !stands", "Cleo: 4x4 !stands"):
        with pytest.raises(Impossible):
            match.record(text)
    match.record("Ben: dudo")


def test_3_4_dice_and_counts() -> None:
    called = ("hand Cleo: 2", "3x4", "Ben: dudo")
    by_dice = three(*called, "dice Ana: 1 4 2 3 5", "dice Ben: 6 6 6 6 6", "dice Cleo: 4 2")
    assert by_dice.state["bindings"]["matching_count"] == 3
    assert by_dice.scores["Ben"] == 4
    by_dice.record("count 3")
    assert len(by_dice.rounds) == 1
    with pytest.raises(Impossible):
        by_dice.record("count 2")


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("count 13", Impossible),
        ("count -1", Unreadable),
        ("dice Ana: 1 2 3 4", Impossible),
        ("dice Ana: 1 2 3 4 5 6", Impossible),
        ("dice Cleo: 1 2 3", Impossible),
        ("dice Ana: 1 2 3 4 7", Unreadable),
        ("dice Ana: 1 2 3 4 0", Unreadable),
        ("dice Ana:", Unreadable),
        ("dice Ana", Unreadable),
    ],
)
def test_3_4_an_outcome_that_contradicts_itself(text: str, failure: type[Exception]) -> None:
    match = three("hand Cleo: 2", "3x4", "Ben: dudo")
    with pytest.raises(failure):
        match.record(text)
    match.record("count 12")


def test_3_4_a_count_after_some_dice_fits_them() -> None:
    match = three("3x4", "Ben: dudo", "dice Ana: 1 1 4 4 2")
    for text in ("count 3", "count 15", "dice Ana: 1 1 4 4 2"):
        with pytest.raises(Impossible):
            match.record(text)
    match.record("count 4")
    for text in ("count 4", "dice Ben: 1 1 1 1 1"):
        with pytest.raises(Impossible):
            match.record(text)


def test_3_4_no_dice_without_a_call() -> None:
    for text in ("count 3", "dice Ana: 1 2 3 4 5"):
        with pytest.raises(Impossible):
            three("Ana: 3x4").record(text)
    fouled = three("3x4", "Ben: dudo", "foul Ben: turned a die")
    with pytest.raises(Impossible):
        fouled.record("count 3")


# --- 4: one die for the first time


def at_one(*entries: str, **options: object) -> Match:
    """Return a match in which Ben has just come down to one die and starts the next round."""
    return three("hand Ben: 2", "result loser=Ben", *entries, **options)


def test_4_1_a_choice_comes_first() -> None:
    match = at_one()
    assert match.to_act == ["Ben"]
    assert match.legal() == ["Ben: open", "Ben: closed"]
    assert match.state["owed"] == [{"who": "Ben", "what": "choice", "of": ["open", "closed"]}]
    finding = match.judge("Ben: 1x3").findings[0]
    assert (finding.code, finding.verdict, finding.cite) == ("verb", "illegal", "4.1")
    assert "open or closed" in finding.reason
    assert codes(match, "Ana: open") == ["turn"]
    match.record("Ben: closed")
    assert match.state["bindings"]["mode"] == "closed"
    assert codes(match, "Ben: open") == ["verb"]


def test_4_1_it_holds_for_that_round_only() -> None:
    match = at_one("Ben: open", "Ben: 1x3", "Cleo: dudo", "count 1")
    assert match.to_act == ["Cleo"]
    assert "mode" not in match.state["owed"]
    assert match.judge("Cleo: 2x2").verdict == "legal"


def test_4_1_a_table_may_allow_a_round_as_usual() -> None:
    match = at_one(phases={"choice": {"options": ["open", "closed", "usual"]}})
    match.record("Ben: usual")
    match.record("Ben: 1x3")


def test_4_2_once_a_match() -> None:
    match = at_one("Ben: open", "Ben: 1x3", "Cleo: dudo", "count 1")
    match.record("Cleo: 1x2")
    match.record("Ana: 1x3")
    match.record("Ben: calzo")
    match.record("count 1")
    assert match.scores["Ben"] == 2
    match.record("result loser=Ben")
    assert match.scores["Ben"] == 1
    assert match.judge("Ben: 1x3").verdict == "legal"


def test_4_2_a_die_lost_by_a_foul_counts_like_any_other() -> None:
    match = three("hand Ben: 2", "foul Ben: peeked")
    assert match.legal() == ["Ben: open", "Ben: closed"]


def both_at_one(*entries: str, **options: object) -> Match:
    """Return a match in which Ana and Ben came down to one die in turn, and Ana's choice is due."""
    return three("hand Ana: 2", "hand Ben: 2", "foul Ana: a", "foul Ben: b", *entries, **options)


def test_4_2_of_several_the_starter_chooses_and_the_others_keep_theirs() -> None:
    match = both_at_one()
    assert match.to_act == ["Ben"]
    for text in ("Ben: open", "Ben: 1x3", "Cleo: dudo", "count 1"):
        match.record(text)
    assert match.to_act == ["Ana"]  # the next in direction who has one, though Cleo starts
    match.record("Ana: closed")
    assert match.to_act == ["Cleo"]


@pytest.mark.parametrize(
    ("said", "who"), [("Ben: open", "Ben"), ("open", "Ben"), ("Ana: open !stands", "Ana")]
)
def test_4_2_who_said_it_is_told_to_play_open(said: str, who: str) -> None:
    match = both_at_one(said, "Ana: 1x3 !stands")
    assert f"  {who} plays this round open" in status_lines(match)


def test_4_2_a_table_may_let_the_others_lose_theirs() -> None:
    match = both_at_one(phases={"choice": {"keeps": False}})
    for text in ("Ben: open", "Ben: 1x3", "Cleo: dudo", "count 1"):
        match.record(text)
    assert match.judge("Cleo: 1x3").verdict == "legal"


def test_4_2_of_several_in_the_direction_of_play() -> None:
    match = three("hand Ana: 2", "hand Ben: 2", "direction right", "foul Ana: a", "foul Ben: b")
    match.record("lead Cleo")
    assert match.to_act == ["Ben"]


def test_4_2_who_has_two_again_before_he_chose_has_no_choice_left() -> None:
    match = both_at_one("Ben: open", "Ben: 1x3", "Cleo: 1x4", "Ana: calzo", "count 1")
    assert match.scores["Ana"] == 2
    match.record("result loser=Ana")
    assert match.judge("Ana: 1x3").verdict == "legal"


def test_4_2_a_result_uses_up_the_choice_that_was_due() -> None:
    match = at_one("result loser=Cleo")
    assert match.judge("Cleo: 1x3").verdict == "legal"
    match = both_at_one("result loser=Cleo")
    assert match.to_act == ["Ana"]  # Ben's was due and is used; hers was not due yet


@pytest.mark.parametrize("word", ["hand", "standing"])
def test_4_2_dice_that_are_set_give_no_choice(word: str) -> None:
    match = three(f"{word} Ana: 1")
    assert match.judge("Ana: 1x3").verdict == "legal"
    match = at_one(f"{word} Ben: 1")
    assert match.judge("Ben: 1x3").verdict == "legal"
    match = at_one(f"{word} Ben: 2", "result loser=Ben")
    assert match.judge("Ben: 1x3").verdict == "legal"
    match = three(f"{word} Ana: 1", phases={"choice": {"placed": True}})
    assert match.legal() == ["Ana: open", "Ana: closed"]


def test_4_3_sudden_death() -> None:
    match = both_at_one("sudden-death")
    assert match.state["players"]["Cleo"]["dice"] == 1
    assert match.to_act == ["Ben"]  # the starter stays
    match.record("Ben: 1x3")  # no choice is left
    match.record("Cleo: calzo")
    match.record("count 1")
    assert match.scores == {"Ana": 1, "Ben": 1, "Cleo": 2}
    match.record("result loser=Cleo")
    assert match.judge("Cleo: 1x3").verdict == "legal"


def test_4_3_only_between_rounds_and_only_for_those_still_in() -> None:
    with pytest.raises(Impossible):
        three("2x3").record("sudden-death")
    match = three("hand Ben: 0", "sudden-death")
    assert match.state["players"]["Ben"]["dice"] == 0


def test_4_3_its_keys() -> None:
    gain = {"gained": {"when": "gainer.tally < 5 and not levelled"}}
    match = three("sudden-death", "1x3", "Ben: calzo", "count 1", scores=gain)
    assert match.scores["Ben"] == 1
    kept = {"choice": {"levelled": True}}
    assert at_one("sudden-death", phases=kept).to_act == ["Ben"]
    assert at_one("sudden-death", phases=kept).legal() == ["Ben: open", "Ben: closed"]


# --- 5: cheating


def test_5_a_foul_in_mid_round_ends_it() -> None:
    match = three("direction right", "2x3", "foul Ben: turned a die")
    assert match.rounds[0].scores == {"Ana": 0, "Ben": -1, "Cleo": 0}
    assert len(match.rounds) == 1
    assert match.to_act == ["Ben"]
    match.record("2x3")
    assert match.to_act == ["Ana"]  # in the direction last named


def test_5_between_rounds_it_is_a_round_of_its_own() -> None:
    match = three("result loser=Ana", "foul Cleo: took Ana's die", "Cleo: 2x3")
    assert [played.scores for played in match.rounds[:2]] == [
        {"Ana": -1, "Ben": 0, "Cleo": 0},
        {"Ana": 0, "Ben": 0, "Cleo": -1},
    ]


def test_5_who_is_out_by_it_does_not_start() -> None:
    assert three("hand Ben: 1", "foul Ben: peeked").to_act == ["Cleo"]
    once = three("foul Ben: peeked", consequences={"die-lost": {"starts": ""}})
    assert once.to_act == ["Ana"]
    assert three("foul Ben: peeked", penalties={"cheating": {"culprit": -2}}).scores["Ben"] == 3


def test_5_an_open_round_is_played_again_as_such_first() -> None:
    match = at_one("Ben: open", "Ben: 1x3", "foul Cleo: peeked")
    assert match.to_act == ["Cleo"]
    assert match.judge("Cleo: 1x3").verdict == "legal"
    assert bound(match.current_round)["mode"] == "open"
    match.record("Cleo: 1x3")
    match.record("foul Ana: peeked")
    assert bound(match.current_round)["mode"] == "open"
    match.record("result loser=Ana")
    assert "mode" not in bound(match.current_round)
    once = at_one("Ben: open", "Ben: 1x3", "foul Cleo: a", phases={"choice": {"repeats": False}})
    assert "mode" not in bound(once.current_round)


def test_5_a_new_choice_comes_after_the_replay() -> None:
    match = three("hand Ana: 2", "hand Ben: 2", "result loser=Ben", "Ben: open", "Ben: 1x3")
    match.record("foul Ana: peeked")
    assert bound(match.current_round)["mode"] == "open"
    match.record("Ana: 1x3")
    match.record("Ben: dudo")
    match.record("count 0")
    assert match.scores["Ana"] == 0
    match = three("hand Ana: 2", "hand Ben: 2", "result loser=Ben", "Ben: open", "Ben: 1x3")
    for text in ("foul Ana: peeked", "Ana: 1x3", "Ben: 1x4", "Cleo: dudo", "count 3"):
        match.record(text)
    assert match.to_act == ["Ana"]
    assert match.legal() == ["Ana: open", "Ana: closed"]


def test_5_a_choice_that_was_due_stays_due() -> None:
    match = at_one("foul Cleo: peeked")
    assert match.to_act == ["Ben"]
    assert match.legal() == ["Ben: open", "Ben: closed"]
    match = at_one("Ben: open", "foul Cleo: peeked")  # no bid yet
    assert match.legal() == ["Ben: open", "Ben: closed"]
    replay = at_one("Ben: closed", "Ben: 1x3", "foul Cleo: peeked", "foul Ana: as well")
    assert bound(replay.current_round)["mode"] == "closed"


def test_5_a_round_that_is_void_costs_nobody_his_choice() -> None:
    match = at_one("Ben: open", "Ben: 1x3", "void a cup fell")
    assert match.legal() == ["Ben: open", "Ben: closed"]
    match = at_one("Ben: open", "Ben: 1x3", "foul Cleo: a", "Cleo: 1x3", "void a cup fell")
    assert bound(match.current_round)["mode"] == "open"


def test_5_a_foul_by_someone_without_dice_is_only_noted() -> None:
    match = three("hand Ben: 1", "result loser=Ben", "foul Ben: still peeking")
    assert len(match.rounds) == 1
    assert match.rounds[0].entries[-1] == "foul Ben: still peeking"
    match.record("Cleo: 2x3")
    match.record("foul Ben: again")
    assert match.to_act == ["Ana"]
    assert match.scores["Ben"] == 0


def test_5_what_was_noted_after_a_round_is_read_back(tmp_path: Path) -> None:
    match = three("hand Ben: 1", "2x3", "Ben: dudo", "count 3", "foul Ben: still peeking")
    write_record(match, tmp_path / "record.toml")
    assert verify_record(tmp_path / "record.toml")["findings"] == []


def test_5_a_foul_that_leaves_a_single_player_ends_the_game() -> None:
    match = match_of("dudo", ["Ana", "Ben"], "hand Ben: 1", "foul Ben: peeked")
    assert match.over
    assert match.winners == ["Ana"]
    with pytest.raises(Impossible):
        match.record("Ana: 2x3")


# --- 6: results


def test_6_results() -> None:
    match = three("result gainer=Ana")
    assert match.rounds[0].scores == {"Ana": 0, "Ben": 0, "Cleo": 0}
    assert match.to_act == ["Ana"]
    match = three("hand Ana: 2", "result gainer=ana", "result loser=Cleo")
    assert match.scores == {"Ana": 3, "Ben": 5, "Cleo": 4}


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ((), "result draw"),
        ((), "result loser=Zoe"),
        ((), "result loser="),
        ((), "result loser=Ana gainer=Ben"),
        (("hand Ben: 0",), "result loser=Ben"),
        (("3x4", "Ben: dudo"), "result loser=Cleo"),
        (("3x4", "Ben: dudo"), "result gainer=Ben"),
        (("3x4", "Ben: calzo"), "result loser=Ana"),
        (("3x4", "Ben: dudo", "dice Ana: 4 4 4 2 2"), "result loser=Ana"),
    ],
)
def test_6_results_that_contradict(entries: tuple[str, ...], text: str) -> None:
    with pytest.raises((Impossible, Unreadable)):
        three(*entries).record(text)


def test_6_a_result_closes_a_round_that_was_begun() -> None:
    assert three("3x4", "Ben: dudo", "result loser=Ana").scores["Ana"] == 4
    assert three("3x4", "result loser=Cleo").scores["Cleo"] == 4


def test_6_a_match_that_ends_early_has_no_winner() -> None:
    match = three("result loser=Ana", "end")
    assert match.over
    assert match.winners == []


# --- 8: Perudo


def palifico(*entries: str) -> Match:
    """Return a match of Perudo in which Ben has just come down to one die against five and five."""
    return match_of("perudo", THREE, "hand Ben: 2", "result loser=Ben", *entries)


def bids(match: Match) -> set[str]:
    return {text.split(": ")[1] for text in match.legal() if "x" in text}


def test_8_the_first_round_with_one_die_is_a_palifico() -> None:
    match = palifico()
    assert match.to_act == ["Ben"]
    assert bound(match.current_round)["mode"] == "palifico"
    assert match.judge("Ben: 1x1").verdict == "legal"  # aces may be opened on


def test_8_he_starts_it_even_if_another_was_to() -> None:
    match = match_of("perudo", THREE, "hand Ana: 2", "foul Ana: a", "foul Ben: b")
    assert match.to_act == ["Ana"]
    match = match_of("perudo", THREE, "hand Ana: 2", "foul Ana: a", "Ana: 1x2", "Ben: dudo")
    match.record("count 1")
    assert "mode" not in bound(match.current_round)  # only once


def test_8_the_face_stays_but_for_one_who_has_one_die() -> None:
    match = palifico("Ben: 2x3")
    assert bids(match) == {f"{count}x3" for count in range(3, 12)}
    assert codes(match, "Cleo: 3x4") == ["bids.face-stays"]
    assert match.judge("Cleo: 3x4").findings[0].facts["legal"] == ["3x3"]
    match.record("Cleo: 3x3")
    match.record("Ana: 4x3")
    plain = {f"{count}x{face}" for count in range(5, 12) for face in range(1, 7)}
    assert bids(match) == plain | {"4x4", "4x5", "4x6"}


def test_8_aces_are_lowest_and_not_wild() -> None:
    match = palifico("Ben: 2x1", "Cleo: 3x1", "Ana: 4x1")
    assert {"4x2", "5x1", "4x6"} < bids(match)
    match = palifico("Ben: 2x3", "Cleo: dudo", "dice Ana: 1 1 1 3 4", "dice Ben: 1")
    match.record("dice Cleo: 1 1 1 1 1")
    assert match.state["bindings"]["matching_count"] == 1
    assert match.scores["Ben"] == 0


def test_8_a_palifico_with_two_players_left_too() -> None:
    match = match_of("perudo", THREE, "hand Cleo: 0", "hand Ben: 2", "result loser=Ben")
    assert bound(match.current_round)["mode"] == "palifico"


def test_8_calzo_by_anyone_with_three_players_in() -> None:
    match = match_of("perudo", THREE, "Ana: 2x3")
    assert match.judge("Cleo: calzo").verdict == "legal"
    assert codes(match, "Ana: calzo") == ["bids.caller-exact"]
    assert codes(match, "Cleo: dudo") == ["bids.caller-doubt"]
    four = match_of("perudo", [*THREE, "Dan"], "hand Ana: 0", "hand Ben: 0", "lead Cleo", "2x3")
    assert codes(four, "Dan: calzo") == ["bids.enough-players"]
    kept = match_of("perudo", ["Ana", "Ben"], "Ana: 2x3", clauses={"enough-players": False})
    assert kept.judge("Ben: calzo").verdict == "legal"


def test_8_a_foul_in_it_does_not_repeat_it() -> None:
    match = palifico("Ben: 1x3", "foul Ana: peeked")
    assert "mode" not in bound(match.current_round)
    assert codes(match, "Ana: 1x1") == ["bids.opening-face"]
    due = palifico("foul Ana: peeked")
    assert bound(due.current_round)["mode"] == "palifico"


# --- what is shown


def test_the_state_is_plain_and_says_the_games_words() -> None:
    state: dict[str, Any] = three("3x4", "Ben: dudo").state
    assert set(state) == {
        *("round", "phase", "to_act", "over", "scores", "bindings", "sides", "table"),
        *("talon", "players", "owed"),
    }
    assert state["phase"] == "reveal"
    assert state["bindings"]["bid"] == {"who": "Ana", "count": 3, "face": 4}
    assert state["bindings"]["call"] == {"who": "Ben", "call": "dudo"}
    assert state["table"] == [{"who": "Ana", "bid": "3x4"}]
    assert [owed["who"] for owed in state["owed"]] == THREE
    assert state["players"]["Ana"] == {"dice": 5, "out": False}


def test_other_languages() -> None:
    match = three("Ana: 3 cuadras", "Ben: je doute")
    assert match.rounds[0].entries == ["Ana: 3x4", "Ben: dudo"]
    spanish = at_one("Ben: abierta")
    assert spanish.rounds[-1].entries == ["Ben: open"]


def test_the_ruleset_is_what_its_pinned_text_says() -> None:
    from scorekeeper.engine.ruleset import pinned

    ruleset = load_ruleset("dudo")
    again = pinned(ruleset.text, ruleset.text_sha256)
    assert (again.data, again.text, again.sha256) == (ruleset.data, ruleset.text, ruleset.sha256)


def test_a_check_after_the_round_is_of_the_new_tally_and_is_asked_again_and_again() -> None:
    match = match_of("dudo", ["Ana", "Ben"], "Ana: 2x3", "Ben: dudo", "count 1", "check Ana: 4")
    assert match.judge("check Ana: 4").verdict == "legal"
    with pytest.raises(Impossible, match="it is 4, not 5"):
        match.judge("check Ana: 5")
    with pytest.raises(Impossible, match="it is 4, not 5"):
        match.record("check Ana: 5")
    assert match.rounds[0].entries[-1] == "check Ana: 4"


def test_who_starts_and_loses_the_last_die_to_a_penalty_is_not_waited_for() -> None:
    match = match_of(
        "dudo", THREE, "standing Ana: 1", "lead Ana", "Ana: direction left", "penalty Ana: -1"
    )
    assert match.to_act == ["Ben"]
    assert match.record("2x3").entry == "Ben: 2x3"
