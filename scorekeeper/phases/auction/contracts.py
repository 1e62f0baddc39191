"""The contracts of a ruleset as bids: which is the higher, which may be made. Part of auction."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.notation import Notation
from scorekeeper.notation.entry import NUMBER
from scorekeeper.ruleset import contracts
from scorekeeper.ruleset.offers import Bids, OfferSyntax, offer_of, read_bids
from scorekeeper.ruleset.orders import each_pattern, kinds_of
from scorekeeper.ruleset.phase import ACTOR, BID, Measure
from scorekeeper.ruleset.shared import Offer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.notation.entry import Verb
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader

WHERE = "phases.auction"


class Contracts(contracts.Contracts):
    """The `[contracts]` and `[options]`, compiled.

    `bids` is what may be bid. `when`: a contract may be bid or named only then; `option_when`: an
    option may be said only then. `_ranks`: contracts, with what is said with them, that are equally
    high, the highest first.
    """

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules)
        self.bids = _bids(rules, row["bids"])
        ranks = [[each] if isinstance(each, str) else each for each in row["ranks"]]
        self._ranks = [[tuple(text.split()) for text in texts] for texts in ranks]
        self.when: dict[str, Expression] = {}
        self.option_when: dict[str, Expression] = {}
        self._all_bids: tuple[Offer, ...] = ()

    def link(self, rules: Rules) -> None:
        super().link(rules)
        for name, row in self.rows.items():
            where, about = f"contracts.{name}", (BID, ACTOR)
            self.when[name] = rules.expression(row["when"], f"{where}.when", about)
            _check_cards(rules, f"{where}.calls", row["calls"])
        for name, row in self.options.items():
            self.option_when[name] = rules.expression(row["when"], f"options.{name}.when", (ACTOR,))
            for key, known in (("with", self.rows), ("implies", self.options)):
                for other in row[key]:
                    _known(rules, f"options.{name}.{key}", other, known)
        for contract, *options in (said or ("",) for rank in self._ranks for said in rank):
            _known(rules, f"{WHERE}.ranks", contract, self.rows)
            for option in options:
                _known(rules, f"{WHERE}.ranks", option, self.options)
        if self.bids.contracts and not self.rows:
            message = f"{WHERE}.bids needs a table [contracts]"
            rules.fault(f"{WHERE}.bids", "no [contracts]", "[contracts]", message)

    def of_bids(self) -> OfferSyntax:
        """How a bid is read and written."""
        rows = self.rows if self.bids.contracts else {}
        return OfferSyntax(self.bids.steps, rows, self.options)

    def of_short_bids(self) -> OfferSyntax:
        """Return how a bid without its word is read: its number may be missing, too."""
        rows = self.rows if self.bids.contracts else {}
        return OfferSyntax(self.bids.steps, rows, self.options, number_needed=not rows)

    def of_outcomes(self) -> OfferSyntax:
        """How what is played is read and written, for whoever was not there when it was bid."""
        return OfferSyntax(self.bids.steps, self.rows, self.options, self.bids.contracts)

    def meant(self, rnd: Joint, entry: Entry, bare: Verb) -> Iterator[Offer]:
        """Yield the bids that an entry may stand for: `bare` is a bid without its word."""
        if entry.verb is bare:
            yield from self._whole(entry.value)
            return
        notation, syntax = Notation(rnd.rules.lexicon, rnd.names), self.of_bids()
        found: dict[Offer, None] = {}
        for text in _like_bids(rnd.rules, entry):
            if syntax.fits(text, notation):
                with suppress(Unreadable):
                    found[syntax.read(text, notation)] = None
        yield from found

    def _whole(self, offer: Offer) -> Iterator[Offer]:
        """Yield the bids that one without its number may stand for."""
        if offer.number is None and self.bids.steps:
            yield from (offer._replace(number=number) for number in self.bids.steps)
        else:
            yield offer

    # --- what may be bid

    def bid_in(self, outcome: Offer) -> Offer:
        """What was bid, as far as what is played says."""
        return outcome if self.bids.contracts else Offer(outcome.number)

    def height(self, offer: Offer) -> tuple[int, int]:
        """How high a bid is; the most is the highest."""
        number = -1 if offer.number is None else offer.number
        return number, -self._place(offer)

    def _place(self, offer: Offer) -> int:
        """Where a bid's contract stands in the ranking with what is said with it, 0 the highest;
        what is not in it comes last."""
        said = (offer.contract, *offer.options)
        for place, rank in enumerate(self._ranks):
            for contract, *options in rank:
                if contract == offer.contract and set(said).issuperset(options):
                    return place
        return len(self._ranks)

    def is_higher(self, offer: Offer, than: Offer | None) -> bool:
        """Whether a bid is higher than another, or than none."""
        return than is None or self.height(offer) > self.height(than)

    def all_bids(self, pack: Pack) -> Sequence[Offer]:
        """Return every bid that there is, the lowest first, each contract with one option at
        most."""
        if not self._all_bids:
            self._all_bids = tuple(self._each_bid(pack))
        return self._all_bids

    def _each_bid(self, pack: Pack) -> Iterator[Offer]:
        for number in self.bids.steps or (None,):
            if not self.bids.contracts:
                yield Offer(number)
                continue
            ways = (way for name in self.rows for way in self.ways(pack, name, number))
            yield from sorted(ways, key=self.height)

    def suit_of(self, rules: Rules, contract: str, kind: int) -> int:
        """The cards of a card's class where that contract is played: trumps, or of its suit."""
        row, pack = self.rows[contract], rules.pack
        if not row["order"]:
            suits = enumerate(pack.suit)
            return sum(pack.column[each] for each, suit in suits if suit == pack.suit[kind])
        bound = {"trump": row["trump"]} if row["trump"] else {}
        order = rules.orders.get(row["order"], bound)
        return order.masks[order.classes[kind]]

    def bid_measures(self) -> Iterator[Measure]:
        """Which contract is bid, or named, what is said with it, and the contract's numbers."""
        for name in self.rows:
            yield Measure(f"bid.{name}", f"whether it is {name}", self._bids(name), BID)
        for option in self.options:
            doc = f"whether {option} is said with it"
            yield Measure(f"bid.{option}", doc, self._says(option), BID)
        for key in self.keys():
            doc = f"the number {key} of the contract that is bid"
            yield Measure(f"bid.{key}", doc, self._has(key), BID)

    def _bids(self, name: str) -> Reader:
        return lambda rnd, entry: offer_of(entry).contract == name

    def _says(self, option: str) -> Reader:
        return lambda rnd, entry: option in self.with_implied(offer_of(entry))

    def _has(self, key: str) -> Reader:
        def read(rnd: Joint, entry: Entry) -> float:
            row = self.rows.get(offer_of(entry).contract)
            return row["is"].get(key, 0) if row is not None else 0

        return read

    def is_turned(self, entry: Entry, turned: str) -> bool:
        """Whether the trump of the contract that an entry names is the suit that was turned up."""
        row = self.rows.get(offer_of(entry).contract)
        return row is not None and bool(turned) and row["trump"] == turned


