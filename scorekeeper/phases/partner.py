"""The step after an auction in which the declarer calls a card, whose holder is the partner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import Breach, Claim, Unsure
from scorekeeper.core.messages import N_, Prompt, join_list, tr
from scorekeeper.core.sides import DECLARING, NAMED
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.contracts import Contracts
from scorekeeper.engine.phase import Phase, View, actor_of
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import Cards
from scorekeeper.ruleset.orders import iter_patterns, match_kinds
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.phase import Judge, RoleSplit
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

CALL, CALLER = "call", "caller"
WHERE = "phases.partner.calls"


@phase
class PartnerCall(Phase[None]):
    """The phase in which the declarer calls a card."""

    name = "partner"
    doc = (
        "After an `auction` of contracts, the declarer of a contract with `sides` `named` and "
        "without `calls` calls a card. Its holder is the declarer's partner, and becomes known "
        "when the card is shown. A declarer who calls one of their own cards, or a card that no "
        "player was dealt, plays alone. `caller` is the role of the declarer."
    )
    clause_order = "callable"
    standard_words = "callable"
    others = ("auction", "parties")
    tables = ("contracts",)
    parameters = {
        "calls": Parameter(
            "cards",
            "the cards that may be called; a card of a later pattern only by a player who holds"
            " all cards of the patterns before it",
        )
    }
    entry_types: tuple[EntryType, ...] = (
        EntryType(CALL, Cards(1, 1), N_("calls the partner's card"), by=Actor.TURN),
    )
    roles: tuple[str, ...] = (CALLER,)
    calls_cards = True

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.contracts = Contracts(rules)
        # the kinds of card that may be called, by the pattern that allows them
        self.callable_kinds: list[list[int]] = []

    def link(self) -> None:
        pack, rows = self.rules.pack, self.contracts.rows
        for pattern in iter_patterns(self.row["calls"]):
            try:
                self.callable_kinds.append(list(match_kinds(pack, pattern)))
            except ValueError as error:
                self.rules.fault(WHERE, pattern, "cards", str(error))
        if not any(self._awaits_call(name) for name in rows):
            message = f"{WHERE}: no contract has a partner who is called after the auction"
            allowed = 'a contract with sides = "named" and without calls'
            self.rules.fault(WHERE, ", ".join(rows), allowed, message)
        verbs = self.rules.entry_types.values()
        self.shared_verbs = {v.word for v in verbs if v.plays_cards and v.is_implicit}

    def _awaits_call(self, contract: str) -> bool:
        row = self.contracts.rows.get(contract)
        return row is not None and row["sides"] == NAMED and not row.get("calls")

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        yield split.add("", {CALLER: (CALLER, (0,))})

    # --- course

    def begin(self, rnd: Round) -> None:
        """Return no state, because the called card is in `TableState`."""

    def takes_place(self, rnd: Round) -> bool:
        """Return whether there is a contract whose declarer has to call a card."""
        return rnd.table.declarer >= 0 and self._awaits_call(rnd.table.contract)

    def finished(self, rnd: Round) -> bool:
        return bool(rnd.table.named_cards)

    def waiting(self, rnd: Round) -> list[int]:
        return [rnd.table.declarer]

    def options(self, rnd: Round) -> Iterator[Entry]:
        for kinds in self.callable_kinds:
            for kind in kinds:
                yield Entry(self.entry_types[0], rnd.table.declarer, (kind,))

    def interpret(self, rnd: Round, entry: Entry) -> Iterator[Entry]:
        """Yield the call that a card typed without a verb means while the declarer must call a
        card."""
        if entry.type.word in self.shared_verbs and rnd.is_current(self) and len(entry.value) == 1:
            seat = rnd.table.declarer if entry.seat is None else entry.seat
            yield Entry(self.entry_types[0], seat, tuple(entry.value))

    def hand_cards(self, entry: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
        return ()

    def apply(self, rnd: Round, entry: Entry) -> None:
        seat, table = actor_of(entry), rnd.table
        if seat != table.declarer or table.named_cards:
            raise Impossible(
                tr("“{text}”: {who} has no card to call now", text=entry.text, who=rnd.names[seat])
            )
        self.contracts.call_card(rnd, entry.value[0])

    def close(self, rnd: Round) -> None:
        declarer = rnd.table.declarer
        if declarer >= 0 and not rnd.void and rnd.require_sides().side_of(declarer) == DECLARING:
            rnd.roles[CALLER] = (rnd.names[declarer], (declarer,))

    # --- what may be called

    def judge_call(self, rnd: Round, entry: Entry) -> Outcome:
        """Return a claim about the cards that the declarer must hold to call this card, or None."""
        (kind,), seat, pack = entry.value, actor_of(entry), rnd.rules.pack
        facts: Facts = {"card": pack.kinds[kind]}
        higher: list[int] = []
        for kinds in self.callable_kinds:
            if kind in kinds:
                break
            higher += kinds
        else:
            known = [pack.kinds[each] for each in higher]
            why = tr("only {legal} may be called", legal=join_list(known, "or"))
            return Breach({**facts, "why": why, "legal": known})
        if not higher:
            return None
        what = join_list([pack.kinds[each] for each in higher])
        facts["why"] = tr("that takes {cards} in hand", cards=what)
        if rnd.hands.size(seat) < rnd.deal_size:
            return Unsure(facts)
        needed = sum(pack.column[each] for each in higher)
        return Claim(seat, needed, needed.bit_count(), needed.bit_count(), facts)

    # --- view

    def view(self, rnd: Round) -> View[object]:
        if not rnd.is_current(self):
            return View(None)
        first = self.callable_kinds[0] if self.callable_kinds else []
        kinds = [rnd.rules.pack.kinds[kind] for kind in first]
        return PartnerView(PartnerFacts(rnd.names[rnd.table.declarer], kinds))


class PartnerFacts(NamedTuple):
    """The declarer, who must call a card, and the cards that any declarer may call."""

    declarer: str
    cards: Sequence[str]


class PartnerView(View[PartnerFacts]):
    """The view of the step in which a card is called."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        who, cards = self.facts
        return Prompt(tr("{who} calls {cards}", who=who, cards=join_list(list(cards), "or")))


@clause(
    "callable",
    "partner",
    on=(CALL,),
    say=N_("{who} may not call {card}: {why}"),
    unknown=N_("{who} calls {card}; it is unknown whether they may call it"),
    proven=N_("{who} should not have called {card}: {why} ({first}, {then})"),
    doc=(
        "A called card must be one of `calls`. A card of a later pattern may be called only by a"
        " player who holds all cards of the patterns before it."
    ),
)
def _callable(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(PartnerCall).judge_call
