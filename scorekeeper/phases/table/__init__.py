"""What every table says, whatever is played: facts of the start, corrections, results.

Always there, beside the other phases. `course` is the phase, `facts` what is so before the first
act, `remarks` what is said of the round; it also owns the clause words that every phase may use,
in `clauses` and, about cards in hands, in `held`.
"""

from scorekeeper.phases.table import clauses, held
from scorekeeper.phases.table.course import Table

__all__ = ["Table", "clauses", "held"]
