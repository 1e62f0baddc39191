"""The phase after an auction in which the declarer names the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, Prompt, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.contracts import (
    AUCTION,
    ContractBidSyntax,
    Contracts,
    idle_contract_words,
)
from scorekeeper.engine.phase import BID, Phase, View, actor_of
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.phases.auction import Auction
from scorekeeper.phases.auction_state import (
    NAMING,
    TO_NAME,
    bids_contracts,
    format_bid,
    list_bids,
)
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

NOT_LOWER = "not-lower"


def _naming_type(syntax: ContractBidSyntax) -> EntryType:
    """Return the entry type that names a contract. `syntax` reads its words.

    A contract with a number looks like a bid, and sometimes like a card. The verb of such an
    entry may therefore be omitted only in a shorthand, as with a bid.
    """
    said, is_implicit = "names the contract", not syntax.steps
    return EntryType(TO_NAME, syntax, said, by=Actor.TURN, is_implicit=is_implicit, measured_as=BID)


@phase
class ContractNaming(Phase[None]):
    """The phase in which the declarer names the contract and its options."""

    name = NAMING
    doc = (
        "After an `auction`, the declarer names the contract and its `[options]`. If contracts "
        "were bid, a bid is not the contract yet: the declarer names one with its number, at "
        "least as high as the bid. A contract that is `final` is not named again. The clause "
        "words are the same as in `auction`, but `on` contains the verb `name`."
    )
    clause_order = f"{NOT_LOWER} offered optional needs called"
    standard_words = f"{NOT_LOWER} offered optional called"
    judged = {
        "offered": (TO_NAME, "contract"),
        "optional": (TO_NAME, "contract"),
        "needs": (TO_NAME, "contract"),
        "called": (TO_NAME, "contract"),
    }
    others = (AUCTION,)
    offers_early = True
    calls_cards = True
    tables = ("contracts",)
    parameters = {
        "early": Parameter(
            "condition",
            (
                "condition under which the contract may be named early, "
                "skipping the phases before this one"
            ),
            "false",
        ),
        "late": Parameter(
            "condition",
            (
                "condition under which the contract may be named during play; play then begins "
                "without a contract, by the order in `[phases.tricks]`"
            ),
            "false",
        ),
    }
    entry_types = (_naming_type(ContractBidSyntax((), {"": {}}, {})),)

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        if bids_contracts(data):
            return idle_contract_words({}, False)  # these words belong to the auction
        return [NOT_LOWER, *idle_contract_words(data, True)]

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        before = rules.phases.get(AUCTION)
        # the auction, or None unless its bids have both a number and a contract
        self.auction = before if isinstance(before, Auction) and _bids_both(before) else None
        self.contracts = Contracts(rules)
        steps: Sequence[int] = ()
        if self.auction is not None:
            self.contracts, steps = self.auction.contracts, self.auction.contracts.bids.steps
            self.shorthands = self.auction.shorthands
        self.entry_types = (
            _naming_type(ContractBidSyntax(steps, self.contracts.rows, self.contracts.options)),
        )
        # the conditions for naming a contract before or after this phase; compiled by `link`
        self._early_condition: Expression
        self._late_condition: Expression
        self.is_late = row["late"] != "false"

    def link(self) -> None:
        self._early_condition, self._late_condition = (
            self.rules.compile_expression(self.row[key], f"phases.naming.{key}")
            for key in ("early", "late")
        )
        auction = self.rules.phases.get(AUCTION)
        if not isinstance(auction, Auction):
            message = "phases.naming: players do not bid in this auction"
            self.rules.fault("phases.auction.turns", "wishes", "another order of turns", message)
        elif auction.entry_types[0].is_implicit:
            message = "phases.naming: what is bid names the contract already"
            allowed = "bids with numbers"
            self.rules.fault("phases.auction.bids", "contracts", allowed, message)
        elif self.auction is None and _bids_both(auction):
            message = "phases.naming: the contract is named after the auction"
            self.rules.fault("phases.naming", NAMING, "a place after `auction`", message)

    def begin(self, rnd: Round) -> None:
        """Return no state, because the named contract is in `TableState`."""

    def takes_place(self, rnd: Round) -> bool:
        """Return whether the declarer must name the contract before play."""
        return self._is_unnamed(rnd) and not self.is_late

    def _is_unnamed(self, rnd: Round) -> bool:
        """Return whether there is a declarer whose contract is unknown."""
        return rnd.table.declarer >= 0 and not rnd.table.contract

    def finished(self, rnd: Round) -> bool:
        return bool(rnd.table.contract)

    def waiting(self, rnd: Round) -> list[int]:
        return [rnd.table.declarer]

    def may_act_early(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the declarer names the contract outside this phase's time and the ruleset
        allows that."""
        is_declarer = entry.seat == rnd.table.declarer or (self.is_late and entry.seat is None)
        return is_declarer and self._may_name_now(rnd)

    def acting_seat(self, rnd: Round, entry: Entry) -> int | None:
        return rnd.table.declarer if self.is_late else super().acting_seat(rnd, entry)

    def _may_name_now(self, rnd: Round) -> bool:
        """Return whether the contract may be named outside this phase's time."""
        if not self._is_unnamed(rnd):
            return False
        condition = self._late_condition if self.is_late else self._early_condition
        return bool(condition.value_or(rnd.reading()))

    def interpret(self, rnd: Round, entry: Entry) -> Iterator[Entry]:
        """Yield the contracts with a number that an entry may mean.

        The entry may be a contract without its verb, or a card whose text could also be a contract.
        """
        if self.auction is None or not rnd.is_current(self):
            return
        seat = rnd.table.declarer if entry.seat is None else entry.seat
        bids = self.auction.contracts.bids_of_entry(rnd, entry, self.shorthands[0])
        yield from (Entry(self.entry_types[0], seat, offer) for offer in bids)

    def options(self, rnd: Round) -> Iterator[Entry]:
        if not (rnd.is_current(self) or self._may_name_now(rnd)):
            return
        seat, pack = rnd.table.declarer, rnd.rules.pack
        if self.auction is not None:
            for offer in self.auction.contracts.all_bids(pack):
                yield Entry(self.entry_types[0], seat, offer)
            return
        for name in self.contracts.rows:
            for offer in self.contracts.possible_bids(pack, name):
                yield Entry(self.entry_types[0], seat, offer)

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return ()

    def apply(self, rnd: Round, entry: Entry) -> None:
        seat, said = actor_of(entry), rnd.table
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
        elif self.is_late and self.rules.card_play is not None:
            self.rules.card_play.reorder(rnd)

    def find_lower(self, rnd: Round, entry: Entry) -> Outcome:
        """Return the breach if the contract is lower than the bid, or None."""
        auction = self.auction
        standing = None if auction is None else rnd.state(auction).current_bid
        if auction is None or standing is None:
            return None
        contracts, verb = auction.contracts, self.entry_types[0]
        if not contracts.is_higher(standing, entry.value):
            return None
        legal = list_bids(rnd, contracts, verb, entry.seat, standing, same=True)
        return Breach({"bid": format_bid(rnd, standing), "legal": legal})

    def view(self, rnd: Round) -> View[object]:
        declarer = rnd.table.declarer
        if declarer < 0:
            return View(None)
        contracts = list(map(self.rules.translate_word, self.contracts.rows))
        state = None if self.auction is None else rnd.state_if_begun(self.auction)
        bid = None if state is None else state.current_bid
        least = "" if bid is None else format_bid(rnd, bid)
        return NamingView(NamingFacts(rnd.names[declarer], contracts, least))


class NamingFacts(NamedTuple):
    """The declarer, who names the contract, and the contracts of the ruleset.

    If contracts have a number, `least` is the lowest that may be named.
    """

    declarer: str
    contracts: list[str]
    least: str


class NamingView(View[NamingFacts]):
    """The view of the phase in which a contract is named."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        who, contracts, least = self.facts
        if least:
            return Prompt(tr("{who} must name the contract: {bid} or higher", who=who, bid=least))
        text = tr(
            "{who} must name the contract: {contracts}", who=who, contracts=", ".join(contracts)
        )
        return Prompt(text)


def _bids_both(auction: Auction) -> bool:
    """Return whether bids name a number and a contract."""
    return auction.contracts.bids.contracts and bool(auction.contracts.bids.steps)


@clause(
    NOT_LOWER,
    NAMING,
    on=(TO_NAME,),
    say=N_("{who} has bid {bid}, and must name that or more: {legal}"),
    doc="If contracts were bid, the contract that is named may not be lower than the bid.",
)
def _not_lower(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(ContractNaming).find_lower
