"""Rows of a ruleset, compiled: clauses, and score rows with what they give.

Who has which role is known when a round is over. The numbers of the score rows then come from
`numbers_one_by_one`, one row after the other, or from a `ScoreTable`, which computes all of them
at once, what they share but once; it has no words for what is wrong with one.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.expressions import (
    ConditionalRows,
    Expression,
)
from scorekeeper.core.messages import ENGLISH, current_language, tr
from scorekeeper.core.rulings import NOTE, OPEN, Finding, Line
from scorekeeper.core.text import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.expressions import Lookup
    from scorekeeper.core.hands import AllOf, AnyOf, Claim
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.engine.measures import Owner
    from scorekeeper.engine.phase import Judge
    from scorekeeper.engine.round import Round
    from scorekeeper.ruleset.vocabulary import ClauseWord

    Target = tuple[str, tuple[int, ...]]  # whom a row gives points: a label, and the seats
    Targets = Mapping[str, Sequence[Target]]  # those whom a word means
    Given = tuple[Line, Target]
    # A row for one of those whom its word means, and its points or factor; None: it does not count.
    Asked = tuple["ScoreRow", Target, float | None]

# Facts that judges give as they stand in the ruleset, for most are never told.
FACT_NAMES = ("wanted", "led")


class Clause:
    """A row of `[clauses]`, compiled: `judge(round, entry)` is None when it is kept; `translate`
    gives a sentence of the ruleset in the language that is spoken."""

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
        self.code = f"{phase}.{name}"
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
        """What this clause says of an entry; `say` is the sentence of this case, if it has one."""
        unknown = self.word.unknown if verdict == OPEN else ""
        sentence = say or unknown or self.say
        if current_language() != ENGLISH:
            sentence = self.translate(sentence)
            texts = {key: facts[key] for key in FACT_NAMES if isinstance(facts.get(key), str)}
            names = {key: self.translate(str(text)) for key, text in texts.items()}
            facts = {**facts, **names} if names else facts
        return Finding(self.code, verdict, sentence, facts, self.severity, self.cite, claim)


class ScoreRow:
    """A compiled row of `[scores]`."""

    __slots__ = (
        *(
            "against",
            "always_counts",
            "cite",
            "code",
            "factor",
            "fixed",
            "label",
            "name",
            "target_roles",
        ),
        *("points", "sound", "to", "when"),
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
        """Its points, or its factor."""
        found = self.points if self.factor is None else self.factor
        assert found is not None, self.code
        return found

    @property
    def names(self) -> set[str]:
        """The measures that it names."""
        parts = (self.points, self.factor, self.when)
        return {name for part in parts if part is not None for name in part.names}


# --- what score rows give

EACH, SIDES = "each", "sides"
"""Whom a row may be for besides a role: every player, or every side, each for itself."""


def lines_of(numbers: Iterable[Asked], targets: Targets) -> list[Given]:
    """The lines that score rows give by these numbers, each with whom it is for. Raises Damaged
    for points that no tally can take."""
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
    """What the rows of a factor have given so far; without any, all rows."""
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
    """What a row comes to, as a whole number."""
    if not abs(points) <= untrusted.MAX_POINTS or points != int(points):
        raise Damaged(tr("{code} comes to {points} points", code=row.code, points=quote(points)))
    return int(points)


def numbers_one_by_one(
    rows: Iterable[ScoreRow],
    targets: Targets,
    reading: Callable[[Target], Lookup],
    counts: Callable[[ScoreRow, Lookup], bool],
) -> Iterator[Asked]:
    """The numbers of score rows, one row after the other; `counts` says that a row counts."""
    readings: dict[Target, Lookup] = {}
    for row in rows:
        number = row.number
        for target in targets[row.to]:
            get = readings.get(target)
            if get is None:
                get = readings[target] = reading(target)
            yield row, target, number(get) if counts(row, get) else None


class ScoreTable:
    """The numbers of all score rows, asked together by the word that they are for."""

    def __init__(self, rows: Sequence[ScoreRow]) -> None:
        same: dict[str, list[tuple[int, ScoreRow]]] = {}  # for the same word, by their place
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
        """The numbers of the rows that give anything in a round, in their order; None where one has
        no value."""
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
