"""Text to entries and back, without a state.

`entry` is one thing that happened, `verbs` the words that one may begin with, `syntax` what may
follow them, `lexicon` and `languages` the words and cards of a ruleset, `names` what players may
be called, `reading` puts these together, `speech` is how the people of one match write.
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
