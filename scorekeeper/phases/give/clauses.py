"""How many cards are given, and to whom: the clause words. Part of give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import mark, plural
from scorekeeper.phases.give.course import Give
from scorekeeper.phases.give.state import NAMED, TAKER
from scorekeeper.ruleset.phase import actor_of
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge


@clause(
    "gives",
    "give",
    on=("give",),
    say=mark("{who} gives {due}, not {count}"),
    doc="As many cards are given as the phase says; given back as many as were received.",
)
def _gives(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Give)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        due, gift = rnd.state(phase).due.get(actor_of(entry)), entry.value
        if due is None or gift.cards == () or gift.number == due.number:
            return None
        return Breach(
            {"due": plural("{count} card", "{count} cards", due.number), "count": gift.number}
        )

    return judge


@clause(
    "given-to",
    "give",
    on=("give",),
    say=mark("{who} gives to {to} in this round, not to {named}"),
    doc="Cards are given to whom the phase says; where it says `anyone`, to another who is named.",
)
def _given_to(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Give)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        seat, named = actor_of(entry), entry.value.to
        due = rnd.state(phase).due.get(seat)
        if due is None or (named in (NAMED, due.to) and due.to != NAMED):
            return None
        if due.to == TAKER:
            return Breach(
                {"named": rnd.names[named]}, mark("{who} gives to who takes it, not to {named}")
            )
        if due.to != NAMED:
            return Breach({"to": rnd.names[due.to], "named": rnd.names[named]})
        if named in rnd.seats and named != seat:
            return None
        say = mark("{who} gives to somebody else, who is named: {form}")
        return Breach({"form": f"{rules.spoken('give')} CARD… {rules.spoken('to')} NAME"}, say)

    return judge
