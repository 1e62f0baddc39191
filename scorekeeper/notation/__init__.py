"""Text to entries and back, without a state.

`entry` is one thing that happened and the verbs that one may begin with, `syntax` what may follow
them, `languages` the words and cards of a ruleset and what players may be called, `notation` puts
these together, `translation` is how the people of one match write.
"""

from scorekeeper.notation.entry import (
    DECISIONS,
    EVERYONE,
    IGNORED,
    STANDS,
    WITHDRAWN,
    Entry,
    decision_in,
)
from scorekeeper.notation.languages import Lexicon, check_names
from scorekeeper.notation.notation import UNREAD, Notation

__all__ = [
    "DECISIONS",
    "EVERYONE",
    "IGNORED",
    "STANDS",
    "UNREAD",
    "WITHDRAWN",
    "Entry",
    "Lexicon",
    "Notation",
    "check_names",
    "decision_in",
]
