"""Trick taking: every player plays in turn, and the best cards take the trick.

`state` holds the trick on the table, the card combinations, and the acts that change them. `rules`
contains the clauses, `view` formats the output, and `phase` defines the phase and its measures.
"""

from scorekeeper.phases.tricks import rules
from scorekeeper.phases.tricks.phase import Tricks
from scorekeeper.phases.tricks.state import State

__all__ = ["State", "Tricks", "rules"]
