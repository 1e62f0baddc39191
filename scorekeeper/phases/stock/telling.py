"""The stock in words, and as JSON. Part of stock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import number_of
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.plain import Json
    from scorekeeper.phases.stock.state import State
    from scorekeeper.ruleset.joint import Joint


def describe(rnd: Joint, state: State) -> Json:
    """How many cards there are, which of them lies open, and who may say what they drew."""
    bindings: Json = {}
    if rnd.shared.bottom:
        bindings["trump"] = rnd.shared.bottom
    if state.turned is not None:
        bindings["turned"] = rnd.rules.pack.kinds[state.turned]
    if state.closed >= 0:
        bindings["stock"] = "closed"
    owed = [{"who": name, "what": "draw", "cards": 1} for name in rnd.names_of(state.drawn)]
    return {"talon": rnd.shared.stock, "bindings": bindings, "owed": [] if rnd.over else owed}


def sentences(rnd: Joint, state: State) -> Iterator[str]:
    """The trump, and how many cards there are still to be drawn."""
    if rnd.shared.bottom:
        yield f"{suit_name(rnd.shared.bottom)} {'were' if rnd.over else 'are'} trump"
    if rnd.over:
        return
    if state.closed >= 0:
        yield f"the stock is closed, with {number_of(state.closed, 'card')} in it"
    elif rnd.shared.stock:
        last = (
            f", {rnd.rules.pack.kinds[state.turned]} the last" if state.turned is not None else ""
        )
        yield f"the stock has {number_of(rnd.shared.stock, 'card')}{last}"
    else:
        yield "nothing is left to be drawn"
