"""What every table says, whatever is played: facts of the start, corrections, results.

Always there, beside the other phases. `course` is the phase, `about_start` and `about_round` are
what it does with each verb; it also owns the clause words that every phase may use, in `clauses`
and, about cards in hands, in `held`.
"""

from scorekeeper.phases.table import clauses, held
from scorekeeper.phases.table.course import Table

__all__ = ["Table", "clauses", "held"]
