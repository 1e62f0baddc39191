"""Acts in a tournament that are not claims (rules of Doppelkopf, 12.3 and 12.7).

A word is withdrawn before play, a player leads before all have spoken, or a card is played ahead
of its turn. Conceding is tested in another file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.core.errors import Impossible
from tests.helpers import match_of
from tests.particular import FOUR, HANDS, TOURNAMENT, at_table, contract, lawful, refused

if TYPE_CHECKING:
    from pathlib import Path


def said(match: Match) -> dict[str, str]:
    """Return each player's latest word, by name."""
    return {each["who"]: each["says"] for each in match.state["table"]}


# --- a word withdrawn before play


@pytest.mark.parametrize(
    ("before", "entry", "then"),
    [
        (["Ana: gesund"], "Ana: damensolo", {"Ana": "damensolo"}),
        (["Ana: damensolo"], "Ana: gesund", {"Ana": "gesund"}),
        (["Ana: gesund"], "Ana: vorbehalt", {"Ana": "vorbehalt"}),
        (["Ana: vorbehalt"], "Ana: gesund", {"Ana": "gesund"}),
        (["Ana: vorbehalt"], "Ana: piksolo", {"Ana": "piksolo"}),
        (["Ana: gesund", "Ben: gesund"], "Ben: hochzeit", {"Ana": "gesund", "Ben": "hochzeit"}),
    ],
)
def test_a_word_gives_way_to_another_until_the_next_player_speaks(
    before: list[str], entry: str, then: dict[str, str], tmp_path: Path
) -> None:
    match = at_table(*before)
    turn = match.to_act
    ruling = match.record(entry)
    assert ruling.verdict in ("legal", "open")
    (note,) = [each for each in ruling.findings if each.code == "auction.revised"]
    assert (note.severity, note.cite) == ("note", "12.7")
    assert f"instead of {before[-1].partition(': ')[2]} ({len(before)})" in note.reason
    assert said(match) == then
    assert match.to_act == turn
    lawful(match, tmp_path)


def test_then_it_binds() -> None:
    match = at_table("Ana: gesund", "Ben: gesund")
    code, reason = refused(match, "Ana: damensolo")
    assert code == "auction.binding"
    assert reason == "Ana can no longer change gesund, because Ben has spoken (2)"
    match.record("Cleo: vorbehalt")
    assert "Cleo has spoken (3)" in refused(match, "Ben: damensolo")[1]
    assert refused(match, "Ana: damensolo")[1].endswith("Ben has spoken (2)")
    # Cleo, who must name her reservation, has not been asked yet.
    match.record("Dan: gesund")
    assert refused(match, "Cleo: gesund")[1].endswith("because Dan has spoken (4)")


def test_the_same_word_again_takes_nothing_back() -> None:
    match = at_table("Ana: gesund")
    assert refused(match, "Ana: gesund")[0] == "turn"
    match = at_table("all: gesund")
    assert refused(match, "Dan: gesund")[0] == "verb"


def test_the_table_may_let_a_word_stand_that_came_too_late(tmp_path: Path) -> None:
    match = at_table("Ana: gesund", "Ben: gesund", "Ana: damensolo !stands")
    assert said(match)["Ana"] == "damensolo"
    match.record("all: gesund")
    assert contract(match) == ("damensolo", "Ana")
    lawful(match, tmp_path)
    match = at_table("Ana: gesund", "all: gesund", "Ben: damensolo !stands")
    assert contract(match) == ("damensolo", "Ben")
    lawful(match, tmp_path)


