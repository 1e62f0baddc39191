"""Scorekeeper: a referee and scorekeeper for table games.

The library's names are imported when they are asked for; `import scorekeeper` imports nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scorekeeper.failures import Damaged, Failure, Illegal, Impossible, Locked, Unreadable
    from scorekeeper.match import Match
    from scorekeeper.record import read_record, verify_record, write_record
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.loading import load_ruleset
    from scorekeeper.rulings import Finding, Line, Ruling

__version__ = "0.1.0"

_WHERE = {
    "Damaged": "failures",
    "Failure": "failures",
    "Finding": "rulings",
    "Illegal": "failures",
    "Impossible": "failures",
    "Line": "rulings",
    "Locked": "failures",
    "Match": "match",
    "Ruleset": "ruleset.compiled",
    "Ruling": "rulings",
    "Unreadable": "failures",
    "load_ruleset": "ruleset.loading",
    "read_record": "record",
    "verify_record": "record",
    "write_record": "record",
}

__all__ = [
    "Damaged",
    "Failure",
    "Finding",
    "Illegal",
    "Impossible",
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


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'scorekeeper' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"scorekeeper.{_WHERE[name]}"), name)
