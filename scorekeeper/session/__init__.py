"""The live table without a terminal: one or several matches, lines typed, what the screen shows.

Its names are imported when they are asked for: how a match stands is told without a live table too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.notation import DECISIONS, STANDS, WITHDRAWN

if TYPE_CHECKING:
    from scorekeeper.session.amending import USAGE
    from scorekeeper.session.board import Board
    from scorekeeper.session.commands import COMMANDS
    from scorekeeper.session.completing import Completion
    from scorekeeper.session.events import Event, Pending
    from scorekeeper.session.form import Field, Form
    from scorekeeper.session.judging import Hint
    from scorekeeper.session.live import Session
    from scorekeeper.session.telling import Row, Screen

_WHERE = {
    "COMMANDS": "commands",
    "USAGE": "amending",
    "Board": "board",
    "Completion": "completing",
    "Event": "events",
    "Field": "form",
    "Form": "form",
    "Hint": "judging",
    "Pending": "events",
    "Row": "telling",
    "Screen": "telling",
    "Session": "live",
}

__all__ = [
    "COMMANDS",
    "DECISIONS",
    "STANDS",
    "USAGE",
    "WITHDRAWN",
    "Board",
    "Completion",
    "Event",
    "Field",
    "Form",
    "Hint",
    "Pending",
    "Row",
    "Screen",
    "Session",
]


def __getattr__(name: str) -> Any:  # each name has a type of its own, told above
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"scorekeeper.session.{_WHERE[name]}"), name)
