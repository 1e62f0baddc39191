"""Before play everyone says in turn whether they play the ordinary game, or something else.

The strongest wish becomes the contract. `wishes` is what one may say, `needs` what the hand must
have for it, `contracts` which wish is the stronger, `state` who has said what, `course` the turns,
`results` a contract that a result tells of, `telling` how it stands in words, `clauses` the rules.
"""

from scorekeeper.phases.reservations import clauses
from scorekeeper.phases.reservations.course import Reservations
from scorekeeper.phases.reservations.state import State

__all__ = ["Reservations", "State", "clauses"]
