"""What the tricks are worth: points and tricks by side, special points, who has won.

It reads the tricks that stand in the round, or takes a deal by its result alone. `state` are the
totals, `course` says who has won, `specials` finds special points, `results` reads the words of a
result, `telling` says what the score rests on.
"""

from scorekeeper.phases.counting.course import Counting
from scorekeeper.phases.counting.state import State

__all__ = ["Counting", "State"]
