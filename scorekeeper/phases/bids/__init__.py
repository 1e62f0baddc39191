"""A chain of bids on all dice, each higher than the last, until somebody calls.

`words` is what may be said and how a bid is written, `state` the bids of a round, `course` who
bids and calls, `barring` the rows that bar bids, `passing` the bids that are known to pass them,
`clauses` the clause words, `telling` how it is told.
"""

from scorekeeper.phases.bids import clauses
from scorekeeper.phases.bids.course import Bids
from scorekeeper.phases.bids.state import State

__all__ = ["Bids", "State", "clauses"]
