"""What the clauses say of an entry, what stays open, and what settles it later.

A finding never changes. One that stays open is kept with its claim; when a later entry decides
the claim, the finding is gone if the rule was kept, and a new one stands in its place if not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scorekeeper.core.claims import AllOf, AnyOf, Breach, Claim, Outcome, Unsure
from scorekeeper.core.expressions import ExpressionError
from scorekeeper.core.proofs import counted, shown
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.knowledge import Knowledge, Proof
    from scorekeeper.core.plain import Facts
    from scorekeeper.notation import Entry
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.compiled import Clause

    # A finding that is open: the number of its entry (from 1), and the finding.
    Ref = tuple[int, Finding]


class Logged:
    """An entry of the round with its findings, which later entries may settle. `doubted`: it was
    taken back, and by the hands it cannot have been as it was said."""

    __slots__ = ("doubted", "entry", "findings")

    def __init__(self, entry: Entry, findings: list[Finding]) -> None:
        self.entry = entry
        self.findings = findings
        self.doubted = False

    def replace(self, old: Finding, new: Finding | None) -> None:
        """Put another finding in one's place, or take it out."""
        index = self.findings.index(old)
        self.findings[index : index + 1] = [new] if new is not None else []


def findings_on(rnd: Round, entry: Entry) -> list[Finding]:
    """What the clauses say of an entry, in the ruleset's order."""
    found: list[Finding] = []
    for clause in rnd.rules.clauses_of.get(entry.verb.word, ()):
        try:
            outcome = clause.judge(rnd, entry)
        except ExpressionError as error:
            say = "this rule cannot be applied: {message}"
            outcome = Unsure({"message": error.message}, say)
        if outcome is not None:
            finding = _finding(rnd, entry, clause, outcome)
            if finding is not None:
                found.append(finding)
    if len(found) > 1 and not entry.decision and any(each.refuses for each in found):
        return [each for each in found if each.verdict != LEGAL]  # nothing comes of it to tell
    return found


def _finding(rnd: Round, entry: Entry, clause: Clause, outcome: Outcome) -> Finding | None:
    if outcome is None:
        return None
    facts = _named(rnd, entry, outcome.facts)
    if isinstance(outcome, Breach):
        return clause.finding(clause.word.verdict, facts, outcome.say)
    if isinstance(outcome, Unsure):
        return clause.finding(OPEN, facts, outcome.say)
    kept = decide(rnd.hands, outcome)
    if kept is True:
        return None
    if kept is False:
        return clause.finding(ILLEGAL, facts, outcome.say)
    return clause.finding(OPEN, facts, outcome.say, outcome)


def _named(rnd: Round, entry: Entry, facts: Facts) -> Facts:
    seat = entry.seat
    if "who" not in facts and seat is not None and seat >= 0:
        return {"who": rnd.names[seat], **facts}
    return facts


def decide(hands: Knowledge, claim: Claim | AnyOf | AllOf) -> bool | None:
    """Whether what a rule needs of a hand is so: True, False, or None where it is open."""
    if isinstance(claim, Claim):
        return hands.decide(claim.seat, claim.cards, claim.least, claim.most)
    return fold((decide(hands, part) for part in claim.claims), isinstance(claim, AnyOf))


def fold(verdicts: Iterable[bool | None], decisive: bool) -> bool | None:
    """Several verdicts as one: `decisive` if one is (any of them True, or False for all of them),
    open if one is, else the other."""
    found = list(verdicts)
    if decisive in found:
        return decisive
    return None if None in found else not decisive


def keep_open(rnd: Round, findings: Iterable[Finding]) -> bool:
    """Keep the claims of findings on the entry that was last written down; whether there were
    any."""
    claimed = False
    for finding in findings:
        claim, ref = finding.claim, (len(rnd.log), finding)
        if claim is None:
            continue
        claimed = True
        if isinstance(claim, Claim):
            rnd.hands.claim(claim.seat, claim.cards, claim.least, claim.most, ref)
            continue
        parts = [(part.seat, part.cards, part.least, part.most) for part in claim.claims]
        keep = rnd.hands.claim_any if isinstance(claim, AnyOf) else rnd.hands.claim_all
        keep(parts, ref)
    return claimed


def settle(rnd: Round) -> list[Finding]:
    """Put right the findings that the entry written down last has settled; gives those on earlier
    entries that are proven now."""
    proven: list[Finding] = []
    now = len(rnd.log)
    for ref, kept, proof in rnd.hands.decided():
        number, finding = cast("Ref", ref)  # as `keep_open` gave it
        logged = rnd.log[number - 1]
        if kept:
            logged.replace(finding, None)
        elif number == now:  # its own cards prove it: no finding on an earlier entry
            logged.replace(finding, finding.but(ILLEGAL))
        else:
            later = _proven(rnd, finding, number, proof)
            logged.replace(finding, later)
            proven.append(later)
    return proven


def _proven(rnd: Round, finding: Finding, first: int, proof: Proof) -> Finding:
    """The finding on an earlier entry that is proven to have broken a rule; it names both."""
    clause = rnd.rules.clauses[finding.code.partition(".")[2]]
    second, now = len(rnd.log), rnd.log[-1].entry.text
    facts: Facts = {
        **finding.facts,
        "entries": [first, second],
        "now": now,
        "then": rnd.log[first - 1].entry.text,
        "first": first,
        "second": second,
    }
    facts["evidence"] = (
        counted(proof, rnd.set_name(proof.mask), rnd.names[proof.seat], first, second)
        if proof.counted
        else shown(first, second, now)
    )
    breach = clause.word.proven or f"{clause.say} ({{first}}, {{then}})"
    return finding.but(ILLEGAL, facts, breach + ": {evidence}")
