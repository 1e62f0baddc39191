"""Examples of the clause words: what a word allows and what it refuses, as entries to play.

They stand beside the phases, `phases/examples/PHASE.toml`, one table for each clause word, or
several under the same name (`[[follow]]`):

    [follow]
    ruleset = "fixed-trump"                 # one that is shipped
    players = ["Ana", "Ben", "Cleo"]
    set = { clauses.rest.word = "follow" }  # choices, as `--set` makes them; may be left out
    before = ["Ana: AH"]                    # entries that lead there; may be left out
    legal = ["Ben: 9H"]                     # the word has nothing against any of these
    illegal = ["Ben: 9S"]                   # the word forbids each of these ...
    open = ["Ben: 9S"]                      # ... or nobody can tell yet, while hands are unseen
    noted = ["Ben: QH"]                     # the word says something about it, and allows it

Rows and tables that the ruleset has not stand in `add`, each whole, under its dotted key:
`add = { "phases.give" = { cards = 3, to = "left" } }`.

Each entry of the last four is judged by itself, after those of `before`. What stands at the top of
a file, `ruleset` and `players`, holds for every table that does not say otherwise.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.ruleset import sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json, Plain, Row

LEGAL, ILLEGAL, OPEN, NOTED = "legal", "illegal", "open", "noted"
KINDS = (LEGAL, ILLEGAL, OPEN, NOTED)
SHARED = ("ruleset", "players")
KEYS = (*SHARED, "set", "add", "before", *KINDS)


class Case:
    """One situation: the rules, the players, the entries before, and entries of each kind
    (`KINDS`) that the word is asked about there."""

    __slots__ = ("_added", "_set", "before", "entries", "options", "players", "ruleset")

    def __init__(self, row: Row) -> None:
        self.ruleset: str = row["ruleset"]
        self.players: list[str] = row["players"]
        # What a ruleset's keys may be set to is for its schema to say.
        self._set: Json = row.get("set", {})
        self._added: Json = row.get("add", {})
        self.options: Json = {**self._set, **self._added}
        self.before: list[str] = row.get("before", [])
        self.entries: dict[str, list[str]] = {kind: row.get(kind, []) for kind in KINDS}

    @property
    def settings(self) -> list[tuple[str, object]]:
        """The choices, each with its dotted key; a new row or table is one of them."""
        return [*_leaves(self._set), *self._added.items()]


def _leaves(table: Row, before: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield before + key, value


def as_toml(value: object) -> str:
    """The value of a choice, a table as TOML has it; a text as it is."""
    return in_a_line(value) if isinstance(value, dict) else str(value)


def in_a_line(value: object) -> str:
    """A value as TOML has it, tables and lists in one line."""
    if isinstance(value, dict):
        pairs = ", ".join(f"{key_of(key)} = {in_a_line(part)}" for key, part in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(in_a_line, value))}]"
    return json.dumps(value, ensure_ascii=False)


def key_of(key: str) -> str:
    """A key as TOML has it: in quotes, where it has signs other than these."""
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)


def examples_of(phase: str) -> dict[str, list[Case]]:
    """The examples of a phase's clause words, by word; none where it has no file.

    Raises Damaged for a file that does not hold what it should.
    """
    path = sources.examples_folder() / f"{phase}.toml"
    if not path.is_file():
        return {}
    table, faults = sources.read(path)
    if faults:
        raise Damaged(str(faults[0]))
    shared = {key: table.pop(key) for key in SHARED if key in table}
    found: dict[str, list[Case]] = {}
    for word, rows in table.items():
        whole = [shared | row for row in _rows(rows, f"{path.name}: {word}")]
        for row in whole:
            _check(row, f"{path.name}: {word}")
        found[word] = [Case(row) for row in whole]
    return found


def _rows(value: Plain, where: str) -> list[Json]:
    rows = value if isinstance(value, list) else [value]
    if not 0 < len(rows) <= untrusted.ROWS or not all(isinstance(row, dict) for row in rows):
        raise Damaged(f"{where}: takes a table, or 1 to {untrusted.ROWS} of them")
    return rows


def _check(row: Row, where: str) -> None:
    for problem in _problems(row):
        raise Damaged(f"{where}: {problem}")


def _problems(row: Row) -> Iterator[str]:
    yield from (f"there is no key {key}" for key in row if key not in KEYS)
    if not isinstance(row.get("ruleset"), str):
        yield "ruleset takes the name of a ruleset"
    for key in ("set", "add"):
        if not isinstance(row.get(key, {}), dict):
            yield f"{key} takes a table of keys and values"
    for key in ("players", "before", *KINDS):
        texts = row.get(key, [])
        if not isinstance(texts, list) or len(texts) > untrusted.ITEMS:
            yield f"{key} takes a list of at most {untrusted.ITEMS} texts"
        elif not all(isinstance(text, str) and len(text) <= untrusted.TEXT for text in texts):
            yield f"{key} takes texts of at most {untrusted.TEXT} characters"
    if not row.get("players"):
        yield "players are missing"
    if not any(row.get(kind) for kind in KINDS):
        yield f"no entry is asked about: {', '.join(KINDS)}"
