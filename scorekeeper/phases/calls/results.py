"""The calls that a `result` tells of: `calls=NAME:CALL+NAME:CALL`. Part of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import listed, tr
from scorekeeper.notation import Entry
from scorekeeper.phases.calls.catalogue import SIDES
from scorekeeper.phases.calls.syntax import Call
from scorekeeper.ruleset.phase import actor_of

if TYPE_CHECKING:
    from scorekeeper.phases.calls.catalogue import Catalogue
    from scorekeeper.phases.calls.state import State
    from scorekeeper.ruleset.joint import Joint


def fields(catalogue: Catalogue) -> list[tuple[str, str, list[str]]]:
    """What a result may say of calls."""
    sides = enumerate(catalogue.sides)
    words = [f"{side}:{call}" for index, side in sides for call in catalogue.implied[index]]
    return [("calls", tr("what was called, joined by + (empty: nothing)"), words)]


def read(rnd: Joint, state: State, catalogue: Catalogue, said: dict[str, str]) -> None:
    """Take the calls from the words of a result. Raises Unreadable for what is no call of that
    side, Impossible if a call that was recorded is not among them."""
    text = said.pop("calls", None)
    if text is None:
        return
    for part in text.split("+") if text else ():
        state.from_result.append(_call(rnd, catalogue, part))
    for side in SIDES:
        told = [catalogue.implied[each][call] for each, call in state.from_result if each == side]
        for name in catalogue.called(rnd, state, side):
            if not any(name in implied for implied in told):
                raise Impossible(
                    tr(
                        "{side} has called {name} by what was recorded",
                        side=catalogue.sides[side],
                        name=name,
                    )
                )


def _call(rnd: Joint, catalogue: Catalogue, part: str) -> tuple[int, str]:
    """The side and the call that a part of the text names."""
    meanings = rnd.rules.lexicon.meanings
    who, colon, what = part.partition(":")
    if not colon:
        return _alone(catalogue, part, meanings.get(" ".join(who.split()).casefold(), ""))
    side = meanings.get(who.strip().casefold(), "")
    call = meanings.get(" ".join(what.split()).casefold(), "")
    if side not in catalogue.sides:
        sides = listed(catalogue.sides, "or")
        raise Unreadable(
            tr("calls={part}: a call is for {sides}", part=part, sides=sides),
            f"calls={_example(catalogue)}",
        )
    index = catalogue.sides.index(side)
    if call not in catalogue.implied[index]:
        allowed = ", ".join(catalogue.implied[index])
        raise Unreadable(
            tr("calls={part}: {side} cannot call that", part=part, side=side),
            tr("it can call {allowed}", allowed=allowed),
        )
    return index, call


def _alone(catalogue: Catalogue, part: str, call: str) -> tuple[int, str]:
    """A call without its side, where only one can make it."""
    sides = [index for index, implied in enumerate(catalogue.implied) if call in implied]
    if len(sides) == 1:
        return sides[0], call
    forms = [f"calls={catalogue.sides[index]}:{call}" for index in sides]
    raise Unreadable(
        tr("calls={part}: it must be said which side called it", part=part),
        listed(forms, "or") or f"calls={_example(catalogue)}",
    )


def _example(catalogue: Catalogue) -> str:
    sides = zip(catalogue.sides, catalogue.implied, strict=True)
    return "+".join(f"{side}:{next(iter(implied))}" for side, implied in sides)


def infer_callers(rnd: Joint, state: State, catalogue: Catalogue) -> None:
    """The calls that a result tells of were made by somebody of that side, in some order: each is
    judged as if it were made now, since later is never earlier in time."""
    while state.from_result:
        ways = [(told, _ways(rnd, catalogue, *told)) for told in state.from_result]
        allowed = [told for told, acts in ways if not all(map(rnd.broken, acts))]
        side, call = allowed[0] if allowed else state.from_result[0]
        acts = _ways(rnd, catalogue, side, call)
        act = acts[0] if rnd.positioned else rnd.imply(acts)
        catalogue.make(rnd, state, actor_of(act), side, call)
        state.from_result.remove((side, call))


def _ways(rnd: Joint, catalogue: Catalogue, side: int, call: str) -> list[Entry]:
    """The acts by which a side may have made a call: of who holds most cards, first."""
    players = rnd.require_parties().members(side)
    verb, value = rnd.rules.verbs["call"], Call(catalogue.sides[side], call)
    return [Entry(verb, seat, value) for seat in sorted(players, key=lambda s: -rnd.hands.size(s))]
