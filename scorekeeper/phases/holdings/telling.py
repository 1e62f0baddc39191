"""What was announced, in words and as JSON. Part of holdings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.phases.holdings.state import Announced, State
    from scorekeeper.ruleset.joint import Joint


def _said(rnd: Joint, one: Announced) -> str:
    """What it is, with its cards where they were shown."""
    cards = f" ({' '.join(rnd.rules.pack.kinds[kind] for kind in one.cards)})" if one.cards else ""
    return rnd.rules.spoken(one.name) + cards


def _by_player(rnd: Joint, state: State) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in state.announced:
        found.setdefault(rnd.names[one.seat], []).append(_said(rnd, one))
    return found


def describe(rnd: Joint, state: State) -> Json:
    """What each player has announced."""
    return {"players": {name: {"announced": said} for name, said in _by_player(rnd, state).items()}}


def sentences(
    rnd: Joint, state: State, counted: Sequence[Announced] | None = None
) -> Iterator[str]:
    """What was announced; with `counted`, also what of it does not count."""
    for one in state.announced:
        beaten = counted is not None and one not in counted
        facts = {"who": rnd.names[one.seat], "what": _said(rnd, one)}
        yield (
            tr("{who} has announced {what}, which is not the best", **facts)
            if beaten
            else tr("{who} has announced {what}", **facts)
        )


def summary(rnd: Joint, state: State) -> Json:
    """What was announced, for the sheet."""
    by_player = _by_player(rnd, state)
    said = [f"{name}: {', '.join(what)}" for name, what in by_player.items()]
    players = {name: ", ".join(what) for name, what in by_player.items()}
    return {"announced": said or None, "player.announced": players}
