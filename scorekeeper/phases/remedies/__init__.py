"""What the law says once something was wrong: who may claim it, until when, what follows.

There where a ruleset has [remedies]. `state` has its rows, compiled, what was wrong in a round, and
what is typed; `claims` who may claim what until when, and what is weighed; `decisions` what follows
of each choice, and how it happens; `view` what is told of it; `phase` is the phase and its clauses.
"""

from scorekeeper.phases.remedies import phase
from scorekeeper.phases.remedies.phase import Remedies

__all__ = ["Remedies", "phase"]
