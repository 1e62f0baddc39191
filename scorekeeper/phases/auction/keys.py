"""What a ruleset may say of the bidding. Part of auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.phases.auction.turns import ROUND, TURNS
from scorekeeper.phases.auction.verbs import DOUBLING, IN_TURN
from scorekeeper.ruleset.contracts import CONTRACT, RESTS
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

FINAL, OPEN = PASSING = ("final", "open")
LEFT, DEALER = FIRST = ("left", "dealer")

PARAMETERS: Mapping[str, Parameter] = {
    "bids": Parameter(
        "text", "what is bid: numbers (`18 20 22`, `0..13`), the word `contracts`, or both"
    ),
    "ranks": Parameter(
        "cards", "contracts, highest first, some with options; a nested list: equal", []
    ),
    "turns": Parameter(
        "choice",
        "`round`: round the table until nobody bids more; `first`: the first bid is played;"
        " `once`: each speaks once; `pairs`: the younger bids, the elder holds or passes;"
        " `each`: each names a number, and nobody declares",
        ROUND,
        TURNS,
    ),
    "first": Parameter("choice", "who speaks first, by the dealer", LEFT, FIRST),
    "passing": Parameter(
        "choice", "`final`: who passed is out; `open`: they may bid again", FINAL, PASSING
    ),
    "rounds": Parameter(
        "int", "how often they are asked when all have passed", 1, bounds=(1, untrusted.PLAYERS)
    ),
    "nobody": Parameter(
        "name",
        "when nobody bids: the round is void, and the `same` or the `next` player deals (without"
        " it: as `deal.after_void` says); or the contract played then",
        "",
    ),
    "doubles": Parameter("texts", "words that double a bid, each after the one before it", []),
    "doubling": Parameter(
        "choice",
        "when: in one's `turn`, and bids go on; at any time, and it `ends` the bids; until the"
        " first card is laid (`play`)",
        IN_TURN,
        DOUBLING,
    ),
}
SECTIONS: Mapping[str, Mapping[str, Parameter]] = {
    "contracts": {
        **CONTRACT,
        "short": Parameter("text", "what stands for it right after a number", ""),
        "calls": Parameter("cards", "cards of which one is called with it", []),
        "when": Parameter("condition", "it may be bid or named only then", "true"),
    },
    "options": {
        "with": Parameter("texts", "the contracts it goes with (without it: all)", []),
        "implies": Parameter("texts", "options that it brings, with the contracts of those", []),
        "when": Parameter("condition", "it may be said only then", "true"),
        "rests": RESTS,
    },
}
