"""Bouts: somebody attacks, the next one covers or takes, hands are filled up; who is left loses.

Everything is decided by the table and by how many cards each holds, so hands may be unseen.
From the bottom up, each file knows only those before it:

- `keys`: what a ruleset may set; `terms`: the settings, compiled; `verbs`: what may be entered;
- `state`: the deal as it stands;
- `seats`: who attacks whom; `results`: who has lost; `ending`: how a bout ends; `opening`: how a
  deal starts; `acts`: what each entry does;
- `options`: what may be done now; `telling` and `snapshot`: how it stands, for people and programs;
- `course`: the phase, which puts these together; `clauses_…`: the words for what may be laid.
"""

from scorekeeper.phases.bouts import rules
from scorekeeper.phases.bouts.phase import Bouts

__all__ = ["Bouts", "rules"]
