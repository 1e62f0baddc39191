"""An act of a bout that is seen at a glance to be legal is one that judging finds nothing wrong
with, and that can happen: tried with everything that anybody could do, at moments of random
evenings."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper import Failure, Impossible, Match, load_ruleset
from scorekeeper.notation import Entry
from scorekeeper.phases.bouts import Bouts
from scorekeeper.phases.bouts.verbs import ATTACK, COVER, DRAW, PASS, TAKE, TRANSFER
from scorekeeper.play.referee import judge
from tests.effort import tries
from tests.random_play import SHIPPED, Evening, evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.play.round import Round

SEEDS = tries(2)
BOUTS = [name for name in SHIPPED if "bouts" in rules_of(name).phases]
ASKED = 0.1  # the share of moments at which everything is tried
seeded = pytest.mark.parametrize("seed", SEEDS)


def moments(played: Evening, seed: int, *, known: bool) -> Iterator[Round]:
    """The round of an evening, at some of the moments at which somebody may do something."""
    match, random = played.fresh(), Random(seed)
    for said in played.all():
        text = said.known if known else said.unseen
        if text:
            match.record(text)
        rnd = match.live
        if random.random() < ASKED and isinstance(rnd.phase, Bouts) and not rnd.conflicts:
            yield rnd


def acts(rnd: Round, random: Random) -> Iterator[Entry]:
    """What anybody could do with one card, and some of what they could do with several."""
    kinds = range(rnd.rules.pack.size)
    attacks = {*rnd.state(rnd.rules.phase(Bouts)).attacks, random.choice(kinds)}
    for seat in rnd.seats:
        several = [tuple(random.choices(kinds, k=number)) for number in (2, 2, 2, 3, 3)]
        held = rnd.rules.pack.kinds_in(rnd.hands.sure[seat])
        several += [tuple(random.sample(held, min(2, len(held)))) or (0,) for _ in range(4)]
        for cards in [*((kind,) for kind in kinds), *several]:
            yield from (Entry(verb, seat, cards) for verb in (ATTACK, TRANSFER, DRAW))
        for attack in attacks:
            yield from (Entry(COVER, seat, (attack, kind)) for kind in kinds)
        yield from (Entry(verb, seat, None) for verb in (TAKE, PASS))


def finds_nothing(rnd: Round, entry: Entry) -> bool:
    """Whether judging finds nothing, and the act can happen."""
    try:
        found = judge(rnd, entry)
        rnd.copy().apply(entry, [])
    except Impossible:
        return False
    return found == []


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", BOUTS)
@seeded
def test_what_is_legal_at_a_glance_is_judged_so(name: str, seed: int, known: bool) -> None:
    random = Random(seed)
    for rnd in moments(evening(name, seed), seed, known=known):
        bouts = rnd.rules.phase(Bouts)
        for entry in acts(rnd, random):
            if bouts.legal_at_a_glance(rnd, entry):
                assert finds_nothing(rnd, entry), (entry.verb.word, entry.seat, entry.value)


@pytest.mark.parametrize("name", BOUTS)
@seeded
def test_the_glance_sees_every_legal_card_of_a_known_hand(name: str, seed: int) -> None:
    for rnd in moments(evening(name, seed), seed, known=True):
        bouts = rnd.rules.phase(Bouts)
        notes = rnd.state(bouts).watched is not None  # it is told who had the lowest trump
        for entry in acts(rnd, Random(seed)):
            if entry.verb is DRAW or notes or entry.verb not in bouts.glances.by_verb:
                continue
            single = entry.value is None or len(entry.value) == 1 or entry.verb is COVER
            if single and finds_nothing(rnd, entry):
                assert bouts.legal_at_a_glance(rnd, entry), (entry.verb.word, entry.value)


def test_there_is_something_to_glance_at() -> None:
    for name in BOUTS:
        seen = {verb.word for verb in rules_of(name).phase(Bouts).glances.by_verb}
        assert {"attack", "cover", "take", "pass"} <= seen, name


def test_a_card_put_back_is_not_seen_at_a_glance() -> None:
    match = Match(load_ruleset("durak-spades-transfer"), ["Ana", "Ben", "Cleo"])
    for text in ("turnup 6S", "turnup 9H", "lead Ana"):
        match.record(text)
    entry = match.notation.read("Ana: attack 6S")
    assert not match.live.rules.phase(Bouts).legal_at_a_glance(match.live, entry)
    with pytest.raises(Failure, match="went back into the talon"):
        match.record(entry.text)
