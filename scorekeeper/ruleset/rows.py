"""Rows of a ruleset, compiled: clauses and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import ENGLISH, language
from scorekeeper.core.rulings import NOTE, OPEN, Finding

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import AllOf, AnyOf, Claim
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.ruleset.phase import Judge
    from scorekeeper.ruleset.vocabulary import ClauseWord

# Facts that judges give as they stand in the ruleset, for most are never told.
NAMES = ("wanted", "led")


class Clause:
    """A row of `[clauses]`, compiled: `judge(round, entry)` is None when it is kept; `said` gives a
    sentence of the ruleset in the language that is spoken."""

    __slots__ = ("cite", "code", "judge", "name", "row", "said", "say", "severity", "word")

    def __init__(
        self,
        name: str,
        phase: str,
        word: ClauseWord,
        row: Row,
        judge: Judge,
        said: Callable[[str], str],
    ) -> None:
        self.name = name
        self.code = f"{phase}.{name}"
        self.word = word
        self.row = row
        self.judge = judge
        self.said = said
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
        if language() != ENGLISH:
            sentence = self.said(sentence)
            texts = {key: facts[key] for key in NAMES if isinstance(facts.get(key), str)}
            names = {key: self.said(str(text)) for key, text in texts.items()}
            facts = {**facts, **names} if names else facts
        return Finding(self.code, verdict, sentence, facts, self.severity, self.cite, claim)


class ScoreRow:
    """A compiled row of `[scores]`."""

    __slots__ = (
        *("against", "always", "cite", "code", "factor", "fixed", "label", "name", "of"),
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
        self.of: list[str] = row["of"]
        self.points = points
        self.factor = factor
        self.when = when
        self.sound = (points is None) != (factor is None)
        self.always = when.text == "true"
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
