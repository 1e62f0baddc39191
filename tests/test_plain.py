"""Fast replay of ordinary entries in batches: it has the same result as a replay entry by entry,
whatever was entered."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper.engine.replay import Replay
from scorekeeper.engine.round import Round
from scorekeeper.engine.scoring import first_standing
from scorekeeper.match.remedies import standing_after
from tests.effort import tries
from tests.helpers import SHIPPED
from tests.random_play import evening

if TYPE_CHECKING:
    from scorekeeper import Match

SEEDS = tries(2)
FAULTS = 3


def changed(texts: list[str], random: Random, most: int) -> list[str]:
    """Return the entries with some of them moved, so that they may be illegal, impossible, or
    decided by the table."""
    texts = list(texts)
    for _ in range(random.randrange(most) if len(texts) > 1 else 0):
        one, other = random.sample(range(len(texts)), 2)
        if random.random() < 0.5:
            texts[one], texts[other] = texts[other], texts[one]
        else:
            text = random.choice([texts[other], "Ana: nonsense", "note so", texts[one]])
            texts[one] = text + random.choice(["", " !stands", " !withdrawn"])
    return texts


def folded(match: Match, texts: list[str], *, at_once: bool) -> Replay:
    names = match.players
    standing = first_standing(match.ruleset, len(names))
    fold = Replay(Round(match.ruleset, names, 1, standing, gathering=True))
    fold.take(texts, None if at_once else [])
    return fold


def seen(fold: Replay) -> list[object]:
    """Return all results of a replayed round."""
    rnd, played = fold.rnd, fold.played
    hands = rnd.hands
    knowledge = (
        [hands.known, hands.unknown_count, hands.buried_count, hands.unseen]
        if rnd.has_hands
        else []
    )
    return [
        *(
            rnd.setup,
            played.entries,
            played.ignored,
            played.failed_entry,
            played.over,
            played.changes,
        ),
        *(rnd.waiting(), rnd.prompt(), rnd.conflicts, rnd.seating.tally, rnd.acted),
        *(phase.view(rnd).as_json() for phase in rnd.rules.phases.values()),
        *((number, finding.code, finding.reason) for number, finding in played.findings),
        *((line.code, line.to, line.points) for line in played.lines),
        *((trick.winner, trick.points, trick.plays) for trick in rnd.tricks),
        *knowledge,
        standing_after(rnd),
    ]


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("faults", [1, FAULTS])
def test_entries_at_once_come_to_what_they_come_to_one_by_one(
    name: str, seed: int, known: bool, faults: int
) -> None:
    played = evening(name, seed)
    random = Random(f"{name} {seed}")
    said = [each.known if known else each.unseen for each in played.all()]
    texts = [text for text in said if text]
    match = played.fresh()
    for _ in range(FAULTS):
        entries = changed(texts, random, faults)
        assert seen(folded(match, entries, at_once=True)) == seen(
            folded(match, entries, at_once=False)
        )
