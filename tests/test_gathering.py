"""Batched setup facts of a written round: the effect is the same as entering them one by one.

The facts may be of any kind and in any order.
"""

from __future__ import annotations

from itertools import takewhile
from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Impossible, Match, load_ruleset
from scorekeeper.engine.findings import may_gather
from scorekeeper.engine.replay import Replay
from scorekeeper.engine.round import Round
from scorekeeper.engine.scoring import first_standing
from tests.effort import tries
from tests.helpers import SHIPPED
from tests.random_play import Evening, evening

if TYPE_CHECKING:
    from scorekeeper.notation import Entry

SEEDS = tries(4)


class OneByOne(Replay):
    """A written round that batches only the hands that it begins with.

    The state of the hands is reported with the last of them.
    """

    def _gather(self, ahead: list[Entry]) -> int:
        return super()._gather(list(takewhile(is_hand, ahead)))

    def _gather_more(self, ahead: list[Entry], at: int) -> int:
        return 0


def is_hand(entry: Entry) -> bool:
    return entry.text.startswith("hand ")


def taken(kind: type[Replay], played: Evening, texts: list[str]) -> Replay:
    names = played.names
    standing = first_standing(played.rules, len(names))
    fold = kind(Round(played.rules, names, 1, standing, gathering=True))
    fold.take(texts)
    return fold


def seen(fold: Replay) -> list[object]:
    """Return everything that results from a written round."""
    rnd, played = fold.rnd, fold.played
    return [
        *(
            rnd.setup,
            played.entries,
            played.ignored,
            played.failed_entry,
            played.over,
            played.changes,
        ),
        *(rnd.waiting(), rnd.prompt(), rnd.conflicts, rnd.seating.tally),
        *(phase.view(rnd).as_json() for phase in rnd.rules.phases.values()),
        *((number, finding.code, finding.reason) for number, finding in played.findings),
    ]


def facts_of(played: Evening, texts: list[str]) -> list[str]:
    """Return the facts at the beginning of a round."""
    read = played.match.notation.read
    for count, text in enumerate(texts):
        if not read(text).type.is_setup_fact:
            return texts[:count]
    return texts


def changed(facts: list[str], random: Random) -> list[str]:
    """Return the facts in another order, some repeated, some with cards of other players."""
    found = facts[:]
    random.shuffle(found)
    for _ in range(random.choice((0, 0, 1, 2))):
        found.insert(random.randrange(len(found) + 1), random.choice(facts))
    if random.random() < 0.4:
        one = random.randrange(len(found))
        cards = random.choice(facts).split()[-1]
        found[one] = f"{found[one].rpartition(' ')[0]} {cards}"
    return found


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", SHIPPED)
def test_facts_taken_at_once_come_to_what_they_come_to_one_by_one(name: str, known: bool) -> None:
    for seed in SEEDS:
        random, played = Random(f"{name} {seed}"), evening(name, seed)
        said = [each.known if known else each.unseen for each in played.said[0]]
        texts = [text for text in said if text]
        facts = facts_of(played, texts)
        for _ in range(6 if facts else 0):
            tried = [*changed(facts, random), *texts[len(facts) :]]
            ways = [taken(kind, played, tried) for kind in (Replay, OneByOne)]
            assert seen(ways[0]) == seen(ways[1]), tried


def test_a_hand_that_cannot_be_ends_its_round_also_where_it_is_said_again() -> None:
    """Expect the same refusal as when it is typed."""
    texts = ["hand Dan: 7", "hand Dan: TC JS TS TD 9D"]
    match = Match(load_ruleset("euchre"), ["Ana", "Ben", "Cleo", "Dan"])
    with pytest.raises(Impossible, match="Dan cannot hold 7 cards"):
        match.record(texts[0])
    played = match.play_round(texts)
    assert (played.failed_entry, [finding.code for _, finding in played.findings]) == (
        1,
        ["entry.impossible"],
    )


def test_a_fact_that_is_said_again_and_again_is_looked_at_once_or_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0

    def counting(rnd: Round, fact: Entry) -> bool:
        nonlocal looked
        looked += 1
        return may_gather(rnd, fact)

    monkeypatch.setattr("scorekeeper.engine.replay.may_gather", counting)
    match = Match(load_ruleset("hearts"), ["Ana", "Ben", "Cleo", "Dora"])
    match.play_round(["hand Ana: 13"] * 200)
    assert looked <= 3 * 200
