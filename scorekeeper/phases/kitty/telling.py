"""The kitty in words, and as JSON. Part of kitty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import number_of
from scorekeeper.phases.kitty.state import BURIED, LEFT, TAKEN, TURNED, trumps
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.plain import Json
    from scorekeeper.phases.kitty.state import State
    from scorekeeper.ruleset.joint import Joint


def why(rnd: Joint, state: State) -> str:
    """What the taking or leaving of the kitty turns on, as a sentence."""
    count, trump = trumps(rnd, state), rnd.shared.trump
    bear = "bear" if count > 1 else "bears"
    its = number_of(len(state.cards), "card")
    return f"{count or 'none'} of its {its} {bear} the trump suit, {suit_name(trump)}"


def sentences(rnd: Joint, state: State, owner: int) -> Iterator[str]:
    """What the kitty is, and what became of it."""
    if not state.stage:
        return
    name = rnd.names[owner]
    became = {
        TURNED: "lies open" if state.cards else "is not taken yet",
        TAKEN: f"was taken up by {name}",
        LEFT: "was left aside",
        BURIED: f"was taken up by {name}, and as many cards buried",
    }
    cards = f", {rnd.rules.pack.codes(state.cards)}," if state.cards else ""
    yield f"the kitty{cards} {became[state.stage]}"


def bindings(rnd: Joint, state: State | None) -> Json:
    """The trump and the kitty, as the state shows them."""
    found: Json = {"trump": rnd.shared.trump} if rnd.shared.trump else {}
    if state is not None and state.stage:
        cards = [rnd.rules.pack.kinds[kind] for kind in state.cards]
        found["kitty"] = {"cards": cards, "state": state.stage}
    return found


def owed(rnd: Joint, state: State, owner: int, must: str) -> Json:
    """What the owner owes, as the state shows it: `must` says what is to be done with the kitty
    that lies there."""
    found: Json = {"who": rnd.names[owner], "what": "bury", "cards": state.size}
    if state.stage == TURNED:
        found["what"] = must
        if state.cards and rnd.shared.trump:
            found["why"] = why(rnd, state)
    return found
