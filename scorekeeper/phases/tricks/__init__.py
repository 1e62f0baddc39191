"""Tricks: who leads, what must be followed, who wins them and what is in them.

A play is one card, or what the ruleset's `[shapes]` allow to be laid together. Which card beats
which is an order (`[orders]`), which may depend on the level and the trump.

`state` is the table, `shapes` what may be laid together, `course` says whose turn it is and who
takes a trick, `laying` what a card changes, `plain` and `sets` lay many plays at once, `choosing`
what might be laid, `duties` what must be, `answers` and `answering` how several cards are answered
and `clauses` what may be laid, `measures` what expressions may ask, `start` looks at the hands that
were entered, `telling` says how it all stands.
"""

from scorekeeper.phases.tricks import rules
from scorekeeper.phases.tricks.phase import Tricks
from scorekeeper.phases.tricks.state import State

__all__ = ["State", "Tricks", "rules"]
