"""Sheng Ji with throws: deals and tricks worked out by hand (45 in house.md)."""

from __future__ import annotations

import random

import pytest

from scorekeeper import Illegal, Match, load_ruleset

FOUR = ["Ana", "Ben", "Cleo", "Dan"]  # Ana and Cleo against Ben and Dan; Ana is master, level 2
KITTY = "3C 4C 6D 7D 9D JD QC LJ"  # hearts are trump
SUITED = [rank + suit for suit in "CSHD" for rank in "AKQJT98765432"]


def begun(*entries: str) -> Match:
    """Begin a deal whose hands nobody sees, up to the first lead."""
    match = Match(load_ruleset("sheng-ji-throws"), FOUR)
    for entry in ("trump H", f"kitty {KITTY}", "Ana: take", "Ana: bury 8", *entries):
        match.record(entry)
    return match


def late(*hands: str) -> Match:
    """Begin in the middle of a deal, with these hands and Ana to lead."""
    match = Match(load_ruleset("sheng-ji-throws"), FOUR)
    match.record("trump H")
    for name, hand in zip(FOUR, hands, strict=True):
        match.record(f"hand {name}: {hand}")
    return match


def won(match: Match) -> list[str]:
    """Return the players who have won a trick."""
    return [name for name, row in match.state["players"].items() if row["tricks"]]


# --- three deals


def test_a_throw_that_was_taken_back_costs_the_masters_ten_points() -> None:
    match = begun("Ana: AS KS !withdrawn", "Ana: KS", "Ben: AS", "Cleo: 3S", "Dan: 4S")
    # Ben's trick has the king's 10. With 75 of their own and ten for the throw they take over.
    match.record("result points=75")
    assert match.rounds[0].scores == dict.fromkeys(FOUR, 0)
    match.record("trump S")
    assert match.state["bindings"]["master"] == "Ben"


def test_a_throw_of_the_opponents_that_was_taken_back_costs_them_ten() -> None:
    match = begun("Ana: 3S", "Ben: AS", "Cleo: 4S", "Dan: 6S", "Ben: AD KD !withdrawn", "Ben: KD")
    match.record("result points=85")  # 85 and ten fewer: the masters hold, and rise by one
    assert match.rounds[0].scores == {"Ana": 1, "Ben": 0, "Cleo": 1, "Dan": 0}


def test_a_throw_that_nobody_beats_changes_no_points() -> None:
    match = begun("Ana: AS AS KS", "Ben: 5S 6S 7S", "Cleo: TS TS JS", "Dan: 3S 4S 8S")
    assert won(match) == ["Ana"]
    match.record("result points=35")  # fewer than 40: up by two
    assert match.rounds[0].scores == {"Ana": 2, "Ben": 0, "Cleo": 2, "Dan": 0}


# --- 45.1 and 45.2: what may be thrown


def test_a_part_that_can_be_beaten_is_named_and_must_be_led_instead() -> None:
    match = late("KS QS QS 3C", "AS JS 5S 4C", "3S 3S 4S 5C", "JS 9S TS 6C")
    with pytest.raises(Illegal, match="Ben can beat KS"):
        match.record("Ana: KS QS QS")
    match.record("Ana: KS QS QS !withdrawn")
    for other in ("3C", "QS QS"):
        with pytest.raises(Illegal, match="must lead the smallest part that can be beaten: KS"):
            match.record(f"Ana: {other}")
    for entry in ("Ana: KS", "Ben: AS", "Cleo: 3S", "Dan: 9S"):
        match.record(entry)
    assert won(match) == ["Ben"]
    assert match.judge("Ben: 4C").verdict == "legal"  # the duty was for that lead alone


def test_the_smallest_part_is_the_one_with_the_fewest_cards_then_the_lowest() -> None:
    match = late("QS TS 9S 9S", "AS KS 5C 4C", "JS JS 4S 5C", "8S 7S 6S 6C")
    with pytest.raises(Illegal, match="Ben and Cleo can beat TS"):
        match.record("Ana: QS TS 9S 9S")


def test_trumps_do_not_count_against_a_plain_throw() -> None:
    match = late("KS QS QS 3C", "AH AH KH 4C", "3S 3S 4S 5C", "JS 9S TS 6C")
    assert match.record("Ana: KS QS QS").verdict == "legal"


