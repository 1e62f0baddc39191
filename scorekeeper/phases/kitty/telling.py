"""The kitty in words, and as JSON. Part of kitty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Asked, mark, plural, tr
from scorekeeper.phases.kitty.state import BURIED, LEFT, TAKEN, TURNED, trumps
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.phases.kitty.state import State
    from scorekeeper.ruleset.joint import Joint

SAID = {
    TURNED: mark("the kitty{cards} lies open"),
    TAKEN: mark("the kitty{cards} was taken up by {who}"),
    LEFT: mark("the kitty{cards} was left aside"),
    BURIED: mark("the kitty{cards} was taken up by {who}, and as many cards buried"),
}
SAID_UNSEEN = {**SAID, TURNED: mark("the kitty{cards} is not taken yet")}


def choosing(rnd: Joint, owner: str) -> str:
    """What is asked of the owner who may take the kitty or not."""
    say = rnd.rules.spoken
    take, leave = say("take"), say("leave")
    return tr("{who} may {take} the kitty, or {leave} it", who=owner, take=take, leave=leave)


def taking(rnd: Joint, state: State, owner: str) -> str:
    """What is asked of the owner who takes the card that was turned up."""
    card, take = rnd.rules.pack.codes(state.cards), rnd.rules.spoken("take")
    return tr("{who} must {take} {card}", who=owner, take=take, card=card)


def bound(rnd: Joint, owner: str, must: str, because: str) -> str:
    """What is asked of the owner who has no choice."""
    act = rnd.rules.spoken(must)
    return tr("{who} must {act} the kitty{why}", who=owner, act=act, why=because)


def burying(rnd: Joint, state: State, owner: str) -> str:
    """What is asked of the owner who has taken the kitty."""
    cards = plural("{count} card", "{count} cards", state.size)
    said = tr(
        "{who} buries {cards}: {bury} CARD…, or {bury} {size} unseen",
        who=owner,
        cards=cards,
        bury=rnd.rules.spoken("bury"),
        size=state.size,
    )
    return Asked(said, tr("{who} buries {cards}", who=owner, cards=cards))


def unsaid(rnd: Joint) -> str:
    """What is asked while the trump is not known."""
    said = tr("the trump must be said: {form} SUIT", form=rnd.rules.spoken("trump"))
    return Asked(said, tr("the trump is to be said"))


def turning(rnd: Joint, state: State, owner: str, role: str, drawn: bool) -> str:
    """What is asked before the kitty is turned up, after cards were `drawn` or not."""
    facts = {
        "who": owner,
        "role": rnd.rules.spoken(role),
        "kitty": rnd.rules.spoken("kitty"),
        "cards": plural("{count} card", "{count} cards", state.size),
    }
    if not drawn:
        said = tr("{who} is {role}; the kitty is turned up: {kitty} and its {cards}", **facts)
        return Asked(said, tr("{who} is {role}; the kitty is turned up", **facts))
    facts["level"] = str(rnd.shared.level)
    said = tr(
        "{who} is {role} at level {level}; after the draw the kitty is turned up: "
        "{kitty} and its {cards}",
        **facts,
    )
    awaited = tr("{who} is {role} at level {level}; after the draw the kitty is turned up", **facts)
    return Asked(said, awaited)


def why(rnd: Joint, state: State) -> str:
    """What the taking or leaving of the kitty turns on, as a sentence."""
    count, trump = trumps(rnd, state), rnd.shared.trump
    cards, suit = plural("{count} card", "{count} cards", len(state.cards)), suit_name(trump)
    if not count:
        return tr("none of its {cards} bears the trump suit, {suit}", cards=cards, suit=suit)
    return plural(
        "{count} of its {cards} bears the trump suit, {suit}",
        "{count} of its {cards} bear the trump suit, {suit}",
        count,
        cards=cards,
        suit=suit,
    )


def sentences(rnd: Joint, state: State, owner: int) -> Iterator[str]:
    """What the kitty is, and what became of it."""
    if not state.stage:
        return
    name = rnd.names[owner]
    cards = f", {rnd.rules.pack.codes(state.cards)}," if state.cards else ""
    yield tr(SAID[state.stage] if cards else SAID_UNSEEN[state.stage], who=name, cards=cards)


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
