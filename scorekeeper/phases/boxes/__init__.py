"""Rounds in which players fill the boxes of a form with throws of dice.

`throws` contains the dice and their measures, and `entries` the values and their syntax. `phase`
contains the phase class and its state, `rules` the clause words, and `view` the texts and the form.
"""

from scorekeeper.phases.boxes import rules
from scorekeeper.phases.boxes.phase import Boxes

__all__ = ["Boxes", "rules"]
