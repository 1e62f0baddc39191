"""Sides that differ from deal to deal: by held cards, by contract, by who wins a trick.

The sides themselves stand in the round (`rnd.parties`), where other phases find them. `course`
finds them, `results` reads them from a result, `telling` says what proves them.
"""

from scorekeeper.phases.parties.course import PartiesPhase

__all__ = ["PartiesPhase"]
