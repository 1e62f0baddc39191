"""Bouts: somebody attacks, the next one covers or takes, hands are filled up; who is left loses.

Everything is decided by the table and by how many cards each holds, so hands may be unseen. `keys`
are what a ruleset may set, `state` is the table, `course` runs the bouts, `clauses` say what may
be laid.
"""

from scorekeeper.phases.bouts import clauses
from scorekeeper.phases.bouts.course import Bouts
from scorekeeper.phases.bouts.state import State

__all__ = ["Bouts", "State", "clauses"]
