"""Void rounds: the next dealer, and the texts about the round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Failure, Match, load_ruleset
from scorekeeper.engine.loading import check
from scorekeeper.engine.ruleset import pinned
from scorekeeper.ruleset.sources import pin
from tests.helpers import program

if TYPE_CHECKING:
    from pathlib import Path

FOUR = ["Ana", "Ben", "Cleo", "Dan"]


def table(ruleset: str, *entries: str, **options: object) -> Match:
    match = Match(load_ruleset(ruleset, **options), FOUR)
    for entry in entries:
        match.record(entry)
    return match


def dealer(match: Match) -> str:
    return match.current_round.names[match.current_round.seating.dealer]


@pytest.mark.parametrize("ruleset", ["hearts", "spades", "whist"])
def test_a_deal_that_is_thrown_in_goes_to_the_next_dealer(ruleset: str) -> None:
    """Rules: hearts 4.4, spades 4.7, whist 3.5."""
    match = table(ruleset, "void thrown in")
    assert dealer(match) == "Ana"
    match.record("void again")
    assert dealer(match) == "Ben"
    assert dealer(table(ruleset, "void thrown in", **{"deal.after_void": "same"})) == "Dan"


@pytest.mark.parametrize("ruleset", ["skat", "doppelkopf", "durak", "euchre", "belote"])
def test_elsewhere_the_same_player_deals_a_void_deal_again(ruleset: str) -> None:
    names = FOUR[:3] if ruleset == "skat" else FOUR
    for options, deals in (({}, names[-1]), ({"deal.after_void": "next"}, "Ana")):
        match = Match(load_ruleset(ruleset, **options), names)
        match.record("void thrown in")
        assert dealer(match) == deals


def test_who_is_given_to_goes_by_the_number_of_the_deal() -> None:
    """Rule 2.1 of hearts also holds after a void deal."""
    match, words = table("hearts"), ("left", "right", "across")
    given = []
    for _ in range(5):
        given += [[word for word in words if word in match.prompt]]
        match.record("void thrown in")
    assert given == [["left"], ["right"], ["across"], [], ["left"]]
    again = table("hearts", "void thrown in", **{"deal.after_void": "same"})
    assert "left" in again.prompt


def test_who_led_a_void_deal_by_what_they_played_leads_no_other() -> None:
    """Ben leads the solo that he owes; once it is thrown in, the dealer's left neighbour leads."""
    match = table("doppelkopf-ddv", "Ana: gesund", "Ben: damensolo", "Cleo: gesund", "Dan: gesund")
    assert match.to_act == ["Ben"]
    match.record("void thrown in")
    match.record("all: gesund")
    assert match.to_act == ["Ana"]


def test_whom_the_table_named_leads_the_same_deal_again_and_not_the_next() -> None:
    for word, leads in (("same", "Cleo"), ("next", "Ben")):
        match = table("whist", "lead Cleo", "void thrown in", **{"deal.after_void": word})
        assert match.current_round.names[match.current_round.seating.leader] == leads


@pytest.mark.parametrize(
    ("void", "nobody", "deals"),
    [
        ("same", "", "Cleo"),
        ("next", "", "Ana"),
        ("same", "next", "Ana"),
        ("next", "same", "Cleo"),
    ],
)
def test_when_nobody_bids_the_auction_may_say_otherwise(void: str, nobody: str, deals: str) -> None:
    options = {"deal.after_void": void, "phases.auction.nobody": nobody}
    match = Match(load_ruleset("skat", **options), FOUR[:3])
    for _ in range(3):
        match.record("pass")
    assert dealer(match) == deals


@pytest.mark.parametrize(("word", "deals"), [("same", "Dan"), ("next", "Ana")])
def test_annulled_deals_and_draws_go_by_the_same_key(word: str, deals: str) -> None:
    option = {"deal.after_void": word}
    annulled = table("doppelkopf", "Ana: neugeben", "Ben: gesund", "Cleo: gesund", **option)
    annulled.record("Dan: gesund")
    assert dealer(annulled) == deals
    assert dealer(table("podkidnoy", "result draw", **option)) == deals
    refused = ("Ana: give 3", "Ben: pass", "Cleo: pass", "Dan: pass")
    poor = table("doppelkopf-armut", "Ana: armut", *(f"{each}: gesund" for each in FOUR[1:]))
    assert dealer(poor) == "Dan"
    poor = table(
        "doppelkopf-armut", "Ana: armut", *(f"{each}: gesund" for each in FOUR[1:]), **option
    )
    for entry in refused:
        poor.record(entry)
    assert dealer(poor) == deals


