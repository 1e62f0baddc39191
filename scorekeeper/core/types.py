"""Type aliases for JSON values, cheap named tuples, copies of state, and random numbers."""

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
# Only these aliases leave the type of a value open. A file decides what such a value is, and the
# schema that checked the file says what each key holds.

# A JSON value.
JsonValue = Any
# A row of a ruleset, completed with its defaults. The `Parameter` of a key says what its value is.
Row = Mapping[str, Any]
# A JSON or TOML object: the state, a summary, a standing in the book, a file.
Json = dict[str, Any]
# The facts of a finding, as JSON values. Sentences are made from them.
Facts = dict[str, Any]
# The state between two rounds: tallies, dealer, leader, and what each phase carries over.
Standing = Mapping[str, Any]
# The facts of one round, by the names that a ruleset's sheet and statistics use.
Summary = Mapping[str, Any]


# --- named tuples that cost little to define
#
# The standard library compiles the annotations of each class, which takes longer than the rest of
# its definition. Every command defines dozens of such classes and reads no annotation, so this
# version leaves the annotations as text. Type checkers see the standard one.

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _NamedTupleMeta(type):
        """The metaclass that turns the body of a class into a named tuple."""

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
        """A tuple whose items have the names and the defaults of the fields in the class body."""


# --- copies of state, so that an entry can be tried and dropped
#
# Immutable values are shared between a value and its copy: numbers, texts, tuples, cards, orders,
# entries, findings, complete tricks. A mutable class whose objects are stored in such a list or
# dict has a method `copy`.


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

    An object with a method `copy` is copied by that method. A value that never changes is returned
    itself.

    >>> tallies = {"Ana": [1, 2]}
    >>> other = copy_value(tallies)
    >>> other["Ana"].append(3)
    >>> tallies
    {'Ana': [1, 2]}
    """
    way = _COPIERS[type(value)]
    return value if way is None else cast("T", way(value))


def copy_slots(value: T) -> T:
    """Return another object of the same class, with a copy of the value in each slot."""
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
    """The part of `random.Random` that random play needs. The caller creates and seeds it."""

    def random(self) -> float:
        """Return a number from 0 to below 1."""

    def randint(self, least: int, most: int, /) -> int:
        """Return a whole number from `least` to `most`, both included."""

    def choice(self, found: Sequence[T], /) -> T:
        """Return one item of a sequence."""

    def sample(self, found: Sequence[T], number: int, /) -> list[T]:
        """Return `number` different items of a sequence."""
