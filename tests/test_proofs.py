"""The texts of proofs: a shown card names both entries, and a count names the cards it accounts
for."""

from __future__ import annotations

import re
from random import Random

from scorekeeper import Finding, Illegal, Match, Ruling, load_ruleset
from tests.doppelkopf_deals import NAMES, PACK, deal, order

RULESET = load_ruleset("doppelkopf")
TABLE = order("gesund")


def match_of(*entries: str) -> Match:
    match = Match(RULESET, NAMES)
    for text in entries:
        match.record(text)
    return match


def proven(ruling: Ruling) -> list[Finding]:
    """Return the findings that prove an earlier entry illegal."""
    return [finding for finding in ruling.settled if finding.verdict == "illegal"]


def careless(seed: int) -> list[Finding]:
    """Return the proofs in an unseen deal in which players follow suit nine times in ten."""
    random = Random(seed)
    hands, found = deal(random), list[Finding]()
    match = match_of("all: gesund")
    while match.to_act:
        name = match.to_act[0]
        hand = hands[NAMES.index(name)]
        lying = match.state["table"]
        led = TABLE.classes[PACK.index[lying[0]["cards"]]] if lying else -1
        follow = [kind for kind in hand if TABLE.classes[kind] == led]
        kind = random.choice(follow if follow and random.random() < 0.9 else hand)
        if not hand or len(match.rounds) > 1:
            break
        hand.remove(kind)
        try:
            found += proven(match.record(f"{name}: {PACK.kinds[kind]}"))
        except Illegal:
            break
        if match.rounds[0].over:
            break
    return found


def test_a_card_that_is_shown_later_convicts_with_both_entries() -> None:
    match = match_of("all: gesund", "Ana: AC", "Ben: 9D", "Cleo: 9C", "Dan: 9C")
    (finding,) = match.record("Ben: KC").settled
    assert finding.reason == (
        "Ben could have followed clubs in trick 1 and did not (3, Ben: 9D): entry 6 (Ben: KC)"
        " proves this, unless 3 or 6 is mistyped"
    )


def test_counting_says_what_is_accounted_for_and_accuses_no_card_of_another() -> None:
    told = [finding for seed in range(150) for finding in careless(seed)]
    shown = [finding for finding in told if finding.reason.endswith("mistyped")]
    counted = [finding for finding in shown if "an entry was mistyped" in finding.reason]
    assert len(shown) == len(told) > len(counted) > 3
    for finding in told:
        who, now, evidence = (finding.facts[key] for key in ("who", "now", "evidence"))
        assert f"{now}) proves this" in evidence if finding not in counted else now not in evidence
        if finding not in counted:
            assert now.startswith(f"{who}: ")
            continue
        first, second = finding.facts["entries"]
        assert f"after entry {second}, " in evidence
        assert re.search(rf"{who} held (one|at least \d+) at entry {first},", evidence)
    assert any("are accounted for" in finding.reason for finding in counted)
    assert any("of the unseen cards" in finding.reason for finding in counted)


def test_the_cards_of_a_set_are_counted_in_its_sentence() -> None:
    counts = {"clubs": 8, "spades": 8, "hearts": 6, "trumps": 26}
    found = [
        match.groups()
        for seed in range(120)
        for finding in careless(seed)
        if (match := re.search(r"all (\d+) (\w+) are accounted for", finding.reason))
    ]
    assert found
    assert all(counts[name] == int(number) for number, name in found)
