"""What kind of value a key takes, and what is wrong with a value.

The kinds are named in `vocabulary.Parameter`; what a key takes is checked here alone, with the
bounds of whole numbers, the lengths of texts and lists, and the words and rows that are possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.expressions import MAX_LENGTH as LONGEST
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.parameters import Parameter

_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_FILE_NAME = 64
_EXPRESSIONS = ("number", "condition")


class Wrong(NamedTuple):
    """What is wrong with a value: the key inside it ("": the value itself), what was found there,
    and what is allowed."""

    key: str
    found: object
    allowed: str


def wrong(value: object, parameter: Parameter, tables: Row) -> list[Wrong]:
    """All that is wrong with the value of a key; `tables` are the ruleset's, whose rows may be
    named."""
    return list(_wrong(value, parameter, tables))


def _wrong(value: object, parameter: Parameter, tables: Row) -> Iterator[Wrong]:
    key = ""
    fits, said, inner = _KINDS[parameter.kind]
    if not fits(value):
        yield Wrong(key, value, said)
    elif isinstance(value, dict | list) and len(value) > untrusted.ITEMS:
        yield Wrong(key, f"{len(value)} of them", f"at most {untrusted.ITEMS} of them")
    elif isinstance(value, dict):
        for name, part in value.items():
            if parameter.kind.endswith(" for") and not _is_count(name):
                yield Wrong(key, name, "a number of players")
            else:
                yield from _each(part, inner, parameter, tables, name)
    elif isinstance(value, list):
        for part in value:
            yield from _each(part, inner, parameter, tables, key)
    else:
        yield from _one(value, parameter, tables, key)


def _each(value: object, kind: str, parameter: Parameter, tables: Row, key: str) -> Iterator[Wrong]:
    """Yield what is wrong with a value in a list or table, lists in it included."""
    fits, said, inner = _KINDS[kind]
    if not fits(value):
        yield Wrong(key, value, said)
    elif not isinstance(value, list):
        yield from _one(value, parameter, tables, key)
    elif len(value) > untrusted.ITEMS:
        yield Wrong(key, f"{len(value)} of them", f"at most {untrusted.ITEMS} of them")
    else:
        for part in value:
            yield from _each(part, inner, parameter, tables, key)


def _one(value: object, parameter: Parameter, tables: Row, key: str) -> Iterator[Wrong]:
    """What is wrong with a single value of the right kind."""
    least, most = parameter.bounds
    if isinstance(value, str):
        known = list(parameter.choices) or _rows(parameter, tables)
        if known and value not in known:
            yield Wrong(key, value, " or ".join(filter(None, known)))
        elif not parameter.choices and value and parameter.rows and not known:
            yield Wrong(key, value, f"a row of [{parameter.rows}], of which there is none")
        elif len(value) > untrusted.TEXT or (
            parameter.kind in _EXPRESSIONS and len(value) > LONGEST
        ):
            so = f"at most {LONGEST} characters (a part of it can have a name, in [let])"
            allowed = (
                so if parameter.kind in _EXPRESSIONS else f"at most {untrusted.TEXT} characters"
            )
            yield Wrong(key, f"{len(value)} characters", allowed)
    elif type(value) is int and not least <= value <= most:
        yield Wrong(key, value, f"a whole number from {least} to {most}")


def _rows(parameter: Parameter, tables: Row) -> list[str]:
    rows = tables.get(parameter.rows) if parameter.rows else None
    return ["", *rows] if isinstance(rows, dict) and rows else []


def _is_count(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= 4 and name[0] != "0"


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_words(value: object) -> bool:
    return isinstance(value, str) or _is_texts(value)


def _is_ints(value: object) -> bool:
    return isinstance(value, list) and all(type(part) is int for part in value)


def _is_file(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _FILE_NAME and _NAME.issuperset(value)


def _is_item(value: object) -> bool:
    return isinstance(value, str | int)


def _is_value(value: object) -> bool:
    return _is_item(value) or (isinstance(value, list) and all(map(_is_item, value)))


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


# For each kind: whether a value is of it, how that is said, and the kind of what is in it.
_KINDS: Mapping[str, tuple[Callable[[object], bool], str, str]] = {
    "int": (lambda value: type(value) is int, "a whole number", ""),
    "bool": (lambda value: isinstance(value, bool), "true or false", ""),
    "text": (lambda value: isinstance(value, str), "text", ""),
    "file": (_is_file, f"1 to {_FILE_NAME} small letters, digits and hyphens", ""),
    "name": (lambda value: isinstance(value, str), "a name", ""),
    "choice": (lambda value: isinstance(value, str), "a word", ""),
    "number": (
        lambda value: isinstance(value, str) or type(value) is int,
        "a whole number or an expression",
        "",
    ),
    "set": (lambda value: isinstance(value, str), "an expression of a set of cards", ""),
    "condition": (lambda value: isinstance(value, str | bool), "a condition", ""),
    "texts": (_is_texts, "a list of texts", "text"),
    "lines": (_is_words, "a text or a list of texts", "text"),
    "words": (_is_words, "a word or a list of words", "text"),
    "ints": (_is_ints, "a list of whole numbers", "int"),
    "cards": (lambda value: isinstance(value, list), "a list of card patterns", "pattern"),
    "let": (_is_table, "a table", "named"),
    "named": (
        lambda value: isinstance(value, str | bool | int | list),
        "an expression, or a list of card patterns",
        "pattern",
    ),
    "pattern": (_is_words, "patterns of cards, or lists of them", "text"),
    "table": (_is_table, "a table", "words"),
    "sentences": (_is_table, "a table", "text"),
    "int for": (_is_table, "a table", "int"),
    "ints for": (_is_table, "a table", "ints"),
    "int of": (_is_table, "a table", "int"),
    "values": (_is_table, "a table", "value"),
    "value": (_is_value, "a text, a whole number, true or false, or a list of these", "item"),
    "item": (_is_item, "a text, a whole number, true or false", ""),
}
