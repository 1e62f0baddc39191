"""Dotted keys of values in a ruleset: `clauses.follow.severity`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SETTING = 10_000  # characters of one KEY=VALUE

BARE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ_")


def join_key(parts: Iterable[str]) -> str:
    """The dotted key of a path; parts that TOML would quote are quoted."""
    return ".".join(_quoted(part) for part in parts)


def _quoted(part: str) -> str:
    if part and BARE.issuperset(part):
        return part
    escaped = part.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(_escaped(letter) for letter in escaped) + '"'


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"


def split_key(key: str) -> tuple[str, ...]:
    """The parts of a dotted key, quoted ones too; none if it is no key."""
    if BARE.issuperset(key.replace(".", "")):
        parts = tuple(key.split("."))
        return parts if all(parts) and len(parts) <= untrusted.DEPTH else ()
    if key.count(".") > untrusted.KEY_PARTS:
        return ()
    value, found = toml_value(f'{key} = "="'), []
    while isinstance(value, dict) and len(value) == 1:
        ((part, value),) = value.items()
        found.append(part)
    return tuple(found) if value == "=" and len(found) <= untrusted.DEPTH else ()


def toml_value(line: str) -> object:
    """What one line of TOML says; None if it is none."""
    try:
        return None if "\n" in line else untrusted.loads(line, 1, MAX_SETTING + len("v = "))
    except untrusted.Broken:
        return None
