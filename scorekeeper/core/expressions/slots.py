"""Source with slots, filled and compiled: by a look-up, or by the readers of measures in a round;
of several expressions together, so that what they share is computed once.

Only source that a `Reader` wrote is compiled, and no name of a ruleset stands in it: measures are
numbered, and come in as values.
"""

from __future__ import annotations

from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from scorekeeper.core.expressions.kinds import EACH, OWN, Item
from scorekeeper.core.expressions.parsing import refused
from scorekeeper.core.expressions.reading import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.expressions.kinds import Scope

    # `Any` in these is a round and what is asked about there, of which `core` knows nothing, and a
    # value, of which the source knows the kind.
    ByName = Callable[[Callable[[str], Any]], Any]
    InRound = Callable[[Any, Any], Any]
    # Asked about several, it gives for each of them some values: which, of whom (both from 0), and
    # the value.
    Together = Callable[[Any, Sequence[Any]], list[tuple[int, int, Any]]]
    Known = dict[str, object]

_WORDS: Mapping[str, object] = {
    **{"__builtins__": {}, "ceil": ceil, "floor": floor, "abs": abs},
    **{"min": min, "max": max, "sum": sum, "any": any, "all": all, "enumerate": enumerate},
}
# What is the same for all is kept from one to the next; None is what was not computed yet.
_LOOP = """def values(rnd, subjects):
    found = []
    {0}None
    for at, own in enumerate(subjects):
        {1}None
        {2}
    return found
"""
_ROW = """
        if {0}:
            found.append(({1}, at, {2}))
"""
_FIRST = """def first(rnd, own):
    {0}{1}None
    return {2} or 0
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


def values_of(pairs: Sequence[tuple[str, str]], scope: Scope) -> tuple[Together, bool]:
    """The function of the numbers of all these pairs of a condition and a number whose condition
    holds; and whether they are the same whoever is asked about. Raises ExpressionError for a text
    that is no expression."""
    reader = Reader(scope, False)
    texts = [(reader.whole(when).source, reader.whole(number).source) for when, number in pairs]
    row = "".join([_ROW.format(when, at, number) for at, (when, number) in enumerate(texts)])
    shared = _Shared(reader, row)
    return cast("Together", shared.made(_LOOP, row, "values")), all(shared.alike)


def first_of(conditions: Sequence[str], scope: Scope) -> InRound:
    """The function of a round that gives the number of the first of these conditions that holds,
    from 1; 0 where none does. Raises ExpressionError for a text that is no expression."""
    reader = Reader(scope, False)
    sources = [reader.whole(text).source for text in conditions]
    row = " or ".join([f"{source} and {number}" for number, source in enumerate(sources, 1)])
    return cast("InRound", _Shared(reader, row).made(_FIRST, row, "first"))


class _Shared:
    """The slots of several expressions in a `row`, filled so that what is used twice is computed
    once and kept in a variable.

    `alike`: by slot, whether it is the same whoever is asked about; `kept`: the variables of those
    that are and of those that are not, as the left side of an assignment.
    """

    __slots__ = ("alike", "filled", "kept", "known", "places", "row", "scope")

    def __init__(self, reader: Reader, row: str) -> None:
        self.scope = reader.scope
        self.row = row + "".join(reader.parts.values())
        self.known: Known = dict(_WORDS)
        self.filled: list[str] = []
        self.alike: list[bool] = []
        self.kept = {True: "", False: ""}
        self.places: dict[tuple[int, bool], str] = {}  # where what has several items is kept
        for name, slot in reader.slots.items():
            part = reader.parts.get(name)
            self.filled.append(
                self._measure(name, slot) if part is None else self._part(slot, part)
            )

    def made(self, form: str, row: str, name: str) -> object:
        """The function of that name that the form makes of the row."""
        source = form.format(self.kept[True], self.kept[False], row.format(*self.filled))
        _made(source, "exec", self.known)
        return self.known[name]

    def _measure(self, name: str, slot: int) -> str:
        source, same = _read(self.scope, name, slot, self.known)
        self.alike.append(same)
        if name.endswith(")") or _is_of_each(name):  # costs nothing; changes from player to player
            return source
        read = self.known[f"r{slot}"]
        if isinstance(read, Item):
            all_of, _, item = source.partition("[")
            place = self.places.get((id(read.of), same))
            if place is None:
                self.kept[same] += f"v{slot} = "
                place = self.places[id(read.of), same] = f"(v{slot} or (v{slot} := {all_of}))"
            return f"{place}[{item}"
        return self._once(slot, source) if self._is_kept(slot) else source

    def _part(self, slot: int, part: str) -> str:
        source = part.format(*self.filled)
        self.alike.append(all(self.alike[n] for n in range(slot) if f"{{{n}}}" in part))
        return self._once(slot, source) if self._is_kept(slot) else source

    def _is_kept(self, slot: int) -> bool:
        """Whether a value is used again: for the next who is asked about, or for the same."""
        return self.alike[slot] or self.row.count(f"{{{slot}}}") > 1

    def _once(self, slot: int, source: str) -> str:
        self.kept[self.alike[slot]] += f"v{slot} = "
        return f"(v{slot} if v{slot} is not None else (v{slot} := {source}))"


def _is_of_each(name: str) -> bool:
    return name.startswith(f"{EACH}.")


def _read(scope: Scope, name: str, slot: int, known: Known) -> tuple[str, bool]:
    """The source that reads a measure, and whether it is the same for all who are asked about."""
    assert scope.reader is not None
    read, same = scope.reader(name)
    known[f"r{slot}"] = read
    about, same = (EACH, True) if _is_of_each(name) else (OWN, same)
    if not isinstance(read, Item):
        return f"r{slot}(rnd, {about})", same
    known[f"a{slot}"], known[f"k{slot}"] = read.of, read.key
    return f"a{slot}(rnd, {about})[k{slot}]", same


def _made(source: str, mode: str, known: Known) -> object:
    """What source of our own comes to."""
    try:
        return eval(compile(source, "<ruleset>", mode), known)
    except (RecursionError, MemoryError, SyntaxError):
        raise refused("an expression nested too deep") from None
