"""Proofs over unseen hands: how early, how often, and what they cost."""

from __future__ import annotations

import gc
from functools import partial
from heapq import nlargest
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper import Match, load_ruleset
from tests.benchmarks.shape import Found, Row, Run, least
from tests.oracle.deals import RULESETS, deal
from tests.oracle.racing import Race, Racer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.oracle.revokes import Deal

DEALS = 1_000  # of each ruleset, each with a forbidden card
QUICK = ("belote", "doppelkopf", "hearts", "schafkopf")  # of which a quick run has some
WITHOUT = 10_000  # deals in all
TIMED, PASSES, TRIES = 60, 3, 3
DEAREST = 5  # deals that are looked at again


class Told(NamedTuple):
    """The races of one ruleset, each with the entry of its forbidden card."""

    revokes: list[int]
    races: list[Race]


def rulesets(run: Run) -> Sequence[str]:
    """The games that are played."""
    return QUICK if run.quick else RULESETS


def raced(name: str, seeds: range, revoke: bool) -> Iterator[tuple[Deal, Race]]:
    """Deals of a ruleset, each told entry by entry; no entry pays for what was made before it."""
    for seed in seeds:
        dealt = deal(name, seed, revoke)
        if seed % 10 == 0:
            gc.collect()
        gc.disable()
        try:
            yield dealt, Racer(dealt).run()
        finally:
            gc.enable()


def told(run: Run, name: str) -> Told:
    """All deals of a ruleset with a forbidden card."""

    def make() -> Told:
        seeds = range(run.size(DEALS, 20))
        races = [(dealt.revoke, race) for dealt, race in raced(name, seeds, True)]
        return Told([each for each, _ in races], [race for _, race in races])

    found: Told = run.once(f"proofs {name}", make)
    return found


def early(name: str, run: Run) -> Found:
    """Of whole unseen deals with a forbidden card in each: in how many of a hundred it is told, and
    a group that holds it named, with the very entry that leaves no distribution of the unseen
    cards in which all was allowed (or neither, if there is none), and nothing else is told."""
    revokes, races = told(run, name)
    proven = [
        race.provable - revoke for revoke, race in zip(revokes, races, strict=True) if race.provable
    ]
    groups = sum(race.group_provable > 0 for race in races)
    good = sum(race.as_early_as_can_be for race in races)
    late = [race.told - race.provable for race in races if race.told > race.provable]
    note = f"after {median(proven):g} entries, at most {max(proven)}; a group first in {groups}"
    unnamed = sum(race.unnamed for race in races)
    if unnamed:
        note += f", the card and not yet the rule in {unnamed}"
    if len(proven) < len(races):
        note += f"; not provable {len(races) - len(proven)}"
    if late:
        note += f"; late {len(late)}, by up to {max(late)}"
    return Found(100 * good / len(races), note)


def false(run: Run) -> Found:
    """Findings that accuse somebody, and groups, at any entry of whole unseen deals in which
    nothing is forbidden."""
    names, found, count = rulesets(run), 0, 0
    for name in names:
        for _, race in raced(name, range(run.size(WITHOUT, 80) // len(names)), False):
            found += len(race.others)
            count += 1
    return Found(found, f"in {count:,} deals")


def dearest(run: Run) -> Found:
    """The dearest single entry of all these deals with a forbidden card, the collector of Python
    apart; the dearest deals are told again, and of each entry's times the least counts."""
    races = [
        (race.dearest, name, seed)
        for name in rulesets(run)
        for seed, race in enumerate(told(run, name).races)
    ]
    again = [
        (
            min(
                race.dearest
                for _ in range(TRIES)
                for _, race in raced(name, range(seed, seed + 1), True)
            ),
            name,
            seed,
        )
        for _, name, seed in nlargest(DEAREST, races)
    ]
    worst, name, seed = max(again)
    return Found(worst, f"{name}, deal {seed}")


def unseen(revoke: bool, run: Run) -> Found:
    """The time of whole deals whose hands are not given, against the same with all hands given,
    both told at once: the ruleset for which it is most."""
    found = []
    for name in rulesets(run):
        seeds = range(run.size(TIMED, 15))
        deals = [deal(name, seed, revoke) for seed in seeds]
        known, not_known = least(PASSES, partial(play, deals, True), partial(play, deals, False))
        found.append((not_known / known, name))
    note = ", ".join(f"{name} {ratio:.2f}" for ratio, name in sorted(found, reverse=True))
    return Found(max(found)[0], note)


def play(deals: list[Deal], known: bool) -> None:
    """Tell whole deals at once, in one warm match."""
    match = Match(load_ruleset(deals[0].ruleset), list(deals[0].names))
    first = match.standing
    for each in deals:
        match.rounds.clear()
        match.play_round(each.texts(known), first)


def rows() -> list[Row]:
    """The rows about proofs."""
    return [
        *(Row(f"proofs: {name}", partial(early, name), least=100, unit=" %") for name in RULESETS),
        Row("proofs: told of deals without a fault", false, most=0),
        Row("proofs: the dearest entry", dearest, most=20, unit=" ms"),
        Row("proofs: unseen against known", partial(unseen, False), most=1.5),
        Row("proofs: the same with a fault", partial(unseen, True), most=1.5),
    ]
