"""Text to entries and back, without state.

`entry` defines entries and their types, `syntax` the values that follow a word, `languages` the
words, cards and player names. `notation` combines them. `translation` translates between the
language of the players and the canonical text.
"""

from scorekeeper.notation.entry import (
    DECISIONS,
    EVERYONE,
    IGNORED,
    STANDS,
    WITHDRAWN,
    Entry,
    find_decision,
)
from scorekeeper.notation.languages import Lexicon, check_names
from scorekeeper.notation.notation import UNREADABLE, Notation

__all__ = [
    "DECISIONS",
    "EVERYONE",
    "IGNORED",
    "STANDS",
    "UNREADABLE",
    "WITHDRAWN",
    "Entry",
    "Lexicon",
    "Notation",
    "check_names",
    "find_decision",
]
