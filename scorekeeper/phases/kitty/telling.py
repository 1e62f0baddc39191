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


def sentences(rnd: Joint, state: State) -> Iterator[str]:
    """What the kitty is, and what became of it."""
    master = rnd.names[rnd.shared.master]
    became = {
        TURNED: "lies open",
        TAKEN: f"was taken up by {master}",
        LEFT: "was left aside",
        BURIED: f"was taken up by {master}, and as many cards buried",
    }
    if state.cards:
        yield f"the kitty, {rnd.rules.pack.codes(state.cards)}, {became[state.stage]}"


def bindings(rnd: Joint, state: State | None) -> Json:
    """The trump and the kitty, as the state shows them."""
    found: Json = {"trump": rnd.shared.trump} if rnd.shared.trump else {}
    if state is not None and state.stage:
        cards = [rnd.rules.pack.kinds[kind] for kind in state.cards]
        found["kitty"] = {"cards": cards, "state": state.stage}
    return found


def owed(rnd: Joint, state: State, must: str) -> Json:
    """What the master owes, as the state shows it: `must` says what is to be done with the kitty
    that lies open."""
    found: Json = {"who": rnd.names[rnd.shared.master], "what": "bury", "cards": len(state.cards)}
    if state.stage == TURNED:
        found["what"] = must
        found["why"] = why(rnd, state)
    return found
