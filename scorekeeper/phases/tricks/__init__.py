"""Tricks: everyone plays cards in turn, and the best takes them all.

`state` has the trick on the table and the shapes of cards, `acts` the effects of playing. `rules`
are the clauses, `measures` what expressions may name, `view` what is shown. `phase` puts them
together.
"""

from scorekeeper.phases.tricks import rules
from scorekeeper.phases.tricks.phase import Tricks
from scorekeeper.phases.tricks.state import State

__all__ = ["State", "Tricks", "rules"]