@pytest.mark.parametrize("by_all", [False, True])
def test_the_last_may_say_otherwise_until_a_card_or_a_call(by_all: bool, tmp_path: Path) -> None:
    """Cover also one word that was entered for all remaining players."""
    words = ["all: gesund"] if by_all else [f"{name}: gesund" for name in FOUR]
    match = at_table(*words)
    assert contract(match) == ("normal", None)
    match.record("note Dan looks again")
    match.record("Dan: damensolo")
    assert contract(match) == ("damensolo", "Dan")
    assert match.to_act == ["Dan"]  # the compulsory solo leads
    match.record("Dan: piksolo lust")
    assert contract(match) == ("piksolo", "Dan")
    assert match.to_act == ["Ana"]
    assert refused(match, "Cleo: damensolo")[0] == "auction.binding"
    match.record("Dan: gesund")
    assert contract(match) == ("normal", None)
    lawful(match, tmp_path)
    called = at_table(*words, "Ana: kontra")
    at = len(words) + 1
    assert refused(called, "Dan: damensolo")[1].endswith(f"“Ana: kontra” was entered later ({at})")
    match.record("Ana: AC")
    assert "“Ana: AC” was entered later" in refused(match, "Dan: damensolo")[1]
    with pytest.raises(Impossible, match="depends on the earlier statement"):
        match.record("Dan: damensolo !stands")


def test_of_those_one_word_was_said_for_only_the_last_may_still() -> None:
    match = at_table("Ana: gesund", "all: gesund")
    for name, number in (("Ana", 2), ("Ben", 2), ("Cleo", 2)):
        reason = refused(match, f"{name}: damensolo")[1]
        assert reason.endswith(f"because Dan has spoken ({number})")


def test_the_kind_that_is_named_later_may_be_another(tmp_path: Path) -> None:
    match = at_table("Ana: vorbehalt", "Ben: gesund", "Cleo: vorbehalt", "Dan: gesund")
    assert match.to_act == ["Ana"]
    match.record("Ana: hochzeit")
    match.record("Ana: piksolo")  # no player can outrank that any more
    assert contract(match) == ("piksolo", "Ana")
    assert refused(match, "Ana: gesund")[0] == "auction.kind"
    match.record("Ana: kreuzsolo lust")  # Cleo can still outrank it
    assert match.to_act == ["Cleo"]
    match.record("Cleo: damensolo")
    assert contract(match) == ("damensolo", "Cleo")
    assert refused(match, "Ana: piksolo")[1].endswith("Cleo has spoken (8)")
    lawful(match, tmp_path)


def test_the_fourth_may_take_back_that_something_is_reserved() -> None:
    match = at_table("all: gesund", "Dan: vorbehalt")
    assert (match.to_act, match.prompt) == (["Dan"], "Dan names their reservation")
    match.record("Dan: gesund")
    assert contract(match) == ("normal", None)


def test_of_what_was_taken_back_nothing_is_asked_any_more() -> None:
    match = at_table("Ana: hochzeit", "Ana: gesund", "all: gesund")
    match.record("Ana: AC")
    for text in ("Ben: KC", "Cleo: 9C", "Dan: QC"):
        ruling = match.record(text)
        assert not [each for each in ruling.settled if each.code == "auction.needs"]
    assert not [
        each for each in match.live_round.log.all_findings() if each[1].code == "auction.needs"
    ]


def test_by_known_hands_it_is_the_same() -> None:
    match = at_table(*HANDS, "Ana: gesund", "Ana: hochzeit", "all: gesund")
    assert contract(match) == ("hochzeit", "Ana")
    assert refused(match, "Dan: hochzeit")[0] == "auction.needs"
    match = at_table(*HANDS, "all: gesund", "Dan: karosolo")
    assert contract(match) == ("karosolo", "Dan")
    assert match.state["sides"] == {"re": ["Dan"], "kontra": ["Ana", "Ben", "Cleo"]}


def test_elsewhere_a_word_binds_at_once() -> None:
    match = match_of("doppelkopf", FOUR, "Ana: gesund")
    assert refused(match, "Ana: damensolo")[0] == "turn"
    match.record("all: gesund")
    assert refused(match, "Dan: damensolo")[0] == "verb"
    match = at_table("Ana: gesund", **{"phases.auction.binding": False})
    assert refused(match, "Ana: damensolo")[0] == "turn"


# --- a lead before all have spoken


