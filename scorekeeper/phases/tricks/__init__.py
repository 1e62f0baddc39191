"""Tricks: who leads, what must be followed, who wins them and what is in them.

A play is one card, or what the ruleset's `[shapes]` allow to be laid together. Which card beats
which is an order (`[orders]`), which may depend on the level and the trump.

`state` is the table, what may be laid together, what answers it; `acts` what a card that is laid
changes, and what was won; `measures` what expressions may ask; `view` says how it all stands;
`phase` whose turn it is, who takes a trick, and what might be laid; `rules` are the clauses.
"""

from scorekeeper.phases.tricks import rules
from scorekeeper.phases.tricks.phase import Tricks
from scorekeeper.phases.tricks.state import State

__all__ = ["State", "Tricks", "rules"]
