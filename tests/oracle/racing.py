"""A whole deal that the referee judges entry by entry, with the moments of its proofs."""

from __future__ import annotations

from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper import Illegal, Match, load_ruleset
from tests.oracle.verdicts import GROUP

if TYPE_CHECKING:
    from scorekeeper import Finding, Ruling
    from tests.oracle.revokes import Deal

NEVER = 0
ILLEGAL = "illegal"


class Race(NamedTuple):
    """The moments at which the forbidden card, or a group of acts with it, was provable and
    reported.

    They are numbers of entries (0: never). `others` are all other reported findings, and
    `dearest` is the time of the slowest entry in ms. `unnamed` is true if the card was reported
    as forbidden without naming which of two rules it breaks.
    """

    provable: int
    told: int
    group_provable: int
    group_told: int
    unnamed: bool
    others: list[str]
    dearest: float

    @property
    def as_early_as_can_be(self) -> bool:
        """True if all findings were reported as soon as possible, and no others."""
        told = self.told, self.group_told
        return told == (self.provable, self.group_provable) and not self.others


class Racer:
    """A run of a deal that compares the referee with the oracle at each entry."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.match = Match(load_ruleset(deal.ruleset), list(deal.names))
        self.provable = self.told = self.group_provable = self.group_told = NEVER
        self.unnamed = False
        self.others: list[str] = []

    def run(self) -> Race:
        """Record all entries, and return the race."""
        dearest = 0.0
        for number, step in enumerate(self.deal.steps, 1):
            ruling, spent = recorded(self.match, step.text)
            dearest = max(dearest, spent)
            step.happen(self.deal.whole)
            for finding in ruling.findings:
                self._hear(number, finding, finding in ruling.settled)
            if 0 < self.deal.revoke <= number and not self.provable:
                self._look(number)
        return Race(
            *(self.provable, self.told, self.group_provable, self.group_told),
            *(self.unnamed, self.others, dearest),
        )

    def _hear(self, number: int, finding: Finding, settled: bool) -> None:
        """Note a finding of the referee at that entry."""
        revoke = self.deal.revoke
        if finding.code == GROUP:
            entries = finding.facts["entries"]
            if entries == [revoke]:
                self.unnamed = self.unnamed or not self.told
                self.told = self.told or number
            elif revoke in entries and not self.told:
                self.group_told = self.group_told or number
            else:
                self.others.append(f"{number}: {finding.reason}")
        elif finding.verdict == ILLEGAL:
            if (finding.facts["first"] if settled else number) == revoke:
                self.told = self.told or number
            else:
                self.others.append(f"{number}: {finding.reason}")

    def _look(self, number: int) -> None:
        """Note what can be proven after that entry."""
        whole = self.deal.whole
        wrong = [act for act in whole.asked if act.entry == self.deal.revoke]
        if not whole.may_be_kept(wrong):
            self.provable = number
        elif not self.group_provable and not whole.may_be_kept(whole.asked):
            self.group_provable = number


def recorded(match: Match, text: str) -> tuple[Ruling, float]:
    """Record an entry, with the decision that it stands. Return the ruling and its milliseconds."""
    start = thread_time()
    try:
        ruling = match.record(text)
    except Illegal:
        start = thread_time()
        ruling = match.record(f"{text} !stands")
    return ruling, 1000 * (thread_time() - start)
