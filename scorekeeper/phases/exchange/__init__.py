"""Cards owed since the last round: the master's worst for the best of the player who owes.

The `exchange` entry is the claim. It comes before certain verbs or it lapses; it is cancelled by
somebody of the owing side who shows what the ruleset names. `syntax` is how a swap is typed,
`state` what is owed, `course` what happens, `telling` how it stands in words, `clauses` the rules.
"""

from scorekeeper.phases.exchange import clauses
from scorekeeper.phases.exchange.course import Exchange
from scorekeeper.phases.exchange.state import State

__all__ = ["Exchange", "State", "clauses"]
