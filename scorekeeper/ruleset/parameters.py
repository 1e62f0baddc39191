"""What a row of a ruleset may say: its keys, their kinds and defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scorekeeper.core import untrusted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorekeeper.core.types import Json, Row

    Report = Callable[[str, str, str, str], None]  # key path, found, allowed, message

# What stands for the default of a key that has none: the schema reports a row without it.
REQUIRED: Final = object()


class Parameter:
    """One key of a row: what kind of value it takes, its default, what it is for.

    Kinds: `int`, `bool`, `text`, `name` (a row of another table or a word), `choice`; `number`
    (a whole one), `condition` and `set` (of cards), expressions over measures; lists: `texts`,
    `ints`, `cards` (patterns of cards; a list in the list is of equal strength), `lines` (a text
    or several);
    tables: `table` (of a text or several), `ints for` and `int for` (by a number of players),
    `int of` (by a pattern of cards), `values` (of values or lists of them).
    `choices` are the words that are possible, `rows` the table whose rows are (`verbs`: it names a
    verb, and its row goes where that is turned off), `bounds` the least
    and the most of whole numbers.
    """

    __slots__ = ("bounds", "choices", "default", "doc", "kind", "rows")

    def __init__(
        self,
        kind: str,
        doc: str,
        default: object = REQUIRED,
        choices: tuple[str, ...] = (),
        *,
        bounds: tuple[int, int] = untrusted.NUMBERS,
        rows: str = "",
    ) -> None:
        self.kind = kind
        self.doc = doc
        self.default = default
        self.choices = choices
        self.bounds = bounds
        self.rows = rows


def complete(table: Row, takes: Mapping[str, Parameter]) -> Row:
    """The table with the defaults of what it does not say."""
    row: Json = dict(table)  # as `Row`
    for key, parameter in takes.items():
        if key not in row:
            default = parameter.default
            row[key] = [] if default is REQUIRED and parameter.kind.endswith("s") else default
    return row
