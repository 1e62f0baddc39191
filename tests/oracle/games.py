"""The small games in which every world is examined, and the comparison with the referee."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from tests.oracle.small_calls import Calling
from tests.oracle.small_duties import Conditional, Dutiful
from tests.oracle.small_moves import (
    ConditionalGiving,
    ConditionalKitty,
    ConditionalStock,
    Giving,
    GivingSets,
    Kitty,
    KittySets,
    Stock,
)
from tests.oracle.small_sets import InRuns, InSets
from tests.oracle.small_tricks import (
    NO_REST,
    SHAPES,
    SOME_LEFT,
    TO_DRAW,
    TO_PAIR,
    TO_RUN,
    WITH_QUEENS,
    Careless,
    Shape,
)
from tests.oracle.verdicts import (
    differences,
    group_differences,
    replayed_differently,
    verdicts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Game = Callable[[Random], Careless]
Told = tuple[str, list[str]]
"""A description of the difference, and the entries up to that point."""


KINDS: dict[str, tuple[type[Careless], list[Shape]]] = {
    "follow": (Careless, SHAPES),
    "duties": (Dutiful, SHAPES),
    "conditions": (Conditional, SHAPES),
    "giving": (Giving, NO_REST),
    "kitty": (Kitty, SOME_LEFT),
    "stock": (Stock, TO_DRAW),
    "giving, conditions": (ConditionalGiving, NO_REST),
    "kitty, conditions": (ConditionalKitty, SOME_LEFT),
    "giving, sets": (GivingSets, [Shape(2, "AK", "CS", 2, 4), Shape(3, "AKQ", "CS", 2, 4)]),
    "kitty, sets": (KittySets, [Shape(3, "AKQ", "CS", 2, 3), Shape(3, "AK", "CS", 3, 3)]),
    "stock, conditions": (ConditionalStock, TO_DRAW),
    "sets": (InSets, TO_PAIR),
    "runs": (InRuns, TO_RUN),
    "calls": (Calling, WITH_QUEENS),
}
GAMES: dict[str, Game] = {
    f"{kind} {' '.join(map(str, shape))}": partial(made, shape)
    for kind, (made, shapes) in KINDS.items()
    for shape in shapes
}


def compared(name: str, seed: int, groups: bool = True) -> Iterator[Told]:
    """Play a deal. Return the differences between the referee's findings and the provable ones.

    They are compared after each entry.
    """
    deal = GAMES[name](Random(f"{name} {seed}"))
    told: list[Told] = []

    def look() -> None:
        found = verdicts(deal.match, deal.codes)
        assert deal.worlds.proven() <= deal.broken, "the worlds themselves are wrong"
        what = differences(found, deal.worlds)
        if groups and not what:
            what = group_differences(found, deal.worlds)
        told.extend((each, [*deal.rules, *deal.said]) for each in what)

    deal.begin(look)
    deal.play(look)
    told.extend((each, [*deal.rules, *deal.said]) for each in replayed_differently(deal.match))
    return iter(told)
