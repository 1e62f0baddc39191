"""What a referee says: findings, rulings and score lines.

A finding keeps codes and facts; its sentence is made when somebody asks for it, here and nowhere
else, from the template that the clause or the ruleset gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import tr
from scorekeeper.core.text import visible
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.hands import AllOf, AnyOf, Claim
    from scorekeeper.core.types import Facts, Json

LEGAL, ILLEGAL, OPEN = "legal", "illegal", "open"
REFUSE, WARN, NOTE = "refuse", "warn", "note"
SEVERITIES = (REFUSE, WARN, NOTE)


def spoken(value: object) -> str:
    """A fact as it stands in a sentence: lists are joined, nothing is said as `nothing`."""
    if isinstance(value, (list, tuple)):
        return ", ".join(spoken(item) for item in value) or tr("nothing")
    if isinstance(value, dict):
        return ", ".join(f"{key} {spoken(inner)}" for key, inner in value.items()) or tr("nothing")
    return tr("nothing") if value is None else str(value)


def fill(template: str, facts: Facts) -> str:
    """Put facts into `{name}` places. Only plain names count: templates come from strangers."""
    head, *rest = template.split("{")
    parts = [head]
    for piece in rest:
        name, brace, tail = piece.partition("}")
        if brace and name in facts:
            parts.append(spoken(facts[name]) + tail)
        else:
            parts.append("{" + piece)
    return "".join(parts)


class Finding:
    """One rule's result on one entry; it never changes (what is settled later is another one, see
    `but`).

    `code` is `phase.row`, or one of the program's own; `cite` the paragraph of the rule text;
    `facts` plain JSON values: who, which cards, which entries, what would be legal. `claim` is
    what the hands must decide while it is open. `verdict` is `legal`, `illegal` or `open`,
    `severity` `refuse`, `warn` or `note`.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> finding, = match.judge("Ben: 2x3").findings
    >>> finding.code, finding.verdict, finding.severity, finding.cite
    ('turn', 'illegal', 'refuse', '2.3')
    >>> finding.reason
    "it is not Ben's turn: Ana starts with a bid"
    """

    __slots__ = ("cite", "claim", "code", "facts", "say", "severity", "verdict")

    def __init__(
        self,
        code: str,
        verdict: str,
        say: str,
        facts: Facts | None = None,
        severity: str = REFUSE,
        cite: str = "",
        claim: Claim | AnyOf | AllOf | None = None,
    ) -> None:
        self.code = code
        self.verdict = verdict
        self.severity = severity
        self.cite = cite
        self.facts = {} if facts is None else facts
        self.say = say
        self.claim = claim

    def but(self, verdict: str, facts: Facts | None = None, say: str = "") -> Finding:
        """What the same rule says of the same entry when more is known."""
        told = self.facts if facts is None else facts
        return Finding(self.code, verdict, say or self.say, told, self.severity, self.cite)

    @property
    def reason(self) -> str:
        """The finding as one sentence."""
        return fill(tr(self.say), self.facts)

    @property
    def source(self) -> str:
        """Which rule it is: its code, and its paragraph if it has one."""
        return f"{self.code}, {self.cite}" if self.cite else self.code

    @property
    def refuses(self) -> bool:
        """Whether an entry with this finding is not written without a decision."""
        return self.verdict == ILLEGAL and self.severity == REFUSE

    def as_json(self) -> Json:
        """The finding as plain JSON values."""
        return {
            "code": self.code,
            "verdict": self.verdict,
            "severity": self.severity,
            "cite": self.cite,
            "facts": self.facts,
            "reason": self.reason,
        }

    def __repr__(self) -> str:
        cited = f" ({self.cite})" if self.cite else ""
        return visible(
            f"<Finding {self.verdict} {self.severity} {self.code}{cited}: {self.reason}>"
        )


def verdict_of(findings: Iterable[Finding]) -> str:
    """The worst verdict among findings: illegal, then open, then legal."""
    verdict = LEGAL
    for finding in findings:
        if finding.verdict == ILLEGAL:
            return ILLEGAL
        if finding.verdict == OPEN:
            verdict = OPEN
    return verdict


class Settled(NamedTuple):
    """An act of which something was open and is no longer: its round and number, its canonical
    text, whether it was right."""

    round: int
    number: int
    entry: str
    right: bool


class Ruling:
    """The verdict on an entry: its canonical text, `legal`, `illegal` or `open`, and why.

    `findings` are about this entry; `settled`, which are among them, are findings about earlier
    entries that became certain by it. `ended` are the earlier acts that were settled in the trick
    that this entry completes, be it by it or before.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> ruling = match.judge("2x3")
    >>> ruling.entry, ruling.verdict, ruling.findings
    ('Ana: 2x3', 'legal', ())
    >>> match.judge("Ben: 2x3")
    <Ruling Ben: 2x3: illegal: it is not Ben's turn: Ana starts with a bid (2.3)>
    """

    __slots__ = ("ended", "entry", "findings", "settled", "verdict")

    def __init__(
        self,
        entry: str,
        findings: tuple[Finding, ...] = (),
        settled: tuple[Finding, ...] = (),
        ended: tuple[Settled, ...] = (),
    ) -> None:
        self.entry = entry
        self.verdict = verdict_of(findings)
        self.findings = findings + settled
        self.settled = settled
        self.ended = ended

    @property
    def is_open(self) -> bool:
        """Whether nobody knows yet if the entry itself was allowed."""
        return verdict_of(each for each in self.findings if each not in self.settled) == OPEN

    @property
    def refused(self) -> bool:
        """Whether the entry is not written unless the table decides."""
        return any(finding.refuses for finding in self.findings if finding not in self.settled)

    def alone(self) -> Ruling:
        """The ruling without what the entry would have settled."""
        return Ruling(self.entry, tuple(f for f in self.findings if f not in self.settled))

    @property
    def text(self) -> str:
        """The ruling in words: the entry, its verdict and each reason with its paragraph."""
        reasons = "; ".join(
            finding.reason + (f" ({finding.cite})" if finding.cite else "")
            for finding in self.findings
        )
        return f"{self.entry}: {self.verdict}" + (f": {reasons}" if reasons else "")

    def as_json(self) -> Json:
        """The ruling as plain JSON values."""
        return {
            "entry": self.entry,
            "verdict": self.verdict,
            "findings": [finding.as_json() for finding in self.findings],
        }

    def __repr__(self) -> str:
        return visible(f"<Ruling {self.text}>")


class Illegal(Failure):
    """The entry is against a rule; `ruling` says which, and why. Nothing was recorded.

    >>> from scorekeeper import Illegal, Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> try:
    ...     match.record("Ben: 2x3")
    ... except Illegal as failure:
    ...     print(failure.ruling.verdict, failure.ruling.findings[0].code)
    illegal turn
    >>> match.record("Ben: 2x3 !withdrawn").verdict  # what happened all the same
    'illegal'
    """

    def __init__(self, ruling: Ruling, hint: str = "") -> None:
        super().__init__(ruling.text, hint)
        self.ruling = ruling


class Line:
    """One line of a score: what it is for, to whom, and how many points (may be negative).

    `to` is a side, a player, or several players joined by `+`; lines sum to the score.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("doppelkopf"), ["Ana", "Ben", "Cleo", "Dan"])
    >>> ruling = match.record("result contract=normal re=Ana+Ben points=132")
    >>> match.rounds[0].lines
    [<re +1 scores.won>, <kontra -1 scores.won>]
    """

    __slots__ = ("cite", "code", "points", "to")

    def __init__(self, code: str, to: str, points: float, cite: str = "") -> None:
        self.code = code
        self.to = to
        self.points = points
        self.cite = cite

    def as_json(self) -> Json:
        """The line as plain JSON values; `to` is written `for`."""
        return {"code": self.code, "for": self.to, "points": self.points, "cite": self.cite}

    def __repr__(self) -> str:
        return f"<{self.to} {self.points:+} {self.code}>"