def _like_bids(rules: Rules, entry: Entry) -> Iterator[str]:
    """Yield the texts that a number alone, or a card, may have been typed as."""
    if entry.verb is NUMBER and len(entry.value) == 1:
        yield entry.value[0][1]
    elif entry.verb.implicit and entry.verb.cards and len(entry.value) == 1:
        forms = rules.lexicon.cards.known.items()
        yield from (typed for typed, kind in forms if kind == entry.value[0] and typed[0].isdigit())


def _bids(rules: Rules, text: str) -> Bids:
    """What a ruleset lets be bid; what is wrong with it is reported."""
    try:
        return read_bids(text)
    except (ValueError, Unreadable) as error:
        where = f"{WHERE}.bids"
        allowed = "numbers that rise, `0..13`, or `contracts`"
        rules.fault(where, text, allowed, f"{where}: {error}")
        return Bids((), True)


def _check_cards(rules: Rules, where: str, patterns: Sequence[str | list[str]]) -> None:
    """Report patterns that name no card."""
    for pattern in each_pattern(patterns):
        try:
            kinds_of(rules.pack, pattern)
        except ValueError as error:
            rules.fault(where, pattern, "patterns of cards", f"{where}: {error}")


def _known(rules: Rules, where: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        rules.fault(
            where,
            name,
            ", ".join(known),
            f"{where} names no row: {name}",
        )
