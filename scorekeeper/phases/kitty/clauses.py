"""When the kitty is taken, left and buried: the clause words. Part of kitty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import mark, tr
from scorekeeper.phases.kitty.course import Kitty
from scorekeeper.phases.kitty.state import TAKEN, TURNED
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge
    from scorekeeper.ruleset.vocabulary import Build

NOT_NOW = mark("not now: {prompt}")


def _must(act: str) -> Build:
    """What builds the clause that this is done only where it must be: `take` or `leave`."""

    def build(row: Row, rules: Rules) -> Judge:
        kitty = rules.phase(Kitty)

        def judge(rnd: Joint, entry: Entry) -> Outcome:
            state = rnd.state(kitty)
            if state.stage != TURNED:
                return Breach({"prompt": kitty.prompt(rnd)}, NOT_NOW)
            must = kitty.must(rnd)
            if must in (act, ""):
                return None
            facts: Facts = {
                "cards": [rules.pack.kinds[kind] for kind in state.cards],
                "trump": rnd.shared.trump,
                "why": kitty.why(rnd) or tr("they must {act} it", act=rules.spoken(must)),
                "legal": [must],
            }
            return Breach(facts)

        return judge

    return build


clause(
    "taken",
    "kitty",
    on=("take",),
    say=mark("{who} may not take the kitty: {why}"),
    doc="The kitty is taken unless it must be left (`left_when`), and when it lies open.",
)(_must("take"))
clause(
    "left",
    "kitty",
    on=("leave",),
    say=mark("{who} may not leave the kitty: {why}"),
    doc="The kitty is left only where it must or may be (`left_when`, `optional`).",
)(_must("leave"))


@clause(
    "buries",
    "kitty",
    on=("bury",),
    say=mark("{who} buries as many cards as the kitty had: {size}, not {count}"),
    doc="As many cards are buried as were taken, after they were.",
)
def _buries(row: Row, rules: Rules) -> Judge:
    kitty = rules.phase(Kitty)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(kitty)
        if state.stage != TAKEN:
            return Breach({"prompt": kitty.prompt(rnd)}, NOT_NOW)
        if entry.value == ():  # some cards that are not listed
            return None
        count = entry.value if isinstance(entry.value, int) else len(entry.value)
        size = state.size
        return None if count == size else Breach({"size": size, "count": count})

    return judge
