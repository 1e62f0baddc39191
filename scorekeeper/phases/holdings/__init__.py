"""Cards that are announced, shown or only named, for points or for their effect.

`rows` is what may be announced, as the ruleset has it; `state` what was, `syntax` how that is
typed; `course` what comes of it, `best` whose counts where only the best do, `clauses` the rules,
`telling` how it stands in words.
"""

from scorekeeper.phases.holdings import clauses
from scorekeeper.phases.holdings.course import Holdings
from scorekeeper.phases.holdings.state import State

__all__ = ["Holdings", "State", "clauses"]
