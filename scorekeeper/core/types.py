"""JSON type aliases, fast named tuples, copying of state, and random numbers."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
Copier = Callable[[object], object]


# --- JSON values
#
# Only these aliases leave the type of a value open. Such values are read from files, and the schema
# that checked a file defines the type of each key.

# A JSON value.
JsonValue = Any
# A ruleset row, completed with its defaults. The `Parameter` of each key describes its value.
Row = Mapping[str, Any]
# A JSON or TOML object, such as the state, a summary, stored standings or a file.
Json = dict[str, Any]
# The facts of a finding, as JSON values. The finding's sentence is built from them.
Facts = dict[str, Any]
# The state between two rounds: tallies, dealer, leader, and what each phase carries over.
Standing = Mapping[str, Any]
# The facts of one round, under the names used in a ruleset's sheet and statistics.
Summary = Mapping[str, Any]


# --- named tuples that cost little to define
#
# The standard library compiles the annotations of each class, which takes longer than the rest of
# its definition. Every command defines dozens of such classes and reads no annotation, so this
# version leaves the annotations as text. Type checkers see the standard class.

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _NamedTupleMeta(type):
        """The metaclass that turns a class body into a named tuple."""

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

    class NamedTuple(metaclass=_NamedTupleMeta):
        """A tuple whose items take their names and defaults from the fields in the class body."""


# --- copies of state, so that an entry can be tried and dropped
# A value and its copy share their immutable parts: numbers, strings, tuples, cards, orders,
# entries, findings, complete tricks. Every mutable class whose objects are part of a state has a
# `copy` method.


def _copy_list(value: object) -> object:
    items = cast("list[object]", value)
    return [each if (way := _COPIERS[type(each)]) is None else way(each) for each in items]


def _copy_dict(value: object) -> object:
    items = cast("dict[object, object]", value)
    return {
        key: each if (way := _COPIERS[type(each)]) is None else way(each)
        for key, each in items.items()
    }


def _copy_set(value: object) -> object:
    return set(cast("set[object]", value))


class _Copiers(dict[type, "Copier | None"]):
    """The copy function of each type, or None for a type whose values are shared."""

    def __missing__(self, kind: type) -> Copier | None:
        way = self[kind] = cast("Copier | None", getattr(kind, "copy", None))
        return way


_COPIERS = _Copiers({list: _copy_list, dict: _copy_dict, set: _copy_set, frozenset: None})
_SLOTS: dict[type, tuple[str, ...]] = {}


def copy_value(value: T) -> T:
    """Return a copy of a list, dict or set, including its items.

    An object that has a method `copy` is copied with that method. An immutable value is returned
    unchanged.

    >>> tallies = {"Ana": [1, 2]}
    >>> other = copy_value(tallies)
    >>> other["Ana"].append(3)
    >>> tallies
    {'Ana': [1, 2]}
    """
    way = _COPIERS[type(value)]
    return value if way is None else cast("T", way(value))


def copy_slots(value: T) -> T:
    """Return a new object of the same class, with a copy of the value in each slot."""
    kind = type(value)
    names = _SLOTS.get(kind)
    if names is None:
        declared = (getattr(each, "__slots__", ()) for each in reversed(kind.__mro__))
        names = _SLOTS[kind] = tuple(name for slots in declared for name in slots)
    other = kind.__new__(kind)
    for name in names:
        each = getattr(value, name)
        way = _COPIERS[type(each)]
        setattr(other, name, each if way is None else way(each))
    return other


class Rng(Protocol):
    """The subset of `random.Random` that random play needs. The caller creates and seeds it."""

    def random(self) -> float:
        """Return a number that is at least 0 and below 1."""

    def randint(self, least: int, most: int, /) -> int:
        """Return an integer from `least` to `most`, both included."""

    def choice(self, found: Sequence[T], /) -> T:
        """Return one item of a sequence."""

    def sample(self, found: Sequence[T], number: int, /) -> list[T]:
        """Return `number` different items of a sequence."""
