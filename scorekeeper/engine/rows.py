"""Compiled rows of a ruleset: clauses, and score rows with their numbers.

Roles are known when a round is finished. The numbers for score rows then come from a `ScoreTable`,
which computes all rows together and evaluates shared expressions once. If a rule has no value, the
rows are evaluated one by one to report the error.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.expressions import ConditionalRows, Expression, NotYetKnown
from scorekeeper.core.messages import ENGLISH, current_language, tr
from scorekeeper.core.rulings import NOTE, OPEN, Finding, Line
from scorekeeper.core.text import quote
from scorekeeper.ruleset.vocabulary import HELD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Lookup
    from scorekeeper.core.hands import AllOf, AnyOf, Claim, Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.measures import Owner
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.vocabulary import ClauseWord

    Target = tuple[str, tuple[int, ...]]  # a label, and the seats that it covers
    Targets = Mapping[str, Sequence[Target]]  # the targets for each value of `for` or `against`
    Given = tuple[Line, Target]
    # The points or factor of a row for one target. None means that the row does not apply.
    Asked = tuple["ScoreRow", Target, float | None]

# Facts whose values are names from the ruleset. These names are translated when shown.
FACT_NAMES = ("wanted", "led")


class Clause:
    """A compiled row of `[clauses]`.

    `judge(round, entry)` returns None if the rule is obeyed. `translate` translates one of the
    ruleset's sentences into the current language.
    """

    __slots__ = ("cite", "code", "judge", "name", "row", "say", "severity", "translate", "word")

    def __init__(
        self,
        name: str,
        phase: str,
        word: ClauseWord,
        row: Row,
        judge: Judge,
        translate: Callable[[str], str],
    ) -> None:
        self.name = name
        # Several phases have the clause word `held`, so `held` rows have the phase in their name.
        self.code = f"{phase}.{HELD if name == f'{phase}-{HELD}' else name}"
        self.word = word
        self.row = row
        self.judge = judge
        self.translate = translate
        self.cite: str = row["cite"]
        self.say: str = row["say"] or word.say
        self.severity: str = row["severity"] if word.verdict != "legal" else NOTE

    def finding(
        self,
        verdict: str,
        facts: Facts,
        say: str = "",
        claim: Claim | AnyOf | AllOf | None = None,
    ) -> Finding:
        """Return a finding on an entry.

        `say` is the sentence for this case. If it is empty, the clause's own sentence is used.
        """
        unknown = self.word.unknown if verdict == OPEN else ""
        sentence = say or unknown or self.say
        if current_language() != ENGLISH:
            sentence = self.translate(sentence)
            texts = {key: facts[key] for key in FACT_NAMES if isinstance(facts.get(key), str)}
            names = {key: self.translate(str(text)) for key, text in texts.items()}
            facts = {**facts, **names} if names else facts
        return Finding(self.code, verdict, sentence, facts, self.severity, self.cite, claim)


def judge_if(when: Expression, judge: Judge) -> Judge:
    """Return a judge function that applies the rule only if a condition holds.

    While the condition is unknown, an act that the rule allows anyway is legal.
    """

    def judged(rnd: Round, entry: Entry) -> Outcome:
        try:
            applies = bool(when.value_in(rnd, entry))
        except NotYetKnown:
            if judge(rnd, entry) is None:
                return None
            raise
        return judge(rnd, entry) if applies else None

    return judged


class ScoreRow:
    """A compiled row of `[scores]`."""

    __slots__ = (
        *("against", "always_counts", "cite", "code", "factor", "fixed", "label", "name"),
        *("points", "sound", "target_roles", "to", "when"),
    )

    def __init__(
        self,
        name: str,
        row: Row,
        points: Expression | None,
        factor: Expression | None,
        when: Expression,
    ) -> None:
        self.name = name
        self.code = f"scores.{name}"
        self.cite: str = row["cite"]
        self.label: str = row["label"] or name
        self.to: str = row["for"]
        self.against: str = row["against"]
        self.target_roles: list[str] = row["of"]
        self.points = points
        self.factor = factor
        self.when = when
        self.sound = (points is None) != (factor is None)
        self.always_counts = when.text == "true"
        number = points.text if points is not None else ""
        self.fixed = int(number) if number.lstrip("-").isdigit() else None

    @property
    def number(self) -> Expression:
        """The expression for the row's points or factor."""
        expression = self.points if self.factor is None else self.factor
        assert expression is not None, self.code
        return expression

    @property
    def names(self) -> set[str]:
        """The measures that the row uses."""
        parts = (self.points, self.factor, self.when)
        return {name for part in parts if part is not None for name in part.names}


