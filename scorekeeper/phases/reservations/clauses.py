"""What may be said before play: the clause words. Part of reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.phases.reservations.course import BINDING, Reservations
from scorekeeper.phases.reservations.revising import revises, why_binding
from scorekeeper.phases.reservations.wishes import ORDINARY, RESERVED, spoken
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

RESERVE = ("reserve",)


@clause(
    "needs",
    "reservations",
    on=RESERVE,
    say=mark("{who} may say {wish} only with {wanted}"),
    unknown=mark("{who} says {wish}; nobody knows whether they hold {wanted}"),
    proven=mark("{who} said {wish} without {wanted} ({first}, {then})"),
    doc="A contract's `needs`, of the hand as it was dealt.",
    parameters={
        "of": Parameter(
            "texts", "the contracts that it judges (without it: all)", [], rows="contracts"
        )
    },
)
def _needs(row: Row, rules: Rules) -> Judge:
    contracts, of = rules.phase(Reservations).contracts, row["of"]

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kind, seat = entry.value.kind, entry.seat
        if seat is None or (of and kind not in of):
            return None
        return contracts.asked(rnd, seat, kind, {"wish": spoken(rules, [kind])})

    return judge


@clause(
    "kind",
    "reservations",
    on=RESERVE,
    say=mark("{who} has a reservation, so they must name it, not say {said}"),
    doc="Who has said that they have a reservation names its kind when they are asked.",
)
def _kind(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Reservations)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        wish, seat, state = entry.value, entry.seat, rnd.state(phase)
        if seat is None or wish.names_contract or seat not in (*state.pending, *state.named):
            return None
        taken_back = phase.binding is not None and not why_binding(rnd, state, seat)
        if taken_back and seat in state.pending:
            return None
        return Breach({"said": spoken(rules, [wish.kind])})

    return judge


@clause(
    BINDING,
    "reservations",
    on=RESERVE,
    say=mark("{who} can no longer take back {said}, it binds: {why}"),
    doc=(
        "What somebody says may be said otherwise until the next player speaks; when all have"
        " spoken, until somebody does something else. Then it binds. Without a row of this word it"
        " binds at once."
    ),
)
def _binding(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Reservations)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state, seat = rnd.state(phase), entry.seat
        if seat is None or not revises(state, seat, entry.value):
            return None
        why = why_binding(rnd, state, seat)
        if not why:
            return None
        return Breach({"said": spoken(rules, state.spoken[seat].words), "why": why})

    return judge


@clause(
    "raisable",
    "reservations",
    on=RESERVE,
    say=mark("{wish} cannot be raised with {raises}; {allowed}"),
    doc="Only contracts with `raises` may be raised, and with calls of the declaring side.",
)
def _raisable(row: Row, rules: Rules) -> Judge:
    contracts = rules.phase(Reservations).contracts

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kind, raises, _ = entry.value
        if not raises:
            return None
        wrong = [word for word in raises if word not in contracts.heights]
        if contracts.rows[kind]["raises"] and not wrong:
            return None
        may = [name for name, contract in contracts.rows.items() if contract["raises"]]
        words = ", ".join(contracts.heights)
        allowed = (
            tr("{may} may, with {words}", may=", ".join(may), words=words)
            if may
            else tr("nothing can be raised")
        )
        raised = spoken(rules, wrong or raises)
        return Breach({"wish": spoken(rules, [kind]), "raises": raised, "allowed": allowed})

    return judge


@clause(
    "owed",
    "reservations",
    on=RESERVE,
    say=mark("{who} must play the solo they owe: {deals} left, and as many solos are owed"),
    doc="When as many deals are left as solos are owed, the first who owes one must play it.",
)
def _owed(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Reservations)
    contracts = phase.contracts

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        wish, seat = entry.value, entry.seat
        if seat is None or phase.forced(rnd) != seat or wish.kind == RESERVED:
            return None
        state = rnd.state(phase)
        if wish.kind != ORDINARY and contracts.is_owed(state, seat, wish):
            return None
        solos = [name for name, contract in contracts.rows.items() if contract["solo"]]
        left = phase.deals_left(rnd, state.counted)
        deals = plural("{count} deal is", "{count} deals are", left)
        return Breach({"left": left, "legal": solos, "deals": deals})

    return judge
