"""The possible bids of an auction, and their ranking."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.expressions import NUMBER, TRUTH, ExpressionError
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine import contracts
from scorekeeper.engine.contracts import (
    BidForms,
    ContractBidSyntax,
    bid_in_entry,
    parse_bid_forms,
)
from scorekeeper.engine.phase import ACTOR, BID, Measure
from scorekeeper.engine.state import ContractBid
from scorekeeper.notation import Notation
from scorekeeper.notation.entry import SHORT_NUMBER
from scorekeeper.ruleset.orders import iter_patterns, match_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.notation.entry import EntryType

WHERE = "phases.auction"
NUMBER_OF_BID = "bid.number"


class BidFact(NamedTuple):
    """A fact about a bid that expressions may name.

    It consists of a description, a kind, and a function that computes the fact.
    """

    doc: str
    kind: str
    read: Callable[[ContractBid], float]


class RankedBids(contracts.Contracts):
    """The bids of a ruleset with an auction, compiled from `[contracts]` and `[options]`.

    `bids` describes the forms that a bid may take. `when` holds the conditions for bidding or
    naming each contract, and `option_when` the conditions for adding each option. `_ranks` groups
    contracts and their options by rank, the highest first. Bids are compared by their value first,
    and then by rank. `_value` computes the value of a bid, and `_values` caches the results. If
    `_value` is None, the number that is bid is the value.
    """

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules)
        self.bids = _read_bid_forms(rules, row["bids"])
        ranks = [[each] if isinstance(each, str) else each for each in row["ranks"]]
        self._ranks = [[tuple(text.split()) for text in texts] for texts in ranks]
        self.when: dict[str, Expression] = {}
        self.option_when: dict[str, Expression] = {}
        self._all_bids: tuple[ContractBid, ...] = ()
        self._value_text = str(row["value"])
        self._value: Expression | None = None
        self._values: dict[ContractBid, int] = {}
        self._facts = dict(self._each_fact())

    def link(self, rules: Ruleset) -> None:
        super().link(rules)
        for name, row in self.rows.items():
            where, about = f"contracts.{name}", (BID, ACTOR)
            self.when[name] = rules.compile_expression(row["when"], f"{where}.when", about)
            _check_cards(rules, f"{where}.calls", row["calls"])
            if row["number"] and row["number"] not in self.bids.steps:
                found, allowed = str(row["number"]), "a number of `bids`"
                message = f"{where}.number is no number that can be bid"
                rules.fault(f"{where}.number", found, allowed, message)
        for name, row in self.options.items():
            self.option_when[name] = rules.compile_expression(
                row["when"], f"options.{name}.when", (ACTOR,)
            )
            for key, known in (("with", self.rows), ("implies", self.options)):
                for other in row[key]:
                    _check_known(rules, f"options.{name}.{key}", other, known)
        for contract, *options in (words or ("",) for rank in self._ranks for words in rank):
            _check_known(rules, f"{WHERE}.ranks", contract, self.rows)
            for option in options:
                _check_known(rules, f"{WHERE}.ranks", option, self.options)
        if self._value_text:
            self._link_value(rules)
        if self.bids.contracts and not self.rows:
            message = f"{WHERE}.bids needs a table [contracts]"
            rules.fault(f"{WHERE}.bids", "no [contracts]", "[contracts]", message)

    def _link_value(self, rules: Ruleset) -> None:
        """Compile the expression for the value of a bid. Report measures in the expression that do
        not describe a bid."""
        where = f"{WHERE}.value"
        value = rules.compile_expression(self._value_text, where, (BID,), whole=True)
        other = [name for name in value.names if name not in self._facts]
        if other:
            allowed = f"an expression over {', '.join(self._facts)}"
            rules.fault(where, other[0], allowed, f"{where}: “{other[0]}” is not about the bid")
        else:
            self._value = value

    def check_value(self, rules: Ruleset, compares_bids: bool) -> None:
        """Report a `value` that cannot be computed for every bid. Also report a `value` in a
        ruleset that has no rule for comparing bids."""
        where = f"{WHERE}.value"
        if self._value is None:
            return
        if not compares_bids:
            message = f"{where}: no rule compares bids here"
            rules.fault(where, self._value.text, "no `value`, or the rule `higher`", message)
        for offer in self._each_bid(rules.pack):
            try:
                self.rank_bid(offer)
            except ExpressionError as error:
                rules.fault(where, self._value.text, "a value for every bid", f"{where}: {error}")
                return

    def bid_syntax(self) -> ContractBidSyntax:
        """Return the syntax of a bid."""
        rows = self.rows if self.bids.contracts else {}
        return ContractBidSyntax(self.bids.steps, rows, self.options)

    def short_bid_syntax(self) -> ContractBidSyntax:
        """Return the syntax of a bid without its verb. The number may be omitted too."""
        rows = self.rows if self.bids.contracts else {}
        return ContractBidSyntax(self.bids.steps, rows, self.options, number_needed=not rows)

    def outcome_syntax(self) -> ContractBidSyntax:
        """Return the syntax of a contract that is entered without bids."""
        return ContractBidSyntax(self.bids.steps, self.rows, self.options, self.bids.contracts)

    def bids_of_entry(self, rnd: Round, entry: Entry, bare: EntryType) -> Iterator[ContractBid]:
        """Yield the bids that an entry may mean. `bare` is the entry type of a bid without its
        verb."""
        if entry.type is bare:
            yield from self._complete_bids(entry.value)
            return
        notation, syntax = Notation(rnd.rules.lexicon, rnd.names), self.bid_syntax()
        offers: dict[ContractBid, None] = {}
        for text in _texts_like_bids(rnd.rules, entry):
            if syntax.may_match(text, notation):
                with suppress(Unreadable):
                    offers[syntax.read(text, notation)] = None
        yield from offers

    def _complete_bids(self, offer: ContractBid) -> Iterator[ContractBid]:
        """Yield the bid with each possible number if it has none. Otherwise, yield the bid
        unchanged."""
        if offer.number is None and self.bids.steps:
            yield from (offer._replace(number=number) for number in self.bids.steps)
        else:
            yield offer

    # --- possible bids

    def bid_of_outcome(self, outcome: ContractBid) -> ContractBid:
        """Return the bid that led to a final contract. If only numbers are bid, it is the
        contract's number."""
        return outcome if self.bids.contracts else ContractBid(outcome.number)

    def rank_bid(self, offer: ContractBid) -> tuple[int, int]:
        """Return a sort key for a bid; the highest bid has the largest key."""
        if self._value is None:
            value = -1 if offer.number is None else offer.number
        else:
            value = self._value_of(offer, self._value)
        return value, -self._place_in_ranks(offer)

    def _value_of(self, offer: ContractBid, value: Expression) -> int:
        if offer not in self._values:
            facts = self._facts
            self._values[offer] = int(value(lambda name: facts[name].read(offer)))
        return self._values[offer]

    def _place_in_ranks(self, offer: ContractBid) -> int:
        """Return the position of a bid's contract and options in the ranking, from 0 for the
        highest. Contracts that are not in the ranking rank last."""
        words = (offer.contract, *offer.options)
        for place, rank in enumerate(self._ranks):
            for contract, *options in rank:
                if contract == offer.contract and set(words).issuperset(options):
                    return place
        return len(self._ranks)

    def is_higher(self, offer: ContractBid, than: ContractBid | None) -> bool:
        """Return whether a bid is higher than another. Any bid is higher than None."""
        return than is None or self.rank_bid(offer) > self.rank_bid(than)

    def all_bids(self, pack: Pack) -> Sequence[ContractBid]:
        """Return every possible bid in ascending order, each contract with at most one option."""
        if not self._all_bids:
            self._all_bids = tuple(sorted(self._each_bid(pack), key=self.rank_bid))
        return self._all_bids

    def _each_bid(self, pack: Pack) -> Iterator[ContractBid]:
        for number in self.bids.steps or (None,):
            if not self.bids.contracts:
                yield ContractBid(number)
                continue
            for name, row in self.rows.items():
                if row["number"] in (0, number):
                    yield from self.possible_bids(pack, name, number)

    def suit_of(self, rules: Ruleset, contract: str, kind: int) -> int:
        """Return all cards that a contract puts in the same class as this card: the trumps or the
        card's suit."""
        row, pack = self.rows[contract], rules.pack
        if not row["order"]:
            suits = enumerate(pack.suit)
            return sum(pack.column[each] for each, suit in suits if suit == pack.suit[kind])
        bound = {"trump": row["trump"]} if row["trump"] else {}
        order = rules.orders.get(row["order"], bound)
        return order.masks[order.classes[kind]]

    def bid_measures(self) -> Iterator[Measure]:
        """Yield the measures of a bid: its contract, its options, and the contract's numbers."""
        for name, fact in self._facts.items():
            if name != NUMBER_OF_BID:
                yield Measure(name, fact.doc, _of_entry(fact.read), BID, fact.kind)

    def _each_fact(self) -> Iterator[tuple[str, BidFact]]:
        """Yield the facts about a bid, with their names."""
        yield NUMBER_OF_BID, BidFact("the number that is bid", NUMBER, _number_of)
        for name in self.rows:
            yield f"bid.{name}", BidFact(f"whether it is {name}", TRUTH, self._is_bid(name))
        for option in self.options:
            doc = f"whether {option} is said with it"
            yield f"bid.{option}", BidFact(doc, TRUTH, self._has_option(option))
        for key in self.fact_keys():
            doc = f"the number {key} of the contract that is bid"
            yield f"bid.{key}", BidFact(doc, NUMBER, self._number_of_contract(key))

    def _is_bid(self, name: str) -> Callable[[ContractBid], float]:
        return lambda offer: offer.contract == name

    def _has_option(self, option: str) -> Callable[[ContractBid], float]:
        return lambda offer: option in self.options_with_implied(offer)

    def _number_of_contract(self, key: str) -> Callable[[ContractBid], float]:
        def read(offer: ContractBid) -> float:
            row = self.rows.get(offer.contract)
            return row["is"].get(key, 0) if row is not None else 0

        return read

    def is_turned(self, entry: Entry, turned: str) -> bool:
        """Return whether the trump of an entry's contract is the suit of the turned-up card."""
        row = self.rows.get(bid_in_entry(entry).contract)
        return row is not None and bool(turned) and row["trump"] == turned


