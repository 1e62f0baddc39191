"""The clause words of a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_
from scorekeeper.phases.boxes.phase import FILLED, Boxes
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.ruleset import Ruleset


@clause(
    "once",
    "boxes",
    on=("fill", "strike"),
    say=FILLED,
    doc="Each box of a column may be filled only once.",
)
def _once(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Boxes).find_filled


@clause(
    "fits",
    "boxes",
    on=("fill",),
    say=N_("{dice} does not fit {box}; “{legal}” writes 0 there"),
    doc="A throw must have what its box needs, unless it is a joker.",
)
def _fits(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Boxes).find_misfit


@clause(
    "possible",
    "boxes",
    on=("fill",),
    say=N_("{number} is not possible in {box}; possible: {allowed}"),
    doc="If only points are entered, some throw that fits the box must have them.",
)
def _possible(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Boxes).find_impossible_points


@clause(
    "joker",
    "boxes",
    on=("fill",),
    say=N_("{who} has no joker: {box} is still free"),
    doc=(
        "A throw may be called a joker only if the box of the key `joker` is filled in each column,"
        " and the throw fits this box."
    ),
)
def _joker(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Boxes).find_no_joker


@clause(
    "forced",
    "boxes",
    on=("fill",),
    say=N_("{who} cannot use the joker in {box}; possible: {legal}"),
    doc="A joker must be used in the section of the key `first`, if a box with points is free.",
)
def _forced(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Boxes).find_wrong_use


@clause(
    "in-order",
    "boxes",
    on=("fill", "strike"),
    say=N_("{who} cannot fill {box} in the column {column} before {next}"),
    doc="The boxes of a column in `downward` or `upward` are filled in this order.",
)
def _in_order(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Boxes).find_out_of_order
