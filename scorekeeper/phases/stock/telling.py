"""The stock in words, and as JSON. Part of stock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import plural, tr
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json
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
        suit = suit_name(rnd.shared.bottom)
        yield tr("{suit} were trump", suit=suit) if rnd.over else tr("{suit} are trump", suit=suit)
    if rnd.over:
        return
    if state.closed >= 0:
        yield plural(
            "the stock is closed, with {count} card in it",
            "the stock is closed, with {count} cards in it",
            state.closed,
        )
    elif rnd.shared.stock:
        said = plural("the stock has {count} card", "the stock has {count} cards", rnd.shared.stock)
        if state.turned is not None:
            card = rnd.rules.pack.kinds[state.turned]
            said = tr("{stock}, {card} the last", stock=said, card=card)
        yield said
    else:
        yield tr("nothing is left to be drawn")
