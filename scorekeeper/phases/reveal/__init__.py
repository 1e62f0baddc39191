"""All dice are shown and counted, and the call is decided.

`state` is what is shown, and which row decides; `results` are rounds entered by their outcome;
`course` is the phase.
"""

from scorekeeper.phases.reveal.course import Reveal

__all__ = ["Reveal"]
