"""Starts and positions: facts have the same result in any order, and are checked together before
the first act."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.core.errors import Failure, Impossible

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.engine.ruleset import Ruleset

NAMES = ["Ana", "Ben", "Cem", "Dov", "Eva", "Fay"]
Facts = tuple[list[str], list[str]]


def cards(rules: Ruleset, random: Random) -> list[str]:
    pack = [kind for kind in rules.pack.kinds for _ in range(rules.pack.copies)]
    random.shuffle(pack)
    return pack


def said_hands(random: Random, hands: dict[str, list[str]]) -> list[str]:
    """State each hand as its cards, or as their number with some seen cards."""
    facts = []
    for name, hand in hands.items():
        if hand and random.random() < 0.5:
            facts.append(f"hand {name}: {' '.join(hand)}")
            continue
        facts.append(f"hand {name}: {len(hand)}")
        if hand and random.random() < 0.3:
            facts.append(f"holds {name}: {random.choice(hand)}")
    return facts


def dice(rules: Ruleset, random: Random) -> Facts:
    names = NAMES[: random.randint(2, 5)]
    left = {name: random.choice([0, 0, 1, 2, 5]) for name in names}
    left[random.choice(names)] = random.randint(1, 5)
    facts = [f"{random.choice(['hand', 'standing'])} {name}: {n}" for name, n in left.items()]
    facts.append(f"lead {random.choice([name for name, n in left.items() if n])}")
    return names, random.sample(facts, random.randint(1, len(facts)))


def bouts(rules: Ruleset, random: Random) -> Facts:
    counts = rules.players["counts"] or range(2, rules.players["most"] + 1)
    names = NAMES[: random.choice(list(counts))]
    pack, talon = cards(rules, random), random.choice([0, 0, 0, 2, 4])
    sizes = {name: random.choice([0, 0, 1, 3, 4, 6, 8] if not talon else [3, 6]) for name in names}
    hands = {}
    for name, size in sizes.items():
        hands[name], pack = pack[: min(size, 24 // len(names))], pack[min(size, 24 // len(names)) :]
    barred = rules.phases["bouts"].row["never_trump"]
    shows = next(card for card in pack if card[-1] not in barred)
    facts = [f"talon {talon}", *said_hands(random, hands), f"dealer {random.choice(names)}"]
    facts.append(random.choice([f"turnup {shows}" if talon else "", f"trump {shows[-1]}"]))
    facts.append(f"lead {random.choice([name for name in names if hands[name]] or names)}")
    return names, [fact for fact in facts if fact]


def tricks(rules: Ruleset, random: Random) -> Facts:
    names = [*NAMES, "Gus"][: random.choice(rules.players["counts"] or range(4, 8))]
    dealer = random.randrange(len(names))
    seats = [names[seat] for seat in rules.seating(len(names), dealer)]
    pack, size = cards(rules, random), random.randint(1, 12)
    hands = {name: pack[12 * n : 12 * n + size] for n, name in enumerate(seats)}
    facts = said_hands(random, hands)
    facts = random.sample(facts, random.randint(1, len(facts)))
    longest = [f"hand {seats[0]}: {size}"] if f"hand {seats[0]}" not in " ".join(facts) else []
    facts += [f"dealer {names[dealer]}", f"lead {random.choice(seats)}", *longest]
    return names, [*facts, f"standing {names[0]}: -7"]


def levels(rules: Ruleset, random: Random) -> Facts:
    names = NAMES[: random.choice(rules.players["counts"])]
    dealt, pack = rules.deal_size(len(names)), cards(rules, random)
    size = random.randint(1, dealt)
    hands = {name: pack[dealt * n : dealt * n + size] for n, name in enumerate(names)}
    facts = [*said_hands(random, hands), f"master {random.choice(names)}"]
    facts += [f"trump {random.choice('CSHD')}", f"lead {random.choice(names)}"]
    ours, theirs = random.choice([3, 5, 9, 10]), random.choice([3, 4, 9])
    facts += [f"standing Ana: {ours}", f"standing Ben: {theirs}", f"standing Cem: {ours}"]
    return names, random.sample(facts, random.randint(2, len(facts)))


GAMES: dict[str, Callable[[Ruleset, Random], Facts]] = {
    **dict.fromkeys(("dudo", "perudo"), dice),
    **dict.fromkeys(("durak", "durak-spades-transfer", "podkidnoy", "podkidnoy-teams"), bouts),
    **dict.fromkeys(("doppelkopf", "doppelkopf-ddv"), tricks),
    **dict.fromkeys(("da-ban", "sheng-ji"), levels),
}


def what_stands(match: Match) -> dict[str, Any]:
    """Return the state on which all later rulings depend."""
    known: object = None
    if match.live_round.has_hands:
        hands = match.live_round.hands
        known = (hands.known, hands.unknown_count, hands.unseen)
    acts = match.legal()[:12]
    return {
        "state": match.state,
        "standing": dict(match.standing),
        "known": known,
        "legal": acts,
        "rulings": [match.judge(act).text for act in acts if "…" not in act],
        "rounds": [(played.over, played.scores) for played in match.rounds],
    }


@pytest.mark.parametrize("name", GAMES)
def test_facts_of_a_start_come_to_the_same_in_whatever_order_they_are_said(name: str) -> None:
    rules = load_ruleset(name)
    for seed in range(40):
        random = Random(seed)
        names, facts = GAMES[name](rules, random)
        found = []
        for _ in range(4):
            random.shuffle(facts)
            match = Match(rules, names)
            for fact in facts:
                match.record(fact)
            written = Match(rules, names)
            played = written.play_round(facts)
            assert not [finding for _, finding in played.findings if finding.verdict != "legal"]
            found += [what_stands(match), what_stands(written)]
            assert len(match.rounds) == 1
            assert match.rounds[0].entries == played.entries
        assert all(each == found[0] for each in found), facts


BROKEN = [
    ("durak", "Ana Ben", ["talon 30", "trump D", "lead Ana"], "Ana: attack 6C"),
    ("durak", "Ana Ben", ["hand Ana: 30", "hand Ben: 8", "trump D"], "Ana: attack 6C"),
    ("durak", "Ana Ben", ["hand Ana: 6C 7C", "hand Ben: 6C 8C", "talon 0"], "Ana: attack 7C"),
    ("durak", "Ana Ben", ["hand Ana: 6C", "holds Ben: 6C", "talon 0"], "Ana: attack 6C"),
    ("durak", "Ana Ben", ["hand Ana: 6C", "holds Ana: 7C", "talon 0"], "Ana: attack 6C"),
    ("durak", "Ana Ben", ["turnup 6C", "talon 4", "hand Ana: 6C 7C"], "Ana: attack 7C"),
    ("durak", "Ana Ben", ["turnup 6C", "trump D"], "Ana: attack 7C"),
    ("durak", "Ana Ben", ["turnup 6C", "hand Ben: 2", "trump S"], "Ana: attack 7C"),
    ("durak", "Ana Ben", ["hand Ana: 0", "hand Ben: 3"], "Ben: attack 7C"),
    ("dudo", "Ana Ben Cem", ["standing Ana: 0", "lead Ana"], "Ana: 3x4"),
    ("doppelkopf", "Ana Ben Cem Dov Eva", ["dealer Ben", "hand Ben: 12"], "Cem: gesund"),
    ("doppelkopf", "Ana Ben Cem Dov Eva", ["dealer Ben", "lead Ben"], "Cem: gesund"),
    ("doppelkopf", "Ana Ben Cem Dov Eva", ["lead Eva"], "Ana: gesund"),
    ("doppelkopf", "Ana Ben Cem Dov", ["hand Ana: QC QC", "holds Ben: QC"], "Ana: gesund"),
    ("doppelkopf", "Ana Ben Cem Dov", [f"hand {n}: 0" for n in NAMES[:4]], "Ana: gesund"),
    ("da-ban", "Ana Ben Cem Dov", ["standing Ana: 4", "standing Cem: 5"], "Ana: 7C"),
    ("da-ban", "Ana Ben Cem Dov", ["hand Ana: 40", "trump H"], "Ana: 7C"),
]


@pytest.mark.parametrize(("name", "players", "facts", "act"), BROKEN)
def test_facts_that_contradict_one_another_are_refused_before_the_first_act(
    name: str, players: str, facts: list[str], act: str
) -> None:
    for turned in (facts, facts[::-1], facts[1:] + facts[:1]):
        match, accepted, refusals = Match(load_ruleset(name), players.split()), [], []
        for text in [*turned, act]:
            try:
                match.record(text)
                accepted.append(text)
            except Impossible as failure:
                refusals.append(failure)
                assert failure.hint
                break
        assert len(refusals) == 1, turned
        assert [text for played in match.rounds for text in played.entries] == accepted
        written = Match(load_ruleset(name), players.split()).play_round([*turned, act])
        assert [finding.code for _, finding in written.findings if finding.refuses] == [
            "entry.impossible"
        ]
        assert len(written.entries) == len(turned) + 1


def test_the_refusal_names_the_facts_at_odds_and_what_to_type() -> None:
    match = Match(load_ruleset("durak"), ["Ana", "Ben"])
    note = match.record("talon 30").findings[0]
    assert (note.code, note.severity, note.verdict) == ("table.odds", "note", "legal")
    for text in ("Ana: attack 6C", "result loser=Ana"):
        with pytest.raises(Impossible, match=r"1 \(talon 30\)") as refused:
            match.judge(text)
        assert "hand Ana: NUMBER" in refused.value.message
        assert "undo" in refused.value.hint
    assert "contradict each other" in match.prompt
    assert match.legal() == []
    for text in ("hand Ana: 3", "hand Ben: 3", "Ana: attack 6C"):
        match.record(text)


def test_what_may_be_said_of_a_start_that_does_not_fit_yet() -> None:
    match = Match(load_ruleset("doppelkopf"), NAMES[:5])
    for text in ("lead Eva", "note Eva is late", "holds Ana: QC", "penalty Ana: -3", "dealer Ana"):
        try:
            match.record(text)
        except Failure as failure:
            # Ana sits out then, so she cannot hold a card
            assert "sits out when Ana deals" in str(failure)
    assert match.record("dealer Ben").verdict == "legal"
    assert match.record("all: gesund").verdict == "legal"
    assert match.to_act == ["Eva"]


def test_a_fine_before_another_fact_is_not_lost() -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben", "Cem"])
    for text in ("penalty Ana: -2 late", "lead Ben", "standing Ana: 4"):
        match.record(text)
    assert match.current_round.seating.tally[0] == 2
    match.record("result loser=Ben")
    assert match.scores == {"Ana": 2, "Ben": 4, "Cem": 5}


def test_a_card_seen_twice_is_one_card() -> None:
    match = Match(load_ruleset("doppelkopf"), NAMES[:4])
    for text in ("holds Ana: QC", "holds Ana: QC", "all: gesund"):
        match.record(text)
    assert match.state["sides"]["re"] == ["Ana"]
    assert not match.live_round.sides.is_alone  # type: ignore[union-attr]
    match = Match(load_ruleset("doppelkopf"), NAMES[:4])
    for text in ("holds Ana: QC QC", "all: gesund"):
        match.record(text)
    assert match.live_round.sides.is_alone  # type: ignore[union-attr]
