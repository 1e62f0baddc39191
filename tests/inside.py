"""What tests look at inside a round, where nothing public says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scorekeeper.engine.round import Round


def bound(rnd: Round) -> dict[str, Any]:
    """What is bound in a round, as its state shows it."""
    found: dict[str, Any] = {}
    for phase in rnd.rules.phases.values():
        found |= phase.view(rnd).as_json().get("bindings", {})
    return found


def state_of(rnd: Round, phase: str) -> Any:
    """The state of the phase of that name."""
    return rnd.state(rnd.rules.phases[phase])
