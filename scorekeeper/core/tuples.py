"""Named tuples that cost little to define: every command defines dozens of them before it answers.

The standard library's compiles each annotation, for whoever might ask what a field's type is, which
takes longer than all else about the class. Nobody asks here; for a type checker it is that one.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple
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


__all__ = ["NamedTuple"]
