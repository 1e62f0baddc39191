"""Source with slots, filled and compiled: by a look-up, or by the readers of measures in a round;
of several expressions together, so that what they share is computed once.

Only source that a `Reader` wrote is compiled, and no name of a ruleset stands in it: measures are
numbered, and come in as values.
"""

from __future__ import annotations

from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from scorekeeper.core.expressions.kinds import EACH
from scorekeeper.core.expressions.parsing import refused
from scorekeeper.core.expressions.reading import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.expressions.kinds import Scope

    # `Any` in these is a round and what is asked about there, of which `core` knows nothing, and a
    # value, of which the source knows the kind.
    ByName = Callable[[Callable[[str], Any]], Any]
    InRound = Callable[[Any, Any], Any]
    # Asked about several, it gives all values for each of them.
    Together = Callable[[Any, Sequence[Any]], list[tuple[Any, ...]]]
    Known = dict[str, object]

_WORDS: Mapping[str, object] = {
    **{"__builtins__": {}, "ceil": ceil, "floor": floor, "abs": abs},
    **{"min": min, "max": max, "sum": sum, "any": any, "all": all},
}
# What is the same for all is kept from one to the next; None is what was not computed yet.
_LOOP = """def values(rnd, subjects):
    found = []
    {0}None
    for own in subjects:
        {1}None
        found.append(({2}))
    return found
"""
_FIRST = """def first(rnd, own):
    {0}{1}None
    return {2} or 0
"""


class Values(NamedTuple):
    """Several expressions as one function of a round; `alike`: whether all of them are the same
    whoever is asked about."""

    of: Together
    alike: bool


def by_name(
    reader: Reader, source: str, words: Mapping[str, object] = MappingProxyType({})
) -> ByName:
    """The function of `get`, which looks a measure up by its name."""
    known: Known = {**_WORDS, **words}
    filled: list[str] = []
    for name, slot in reader.slots.items():
        part = reader.parts.get(name)
        known[f"n{slot}"] = name
        look = EACH if _is_of_each(name) else "get"
        filled.append(f"{look}(n{slot})" if part is None else part.format(*filled))
    return cast("ByName", _made(f"lambda get: {source.format(*filled)}", "eval", known))


def in_round(reader: Reader, source: str) -> InRound:
    """The function of a round, and of what is asked about there."""
    known: Known = dict(_WORDS)
    filled: list[str] = []
    for name, slot in reader.slots.items():
        part = reader.parts.get(name)
        read = _read(reader.scope, name, slot, known)[0] if part is None else part.format(*filled)
        filled.append(read)
    return cast("InRound", _made(f"lambda rnd, own: {source.format(*filled)}", "eval", known))


def values_of(pairs: Sequence[tuple[str, str]], scope: Scope) -> Values:
    """The values of all these pairs of a condition and a number, None where the condition does not
    hold. Raises ExpressionError for a text that is no expression."""
    reader = Reader(scope, False)
    texts = [(reader.whole(when).source, reader.whole(number).source) for when, number in pairs]
    row = "".join([f"({number} if {when} else None)," for when, number in texts])
    known: Known = dict(_WORDS)
    filled, kept, alike = _sharing(reader, row, known)
    _made(_LOOP.format(*kept, row.format(*filled)), "exec", known)
    return Values(cast("Together", known["values"]), alike)


def first_of(conditions: Sequence[str], scope: Scope) -> InRound:
    """The function of a round that gives the number of the first of these conditions that holds,
    from 1; 0 where none does. Raises ExpressionError for a text that is no expression."""
    reader = Reader(scope, False)
    sources = [reader.whole(text).source for text in conditions]
    row = " or ".join([f"{source} and {number}" for number, source in enumerate(sources, 1)])
    known: Known = dict(_WORDS)
    filled, kept, _ = _sharing(reader, row, known)
    _made(_FIRST.format(*kept, row.format(*filled)), "exec", known)
    return cast("InRound", known["first"])


def _sharing(reader: Reader, row: str, known: Known) -> tuple[list[str], tuple[str, str], bool]:
    """How the slots of a row are filled so that what stands in it twice is computed once. What is
    kept for that, as the left side of an assignment: what is the same for all who are asked about,
    and what is not. Whether all is the same for them."""
    everywhere = row + "".join(reader.parts.values())
    filled: list[str] = []
    alike: list[bool] = []  # by slot: whether it is the same for all
    kept = {True: "", False: ""}
    for name, slot in reader.slots.items():
        part = reader.parts.get(name)
        if part is None:
            read, same = _read(reader.scope, name, slot, known)
        else:
            read = part.format(*filled)
            same = all(alike[inner] for inner in range(slot) if f"{{{inner}}}" in part)
        alike.append(same)
        if _may_keep(name) and (same or everywhere.count(f"{{{slot}}}") > 1):
            kept[same] += f"v{slot} = "
            read = f"(v{slot} if v{slot} is not None else (v{slot} := {read}))"
        filled.append(read)
    return filled, (kept[True], kept[False]), all(alike)


def _is_of_each(name: str) -> bool:
    return name.startswith(f"{EACH}.")


def _may_keep(name: str) -> bool:
    """Whether a value may be kept: not what changes from player to player within an expression, nor
    what works on values, which costs nothing to look up."""
    return not (_is_of_each(name) or name.endswith(")"))


def _read(scope: Scope, name: str, slot: int, known: Known) -> tuple[str, bool]:
    """The source that reads a measure, and whether it is the same for all who are asked about."""
    assert scope.reader is not None
    known[f"r{slot}"], same = scope.reader(name)
    if _is_of_each(name):
        return f"r{slot}(rnd, each)", True
    return f"r{slot}(rnd, own)", same


def _made(source: str, mode: str, known: Known) -> object:
    """What source of our own comes to."""
    try:
        return eval(compile(source, "<ruleset>", mode), known)
    except (RecursionError, MemoryError, SyntaxError):
        raise refused("an expression nested too deep") from None
