"""The kitty is shown to all: turned up, or told where it lies aside. Part of kitty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import plural, tr

if TYPE_CHECKING:
    from scorekeeper.phases.kitty.state import State
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.phase import Phase


def check_size(state: State, kinds: tuple[int, ...]) -> None:
    """Raise Impossible for another number of cards than the kitty has."""
    if len(kinds) != state.size:
        raise Impossible(
            tr(
                "the kitty has {cards}, not {number}",
                cards=plural("{count} card", "{count} cards", state.size),
                number=len(kinds),
            )
        )


def locate(rnd: Joint, kinds: tuple[int, ...]) -> None:
    """All see that nobody holds these cards. Raises ValueError where somebody does."""
    rnd.rules.pack.of(kinds)  # which refuses more copies than there are
    for kind in kinds:
        rnd.hands.locate(kind)


def named(rnd: Joint, phase: Phase[State], kinds: tuple[int, ...]) -> str:
    """The trump that these cards name: the suit of the first that has one, else the suit that
    was trump in the last round."""
    suits = [rnd.rules.pack.suit[kind] for kind in kinds]
    return next(filter(None, suits), "") or rnd.kept(phase.name).get("trump", "")


def show_aside(rnd: Joint, state: State, kinds: tuple[int, ...]) -> None:
    """The kitty lies aside, nobody takes it, and its cards are told. Raises Impossible where they
    are known, or are not as many."""
    if state.cards:
        raise Impossible(tr("the kitty is turned up already"), tr("undo, or amend that entry"))
    check_size(state, kinds)
    locate(rnd, kinds)
    if rnd.parties is not None:
        rnd.parties.forget()
    rnd.acted = True
    state.cards = kinds
