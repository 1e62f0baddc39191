"""The contracts of a ruleset: what each of them brings to be played.

Several phases may settle a contract; all of them tell the round by this, the one writer of what is
said of it in `Shared`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.expressions.parser import KINDS
from scorekeeper.core.sides import CARDS, MODES
from scorekeeper.ruleset.needs import TRUMPS, asked_of
from scorekeeper.ruleset.orders import TRUMP, each_pattern, kinds_of
from scorekeeper.ruleset.phase import OWN, Measure
from scorekeeper.ruleset.shared import Offer
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Reader

DECLARER, AFTER = "declarer", "after"
# What measures are called after `contract.` and `bid.` already.
TAKEN = ("declared", "number", "turned")

KITTY = NOBODY, OWNER, OPPONENTS, LAST = ("nobody", "owner", "opponents", "last")
"""Whose the card points of a kitty are in the end."""

PARTNER = "partner"
RESTS = Parameter(
    "choice", "who lays no cards in the deal: the declarer's `partner`", "", ("", PARTNER)
)
CONTRACT: Mapping[str, Parameter] = {
    "order": Parameter("name", "the row of [orders] that holds", "", rows="orders"),
    "trump": Parameter("text", "the suit that `{trump}` stands for in orders", ""),
    "sides": Parameter("choice", "what makes the sides", CARDS, MODES),
    "within": Parameter(
        "int", "how many tricks may find the partner", 3, bounds=(1, untrusted.CARDS)
    ),
    "becomes": Parameter("name", "the contract it is when none was found", "", rows="contracts"),
    "leads": Parameter(
        "choice",
        "who leads: the `declarer`, or who sits `after` them (without it: as ever)",
        "",
        ("", DECLARER, AFTER),
    ),
    "rests": RESTS,
    "kitty": Parameter(
        "choice",
        "whose the kitty's card points are (without it: as the phase says)",
        "",
        ("", *KITTY),
    ),
    "annuls": Parameter("bool", "whether the deal counts for nothing", False),
    "needs": Parameter("condition", "what must hold of the hand as dealt (`dealt`)", "true"),
    "wanted": Parameter("text", "how a sentence says `needs`", "what it needs"),
    "counted": Parameter("name", "the order whose trumps `needs` means", "", rows="orders"),
    "is": Parameter("int of", "numbers of its own, each the measure `contract.KEY`", {}),
}


class Contracts:
    """The `[contracts]`, compiled: `rows` by name, what a contract `needs` of a hand, by name.
    `options` are the rows of words that may be said with a contract."""

    def __init__(self, rules: Rules) -> None:
        self.rows = rules.section("contracts")
        self.options = rules.section("options")
        self._suits = rules.pack.suits
        self.needs: dict[str, Expression] = {}  # compiled when linked

    def link(self, rules: Rules) -> None:
        """Read the needs, and report what is wrong with them, with trumps and with names."""
        for name, row in self.rows.items():
            if row["needs"] not in ("true", True):
                self.needs[name] = self._needed(rules, name, row["needs"])
            if row["trump"] and row["trump"] not in rules.pack.suits:
                where, allowed = f"contracts.{name}.trump", " ".join(rules.pack.suits)
                rules.fault(where, row["trump"], allowed, f"{where} is no suit of the pack")
        seen = set(TAKEN)
        for name in (*self.rows, *self.options, *self.keys()):
            if name in seen:
                message = f"contracts: two measures would be called contract.{name}"
                rules.fault("contracts", name, "a name of its own", message)
            seen.add(name)

    def _needed(self, rules: Rules, name: str, text: object) -> Expression:
        """What a contract needs, compiled; trumps that it counts are those of an order."""
        path, order = f"contracts.{name}", self.trumps_of(name)
        if TRUMPS in str(text) and order not in rules.orders.rows:
            message = f"{path}.needs: it is not said which order's trumps these are"
            rules.fault(f"{path}.counted", order, ", ".join(rules.orders.rows), message)
        return rules.expression(text, f"{path}.needs", (OWN,))

    def asked(self, rnd: Joint, seat: int, name: str, facts: Facts) -> Outcome:
        """What a contract needs of the hand that a seat was dealt."""
        condition = self.needs.get(name)
        if condition is None or seat < 0:
            return None
        row = self.rows[name]

        def trumps() -> int:
            bound = {"trump": row["trump"]} if row["trump"] else {}
            return rnd.rules.orders.get(self.trumps_of(name), bound).masks[TRUMP]

        return asked_of(
            rnd, seat, condition, trumps, {**facts, "wanted": rnd.rules.said(row["wanted"])}
        )

    def trumps_of(self, name: str) -> str:
        """The order whose trumps a contract's needs mean."""
        row = self.rows[name]
        return row["counted"] or str(row["order"])

    # --- what may be said

    def called_with(self, pack: Pack, name: str) -> list[int]:
        """The kinds of card of which one is called with a contract."""
        patterns = each_pattern(self.rows[name].get("calls", ()))
        return [kind for pattern in patterns for kind in kinds_of(pack, pattern)]

    def takes(self, option: str, contract: str) -> bool:
        """Whether an option may be said with a contract."""
        fits: list[str] = self.options[option]["with"]
        return not fits or contract in fits

    def ways(self, pack: Pack, name: str, number: int | None = None) -> Iterator[Offer]:
        """Every way to name a contract, with one option at most."""
        said: list[tuple[str, ...]] = [(), *((each,) for each in self.options)]
        for kind in self.called_with(pack, name) or (None,):
            cards = () if kind is None else (kind,)
            for options in said:
                if all(self.takes(option, name) for option in options):
                    yield Offer(number, name, options, cards)

    # --- measures

    def keys(self) -> dict[str, None]:
        """The names of the numbers that contracts declare."""
        return {key: None for row in self.rows.values() for key in row["is"]}

    def measures(self) -> Iterator[Measure]:
        """Which contract is played, what was said with it, and its own numbers."""
        for name in self.rows:
            yield Measure(f"contract.{name}", f"whether {name} is played", _is(name))
        for option in self.options:
            doc = f"whether {option} was said with it"
            yield Measure(f"contract.{option}", doc, _was_said(option))
        yield Measure("called", "the card that was named with it", _called, "", KINDS)
        for key in self.keys():
            doc = f"the number {key} of the contract that is played"
            yield Measure(f"contract.{key}", doc, self._number(key))

    def _number(self, key: str) -> Reader:
        def read(rnd: Joint, _: object) -> float:
            row = self.rows.get(rnd.shared.contract)
            return row["is"].get(key, 0) if row is not None else 0

        return read

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        """What `{trump}` may stand for, where a contract says."""
        suits = [row["trump"] for row in self.rows.values() if row["trump"] in self._suits]
        return {"trump": suits} if suits else {}

    # --- what is played

    def declare(self, rnd: Joint, seat: int) -> None:
        """Tell the round who declares the contract."""
        rnd.shared.declarer = seat

    def settle(self, rnd: Joint, seat: int, offer: Offer) -> None:
        """Tell the round that this seat plays what it has offered: the contract, with the options
        that were said, those that they bring with them, and the cards that were named."""
        self.declare(rnd, seat)
        rnd.shared.options = self.with_implied(offer)
        rnd.shared.named = offer.cards
        self.play(rnd, offer.contract, seat)

    def with_implied(self, offer: Offer) -> tuple[str, ...]:
        """The options of an offer, and those that they imply and its contract takes, in the order
        of the rows."""
        found = list(offer.options)
        for option in found:
            for more in self.options[option]["implies"]:
                if more not in found and self.takes(more, offer.contract):
                    found.append(more)
        return tuple(name for name in self.options if name in found)

    def play(self, rnd: Joint, contract: str, seat: int) -> None:
        """Tell the round which contract is played: the order of cards and the trump, who leads,
        and what makes the sides; `seat` is who declared it (-1: nobody, or not known)."""
        row = self.rows[contract]
        rnd.shared.contract = contract
        rnd.void = bool(row["annuls"])
        if rnd.void:
            return
        if row["order"]:
            rnd.shared.order = row["order"]
        rnd.shared.chosen = row["trump"]
        if row["leads"] and seat >= 0 and rnd.start.lead is None:
            rnd.leader = seat if row["leads"] == DECLARER else rnd.after(seat, rnd.step)
        rows = [row, *(self.options[option] for option in rnd.shared.options)]
        if seat >= 0 and any(each["rests"] for each in rows):
            rnd.shared.resting = tuple(mate for mate in rnd.side(seat) if mate != seat)
        self._make_sides(rnd, row, seat)

    def _make_sides(self, rnd: Joint, row: Row, seat: int) -> None:
        if rnd.parties is not None:
            sizes = rnd.hands.sizes()
            size = max([sizes[player] for player in rnd.seats])
            first = max(1, rnd.rules.deal_size(len(rnd.seats)) - size + 1)
            named = _called(rnd, None)
            mates = rnd.side(seat) if seat >= 0 else ()
            rnd.parties.fix(row["sides"], seat, row["within"], first, named, mates)

    def change_if_alone(self, rnd: Joint) -> None:
        """Tell the round which contract is played instead, where its declarer has found no partner
        and the contract says so."""
        parties, contract = rnd.parties, rnd.shared.contract
        if parties is None or not contract or not parties.alone:
            return
        instead: str = self.rows[contract]["becomes"]
        if instead:
            rnd.shared.contract = instead


def _is(name: str) -> Reader:
    return lambda rnd, _: rnd.shared.contract == name


def _called(rnd: Joint, _: object) -> int:
    return sum(rnd.rules.pack.column[kind] for kind in set(rnd.shared.named))


def _was_said(option: str) -> Reader:
    return lambda rnd, _: option in rnd.shared.options
