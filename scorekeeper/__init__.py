"""Scorekeeper: a referee and scorekeeper for table games.

Importing this package imports no other module. Each public name is imported on first use.
"""

TYPE_CHECKING = False  # Same meaning as `typing.TYPE_CHECKING`, but importing `typing` is slow.
if TYPE_CHECKING:
    from typing import Any

    from scorekeeper.core.errors import Damaged, Failure, Impossible, Locked, Unreadable
    from scorekeeper.core.rulings import Finding, Illegal, Line, Ruling
    from scorekeeper.engine.loading import load_ruleset
    from scorekeeper.engine.referee import Legal
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.match import Match
    from scorekeeper.store.record import read_record, write_record
    from scorekeeper.store.verify import verify_record

__version__ = "0.1.0"

_MODULES = {
    "Damaged": "core.errors",
    "Failure": "core.errors",
    "Finding": "core.rulings",
    "Illegal": "core.rulings",
    "Impossible": "core.errors",
    "Legal": "engine.referee",
    "Line": "core.rulings",
    "Locked": "core.errors",
    "Match": "match.match",
    "Ruleset": "engine.ruleset",
    "Ruling": "core.rulings",
    "Unreadable": "core.errors",
    "load_ruleset": "engine.loading",
    "read_record": "store.record",
    "verify_record": "store.verify",
    "write_record": "store.record",
}

__all__ = [
    "Damaged",
    "Failure",
    "Finding",
    "Illegal",
    "Impossible",
    "Legal",
    "Line",
    "Locked",
    "Match",
    "Ruleset",
    "Ruling",
    "Unreadable",
    "load_ruleset",
    "read_record",
    "verify_record",
    "write_record",
]


def __getattr__(name: str) -> "Any":  # the types of the names are declared above
    if name not in _MODULES:
        raise AttributeError(f"module 'scorekeeper' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"scorekeeper.{_MODULES[name]}"), name)
