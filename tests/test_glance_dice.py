"""A bid or a call that is seen at a glance to be legal is one that judging finds nothing wrong
with: tried with many bids and every call, for everyone, at each moment of random evenings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scorekeeper.core.failures import Impossible
from scorekeeper.notation import Entry
from scorekeeper.phases.bids import Bids
from scorekeeper.phases.bids.words import TO_BID
from scorekeeper.play.referee import judge
from tests.random_play import DICE, evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.play.round import Round

SEEDS = range(2)
seeded = pytest.mark.parametrize("seed", SEEDS)
named = pytest.mark.parametrize("name", DICE)


def moments(name: str, seed: int) -> Iterator[Round]:
    """The round of an evening, each time that somebody is to bid or call."""
    played = evening(name, seed)
    match = played.fresh()
    for said in played.all():
        if said.known:
            match.record(said.known)
        if isinstance(match.live.phase, Bids):
            yield match.live


def acts(rnd: Round) -> Iterator[tuple[Bids, Entry]]:
    """Bids about as high as the last one and beyond all dice, and the calls; by everyone."""
    bids = rnd.rules.phase(Bids)
    last, dice = rnd.state(bids).last, rnd.dice()
    around = last.number if last is not None else 1
    counts = {*range(around // 2, around * 2 + 3), dice, dice + 1, 9999}
    for seat in range(len(rnd.names)):
        for face in bids.faces:
            yield from ((bids, Entry(TO_BID, seat, (count, face))) for count in counts)
        yield from ((bids, Entry(call, seat, None)) for call in bids.calls)


def finds_nothing(rnd: Round, entry: Entry) -> bool:
    try:
        return judge(rnd, entry) == []
    except Impossible:
        return False


@named
@seeded
def test_what_is_legal_at_a_glance_is_judged_so(name: str, seed: int) -> None:
    for rnd in moments(name, seed):
        for bids, entry in acts(rnd):
            if bids.legal_at_a_glance(rnd, entry):
                assert finds_nothing(rnd, entry), (entry.seat, entry.word, entry.value)


@named
@seeded
def test_every_legal_bid_of_who_is_next_is_seen_at_a_glance(name: str, seed: int) -> None:
    for rnd in moments(name, seed):
        for bids, entry in acts(rnd):
            if entry.verb is TO_BID and finds_nothing(rnd, entry):
                assert bids.legal_at_a_glance(rnd, entry), (entry.seat, entry.value)


@pytest.mark.parametrize("name", [name for name in DICE if "exact" in rules_of(name).verbs])
def test_calls_of_who_is_next_are_seen_at_a_glance(name: str) -> None:
    """Where a call needs more than that, it is judged."""
    glanced = rules_of(name).phase(Bids).glanced
    assert "doubt" in glanced
    assert ("exact" in glanced) == ("enough-players" not in rules_of(name).clauses)
