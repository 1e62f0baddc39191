"""Sets of cards that are taken at once are those with which judging finds nothing wrong: tried with
sets of every card and with cards by chance, for everyone, at each moment of random evenings."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper.core.failures import Impossible
from scorekeeper.notation import Entry
from scorekeeper.phases.tricks import Tricks
from scorekeeper.play.referee import judge
from tests.random_play import SHIPPED, evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.play.round import Round

SEEDS = range(2)
WHOLE = 1  # a seed of an evening with whole deals
EVERY = 8  # moments, of which one is looked at
MIXED = 30  # plays of cards by chance, for everyone
WITH_SETS = [
    name
    for name in SHIPPED
    if "tricks" in rules_of(name).phases and rules_of(name).phase(Tricks).shapes.most > 1
]


def answers(name: str) -> bool:
    """Whether who has sets must answer a set with them, which is judged."""
    return rules_of(name).phase(Tricks).shapes.answered


def moments(name: str, seed: int, *, known: bool) -> Iterator[Round]:
    """The round of an evening, now and then when somebody is to play to a trick."""
    played = evening(name, seed)
    match = played.fresh()
    for number, said in enumerate(played.all()):
        text = said.known if known else said.unseen
        if text:
            match.record(text)
        if number % EVERY == 0 and isinstance(match.live.phase, Tricks):
            yield match.live


def plays(rnd: Round, random: Random) -> Iterator[Entry]:
    """Sets of every kind, and as many cards as were led or another number, mostly of the hand."""
    tricks, hands, pack = rnd.rules.phase(Tricks), rnd.hands, rnd.rules.pack
    size = max(1, rnd.state(tricks).size)
    for seat in rnd.seats:
        for kind in range(pack.size):
            for alike in range(1, pack.copies + 1):
                yield Entry(tricks.play, seat, (kind,) * alike)
        held = pack.kinds_in(hands.sure[seat]) or pack.kinds_in(hands.unseen)
        for _ in range(MIXED):
            wanted = min(size, len(held)) or 1
            yield Entry(tricks.play, seat, tuple(random.sample(held, wanted)) if held else (0,))


def is_plain(rnd: Round, entry: Entry) -> bool:
    """Whether it is taken without being judged, or with what is open of it."""
    return rnd.copy().take_plain([entry], 0) == 1


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", WITH_SETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_taken_as_plain_is_judged_so(name: str, seed: int, known: bool) -> None:
    random = Random(seed)
    for rnd in moments(name, seed, known=known):
        for entry in plays(rnd, random):
            if is_plain(rnd, entry):
                verdicts = {finding.verdict for finding in judge(rnd, entry)}
                assert verdicts <= {"open"}, (entry.seat, entry.value)


@pytest.mark.parametrize("name", [each for each in WITH_SETS if not answers(each)])
def test_every_legal_play_in_turn_of_a_known_hand_is_plain(name: str) -> None:
    random, seen = Random(name), 0
    for rnd in moments(name, WHOLE, known=True):
        state = rnd.state(rnd.rules.phase(Tricks))
        if state.early or state.barred:
            continue
        for entry in plays(rnd, random):
            if entry.seat == state.to_play(rnd.leader) and nothing_wrong(rnd, entry):
                assert is_plain(rnd, entry), entry.value
                seen += 1
    assert seen


def nothing_wrong(rnd: Round, entry: Entry) -> bool:
    try:
        return judge(rnd, entry) == []
    except Impossible:
        return False
