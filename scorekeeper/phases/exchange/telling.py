"""The exchange in words, and as JSON. `due` is how many cards may be claimed now, `until` are the
verbs with which the claim lapses. Part of exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.phases.exchange.state import CANCELLED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.phases.exchange.state import State
    from scorekeeper.ruleset.joint import Joint


def describe(rnd: Joint, state: State, due: int, until: Sequence[str]) -> Json:
    """What has happened and what is owed, as the state shows it."""
    bindings: Json = {}
    if state.last is not None:
        seat, what = state.last
        bindings["exchange"] = {"who": rnd.names[seat], "what": what, "state": state.end}
    if not due or state.giver is None:
        return {"bindings": bindings}
    owed: Json = {"who": rnd.names[state.giver], "what": "exchange", "cards": due}
    owed["to"] = rnd.names[rnd.shared.master]
    owed["until"] = [rnd.rules.spoken(verb) for verb in until]
    return {"bindings": bindings, "owed": [owed]}


def sentences(rnd: Joint, state: State, due: int, until: Sequence[str]) -> Iterator[str]:
    """What is owed, and what has become of it."""
    if due and state.giver is not None:
        verbs = listed([rnd.rules.spoken(verb) for verb in until], "or")
        giver, master = rnd.names[state.giver], rnd.names[rnd.shared.master]
        yield plural(
            "{giver} owes {master} {count} card in exchange, until {verbs}",
            "{giver} owes {master} {count} cards in exchange, until {verbs}",
            due,
            giver=giver,
            master=master,
            verbs=verbs,
        )
    if state.last is not None:
        what = state.last[1]
        yield (
            tr("the exchange is cancelled: {what}", what=what)
            if state.end == CANCELLED
            else tr("the exchange is done: {what}", what=what)
        )


def became(rnd: Joint, state: State, until: Sequence[str]) -> str | None:
    """What has become of what was owed; None where nothing was, or nothing has."""
    what = state.last[1] if state.last is not None else None
    if state.end == CANCELLED:
        return f"cancelled ({what})"
    if state.cards and not what and rnd.earlier_entry(until):
        return "lapsed"
    return what


def why_nothing_is_due(rnd: Joint, state: State, until: Sequence[str]) -> str:
    """Why no card may be claimed now, as the end of a sentence."""
    if rnd.positioned:
        return tr("the round began in the middle")
    if state.giver is None or state.giver in rnd.side(rnd.shared.master):
        return tr("nothing was owed from the last round")
    if state.end:
        what = state.last[1] if state.last is not None else ""
        return (
            tr("it was cancelled before ({what})", what=what)
            if state.end == CANCELLED
            else tr("it was done before ({what})", what=what)
        )
    return tr("the claim lapsed with “{entry}”", entry=rnd.earlier_entry(until))
