"""Bouts of attacks and covers: a player attacks, the next one covers or takes.

`phase` has the class, `state` the state and the settings, `acts` the effects of each entry,
`rules` the clause words, `view` the texts.
"""

from scorekeeper.phases.bouts import rules
from scorekeeper.phases.bouts.phase import Bouts

__all__ = ["Bouts", "rules"]
