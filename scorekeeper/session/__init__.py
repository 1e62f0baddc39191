"""The live table without a terminal: one or several matches, lines typed, what the screen shows.

Its names are imported when they are asked for: how a match stands is told without a live table too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.notation import DECISIONS, STANDS, WITHDRAWN

if TYPE_CHECKING:
    from scorekeeper.session.completion import Completion
    from scorekeeper.session.forms import USAGE, Field, Form
    from scorekeeper.session.hints import COMMANDS, Hint
    from scorekeeper.session.live import LiveMatch, Session
    from scorekeeper.session.public_round import Event, Pending
    from scorekeeper.session.screen import PlayerRow, TableScreen

_WHERE = {
    "COMMANDS": "hints",
    "USAGE": "forms",
    "Completion": "completion",
    "Event": "public_round",
    "Field": "forms",
    "Form": "forms",
    "Hint": "hints",
    "LiveMatch": "live",
    "Pending": "public_round",
    "PlayerRow": "screen",
    "Session": "live",
    "TableScreen": "screen",
}

__all__ = [
    "COMMANDS",
    "DECISIONS",
    "STANDS",
    "USAGE",
    "WITHDRAWN",
    "Completion",
    "Event",
    "Field",
    "Form",
    "Hint",
    "LiveMatch",
    "Pending",
    "PlayerRow",
    "Session",
    "TableScreen",
]


def __getattr__(name: str) -> Any:  # each name has a type of its own, told above
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"scorekeeper.session.{_WHERE[name]}"), name)
