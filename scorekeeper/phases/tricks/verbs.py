"""What is done in tricks. Part of tricks."""

from __future__ import annotations

from scorekeeper.core.messages import mark
from scorekeeper.notation.entry import Verb
from scorekeeper.notation.syntax import Cards, Nothing
from scorekeeper.ruleset.phase import TRICK
from scorekeeper.ruleset.shared import CONCEDE

REST = "rest"
ENDS_EARLY = (REST, CONCEDE)  # what is still out goes to a side, unplayed

# Cards laid, and words that end play; a ruleset has those of the words that it allows.
VERBS = (
    Verb(
        "play",
        Cards(1, 1),
        mark("lays a card"),
        turn=True,
        implicit=True,
        cards=True,
        about=TRICK,
    ),
    Verb("takeback", Nothing(), mark("takes back the card they laid last")),
    Verb(REST, Nothing(), mark("claims all tricks that are left")),
    Verb(CONCEDE, Nothing(), mark("concedes all tricks that are left to the others")),
    Verb("enough", Nothing(), mark("says that they have won enough: play is over"), turn=True),
)
