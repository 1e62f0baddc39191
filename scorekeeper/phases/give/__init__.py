"""Cards that players give away before play, seen or unseen: to the left, across, to a partner.

All of them are given before any is taken up, so what was received is not passed on. `state` is who
has given what, `syntax` how that is typed, `course` when the cards move, `clauses` how many and to
whom.
"""

from scorekeeper.phases.give import clauses
from scorekeeper.phases.give.course import Give
from scorekeeper.phases.give.state import State

__all__ = ["Give", "State", "clauses"]
