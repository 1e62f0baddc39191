"""The dice of a throw, which expressions can count like cards, and the boxes that throws can
fill."""

from __future__ import annotations

from functools import cached_property, partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from scorekeeper.core.cards import Pack, longest_sequence
from scorekeeper.core.expressions.parser import ELEMENT, FACE, HEAP, KINDS, LOOPS, NUMBER
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.measures import OF_EACH
from scorekeeper.engine.phase import Measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.types import Row
    from scorekeeper.engine.phase import Reader

    Dice = tuple[int, ...]  # the faces of a throw

THROW = "a throw"  # the subject of the measures of a throw
MAX_DICE, MAX_FACES = 6, 8
ONE_FACE = "face{}"  # the name of the measure for the dice that show one face


class Throw(NamedTuple):
    """A throw as the subject of expressions. Its dice are a multiset of faces."""

    heap: int


class DiceMeasure(NamedTuple):
    """A measure of a throw. `read` takes only the throw, and no round."""

    name: str
    doc: str
    about: str
    kind: str
    read: Callable[[object], object]


class DiceSet:
    """Dice that are thrown together.

    They are a pack in which each face is a kind of card, so expressions count them as cards.
    """

    __slots__ = ("_by_name", "count", "faces", "pack", "throws")

    def __init__(self, count: int, faces: int) -> None:
        self.count = count
        self.faces = range(1, faces + 1)
        self.pack = Pack([str(face) for face in self.faces], count)
        self.throws: list[Dice] = list(combinations_with_replacement(self.faces, count))
        self._by_name = {each.name: each for each in self._list_measures()}

    def measures(self) -> Iterator[Measure]:
        """Yield the measures of a throw."""
        for name, doc, about, kind, read in self._by_name.values():
            yield Measure(name, doc, _ignoring_round(read), about, kind)

    def knows(self, name: str) -> bool:
        """Return whether a name is a measure of a throw."""
        return name in self._by_name

    def evaluate(self, expression: Expression, dice: Dice) -> float:
        """Return the value of an expression for a throw. The expression must read only measures
        of the throw."""
        throw = Throw(self.pack.hand_of([face - 1 for face in dice]))
        return expression(lambda name: self._by_name[name].read(throw))

    def _list_measures(self) -> Iterator[DiceMeasure]:
        pack = self.pack
        yield DiceMeasure("thrown", "the dice that were thrown", THROW, HEAP, _thrown)
        for face, mask in zip(self.faces, pack.column, strict=True):
            yield self._fixed(ONE_FACE.format(face), f"dice that show {face}", KINDS, mask)
        doc = "the dice with each face in turn, inside any(…), most(…) and their like"
        masks = list(pack.column)
        yield DiceMeasure(FACE, doc, OF_EACH, ELEMENT, lambda _: masks)
        yield self._fixed(LOOPS[FACE], "", NUMBER, masks)
        yield self._fixed("every()", "", NUMBER, pack.full)
        yield self._fixed("together()", "", NUMBER, pack.combine_capped)
        yield self._fixed("worth()", "", NUMBER, self._sum)
        ladders = [pack.bit]
        yield self._fixed("sequence()", "", NUMBER, partial(longest_sequence, ladders))

    def _fixed(self, name: str, doc: str, kind: str, value: object) -> DiceMeasure:
        """Return a measure that is the same for every throw."""
        return DiceMeasure(name, doc, "", kind, lambda _: value)

    def _sum(self, heap: int) -> int:
        """Return the sum of the faces."""
        return sum(kind + 1 for kind in self.pack.kinds_in(heap))


class Box:
    """A row of `[boxes]`: the points of a throw, and the condition that a throw must meet to fit.
    The points of each throw are computed only once.
    """

    def __init__(self, row: Row, points: Expression, needs: Expression, dice: DiceSet) -> None:
        self.label: str = row["label"]
        self.section: str = row["section"]
        self.points = points
        self.needs = needs
        self._dice = dice
        self._points: dict[Dice, int] = {}

    def points_of(self, dice: Dice) -> int:
        """Return the points of a throw, whether it fits or not."""
        key = tuple(sorted(dice)) if self.points.names else ()
        if key not in self._points:
            self._points[key] = int(self._dice.evaluate(self.points, key))
        return self._points[key]

    def fits(self, dice: Dice) -> bool:
        """Return whether a throw meets the condition of the box."""
        return tuple(sorted(dice)) in self._fitting

    @cached_property
    def fitting_throws(self) -> list[Dice]:
        """The throws that fit the box."""
        evaluate, throws = self._dice.evaluate, self._dice.throws
        if not self.needs.names:
            return throws if evaluate(self.needs, ()) else []
        return [dice for dice in throws if evaluate(self.needs, dice)]

    @cached_property
    def _fitting(self) -> frozenset[Dice]:
        return frozenset(self.fitting_throws)

    @cached_property
    def throws_by_points(self) -> dict[int, list[Dice]]:
        """The throws that fit the box, keyed by their points."""
        found: dict[int, list[Dice]] = {}
        for dice in self.fitting_throws:
            found.setdefault(self.points_of(dice), []).append(dice)
        return found


def _ignoring_round(read: Callable[[object], object]) -> Reader:
    return lambda _, subject: read(subject)


def _thrown(subject: object) -> int:
    if isinstance(subject, Throw):
        return subject.heap
    raise LookupError
