"""After a bidding by numbers the declarer names what is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import tr
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Verb
from scorekeeper.ruleset.contracts import Contracts
from scorekeeper.ruleset.offers import OfferSyntax
from scorekeeper.ruleset.phase import BID, Phase, actor_of
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Joint, Rules


def _name(syntax: OfferSyntax) -> Verb:
    """The verb of naming, its words read by that syntax."""
    said = "names what they play"
    verb = Verb("name", syntax, said, turn=True, implicit=True, about=BID)
    verb.phase = "naming"
    return verb


@phase
class Naming(Phase[None]):
    """The declarer names the contract, and what else they say with it."""

    name = "naming"
    doc = (
        "After an `auction` of numbers: the declarer names the contract, with `[options]`. Its"
        " clause words are those of `auction`, `on` the verb `name`."
    )
    others = ("auction",)
    tables = ("contracts",)
    parameters = {
        "early": Parameter(
            "condition", "it may be named before its time then, without what comes first", "false"
        )
    }
    verbs = (_name(OfferSyntax((), {"": {}}, {})),)

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.contracts = Contracts(rules)
        self.verbs = (_name(OfferSyntax((), self.contracts.rows, self.contracts.options)),)
        self._early: Expression  # whether it may be named early; compiled when linked

    def link(self) -> None:
        self._early = self.rules.expression(self.row["early"], "phases.naming.early")
        if self.rules.every_verb["bid"].implicit:
            message = "phases.naming: what is bid names the contract already"
            allowed = "bids that are numbers alone"
            self.rules.fault("phases.auction.bids", "contracts", allowed, message)

    def begin(self, rnd: Joint) -> None:
        """Nothing is kept: what was named stands in the round."""

    def needed(self, rnd: Joint) -> bool:
        """Where somebody has declared, and it is not known yet what."""
        return rnd.shared.declarer >= 0 and not rnd.shared.contract

    def finished(self, rnd: Joint) -> bool:
        return bool(rnd.shared.contract)

    def waiting(self, rnd: Joint) -> list[int]:
        return [rnd.shared.declarer]

    def allows_out_of_phase(self, rnd: Joint, entry: Entry) -> bool:
        """The declarer may name it early, where the ruleset lets them."""
        if entry.seat != rnd.shared.declarer or not self.needed(rnd):
            return False
        return bool(self._early.value(rnd.reading()))

    def prompt(self, rnd: Joint) -> str:
        names = map(self.rules.spoken, self.contracts.rows)
        return tr(
            "{who} names what is played: {contracts}",
            who=rnd.names[rnd.shared.declarer],
            contracts=", ".join(names),
        )

    def options(self, rnd: Joint) -> Iterator[Entry]:
        seat = rnd.shared.declarer
        for name in self.contracts.rows:
            for offer in self.contracts.ways(rnd.rules.pack, name):
                yield Entry(self.verbs[0], seat, offer)

    def options_out_of_phase(self, rnd: Joint) -> Iterator[Entry]:
        if self.needed(rnd) and self._early.value(rnd.reading()):
            yield from self.options(rnd)

    def from_hand(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return ()

    def apply(self, rnd: Joint, entry: Entry) -> None:
        seat, said = actor_of(entry), rnd.shared
        if said.contract or said.declarer != seat:
            raise Impossible(
                tr(
                    "“{text}”: {who} has nothing to name now",
                    text=entry.text,
                    who=rnd.names[seat],
                )
            )
        self.contracts.settle(rnd, seat, entry.value)
        if rnd.void:
            rnd.finish()