@pytest.mark.parametrize(
    ("before", "lead"),
    [
        (["Ana: damensolo"], "Ana: QC"),
        (["Ana: gesund", "Ben: fleischlos"], "Ben: AC"),
        (["Ana: gesund", "Ben: fleischlos", "Cleo: gesund"], "Ben: AC"),
        # Only a player who has already spoken still owes a solo.
        (["Ana: vorbehalt", "Ben: gesund", "Cleo: gesund", "Dan: gesund", "Ana: piksolo"],
         "Ana: AC"),
    ],
)  # fmt: skip
def test_a_lead_is_valid_when_nobody_can_outrank_what_was_named(
    before: list[str], lead: str, tmp_path: Path
) -> None:
    match = at_table(*before)
    assert lead in match.legal
    assert lead in match.legal()
    assert match.judge(lead).verdict == "legal"
    assert match.record(lead).verdict == "legal"
    who = lead.partition(":")[0]
    assert contract(match)[1] == who
    assert match.state["table"] == [{"who": who, "cards": lead.partition(": ")[2]}]
    lawful(match, tmp_path)


@pytest.mark.parametrize(
    "before",
    [
        [],
        ["Ana: gesund"],
        ["Ana: gesund", "Ben: gesund", "Cleo: gesund"],
        ["Ana: hochzeit"],
        ["Ana: damensolo lust"],  # a player who owes a solo plays that one
        ["Ana: vorbehalt"],
        ["Ana: vorbehalt", "Ben: damensolo"],  # Ana may still name a solo, and spoke first
    ],
)
def test_else_it_is_a_fault_and_stands_if_the_table_says_so(
    before: list[str], tmp_path: Path
) -> None:
    match = at_table(*before)
    waiting = match.to_act[0]
    lead = "Ben: AC" if "Ben: damensolo" in before else "Ana: AC"
    code, reason = refused(match, lead)
    assert code == "verb"
    assert (
        f"{waiting} says gesund or makes a reservation (for all remaining players, enter all:"
        in reason
    )
    assert lead not in match.legal
    assert not [text for text in match.legal() if text.endswith(" AC")]
    ruling = match.record(f"{lead} !stands")
    assert ruling.verdict == "illegal"
    (note,) = [each for each in ruling.findings if each.code == "auction.cut-short"]
    assert waiting in note.reason
    assert "had not spoken, which counts as gesund" in note.reason
    assert match.to_act == (["Cleo"] if lead.startswith("Ben") else ["Ben"])
    assert contract(match)[0] == {
        "Ana: hochzeit": "hochzeit",
        "Ana: damensolo lust": "damensolo",
        "Ben: damensolo": "damensolo",
    }.get(before[-1] if before else "", "normal")
    match.record("Ben: 9C !stands" if lead.startswith("Ana") else "Cleo: 9C")
    lawful(match, tmp_path)


def test_in_a_record_it_stands_where_nobody_decided() -> None:
    match = Match(load_ruleset(TOURNAMENT), FOUR)
    played = match.play_round(["Ana: gesund", "Ana: AC", "Ben: KC", "Cleo: 9C", "Dan: TC"])
    assert not played.failed_entry
    assert not played.ignored
    assert [(number, each.code) for number, each in played.findings if each.refuses] == [
        (2, "verb")
    ]
    assert match.to_act == ["Ana"]
    assert contract(match) == ("normal", None)


def test_a_valid_lead_is_judged_as_a_play() -> None:
    match = at_table("Ana: damensolo")
    code, reason = refused(match, "Ben: AC")
    assert (code, reason) == ("turn", "it is not Ben's turn: Ana leads to trick 1")
    match = at_table(*HANDS, "Ana: damensolo")
    assert refused(match, "Ana: QS")[0] == "tricks.held"
    match.record("QC")  # the card of the player whose turn it is then
    assert match.rounds[0].entries[-1] == "Ana: QC"
    assert refused(match, "Ben: AC")[0] == "tricks.follow"
    assert refused(match, "Ben: gesund")[0] == "verb"


def test_a_solo_that_is_forced_may_be_led_to_at_once() -> None:
    few = {"phases.auction.deals": 4, "match.ends": "deals >= 4"}
    match = at_table("Ana: damensolo", **few)
    assert match.record("Ana: QC").verdict == "legal"
    # The first player who owes a solo must play it; the others cannot be known to.
    match = at_table(**few)
    assert refused(match, "Ana: gesund")[0] == "auction.owed"
    match.record("Ana: gesund !stands")
    assert refused(match, "Ben: AC")[0] == "verb"
    match.record("Ben: kreuzsolo !stands")
    assert match.record("Ben: AC").verdict == "legal"


