"""Copies of what changes during play, so that an entry can be tried and dropped.

What never changes once it is made is shared between a value and its copy: numbers, texts, tuples,
cards, orders, entries, findings, complete tricks. A class whose objects change and lie in a list
or a dict of such a value has a method `copy`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

T = TypeVar("T")
Way = Callable[[object], object]


def _list(value: object) -> object:
    found = cast("list[object]", value)
    return [each if (way := _WAYS[type(each)]) is None else way(each) for each in found]


def _dict(value: object) -> object:
    found = cast("dict[object, object]", value)
    return {
        key: each if (way := _WAYS[type(each)]) is None else way(each)
        for key, each in found.items()
    }


def _set(value: object) -> object:
    return set(cast("set[object]", value))


class _Ways(dict[type, "Way | None"]):
    """How a value of each type is copied; None: it is shared."""

    def __missing__(self, kind: type) -> Way | None:
        way = self[kind] = cast("Way | None", getattr(kind, "copy", None))
        return way


_WAYS = _Ways({list: _list, dict: _dict, set: _set, frozenset: None})
_SLOTS: dict[type, tuple[str, ...]] = {}


def copied(value: T) -> T:
    """A copy of a list, dict or set with all that is in it, of an object by its `copy`; the value
    itself where it never changes."""
    way = _WAYS[type(value)]
    return value if way is None else cast("T", way(value))


def copied_slots(value: T) -> T:
    """Another object of the same class, each of its slots `copied`."""
    kind = type(value)
    names = _SLOTS.get(kind)
    if names is None:
        found = (getattr(each, "__slots__", ()) for each in reversed(kind.__mro__))
        names = _SLOTS[kind] = tuple(name for slots in found for name in slots)
    other = kind.__new__(kind)
    for name in names:
        each = getattr(value, name)
        way = _WAYS[type(each)]
        setattr(other, name, each if way is None else way(each))
    return other
