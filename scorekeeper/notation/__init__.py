"""Conversion between text and entries. This package holds no state.

`entry` defines entries and their types, `syntax` the values that follow a word, and `languages` the
words, cards and player names. `notation` combines them. Its `Translator` converts between the
players' language and the canonical text.
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
