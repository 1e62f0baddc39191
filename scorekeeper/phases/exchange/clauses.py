"""Who exchanges what with whom, and until when: the clause words. Part of exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach, Claim
from scorekeeper.core.messages import listed, mark, plural
from scorekeeper.core.rulings import LEGAL
from scorekeeper.phases.exchange import telling
from scorekeeper.phases.exchange.course import Exchange
from scorekeeper.phases.exchange.syntax import count
from scorekeeper.ruleset.orders import TRUMP
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.exchange.syntax import Swap
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.orders import Order
    from scorekeeper.ruleset.phase import Judge

BOTH = ("exchange", "show")


@clause(
    "owed",
    "exchange",
    on=BOTH,
    say=mark("no exchange is owed now: {why}"),
    doc="Cards are owed since the last round, neither claimed nor cancelled nor lapsed.",
)
def _owed(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if phase.due(rnd):
            return None
        why = telling.why_nothing_is_due(rnd, rnd.state(phase), phase.until)
        return Breach({"why": why, "owed": 0})

    return judge


@clause(
    "between",
    "exchange",
    on=("exchange",),
    say=mark("the exchange is between {master} and {giver}"),
    doc="The master claims, of the player who was master in the round that was lost.",
)
def _between(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        giver, master = rnd.state(phase).giver, rnd.shared.master
        if giver is None or (entry.seat == master and entry.value.seat == giver):
            return None
        return Breach({"master": rnd.names[master], "giver": rnd.names[giver]})

    return judge


@clause(
    "even",
    "exchange",
    on=("exchange",),
    say=mark("{cards} for {taken}: it must be as many, and at most {owed}"),
    doc="As many cards are given as taken, and no more than are owed.",
)
def _even(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        swap, due = entry.value, phase.due(rnd)
        if swap.is_open or not due:
            return None
        given, taken = count(swap.given), count(swap.taken)
        if given == taken <= due:
            return None
        facts = {"given": given, "taken": taken, "owed": due}
        return Breach({**facts, "cards": plural("{count} card", "{count} cards", given)})

    return judge


@clause(
    "best",
    "exchange",
    on=("exchange",),
    say=mark("{giver} gives the best trumps: none that is better than {weakest} stays behind"),
    doc="What is taken are the best trumps of the giver; fewer trumps, fewer cards.",
)
def _best(row: Row, rules: Rules) -> Judge:
    phase, pack = rules.phase(Exchange), rules.pack

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        swap: Swap = entry.value
        giver, taken = swap.seat, swap.taken
        if swap.is_open or not phase.due(rnd) or giver != rnd.state(phase).giver:
            return None
        order = phase.order(rnd)
        facts: Facts = {"giver": rnd.names[giver]}
        if isinstance(taken, int):
            say = mark("{giver} must have {trumps} to give: fewer trumps, fewer cards")
            facts |= {"count": taken, "trumps": plural("{count} trump", "{count} trumps", taken)}
            return Claim(giver, order.masks[TRUMP], taken, pack.total, facts, say)
        plain = [pack.kinds[kind] for kind in taken if order.classes[kind] != TRUMP]
        if plain:
            say = mark(
                "{cards} cannot be asked for: only trumps that are known can, the best first"
            )
            return Breach({**facts, "cards": plain}, say)
        weakest = min(taken, key=order.strength.__getitem__)
        better = _better_trumps(order, weakest)
        mask = sum(pack.column[kind] for kind in better)
        most = sum(kind in better for kind in taken)
        facts |= {"weakest": pack.kinds[weakest], "better": [pack.kinds[kind] for kind in better]}
        return Claim(giver, mask, 0, most, facts) if better else None

    return judge


def _better_trumps(order: Order, weakest: int) -> list[int]:
    """The kinds of trump that are better than this one."""
    return [
        kind
        for kind, strength in enumerate(order.strength)
        if order.classes[kind] == TRUMP and strength > order.strength[weakest]
    ]


@clause(
    "cancels",
    "exchange",
    on=("show",),
    say=mark("{cards} shown by {who} cannot cancel it: {sets} can, shown from one hand by {names}"),
    doc="The owing side cancels the exchange when one of it shows one of `cancelled_by`.",
)
def _cancels(row: Row, rules: Rules) -> Judge:
    phase, pack = rules.phase(Exchange), rules.pack

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        giver, seats = rnd.state(phase).giver, phase.may_cancel(rnd)
        shown = tuple(sorted(entry.value))
        if giver is None or (entry.seat in seats and shown in phase.sets):
            return None
        sets = [pack.codes(cards) for cards in phase.sets]
        cards, may = [pack.kinds[kind] for kind in entry.value], rnd.names_of(seats)
        facts = {"cards": cards, "giver": rnd.names[giver], "may": may, "sets": sets}
        return Breach({**facts, "names": listed(may, "or")})

    return judge


LAPSED = {
    False: mark("the card that {giver} owed {master} was not claimed in time: the claim lapses"),
    True: mark(
        "the {cards} cards that {giver} owed {master} were not claimed in time: the claim lapses"
    ),
}


@clause(
    "lapsed",
    "exchange",
    say=LAPSED[True],
    doc="Says, with the verbs in `on`, that an exchange that is still owed lapses now.",
    verdict=LEGAL,
)
def _lapsed(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Exchange)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        due, seat = phase.due(rnd), rnd.state(phase).giver
        if not due or seat is None:
            return None
        giver, master = rnd.names[seat], rnd.names[rnd.shared.master]
        facts: Facts = {"cards": due, "giver": giver, "master": master}
        return Breach(facts, LAPSED[due > 1])

    return judge
