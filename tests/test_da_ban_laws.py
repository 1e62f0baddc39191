"""Laws of Da Ban that hold in any deal, whatever is played."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from random import Random

import pytest

from scorekeeper import Impossible, Match, load_ruleset
from scorekeeper.core.rulings import worst_verdict
from tests.da_ban_reference import FOUR, Told, points
from tests.helpers import listed
from tests.random_play import Evening

RULES = load_ruleset("da-ban")
COUNTS = pytest.mark.parametrize("count", [4, 6])


def played(seed: int, count: int, deals: int = 1, wrong: float = 0) -> Evening:
    """Provide whole deals that were played to their end."""
    evening = Evening("da-ban", seed, players=count, full=True, wrong=wrong, result=0)
    return evening.play(deals)


@COUNTS
@pytest.mark.parametrize("seed", range(2))
def test_points_sum_to_300_less_the_buried(count: int, seed: int) -> None:
    deal = played(seed, count)
    state = deal.match.state
    told = Told(deal.all(), deal.names, state["bindings"]["trump"], state["bindings"]["level"])
    taken = {name: state["players"][name]["points"] for name in deal.names}
    assert taken == told.taken
    assert sum(taken.values()) == 300 - points(told.aside)


@pytest.mark.parametrize("shown", [True, False])
@COUNTS
def test_cards_are_conserved(count: int, shown: bool) -> None:
    """Check after every entry of two deals that none of the 162 cards is in two places.

    The cards in play must also agree with the places of the cards.
    """
    deal = played(1, count, deals=2)
    found = deal.fresh()
    for text in [said.known if shown else said.unseen for said in deal.all()]:
        if not text:
            continue
        found.record(text)
        known = found.live_round.hands
        assert known is not None
        pack = found.live_round.rules.pack
        total = known.unseen
        for sure in known.known:
            # This raises if there are more copies than the pack has.
            total = pack.combine(total, sure)
        assert [pack.count(total, kind) for kind in range(pack.kind_count)] == list(
            map(known.copies_in_play, range(pack.kind_count))
        )
        assert sum(known.unknown_count) <= known.unseen.bit_count()


def possible(found: Match, seat: str, sizes: list[int]) -> list[str]:
    """Return all combinations of these sizes that an entry could name for a player."""
    kinds = found.live_round.rules.pack.kinds
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
    """Try leads and follows of one card and of two, including early cards."""
    deal = Evening("da-ban", seed, players=4, full=True, wrong=0, result=0)
    while deal.match.state.get("table") or len(deal.all()) < 40:
        deal.step()
    found = deal.fresh()
    for each in deal.all():
        if text := each.known if shown else each.unseen:
            found.record(text)
    leader = found.to_act[0]
    for lead in [None, 1, 2]:
        if lead is not None:
            hand = deal.hands[leader]
            card = next(c for c in hand if hand.count(c) >= lead)
            found.record(f"{leader}: {' '.join([card] * lead)}")
        legal = found.legal()
        assert all(allowed(found, text) for text in legal if "…" not in text)
        random = Random(seed)
        for name in FOUR:
            trials = possible(found, name, [1, 2] if lead != 1 else [1])
            for text in random.sample(trials, min(20, len(trials))):
                line = listed(legal, text)
                assert line if allowed(found, text) else line in ("", f"{name}: …"), text
            if f"{name}: …" in legal:
                others = (text for text in trials if listed(legal, text) == f"{name}: …")
                assert any(allowed(found, text) for text in others)
        if lead is not None:
            found.undo()


def test_legal_is_what_judge_allows_before_play() -> None:
    """Try declarations, an exchange, shown jokers and the kitty."""
    found = Match(RULES, FOUR)
    steps = ["master Ana", "result points=185", "Ben: declare 3H", "Cleo: declare 3S 3S"]
    steps += ["kitty 4H 9C 9C KD AS TC", "Ben: take"]
    kinds = found.live_round.rules.pack.kinds
    sets = [" ".join([card] * size) for card, size in product(kinds, (1, 2, 3))]
    acts = [f"{verb} {cards}" for verb, cards in product(("declare", "show"), sets)]
    acts += [*(f"exchange {n} with Ana" for n in (1, 2, 3)), "take", "leave", "bury 5", "bury 6"]
    for step in steps:
        found.record(step)
        if not found.live_round.acted:
            continue
        said = {text for text in found.legal() if "…" not in text}
        trials = {f"{name}: {act}" for name, act in product(FOUR, acts)}
        assert {text for text in trials if allowed(found, text)} == said


@COUNTS
@pytest.mark.parametrize("seed", range(3))
def test_every_revoke_is_found_and_dated_when_all_cards_are_seen(seed: int, count: int) -> None:
    """Play with unseen hands except for the buried cards, whether the act stood or was withdrawn.

    A player who was allowed to play too few cards has some left that are unseen.
    """
    deal = played(seed, count, wrong=0.2)
    unseen, found, revoked, number = deal.fresh(), set[int](), set[int](), 0
    left = set[int]()  # Revokes of players who have cards left.
    for said in deal.all():
        text = said.known if ": bury " in said.known else said.unseen
        if not text:
            continue
        number += 1
        ruling = unseen.record(text)
        if said.illegal and text.endswith(("!stands", "!withdrawn")):
            revoked.add(number)
            if deal.hands[text.partition(":")[0]]:
                left.add(number)
        own = worst_verdict(f for f in ruling.findings if f not in ruling.settled)
        assert own in ("open", "illegal" if said.illegal else "legal"), text
        if own == "illegal" and text.endswith(("!stands", "!withdrawn")):
            found.add(number)
        broken = [finding for finding in ruling.settled if finding.verdict == "illegal"]
        found |= {finding.facts["entries"][0] for finding in broken}
    assert revoked - left <= found <= revoked
    assert revoked - left
