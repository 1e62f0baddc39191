"""House rules of Skat and Hearts, each as a small ruleset. The scores are worked out by hand."""

from __future__ import annotations

import random

import pytest

from scorekeeper import Illegal, Impossible, Match, load_ruleset

THREE = ["Ana", "Ben", "Cleo"]
RANKS, POINTS = "AT KQ987".replace(" ", ""), {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
JACKS = ["JC", "JS", "JH", "JD"]
PACK = [rank + suit for suit in "CSHD" for rank in "AKQJT987"]
PASSED = ["Ben: pass", "Cleo: pass", "Ana: pass"]  # Cleo deals, so Ana is forehand


def declared(*named: str) -> list[str]:
    """Return the entries of an auction that Ana wins with 18, and of what she names."""
    return ["Ben: pass", "Cleo: pass", "Ana: bid 18", *named]


def scored(match: Match, *entries: str) -> dict[str, int] | None:
    """Record the entries, and return the score of the round that they finish."""
    for entry in entries:
        match.record(entry)
    return match.rounds[-1].scores


def table(ruleset: str) -> Match:
    return Match(load_ruleset(ruleset), THREE)


# --- 35: ramsch


def strength(card: str, led: str) -> int:
    """Return a card's strength in a trick, or -1 if it cannot win."""
    if card in JACKS:
        return 20 - JACKS.index(card)
    if led in JACKS or card[1] != led[1]:
        return -1
    return 10 - RANKS.index(card[0])


def ramsch_scores(tricks: list[list[tuple[str, str]]], skat: list[str]) -> dict[str, int]:
    """Return the score of a ramsch by 35.2 to 35.5, reckoned without the program."""
    points, won = dict.fromkeys(THREE, 0), dict.fromkeys(THREE, 0)
    for trick in tricks:
        winner = max(trick, key=lambda play: strength(play[1], trick[0][1]))[0]
        won[winner] += 1
        points[winner] += sum(POINTS.get(card[0], 0) for _, card in trick)
        if trick is tricks[-1]:
            points[winner] += sum(POINTS.get(card[0], 0) for card in skat)
    if 10 in won.values():
        return {name: 120 if won[name] == 10 else 0 for name in THREE}
    times = 2 if 0 in won.values() else 1
    most = max(points.values())
    return {name: -most * times if points[name] == most else 0 for name in THREE}


@pytest.mark.parametrize("seed", range(12))
def test_ramsch_is_scored_as_reckoned_by_hand(seed: int) -> None:
    rng = random.Random(seed)
    cards = rng.sample(PACK, 32)
    match = table("skat-ramsch")
    for at, name in enumerate(THREE):
        match.record(f"hand {name}: {' '.join(cards[10 * at : 10 * at + 10])}")
    for entry in PASSED:
        match.record(entry)
    tricks: list[list[tuple[str, str]]] = [[]]
    while match.to_act and match.rounds[-1].scores is None:
        entry = rng.choice([text for text in match.legal() if text[-1] in "CSHD"])
        name, card = entry.split(": ")
        if len(tricks[-1]) == 3:
            tricks.append([])
        tricks[-1].append((name, card))
        match.record(entry)
    assert match.rounds[-1].scores == ramsch_scores(tricks, cards[30:])


def test_a_player_without_a_trick_doubles_the_loss() -> None:
    match = table("skat-ramsch")
    match.record("hand Ana: JC JS JH JD AC TC KC QC 9C 8C")
    match.record("hand Ben: AS TS KS QS 9S 8S 7S AH TH KH")
    match.record("hand Cleo: 7C QH 9H 8H 7H AD TD KD QD 9D")
    ana = ["JC", "JS", "JH", "JD", "AC", "TC", "KC", "QC", "9C", "8C"]
    ben = ["7S", "8S", "9S", "QS", "KS", "TS", "AS", "KH", "TH", "AH"]
    cleo = ["9D", "QD", "KD", "TD", "7C", "AD", "7H", "8H", "9H", "QH"]
    plays = [
        f"{name}: {card}"
        for row in zip(ana, ben, cleo, strict=True)
        for name, card in zip(THREE, row, strict=True)
    ]
    assert scored(match, *PASSED, *plays) == {"Ana": 120, "Ben": 0, "Cleo": 0}
    assert match.rounds[-1].lines[0].code == "scores.march"


# --- 36: kontra and re


def test_kontra_doubles_a_won_game() -> None:
    entries = declared("Ana: take", "Ana: bury 2", "Ana: hearts", "Ben: kontra")
    scores = scored(table("skat-kontra"), *entries, "result matadors=1 points=61")
    assert scores == {"Ana": (1 + 1) * 10 * 2, "Ben": 0, "Cleo": 0}


def test_re_makes_a_lost_game_worth_four_times() -> None:
    entries = declared("Ana: take", "Ana: bury 2", "Ana: spades", "Cleo: kontra", "Ana: re")
    scores = scored(table("skat-kontra"), *entries, "result matadors=1 points=55")
    assert scores == {"Ana": -2 * (1 + 1) * 11 * 4, "Ben": 0, "Cleo": 0}


def test_kontra_doubles_a_null_game() -> None:
    entries = declared("Ana: null hand ouvert", "Ben: kontra")
    scores = scored(table("skat-kontra"), *entries, "result points=0")
    assert scores == {"Ana": 59 * 2, "Ben": 0, "Cleo": 0}


def test_kontra_waits_for_the_contract_and_ends_with_the_first_card() -> None:
    match = table("skat-kontra")
    for entry in declared("Ana: take", "Ana: bury 2"):
        match.record(entry)
    with pytest.raises(Illegal, match="has not been named"):
        match.record("Ben: kontra")
    match.record("Ana: hearts")
    with pytest.raises(Illegal, match="only the other side"):
        match.record("Ana: kontra")
    match.record("Ana: JC")
    with pytest.raises((Illegal, Impossible)):
        match.record("Ben: kontra")


# --- 37: bock rounds


def test_bock_deals_follow_the_events_and_double_the_score() -> None:
    match = table("skat-bock")
    halved = declared("Ana: take", "Ana: bury 2", "Ana: hearts")
    assert scored(match, *halved, "result matadors=1 points=60") == {
        "Ana": -40,
        "Ben": 0,
        "Cleo": 0,
    }
    won = declared("Ana: take", "Ana: bury 2", "Ana: clubs")
    scores = scored(match, "dealer Cleo", *won, "result matadors=1 points=70")
    assert scores == {"Ana": (1 + 1) * 12 * 2, "Ben": 0, "Cleo": 0}  # the first of three
    scores = scored(
        match, "dealer Cleo", *declared("Ana: grand hand"), "result matadors=1 points=65"
    )
    assert scores == {"Ana": (1 + 1 + 1) * 24 * 2, "Ben": 0, "Cleo": 0}  # the second, adds three
    for _ in range(4):
        scores = scored(match, "dealer Cleo", *won, "result matadors=1 points=70")
        assert scores == {"Ana": 48, "Ben": 0, "Cleo": 0}
    scores = scored(match, "dealer Cleo", *won, "result matadors=1 points=70")
    assert scores == {"Ana": 24, "Ben": 0, "Cleo": 0}


# --- 38: claims

HANDS = [
    "hand Ana: JC JS JH AC TC KC AS AH TH 7D",
    "hand Ben: JD QC 9C TS KS QS KH QH AD TD",
    "hand Cleo: 8C 7C 9S 8S 7S 9H 8H 7H KD QD",
]


def claimed(*entries: str) -> dict[str, int] | None:
    return scored(table("skat-claims"), *HANDS, *declared("Ana: clubs hand"), *entries)


def test_a_claim_takes_all_that_is_left() -> None:
    # With 3, hand, schneider and schwarz: no opponent has a trick.
    assert claimed("Ana: rest") == {"Ana": (3 + 1 + 1 + 1 + 1) * 12, "Ben": 0, "Cleo": 0}


def test_a_claim_after_a_lost_trick_is_schneider_only() -> None:
    lost = ("Ana: 7D", "Ben: TD", "Cleo: KD", "Ben: QC", "Cleo: 7C", "Ana: JH")
    assert claimed(*lost, "Ana: rest") == {"Ana": (3 + 1 + 1 + 1) * 12, "Ben": 0, "Cleo": 0}


def test_who_concedes_at_once_has_no_trick() -> None:
    assert claimed("Ana: concede") == {"Ana": -2 * (3 + 1 + 1 + 1 + 1) * 12, "Ben": 0, "Cleo": 0}


# --- 39: Hearts with an early end


@pytest.mark.parametrize("seed", range(6))
def test_a_deal_of_hearts_ends_with_its_last_point(seed: int) -> None:
    rng = random.Random(seed)
    players = [*THREE, "Dan"]
    cards = rng.sample([rank + suit for suit in "CSHD" for rank in "AKQJT98765432"], 52)
    hands = [f"hand {name}: {' '.join(cards[at::4])}" for at, name in enumerate(players)]
    whole, early = (Match(load_ruleset(name), players) for name in ("hearts", "hearts-early"))
    for match in (whole, early):
        for entry in ["void not dealt"] * 3 + hands:  # nobody gives in the fourth deal
            match.record(entry)
    left = 26
    while whole.rounds[-1].scores is None:
        entry = rng.choice(whole.legal())
        whole.record(entry)
        if early.rounds[-1].scores is None:
            early.record(entry)
            left -= 13 * entry.endswith("QS") + entry.endswith("H")
    assert left == 0
    assert early.rounds[-1].scores == whole.rounds[-1].scores
    assert len(early.rounds[-1].entries) % 4 == 0
