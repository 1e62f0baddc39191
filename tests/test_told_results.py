"""Deals entered by their result, with special points or with cards in no trick.

The worked values of two rule texts, and refused results.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Failure, Impossible, Match, Unreadable, load_ruleset, write_record
from scorekeeper.engine.loading import check
from tests.helpers import match_of, program

if TYPE_CHECKING:
    from pathlib import Path

THREE, FOUR = ["Ana", "Ben", "Cleo"], ["Ana", "Ben", "Cleo", "Dan"]

SKAT = [  # from section 7 of the rule text
    ("contract=hearts matadors=1 points=61", 20),
    ("contract=hearts matadors=1 points=60", -40),
    ("contract=clubs hand matadors=2 points=90", 60),
    ("contract=grand hand schneider matadors=4 points=90", 192),
    ("contract=spades bid=30 matadors=1 points=70", -66),
    ("contract=diamonds matadors=2 points=29", -72),
    ("contract=grand hand ouvert matadors=4 points=120", 264),
    ("contract=null points=0", 23),
    ("contract=null hand points=11 tricks=declarer:0", 35),
    ("contract=null ouvert points=0 tricks=declarer:1", -92),
]


@pytest.mark.parametrize(("told", "score"), SKAT)
def test_a_value_is_computed_from_what_is_told(told: str, score: int) -> None:
    match = match_of("skat", THREE)
    match.record(f"result declarer=Ben {told}")
    assert match.rounds[-1].scores == {"Ana": 0, "Ben": score, "Cleo": 0}


SCHAFKOPF = [  # from section 6 of the rule text
    ("contract=rufspiel AS player=Ben+Dan laufende=0 points=61", 10, 10),
    ("contract=rufspiel AS player=Ben+Dan laufende=2 points=60", -10, -10),
    ("contract=rufspiel AS player=Ben+Dan laufende=3 points=91", 50, 50),
    ("contract=rufspiel AS player=Ben+Dan laufende=3 points=90", 40, 40),
    ("contract=rufspiel AS player=Ben+Dan laufende=2 points=30", -20, -20),
    ("contract=wenz laufende=2 points=75", 210, -70),
    ("contract=clubs laufende=3 points=45", -240, 80),
    ("contract=clubs tout laufende=4 points=120", 540, -180),
    ("contract=clubs tout laufende=4 points=118", -540, 180),
]


@pytest.mark.parametrize(("told", "score", "partner"), SCHAFKOPF)
def test_a_partner_shares_what_is_told(told: str, score: int, partner: int) -> None:
    match = match_of("schafkopf", FOUR)
    match.record(f"result declarer=Ben {told}")
    scores = match.rounds[-1].scores
    assert scores is not None
    assert (scores["Ben"], scores["Dan"], sum(scores.values())) == (score, partner, 0)


REFUSED = [
    ("contract=hearts points=61", "the result must state the number of matadors"),
    ("contract=hearts matadors=0 points=61", "matadors=0: the number must be from 1 to 11"),
    ("contract=grand matadors=5 points=61", "matadors=5: the number must be from 1 to 4"),
    ("contract=null matadors=1 points=0", "there is no matadors in null"),
    ("contract=null hand points=10", "10 card points may come from cards outside the tricks"),
    ("contract=hearts matadors=1 points=22", "22 card points may come from cards outside"),
    ("contract=hearts matadors=1 points=23 tricks=declarer:0", "cannot have 23 card points"),
    ("contract=null bid=24 points=0", "null so is worth less than was bid"),
    ("contract=grand schneider matadors=1 points=90", "announced in hand games alone"),
    ("contract=grand ouvert matadors=1 points=90", "ouvert only with hand"),
    ("contract=null schneider points=0", "schneider may not be combined with null"),
    ("contract=hearts matadors=1 points=61 specials=declarer:matadors", "is not a special point"),
]


@pytest.mark.parametrize(("told", "why"), REFUSED)
def test_a_result_guesses_nothing_and_meets_the_rules_of_what_it_tells(told: str, why: str) -> None:
    match = match_of("skat", THREE)
    with pytest.raises(Failure, match=why):
        match.record(f"result declarer=Ben {told}")
    assert not match.rounds or not match.rounds[-1].over


def test_the_points_of_cards_that_nobody_laid_are_the_declarers_at_the_end() -> None:
    match = match_of("skat", THREE)
    match.record("contract Ben: hearts hand")
    match.record("result matadors=2 points=20 tricks=declarer:0")
    assert match.rounds[-1].scores == {"Ana": 0, "Ben": -2 * 10 * 6, "Cleo": 0}


def test_a_contract_told_without_hand_has_taken_what_lay_there() -> None:
    match = match_of("skat", THREE)
    match.record("contract Ben: grand")
    assert match.to_act == ["Ben"]
    assert match.legal() == ["Ben: take"]
    match.record("Ben: take")
    match.record("Ben: bury 2")
    assert match.to_act == ["Ana"]


CHOICES = [  # the ruleset, the key, another value for it
    ("skat", "phases.auction.nobody", "next"),
    ("skat", "phases.auction.offered", False),
    ("skat", "phases.tricks.ends", "false"),
    ("skat", "let.schneider", "declarer.points <= 30 or opponents.points <= 30"),
    ("skat", "scores.lost.points", "-game_value if contract.hand else -2 * game_value"),
    ("skat", "match.ends", "rounds >= 12"),
    ("skat", "phases.tricks.rest", True),
    ("schafkopf", "phases.auction.nobody", "next"),
    ("schafkopf", "let.ran_away", "false"),
    ("schafkopf", "let.laufende_count", "0"),
    ("schafkopf", "contracts.wenz.is.base", 20),
    ("schafkopf", "match.ends", "rounds >= 16"),
]


@pytest.mark.parametrize(("name", "key", "value"), CHOICES)
def test_a_choice_of_the_text_is_a_key(name: str, key: str, value: object) -> None:
    assert Match(load_ruleset(name, **{key: value}), FOUR)


def test_whom_a_special_is_for_is_known() -> None:
    _, _, faults = check("skat", ["specials.matadors.for=each"])
    assert [(fault.key, fault.allowed) for fault in faults] == [
        ("specials.matadors.for", "declarer, opponents")
    ]


# --- during a deal: seen cards limit the accepted results

GRAND = "dealer Cleo / Ben: pass / Cleo: pass / Ana: bid 18 / Ana: grand hand"
TAKEN = "dealer Cleo / Ben: pass / Cleo: pass / Ana: bid 18 / Ana: take / Ana: bury 2 / Ana: grand"
ANA = "hand Ana: JC JS JH AC TC KC QC 9C 8C 7C"
OTHERS_HAND = "hand Ben: JD AS TS KS QS 9S 8S 7S AH TH"
SEEN = [  # earlier entries, and the numbers of matadors (1 to 4) that fit them
    (f"{GRAND}", "1 2 3 4"),
    (f"{GRAND} / Ana: JC / Ben: JS / Cleo: 7C", "1"),
    (f"{GRAND} / Ana: JC / Ben: JH / Cleo: 7C", "1 2"),
    (f"{GRAND} / Ana: AC / Ben: JC / Cleo: 7C", "1 2 3 4"),  # the opponents may have all four
    (f"{GRAND} / Ana: JS / Ben: JC / Cleo: 7C", "1"),
    (f"{GRAND} / Ana: JC / Ben: JS !withdrawn / Ben: JD / Cleo: 7C", "1"),
    (f"{GRAND} / Ana: AC / holds Cleo: JH", "1 2 3 4"),
    (f"{GRAND} / holds Cleo: JH / Ana: JC", "1 2"),
    (f"{ANA} / {OTHERS_HAND} / {GRAND}", "3"),
    (f"{ANA} / {GRAND}", "3 4"),  # the other jack may lie in the skat
    (f"{ANA.replace('JH', 'AH')} / {GRAND}", "2 3 4"),  # two of the jacks may
    (f"{ANA.replace('JS JH', 'AS AH')} / {GRAND}", "1 2 3"),
    (f"{ANA} / {TAKEN}", "3 4"),
    (f"{ANA.replace('JC', 'AS')} / {TAKEN} / Ana: JS / Ben: 7D / Cleo: JC", "1"),
    (f"hand Ana: 3 / {GRAND} / Ana: JC / Ben: JH / Cleo: 7C", "1 2"),
]


@pytest.mark.parametrize(("before", "fit"), SEEN)
def test_matadors_that_contradict_what_was_seen_are_refused(before: str, fit: str) -> None:
    match = match_of("skat", THREE, *before.split(" / "))
    fitting = fit.split()
    for number in "1234":
        text = f"result matadors={number} points=100"
        if number in fitting:
            assert match.judge(text).verdict == "legal"
            continue
        with pytest.raises(Impossible, match=f"matadors={number}: according to the cards seen"):
            match.judge(text)
    assert match.record(f"result matadors={fitting[0]} points=100").verdict == "legal"


def test_a_record_with_such_a_result_is_not_right(tmp_path: Path) -> None:
    right = tmp_path / "right.toml"
    match = match_of("skat", THREE, *SEEN[1][0].split(" / "), "result matadors=1 points=100")
    write_record(match, right)
    assert program("verify", str(right)).code == 0
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(right.read_text("utf-8").replace("matadors=1", "matadors=4"), "utf-8")
    answer = program("verify", str(wrong))
    assert answer.code == 1
    assert "matadors=4: according to the cards seen, it is 1" in answer.out + answer.err


def test_a_form_offers_what_fits() -> None:
    match = match_of("skat", THREE, *SEEN[2][0].split(" / "))
    fields = {key: words for key, _, words in match.current_round.result_fields()}
    assert fields["matadors"] == ["1", "2"]


@pytest.mark.parametrize(
    ("laid", "partner", "fit"),
    [
        ("QC / QS / QH / QD", "Dan", "0 1 2"),  # fewer than three are worth nothing
        ("QC / JS / QH / QS", "Dan", "0 1 2"),
        ("QC / JS / QH / QS", "Cleo", "0 1 2"),
        ("QC / QD / JS / QS", "Dan", "0 1 2 3"),
    ],
)
def test_a_run_that_is_too_short_to_count_may_be_told_as_none(
    laid: str, partner: str, fit: str
) -> None:
    bids = ["dealer Dan", "Ana: rufspiel AS", *(f"{name}: pass" for name in FOUR[1:])]
    plays = [f"{name}: {card}" for name, card in zip(FOUR, laid.split(" / "), strict=True)]
    match = match_of("schafkopf", FOUR, *bids, *plays)
    for number in "01235":
        text = f"result player=Ana+{partner} laufende={number} points=80"
        if number in fit.split():
            assert match.judge(text).verdict == "legal"
        else:
            with pytest.raises(Impossible, match=f"laufende={number}: according to the cards"):
                match.judge(text)


# --- play that ends early


REST = {"phases.tricks.rest": True, "phases.tricks.concede": True, "clauses.rest.cite": "4.1"}


@pytest.mark.parametrize("word", ["rest", "concede"])
def test_how_a_deal_that_ends_early_is_entered_is_told(word: str) -> None:
    match = match_of("skat", THREE, *SEEN[1][0].split(" / "))
    with pytest.raises(Unreadable) as refused:
        match.judge(f"Ana: {word}")
    assert "result matadors=NUMBER points=NUMBER" in refused.value.hint
    with pytest.raises(Unreadable) as refused:  # this game accepts no results
        match_of("whist", FOUR, "trump H").judge(f"Ana: {word}")
    assert "result matadors" not in refused.value.hint


@pytest.mark.parametrize("word", ["rest", "concede"])
@pytest.mark.parametrize("at", range(len(SEEN)))
def test_the_rest_is_claimed_only_where_the_matadors_are_known(word: str, at: int) -> None:
    before, fit = SEEN[at]
    match = match_of("skat", THREE, *before.split(" / "), **REST)
    known = len(fit.split()) == 1 and (word == "concede" or match.to_act == ["Ana"])
    assert (f"Ana: {word}" in match.legal()) == (f"Ana: {word}" in match.legal) == known
    if match.to_act == ["Ana"] and not known:
        with pytest.raises(Impossible, match="not all cards have been seen") as refused:
            match.record(f"Ana: {word}")
        assert "result matadors=NUMBER points=NUMBER" in refused.value.hint


def test_what_opponents_had_not_laid_is_not_the_declarers() -> None:
    """Ana has three jacks of four and claims after one trick; Ben holds the other."""
    first = ["Ana: AC", "Ben: 7S", "Cleo: 7D"]
    for hands in (f"{ANA} / {OTHERS_HAND}", f"{ANA} / holds Ben: JD"):
        match = match_of("skat", THREE, *f"{hands} / {GRAND}".split(" / "), *first, **REST)
        match.record("Ana: rest")
        # with 3, game, hand, schneider, schwarz: 7 levels
        assert match.rounds[0].scores == {"Ana": 7 * 24, "Ben": 0, "Cleo": 0}


def true_matadors(cards: list[str], contract: str) -> int:
    """Count the matadors of hand and skat together, by the rule text alone."""
    trumps = ["JC", "JS", "JH", "JD"]
    if contract != "grand":
        trumps += [f"{rank}{contract[0].upper()}" for rank in "ATKQ987"]
    has = [trump in cards for trump in trumps]
    return next((at for at, each in enumerate(has) if each != has[0]), len(has))


@pytest.mark.parametrize("seed", range(40))
def test_the_true_matadors_are_never_refused(seed: int) -> None:
    """Enter the true number whenever the deal ends, whatever is known of the cards."""
    chance = Random(seed)
    pack = [rank + suit for rank in "AKQJT987" for suit in "CSHD"]
    chance.shuffle(pack)
    hands, cards = [pack[:10], pack[10:20], pack[20:30]], [*pack[:10], *pack[30:]]
    match = match_of("skat", THREE, "dealer Cleo")
    for name, hand in zip(THREE, hands, strict=True):
        known = chance.choice(
            [[], [f"hand {name}: {' '.join(hand)}"], [f"holds {name}: {hand[3]}"]]
        )
        for text in known:
            match.record(text)
    for text in ("Ben: pass", "Cleo: pass", "Ana: bid 18"):
        match.record(text)
    contract, takes = chance.choice(["clubs", "hearts", "grand"]), chance.randrange(3)
    if takes:
        buried = chance.sample(cards, 2)
        hands[0] = [card for card in cards if card not in buried]
        match.record("Ana: take")
        match.record(f"Ana: bury {' '.join(buried) if takes == 1 else 2}")
    match.record(f"Ana: {contract}{'' if takes else ' hand'}")
    number = true_matadors(cards, contract)
    for _ in range(chance.randrange(27)):
        name = match.to_act[0]
        hand = hands[THREE.index(name)]
        card = next(c for c in chance.sample(hand, len(hand)) if f"{name}: {c}" in match.legal)
        match.record(f"{name}: {card}")
        hand.remove(card)
    fields = {key: words for key, _, words in match.current_round.result_fields()}
    assert not fields["matadors"] or str(number) in fields["matadors"]
