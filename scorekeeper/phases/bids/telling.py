"""How the bidding stands and what came of it. Part of bids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.phases.bids.words import DIRECTION, direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.notation.entry import Verb
    from scorekeeper.phases.bids.state import State
    from scorekeeper.ruleset.joint import Joint


def prompt(rnd: Joint, state: State, seat: int, calls: Iterable[Verb]) -> str:
    """What the seat whose turn it is may do, `calls` among it."""
    name, last = rnd.names[seat], state.last
    if last is None:
        return tr("{name} starts with a bid", name=name)
    names = tr(" or ").join(rnd.rules.lexicon.form(verb.word) for verb in calls)
    if names:
        say = tr("{name} bids higher than {bid}, or says {calls}")
        return say.format(name=name, bid=last.text, calls=names)
    return tr("{name} bids higher than {bid}", name=name, bid=last.text)


def describe(rnd: Joint, state: State | None) -> Json:
    """The bids on the table, the last of them and what was called, as plain values."""
    bindings: Json = {"direction": direction(rnd.step)}
    if state is None:
        return {"bindings": bindings} if rnd.earlier_entry((DIRECTION.word,)) else {}
    if state.last is not None:
        seat, count, face = state.last
        bindings["bid"] = {"who": rnd.names[seat], "count": count, "face": face}
    if state.call is not None:
        call = rnd.rules.lexicon.form(state.call.word)
        bindings["call"] = {"who": rnd.names[state.call.seat], "call": call}
        bindings["matching"] = list(rnd.shared.matching)
    table = [{"who": rnd.names[bid.seat], "bid": bid.text} for bid in state.bids]
    return {"table": table, "bindings": bindings}


def sentences(rnd: Joint, state: State) -> Iterator[str]:
    """Which way the bids go, where it is not the usual one, and who called."""
    form = rnd.rules.lexicon.form
    if rnd.step < 0:
        yield tr("play goes to the {direction}", direction=form("right"))
    if state.call is not None:
        yield tr(
            "{name} called {call}", name=rnd.names[state.call.seat], call=form(state.call.word)
        )


def summary(rnd: Joint, state: State) -> Json:
    """The last bid, how many there were, and the call in the game's word."""
    if state.last is None:
        return {}
    call = rnd.rules.lexicon.form(state.call.word) if state.call is not None else ""
    return {"bid": state.last.text, "bids": len(state.bids), "call": call}
