"""The view of all forms in a round: the facts, and the texts and JSON made from the facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import N_, Prompt, join_list, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import View

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json

    Place = tuple[str, str]  # a box and a column
    Marks = Mapping[Place, tuple[int, tuple[int, ...]]]  # points and dice

# The kinds of rows: a box, the sum or bonus of a column, and points of the whole form.
BOX, SUM, WHOLE = "box", "sum", "whole"
TOTAL = "Total"
MULTIPLIED = N_("multiplied")
SHORTEST_RANGE = 3  # at least this many consecutive numbers are written as a range


class FormRow(NamedTuple):
    """A row of the form.

    `points` has each player's points in each column, or a single number for the whole form. A free
    box has None. If a box is always worth the same number of points, `worth` is that number.
    """

    kind: str
    label: str
    worth: int | None
    points: Mapping[str, list[int | None]]


class BoxesFacts(NamedTuple):
    """The forms of a game.

    `rows` contains the rows of the form, `boxes` the names of all boxes, and `factors` the factors
    of the columns. The player `who` fills the next box, at one of the places in `free`. It is the
    player's box number `turn` of `turns`.

    `marks` has the points and dice in each player's filled places, `jokers` each player's number of
    jokers, and `totals` each player's points. `forms` translates the names of boxes and columns.
    """

    rows: Sequence[FormRow]
    factors: Mapping[str, int]
    who: str = ""
    turn: int = 0
    turns: int = 0
    free: Sequence[Place] = ()
    boxes: Sequence[str] = ()
    marks: Mapping[str, Marks] = {}
    jokers: Mapping[str, int] = {}
    totals: Mapping[str, int] = {}
    forms: Mapping[str, str] = {}


class BoxesView(View[BoxesFacts]):
    """The view of the forms of a game."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        facts = self.facts
        return Prompt(
            tr(
                "{who} fills box {turn} of {turns}; free: {free}",
                who=facts.who,
                turn=facts.turn,
                turns=facts.turns,
                free=self._describe_free(),
            )
        )

    def _describe_free(self) -> str:
        facts = self.facts
        if len(facts.factors) == 1:
            return ", ".join(self._word(box) for box, _ in facts.free)
        texts = []
        for column in facts.factors:
            free = [self._word(box) for box, at in facts.free if at == column]
            if len(free) == len(facts.boxes):
                texts.append(tr("{column}: all", column=self._word(column)))
            elif free:
                boxes = ", ".join(free)
                texts.append(tr("{column}: {boxes}", column=self._word(column), boxes=boxes))
        return "; ".join(texts)

    def _word(self, word: str) -> str:
        return self.facts.forms[word]

    def table(self) -> Iterator[str]:
        for name, points in self.facts.totals.items():
            count = len(self.facts.marks[name])
            yield plural(
                "{name}: {points} points in {count} box",
                "{name}: {points} points in {count} boxes",
                count,
                name=name,
                points=points,
            )

    def as_json(self) -> Json:
        facts = self.facts
        shown = [
            {
                "who": name,
                "box": box,
                **({"column": column} if column else {}),
                "points": points,
                **({"dice": list(dice)} if dice else {}),
            }
            for name, marks in facts.marks.items()
            for (box, column), (points, dice) in marks.items()
        ]
        free: dict[str, list[str]] = {}
        for box, column in facts.free:
            free.setdefault(column, []).append(box)
        is_plain = len(facts.factors) == 1
        boxes: Json = {"free": free.get("", []) if is_plain else free}
        return {"table": shown, "bindings": {**boxes, "points": dict(facts.totals)}}

    def summary(self) -> Json:
        facts = self.facts
        form = {
            "columns": list(facts.factors),
            "rows": [[row.kind, row.label, row.worth, dict(row.points)] for row in facts.rows],
        }
        result: Json = {"form": form}
        for box in facts.boxes:
            points = {
                name: sum(
                    number * facts.factors[column]
                    for (at, column), (number, _) in marks.items()
                    if at == box
                )
                for name, marks in facts.marks.items()
                if any(at == box for at, _ in marks)
            }
            if points:
                result[f"player.{box}"] = points
        if any(facts.marks.values()):
            result["player.struck"] = {
                name: [box for (box, _), (points, _) in marks.items() if not points]
                for name, marks in facts.marks.items()
            }
        if any(facts.jokers.values()):
            result["player.jokers"] = dict(facts.jokers)
        return result


def describe_numbers(numbers: Collection[int]) -> str:
    """Return a list of numbers as text, with long runs as ranges.

    >>> describe_numbers([0, 5, 6, 7, 9])
    '0, 5 to 7 or 9'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts: list[str] = []
    for run in runs:
        if len(run) < SHORTEST_RANGE:
            texts += map(str, run)
        else:
            texts.append(tr("{least} to {most}", least=run[0], most=run[-1]))
    return join_list(texts, "or")
