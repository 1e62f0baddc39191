"""What is given to whom, in words and as JSON. Part of give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.phases.give.state import NAMED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.phases.give.state import Due, State
    from scorekeeper.ruleset.joint import Joint

TO = {
    "left": mark("to the left"),
    "right": mark("to the right"),
    "across": mark("across"),
    "partner": mark("to their partner"),
}


def whom(rnd: Joint, state: State, due: Due) -> str:
    """To whom that is due, as the end of a sentence."""
    if due.to < 0:
        return tr("to whom they name") if due.to == NAMED else tr("to whoever takes them")
    if state.back or len(state.due) == 1:
        who = rnd.names[due.to]
        return tr("back to {who}", who=who) if state.back else tr("to {who}", who=who)
    said = TO.get(state.where)
    return state.where if said is None else tr(said)


def describe(rnd: Joint, state: State) -> Json:
    """To whom this round gives, and what is still to be given."""
    owed: list[Json] = []
    for seat in state.waiting():
        if seat not in state.due:
            owed.append({"who": rnd.names[seat], "what": "take"})
            continue
        due = state.due[seat]
        one: Json = {"who": rnd.names[seat], "what": "give", "cards": due.number}
        if due.to >= 0:
            one["to"] = rnd.names[due.to]
        owed.append(one)
    return {"bindings": {"give": state.where}, "owed": owed}


def sentences(rnd: Joint, state: State) -> Iterator[str]:
    """Who has given what nobody has taken up yet; or that all have, and to whom."""
    if state.moved and not state.back and len(state.due) > 1:
        due = next(iter(state.due.values()))
        yield plural(
            "everyone has given {count} card {whom}",
            "everyone has given {count} cards {whom}",
            due.number,
            whom=whom(rnd, state, due),
        )
    elif state.given:
        names = rnd.names_of(state.given)
        yield plural(
            "{names} has given their cards",
            "{names} have given their cards",
            len(names),
            names=listed(names),
        )
