"""Decisions that end a match or a deal, however they came about; first leads; short hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.core.errors import Impossible, Unreadable
from tests.helpers import match_of, program

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper.core.rulings import Ruling

FOUR = ["Ana", "Ben", "Cem", "Dov"]


def codes(ruling: Ruling) -> list[str]:
    return [finding.code for finding in ruling.findings]


def deal(name: str, players: str, entries: str) -> Match:
    return match_of(name, players.split(), *filter(None, map(str.strip, entries.split(";"))))


# --- the match


@pytest.mark.parametrize(
    ("name", "players", "entries", "won"),
    [
        ("dudo", "Ana Ben", "standing Ana: 0", ["Ben"]),
        ("perudo", "Ana Ben", "hand Ben: 0", ["Ana"]),
        ("dudo", "Ana Ben Cem", "standing Cem: 0; standing Ben: 2; hand Ana: 0", ["Ben"]),
        ("dudo", "Ana Ben", "penalty Ana: -5 left", ["Ben"]),
        ("dudo", "Ana Ben", "Ana: 3x4; penalty Ana: -5 left", ["Ben"]),
        ("dudo", "Ana Ben", "hand Ben: 1; foul Ben: peeked", ["Ana"]),
        ("da-ban", "Ana Ben Cem Dov", "standing Ana: 10", ["Ana", "Cem"]),
        ("da-ban", "Ana Ben Cem Dov", "standing Cem: 9; result points=0", ["Ana", "Cem"]),
        ("sheng-ji", "Ana Ben Cem Dov", "standing Ben: 14", ["Ben", "Dov"]),
    ],
)
def test_whatever_decides_the_match_ends_it_at_once(
    name: str, players: str, entries: str, won: list[str]
) -> None:
    match = deal(name, players, entries)
    assert match.over
    assert match.winners == won
    assert match.legal() == []
    for text in ("void once more", f"result loser={won[0]}"):
        with pytest.raises(Impossible, match="the match is over"):
            match.record(text)
    assert len(match.rounds) <= 2


def test_an_act_after_the_end_says_who_has_won() -> None:
    with pytest.raises(Impossible, match="the match is over: Ben has won"):
        deal("dudo", "Ana Ben", "standing Ana: 0; Ben: 3x4")
    with pytest.raises(Impossible, match="the match is over: Ana and Cem have won"):
        deal("da-ban", "Ana Ben Cem Dov", "standing Ana: 10; Ana: AS")


def test_a_penalty_in_the_middle_of_a_deal_wins_the_match_without_a_score_for_the_deal() -> None:
    match = deal("da-ban", "Ana Ben Cem Dov", "trump H; kitty 3H 3C 4C 5C 6C 7C; take; bury 6")
    match.record("Ana: AS")
    ruling = match.record("penalty Ana: 7 paid")
    assert codes(ruling) == ["table.decided"]
    assert match.over
    assert match.scores["Ana"] == 10
    assert {line.code for line in match.rounds[0].lines} == {"penalty"}
    match.undo()
    assert not match.over
    assert match.to_act == ["Ben"]


def test_facts_of_a_start_that_decides_may_follow_until_somebody_acts() -> None:
    match = deal("dudo", "Ana Ben", "standing Ana: 0; standing Ben: 3; lead Ben")
    assert (match.over, match.scores, len(match.rounds)) == (True, {"Ana": 0, "Ben": 3}, 1)
    match.record("standing Ana: 2")  # it was mistyped
    assert not match.over
    match.record("Ben: 3x4")
    with pytest.raises(Impossible, match="before the first act"):
        match.record("standing Ana: 0")
    assert match.rounds[0].scores is None


def test_a_position_sets_and_scores_nothing() -> None:
    match = deal("dudo", "Ana Ben", "standing Ana: 0")
    assert match.rounds[0].scores == {"Ana": 0, "Ben": 0}
    assert match.rounds[0].lines == []


# --- the deal


@pytest.mark.parametrize(
    ("name", "players", "hands", "lost"),
    [
        ("durak", "Ana Ben Cem", "0 0 4", ["Cem"]),
        ("durak-transfer", "Ana Ben", "0 1", ["Ben"]),
        ("podkidnoy", "Ana Ben Cem", "3 0 0", ["Ana"]),
        ("podkidnoy-teams", "Ana Ben Cem Dov", "0 2 0 3", ["Ben", "Dov"]),
        ("podkidnoy-teams", "Ana Ben Cem Dov", "0 2 0 0", ["Ben", "Dov"]),
        ("durak", "Ana Ben Cem", "0 0 0", []),
    ],
)
def test_who_alone_holds_cards_with_an_empty_talon_has_lost(
    name: str, players: str, hands: str, lost: list[str]
) -> None:
    names = players.split()
    facts = [f"hand {who}: {size}" for who, size in zip(names, hands.split(), strict=True)]
    for start in (["talon 0", "trump H", *facts], [*facts, "trump H", "talon 0"]):
        match = match_of(name, names, *start)
        assert match.rounds[0].over
        assert match.scores == {who: int(who in lost) for who in names}
        assert len(match.rounds) == 1
        state = match.state
        assert state["bindings"]["losers"] == lost
        assert state["bindings"]["leader"] is None
        assert match.to_act
        match.record(f"lead {match.to_act[0]}" if len(match.to_act) == 1 else "turnup 9H")
    if lost:
        assert match_of(name, names, *start).current_round.seating.dealer == names.index(lost[0])


def test_the_deal_that_is_decided_takes_no_fact_of_the_next() -> None:
    start = "talon 0; hand Ana: 0; hand Ben: 0; hand Cem: 4; trump H"
    match = deal("durak", "Ana Ben Cem", f"{start}; hand Ana: 6C 7C 8C 9C TC JC; Ana: attack 6C")
    assert [len(played.entries) for played in match.rounds] == [5, 2]
    assert match.scores["Cem"] == 1
    match = deal("durak", "Ana Ben Cem", f"{start}; turnup 9D; lead Ben; Ben: attack 6C")
    assert [len(played.entries) for played in match.rounds] == [5, 3]
    match = deal("durak", "Ana Ben Cem", start)
    assert "this entry belongs to round 1" in match.record("lead Cem").text
    assert len(match.rounds) == 1
    same = deal("durak", "Ana Ben Cem", f"{start}; result loser=Cem")
    assert (len(same.rounds), same.scores["Cem"]) == (1, 1)
    other = deal("durak", "Ana Ben Cem", f"{start}; result loser=Ana")
    assert (len(other.rounds), other.scores["Ana"], other.scores["Cem"]) == (2, 1, 1)


def test_a_position_does_not_guess_that_the_talon_is_empty() -> None:
    match = deal("durak", "Ana Ben", "trump H; hand Ana: 0; hand Ben: 4")
    assert not match.rounds[0].over
    with pytest.raises(Impossible, match="the size of the talon is missing"):
        match.record("Ben: attack 6C")
    match.record("talon 0")
    assert match.scores == {"Ana": 0, "Ben": 1}


def test_decided_starts_are_kept_in_the_book_and_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    program("new", "durak", *FOUR[:3])
    start = ["talon 0", "hand Ana: 0", "hand Ben: 0", "trump H"]
    for text in start:
        assert program("record", text).code == 0
    assert program("record", "hand Cem: 4").code == 0
    assert "Cem +1" in program("score").out
    assert program("undo").code == 0
    assert program("undo").code == 0
    assert program("amend", "3", "hand Ben: 2").code == 0
    assert program("status", "--format", "json").data["players"]["Ben"]["cards"] == 2
    assert "Cem 0" in program("score").out
    program("new", "dudo", "Ana", "Ben")
    assert "Ben won" in program("record", "standing Ana: 0").out
    refused = program("record", "Ben: 3x4")
    assert refused.code == 2
    assert "Ben has won" in refused.err


# --- several hands at once


@pytest.mark.parametrize(
    ("laid", "said"),
    [
        ("together Ana: 6H / Cem: 6H", "6H cannot come from Ana and Cem, because there is only 1"),
        ("together Ana: 6H 6S / Cem: 6S / Dov: 6H", "6S cannot come from Ana and Cem"),
    ],
)
def test_two_players_do_not_lay_the_same_card(laid: str, said: str) -> None:
    hands = "hand Ana: 4; hand Ben: 2; hand Cem: 4; hand Dov: 4"
    match = deal("durak", " ".join(FOUR), f"talon 0; trump D; lead Ana; {hands}; Ana: attack 6C")
    match.record("Ben: cover 6C 8D")
    with pytest.raises(Impossible, match=said):
        match.judge(laid)
    with pytest.raises(Impossible, match=said):
        match.record(f"{laid} !stands")
    assert match.judge("together Ana: 6H / Cem: 6S").verdict == "legal"


def test_an_exchange_has_no_more_copies_than_the_pack() -> None:
    match = deal("da-ban", "Ana Ben Cem Dov", "result points=190; trump H")
    with pytest.raises(
        Impossible, match="2H cannot come from Ben and Ana, because there are only 3"
    ):
        match.judge("Ben: exchange 2H 2H for 2H 2H with Ana")
    assert match.judge("Ben: exchange 2H 2H for 2H BJ with Ana").verdict == "open"


# --- who leads first


def test_before_the_hands_are_known_nobody_is_said_to_act_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    told = program("new", "podkidnoy", *FOUR).out
    assert "acts first" not in told
    assert "enter “lead NAME” for the player with the lowest trump" in told
    assert "lead NAME" in told
    assert "Ana acts first" in program("new", "durak", *FOUR).out
    match = deal("podkidnoy", "Ana Ben Cem", "turnup 9H")
    assert match.state["bindings"]["leader"] is None
    assert {row["role"] for row in match.state["players"].values()} == {None}
    with pytest.raises(Unreadable, match="who leads"):
        match.judge("attack 6C")
    assert codes(match.record("lead Cem")) == []
    match.record("attack 6C")
    assert match.state["bindings"]["leader"] == "Cem"


def test_a_first_leader_who_was_not_expected_is_noted() -> None:
    six = deal("podkidnoy", "A B C D E F", "turnup 6H")
    (note,) = six.record("lead C").findings
    assert note.reason == "C starts, not F"
    known = deal("podkidnoy", "Ana Ben Cem", KNOWN)
    assert known.to_act == ["Cem"]
    assert codes(known.judge("lead Cem")) == []
    (note,) = known.record("lead Ana").findings
    assert note.reason == "Ana starts, not Cem"


KNOWN = (
    "turnup 9H; hand Ana: 6C 6S 7C 8C 9C KH; hand Ben: 7S 8S 9S TS JS 7H;"
    "hand Cem: AS KS QS AD KD 6H"
)


def test_a_note_on_the_first_lead_names_who_had_the_lowest_trump() -> None:
    match = deal("podkidnoy", "Ana Ben Cem", f"{KNOWN}; lead Ana")
    (note,) = match.record("attack 6C").findings
    assert (note.facts["holder"], note.facts["card"]) == ("Cem", "6H")
    assert codes(match.record("cover 6C 7H")) == []  # Lower than Ana's card, but not the lowest.


def test_a_lower_trump_is_told_when_it_is_proven_and_once() -> None:
    match = deal("podkidnoy", "Ana Ben Cem", "turnup 9H; lead Ana; attack 7C")
    assert codes(match.record("cover 7C 7H")) == []  # Ana may hold the 6H
    (note,) = match.record("holds Cem: 6H").findings
    assert (note.facts["holder"], note.facts["card"]) == ("Cem", "6H")
    assert codes(match.record("Cem: attack 7S")) == []
    assert codes(match.judge("cover 7S 8H")) == []
    drawn = deal("podkidnoy", "Ana Ben Cem", "turnup 9H; lead Ana; attack 7C; cover 7C 7H")
    drawn.record("all: pass")
    (note,) = drawn.record("Ben: draw 6H").findings  # So no player held it.
    assert (note.facts["holder"], note.facts["card"]) == ("Ben", "7H")


def test_a_trump_seen_before_the_first_lead_accuses_nobody() -> None:
    match = deal("podkidnoy", "Ana Ben Cem", "turnup 9H")
    assert codes(match.record("holds Cem: 6H")) == []
    assert match.to_act == ["Cem"]


# --- short hands

SKAT = "B: pass / C: pass / A: bid 18 / A: spades hand / A: AC / B: KC / C: 7C"
SCHAFKOPF = "A: hearts / B: pass / C: pass / D: pass / A: AC / B: KC / C: 7C / D: 8C"


def test_a_short_hand_says_at_once_what_was_understood() -> None:
    match = Match(load_ruleset("doppelkopf"), FOUR)
    full = "AC AC TC TC KC KC 9C 9C AS AS TS TS"
    (note,) = match.judge(f"hand Ana: {full[:-3]}").findings
    assert note.severity == "note"
    assert note.reason.startswith("everyone holds 11: the record begins with trick 2")
    assert "undo" in note.reason
    assert match.judge(f"hand Ana: {full}").findings == ()
    assert match.judge("hand Ana: 12").findings == ()
    match.record("hand Ana: 3")
    (note,) = match.judge("hand Ben: 2").findings
    assert "Ana, Cem and Dov hold 3, Ben holds 2: the record begins with trick 10" in note.reason
    with pytest.raises(Impossible, match="cannot hold 13 cards: each player is dealt 12"):
        match.judge("hand Ben: 13")


@pytest.mark.parametrize(
    ("ruleset", "players", "entries"),
    [
        ("skat", "ABC", SKAT),
        ("schafkopf", "ABCD", SCHAFKOPF),
        ("whist", "ABCD", "trump H / A: AC / B: KC / C: QC / D: JC"),
    ],
)
def test_a_deal_that_begins_in_the_middle_says_at_once_that_it_has_no_score(
    ruleset: str, players: str, entries: str
) -> None:
    match = Match(load_ruleset(ruleset), list(players))
    (note,) = match.record("hand A: 1").findings
    assert "so the deal cannot be scored unless you enter its result" in note.reason
    findings = [each for text in entries.split(" / ") for each in match.record(text).findings]
    assert "ruleset.faulty" not in [finding.code for finding in findings]
    played = match.rounds[0]
    assert (played.over, played.scores) == (True, None)
    assert played.unscored_reason == "cards or dice that affect the score were not seen"
    assert not {"winners", "losers"} & set(played.roles)


def test_such_a_deal_has_the_score_of_its_result() -> None:
    match = Match(load_ruleset("skat"), list("ABC"))
    for text in ("hand A: 1", "B: pass", "C: pass", "A: bid 18", "A: spades hand", "A: AC"):
        match.record(text)
    match.record("result points=70 matadors=2")
    assert match.rounds[0].scores == {"A": 44, "B": 0, "C": 0}


@pytest.mark.parametrize(
    ("when", "before", "after"),
    [
        ("count(hand) == 4", "legal", "illegal"),
        ("count(hand) < 4", "illegal", "legal"),
        ("count(all_of_it) == 4", "legal", "illegal"),
        ("count(hand & pair) > 0", "open", "open"),
        ("count(hand & led_ace) > 0", "open", "illegal"),
        ("count(dealt & pair) > 0", "open", "open"),
    ],
)
def test_how_many_cards_a_hand_has_is_known_where_the_number_was_told(
    when: str, before: str, after: str
) -> None:
    """Check also the number of a kind in the hand, once all other cards of the kind are open."""
    without = dict.fromkeys(("held", "repeated"), False)
    choices = {
        "let": {"pair": ["KS", "QS"], "led_ace": ["AC"], "all_of_it": "hand"},
        "calls": {
            **{"cite": "2.1", "in-time": "2.1", **without},
            "pair": {"cards": ["KS", "QS"], "points": 20, "when": when},
        },
    }
    match = Match(load_ruleset("whist", **choices), FOUR)
    for text in ("hand Ana: 4", "trump H", "lead Ana"):
        match.record(text)
    assert match.judge("Ana: announce pair").verdict == before
    for text in ("Ana: AC", "Ben: 2C", "Cem: 3C", "Dov: 4C"):
        match.record(text)
    assert match.judge("Ana: announce pair").verdict == after


def test_a_short_hand_is_told_in_the_other_games() -> None:
    match = Match(load_ruleset("da-ban"), FOUR)
    assert "everyone holds 5" in match.judge("hand Ana: 5").findings[0].reason
    assert match.judge("hand Ana: 39").findings == ()
    with pytest.raises(Impossible, match="each player is dealt 39"):
        match.judge("hand Ana: 40")
    match = Match(load_ruleset("durak"), FOUR)
    assert match.judge("hand Ana: 6").findings == ()
    (note,) = match.judge("hand Ana: 12").findings
    assert note.reason.startswith("Ana holds 12, Ben, Cem and Dov hold 8")
    assert "the talon is empty" in match.record("hand Ana: 3").findings[0].reason
    assert "4 in the talon" in match.record("talon 4").findings[0].reason


def test_a_hand_given_before_another_is_not_refused() -> None:
    match = deal("podkidnoy", "Ana Ben Cem Dov Eva", "turnup 9H; talon 2; lead Ana; hand Ana: 8")
    for who, size in (("Ben", 7), ("Cem", 7), ("Dov", 6), ("Eva", 6)):
        match.record(f"hand {who}: {size}")
    assert match.record("Ana: attack 6C").verdict == "legal"
    assert match.state["talon"] == 2
    with pytest.raises(Impossible, match="more than the 36"):
        deal("podkidnoy", "Ana Ben Cem Dov Eva", "talon 2; hand Ana: 30; hand Ben: 5")


@pytest.mark.parametrize(
    ("said", "ways"),
    [
        ([], "Ana Ben Cem Dov Ana+Ben Ana+Cem Ana+Dov Ben+Cem Ben+Dov Cem+Dov"),
        (["hand Ana: AC TC QC AS TS KS AH KH KH 9H KD QD"], "Ana+Ben Ana+Cem Ana+Dov"),
        (["hand Ana: AC TC AC AS TS KS AH KH KH 9H KD QD"], "Ben Cem Dov Ben+Cem Ben+Dov Cem+Dov"),
        (
            [
                "hand Ben: AC TC AC AS TS KS AH KH KH 9H KD QD",
                "hand Cem: TC KC KC AS TS KS AH KD QD AD TD TD",
            ],
            "Ana Dov Ana+Dov",
        ),
        (["Ana: hochzeit"], "Ana Ana+Ben Ana+Cem Ana+Dov"),
    ],
)
def test_who_may_still_be_re_by_what_was_entered(said: list[str], ways: str) -> None:
    """Check that two queens of clubs make one or two players re, and a wedding the first winner."""
    healthy = ["Ben: gesund", "Cem: gesund", "Dov: gesund"]
    first = healthy if said == ["Ana: hochzeit"] else ["Ana: gesund", *healthy]
    match = match_of("doppelkopf", FOUR, *said, *first)
    parties = match.current_round.sides
    assert parties is not None
    assert [
        "+".join(match.current_round.names_of(way)) for way in parties.possible_teams()
    ] == ways.split()
