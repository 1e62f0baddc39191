"""The cards nobody drew: turned up for all to see or not, taken or left by one player, and buried.

Who leads does so when that is done; a lead before it belongs to a phase that has not begun. `state`
is how far it is, `course` what happens in which order, `telling` how it stands in words, `clauses`
the rules.
"""

from scorekeeper.phases.kitty import clauses
from scorekeeper.phases.kitty.course import Kitty
from scorekeeper.phases.kitty.state import State

__all__ = ["Kitty", "State", "clauses"]
