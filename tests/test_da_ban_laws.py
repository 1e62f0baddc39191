"""Laws of Da Ban: what holds in any deal, whatever is played."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from random import Random

import pytest

from scorekeeper import Impossible, Match, load_ruleset
from scorekeeper.core.rulings import verdict_of
from tests.da_ban_deals import FOUR, SIX, Deal, points

RULES = load_ruleset("da-ban")


def dealt(seed: int, names: list[str], tricks: int = 99) -> tuple[Match, Deal]:
    """A first deal with hands entered, played so many tricks."""
    found = Match(RULES, names)
    deal = Deal(found, seed, shown=True)
    deal.play(first="CSHD"[seed % 4], tricks=tricks)
    return found, deal


@pytest.mark.parametrize("names", [FOUR, SIX])
@pytest.mark.parametrize("seed", range(2))
def test_points_sum_to_300_less_the_buried(names: list[str], seed: int) -> None:
    found, deal = dealt(seed, names)
    assert found.live.over
    players = found.state["players"]
    taken = {name: players[name]["points"] for name in names}
    assert taken == deal.taken
    assert sum(taken.values()) == 300 - points(deal.aside)


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("names", [FOUR, SIX])
def test_cards_are_conserved(names: list[str], shown: bool) -> None:
    """Each of the 162 cards is in a hand, gone, or unseen, after every entry of two deals."""
    found = Match(RULES, names)
    texts: list[str] = []
    scratch = Match(RULES, names)
    for seed in range(2):
        deal = Deal(scratch, seed, shown=shown, unseen_bury=seed == 1)
        deal.play(first="" if seed else "S")
        texts += deal.entries
    for text in texts:
        found.record(text)
        known = found.live.knowledge
        assert known is not None
        pack = found.live.rules.pack
        total = pack.total_of(known.unseen, known.gone)
        for sure in known.sure:
            total = pack.total_of(total, sure)
        assert total == pack.full
        assert sum(known.loose) <= known.unseen.bit_count()


def possible(found: Match, seat: str, sizes: list[int]) -> list[str]:
    """Everything of these sizes that a player might be said to lay."""
    kinds = found.live.rules.pack.kinds
    return [
        f"{seat}: {' '.join(cards)}"
        for size in sizes
        for cards in combinations_with_replacement(kinds, size)
    ]


def allowed(found: Match, text: str) -> bool:
    try:
        return found.judge(text).verdict != "illegal"
    except Impossible:
        return False


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_legal_is_what_judge_allows(shown: bool, seed: int) -> None:
    """Leads and follows of one card and of two, early cards too."""
    found = Match(RULES, FOUR)
    deal = Deal(found, seed, shown=shown)
    deal.play(first="H", tricks=8)
    leader = found.to_act[0]
    for lead in [None, 1, 2]:
        if lead is not None:
            hand = deal.hands[leader]
            card = next(c for c in hand if hand.count(c) >= lead)
            found.record(f"{leader}: {' '.join([card] * lead)}")
        legal = found.legal()
        said = {" ".join(sorted(text.split())) for text in legal}
        assert all(allowed(found, text) for text in legal[::31])
        random = Random(seed)
        for name in FOUR:
            trials = possible(found, name, [1, 2] if lead != 1 else [1])
            for text in random.sample(trials, min(20, len(trials))):
                assert allowed(found, text) == (" ".join(sorted(text.split())) in said), text
        if lead is not None:
            found.undo()


def test_legal_is_what_judge_allows_before_play() -> None:
    """Declarations, an exchange, the showing of jokers, the kitty."""
    found = Match(RULES, FOUR)
    steps = ["master Ana", "result points=185", "Ben: declare 3H", "Cleo: declare 3S 3S"]
    steps += ["kitty 4H 9C 9C KD AS TC", "Ben: take"]
    kinds = found.live.rules.pack.kinds
    sets = [" ".join([card] * size) for card, size in product(kinds, (1, 2, 3))]
    acts = [f"{verb} {cards}" for verb, cards in product(("declare", "show"), sets)]
    acts += [*(f"exchange {n} with Ana" for n in (1, 2, 3)), "take", "leave", "bury 5", "bury 6"]
    for step in steps:
        found.record(step)
        if not found.live.acted:
            continue
        said = {text for text in found.legal() if "…" not in text}
        trials = {f"{name}: {act}" for name, act in product(FOUR, acts)}
        assert {text for text in trials if allowed(found, text)} == said


@pytest.mark.parametrize("seed", range(2))
def test_undo_all_the_way_back(seed: int) -> None:
    found, deal = dealt(seed, FOUR, tricks=4)
    states = []
    again = Match(RULES, FOUR)
    for text in deal.entries:
        states.append((again.state, again.to_act, again.scores))
        again.record(text)
    for text, before in zip(reversed(deal.entries), reversed(states), strict=True):
        assert found.undo() == text
        assert (found.state, found.to_act, found.scores) == before


@pytest.mark.parametrize("names", [FOUR, SIX])
@pytest.mark.parametrize("seed", range(3))
def test_a_verdict_on_hidden_hands_is_open_or_the_one_on_known_hands(
    seed: int, names: list[str]
) -> None:
    """With revokes that the table lets stand: each is found, and dated, when all cards are seen."""
    deal = Deal(Match(RULES, names), seed, shown=True, revokes=0.1, unseen_bury=seed == 2)
    deal.play(first="D")
    hidden = Match(RULES, names)
    hands, found = len(names), set()
    for number, text in enumerate(deal.entries[hands:], hands + 1):
        ruling = hidden.record(text)
        known = "illegal" if number in deal.revoked else "legal"
        own = verdict_of(f for f in ruling.findings if f not in ruling.settled)
        assert own in ("open", known), text
        if own == "illegal":
            found.add(number)
        broken = [finding for finding in ruling.settled if finding.verdict == "illegal"]
        found |= {finding.facts["entries"][0] + hands for finding in broken}
    assert found <= set(deal.revoked)
    assert found == set(deal.revoked) or deal.unseen_bury
    assert deal.revoked
