"""Trick taking: every player plays in turn, and the best cards take the trick.

`state` holds the trick on the table and the acts that change it, and `shapes` the combinations that
may be led. `rules` and `throws` contain the clauses, `view` formats the output, `measures` defines
the names for expressions, and `phase` defines the phase.
"""

from scorekeeper.phases.tricks import rules, throws
from scorekeeper.phases.tricks.phase import Tricks
from scorekeeper.phases.tricks.state import State

__all__ = ["State", "Tricks", "rules", "throws"]