def test_a_tractor_is_beaten_only_by_a_longer_or_higher_tractor() -> None:
    own = "9S 9S 8S 8S 6S 6S"
    safe = late(own, "AS AS QS QS JS TS", "3S 3S 4S 4C 5C 6C", "JS 7S TS 6C 7C 8C")
    with pytest.raises(Illegal, match="Ben can beat 6S 6S"):
        safe.record(f"Ana: {own}")
    high = late(own, "AS AS KS KS JS TS", "3S 3S 4S 4C 5C 6C", "JS 7S TS 6C 7C 8C")
    with pytest.raises(Illegal, match="Ben can beat 6S 6S"):
        high.record(f"Ana: {own}")
    none = late(own, "AS KS QS JS TS 2D", "3S 3S 4S 4C 5C 6C", "JS 7S TS 6C 7C 8C")
    assert none.record(f"Ana: {own}").verdict == "legal"


def test_cards_of_two_classes_are_no_throw() -> None:
    match = late("AS AC KS 3C", "JS 5S 4C 4D", "3S 3S 4S 5C", "JS 9S TS 6C")
    with pytest.raises(Illegal, match="a lead must be one of"):
        match.record("Ana: AS AC")


def test_a_throw_is_open_until_a_higher_card_is_shown() -> None:
    match = begun()
    assert match.record("Ana: AS KS").verdict == "open"
    for entry in ("Ben: 5S 6S", "Cleo: 7S 8S"):
        assert "illegal" not in str(match.record(entry))
    match.record("Dan: 3S 4S")
    match.record("Ana: 3D")
    shown = match.record("Ben: AS")  # Ben had it when the throw was led
    assert "illegal" in [each.verdict for each in shown.settled]
    assert "could beat one of these combinations" in str(shown)


def test_a_throw_is_right_once_all_higher_cards_have_been_seen() -> None:
    match = begun("Ana: AS", "Ben: 3S", "Cleo: 4S", "Dan: 5S")
    assert match.record("Ana: AS KS").verdict == "legal"  # both aces are Ana's


# --- 45.4 and 45.5: answers


def test_pairs_are_answered_by_pairs() -> None:
    match = late("AS KS KS 3C", "QS QS 5S 6S", "TS TS 4S 5C", "JS 9S 8S 6C")
    match.record("Ana: AS KS KS")
    with pytest.raises(Illegal, match="as many identical cards as possible"):
        match.record("Ben: QS 5S 6S")
    match.record("Ben: QS QS 5S")
    with pytest.raises(Illegal, match="must follow"):
        match.record("Cleo: TS TS 5C")


TRUMPED = [
    ("AH AH KH 5C", "JS 9S 8S 6C", ["Cleo"]),  # a pair and a single card of trumps
    ("AH KH QH 5C", "JS 9S 8S 6C", ["Ana"]),  # no pair
    ("6H 6H KH 5C", "7H 7H 3H 6C", ["Dan"]),  # the higher pair
    ("7H 7H 3H 5C", "6H 6H AH 6C", ["Cleo"]),  # not the higher single card
]


@pytest.mark.parametrize(("cleo", "dan", "winner"), TRUMPED)
def test_only_trumps_of_the_same_combinations_win(cleo: str, dan: str, winner: list[str]) -> None:
    match = late("AS KS KS 3C", "QS QS 5S 4C", cleo, dan)
    for name, cards in zip(FOUR, ("AS KS KS", "QS QS 5S", cleo[:8], dan[:8]), strict=True):
        match.record(f"{name}: {cards}")
    assert won(match) == winner


# --- against a reckoning of its own


def can_be_beaten(throw: list[str], others: list[list[str]]) -> bool:
    """Return whether another hand has a higher card or pair of the suit. Throws have no runs."""
    order = "AKQJT9876543"
    for card in dict.fromkeys(throw):
        pair = throw.count(card) == 2
        for hand in others:
            higher = [c for c in hand if c[1] == card[1] and c[0] in order[: order.index(card[0])]]
            if any(higher.count(c) >= 1 + pair for c in higher):
                return True
    return False


@pytest.mark.parametrize("seed", range(12))
def test_throws_of_two_combinations_are_judged_as_reckoned(seed: int) -> None:
    rng = random.Random(seed)
    cards = [card for card in SUITED * 2 if card[1] == "S" and card[0] != "2"]
    rng.shuffle(cards)
    hands = [cards[at::4] for at in range(4)]
    match = late(*(" ".join(hand) for hand in hands))
    kinds = sorted(set(hands[0]))
    for one in kinds:
        for other in kinds:
            ranks = "AKQJT9876543"
            if one >= other or abs(ranks.index(one[0]) - ranks.index(other[0])) == 1:
                continue
            throw = [c for c in hands[0] if c in (one, other)]
            legal = not can_be_beaten(throw, hands[1:])
            verdict = match.judge(f"Ana: {' '.join(throw)}").verdict
            assert verdict == ("legal" if legal else "illegal")
