"""Proofs over unseen hands: how early and how often they are reported, and their cost."""

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

DEALS = 1_000  # Deals of each ruleset, each with a forbidden card.
QUICK = ("belote", "doppelkopf", "hearts", "schafkopf")  # A quick run has only some of them.
WITHOUT = 10_000  # Deals in all.
TIMED, PASSES, TRIES = 60, 3, 3
DEAREST = 5  # Deals that are measured again.


class Told(NamedTuple):
    """The races of one ruleset, each with the entry of its forbidden card."""

    revokes: list[int]
    races: list[Race]


def rulesets(run: Run) -> Sequence[str]:
    """Return the games that are played."""
    return QUICK if run.quick else RULESETS


def raced(name: str, seeds: range, revoke: bool) -> Iterator[tuple[Deal, Race]]:
    """Yield deals of a ruleset with their races.

    Garbage of earlier deals is collected in between, so that no entry pays for it.
    """
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
    """Return the races of all deals of a ruleset with a forbidden card."""

    def make() -> Told:
        seeds = range(run.size(DEALS, 20))
        races = [(dealt.revoke, race) for dealt, race in raced(name, seeds, True)]
        return Told([each for each, _ in races], [race for _, race in races])

    found: Told = run.once(f"proofs {name}", make)
    return found


def early(name: str, run: Run) -> Found:
    """Measure the percentage of deals in which the forbidden card is reported as early as possible.

    Each deal is whole and unseen and has one forbidden card. The card, or a group with it, must be
    reported with the first entry that proves it. Nothing else may be reported.
    """
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
    """Count the findings and groups that accuse a player in whole unseen deals without a fault."""
    names, found, count = rulesets(run), 0, 0
    for name in names:
        for _, race in raced(name, range(run.size(WITHOUT, 80) // len(names)), False):
            found += len(race.others)
            count += 1
    return Found(found, f"in {count:,} deals")


def dearest(run: Run) -> Found:
    """Measure the slowest entry of all these deals with a forbidden card, without garbage
    collection.

    The slowest deals are measured again, and the least time of each entry counts.
    """
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
    """Compare whole deals with no hand given to the same deals with all hands given.

    Each deal is entered at once. The figure is that of the ruleset with the highest ratio.
    """
    found = []
    for name in rulesets(run):
        seeds = range(run.size(TIMED, 15))
        deals = [deal(name, seed, revoke) for seed in seeds]
        known, not_known = least(PASSES, partial(play, deals, True), partial(play, deals, False))
        found.append((not_known / known, name))
    note = ", ".join(f"{name} {ratio:.2f}" for ratio, name in sorted(found, reverse=True))
    return Found(max(found)[0], note)


def play(deals: list[Deal], known: bool) -> None:
    """Enter whole deals at once, in one warm match."""
    match = Match(load_ruleset(deals[0].ruleset), list(deals[0].names))
    first = match.standing
    for each in deals:
        match.rounds.clear()
        match.play_round(each.texts(known), first)


def rows() -> list[Row]:
    """Return the rows about proofs."""
    return [
        *(Row(f"proofs: {name}", partial(early, name), least=100, unit=" %") for name in RULESETS),
        Row("proofs: told of deals without a fault", false, most=0),
        Row("proofs: the dearest entry", dearest, most=20, unit=" ms"),
        Row("proofs: unseen against known", partial(unseen, False), most=1.5),
        Row("proofs: the same with a fault", partial(unseen, True), most=1.5),
    ]
