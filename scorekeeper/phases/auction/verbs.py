"""What is said in bidding, and the facts that stand for it. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark
from scorekeeper.notation.entry import Verb
from scorekeeper.notation.syntax import Nothing, Of
from scorekeeper.phases.auction.turns import EACH, PAIRS
from scorekeeper.ruleset.offers import OfferSyntax
from scorekeeper.ruleset.phase import BID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Row
    from scorekeeper.phases.auction.contracts import Contracts

NAME = "auction"
TO_BID, HOLD, PASS, CONTRACT = "bid", "hold", "pass", "contract"
IN_TURN, ENDS, UNTIL_PLAY = DOUBLING = ("turn", "ends", "play")


def _verb(word: str, syntax: OfferSyntax, *, implicit: bool = False) -> Verb:
    """A bid, or the fact of what is played, its words read by that syntax."""
    if word == CONTRACT:
        said = "who plays what, where nobody bids at this table"
        verb = Verb(word, Of(syntax), said, table=True, fact=True, about=BID)
    else:
        verb = Verb(word, syntax, mark("bids"), turn=True, implicit=implicit, about=BID)
    verb.phase = NAME
    return verb


_ANY = OfferSyntax((0,), {"": {}}, {})
EVERY = (
    _verb(TO_BID, _ANY),
    Verb(PASS, Nothing(), mark("bids no more"), turn=True),
    Verb(HOLD, Nothing(), mark("takes the younger's bid for their own"), turn=True),
    _verb(CONTRACT, _ANY),
)


def short_bid(contracts: Contracts) -> Verb:
    """A bid without its word, and perhaps without its number."""
    syntax = contracts.of_short_bids()
    verb = Verb(
        "", syntax, "a bid without its word", turn=True, implicit=True, short=True, about=BID
    )
    verb.phase = NAME
    return verb


def verbs_of(row: Row, contracts: Contracts) -> Iterator[Verb]:
    """What is said under a ruleset's row of the phase, a bid first."""
    bids, (_, passes, holds, _) = contracts.bids, EVERY
    yield _verb(TO_BID, contracts.of_bids(), implicit=bids.contracts and not bids.steps)
    if row["turns"] != EACH:
        yield passes
    if row["turns"] == PAIRS:
        yield holds
    if contracts.rows and row["turns"] != EACH:
        yield _verb(CONTRACT, contracts.of_outcomes())
    for word in row["doubles"]:
        said = "doubles what the bid is worth"
        verb = Verb(word, Nothing(), said, turn=row["doubling"] == IN_TURN)
        verb.phase = NAME
        yield verb
