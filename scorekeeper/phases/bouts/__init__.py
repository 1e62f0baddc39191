"""Bouts: somebody attacks, the next one covers or takes, hands are filled up; who is left loses.

Everything is decided by the table and by how many cards each holds, so hands may be unseen.
From the bottom up, each file knows only those before it:

- `state`: the deal as it stands, what a ruleset sets, what may be entered, who attacks whom;
- `acts`: what each entry changes, from the start of a deal to who has lost;
- `view`: how it stands, for people and programs;
- `phase`: the phase, which puts these together;
- `rules`: the clause words.
"""

from scorekeeper.phases.bouts import rules
from scorekeeper.phases.bouts.phase import Bouts

__all__ = ["Bouts", "rules"]
