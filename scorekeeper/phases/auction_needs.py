"""The clause word for a contract's requirements on the declarer's hand, in every kind of
auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_
from scorekeeper.engine.phase import ContractRules
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.ruleset import Ruleset


AUCTION, NEEDS = "auction", "needs"


@clause(
    NEEDS,
    AUCTION,
    on=("bid", "reserve"),
    say=N_("{who} may say {wish} only with {wanted}"),
    unknown=N_("{who} says {wish}; it is unknown whether they hold {wanted}"),
    proven=N_("{who} said {wish} without {wanted} ({first}, {then})"),
    doc="The declarer's hand, as dealt, must meet the contract's `needs`.",
    parameters={
        "of": Parameter(
            "texts", "the contracts that it judges (default: all)", [], rows="contracts"
        )
    },
)
def _needs(row: Row, rules: Ruleset) -> Judge:
    auction, of = rules.phases[AUCTION], row["of"]
    assert isinstance(auction, ContractRules)
    return lambda rnd, entry: auction.judge_needs(rnd, entry, of)
