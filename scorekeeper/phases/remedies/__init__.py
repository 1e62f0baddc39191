"""What the law says once something was wrong: who may claim it, until when, what follows.

There where a ruleset has [remedies]. `rows` are its rows, compiled; `syntax` what is typed;
`state` what was wrong in a round; `windows` who may still claim it; `claims` what is claimed and
weighed; `deciding` what follows of each choice, `carrying` how it happens; `clauses` who may say
what; `telling` what is told of it; `course` is the phase.
"""

from scorekeeper.phases.remedies import phase
from scorekeeper.phases.remedies.phase import Remedies

__all__ = ["Remedies", "phase"]
