"""Bidding before play: who may play what, by numbers, by contracts, or by both.

`verbs` is what may be said, `state` who has said what, `turns` whose turn it is and when the
bidding is over, `contracts` which bid is the higher and which may be made, `course` what comes of
it, `results` an outcome that a result tells of, `telling` how it stands in words, `clauses` the
rules.
"""

from scorekeeper.phases.auction import clauses
from scorekeeper.phases.auction.course import Auction
from scorekeeper.phases.auction.state import State

__all__ = ["Auction", "State", "clauses"]
