"""A play that is seen at a glance to be legal is one that judging finds nothing wrong with: tried
with every card of the pack, for everyone, at each moment of random evenings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.core.failures import Impossible
from scorekeeper.notation import Entry
from scorekeeper.phases.tricks import Tricks
from scorekeeper.play.referee import judge
from tests.effort import tries
from tests.random_play import SHIPPED, evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.play.round import Round

SEEDS = tries(2)
TRICKS = [name for name in SHIPPED if "tricks" in rules_of(name).phases]
GLANCING = [name for name in TRICKS if rules_of(name).phase(Tricks).glances]
# Where a duty can be void because an earlier one was met, that is not seen at a glance.
EXACT = [name for name in GLANCING if len(rules_of(name).phase(Tricks).duties) == 1]
seeded = pytest.mark.parametrize("seed", SEEDS)


def moments(name: str, seed: int, *, known: bool) -> Iterator[Round]:
    """The round of an evening, each time that somebody is to play to a trick."""
    played = evening(name, seed)
    match = played.fresh()
    for said in played.all():
        text = said.known if known else said.unseen
        if text:
            match.record(text)
        if isinstance(match.live.phase, Tricks):
            yield match.live


def plays(rnd: Round) -> Iterator[tuple[Tricks, Entry]]:
    """Every card of the pack, played by everyone; and two cards."""
    tricks = rnd.rules.phase(Tricks)
    kinds = range(rnd.rules.pack.size)
    for seat in rnd.seats:
        for kind in kinds:
            yield tricks, Entry(tricks.play, seat, (kind,))
        yield tricks, Entry(tricks.play, seat, (kinds[0], kinds[0]))


def finds_nothing(rnd: Round, entry: Entry) -> bool:
    try:
        return judge(rnd, entry) == []
    except Impossible:
        return False


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", TRICKS)
@seeded
def test_what_is_legal_at_a_glance_is_judged_so(name: str, seed: int, known: bool) -> None:
    for rnd in moments(name, seed, known=known):
        for tricks, entry in plays(rnd):
            if tricks.legal_at_a_glance(rnd, entry):
                assert finds_nothing(rnd, entry), (entry.seat, entry.value)


@pytest.mark.parametrize("name", EXACT)
@seeded
def test_the_glance_sees_every_legal_card_of_a_known_hand(name: str, seed: int) -> None:
    for rnd in moments(name, seed, known=True):
        for tricks, entry in plays(rnd):
            if len(entry.value) == 1 and finds_nothing(rnd, entry):
                assert tricks.legal_at_a_glance(rnd, entry), (entry.seat, entry.value)


def test_there_is_something_to_glance_at() -> None:
    assert EXACT
    assert len(GLANCING) > len(EXACT)