def test_when_nobody_else_owes_one_a_voluntary_solo_may_be_led_to_at_once() -> None:
    match = at_table()
    for name in ("Ana", "Ben", "Cleo", "Dan"):
        match.record("dealer Dan")
        match.record(f"result contract=damensolo re={name} points=130")
    match.record("dealer Dan")
    match.record("Ana: herzsolo")
    assert match.record("Ana: TH").verdict == "legal"


def test_elsewhere_all_speak_before_a_card_is_led() -> None:
    match = match_of("doppelkopf", FOUR, "Ana: hochzeit")
    assert refused(match, "Ana: AC")[0] == "verb"
    with pytest.raises(Impossible, match="not possible yet"):
        match.record("Ana: AC !stands")
    match = at_table("Ana: damensolo", **{"phases.auction.cut_short": False})
    assert refused(match, "Ana: AC")[0] == "verb"


# --- a card ahead of its turn


def test_a_card_ahead_of_turn_is_that_players_card_when_their_turn_comes(tmp_path: Path) -> None:
    """Of two equal cards, the first in turn order ranks higher."""
    match = at_table("all: gesund", "Ana: 9C", "Cleo: TH !stands")
    assert match.to_act == ["Ben"]
    match.record("Ben: TH")
    assert match.to_act == ["Dan"]
    match.record("Dan: KC")
    assert match.to_act == ["Ben"]
    assert match.state["players"]["Ben"]["tricks"] == 1
    lawful(match, tmp_path)


def test_several_cards_ahead_of_turn_lie_in_the_order_of_the_turns() -> None:
    match = at_table("all: gesund", "Ana: 9C", "Dan: KC !stands", "Cleo: AC !stands")
    assert match.to_act == ["Ben"]
    assert [each["who"] for each in match.state["table"]] == ["Ana", "Cleo", "Dan"]
    match.record("Ben: AC")
    assert match.to_act == ["Ben"]


@pytest.mark.parametrize("known", [True, False])
def test_a_card_ahead_of_turn_must_follow_too(known: bool, tmp_path: Path) -> None:
    hands = HANDS if known else []
    match = at_table(*hands, "all: gesund", "Ana: AC")
    assert refused(match, "Cleo: 9D")[0] == "turn"
    ruling = match.record("Cleo: 9D !stands")
    assert ruling.findings[0].code == "turn"
    (follow,) = [each for each in ruling.findings if each.code == "tricks.follow"]
    assert follow.verdict == ("illegal" if known else "open")
    for text in ("Ben: KC", "Dan: QH"):
        match.record(text)
    assert match.to_act == ["Dan"]
    match.record("Dan: AH")
    match.record("Ana: KH")
    match.record("Ben: 9H")
    lawful(match, tmp_path)
    if not known:
        proven = match.record("Cleo: TC")
        (late,) = [each for each in proven.settled if each.code == "tricks.follow"]
        assert (late.verdict, late.facts["who"], late.facts["first"]) == ("illegal", "Cleo", 3)


def test_in_a_record_a_card_ahead_of_turn_is_judged_alike() -> None:
    """Cover records with and without the table's decision."""
    entries = [*HANDS, "all: gesund", "Ana: AC", "Cleo: 9D", "Ben: KC", "Dan: QH"]
    found = []
    for decision in ("", " !stands"):
        match = Match(load_ruleset(TOURNAMENT), FOUR)
        played = match.play_round([f"{e}{decision}" if e == "Cleo: 9D" else e for e in entries])
        assert match.to_act == ["Dan"]
        found.append([(n, each.code) for n, each in played.findings if each.refuses])
    assert found == [[(7, "turn"), (7, "tricks.follow")]] * 2


def test_the_wrong_leader_has_led_if_it_stands() -> None:
    match = at_table("all: gesund")
    assert refused(match, "Ben: AC")[1] == "it is not Ben's turn: Ana leads to trick 1"
    match.record("Ben: AC !stands")
    assert match.to_act == ["Cleo"]
    for text in ("Cleo: KC", "Dan: 9C", "Ana: TC"):
        match.record(text)
    assert match.to_act == ["Ben"]
    assert match.state["players"]["Ben"]["points"] == 25
