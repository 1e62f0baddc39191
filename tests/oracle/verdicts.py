"""The referee's current findings in a round, to be compared with the provable ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.oracle.worlds import Act

if TYPE_CHECKING:
    from collections.abc import Collection

    from scorekeeper import Finding, Match
    from tests.oracle.worlds import Worlds

GROUP = "hands.group"
ACCUSED = "accused, though not broken in every world"
LATE = "broken in every world, and not told"
STILL = "kept in every world, and still open"
CLEARED = "open, and told as kept"
# Differences that must never occur. The others are only late findings.
FALSE = (ACCUSED, CLEARED)


class Verdicts(NamedTuple):
    """Acts that are proven broken, open acts, and groups of entries of which one is broken.

    An act is the number of its entry and the code of its rule.
    """

    proven: set[Act]
    open: set[Act]
    groups: list[list[int]]


def verdicts(match: Match, codes: Collection[str]) -> Verdicts:
    """Return the state of the last round's findings for the rules with these codes."""
    proven, still, groups = set[Act](), set[Act](), []
    for number, finding in match.live_round.log.all_findings():
        if finding.code == GROUP:
            entries_told = list(finding.facts["entries"])
            verdict = "illegal" if entries_told == [number] else "open"
            assert (finding.verdict, finding.severity, finding.cite) == (verdict, "refuse", "")
            groups.append(entries_told)
        elif finding.code in codes:
            (proven if finding.verdict == "illegal" else still).add((number, finding.code))
    return Verdicts(proven, still, groups)


def differences(found: Verdicts, worlds: Worlds) -> list[str]:
    """Return the single acts for which the referee finds more, or less, than can be proven."""
    proven, still = worlds.proven(), worlds.open()
    told = {
        ACCUSED: found.proven - proven,
        LATE: proven - found.proven,
        STILL: found.open - still - proven,
        CLEARED: still - found.open - found.proven,
    }
    return [f"{what}: {sorted(entries)}" for what, entries in told.items() if entries]


def group_differences(found: Verdicts, worlds: Worlds) -> list[str]:
    """Return the groups of acts for which the referee finds more, or less, than can be proven."""
    still, told = {entry for entry, _ in worlds.open()}, []
    for group in found.groups:
        if group != sorted(set(group) & still):
            told.append(f"a group of what is not open: {group}")
        elif not worlds.is_group(group):
            told.append(f"not a least group of which one is broken: {group}")
    if not found.groups and not worlds.may_be_kept(still):
        told.append(f"no group told, and one of these is broken: {sorted(still)}")
    return told


def replayed_differently(match: Match) -> list[str]:
    """Return the differences that appear when all entries of the round are replayed at once."""
    live = {_said(number, finding) for number, finding in match.live_round.log.all_findings()}
    told = match.copy_from_start().play_round(match.rounds[-1].entries).findings
    at_once = {_said(number, finding) for number, finding in told}
    return [f"told otherwise at once: {each}" for each in sorted(live ^ at_once)]


def _said(number: int, finding: Finding) -> tuple[int, str, str, str]:
    return number, finding.code, finding.verdict, str(finding.facts.get("entries"))
