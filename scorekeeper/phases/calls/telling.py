"""What was called, in words. Part of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.plain import Json
    from scorekeeper.phases.calls.catalogue import Catalogue
    from scorekeeper.phases.calls.state import State
    from scorekeeper.ruleset.joint import Joint


def _by_side(rnd: Joint, state: State, catalogue: Catalogue) -> Iterator[tuple[str, list[str]]]:
    """Each side that has called anything, with its calls in the game's words."""
    for side, name in enumerate(catalogue.sides):
        words = [rnd.rules.spoken(call) for call in catalogue.called(rnd, state, side)]
        if words:
            yield name, words


def sentences(rnd: Joint, state: State, catalogue: Catalogue) -> Iterator[str]:
    """What each side has called."""
    for name, words in _by_side(rnd, state, catalogue):
        yield f"{name} has called {listed(words)}"


def summary(rnd: Joint, state: State, catalogue: Catalogue) -> Json:
    """What the sheet and the statistics may tell."""
    sides = [f"{name}: {' '.join(words)}" for name, words in _by_side(rnd, state, catalogue)]
    players: dict[str, list[str]] = {}
    for seat, _, call in state.log:
        players.setdefault(rnd.names[seat], []).append(rnd.rules.spoken(call))
    return {"calls": sides or None, "player.calls": players}
