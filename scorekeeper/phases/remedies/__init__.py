"""Remedies: the ruleset's law, which decides the consequence of a fault once it is claimed.

Rulesets with [remedies] have this phase. `state` contains the compiled rows, the faults of a round
and the syntax of claims. `claims` handles windows and claims, and `decisions` the effects of
choices. `view` contains the notes and the view, `phase` the phase and its clauses.
"""

from scorekeeper.phases.remedies import phase
from scorekeeper.phases.remedies.phase import Remedies

__all__ = ["Remedies", "phase"]
