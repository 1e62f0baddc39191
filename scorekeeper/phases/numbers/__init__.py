"""Rounds that are scored by numbers or places that the table enters, without any play.

`phase` contains the phase class and its state, `entries` the numbers and their syntax, `rules` the
clause words, and `view` the texts.
"""

from scorekeeper.phases.numbers import rules
from scorekeeper.phases.numbers.phase import Numbers

__all__ = ["Numbers", "rules"]