@pytest.mark.parametrize(
    ("void", "word", "deals"),
    [
        ("same", "", "Cleo"),
        ("next", "", "Dan"),
        ("next", "same", "Cleo"),
        ("same", "next", "Dan"),
        ("same", "due", "Dan"),
        ("next", "due", "Dan"),
    ],
)
def test_what_follows_of_a_fault_may_say_otherwise(void: str, word: str, deals: str) -> None:
    """It was Dan's turn to deal, but Cleo dealt."""
    options = {"deal.after_void": void, "consequences.due-deal.dealer": word}
    match = table("doppelkopf-ddv", "dealer Cleo", "claim Ben: dealer Cleo", **options)
    assert dealer(match) == deals


# --- earlier spellings of the keys

OLD = [
    ("durak", "phases.bouts", 'undecided = "next"', "phases.bouts.undecided", "deal.after_void"),
    ("skat", "phases.auction", 'nobody = "again"', "phases.auction.nobody", "deal.after_void"),
]


@pytest.mark.parametrize(("ruleset", "at", "line", "key", "now"), OLD)
def test_an_old_key_is_refused_and_says_what_says_it_now(
    tmp_path: Path, ruleset: str, at: str, line: str, key: str, now: str
) -> None:
    path = tmp_path / "ours.toml"
    text = f'name = "ours"\nextends = "{ruleset}"\n[{at}]\n{line}\n'
    path.write_text(text, "utf-8")
    (fault,) = check(str(path))[2]
    assert fault.key == key
    assert now in fault.message


def test_a_match_that_has_the_old_keys_goes_on_as_it_was() -> None:
    data = dict(load_ruleset("podkidnoy").data)
    data["deal"] = {key: data["deal"][key] for key in ("dealt", "cards")}
    data["phases"] = {**data["phases"], "bouts": {**data["phases"]["bouts"], "undecided": "next"}}
    for entry in ("void thrown in", "result draw"):
        match = Match(pinned(pin(data), ""), FOUR)
        match.record(entry)
        assert dealer(match) == "Ana"


def test_the_word_is_one_of_two(tmp_path: Path) -> None:
    with pytest.raises(Failure, match=r"deal\.after_void must be same or next"):
        load_ruleset("hearts", **{"deal.after_void": "due"})


# --- messages


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))


@pytest.mark.usefixtures("book")
def test_what_was_said_of_a_void_deal_is_told_everywhere() -> None:
    program("new", "hearts", *FOUR)
    recorded = program("record", "void cards fell down").out
    assert "round 1 is over: Ana +0, Ben +0, Cleo +0, Dan +0; void: cards fell down\n" in recorded
    for said in (
        program("status").out,
        program("score").out,
        program("score", "--explain", "1").out,
    ):
        assert "round 1: Ana +0, Ben +0, Cleo +0, Dan +0; void: cards fell down\n" in said
    for format in ("text", "html", "markdown"):
        assert "Deal 1: void: cards fell down" in program("sheet", "--format", format).out
    program("record", "penalty Ana: 3 spilt beer", "void again")
    assert "Ana +3, Ben +0, Cleo +0, Dan +0; void: again" in program("status").out


@pytest.mark.usefixtures("book")
def test_a_deal_that_the_rules_annul_is_told_as_void() -> None:
    program("new", "skat", *FOUR[:3])
    recorded = program("record", "pass", "pass", "pass").out
    assert "round 1 is over: Ana +0, Ben +0, Cleo +0; void\n" in recorded
    assert "Deal 1: void\n" in program("sheet").out


@pytest.mark.usefixtures("book")
def test_the_reason_goes_with_the_entry_that_gave_it() -> None:
    program("new", "whist", *FOUR)
    program("record", "void first", "turnup 9H", "Ana: AC")
    assert "void" not in program("status").out
    program("amend", "1.1", "void the second")
    assert "void: the second" in program("score").out
