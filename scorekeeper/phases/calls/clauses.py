"""What may be called, and when: the clause words. Part of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach, Claim, Unsure
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.core.sides import DECLARING
from scorekeeper.core.types import NamedTuple
from scorekeeper.phases.calls.catalogue import SIDES
from scorekeeper.phases.calls.course import Calls
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

CALL = ("call",)


def _barred(rnd: Joint, seat: int | None) -> str:
    """Why a seat may call nothing at all now ("": it may)."""
    if seat not in rnd.seats:
        return tr("they sit out this round")
    if not rnd.shared.contract:
        return tr("the contract is not settled")
    if seat == rnd.shared.conceded:
        return tr("they have conceded the rest")
    if rnd.require_parties().searching:
        return tr("the trick that finds the partner is not complete")
    return ""


class Made(NamedTuple):
    """A call as it was meant: by which seat, for which side (None: neither could make it), its
    name, and whether the side had made it already."""

    seat: int
    side: int | None
    name: str
    repeated: bool


def _made(phase: Calls, rnd: Joint, entry: Entry) -> Made | None:
    """The call that an entry is; None where its caller may call nothing at all now, of which the
    clause `settled` speaks."""
    seat, name = entry.seat, entry.value.name
    if seat is None or _barred(rnd, seat):
        return None
    side = phase.catalogue.side_of(rnd, rnd.state(phase), seat, entry.value)
    return Made(seat, side, name, side is not None and name in phase.called(rnd, side))


@clause(
    "settled",
    "calls",
    on=CALL,
    say=mark("{who} may not call now: {why}"),
    doc="Nothing is called before the contract is settled and a trick has found the partner.",
)
def _settled(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        why = _barred(rnd, entry.seat)
        return Breach({"why": why}) if why else None

    return judge


@clause(
    "in-time",
    "calls",
    on=CALL,
    say=mark("{who} is too late for {call}: it needs {cards} in hand, and {left}"),
    doc="The caller holds enough cards for the call, and for each call that it implies.",
)
def _in_time(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Calls)
    catalogue = phase.catalogue

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        call = _made(phase, rnd, entry)
        if call is None or call.repeated:
            return None
        sides = SIDES if call.side is None else (call.side,)
        state = rnd.state(phase)
        found = [catalogue.too_late(rnd, state, call.seat, side, call.name) for side in sides]
        late = [name for name in found if name]
        if not late:
            return None
        least, held = min(catalogue.least(rnd, name) for name in late), rnd.hands.size(call.seat)
        return Breach(
            {
                "call": listed(list(dict.fromkeys(map(rules.spoken, late))), "or"),
                "least": least,
                "held": held,
                "cards": plural("{count} card", "{count} cards", least),
                "left": plural("{count} is left", "{count} are left", held),
            }
        )

    return judge


@clause(
    "after-reply",
    "calls",
    on=CALL,
    say=mark("{who} may call no level: {side} has announced in reply only"),
    doc="A side whose announcement was in time as a reply only calls no level.",
)
def _after_reply(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Calls)
    catalogue = phase.catalogue

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        call = _made(phase, rnd, entry)
        if call is None or call.side is None or call.repeated:
            return None
        if not rnd.state(phase).replied[call.side] or not catalogue.is_level(call.name):
            return None
        return Breach({"side": catalogue.sides[call.side]})

    return judge


@clause(
    "own-side",
    "calls",
    on=CALL,
    say=mark("{who} calls for {side}, and is {proven}"),
    unknown=mark("{who} calls for {side}; nobody knows whose side they are on"),
    proven=mark("{who} called for {side} and is {proven} ({first}, {then})"),
    doc="One calls for one's own side: a claim about the hand, or known from the contract.",
)
def _own_side(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Calls)
    catalogue = phase.catalogue

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        call = _made(phase, rnd, entry)
        if call is None or call.side is None:
            return None
        seat, side, parties = call.seat, call.side, rnd.require_parties()
        proven = parties.of(seat)
        if proven == side:
            return None
        facts = {"side": catalogue.sides[side], "proven": catalogue.sides[1 - side]}
        if proven is not None:
            return Breach(facts)
        if not parties.by_cards or parties.before[seat]:
            return Unsure(facts)
        if side == DECLARING:
            return Claim(seat, parties.mask, 1, parties.copies, facts)
        return Claim(seat, parties.mask, 0, 0, facts)

    return judge


@clause(
    "repeated",
    "calls",
    on=CALL,
    say=mark("{side} has called {call} already: it counts once"),
    doc="A note when a side repeats a call: it counts once, and is never too late.",
    verdict=LEGAL,
)
def _repeated(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Calls)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        call = _made(phase, rnd, entry)
        if call is None or call.side is None or not call.repeated:
            return None
        return Breach({"side": phase.catalogue.sides[call.side], "call": rules.spoken(call.name)})

    return judge
