"""Rulesets in older versions of the language: their words in those of today.

The text that a match has pinned stays as it is: it is translated each time that it is loaded. Only
words that are gone are looked at, so a table of today is its own translation, and what is set from
outside in old words is read too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def _table(data: Json, *path: str) -> Json:
    """The table at a path; an empty one, of no ruleset, where there is none."""
    found: object = data
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _sets(data: Json) -> None:
    """`[phases.tricks] sets`: how many identical cards may be led at once."""
    tricks = _table(data, "phases", "tricks")
    most = tricks.pop("sets", None)
    if isinstance(most, int):
        named = {1: "single", 2: "pair", 3: "triple"}
        sizes = range(1, most + 1)
        data["shapes"] = {named.get(size, f"set-of-{size}"): {"alike": size} for size in sizes}


def _set_words(data: Json) -> None:
    """The clause words `identical`, for who leads, and `sets`, for who follows."""
    if "tricks" not in _table(data, "phases"):
        return
    for name, row in _table(data, "clauses").items():
        if isinstance(row, dict) and row.get("word", name) in _SET_WORDS:
            row["word"] = _SET_WORDS[row.get("word", name)]


_SET_WORDS = {"identical": "shape", "sets": "answer"}
_ALL: tuple[Callable[[Json], None], ...] = (_sets, _set_words)
