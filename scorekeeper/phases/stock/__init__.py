"""Cards that are drawn during play: after each trick one for each, until there are none, or until
somebody closes the stock.

`state` is what has become of the stock, `course` when it is drawn from, `syntax` how a card that
was drawn is typed, `clauses` who may close it or swap the card that was turned up, `telling` how it
stands in words.
"""

from scorekeeper.phases.stock import clauses
from scorekeeper.phases.stock.course import Stock
from scorekeeper.phases.stock.state import State

__all__ = ["State", "Stock", "clauses"]
