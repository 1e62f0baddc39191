"""Whole deals of shipped games over unseen hands.

A forbidden card is reported, and its group is named with the first entry that proves the group
illegal. From that entry on no distribution of the cards makes every act legal.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from scorekeeper import Match, load_ruleset
from tests.oracle.deals import RULESETS, deal
from tests.oracle.racing import Racer, recorded
from tests.oracle.whole import NOBODY, Whole, flows, matched, none_of

DEALS = range(6)
LOOKED_AT = 5  # the number of entries between checks


@pytest.mark.parametrize("seed", range(200))
def test_cards_find_their_places_just_where_trying_all_ways_finds_them(seed: int) -> None:
    random = Random(seed)
    cards = [random.choice("XYZ") for _ in range(random.randint(1, 6))]
    room = dict(Counter(random.choice("abc") for _ in cards))
    places = [[name for name in room if random.random() < 0.7] for _ in cards]
    caps = {
        (card, n): random.randint(0, 2) for card in "XYZ" for n in room if random.random() < 0.4
    }
    ways = [way for way in product(*places) if Counter(way) == Counter(room)]
    assert matched(places, room) == flows(cards, places, room, {}) == bool(ways)
    capped = [
        way
        for way in ways
        if all(list(zip(cards, way, strict=True)).count(key) <= cap for key, cap in caps.items())
    ]
    assert flows(cards, places, room, caps) == bool(capped)


def test_two_hands_cannot_both_be_without_the_last_cards_of_a_suit() -> None:
    whole = Whole(["AC", "KC", "AH"], {"Ana": 1, "Ben": 1, NOBODY: 1})
    one, other = (whole.ask(1, name, none_of(["AC", "KC"])) for name in ("Ana", "Ben"))
    assert whole.may_be_kept([one])
    assert whole.may_be_kept([other])
    assert not whole.may_be_kept([one, other])
    whole.show("Ana", "AC")
    assert not whole.may_be_kept([one])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_forbidden_card_is_told_as_early_as_can_be(ruleset: str) -> None:
    races = [Racer(deal(ruleset, seed, True)).run() for seed in DEALS]
    assert [race for race in races if not race.as_early_as_can_be] == []
    assert sum(race.provable > 0 for race in races) > len(DEALS) / 2


@pytest.mark.parametrize("ruleset", RULESETS)
def test_of_a_deal_without_one_nothing_is_told(ruleset: str) -> None:
    races = [Racer(deal(ruleset, seed, False)).run() for seed in DEALS]
    assert [race for race in races if race.others] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_allowed_is_cleared_as_early_as_can_be(ruleset: str) -> None:
    dealt = deal(ruleset, 0, False)
    match, whole = Match(load_ruleset(ruleset), list(dealt.names)), dealt.whole
    for number, step in enumerate(dealt.steps, 1):
        recorded(match, step.text)
        step.happen(whole)
        if number % LOOKED_AT == 0:
            found = match.live_round.log.all_findings()
            still = {entry for entry, finding in found if finding.verdict == "open"}
            plain = [act for act in whole.asked if len(act.ways) == 1 and act.ways[0].without]
            for act in plain:
                assert (act.entry in still) is whole.may_be_broken(act), (number, act)
