"""The results of judging an entry: findings, rulings and score lines.

A finding stores codes and facts. Its sentence is created on demand from the template in the clause
or the ruleset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import format_points, tr
from scorekeeper.core.text import escape_controls
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.hands import AllOf, AnyOf, Claim
    from scorekeeper.core.types import Facts, Json

LEGAL, ILLEGAL, OPEN = "legal", "illegal", "open"
REFUSE, WARN, NOTE = "refuse", "warn", "note"
SEVERITIES = (REFUSE, WARN, NOTE)


def format_fact(value: object) -> str:
    """Return a fact as text for a sentence. Lists are joined, and None becomes `nothing`."""
    if isinstance(value, (list, tuple)):
        return ", ".join(format_fact(item) for item in value) or tr("nothing")
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_fact(inner)}" for key, inner in value.items()) or tr(
            "nothing"
        )
    if isinstance(value, float):
        return format_points(value)
    return tr("nothing") if value is None else str(value)


def fill_template(template: str, facts: Facts) -> str:
    """Fill facts into the `{name}` placeholders of a template.

    Only simple names are replaced, because templates come from untrusted input.
    """
    head, *rest = template.split("{")
    parts = [head]
    for piece in rest:
        name, brace, tail = piece.partition("}")
        if brace and name in facts:
            parts.append(format_fact(facts[name]) + tail)
        else:
            parts.append("{" + piece)
    return "".join(parts)


class Finding:
    """The result of one rule for one entry. It is immutable.

    When more becomes known, a new finding replaces it (see `with_verdict`). `code` is
    `phase.row` or one of the built-in codes. `cite` is the paragraph of the rule text. `facts`
    are JSON values such as players, cards, entries, or the legal alternatives. `claim` is the
    open question about hands. `verdict` is `legal`, `illegal` or `open`, and `severity` is
    `refuse`, `warn` or `note`.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> (finding,) = match.judge("Ben: 2x3").findings
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

    def with_verdict(self, verdict: str, facts: Facts | None = None, say: str = "") -> Finding:
        """Return a copy of this finding with another verdict.

        If `facts` or `say` is empty, the finding's own value is used.
        """
        new_facts = self.facts if facts is None else facts
        return Finding(self.code, verdict, say or self.say, new_facts, self.severity, self.cite)

    @property
    def reason(self) -> str:
        """The finding as one sentence, in the current language.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.judge("Ben: 2x3").findings[0].reason
        "it is not Ben's turn: Ana starts with a bid"
        """
        return fill_template(tr(self.say), self.facts)

    @property
    def source(self) -> str:
        """The code of the rule, followed by the paragraph that it cites, if any.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.judge("Ben: 2x3").findings[0].source
        'turn, 2.3'
        """
        return f"{self.code}, {self.cite}" if self.cite else self.code

    @property
    def refuses(self) -> bool:
        """True if an entry with this finding is recorded only with a decision by the table.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.judge("Ben: 2x3").findings[0].refuses
        True
        """
        return self.verdict == ILLEGAL and self.severity == REFUSE

    def as_json(self) -> Json:
        """Return the finding as a dictionary of JSON values.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> list(match.judge("Ben: 2x3").findings[0].as_json())
        ['code', 'verdict', 'severity', 'cite', 'facts', 'reason']
        """
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
        return escape_controls(
            f"<Finding {self.verdict} {self.severity} {self.code}{cited}: {self.reason}>"
        )


def worst_verdict(findings: Iterable[Finding]) -> str:
    """Return the worst verdict among findings. Illegal is worse than open, and open is worse than
    legal."""
    verdict = LEGAL
    for finding in findings:
        if finding.verdict == ILLEGAL:
            return ILLEGAL
        if finding.verdict == OPEN:
            verdict = OPEN
    return verdict


class SettledAct(NamedTuple):
    """An earlier act whose open findings have all been settled, and whether it was correct.

    `round` and `number` count from 1, and `entry` is its canonical text.
    """

    round: int
    number: int
    entry: str
    was_legal: bool


