"""The second tellings of Skat and Schafkopf: what must hold in every deal, and worked values."""

from __future__ import annotations

from random import Random

import pytest

from tests.second import skat

SEEDS = range(300)


def played_skat(seed: int) -> skat.Skat:
    """A deal played to its end; every other one by somebody who bids low and seldom passes."""
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
    """A deal that is over: Ana declares and has won so many tricks with these cards in them."""
    game = skat.Skat({name: [] for name in skat.NAMES}, [])
    game.declarer, game.contract, game.run, game.bid = "Ana", contract, run, bid
    game.options = set(options.split())
    if contract != "null":
        game.options = skat.implied(game.options)
    taken = mine.split()
    game.tricks = [("Ana", [])] * (tricks - 1) + [("Ana", taken)] if tricks else []
    game.tricks += [("Ben", [])] * (10 - tricks)
    return game


MADE = "AC AS AH AD TC JC"  # 56
WORKED = [  # 7 of the text: contract, options, matadors, bid, the declarer's cards, tricks, score
    ("hearts", "", 1, 18, MADE + " QC JS", 6, 20),
    ("hearts", "", 1, 18, MADE + " KC", 6, -40),
    ("clubs", "hand", 2, 18, MADE + " TS TH TD KC", 9, 60),
    ("grand", "hand schneider", 4, 18, MADE + " TS TH TD KC KS", 9, 192),
    ("spades", "", 1, 30, MADE + " TS KC", 7, -66),
    ("diamonds", "", 2, 18, "AC TC KC KS", 3, -72),
    ("grand", "hand ouvert", 4, 18, MADE + " TS TH TD KC KS", 10, 264),
    ("null", "", 0, 18, "", 0, 23),
    ("null", "hand ouvert", 0, 46, "", 1, -118),
    ("clubs", "hand schneider", 1, 18, MADE + " TS", 7, -120),  # 66: 12 x (1 + 1 + 1 + 1 + 1)
    ("clubs", "hand schwarz", 1, 18, MADE + " TS TH TD KC", 9, -168),  # 12 x (1 + 1 + 1 + 2 + 2)
    ("diamonds", "", 1, 18, "", 0, -72),  # no trick: 9 x (1 + 1 + 1 + 1)
]


@pytest.mark.parametrize(("contract", "options", "run", "bid", "cards", "tricks", "score"), WORKED)
def test_values_of_skat_worked_by_hand(
    contract: str, options: str, run: int, bid: int, cards: str, tricks: int, score: int
) -> None:
    game = ended(contract, options, run, bid, cards, tricks)
    assert game.scores() == {"Ana": score, "Ben": 0, "Cleo": 0}


AUCTIONS = [  # what is said, who declares, at what
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
