"""The cards nobody drew: turned up for all to see, taken or left by the master, and buried.

The master leads when that is done; a lead before it belongs to a phase that has not begun. `state`
is how far it is, `course` what happens in which order, `telling` how it stands in words, `clauses`
the rules.
"""

from scorekeeper.phases.kitty import clauses
from scorekeeper.phases.kitty.course import Kitty
from scorekeeper.phases.kitty.state import State

__all__ = ["Kitty", "State", "clauses"]
