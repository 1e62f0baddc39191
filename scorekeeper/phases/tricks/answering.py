"""How what was led is answered with cards of its class: the clause word for runs and sets. Part of
tricks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import AllOf, Breach
from scorekeeper.core.messages import mark, tr
from scorekeeper.phases.tricks.answers import AGAIN, LONGEST, NO_RUNS, Answer
from scorekeeper.phases.tricks.course import Tricks
from scorekeeper.phases.tricks.shapes import read
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge


@clause(
    "answer",
    "tricks",
    on=("play",),
    say=mark("{who} must lay {wanted}: {legal}"),
    unknown=mark("{who} must lay {wanted}; nobody knows whether they have"),
    proven=mark("{who} had to lay {wanted} and did not ({first}, {then})"),
    doc=(
        "Who answers sets or runs with cards of the class that was led lays the longest runs that"
        " they have, then sets, then smaller sets, as many as were led."
    ),
    parameters={
        "runs": Parameter(
            "choice",
            "whether a run asks for the longest run, and with the rest for the longest again",
            AGAIN,
            (AGAIN, LONGEST, NO_RUNS),
        ),
        "smaller": Parameter(
            "bool", "whether who has no such set any more lays smaller ones", True
        ),
    },
)
def _answer(row: Row, rules: Rules) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack
    runs, smaller = row["runs"], row["smaller"]
    tricks.shapes.answered = True

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state, seat, kinds = rnd.state(tricks), entry.seat, entry.value
        if seat is None or not _asks(state, kinds):
            return None
        answer = Answer(rnd, state, seat, kinds, runs, smaller)
        kept = answer.kept()
        if kept is True:
            return None
        facts = _facts(state, answer)
        if kept is False:
            return Breach({**facts, "legal": [pack.codes(answer.example())]})
        return AllOf((kept,), facts)

    return judge


def _asks(state: State, kinds: Sequence[int]) -> bool:
    """Whether cards laid to what was led are all of its class; what was led against the rules asks
    for nothing."""
    if not kinds or not state.laid or state.size == 1:
        return False
    if state.form[1] > 1 and len(kinds) != state.size:
        return False
    classes = state.order.classes
    if any(classes[kind] != state.led for kind in kinds):
        return False
    return state.shapes.allow(read(state.order, state.laid[0][1])[1])


def _facts(state: State, answer: Answer) -> Facts:
    wanted = tr("the longest possible run of sets")
    if answer.short:
        wanted = (
            tr("as many identical cards as possible")
            if answer.sets == 1
            else tr("as many identical cards, set by set, as possible")
        )
    return {"most": max(answer.laid.values()), "trick": state.number, "wanted": wanted}
