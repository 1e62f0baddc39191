"""Source with slots, filled and compiled: by a look-up, or by the readers of measures in a round;
of several expressions together, so that what they share is computed once.

Only source that a `Reader` wrote is compiled, and no name of a ruleset stands in it: measures are
numbered, and come in as values.
"""

from __future__ import annotations

from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

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


def together(pairs: Sequence[tuple[str, str]], scope: Scope) -> Together:
    """The function of a round and of several who are asked about: for each of them the values of
    all these pairs of a condition and a number, 0 where the condition does not hold. Raises
    ExpressionError for a text that is no expression."""
    reader = Reader(scope, False)
    texts = [(reader.whole(when).source, reader.whole(number).source) for when, number in pairs]
    source = "".join([f"({number} if {when} else 0)," for when, number in texts])
    everywhere = source + "".join(reader.parts.values())
    known: Known = dict(_WORDS)
    filled: list[str] = []
    alike: list[bool] = []  # by slot: whether it is the same for all who are asked about
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
    _made(_LOOP.format(kept[True], kept[False], source.format(*filled)), "exec", known)
    return cast("Together", known["values"])


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
