"""Remedies: the law of a ruleset says what follows from a fault, once it is claimed.

The phase is part of rulesets with [remedies]. `state` has the compiled rows, the faults of a round
and the syntax of claims. `claims` handles windows and claims, `decisions` the effects of choices.
`view` has notes and the view, `phase` the phase and its clauses.
"""

from scorekeeper.phases.remedies import phase
from scorekeeper.phases.remedies.phase import Remedies

__all__ = ["Remedies", "phase"]