# --- score lines

EACH, ALL, SIDES = "each", "all", "sides"
"""The values of `for` that are not roles. They mean every player of the round, every player of the
match, and every side."""


def lines_of(numbers: Iterable[Asked], targets: Targets) -> list[Given]:
    """Return the score lines with their targets. Raises Damaged if points exceed the limit."""
    lines: list[Given] = []
    for row, target, number in numbers:
        if number is None:
            continue
        if row.factor is not None:
            number = (number - 1) * _points_above(row, target, lines)
        if not number:
            continue
        points = row.fixed if row.fixed is not None else _whole_number(row, number)
        lines.append((Line(row.code, target[0], points, row.cite), target))
        for against in targets[row.against]:
            lines.append((Line(row.code, against[0], -points, row.cite), against))
    return lines


def _points_above(row: ScoreRow, target: Target, lines: Iterable[Given]) -> float:
    """Return the target's points so far from the rows to which a factor applies.

    If the factor names no rows, all rows above it count.
    """
    given: dict[str, float] = {}
    for line, to in lines:
        if to == target:
            given[line.code] = given.get(line.code, 0) + line.points
    return (
        sum(given.get(f"scores.{name}", 0) for name in row.target_roles)
        if row.target_roles
        else sum(given.values())
    )


def _whole_number(row: ScoreRow, points: float) -> int:
    """Return a row's points as an integer."""
    if not abs(points) <= untrusted.MAX_POINTS or points != int(points):
        raise Damaged(
            tr(
                "{code} would award {points} points, which is not a whole number or is too large",
                code=row.code,
                points=quote(points),
            )
        )
    return int(points)


def numbers_one_by_one(
    rows: Iterable[ScoreRow],
    targets: Targets,
    reading: Callable[[Target], Lookup],
    counts: Callable[[ScoreRow, Lookup], bool],
) -> Iterator[Asked]:
    """Yield the numbers for score rows, evaluated one by one. `counts` returns whether a row
    applies."""
    readings: dict[Target, Lookup] = {}
    for row in rows:
        number = row.number
        for target in targets[row.to]:
            get = readings.get(target)
            if get is None:
                get = readings[target] = reading(target)
            yield row, target, number(get) if counts(row, get) else None


class ScoreTable:
    """The numbers for all score rows, evaluated together by target."""

    def __init__(self, rows: Sequence[ScoreRow]) -> None:
        same: dict[str, list[tuple[int, ScoreRow]]] = {}  # rows with the same target, by position
        for place, row in enumerate(rows):
            same.setdefault(row.to, []).append((place, row))
        self._groups = [
            (
                to,
                group,
                ConditionalRows([(row.when.text, row.number.text) for _, row in group], scope),
            )
            for scope in (row.when.scope for row in rows[:1])
            for to, group in same.items()
        ]

    def numbers(
        self, rnd: Round, targets: Targets, own_of: Callable[[Target], Owner]
    ) -> list[Asked] | None:
        """Return the numbers for the rows that apply, in order, or None if a number has no
        value."""
        found: list[tuple[int, Asked]] = []
        for to, group, several in self._groups:
            meant = targets[to]
            if not meant:
                continue
            numbers = several.evaluate(
                rnd, meant if several.same_for_all else [own_of(each) for each in meant]
            )
            if numbers is None:
                return None
            for which, of, number in numbers:
                place, row = group[which]
                if number or row.factor is not None:
                    found.append((place, (row, meant[of], number)))
        found.sort(key=itemgetter(0))
        return [each for _, each in found]