class Ruling:
    """The verdict on an entry, with its reasons.

    `entry` is the canonical text. `findings` is a tuple of `Finding`, empty if no rule objects.
    `verdict` is the worst verdict among them: `legal`, `illegal` or `open`. `settled` are the
    findings about earlier entries that this entry has decided. `settled_in_trick` lists the earlier
    acts that were settled during the trick that this entry completes.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> ruling = match.judge("2x3")
    >>> ruling.entry, ruling.verdict, ruling.findings
    ('Ana: 2x3', 'legal', ())
    >>> match.judge("Ben: 2x3")
    <Ruling Ben: 2x3: illegal: it is not Ben's turn: Ana starts with a bid (2.3)>
    """

    __slots__ = ("entry", "findings", "settled", "settled_in_trick", "verdict")

    def __init__(
        self,
        entry: str,
        findings: tuple[Finding, ...] = (),
        settled: tuple[Finding, ...] = (),
        settled_in_trick: tuple[SettledAct, ...] = (),
    ) -> None:
        self.entry = entry
        self.verdict = worst_verdict(findings)
        self.findings = findings + settled
        self.settled = settled
        self.settled_in_trick = settled_in_trick

    @property
    def is_open(self) -> bool:
        """True if it is not known yet whether the entry itself is legal.

        >>> match = Match(load_ruleset("whist"), ["Ana", "Ben", "Cleo", "Dan"])
        >>> match.record("trump H").is_open, match.record("Ana: AS").is_open
        (False, False)
        >>> match.record("Ben: KH").is_open  # Ben may still have a spade
        True
        """
        return worst_verdict(each for each in self.findings if each not in self.settled) == OPEN

    @property
    def refused(self) -> bool:
        """True if the entry can only be recorded with a decision by the table.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.judge("Ana: 2x3").refused, match.judge("Ben: 2x3").refused
        (False, True)
        """
        return any(finding.refuses for finding in self.findings if finding not in self.settled)

    def without_settled(self) -> Ruling:
        """Return the ruling without the findings on earlier entries."""
        return Ruling(self.entry, tuple(f for f in self.findings if f not in self.settled))

    @property
    def text(self) -> str:
        """The ruling as one line: the entry, the verdict, and each reason with its paragraph.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.judge("2x3").text
        'Ana: 2x3: legal'
        >>> match.judge("Ben: 2x3").text
        "Ben: 2x3: illegal: it is not Ben's turn: Ana starts with a bid (2.3)"
        """
        reasons = "; ".join(
            finding.reason + (f" ({finding.cite})" if finding.cite else "")
            for finding in self.findings
        )
        return f"{self.entry}: {self.verdict}" + (f": {reasons}" if reasons else "")

    def as_json(self) -> Json:
        """Return the ruling as a dictionary of JSON values with the keys `entry verdict findings`.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.judge("2x3").as_json()
        {'entry': 'Ana: 2x3', 'verdict': 'legal', 'findings': []}
        >>> match.judge("Ben: 2x3").as_json()["findings"][0]["code"]
        'turn'
        """
        return {
            "entry": self.entry,
            "verdict": self.verdict,
            "findings": [finding.as_json() for finding in self.findings],
        }

    def __repr__(self) -> str:
        return escape_controls(f"<Ruling {self.text}>")


class Illegal(Failure):
    """Raised if an entry breaks a rule. `ruling` names the rule. Nothing has been recorded.

    >>> from scorekeeper import Illegal, Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> try:
    ...     match.record("Ben: 2x3")
    ... except Illegal as failure:
    ...     print(failure.ruling.verdict, failure.ruling.findings[0].code)
    illegal turn
    >>> match.record("Ben: 2x3 !withdrawn").verdict  # record that it happened
    'illegal'
    """

    def __init__(self, ruling: Ruling, hint: str = "") -> None:
        super().__init__(ruling.text, hint)
        self.ruling = ruling


class Line:
    """One line of a score: a code, the recipient, and the points, which may be negative.

    `to` is a side, a player, or several players joined by `+`. The lines of a round add up to its
    score.

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
        """Return the line as a dictionary of JSON values, with `to` under the key `for`.

        >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
        >>> match.play_round(["Ana: 2x3", "Ben: dudo", "count 2"]).lines[0].as_json()["for"]
        'Ben'
        """
        return {"code": self.code, "for": self.to, "points": self.points, "cite": self.cite}

    def __repr__(self) -> str:
        return f"<{self.to} {self.points:+} {self.code}>"
