"""A trick game that is a TOML file and nothing else: partners opposite, spades always trump."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorekeeper import Illegal, Match, load_ruleset

NAMES = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(Path(__file__).parent / "rulesets"))
    return Match(load_ruleset("fixed-trump"), NAMES)


def test_the_highest_trump_wins_else_the_highest_of_the_suit_led(table: Match) -> None:
    for card in ("TH", "KH", "2S", "AH"):
        table.record(card)
    assert table.to_act == ["Cleo"]
    for card in ("9C", "TD", "TC", "AD"):
        table.record(card)
    assert table.to_act == ["Ana"]
    assert table.state["players"]["Ana"]["tricks"] == 1


def test_suit_must_be_followed(table: Match) -> None:
    table.record("hand Ben: KH 2H 3S 4S 5S 6S 7S 8S 9S TS JS QS KS")
    table.record("Ana: 4H")
    assert [text for text in table.legal() if text.startswith("Ben")] == ["Ben: KH", "Ben: 2H"]
    with pytest.raises(Illegal) as caught:
        table.record("Ben: 3S")
    finding = caught.value.ruling.findings[0]
    assert (finding.code, finding.cite) == ("tricks.follow", "2.1")
    assert finding.facts["legal"] == ["KH", "2H"]


def test_a_point_for_each_trick_over_six(table: Match) -> None:
    pack = table.ruleset.pack
    for seed in range(5):
        cards = list(range(52))
        Random(seed).shuffle(cards)
        hands = [cards[seat * 13 : seat * 13 + 13] for seat in range(4)]
        match = Match(table.ruleset, NAMES)
        for name, hand in zip(NAMES, hands, strict=True):
            match.record(f"hand {name}: {' '.join(pack.kinds[kind] for kind in hand)}")
        while not match.rounds[0].over:
            match.record(next(text for text in match.legal()))
        tricks = match.replay_round(match.rounds[0]).tricks
        ours = sum(trick.winner in (0, 2) for trick in tricks)
        assert len(tricks) == 13
        odd = max(ours, 13 - ours) - 6
        winners = (0, 2) if ours > 6 else (1, 3)
        assert match.rounds[0].changes == [odd if seat in winners else 0 for seat in range(4)]


def test_a_row_of_cards_is_a_trick_and_the_deal_moves_on(table: Match) -> None:
    texts = table.notation.split_line("AC 2C 3C 4C")
    assert texts == ["AC", "2C", "3C", "4C"]
    for text in texts:
        table.record(text)
    assert table.to_act == ["Ana"]
    table.record("void somebody looked")
    assert table.to_act == ["Ana"]
