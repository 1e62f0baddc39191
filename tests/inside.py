"""Access to the inside of a round for tests that no public attribute serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scorekeeper.engine.round import Round


def bound(rnd: Round) -> dict[str, Any]:
    """Return the bound names of a round as its state shows them."""
    found: dict[str, Any] = {}
    for phase in rnd.rules.phases.values():
        found |= phase.view(rnd).as_json().get("bindings", {})
    return found


def state_of(rnd: Round, phase: str) -> Any:
    """Return the state of the phase of that name."""
    return rnd.state(rnd.rules.phases[phase])
