"""What is given to whom, in words and as JSON. Part of give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import number_of, of_several
from scorekeeper.phases.give.state import NAMED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.plain import Json
    from scorekeeper.phases.give.state import Due, State
    from scorekeeper.ruleset.joint import Joint


def whom(rnd: Joint, state: State, due: Due) -> str:
    """To whom that is due, as the end of a sentence."""
    if due.to < 0:
        return "to whom they name" if due.to == NAMED else "to whoever takes them"
    if state.back or len(state.due) == 1:
        return f"{'back ' if state.back else ''}to {rnd.names[due.to]}"
    return {"left": "to the left", "right": "to the right"}.get(
        state.where, f"to their {state.where}" if state.where == "partner" else state.where
    )


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
        yield f"everyone has given {number_of(due.number, 'card')} {whom(rnd, state, due)}"
    elif state.given:
        yield f"{of_several(rnd.names_of(state.given), 'has', 'have')} given their cards"
