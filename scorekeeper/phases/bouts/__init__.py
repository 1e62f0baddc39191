"""Bouts of attacks and covers: a player attacks, and the next player covers the attack or takes it.

`phase` contains the phase class, `state` the state and the settings, `acts` the effects of
each entry, `rules` the clause words, and `view` the texts.
"""

from scorekeeper.phases.bouts import rules
from scorekeeper.phases.bouts.phase import Bouts

__all__ = ["Bouts", "rules"]
