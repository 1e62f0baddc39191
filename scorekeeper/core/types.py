"""What every room is built on: names for plain values, named tuples, copies, chance."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
Way = Callable[[object], object]


# --- plain values that come from outside, or go there
#
# These are the only places where a value's type is left open: what is in them is decided by a
# file, and whoever reads a key knows, from the schema that checked it, what stands there.

# A JSON value.
Plain = Any
# A row of a ruleset, completed with its defaults: each value is what its `Parameter` says.
Row = Mapping[str, Any]
# An object as JSON or TOML has it: the state, a summary, a standing in the book, a file.
Json = dict[str, Any]
# The facts of a finding: plain JSON values, of which sentences are made.
Facts = dict[str, Any]
# What goes from one round to the next: tallies, who deals and leads, what phases have kept.
Standing = Mapping[str, Any]
# What may be told of one round, under the names that a ruleset's sheet and statistics use.
Summary = Mapping[str, Any]


# --- named tuples that cost little to define: every command defines dozens before it answers
#
# The standard library's compiles each annotation, for whoever might ask what a field's type is,
# which takes longer than all else about the class. Nobody asks here; for a type checker it is that
# one.

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Defining(type):
        """What makes a named tuple of the body of its class."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.pop("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            made.__annotations__ = fields
            return made

    class NamedTuple(metaclass=_Defining):
        """A tuple whose places have the names, and the defaults, of the fields in the class."""


# --- copies of what changes during play, so that an entry can be tried and dropped
#
# What never changes once it is made is shared between a value and its copy: numbers, texts, tuples,
# cards, orders, entries, findings, complete tricks. A class whose objects change and lie in a list
# or a dict of such a value has a method `copy`.


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


class Luck(Protocol):
    """What is asked of chance by those who play at random; the standard library's `Random` has it.
    It comes in from outside, with its seed."""

    def random(self) -> float:
        """A number from 0 to below 1."""

    def randint(self, least: int, most: int, /) -> int:
        """A whole number, both ends included."""

    def choice(self, found: Sequence[T], /) -> T:
        """One of several."""

    def sample(self, found: Sequence[T], number: int, /) -> list[T]:
        """So many of several, each once."""
