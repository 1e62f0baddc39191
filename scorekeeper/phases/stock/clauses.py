"""Who may close the stock, or swap the card that was turned up: the clause words. Part of stock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import listed, mark, tr
from scorekeeper.phases.stock.course import Stock
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge


@clause(
    "closes",
    "stock",
    on=("close",),
    say=mark("{who} may not close the stock: {why}"),
    doc="The stock is closed by who is to lead, while there are cards in it.",
)
def _closes(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Stock)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if rnd.state(phase).closed >= 0:
            return Breach({"why": tr("it is closed already")})
        if not rnd.shared.stock:
            return Breach({"why": tr("there is nothing left to be drawn")})
        return None if rnd.to_lead() == entry.seat else Breach({"why": tr("they are not to lead")})

    return judge


@clause(
    "swaps",
    "stock",
    on=("swap",),
    say=mark("{who} may not swap {card}: {why}"),
    doc="Who is to lead may lay a card of `swaps` down for the last card, as long as it lies open.",
)
def _swaps(row: Row, rules: Rules) -> Judge:
    phase, pack = rules.phase(Stock), rules.pack

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        (kind,), state = entry.value, rnd.state(phase)
        card, may = pack.kinds[kind], phase.swappable(rnd)
        if state.turned is None or state.closed >= 0:
            why = tr("no card of the stock lies open any more")
        elif kind not in may:
            why = tr("only {cards} may be", cards=listed([pack.kinds[each] for each in may], "or"))
        elif rnd.to_lead() != entry.seat:
            why = tr("they are not to lead")
        else:
            return None
        return Breach({"card": card, "why": why})

    return judge
