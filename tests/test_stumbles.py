"""Messages over which players stumbled in a trial of the new games."""

from __future__ import annotations

import pytest

from scorekeeper import Impossible, Match, load_ruleset
from scorekeeper.match.result_line import find_result
from scorekeeper.match.status import settling_texts

FOUR = ["Ana", "Ben", "Cleo", "Dan"]


def pinochle() -> Match:
    match = Match(load_ruleset("pinochle"), FOUR)
    match.record("hand Ana: AH AH TH TH KH KH QH QH JH JH 9H 9H")
    return match


def test_several_melds_at_once_are_named_one_by_one() -> None:
    match = pinochle()
    match.record("contract Ana: 250 hearts")
    with pytest.raises(Impossible, match="one after the other") as found:
        match.record("Ana: show 9H 9H")
    assert found.value.hint == "type “show 9H” and “show 9H”"
    with pytest.raises(Impossible, match="one after the other") as found:
        match.record("Ana: show 9H AH TH KH QH JH")
    assert found.value.hint == "type “show AH TH KH QH JH” and “show 9H”"
    with pytest.raises(Impossible, match="not a valid"):
        match.record("Ana: show 9H TH")


def test_a_meld_before_the_trump_is_known_is_not_called_invalid() -> None:
    with pytest.raises(Impossible, match="depends on the trump, which is not known yet"):
        pinochle().record("Ana: show 9H")


@pytest.mark.parametrize("closes", [False, True])
def test_the_card_that_was_turned_up_cannot_be_swapped_for_itself(closes: bool) -> None:
    match = Match(load_ruleset("schnapsen"), FOUR[:2])
    match.record("turnup JH")
    (leader,) = match.to_act
    if closes:
        match.record(f"{leader}: close")
    with pytest.raises(Impossible, match="JH is itself the card that was turned up"):
        match.record(f"{leader}: swap JH")


def test_a_card_that_was_played_is_not_among_those_that_would_settle_a_play() -> None:
    match = Match(load_ruleset("schnapsen-counted"), FOUR[:2])
    match.record("turnup JH")
    (leader,) = match.to_act
    other = next(name for name in match.players if name != leader)
    for entry in (f"{leader}: close", f"{leader}: AS", f"{other}: JS"):
        match.record(entry)
    for entry in (f"{leader}: KS", f"{other}: QS"):
        match.record(entry)
    (text,) = settling_texts(match.current_round).values()
    assert text.endswith(f"would show whether {other} had TS")  # AS was played


def test_no_result_is_suggested_that_annuls_the_deal() -> None:
    match = Match(load_ruleset("tarot"), FOUR)
    assert "petit-sec" not in find_result(match)
    known = next(
        words for key, _, words in match.current_round.result_fields() if key == "contract"
    )
    assert known == ["petite", "garde", "garde-sans", "garde-contre"]


# --- conditions of a call that calculate with the cards of a hand

TEN = "may_show and count(hand & trumps) + count(hand & excuse) >= 10"
RICH = "1T 2T 3T 4T 5T 6T 7T 8T 9T EX 1C 2C 3C 4C 5C 6C 7C 8C"
POOR = "11T 12T 13T 14T 15T 16T 17T 18T 19T 1S 2S 3S 4S 5S 6S 7S 8S 9S"


def handfuls(*entries: str) -> Match:
    options: dict[str, object] = {"calls.poignee.when": TEN}
    match = Match(load_ruleset("tarot", **options), FOUR)
    for entry in (*entries, "contract Ana: garde-sans"):
        match.record(entry)
    return match


def test_a_sum_of_cards_in_a_known_hand_is_a_condition_of_a_call() -> None:
    match = handfuls(f"hand Ben: {RICH}", f"hand Cleo: {POOR}")
    assert match.judge("Ben: poignee").verdict == "legal"
    assert match.judge("Cleo: poignee").verdict == "illegal"


def test_a_sum_of_cards_in_an_unseen_hand_leaves_a_call_open() -> None:
    assert handfuls().judge("Ben: poignee").verdict == "open"
