"""What was called, in words. Part of calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.phases.calls.catalogue import Catalogue
    from scorekeeper.phases.calls.state import State
    from scorekeeper.ruleset.joint import Joint


def _by_side(rnd: Joint, state: State, catalogue: Catalogue) -> Iterator[tuple[str, list[str]]]:
    """Each side that has called anything, with its calls in the game's words."""
    for side, name in enumerate(catalogue.sides):
        words = [rnd.rules.spoken(call) for call in catalogue.called(rnd, state, side)]
        if words:
            yield name, words


def _unproven(rnd: Joint, state: State, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Each player who has called for a side that they are not proven to be on, and the side."""
    side_of = rnd.require_parties().of
    for seat, side in state.side_called.items():
        if side_of(seat) is None:
            yield rnd.names[seat], catalogue.sides[side]


def described(rnd: Joint, state: State, catalogue: Catalogue) -> Json:
    """What was called, as the state shows it; of whom nothing is proven, which side they say they
    are on."""
    sides = enumerate(catalogue.sides)
    calls = {name: list(catalogue.called(rnd, state, side)) for side, name in sides}
    if not any(calls.values()):
        return {}
    players = {name: {"says": side} for name, side in _unproven(rnd, state, catalogue)}
    found: Json = {"bindings": {"calls": calls}}
    return {**found, "players": players} if players else found


def sentences(rnd: Joint, state: State, catalogue: Catalogue) -> Iterator[str]:
    """What each side has called, and who says of themselves what is not proven."""
    for name, words in _by_side(rnd, state, catalogue):
        said = rnd.rules.said(name)
        yield tr("{name} has called {words}", name=said, words=listed(words))
    for who, side in _unproven(rnd, state, catalogue):
        yield tr("{who} says {side} (unproven)", who=who, side=rnd.rules.said(side))


def summary(
    rnd: Joint, state: State, catalogue: Catalogue, failed: Callable[[Joint, int, str], bool]
) -> Json:
    """What the sheet and the statistics may tell. A side whose first call is its own name has
    said with it who calls. In a round that counts, what has not `failed` was kept."""
    sides = [
        " ".join(words if words[0] == rnd.rules.spoken(name) else [f"{name}:", *words])
        for name, words in _by_side(rnd, state, catalogue)
    ]
    players: dict[str, list[str]] = {}
    kept: dict[str, list[str]] = {}
    counts = rnd.over and not rnd.void
    for seat, side, call in state.log:
        players.setdefault(rnd.names[seat], []).append(rnd.rules.spoken(call))
        if counts and not failed(rnd, side, call):
            kept.setdefault(rnd.names[seat], []).append(rnd.rules.spoken(call))
    callers = [f"{name}: {' '.join(words)}" for name, words in players.items()]
    said = {"calls": sides or None, "callers": callers or None}
    return {**said, "player.calls": players, "player.kept": kept}
