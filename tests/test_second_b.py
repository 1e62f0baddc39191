"""Second implementations of Skat and Schafkopf: laws of every deal, worked values, and the cases
that were worked out by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scorekeeper.ruleset.citations import find_rule_text, read_paragraphs
from tests.effort import tries
from tests.second import schafkopf, skat

SEEDS = tries(100)


def played_skat(seed: int) -> skat.Skat:
    """Play a deal of Skat to its end; in every second deal bids are low and passes rare."""
    random = Random(seed)
    game = skat.Skat(*skat.deal(random))
    while not game.over:
        acts = game.legal()
        if not game.declarer and seed % 2:
            acts = [acts[0], acts[0], acts[-1]]
        game.play(random.choice(acts))
    return game


@pytest.mark.parametrize("seed", SEEDS)
def test_a_deal_of_skat_obeys_its_laws(seed: int) -> None:
    game = played_skat(seed)
    scores = game.scores()
    if game.void:
        assert not any(scores.values())
        return
    cards = [card for _, taken in game.tricks for card in taken] + game.skat
    assert len(set(cards)) == len(cards)
    if game.contract != "null":
        assert sorted(cards) == sorted(skat.PACK)
        assert len(game.tricks) == 10
        assert sum(skat.POINTS.get(card[0], 0) for card in cards) == 120
        assert 1 <= game.run <= len(skat.trumps(game.contract))
        assert abs(scores[game.declarer]) % skat.BASE[game.contract] == 0
    assert game.bid in skat.STEPS
    assert [name for name, score in scores.items() if score] == [game.declarer]
    score = scores[game.declarer]
    assert score >= game.bid or -score >= 2 * game.bid
    assert score <= 264


def test_the_steps_are_those_of_the_text() -> None:
    assert skat.STEPS[:12] == [18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44]
    assert skat.STEPS[-5:] == [198, 204, 216, 240, 264]
    assert len(skat.STEPS) == 63


def ended(contract: str, options: str, run: int, bid: int, mine: str, tricks: int) -> skat.Skat:
    """Return a finished deal in which Ana declares and has won these cards in that many tricks."""
    game = skat.Skat({name: [] for name in skat.NAMES}, [])
    game.declarer, game.contract, game.run, game.bid = "Ana", contract, run, bid
    game.options = set(options.split())
    if contract != "null":
        game.options = skat.implied(game.options)
    taken = mine.split()
    game.tricks = [("Ana", [])] * (tricks - 1) + [("Ana", taken)] if tricks else []
    game.tricks += [("Ben", [])] * (10 - tricks)
    return game


MADE = "AC AS AH AD TC JC"  # 56 points
WORKED = [  # section 7: contract, options, matadors, bid, the declarer's cards, tricks, score
    ("hearts", "", 1, 18, MADE + " QC JS", 6, 20),
    ("hearts", "", 1, 18, MADE + " KC", 6, -40),
    ("clubs", "hand", 2, 18, MADE + " TS TH TD KC", 9, 60),
    ("grand", "hand schneider", 4, 18, MADE + " TS TH TD KC KS", 9, 192),
    ("spades", "", 1, 30, MADE + " TS KC", 7, -66),
    ("diamonds", "", 2, 18, "AC TC KC KS", 3, -72),
    ("grand", "hand ouvert", 4, 18, MADE + " TS TH TD KC KS", 10, 264),
    ("null", "", 0, 18, "", 0, 23),
    ("null", "hand ouvert", 0, 46, "", 1, -118),
    # 66 points: 12 x (1 + 1 + 1 + 1 + 1)
    ("clubs", "hand schneider", 1, 18, MADE + " TS", 7, -120),
    ("clubs", "hand schwarz", 1, 18, MADE + " TS TH TD KC", 9, -168),  # 12 x (1 + 1 + 1 + 2 + 2)
    ("diamonds", "", 1, 18, "", 0, -72),  # no trick: 9 x (1 + 1 + 1 + 1)
]


@pytest.mark.parametrize(("contract", "options", "run", "bid", "cards", "tricks", "score"), WORKED)
def test_values_of_skat_worked_by_hand(
    contract: str, options: str, run: int, bid: int, cards: str, tricks: int, score: int
) -> None:
    game = ended(contract, options, run, bid, cards, tricks)
    assert game.scores() == {"Ana": score, "Ben": 0, "Cleo": 0}


AUCTIONS = [  # the entries, the declarer, the bid
    ("Ben: pass, Cleo: pass, Ana: bid 18", "Ana", 18),
    ("Ben: pass, Cleo: bid 18, Ana: hold, Cleo: pass", "Ana", 18),
    ("Ben: pass, Cleo: bid 18, Ana: pass", "Cleo", 18),
    ("Ben: bid 18, Ana: pass, Cleo: pass", "Ben", 18),
    ("Ben: bid 18, Ana: hold, Ben: bid 20, Ana: pass, Cleo: bid 23, Ben: pass", "Cleo", 23),
    ("Ben: bid 18, Ana: hold, Ben: pass, Cleo: bid 20, Ana: hold, Cleo: pass", "Ana", 20),
    ("Ben: bid 22, Ana: hold, Ben: pass, Cleo: pass", "Ana", 22),
]


@pytest.mark.parametrize(("said", "declarer", "bid"), AUCTIONS)
def test_an_auction_of_skat_finds_its_declarer(said: str, declarer: str, bid: int) -> None:
    game = skat.Skat(*skat.deal(Random(1)))
    for entry in said.split(", "):
        assert not game.declarer
        game.play(entry)
    assert (game.declarer, game.bid) == (declarer, bid)


def test_nobody_plays_when_three_have_passed() -> None:
    game = skat.Skat(*skat.deal(Random(1)))
    for name in ("Ben", "Cleo", "Ana"):
        game.play(f"{name}: pass")
    assert game.void
    assert game.scores() == {"Ana": 0, "Ben": 0, "Cleo": 0}


def test_a_null_below_the_bid_and_a_hand_game_after_taking_are_not_named() -> None:
    game = skat.Skat(*skat.deal(Random(1)))
    for entry in ("Ben: bid 24", "Ana: pass", "Cleo: pass"):
        game.play(entry)
    named = game.legal()
    assert "Ben: null hand" in named
    assert "Ben: null" not in named
    assert "Ben: grand" not in named
    game.play("Ben: take")
    assert all(entry.startswith("Ben: bury ") for entry in game.legal())
    game.play(game.legal()[0])
    assert game.legal() == [
        *("Ben: " + contract for contract in ("clubs", "spades", "hearts", "diamonds", "grand")),
        "Ben: null ouvert",
    ]


def played_schafkopf(seed: int) -> schafkopf.Schafkopf:
    """Play a deal at random to its end."""
    random = Random(seed)
    game = schafkopf.Schafkopf(schafkopf.deal(random))
    while not game.over:
        acts = game.legal()
        if not game.player and any("rufspiel" in act for act in acts) and seed % 3:
            acts = [act for act in acts if "rufspiel" in act]
        elif game.spoken < 4:
            acts = [acts[0], acts[0], acts[0], acts[-1], random.choice(acts)]
        game.play(random.choice(acts))
    return game


@pytest.mark.parametrize("seed", SEEDS)
def test_a_deal_of_schafkopf_obeys_its_laws(seed: int) -> None:
    game = played_schafkopf(seed)
    scores = game.scores()
    assert sum(scores.values()) == 0
    if game.void:
        return
    cards = [card for _, taken in game.tricks for card in taken]
    assert sorted(cards) == sorted(schafkopf.PACK)
    assert len(game.tricks) == 8
    assert sum(schafkopf.POINTS.get(card[0], 0) for card in cards) == 120
    assert len(game.side()) == (2 if game.contract == "rufspiel" else 1)
    assert 10 <= game.value() <= 2 * (50 + 140)
    assert (scores[game.player] > 0) == game.won()


def after_speaking(hands: dict[str, str], said: str) -> schafkopf.Schafkopf:
    """Return a deal with these hands, after these bidding entries."""
    game = schafkopf.Schafkopf({name: hand.split() for name, hand in hands.items()})
    for entry in said.split(", "):
        game.play(entry)
    return game


HANDS = {
    "Ana": "QC QS JD AH TH KC AD 7D",
    "Ben": "AC 9C 8C 7C QH JC TS KS",
    "Cleo": "TC QD JH KH 9H AS TD KD",
    "Dan": "JS 8H 7H 9S 8S 7S 9D 8D",
}
RUFSPIEL = "Ana: rufspiel AC, Ben: pass, Cleo: pass, Dan: pass"


def test_only_an_ace_one_lacks_in_a_suit_one_has_may_be_called() -> None:
    game = schafkopf.Schafkopf({name: hand.split() for name, hand in HANDS.items()})
    called = [entry for entry in game.legal() if "rufspiel" in entry]
    assert called == ["Ana: rufspiel AC"]


def test_who_is_searched_lays_the_ace_and_who_is_led_another_suit_keeps_it() -> None:
    game = after_speaking(HANDS, RUFSPIEL)
    game.play("Ana: KC")
    assert game.legal() == ["Ben: AC"]
    game = after_speaking(HANDS, RUFSPIEL)
    game.play("Ana: AD")
    assert "Ben: AC" not in game.legal()
    assert len(game.legal()) == 7


def test_running_away_needs_four_of_the_suit_and_sets_the_ace_free() -> None:
    game = after_speaking(HANDS, RUFSPIEL)
    for entry in ("Ana: 7D", "Ben: QH", "Cleo: TD", "Dan: 8D"):
        game.play(entry)
    assert "Ben: 7C" in game.legal()
    game.play("Ben: 7C")
    assert game.free
    fewer = HANDS | {"Ben": "AC 9C 8C QS QH JC TS KS", "Ana": "QC 7C JD AH TH KC AD 7D"}
    game = after_speaking(fewer, RUFSPIEL)
    for entry in ("Ana: 7D", "Ben: QH", "Cleo: TD", "Dan: 8D"):
        game.play(entry)
    assert "Ben: AC" in game.legal()
    assert "Ben: 9C" not in game.legal()


TARIFF = [  # section 6: contract, tout, run, the side's points, its tricks, value, won
    ("rufspiel", False, 0, 61, 4, 10, True),
    ("rufspiel", False, 0, 60, 4, 10, False),
    ("rufspiel", False, 3, 91, 5, 50, True),
    ("rufspiel", False, 3, 90, 5, 40, True),
    ("rufspiel", False, 0, 30, 2, 20, False),
    ("rufspiel", False, 0, 31, 2, 10, False),
    ("rufspiel", False, 0, 120, 8, 30, True),
    ("wenz", False, 2, 75, 5, 70, True),
    ("clubs", False, 3, 45, 3, 80, False),
    ("clubs", True, 4, 120, 8, 180, True),
    ("clubs", True, 0, 118, 7, 100, False),
]


@pytest.mark.parametrize(("contract", "tout", "run", "points", "tricks", "value", "won"), TARIFF)
def test_values_of_schafkopf_worked_by_hand(
    contract: str,
    tout: bool,
    run: int,
    points: int,
    tricks: int,
    value: int,
    won: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = schafkopf.Schafkopf({name: [] for name in schafkopf.NAMES})
    game.player, game.contract, game.tout = "Ana", contract, tout
    game.tricks = [("Ana" if number < tricks else "Ben", []) for number in range(8)]
    monkeypatch.setattr(game, "points", lambda: points)
    monkeypatch.setattr(game, "laufende", lambda: run)
    assert (game.value(), game.won()) == (value, won)


def test_the_run_counts_what_the_side_was_dealt() -> None:
    # Ana has QC QS, Ben QH, Cleo QD: a run of three that the side holds.
    assert after_speaking(HANDS, RUFSPIEL).laufende() == 3
    alone = after_speaking(HANDS, "Ana: pass, Ben: wenz, Cleo: pass, Dan: pass")
    assert alone.laufende() == 0  # JC but not JS
    alone = after_speaking(HANDS, "Ana: wenz, Ben: pass, Cleo: pass, Dan: pass")
    assert alone.laufende() == 3  # neither JC nor JS nor JH


HERE = Path(__file__).parent
COPIES = {"skat": 1, "schafkopf": 1, "sheng_ji_tractors": 2, "house": 3}


def cases(name: str) -> list[Any]:
    """Return the cases of that name, one JSON object per line."""
    text = (HERE / "cases" / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    "name", ["skat", "schafkopf", "bluff", "perudo_lives", "sheng_ji_tractors", "house"]
)
def test_every_case_names_a_paragraph_and_deals_cards_there_are(name: str) -> None:
    path = find_rule_text(name.replace("_", "-"))
    assert path is not None
    text = read_paragraphs(path)
    for case in cases(name):
        assert case["paragraph"] in text, case["what"]
        assert ("scores" in case) != (case.get("verdict") in ("legal", "illegal")), case["what"]
        hands = [entry for entry in case["entries"] if entry.startswith("hand ")]
        dealt = Counter(card for hand in hands for card in hand.split()[2:])
        assert max(dealt.values(), default=0) <= COPIES.get(name, 0), case["what"]


def judged(game: skat.Skat | schafkopf.Schafkopf, case: Any) -> None:
    """Play the case's entries, then check whether the last one is legal or how it scores."""
    for entry in case["entries"]:
        if not entry.startswith("hand "):
            game.play(entry)
    if "scores" in case:
        assert game.over
        assert game.scores() == case["scores"]
        return
    legal, (act, *cards) = game.legal(), case["last"].split(": ")[1].split()
    if act == "bury":
        legal = [entry for entry in legal if set(entry.split()[2:]) == set(cards)]
        assert bool(legal) == (case["verdict"] == "legal")
    else:
        assert (case["last"] in legal) == (case["verdict"] == "legal")


def hands_of(case: Any) -> dict[str, list[str]]:
    """Return the hands of the case by player."""
    hands = [entry[5:].split(": ") for entry in case["entries"] if entry.startswith("hand ")]
    return {name: cards.split() for name, cards in hands}


@pytest.mark.parametrize("case", cases("skat"), ids=lambda case: str(case["what"]))
def test_the_second_skat_agrees_with_the_cases(case: Any) -> None:
    hands = hands_of(case)
    dealt = [card for hand in hands.values() for card in hand]
    judged(skat.Skat(hands, [card for card in skat.PACK if card not in dealt]), case)


@pytest.mark.parametrize("case", cases("schafkopf"), ids=lambda case: str(case["what"]))
def test_the_second_schafkopf_agrees_with_the_cases(case: Any) -> None:
    judged(schafkopf.Schafkopf(hands_of(case)), case)
