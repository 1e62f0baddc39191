"""Rulesets in older versions of the language: their words in those of today.

The text that a match has pinned stays as it is: it is translated each time that it is loaded. Only
words that are gone are looked at, so a table of today is its own translation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.older_hands import hands_needed, special_points

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.plain import Json, Row


def translated(data: Row) -> Json:
    """A ruleset's table with the old words in those of today. `data` is not changed."""
    table = _copied(data)
    for translate in _ALL:
        translate(table)
    return table


def _copied(table: Row) -> Json:
    """The tables anew; values are shared, and none is changed."""
    return {
        key: _copied(value) if isinstance(value, dict) else value for key, value in table.items()
    }


_ALL: tuple[Callable[[Json], None], ...] = (hands_needed, special_points)
