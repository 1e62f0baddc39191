"""Numbers that may be expressions, dice separate from the tally, and disabled verbs."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import Match, Unreadable, load_ruleset
from scorekeeper.core.errors import Failure
from scorekeeper.engine.loading import check
from tests.helpers import match_of, program

THREE = ["Ana", "Ben", "Cleo"]


def faults_of(name: str, **options: Any) -> list[str]:
    return [fault.key for fault in check(name, options=options)[2]]


# --- signs


@pytest.mark.parametrize("minus", ["-", "\u2212", "\u2013"])
def test_a_number_below_nothing_is_read_alike_wherever_it_is_typed(minus: str) -> None:
    four = [*THREE, "Dan"]
    for text, kept in (
        ("score Ana: {}6", "score Ana: -6"),
        ("score Ana: {} 6 / Ben: +6", "score Ana: -6 / Ben: +6"),
        ("penalty Ana: {}3 talked", "penalty Ana: -3 talked"),
        ("standing Ana: {}5", "standing Ana: -5"),
        ("check Ana: {}5", "check Ana: -5"),
        ("claim Ana: talk Ben {}2", "claim Ana: talk Ben 2"),
    ):
        notation = Match(load_ruleset("doppelkopf-ddv"), four).notation
        assert notation.read(text.format(minus)).text == notation.read(kept).text
    _, applied, faults = check("doppelkopf", [f"tally.start={minus}5"])[:3]
    assert (applied, faults) == ({"tally.start": -5}, [])


def test_an_expression_may_have_the_sign_of_a_book() -> None:
    rules = load_ruleset("hearts", scores={"taken": {"points": "own.points \u2212 1"}})
    assert rules.scores[0].number(lambda _: 3) == 2


def test_a_penalty_that_is_no_number_names_the_classes() -> None:
    match = match_of("doppelkopf-ddv", [*THREE, "Dan"])
    for text in ("a5", "5a", "\u00b2", "x"):
        with pytest.raises(
            Unreadable, match="not a penalty class; the classes are minor, harmless"
        ):
            match.judge(f"penalty Ana: {text}")


# --- numbers by player count


def test_a_match_begins_with_fewer_where_more_play() -> None:
    tally = {"start": "5 if players < 3 else 3"}
    assert match_of("dudo", THREE[:2], tally=tally).scores == {"Ana": 5, "Ben": 5}
    assert match_of("dudo", THREE, tally=tally).scores == {"Ana": 3, "Ben": 3, "Cleo": 3}


def test_the_last_named_starts() -> None:
    assert match_of("dudo", THREE, match={"leader": "players"}).to_act == ["Cleo"]


def test_fewer_cards_for_more_players() -> None:
    deal = {"cards": "8 if players == 2 else 6"}
    players = match_of("durak", THREE[:2], deal=deal).state["players"]
    assert players["Ana"]["cards"] == 8
    assert match_of("durak", THREE, deal=deal).state["players"]["Ana"]["cards"] == 6


def test_a_kitty_by_the_number_of_players() -> None:
    deal = {"kitty": "10 if players == 4 else 6"}
    rules = load_ruleset("da-ban", deal=deal)
    assert (rules.kitty_size(4), rules.kitty_size(6)) == (10, 6)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"tally": {"start": "talon"}}, "tally.start"),
        ({"tally": {"start": "players / 2"}}, "tally.start"),
        ({"tally": {"start": "five"}}, "tally.start"),
        ({"match": {"leader": "1 +"}}, "match.leader"),
        ({"dice": {"each": 0}}, "dice.each"),
        ({"dice": {"each": 51}}, "dice.each"),
        ({"dice": {"each": "count"}}, "dice.each"),
        ({"dice": {"each": "own.tally / 2"}}, "dice.each"),
        ({"phases": {"bids": {"wild": 99}}}, "phases.bids.wild"),
        ({"phases": {"bids": {"wild": "face"}}}, "phases.bids.wild"),
        ({"phases": {"choice": {"at": "nothing"}}}, "phases.choice.at"),
        ({"tally": {"most": 99}}, "tally.most"),
    ],
)
def test_a_number_that_cannot_be(options: dict[str, Any], key: str) -> None:
    assert key in faults_of("dudo", **options)


def test_a_deal_that_has_no_number_is_a_fault() -> None:
    assert "deal.cards" in faults_of("durak", deal={"cards": "12 // (players - 2)"})
    assert "deal.cards" in faults_of("durak", deal={"cards": "cards"})


# --- in play


def test_attacks_by_the_talon_and_hands_by_the_bouts() -> None:
    bouts = {"most": "2 if talon > 20 else 6", "fill": "6 if bouts < 2 else 3"}
    match = match_of("durak", THREE[:2], "trump S", phases={"bouts": bouts})
    assert match.state["bindings"]["limit"] == 2
    for text in ("attack 6C 6D", "take"):
        match.record(text)
    assert match.state["talon"] == 22
    match.record("attack 7C")
    match.record("take")
    match.record("Ana: pass")
    assert match.state["talon"] == 22  # hands are now filled up to three cards


@pytest.mark.parametrize(("most", "limit"), [("0 - 7", 1), ("999999", 6), ("1 // 0", 1)])
def test_a_number_of_attacks_is_never_beyond_its_bounds(most: str, limit: int) -> None:
    """Report a ruleset error if the expression has no value, and leave the round unscored."""
    rules = load_ruleset("durak", phases={"bouts": {"most": f"{most} + 0 * talon"}})
    match = Match(rules, THREE)
    match.record("trump S")
    assert match.state["bindings"]["limit"] == limit


def test_several_cards_are_added_but_one_is_led() -> None:
    rules = {"at_once": "1 if attacks == 0 else 2"}
    match = match_of("podkidnoy", THREE[:2], "trump S", "lead Ana", phases={"bouts": rules})
    two = [finding.code for finding in match.judge("attack 6C 6D").findings]
    assert "bouts.at-once" in two
    match.record("attack 6C")
    match.record("Ben: cover 6C 7C")
    assert match.judge("Ana: attack 7D 6D").verdict == "legal"
    three = [finding.code for finding in match.judge("Ana: attack 7D 6D 6H").findings]
    assert three == ["bouts.at-once"]


def test_the_dealer_leads_the_first_deal_where_the_ruleset_says_so() -> None:
    match = match_of("durak", THREE, phases={"bouts": {"leads": ["dealer"]}})
    assert match.to_act == ["Cleo"]
    assert match_of("durak", THREE, "lead Ana", phases={"bouts": {"leads": ["dealer"]}}).to_act == [
        "Ana"
    ]


def test_a_choice_at_a_tally_that_is_worked_out() -> None:
    rules = {"choice": {"at": "tally.limit - 4"}}
    match = match_of("dudo", THREE, "5x3", phases=rules, tally={"start": 2})
    for text in ("Ben: dudo", "count 1"):
        match.record(text)
    assert match.current_round.prompt() == "Ana must choose first: open or closed"


def test_dice_that_are_half_of_the_lives() -> None:
    match = match_of("dudo", THREE, "standing Ana: 3", dice={"each": "(own.tally + 1) // 2"})
    dice = {name: player["dice"] for name, player in match.state["players"].items()}
    assert dice == {"Ana": 2, "Ben": 3, "Cleo": 3}
    match.record("8x3")
    assert match.judge("Ben: 9x3").findings[0].code == "bids.bluff"


def test_the_chances_of_a_bid_go_by_the_dice(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "perudo-lives", *THREE).code == 0
    assert "15 dice" in program("odds", "5x4").out


# --- disabled verbs


def test_what_is_turned_off_is_spoken_of_nowhere() -> None:
    rules = load_ruleset("dudo", verbs={"exact": False})
    assert "exact" not in rules.entry_types
    assert "exact-caller" not in rules.clauses
    assert set(rules.section("outcomes")) == {"doubted-well", "doubted-badly"}
    counted = {row.name for row in rules.sheet.statistics}
    assert "doubts-won" in counted
    assert not any("exact" in name for name in counted)
    match = Match(rules, THREE)
    match.record("2x3")
    assert match.current_round.prompt() == "Ben bids higher than 2x3, or says dudo"
    assert not any("calzo" in text for text in match.legal)
    for text in ("calzo", "exact", "Ben: calzo", "all: calzo", "Ben: je chausse"):
        with pytest.raises(Unreadable) as caught:
            match.record(text)
        assert (
            caught.value.message == "“calzo” is not played here, because the ruleset turns it off"
        )
        assert "calzo" not in caught.value.hint


def test_a_player_may_be_called_like_a_verb_that_is_turned_off() -> None:
    match = match_of("dudo", ["Calzo", "Ben"], "Calzo: 2x3", verbs={"exact": False})
    assert match.to_act == ["Ben"]


def test_a_verb_of_the_table_side_of_a_phase_is_turned_off_too() -> None:
    match = match_of("durak", THREE, "trump S", "attack 6C", verbs={"together": False})
    with pytest.raises(Unreadable, match="“together” is not played here"):
        match.record("together Ana: 6D / Cleo: 6H")


def test_an_extending_ruleset_turns_a_verb_on_again() -> None:
    rules = load_ruleset("bluff", verbs={"direction": True})
    assert "direction" in rules.entry_types
    assert "exact" not in rules.entry_types


@pytest.mark.parametrize("word", ["bid", "note", "exakt", "calzo"])
def test_a_verb_that_cannot_be_turned_off(word: str) -> None:
    assert faults_of("dudo", verbs={word: False}) == [f"verbs.{word}"]


def test_an_outcome_that_concerns_several_says_so() -> None:
    rows = {"exact": {"as": "loser"}}
    assert "outcomes.exact.as" in faults_of("bluff", outcomes=rows)
    rows = {"too-low": {"as": "losers"}}
    assert "outcomes.too-low.as" in faults_of("bluff", outcomes=rows)


def test_a_row_cites_a_paragraph_of_another_text() -> None:
    assert faults_of("dudo", clauses={"bluff": {"cite": "house 30.1"}}) == []
    for cite in ("house 99.1", "nowhere 1.1", "../house 30.1", "house", " 2.4"):
        assert faults_of("dudo", clauses={"bluff": {"cite": cite}}) == ["clauses.bluff.cite"]
    answer = program("rules", "explain", "bids.caller-exact", "--ruleset", "dudo-calzo")
    assert "house 32.1 Anyone still in but the bidder" in answer.out


def test_what_has_no_result_key_is_none() -> None:
    with pytest.raises(Failure):
        match_of("bluff", THREE, "result losers=Ben")