def _number_of(offer: ContractBid) -> float:
    return offer.number or 0


def _of_entry(read: Callable[[ContractBid], float]) -> Reader:
    """Return a function that computes a fact about the bid in an entry."""
    return lambda rnd, entry: read(bid_in_entry(entry))


def _texts_like_bids(rules: Ruleset, entry: Entry) -> Iterator[str]:
    """Yield the possible bid texts of an entry that was read as a single number or card."""
    if entry.type is SHORT_NUMBER and len(entry.value) == 1:
        yield entry.value[0][1]
    elif entry.type.is_implicit and entry.type.plays_cards and len(entry.value) == 1:
        forms = rules.lexicon.cards.known.items()
        yield from (typed for typed, kind in forms if kind == entry.value[0] and typed[0].isdigit())


def _read_bid_forms(rules: Ruleset, text: str) -> BidForms:
    """Return the forms of bid that a ruleset allows, and report errors in them."""
    try:
        return parse_bid_forms(text)
    except (ValueError, Unreadable) as error:
        where = f"{WHERE}.bids"
        allowed = "numbers that rise, `0..13`, `10..1500/10`, or `contracts`"
        rules.fault(where, text, allowed, f"{where}: {error}")
        return BidForms((), True)


def _check_cards(rules: Ruleset, where: str, patterns: Sequence[str | list[str]]) -> None:
    """Report patterns that match no card."""
    for pattern in iter_patterns(patterns):
        try:
            match_kinds(rules.pack, pattern)
        except ValueError as error:
            rules.fault(where, pattern, "patterns of cards", f"{where}: {error}")


def _check_known(rules: Ruleset, where: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        rules.fault(
            where,
            name,
            ", ".join(known),
            f"{where} names no row: {name}",
        )
